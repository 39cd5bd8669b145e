"""Writes at arrays of indices, masks and `ufunc.at`, as kernels whatever the size."""

import numpy as np
import pytest
from phalanx._arrays import gathering

import phalanx as px
from arrays.oracle import check_error, check_same, layouts, ours, outcome, sample
from phalanx import _engine


@pytest.fixture(autouse=True)
def always_kernels(monkeypatch):
    monkeypatch.setattr(gathering, "_FEW", 0)


DTYPES = [
    "bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16",
    "float32", "float64", "complex64", "complex128",
]  # fmt: skip
FEW, COLUMN = np.array([2, 0, -1, 2, 2, -3]), np.array([[1], [-2], [1]])
# Keys of an array of three dimensions, with repeated and negative indices.
KEYS = {
    "rows": FEW,
    "rows of two dimensions": COLUMN,
    "narrow": FEW.astype(np.int8),
    "unsigned": np.array([1, 1, 0], np.uint64),
    "columns": (slice(None), np.array([1, 1, 0])),
    "last": (..., np.array([4, 4, -5])),
    "pairs": (FEW[:3], np.array([1, 1, 0])),
    "broadcast": (COLUMN, np.array([1, 0, 1, 1])),
    "beside a number": (1, slice(None), np.array([3, 0, 3])),
    "apart": (FEW[:3], slice(None), np.array([3, 3, 0])),
    "steps": (slice(None, None, -2), np.array([1, 1]), slice(3, None, -1)),
    "new": (np.array([0, 0]), None, slice(1, None)),
    "all": (np.array([0, 2, 0]), np.array([1, 1, 1]), np.array([0, -1, 0])),
    "none": np.array([], np.int64),
    "empty beside a slice": (slice(None), np.array([], np.int64)),
    "mask": np.arange(30).reshape(3, 2, 5) % 3 == 0,
    "mask of rows": np.array([True, False, True]),
    "mask of pairs": np.array([[True, False], [False, True], [True, True]]),
    "mask beside an index": (np.array([True, False, True]), np.array([1, 0])),
    "one of a mask beside indices": (np.array([False, True, False]), np.array([1, 1, 0])),
    "empty mask": np.zeros((3, 2, 5), bool),
}


def target(dtype):
    return sample(dtype, (3, 2, 5))


def values_for(key, dtype, seed=0):
    """Values of the very shape, and such that are broadcast."""
    shape = target(dtype)[key].shape
    whole = np.random.default_rng(seed).integers(0, 100, shape).astype(dtype)
    yield whole
    yield np.array(3).astype(dtype)
    if len(shape) > 1:
        yield whole[-1:] if shape[0] else whole
        yield whole[..., :1]
        yield whole[None]


@pytest.mark.parametrize("name", KEYS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_assigns_what_numpy_assigns(device, name, dtype):
    key = KEYS[name]
    for value in values_for(key, dtype):
        for _, given in layouts(target(dtype)):
            host, array = given.copy(order="K"), px.array(given)
            host[key] = value
            array[ours(key)] = ours(value)
            check_same(array, host)


@pytest.mark.parametrize("name", ["rows", "apart", "mask", "mask of rows"])
@pytest.mark.parametrize("own", ["int8", "float32", "complex64", "bool"])
@pytest.mark.parametrize("other", ["uint8", "int64", "float64", "bool"])
def test_values_of_other_types_are_converted(device, name, own, other):
    key = KEYS[name]
    value = next(values_for(key, other))
    host, array = target(own), px.array(target(own))
    host[key] = value
    array[ours(key)] = ours(value)
    check_same(array, host)


VIEWS = {
    "reversed": (slice(None, None, -1),) * 3,
    "strided": (slice(None), slice(None), slice(None, None, 2)),
    "row": (1,),
    "inner": (slice(1, 3), 0, slice(1, 4)),
}


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("is_transposed", [False, True])
def test_views_are_written_to_where_they_are(device, view, is_transposed):
    host, array = target("float64").copy(), px.array(target("float64"))
    part, ours_part = host[VIEWS[view]], array[VIEWS[view]]
    if is_transposed:
        part, ours_part = part.T, ours_part.T
    index = np.array([1, 0, 1, -1])
    value = np.arange(4.0).reshape((4,) + (1,) * (part.ndim - 1))
    for use in (
        lambda x, i, v: x.__setitem__(i, v),
        lambda x, i, v: (px if isinstance(x, px.ndarray) else np).add.at(x, i, v),
    ):
        use(part, index, value)
        use(ours_part, ours(index), ours(value))
        check_same(ours_part, part)
        check_same(array, host)


def test_the_last_of_equal_indices_counts(device):
    random = np.random.default_rng(5)
    for count, places in ((200_000, 50), (100_000, 100_000), (70_000, 1)):
        index = random.integers(-places, places, count)
        value = random.random(count)
        host, array = np.zeros(places), px.zeros(places)
        host[index] = value
        array[px.asarray(index)] = px.asarray(value)
        check_same(array, host)
    index = random.integers(0, 40, (300, 2)), random.integers(0, 30, (300, 1))
    value = random.random((300, 2, 17))
    host, array = np.zeros((40, 30, 17)), px.zeros((40, 30, 17))
    host[index] = value
    array[ours(index)] = px.asarray(value)
    check_same(array, host)


def test_without_memory_for_a_table_one_thread_writes(device):
    places, count = 400_000, 50_000
    random = np.random.default_rng(6)
    index, value = random.integers(0, places, count), random.random((count, 16))
    index[1::2] = index[::2]
    host = np.zeros((places, 16))
    host[index] = value
    array, ours_index, ours_value = px.zeros((places, 16)), px.asarray(index), px.asarray(value)
    for each in (array, ours_index, ours_value):
        each._share()  # which keeps them where they are
    px.set_memory_limit(px.memory_info().used_bytes + 4 * places // 2)  # half of the table
    try:
        array[ours_index] = ours_value
    finally:
        px.set_memory_limit(None)
    check_same(array, host)


def test_values_that_overlap_are_read_before(device):
    host = np.arange(24.0).reshape(6, 4)
    array = px.array(host)
    index = np.array([3, 1, 1, 0])
    for value in (
        lambda x: x[2:],
        lambda x: x[::-1][:4],
        lambda x: x[index],
        lambda x: x[2:] * 2 + x[:4],
        lambda x: x[5],
        lambda x: x[:4, ::-1],
    ):
        host[index] = value(host).copy()
        array[px.asarray(index)] = value(array)
        check_same(array, host)
    order = np.array([3, 2, 0, 1, 3])
    array = px.array(order)
    array[array] = array[::-1]
    expected = order.copy()
    expected[order.copy()] = order[::-1].copy()
    check_same(array, expected)
    array[array] += array
    expected[expected.copy()] += expected.copy()
    check_same(array, expected)


def test_what_was_recorded_keeps_its_value(device):
    array = px.arange(6.0)
    doubled, part, element = array * 2, array[1:4], array[2]
    array[px.asarray([2, 2, 5])] = px.asarray([7.0, 8.0, 9.0])
    check_same(doubled, np.arange(6.0) * 2)
    check_same(part, np.array([1, 8, 3.0]))
    assert float(element) == 2
    px.add.at(part, px.asarray([0, 0]), 1)
    check_same(array, np.array([0, 3, 8, 3, 4, 9.0]))
    array[array > 5] = px.asarray([-1.0, -2.0])
    check_same(array, np.array([0, 3, -1, 3, 4, -2.0]))


def test_an_array_that_nobody_shares_is_not_bound(device):
    array = px.arange(6.0) * 1
    array[px.asarray([0, 2])] = -1
    array += 1
    assert array._is_pending
    check_same(array, np.array([0, 2, 0, 4, 5, 6.0]))


def test_an_assignment_is_two_kernels_and_of_a_mask_three(device):
    """One checks the indices; two find what a mask selects."""
    array, index, mask = px.zeros(1000), px.asarray(np.arange(9)), px.asarray(np.arange(1000) % 2)
    mask, value = mask.astype(bool), px.asarray(np.arange(9.0))
    for each in (array, mask):
        each._evaluate()
    before = _engine.array_statistics()["kernels"]
    array[index] = 3.0
    assert _engine.array_statistics()["kernels"] == before + 2
    before = _engine.array_statistics()["kernels"]
    array[mask] = px.arange(500.0)
    assert _engine.array_statistics()["kernels"] == before + 3
    before = _engine.array_statistics()["kernels"]
    px.add.at(array, index, px.sqrt(value) + 1)
    assert _engine.array_statistics()["kernels"] == before + 2


def test_rows_that_a_mask_selects_are_recorded(device):
    host, mask = np.arange(12.0).reshape(4, 3), np.array([True, False, True, True])
    array = px.array(host)
    array[px.asarray(mask)] = px.asarray([7.0, 8.0, 9.0])
    assert array._is_pending
    host[mask] = [7, 8, 9]
    check_same(array, host)


WRONG = [
    ([0, 3], 1), ([-4], 1), ((slice(None), np.array([2])), 1), (([0, 1], [0, 1, 2]), 1),
    ([0, 1], np.ones(4)), (np.array([True, False]), 1), (np.array([0.5]), 1),
    (np.array([True, False, True]), np.ones((3, 2, 5))), (([0], [0], [0], [0]), 1),
    (np.arange(30).reshape(3, 2, 5) > 9, np.ones(3)),
    (np.arange(30).reshape(3, 2, 5) > 9, np.ones((20, 1))),
]  # fmt: skip


@pytest.mark.parametrize("case", range(len(WRONG)))
@pytest.mark.parametrize("way", ["assign", "at"])
def test_wrong_input_is_refused_and_changes_nothing(device, case, way):
    key, value = WRONG[case]
    host, array = target("int64"), px.array(target("int64"))

    def write(library, x, key, value):
        if way == "at":
            library.add.at(x, key, value)
        else:
            x[key] = value

    _, problem = outcome(lambda: write(np, host, key, value))
    _, error = outcome(lambda: write(px, array, ours(key), ours(value)))
    if way == "at" and case == len(WRONG) - 1:
        problem = ValueError()  # NumPy broadcasts to any shape there: an accident
    assert problem is not None
    check_error(error, ValueError() if isinstance(problem, TypeError) and way == "at" else problem)
    check_same(array, target("int64"))


def test_read_only_arrays_refuse(device):
    array = px.arange(4.0)
    index, mask = px.asarray([0]), px.asarray([True, False, True, False])
    array.setflags(write=False)
    for write in (
        lambda: array.__setitem__(index, 1),
        lambda: array.__setitem__(mask, px.ones(2)),
        lambda: px.add.at(array, index, 1),
        lambda: px.put(array, index, 1),
        lambda: px.putmask(array, mask, 1),
        lambda: px.broadcast_to(px.zeros(3), (2, 3)).__setitem__(index, 1),
    ):
        with pytest.raises(ValueError, match="read-only"):
            write()
    assert array.tolist() == [0, 1, 2, 3]


BINARY = [
    "add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "bitwise_and",
    "bitwise_or", "bitwise_xor", "logical_and", "logical_or", "logical_xor", "true_divide",
    "floor_divide", "remainder", "power", "arctan2", "greater", "left_shift", "copysign", "hypot",
]  # fmt: skip
# Others give another result where two operands of one element change places.
IN_ANY_ORDER = {
    "add", "subtract", "multiply", "maximum", "minimum", "fmax", "fmin", "bitwise_and",
    "bitwise_or", "bitwise_xor", "logical_xor",
}  # fmt: skip


def check_close(actual, expected):
    """The same but for roundings of functions, and of sums in another order."""
    host = np.asarray(actual)
    assert (host.shape, host.dtype) == (expected.shape, expected.dtype)
    if expected.dtype.kind in "fc":
        np.testing.assert_allclose(host, expected, rtol=8 * np.finfo(expected.dtype).eps)
    else:
        np.testing.assert_array_equal(host, expected)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", BINARY)
@pytest.mark.parametrize("dtype", DTYPES)
def test_ufuncs_at_indices(device, name, dtype):
    if dtype[0] == "c" and name in ("power", "floor_divide", "remainder"):
        pytest.skip("NumPy's formula for complex numbers is another one, or none")
    host = (np.arange(5) % 3 + 1).astype(dtype)
    for index in (np.array([0, 1, 1, -1, 1]), np.array([2, 0, 3])):
        value = (np.arange(len(index)) % 2 + 1).astype(dtype)
        expected, array = host.copy(), px.array(host)
        _, problem = outcome(lambda e=expected, i=index, v=value: getattr(np, name).at(e, i, v))
        _, error = outcome(lambda a=array, i=index, v=value: getattr(px, name).at(
            a, ours(i), ours(v)))  # fmt: skip
        check_error(error, problem)
        is_ordered = device == "cpu" and not has_kernels_of_gpus()
        if problem is None and (is_ordered or len(index) == 3 or name in IN_ANY_ORDER):
            check_close(array, expected)


def has_kernels_of_gpus():
    import os

    return os.environ.get("PHALANX_ARRAY_KERNELS") == "gpu"


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["negative", "absolute", "invert", "logical_not", "square", "sqrt",
                                  "exp", "conjugate", "sign", "rint"])  # fmt: skip
@pytest.mark.parametrize("dtype", DTYPES)
def test_ufuncs_of_one_operand_at_indices(device, name, dtype):
    index = np.array([[0, 1], [1, -1]])
    host = (np.arange(5) % 3 + 1).astype(dtype)
    expected, array = host.copy(), px.array(host)
    _, problem = outcome(lambda: getattr(np, name).at(expected, index))
    _, error = outcome(lambda: getattr(px, name).at(array, ours(index)))
    check_error(error, problem)
    if problem is None:
        check_close(array, expected)


@pytest.mark.parametrize("name", [*KEYS, "number", "slice", "ellipsis", "two slices"])
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_ufuncs_at_every_kind_of_key(device, name, dtype):
    more = {
        "number": 1,
        "slice": slice(None, None, -1),
        "ellipsis": ...,
        "two slices": (slice(1, None), slice(0, 1)),
    }
    key = KEYS.get(name, more.get(name))
    for value in values_for(key, dtype):
        for _, given in layouts(np.arange(30).reshape(3, 2, 5).astype(dtype)):
            host, array = given.copy(order="K"), px.array(given)
            _, problem = outcome(lambda x=host, v=value: np.add.at(x, key, v))
            _, error = outcome(lambda x=array, v=value: px.add.at(x, ours(key), ours(v)))
            check_error(error, problem)
            check_same(array, host)


@pytest.mark.parametrize("value", [300, -1, 0.5, 2**40, np.float32(1.5), np.uint64(3), True, 1j])
@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "float32", "float64", "complex64"])
@pytest.mark.filterwarnings("ignore")
def test_results_are_converted_as_numpy_converts_them(device, dtype, value):
    host, array = np.ones(3, dtype), px.ones(3, dtype)
    if dtype == "uint8" and value in (-1, 1j):
        pytest.skip("what becomes of a number that the type has not depends on NumPy's build")
    np.add.at(host, [0, 2, 0], value)
    px.add.at(array, px.asarray([0, 2, 0]), value)
    check_same(array, host)


def test_extremes_of_nan_and_infinities(device):
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 1.0])
    index = np.repeat(np.arange(6), 6)
    value = np.tile(special, 6)
    for dtype in ("float16", "float32", "float64"):
        for name in ("maximum", "minimum", "fmax", "fmin"):
            host, array = special.astype(dtype), px.array(special.astype(dtype))
            getattr(np, name).at(host, index, value.astype(dtype))
            getattr(px, name).at(array, px.asarray(index), px.asarray(value.astype(dtype)))
            np.testing.assert_array_equal(np.asarray(array), host)  # zeros of either sign


def test_sums_of_many(device):
    random = np.random.default_rng(2)
    index = random.integers(0, 1000, 300_000)
    weights = random.random(300_000)
    host, array = np.zeros(1000), px.zeros(1000)
    np.add.at(host, index, weights)
    px.add.at(array, px.asarray(index), px.asarray(weights))
    if device == "cpu" and not has_kernels_of_gpus():
        check_same(array, host)  # in NumPy's order
    np.testing.assert_allclose(np.asarray(array), host, rtol=1e-12)
    counts, expected = px.zeros(1000, "int16"), np.zeros(1000, "int16")
    px.add.at(counts, px.asarray(index), 1)
    np.add.at(expected, index, 1)
    check_same(counts, expected)


def test_what_has_no_loop_or_no_operand_is_refused(device):
    array = px.arange(3.0)
    index = px.asarray([0])
    for call, kind in (
        (lambda: px.bitwise_and.at(array, index, 1), TypeError),
        (lambda: px.add.at(array, index), ValueError),
        (lambda: px.negative.at(array, index, 1), ValueError),
        (lambda: px.divmod.at(array, index, 1), ValueError),
        (lambda: px.modf.at(array, index), ValueError),
        (lambda: px.add.at([1.0], index, 1), TypeError),
    ):
        with pytest.raises(kind):
            call()
    assert array.tolist() == [0, 1, 2]


def test_times(device):
    host = np.array(["2020-01-01", "NaT", "2021-05-05"], "M8[D]")
    array = px.array(host)
    index, value = np.array([2, 0, 2]), np.array(["1999-01-01", "2000-02-02", "NaT"], "M8[D]")
    host[index] = value
    array[px.asarray(index)] = px.array(value)
    check_same(array.astype("int64"), host.astype("int64"))
    np.add.at(host, index, np.timedelta64(1, "D"))
    px.add.at(array, px.asarray(index), np.timedelta64(1, "D"))
    check_same(array.astype("int64"), host.astype("int64"))


X = np.arange(12.0).reshape(3, 4)
CALLS = [
    ("put", X, ([0, 5, 5, -1], [7, 8])), ("put", X, ([0, 99], 1)), ("put", X, ([1], [])),
    ("put", X, ([0, 99, -99], [1, 2], "wrap")), ("put", X, ([0, 99, -99], [1, 2], "clip")),
    ("put", X, ([0, 1], [1, 2, 3])), ("put", X, ([], 5)), ("put", X, ([[0, 2], [2, 0]], [1, 2])),
    ("put", X.T, ([0, 5, 5, -1], [7, 8])),
    ("put", X.astype(np.uint8), ([0, 1], -1)),
    ("put", X.astype(np.uint8), ([0, 1], 1j)),
    ("put_along_axis", X.astype(np.uint8), (np.array([[1]]), 300, 1)),
    ("put_along_axis", X, (np.argsort(-X, 0), X * 2, 0)),
    ("put_along_axis", X, (np.array([[1], [0], [1]]), 5, 1)),
    ("put_along_axis", X, (np.array([[1, 1, 2, 2]]), np.array([[9.0], [8.0]])[:1], 0)),
    ("put_along_axis", X, (np.array([[7]]), 5, 1)), ("put_along_axis", X, (np.array([0]), 5, 1)),
    ("place", X, (X > 3, [1, 2, 3])), ("place", X, (X > 99, [1])), ("place", X, (X > 3, 5)),
    ("place", X, (X > 3, [])), ("place", X, (X.ravel() > 3, [1, 2])), ("place", X, (X, [1j])),
    ("place", X.T, (X.T > 3, [1, 2, 3])),
    ("putmask", X, (X > 3, [1, 2, 3])), ("putmask", X, (X > 3, X * 2)), ("putmask", X, (X > 3, 5)),
    ("putmask", X, (X.ravel() > 3, 5)), ("putmask", X, (X > 3, [])), ("putmask", X, (X, [1j])),
    ("putmask", X.T, (X.T > 3, [1, 2, 3])), ("putmask", X.astype(int), (X > 3, [1.5])),
    ("putmask", X, (X, [1, 2])),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(CALLS)), ids=lambda i: f"{i}-{CALLS[i][0]}")
def test_functions_write_what_numpys_do(device, case):
    name, given, args = CALLS[case]
    host, array = given.copy(order="K"), px.array(given)
    _, problem = outcome(lambda: getattr(np, name)(host, *args))
    _, error = outcome(lambda: getattr(px, name)(array, *map(ours, args)))
    check_error(error, problem)
    check_same(array, host if problem is None else given)


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int64", "uint32", "uint64"])
@pytest.mark.parametrize("weights", [None, "float32", "float64", "int16", "bool"])
@pytest.mark.parametrize("minlength", [0, 3, 200])
def test_counts(device, dtype, weights, minlength):
    random = np.random.default_rng(4)
    for given in (random.integers(0, 100, 5000).astype(dtype), np.array([0, 1, 1], dtype)):
        host = given[::-1]
        weight = None if weights is None else random.integers(0, 9, len(host)).astype(weights)
        expected = np.bincount(host, weight, minlength)
        made = px.bincount(
            px.asarray(host), None if weight is None else px.asarray(weight), minlength
        )
        check_same(made, expected)


COUNTS = [
    ([-1],), ([],), ([], None, 4), ([[1]],), ([1.5],), ([1], [1, 2]), ([1], None, -1),
    ([1], [1j]), ([1], None, "a"), ([1], None, 2.5), ([True],),
]  # fmt: skip


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("case", range(len(COUNTS)))
def test_counts_of_unusual_input(device, case):
    args = COUNTS[case]
    expected, problem = outcome(lambda: np.bincount(*args))
    actual, error = outcome(lambda: px.bincount(*args))
    check_error(error, problem)
    if problem is None:
        check_same(actual, expected)


@pytest.mark.parametrize("shape", [(2, 2, 3), (2,), (1, 3)])
def test_at_refuses_operands_that_do_not_go_into_an_empty_selection(device, shape):
    x = px.asarray(np.arange(7).reshape(1, 7))
    with pytest.raises(ValueError, match="broadcast"):  # NumPy 2.4 ends the process
        px.bitwise_or.at(x, np.s_[2:1, -1], px.ones(shape, dtype=int))
    px.bitwise_or.at(x, np.s_[2:1, -1], px.ones((1,), dtype=int))
    assert x.tolist() == [list(range(7))]
