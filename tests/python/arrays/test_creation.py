"""Functions that make arrays, against NumPy's."""

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_call, check_same, layouts, ours, sample
from phalanx import _engine

CALLS = [
    *(("zeros", args, {}) for args in [(3,), ((2, 3),), ((),), ((0, 2),), ((2,), np.int8), (-1,)]),
    *(("ones", args, {}) for args in [((2, 3),), (2, bool), ((1, 0), np.complex64)]),
    *(("full", args, {}) for args in [(3, 7), ((2, 2), 1.5), (2, 300, np.int8), (2, 2.7, int)]),
    ("full", ((2, 3), np.arange(3)), {}),
    ("full", ((2, 3), np.arange(2)), {}),
    ("full", (3, np.float32(2)), {}),
    ("full", (3, np.nan, np.int32), {}),
    ("full", (3, -1, np.uint8), {}),
    *(("arange", args, {}) for args in [
        (5,), (0,), (-3,), (2, 9), (9, 2), (2, 9, 3), (9, 2, -3), (5.5,), (0, 1, 0.1), (1, 0,
        -0.25),
        (0.5, 5), (1, 2, 0), (3, 3), (0.1, 0.7, 0.2), (np.float32(0), np.float32(2),
        np.float32(0.3)),
        (np.int8(5),), (0, np.nan), (2.0,), (True,), (10**20, 10**20 + 3, 1, float), (3j,),
        (np.uint64(2**63), np.uint64(2**63 + 3)),
    ]),
    *(("arange", args, {"dtype": dtype}) for args in [(7,), (0, 3, 0.4), (5, -5, -2), (0.6, 6)]
      for dtype in [np.int8, np.uint8, np.int32, np.float16, np.float32, np.float64, np.complex64]),
    *(("linspace", args, {}) for args in [
        (0, 1), (0, 1, 5), (0, 1, 1), (0, 1, 0), (2.5, -1, 7), (3, 3, 4), (0, 1, -1), (0, 1j, 3),
        (0, 5e-324, 4), (np.arange(3), np.arange(3) + 1.5, 4), (np.float32(0), np.float32(1), 4),
    ]),
    *(("linspace", (0, 9, 7), kwargs) for kwargs in [
        {"endpoint": False}, {"dtype": np.int32}, {"dtype": np.float32}, {"axis": -1},
    ]),
    ("linspace", (np.zeros(2), np.ones(2), 3), {"axis": 1}),
    ("linspace", (0, -9, 7), {"dtype": np.int64}),
    ("geomspace", (1, 1000, 4), {}),
    ("geomspace", (0, 1000, 4), {}),
    *(("eye", args, kwargs) for args, kwargs in [
        ((3,), {}), ((2, 4), {}), ((3, 3, 1), {}), ((3, 2, -1), {}), ((3,), {"dtype": bool}),
        ((0,), {}), ((-1,), {}), ((3,), {"k": 9}), ((2, 3), {"order": "F"}),
    ]),
    ("identity", (3,), {}),
    ("identity", (2, np.int8), {}),
    *(("tri", args, {}) for args in [(3,), (3, 4), (3, 4, 1), (3, 4, -1, np.int32)]),
    *((name, (np.arange(12.0).reshape(3, 4), k), {}) for name in ("tril", "triu") for k in (-5,
        -1, 0, 2)),
    *((name, (np.arange(24).reshape(2, 3, 4),), {}) for name in ("tril", "triu")),
    *((name, (np.arange(3),), {}) for name in ("tril", "triu")),
    *(("diag", (np.arange(3), k), {}) for k in (-2, 0, 1)),
    *(("diag", (np.arange(12).reshape(3, 4), k), {}) for k in (-3, -1, 0, 2, 9)),
    ("diag", (np.zeros((2, 2, 2)),), {}),
    ("diag", (np.float64(3),), {}),
    ("diagflat", (np.arange(4).reshape(2, 2), 1), {}),
    ("vander", (np.arange(3), 4), {}),
    *(("meshgrid", args, kwargs) for args in [(np.arange(3), np.arange(2.0)), (np.arange(3),),
        (np.arange(2), np.arange(3), np.arange(4)), (), (np.float64(1), np.arange(2))]
      for kwargs in [{}, {"indexing": "ij"}, {"sparse": True}, {"copy": False}]),
    ("meshgrid", (np.arange(3),), {"indexing": "zz"}),
    *(("indices", ((2, 3),), kwargs) for kwargs in [{}, {"dtype": np.float32}, {"sparse": True}]),
    ("indices", ((),), {}),
    ("fromfunction", (lambda i, j: i * 10 + j, (2, 3)), {"dtype": int}),
    ("frombuffer", (b"\x01\x00\x02\x00", np.int16), {}),
    ("frombuffer", (b"\x01\x00\x02\x00", np.int16, 1, 2), {}),
    ("fromiter", (range(4), np.int32), {}),
    ("array", ([[1, 2], [3, 4]],), {}),
    ("array", ([1.5, 2],), {"dtype": np.float32}),
    ("array", (3,), {"ndmin": 2}),
    ("array", ([[1, 2], [3]],), {}),
    ("array", (np.arange(6).reshape(2, 3),), {"order": "F"}),
    ("asarray", (np.arange(6).reshape(2, 3)[:, ::2],), {"order": "C"}),
    ("asarray", ([1, 2],), {"copy": False}),
    ("ascontiguousarray", (np.arange(6).reshape(2, 3).T,), {}),
    ("ascontiguousarray", (np.float64(1),), {}),
    ("asfortranarray", (np.arange(6).reshape(2, 3),), {}),
    ("copy", (np.arange(6).reshape(2, 3).T,), {}),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(CALLS)), ids=lambda i: f"{i}-{CALLS[i][0]}")
def test_makes_what_numpy_makes(device, case):
    name, args, kwargs = CALLS[case]
    check_call(name, *args, **kwargs)


@pytest.mark.parametrize("name", ["zeros_like", "ones_like", "empty_like", "full_like"])
@pytest.mark.parametrize("options", [{}, {"dtype": np.int16}, {"shape": (4,)}])
def test_the_likes_have_shape_and_dtype(device, name, options):
    for shape in [(2, 3), (), (0, 2)]:
        like = sample(np.float32, shape)
        extra = (7,) if name == "full_like" else ()
        expected = getattr(np, name)(like, *extra, **options)
        actual = getattr(px, name)(ours(like), *extra, **options)
        if name == "empty_like":
            actual, expected = actual * 0 == 0, np.ones(expected.shape, bool) | True
            assert actual.shape == expected.shape
        else:
            check_same(actual, expected)


def test_arrays_of_every_dtype_and_layout(device, dtype):
    for shape in [(3, 4), (5,), (), (0, 3), (2, 1, 3)]:
        for _, given in layouts(sample(dtype, shape)):
            check_same(px.asarray(given), given)
            check_same(px.array(given), given)
            for order in "CF":
                made = px.asarray(given, order=order)
                check_same(made, given)
                assert made.flags[order]


def test_logspace_is_near_numpys(device):
    for args in [(0, 3, 4), (0, 3, 4, False), (1, 2, 5, True, 2.0)]:
        assert np.allclose(px.logspace(*args), np.logspace(*args), rtol=1e-14)
    check_same(px.logspace(0, 2, 3, dtype=int), np.logspace(0, 2, 3, dtype=int))


def test_a_copy_is_not_the_array(device):
    given = px.arange(4)
    for made in (px.array(given), px.copy(given), given.copy(), px.asarray(given, copy=True)):
        made[0] = 9
        assert given.tolist() == [0, 1, 2, 3]
        assert made.tolist() == [9, 1, 2, 3]
    assert px.asarray(given) is given


def test_linspace_returns_the_step(device):
    made, step = px.linspace(0, 1, 5, retstep=True)
    assert (made.tolist(), float(step)) == ([0, 0.25, 0.5, 0.75, 1], 0.25)


def test_arange_is_part_of_the_kernel_that_uses_it(device):
    made = px.arange(1000) * 2 + px.zeros(1000, int)
    before = _engine.array_statistics()["kernels"]
    assert made.tolist() == list(range(0, 2000, 2))
    assert _engine.array_statistics()["kernels"] == before + 1


def test_an_unknown_device_is_named(device):
    with pytest.raises(ValueError, match="no device 'tpu'"):
        px.zeros(3, device="tpu")
    with pytest.raises(TypeError, match="by its name"):
        px.zeros(3, device=3.5)
    assert px.zeros(3, device=device).device.partition(":")[0] == device


@pytest.mark.parametrize("make", [
    lambda place: px.zeros(3, device=place), lambda place: px.arange(3, device=place),
    lambda place: px.arange(3.0, device=place), lambda place: px.linspace(0, 1, 3, device=place),
    lambda place: px.eye(3, device=place), lambda place: px.full(3, 2, device=place),
    lambda place: px.asarray([1, 2], device=place), lambda place: px.empty(3, device=place),
    lambda place: px.array([1, 2], device=place), lambda place: px.tri(3, device=place),
    lambda place: px.ones_like([1, 2], device=place), lambda place: px.identity(2, device=place),
])  # fmt: skip
def test_arrays_stay_on_the_device_they_are_made_on(device, make):
    other = _engine.devices()[-1]
    name = f"{other.kind}:{other.ordinal}" if other.kind != "cpu" else "cpu"
    assert make(name).device == name


def test_eye_takes_any_diagonal(device):
    for k in (2**63, -(2**70), 3, -3, 2, -2):
        np.testing.assert_array_equal(np.asarray(px.eye(3, 3, k)), np.eye(3, 3, min(max(k, -9), 9)))
