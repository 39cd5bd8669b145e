"""Functions that give elements other shapes and places, against NumPy's."""

import itertools

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_call, check_same, layouts, ours, sample

# What each does with one array, tried with arrays of these shapes in all layouts.
SHAPES = [(), (1,), (5,), (0,), (2, 3), (3, 3), (1, 4), (0, 3), (2, 3, 4), (2, 1, 3), (1, 1)]
AXES = [None, 0, 1, -1, 2, 3, (0, 1), (0, -1), (1, 0), (0, 0)]

UNARY = [
    *(("reshape", (shape,), {}) for shape in [-1, (-1,), (2, -1), (3, 2), (6,), (-1, -1), (4, 6),
        ()]),
    ("reshape", ((3, -1),), {"order": "F"}),
    ("reshape", ((-1, 2),), {"order": "A"}),
    ("reshape", (-1,), {"order": "X"}),
    *(("ravel", (), {"order": order}) for order in "CFAK"),
    ("transpose", (), {}),
    *(("transpose", (axes,), {}) for axes in [(0,), (1, 0), (-1, 0), (2, 0, 1), (0, 0), (0, 2, 1)]),
    ("permute_dims", ((1, 0),), {}),
    ("matrix_transpose", (), {}),
    *(("moveaxis", axes, {}) for axes in [(0, -1), (1, 0), ((0, 1), (1, 0)), (0, 5), ((0, 1), 0)]),
    *(("rollaxis", axes, {}) for axes in [(0,), (1,), (1, 2), (2, -1), (0, 5)]),
    *(("swapaxes", axes, {}) for axes in [(0, 1), (0, -1), (2, 0)]),
    *((name, (axis,), {}) for name in ("expand_dims", "squeeze", "flip") for axis in AXES
      if (name, axis) != ("expand_dims", None)),
    ("squeeze", (), {}),
    *((name, (), {}) for name in (
        "fliplr", "flipud", "atleast_1d", "atleast_2d", "atleast_3d", "rot90", "diagonal")),
    *(("rot90", (k,), {}) for k in (-1, 2, 3, 4)),
    ("rot90", (1,), {"axes": (1, 2)}),
    ("rot90", (1,), {"axes": (0, 0)}),
    *(("diagonal", args, {}) for args in [(1,), (-1,), (7,), (0, 1, 0), (0, 0, 2), (0, 1, 1), (1,
        -1, 0)]),
    *(("broadcast_to", (shape,), {}) for shape in [(2, 3), (3, 2, 3), 5, (2, 3, 4), ()]),
    *(("roll", args, {}) for args in [(1,), (-2,), (7,), (1, 0), (2, -1), (1, (0, 1)), ((1, -1),
        (0, 1)),
                                      ((1, 2), (0, 0)), (0,), (1, 5)]),
    *(("tile", (reps,), {}) for reps in [2, (2,), (1, 2), (2, 1, 2), 0, (1,), ()]),
    *(("repeat", args, {}) for args in [(2,), (2, 0), (3, -1), (0,), (-1,), (2, 1), ([1, 0], 0),
        ([2, 1, 3], 1)]),
    *(("pad", args, {}) for args in [(1,), ((1, 2),), (((0, 1), (2, 0)),), (1, "edge"), (2, "wrap"),
                                     (1, "reflect"), (1, "nonsense"), (-1,), (1.5,)]),
    ("pad", (1,), {"constant_values": 7}),
    ("pad", (1,), {"constant_values": (1, 2)}),
    ("pad", (1,), {"stat_length": 2}),
    ("pad", (2, "mean"), {}),
    ("pad", ({-1: (1, 2)},), {}),
    *(("delete", args, {}) for args in [(1,), (-1, 0), ([0, 1], -1), (slice(None, None, 2), 0),
        (9,)]),
    *(("insert", args, {}) for args in [(0, 9), (1, 5, 0), ([0, 1], 7, -1), (9, 1)]),
    *(("append", args, {}) for args in [(3,), (np.ones((1, 3), np.int16), 0)]),
    *(("resize", (shape,), {}) for shape in [(3, 5), 4, (0,), (-1,)]),
    *(("trim_zeros", args, {}) for args in [(), ("f",), ("b",), ("x",)]),
    *(("array_split", args, {}) for args in [(2,), (3, 1), (0,), ([1, 2],), ([1, 9], -1)]),
    *(("split", args, {}) for args in [(2,), (3,), (2, 1), ([1],)]),
    *((name, (2,), {}) for name in ("hsplit", "vsplit", "dsplit")),
    ("unstack", (), {}),
    ("unstack", (), {"axis": 1}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(UNARY)), ids=lambda i: f"{i}-{UNARY[i][0]}")
def test_does_what_numpy_does(device, case):
    name, args, kwargs = UNARY[case]
    for shape in SHAPES:
        for _, given in layouts(sample(np.float32, shape)):
            check_call(name, given, *args, **kwargs)


@pytest.mark.parametrize(
    "name", ["roll", "tile", "repeat", "pad", "reshape", "flip", "concatenate"]
)
def test_every_dtype_moves_unchanged(device, name, dtype):
    args = {"roll": (1,), "tile": (2,), "repeat": (2,), "pad": (1,), "reshape": (-1,), "flip": ()}
    for given in (sample(dtype, (3, 4)), sample(dtype, (0, 2))):
        if name == "concatenate":
            check_call(name, [given, given[::-1]])
        else:
            check_call(name, given, *args[name])


PARTS = [
    [np.arange(3), np.arange(2.0)],
    [np.zeros((2, 3), np.int8), np.ones((2, 3), np.uint8)],
    [np.zeros((2, 3)), np.ones((1, 3))],
    [np.zeros((2, 3)), np.ones((2, 2))],
    [np.zeros((0, 3)), np.ones((2, 3), np.float32)],
    [np.float64(1), np.float64(2)],
    [np.arange(4), np.arange(4), np.arange(4)],
    [np.arange(24).reshape(2, 3, 4), np.arange(24).reshape(2, 3, 4)[:, ::-1]],
    [np.array([True]), np.array([3], np.int8)],
    [np.arange(3), np.zeros((1, 3))],
    [],
]
JOINS = [
    *(("concatenate", {"axis": axis}) for axis in (0, 1, -1, None, 5)),
    ("concat", {}),
    *(("stack", {"axis": axis}) for axis in (0, 1, -1, 4)),
    *((name, {}) for name in ("vstack", "hstack", "dstack", "column_stack", "block")),
    ("concatenate", {"dtype": np.float32}),
    ("concatenate", {"dtype": np.int8, "casting": "unsafe"}),
    ("stack", {"dtype": np.float16, "casting": "safe"}),
]


@pytest.mark.parametrize("name, options", JOINS)
def test_joins_what_numpy_joins(device, name, options):
    for parts in PARTS:
        check_call(name, parts, **options)


def test_joins_into_out(device):
    out = px.zeros((2, 3))
    assert px.concatenate([px.ones((1, 3)), px.full((1, 3), 2)], out=out) is out
    check_same(out, np.array([[1.0, 1, 1], [2, 2, 2]]))
    with pytest.raises(ValueError, match="wrong shape"):
        px.concatenate([px.ones(2)], out=out)
    with pytest.raises(TypeError, match="Cannot cast"):
        px.concatenate([px.ones(2)], out=px.zeros(2, int))
    with pytest.raises(TypeError, match="both were provided"):
        px.concatenate([px.ones(2)], out=px.zeros(2), dtype=float)
    check_same(px.stack([px.ones(3), px.ones(3)], out=out), np.ones((2, 3)))


def test_blocks_of_blocks(device):
    a, b = np.eye(2), np.full((2, 3), 2.0)
    for blocks in ([[a, b], [b, a]], [a, b], [[a], [a]], a, [[1, 2], [3, 4]], [[a, b], a], []):
        check_call("block", blocks)


@pytest.mark.parametrize("shape", [(5,), (4, 6), (3, 4, 5)])
def test_windows(device, shape):
    view = np.lib.stride_tricks.sliding_window_view
    for _, given in layouts(sample(np.int32, shape)):
        for window, axis in [((2,) * len(shape), None), (3, 0), (2, -1), ((2, 2), (0, 0)), (0, 0)]:
            check_same(px.sliding_window_view(ours(given), window, axis), view(given, window, axis))
        for window, axis in [(99, 0), ((2,) * (len(shape) + 1), None), (2, (0, 0)), (-1, 0)]:
            for library, array in ((view, given), (px.sliding_window_view, ours(given))):
                with pytest.raises(ValueError, match="window"):
                    library(array, window, axis)


def test_a_window_sees_later_writes_and_is_read_only(device):
    given = px.arange(5)
    windows = px.sliding_window_view(given, 2)
    given[1] = 9
    assert windows.tolist() == [[0, 9], [9, 2], [2, 3], [3, 4]]
    with pytest.raises(ValueError, match="read-only"):
        windows[0] = 1


VIEWS = [
    lambda lib, a: a.reshape(4, 3), lambda lib, a: a.T, lambda lib, a: lib.swapaxes(a, 0, 1),
    lambda lib, a: lib.moveaxis(a, 0, 1), lambda lib, a: a.ravel(), lambda lib, a: lib.flip(a),
    lambda lib, a: lib.expand_dims(a, (0, 2)), lambda lib, a: a[None].squeeze(),
    lambda lib, a: lib.rot90(a), lambda lib, a: lib.split(a, 2, 1)[1], lambda lib, a: a[::-1, 1:],
    lambda lib, a: lib.unstack(a)[1], lambda lib, a: lib.atleast_3d(a), lambda lib, a: a[1],
    lambda lib, a: a.transpose(1, 0)[::2], lambda lib, a: a.view(np.int32),
    lambda lib, a: a.reshape(2, 6, copy=False),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(VIEWS)))
@pytest.mark.parametrize("pending", [False, True])
def test_a_view_shares_elements_both_ways(device, case, pending):
    host = np.arange(12).reshape(3, 4) + 1
    array = px.arange(12).reshape(3, 4) + 1 if pending else px.array(host)
    view, expected = VIEWS[case](px, array), VIEWS[case](np, host)
    view[...] = view * 2 + 1
    expected[...] = expected * 2 + 1
    check_same(array, host)
    array[1] = host[1] = -7
    check_same(view, expected)


def test_recorded_values_are_of_their_time(device):
    array = px.arange(6).reshape(2, 3)
    row = array[0]
    doubled = row * 2
    flat = array.ravel()
    flat[0] = 50
    assert doubled.tolist() == [0, 2, 4]
    assert (row.tolist(), array.tolist()) == ([50, 1, 2], [[50, 1, 2], [3, 4, 5]])


def test_views_of_reshaped_arrays(device):
    reshaped = px.array(np.arange(6)).reshape(2, 3)
    check_same(reshaped[1], np.arange(3, 6))
    check_same(px.array(np.arange(6)).reshape(2, 3).T + 1, np.arange(6).reshape(2, 3).T + 1)
    target = px.zeros((2, 3), int)
    part = target[:1]
    target[:] = px.array(np.arange(6)).reshape(2, 3)  # a value that is no elementwise function
    check_same(part, np.arange(3)[None])


@pytest.mark.parametrize("value", [
    lambda: px.asarray(np.arange(3.0)), lambda: px.arange(3.0) * 1, lambda: px.zeros(1)[0:1],
    lambda: px.array(np.arange(3.0))[::-1], lambda: px.arange(3.0).reshape(3, 1).reshape(3),
    lambda: px.array(2.0), lambda: px.broadcast_to(px.array(4.0), 3), lambda: px.ones(3)[:1],
])  # fmt: skip
def test_what_is_assigned_stays_apart(device, value):
    given = value()
    before = np.array(given).copy()
    array = px.ones(3)
    array[...] = given
    array[0] = 99
    assert np.array_equal(np.array(given), before)
    assert array.tolist() == [99, *np.broadcast_to(before, 3)[1:]]
    array += 1
    assert np.array_equal(np.array(given), before)


def test_the_host_array_that_was_assigned_stays(device):
    host = np.arange(3.0)
    array = px.zeros(3)
    array[...] = px.asarray(host)
    array[0] = 7
    assert host.tolist() == [0, 1, 2]


def test_broadcasts(device):
    parts = [np.arange(3), np.zeros((2, 1)), np.float32(1)]
    check_call("broadcast_arrays", *parts)
    check_call("broadcast_arrays", np.zeros(2), np.zeros(3))
    assert px.broadcast_shapes((2, 1), (3,)) == (2, 3)
    with pytest.raises(ValueError, match="read-only"):
        px.broadcast_to(px.arange(3), (2, 3))[0] = 1
    for own, wanted in itertools.product([(2, 1), (1,), ()], [(2, 3), (4, 2, 2)]):
        check_call("broadcast_to", np.ones(own), wanted)


def test_copyto(device):
    host, array = np.zeros((2, 3), np.float32), px.zeros((2, 3), np.float32)
    mask = np.array([True, False, True])
    for source, options in [
        (1, {}),
        (np.arange(3), {"casting": "unsafe"}),
        (np.float32(7), {"where": mask}),
    ]:
        np.copyto(host, source, **options)
        px.copyto(array, ours(source), **{key: ours(v) for key, v in options.items()})
        check_same(array, host)
    with pytest.raises(TypeError, match="Cannot cast"):
        px.copyto(px.zeros(2, int), px.ones(2))
    with pytest.raises(TypeError, match="Cannot cast"):
        px.copyto(px.zeros(2, int), 1.5)
    with pytest.raises(TypeError, match="must be an array of phalanx"):
        px.copyto(np.zeros(2), 1)


@pytest.mark.parametrize("name", ["real", "imag"])
def test_flat_copies_of_parts_of_complex_numbers(device, name):
    host = np.arange(6) + 1j * np.arange(6, 12)
    array = px.array(host)
    for whole, numpys in ((array, host), (array[::2], host[::2]), (array * 1, host * 1)):
        part, expected = getattr(whole, name), getattr(numpys, name)
        flat, view = part.ravel(), part.reshape(-1)
        flat_expected, view_expected = expected.ravel(), expected.reshape(-1)
        part[1:] = 7
        expected[1:] = 7
        np.testing.assert_array_equal(np.asarray(flat), flat_expected)
        np.testing.assert_array_equal(np.asarray(view), view_expected)
        np.testing.assert_array_equal(np.asarray(whole), numpys)


PAIR = np.array([2, 3])
GIVEN_ARRAYS = {
    "zeros": lambda xp, x: xp.zeros(PAIR),
    "full": lambda xp, x: xp.full(PAIR, 7.0),
    "indices": lambda xp, x: xp.indices(PAIR),
    "reshape": lambda xp, x: xp.reshape(x, PAIR[::-1]),
    "reshape of F order": lambda xp, x: xp.reshape(x, PAIR[::-1], order="F"),
    "the method reshape": lambda xp, x: x.reshape(PAIR[::-1]),
    "reshape to one extent": lambda xp, x: x.reshape(np.array(6)),
    "resize": lambda xp, x: xp.resize(x, PAIR),
    "broadcast_to": lambda xp, x: xp.broadcast_to(x[0], PAIR),
    "tile": lambda xp, x: xp.tile(x, PAIR),
    "roll": lambda xp, x: xp.roll(x, PAIR, np.array([0, 1])),
    "transpose": lambda xp, x: x.transpose(np.array([1, 0])),
    "moveaxis": lambda xp, x: xp.moveaxis(x, np.array([0, 1]), np.array([1, 0])),
    "tensordot": lambda xp, x: xp.tensordot(x, x, (np.array([0, 1]), np.array([0, 1]))),
    "apply_over_axes": lambda xp, x: xp.apply_over_axes(xp.sum, x, np.array([0, 1])),
    "split": lambda xp, x: xp.split(x.ravel(), PAIR),
    "array_split": lambda xp, x: xp.array_split(x.ravel(), PAIR),
}


@pytest.mark.parametrize("name", GIVEN_ARRAYS)
def test_shapes_axes_and_places_in_an_array(name, device):
    host = np.arange(6.0).reshape(2, 3)
    check_same(GIVEN_ARRAYS[name](px, px.asarray(host)), GIVEN_ARRAYS[name](np, host))
