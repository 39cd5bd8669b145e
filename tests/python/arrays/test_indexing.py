"""Indices: what they select and what assignments to them do, against NumPy's."""

import itertools

import numpy as np
import pytest
from phalanx._arrays import gathering

import phalanx as px
from arrays.oracle import check_call, check_error, check_same, layouts, ours, outcome, sample
from phalanx import _engine

I1, I2 = np.array([0, 1, -1]), np.array([[1, 0], [0, 1]])

KEYS = [
    0, -1, 1, 7, -9, slice(None), slice(1, None), slice(None, None, -1), slice(5, 1, -2),
    slice(-2, None), slice(9, 99), slice(None, None, 0), slice(np.int64(0), np.int8(2)),
    None, ..., (), (0, 1), (0, 0, 0), (..., 0), (0, ...), (..., ...), (None, 0), (0, None),
    (slice(1, 2), ..., None), (None, None, slice(None)), (slice(None), 1), (slice(None, None, 2),
    -1),
    (slice(None, None, -1),) * 2, (..., slice(0, 1)), (0, slice(None), None), (None, ..., None),
    np.int64(1), np.uint8(0), (np.int32(0), slice(None)), np.array(1), 2**70, 1.0, "a",
    True, False, np.True_, np.array(False), (True, 0), (0, True), (slice(None), True),
    I1, I2, [0, 1], [], [[0], [1]], np.array([], int), np.array([5]), np.array([-7]),
    (I1, I1), (I1, 0), (0, I1), (slice(None), I1), (I1, slice(None)), (I2, slice(1, 2)), (I1, None),
    (None, I1), (I1, ..., 0), (..., I1), (I1, None, I1), (I1, slice(None), I1), (0, slice(None),
    I1),
    (I2, I1[:2]), (I1, I2), (slice(None), I1, I1), (slice(None), I1, None, I1), ([0, 1], [1, 0]),
    (I1[:1], slice(None, None, -1)), np.array([0.5]), np.array([0, 1], np.uint8), (I1, I1, I1, I1),
    np.array([True, False, True]), np.array([True, False]), np.array([[True, False, True]] * 2),
    (slice(None), np.array([True, False, True])), (np.array([True, False]), 0), [True, False],
    (np.array([True, False]), I1[:1]), np.zeros((2, 3), bool), (np.array([True, True]), None),
    (..., np.array([True, False, True])), np.ones((4, 4), bool),
]  # fmt: skip

SHAPES = [(), (3,), (2, 3), (2, 3, 3), (0, 3), (3, 3)]


@pytest.mark.parametrize("case", range(len(KEYS)))
def test_selects_what_numpy_selects(device, case):
    key = KEYS[case]
    for shape in SHAPES:
        for _, given in layouts(sample(np.float32, shape)):
            array = px.array(given)
            expected, problem = outcome(lambda given=given: np.asarray(given[key]))
            for index in (key, ours(key)):
                actual, error = outcome(lambda array=array, index=index: array[index])
                check_error(error, problem)
                if problem is None:
                    check_same(actual, expected)


@pytest.fixture
def by_kernels(monkeypatch):
    """Few elements are read by kernels too, as many are."""
    monkeypatch.setattr(gathering, "_FEW", 0)


@pytest.mark.parametrize("case", range(len(KEYS)))
def test_selects_by_kernels(device, by_kernels, case):
    test_selects_what_numpy_selects(device, case)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int32", "uint64", "int64"])
def test_reads_at_indices_of_every_type(device, by_kernels, dtype):
    host = np.arange(300.0).reshape(300, 1) * np.array([1, -1])
    index = np.array([[0, 5, 99], [7, 1, 2]], dtype)
    array = px.array(host)
    check_same(array[px.asarray(index)], host[index])
    if dtype[0] == "i":
        check_same(array[px.asarray(-index)], host[-index])
    check_same(px.take(array, px.asarray(index), axis=0), np.take(host, index, axis=0))


def test_reads_are_recorded_and_fused(device, by_kernels):
    """One kernel checks the indices, one computes all around the read."""
    host, index = np.arange(40.0).reshape(8, 5), np.array([3, 0, -1, 3])
    array, where = px.array(host), px.array(index)
    before = _engine.array_statistics()["kernels"]
    made = px.sqrt(array[where] + 1) * 2
    assert _engine.array_statistics()["kernels"] == before + 1 and made._is_pending
    check_same(made, np.sqrt(host[index] + 1) * 2)
    assert _engine.array_statistics()["kernels"] == before + 2
    total = array[:, where].sum(axis=0)
    check_same(total, host[:, index].sum(axis=0))
    check_same(
        (array * 2)[where][:, ::-2] + array[0, ::2][::-1],
        (host * 2)[index][:, ::-2] + host[0, ::2][::-1],
    )
    check_same(array.T[1:][where[:1], ::-1], host.T[1:][index[:1], ::-1])
    check_same(array[where][px.asarray([1, 0])], host[index][[1, 0]])
    check_same(array[where[where > 0]], host[index[index > 0]])


def test_what_was_read_keeps_its_value(device, by_kernels):
    host, index = np.arange(10.0), np.array([1, 5, 9])
    array = px.array(host)
    read = array[px.asarray(index)]
    array[:] = 0
    check_same(read, host[index])
    part = array[2:8]
    part += 1
    read = array[px.asarray(index)]
    part *= 5
    check_same(read, np.array([0.0, 1, 0]))
    array[:3] = array[px.asarray([9, 5, 2])]
    check_same(array, np.array([0, 5, 5, 5, 5, 5, 5, 5, 0, 0.0]))


def test_indices_out_of_range_are_refused_at_once(device, by_kernels):
    array = px.array(np.zeros((3, 4)))
    for key, text in (
        (px.asarray([0, 3]), "index 3 is out of bounds for axis 0 with size 3"),
        (px.asarray([-4, 3]), "index -4 is out of bounds for axis 0 with size 3"),
        ((slice(None), px.asarray([[4]])), "index 4 is out of bounds for axis 1 with size 4"),
        ((px.asarray([0]), 9), "index 9 is out of bounds for axis 1 with size 4"),
    ):
        with pytest.raises(IndexError, match=text):
            array[key]
    with pytest.raises(IndexError):
        px.take(array, px.asarray([3]), axis=0)
    empty = px.array(np.zeros((0, 4)))
    check_same(empty[px.asarray(np.array([], int))], np.zeros((0, 4)))
    with pytest.raises(IndexError, match="with size 0"):
        empty[px.asarray([0])]
    with pytest.raises((IndexError, ValueError)):
        array[px.asarray([0, 1]), px.asarray([0, 1, 2])]


@pytest.mark.parametrize("mode", ["wrap", "clip"])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "uint64"])
def test_take_of_more_than_the_indices_hold(device, by_kernels, dtype, mode):
    host, index = np.arange(600.0).reshape(300, 2), np.array([1, 100, 7], dtype)
    made = px.take(px.array(host), px.asarray(index), axis=0, mode=mode)
    check_same(made, np.take(host, index, axis=0, mode=mode))


def test_along_axis_of_other_extents(device, by_kernels):
    with pytest.raises(IndexError, match="shape mismatch"):
        px.take_along_axis(px.zeros((3, 2)), px.asarray(np.zeros((3, 7), int)), 0)


def test_take_and_along_axis_by_kernels(device, by_kernels):
    host = np.random.default_rng(3).random((4, 5, 6))
    array = px.array(host)
    index = np.array([[0, -1, 7], [-9, 2, 3]])
    for mode in ("wrap", "clip"):
        for axis in (None, 0, 1, -1):
            made = px.take(array, px.asarray(index), axis=axis, mode=mode)
            check_same(made, np.take(host, index, axis=axis, mode=mode))
    for axis in (0, 1, 2, -2):
        order = np.argsort(host, axis=axis)
        made = px.take_along_axis(array, px.asarray(order), axis=axis)
        check_same(made, np.take_along_axis(host, order, axis=axis))
    first = np.argmax(host, axis=1, keepdims=True)
    made = px.take_along_axis(array, px.asarray(first), axis=1)
    check_same(made, np.take_along_axis(host, first, axis=1))


VALUES = [7, -2.5, True, np.float32(3), np.arange(3.0), np.array([[1], [2]]), [4, 5, 6], 300]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(KEYS)))
@pytest.mark.parametrize("dtype", ["float32", "int8"])
def test_assigns_what_numpy_assigns(device, case, dtype):
    key = KEYS[case]
    for shape in SHAPES:
        for value in VALUES:
            host = np.zeros(shape, dtype)
            array = px.zeros(shape, dtype)
            _, problem = outcome(lambda host=host, value=value: host.__setitem__(key, value))
            index, given = ours(key), ours(value)
            _, error = outcome(lambda a=array, i=index, v=given: a.__setitem__(i, v))
            if isinstance(value, list) and isinstance(problem, TypeError):
                problem = ValueError()  # NumPy makes a number of a list where one is assigned
            check_error(error, problem)
            if problem is None:
                check_same(array, host)


@pytest.mark.parametrize("key", [0, slice(None), ..., np.array([True, False, True]), [0, 1]])
def test_complex_values_of_arrays_of_other_kinds(device, key):
    with pytest.raises(TypeError):
        px.zeros(3)[key] = 1j
    array = px.zeros(3, complex)
    array[key] = 1 - 2j
    host = np.zeros(3, complex)
    host[key] = 1 - 2j
    check_same(array, host)


def test_assignments_of_arrays_read_all_before(device):
    host, array = np.arange(8), px.arange(8)
    for to, of in [
        (slice(1, None), slice(None, -1)),
        (slice(None, -2), slice(2, None)),
        (slice(None), slice(None, None, -1)),
        (slice(None, None, 2), slice(1, None, 2)),
    ]:
        host[to] = host[of].copy()
        array[to] = array[of]
        check_same(array, host)
    array[::2] += array[1::2]
    host[::2] += host[1::2]
    check_same(array, host)


def test_a_mask_with_a_number_is_recorded(device):
    array = px.arange(10.0)
    array[array > 4] = -1
    assert array._is_pending
    check_same(array, np.array([0, 1, 2, 3, 4, -1, -1, -1, -1, -1.0]))


def test_writes_by_number_leave_recorded_values(device):
    array = px.arange(6)
    doubled = array * 2
    array[[0, 2]] = -1
    assert doubled.tolist() == [0, 2, 4, 6, 8, 10]
    view = array[1:4]
    total, later = view + 0, array + 0
    array[[1, 5]] = [70, 90]
    px.put(view, [2], 8)
    assert view.tolist() == [70, -1, 8]
    assert array.tolist() == [-1, 70, -1, 8, 4, 90]
    assert (total.tolist(), later.tolist()) == ([1, -1, 3], [-1, 1, -1, 3, 4, 5])


def test_writes_by_number_of_the_array_itself(device):
    host, array = np.array([3, 2, 0, 1]), px.array([3, 2, 0, 1])
    host[host.copy()] = host[::-1].copy()
    array[array] = array[::-1]
    check_same(array, host)


def test_a_write_by_number_binds_no_array(device):
    array = px.arange(6.0) * 1
    array[[0, 2]] = -1
    array += 1
    assert array._is_pending
    check_same(array, np.array([0, 2, 0, 4, 5, 6.0]))


def test_a_write_by_number_reaches_the_host_array(device):
    if device != "cpu":
        pytest.skip("the array has memory of its own there")
    host = np.zeros(4)
    array = px.asarray(host)
    array[[1, 2]] = 5
    array += 1
    assert host.tolist() == [1, 6, 6, 1]
    host.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        px.asarray(host)[[0]] = 1


def test_read_only_arrays_refuse(device):
    array = px.arange(4)
    array.setflags(write=False)
    for write in (
        lambda: array.__setitem__(0, 1),
        lambda: array.__setitem__([0], 1),
        lambda: array.__setitem__(array > 1, 1),
        lambda: array.fill(3),
        lambda: px.put(array, 0, 1),
        lambda: array.flat.__setitem__(0, 1),
        lambda: px.place(array, array > 1, 2),
    ):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert array.tolist() == [0, 1, 2, 3]
    with pytest.raises(ValueError, match="WRITEABLE"):
        array.flags.writeable = True


X = np.arange(12.0).reshape(3, 4)
CALLS = [
    *(("take", (X, *args), kwargs) for args, kwargs in [
        (([0, 5, -1],), {}), ((I2, 1), {}), ((2, 0), {}), (([9], 0), {}), (([9], 0),
        {"mode": "wrap"}),
        (([-9, 9], 1), {"mode": "clip"}), (([],), {}), (([0.5],), {}), ((0, 5), {})]),
    ("take", ([1, 2, 3], [0, 2]), {}),
    *(("take_along_axis", (X, np.argsort(-X, axis), axis), {}) for axis in (0, 1, -1)),
    ("take_along_axis", (X, np.array([9]), None), {}),
    ("take_along_axis", (X, np.array([0]), 1), {}),
    *(("choose", ([0, 1, 2], *args), kwargs) for args, kwargs in [
        (([[1, 2, 3], [4, 5, 6], [7, 8, 9]],), {}), (([[1, 2, 3], 5],), {}),
        (([[1, 2, 3], 5],), {"mode": "wrap"}), (([[1, 2, 3], 5],), {"mode": "clip"})]),
    *(("compress", (*args, X), kwargs) for args, kwargs in [
        (([True, False, True],), {}), (([True, False, True],), {"axis": 0}), (([0, 1],),
        {"axis": 1}),
        (([1] * 9,), {"axis": 0})]),
    ("extract", (X > 4, X), {}),
    *((name, (given,), {}) for name in ("nonzero", "flatnonzero", "argwhere", "where")
      for given in (X > 3, X, np.zeros((0, 2)), np.array([True]), np.float64(1))),
    ("where", (X > 3, X, 0), {}),
    ("where", (X > 3, np.arange(4), np.float32(2)), {}),
    ("where", ([1, 0], np.int8(1), 2), {}),
    ("where", (np.array([True, False]), 1, 2.5), {}),
    ("where", (X, X, np.arange(3)), {}),
    ("where", (X > 3, X), {}),
    ("select", ([X > 5, X > 2], [X, -X]), {}),
    ("select", ([X > 5, X > 2], [X, np.arange(4)], 7), {}),
    ("select", ([X[0] > 1], [np.arange(3, 7, dtype=np.int8)], np.int16(3)), {}),
    ("select", ([X], [X]), {}),
    ("select", ([], []), {}),
    ("select", ([X > 1], []), {}),
    ("ix_", ([0, 2], [1, 3]), {}),
    ("ix_", ([True, False, True], [1, 3]), {}),
    ("ix_", ([[0]],), {}),
    *(("unravel_index", args, {}) for args in [([3, 11], (3, 4)), (5, (3, 4)), (12, (3, 4)), ([3],
        (3, 4), "F")]),
    *(("ravel_multi_index", args, {}) for args in [
        (([0, 2], [1, 3]), (3, 4)), (([3], [0]), (3, 4)), (([3], [0]), (3, 4), "wrap"),
        (([1], [2]), (3, 4), "raise", "F")]),
    ("diag_indices", (3,), {}),
    ("diag_indices", (2, 3), {}),
    *((name, args, {}) for name in ("tril_indices", "triu_indices") for args in [(3,), (3, 1), (3,
        -1, 4)]),
    *((name, (np.ones((3, 3)),), {}) for name in ("tril_indices_from", "triu_indices_from")),
    ("diag_indices_from", (np.ones((3, 3)),), {}),
    ("diag_indices_from", (X,), {}),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(CALLS)), ids=lambda i: f"{i}-{CALLS[i][0]}")
def test_functions_select_what_numpys_do(device, case):
    name, args, kwargs = CALLS[case]
    check_call(name, *args, **kwargs)


WRITES = [
    ("put", ([0, 5, -1], [7, 8, 9])), ("put", ([0, 3], 1)), ("put", ([99], 1)), ("put", ([99], 1,
    "clip")),
    ("put_along_axis", (np.array([[0], [1], [2]]), 9, 1)), ("put_along_axis", (np.array([[9]]), 1,
    0)),
    ("putmask", (X > 4, [1, 2, 3])), ("putmask", (X > 4, 7)), ("putmask", (np.ones(3, bool), 7)),
    ("place", (X > 4, [1, 2, 3])), ("place", (X > 4, [])), ("place", (X < 0, [])),
    ("fill_diagonal", (9,)), ("fill_diagonal", ([1, 2],)), ("fill_diagonal", (9, True)),
    ("fill_diagonal", (np.float64(2.5),)),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(WRITES)), ids=lambda i: f"{i}-{WRITES[i][0]}")
@pytest.mark.parametrize("shape", [(3, 4), (4, 3)])
def test_functions_write_what_numpys_do(device, case, shape):
    name, args = WRITES[case]
    host = X.reshape(shape).copy()
    array = px.array(host)
    view = array[1:]
    _, problem = outcome(lambda: getattr(np, name)(host, *args))
    _, error = outcome(lambda: getattr(px, name)(array, *ours(args)))
    check_error(error, problem)
    check_same(array, host)
    check_same(view, host[1:])


def test_what_is_written_to_must_be_an_array_of_ours(device):
    for call in (lambda: px.put([1], 0, 1), lambda: px.fill_diagonal(np.zeros((2, 2)), 1)):
        with pytest.raises(TypeError, match="an array of phalanx"):
            call()


def test_take_into_out(device):
    out = px.zeros(2)
    assert px.take(px.arange(4.0), [1, 3], out=out) is out
    assert out.tolist() == [1, 3]
    with pytest.raises(ValueError, match="output array"):
        px.take(px.arange(4.0), [1], out=out)


def test_iterators(device):
    array = px.array(X)
    assert list(px.ndindex(2, 2)) == [(0, 0), (0, 1), (1, 0), (1, 1)]
    assert list(px.ndenumerate(array)) == list(np.ndenumerate(X))
    assert [float(each) for each in array.flat] == X.ravel().tolist()
    assert [row.tolist() for row in array] == X.tolist()
    with pytest.raises(TypeError, match="0-d"):
        iter(px.array(1))
    with pytest.raises(TypeError, match="unsized"):
        len(px.array(1))


def test_flat(device):
    host, array = X.T.copy(), px.array(X).T
    for key in (0, -1, slice(2, 7, 2), [1, 3], slice(None)):
        check_same(array.flat[key], np.asarray(host.flat[key]))
    for key, value in [(0, 5), (slice(3, 6), [1, 2]), ([1, 9], -1), (-1, 8)]:
        host.flat[key] = value
        array.flat[key] = value
        check_same(array, host)
    host.flat = [1, 2, 3]
    array.flat = [1, 2, 3]
    check_same(array, host)
    walk, other = array.flat, host.flat
    for _ in range(5):
        next(walk), next(other)
    assert (walk.index, walk.coords, len(walk)) == (other.index, other.coords, len(other))
    check_same(walk.copy(), other.copy())
    assert walk.base is array
    assert np.array_equal(np.asarray(array.flat), host.ravel())
    with pytest.raises(IndexError):
        array.flat[99]


def test_where_refuses_numbers_that_the_dtype_does_not_hold(device):
    with pytest.raises(OverflowError, match="-129 out of bounds for uint8"):
        px.where(px.ones(2) > 0, -129, px.ones(2, "uint8"))


PARTS = (1, slice(None, None, 2), None, ..., np.array([1, 0]), np.array([[0], [1]]))
MASKS = (*(np.arange(n) % 2 == 0 for n in (3, 4, 5)), np.eye(3, 4) > 0, np.eye(4, 5) > 0)


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_every_key_of_these_parts_of_what_is_recorded(length):
    x = np.arange(60.0).reshape(3, 4, 5)
    for key in itertools.product(PARTS, repeat=length):
        if sum(part is ... for part in key) > 1 or not any(hasattr(p, "shape") for p in key):
            continue
        check_key(x, key)


def check_key(x, key):
    """Reads and writes at a key are NumPy's, or the errors are."""
    recorded = px.asarray(x) * 1  # not in memory, so that NumPy does not read it
    try:
        expected = x[key]
    except IndexError:
        with pytest.raises(IndexError):
            np.asarray(recorded[key])
        return
    actual = recorded[key]
    assert actual.shape == expected.shape, key
    assert np.array_equal(np.asarray(actual), expected), key
    changed = x.copy()
    changed[key] = 7
    recorded[key] = 7
    assert np.array_equal(np.asarray(recorded), changed), key


@pytest.mark.parametrize("mask", MASKS, ids=lambda mask: str(mask.shape))
def test_masks_before_and_behind_an_ellipsis(by_kernels, mask):
    x = np.arange(60.0).reshape(3, 4, 5)
    parts = (..., slice(None), None, 1, [1, 0, 1], mask, mask.tolist())
    for length in (1, 2, 3):
        for key in itertools.product(parts, repeat=length):
            if sum(part is ... for part in key) <= 1:
                check_key(x, key)
