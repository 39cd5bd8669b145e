"""GPUArrays: operators, reductions, orders of memory and views, beside NumPy's."""

import operator

import numpy as np
import pytest
from phalanx.compat.pycuda import gpuarray

DTYPES = ["int32", "uint8", "int64", "float32", "float64", "complex64", "complex128"]
ORDERS = ["C", "F"]
SHAPE = (3, 5)

pytestmark = pytest.mark.usefixtures("device")


def sample(dtype, order="C", seed=0):
    rng = np.random.default_rng(seed)
    kind = np.dtype(dtype).kind
    values = rng.integers(1, 9, SHAPE) if kind in "iu" else rng.random(SHAPE) + 0.5
    if kind == "c":
        values = values + 1j * rng.random(SHAPE)
    return np.array(values.astype(dtype), order=order)


def divided(first, second):
    """As C divides: integers are cut off."""
    dtype = np.result_type(first, second)
    return np.trunc(first / second).astype(dtype) if dtype.kind in "iu" else first / second


OPERATIONS = {
    "add": operator.add, "sub": operator.sub, "mul": operator.mul, "pow": operator.pow,
    "truediv": operator.truediv,
}  # fmt: skip
EXPECTED = {**OPERATIONS, "truediv": divided}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_operators_give_numpys_elements_and_dtypes(name, dtype, order):
    a = sample(dtype, order)
    x = gpuarray.to_gpu(a)
    operation, expected = OPERATIONS[name], EXPECTED[name]
    others = [sample(each, order, seed=1) for each in DTYPES]
    if name == "pow":  # of integers other than by NumPy's, which are of their own size
        others = [each for each in others if each.dtype.kind in "fc" or each.dtype == a.dtype]
    for b in others:
        _check(operation(x, gpuarray.to_gpu(b)), expected(a, b), order)
    for number in [2, np.float32(2), 2.5, *([1 + 2j] if np.dtype(dtype).kind == "c" else [])]:
        _check(operation(x, number), expected(a, number), order)
        _check(operation(number, x), expected(number, a), order)


def _check(actual, expected, order):
    assert isinstance(actual, gpuarray.GPUArray)
    assert actual.dtype == expected.dtype
    assert actual.flags.f_contiguous == (order == "F")
    tolerance = 2e-5 if expected.dtype in ("float32", "complex64") else 1e-12
    np.testing.assert_allclose(actual.get(), expected, rtol=tolerance)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", OPERATIONS)
def test_operators_in_place_keep_dtype_address_and_order(name, dtype, order):
    a, b = sample(dtype, order), sample(dtype, seed=1)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    address = x.ptr
    in_place = getattr(operator, f"i{name}")
    expected = EXPECTED[name](a, b).astype(dtype)
    x = in_place(x, y)
    assert (x.ptr, x.dtype, x.strides) == (address, a.dtype, a.strides)
    np.testing.assert_allclose(x.get(), expected, rtol=2e-5)


COMPARISONS = ["eq", "ne", "lt", "le", "gt", "ge"]


@pytest.mark.parametrize("dtype", DTYPES[:5])
@pytest.mark.parametrize("name", COMPARISONS)
def test_comparisons_give_numbers(name, dtype):
    a, b = sample(dtype), sample("float32", seed=1)
    compare = getattr(operator, name)
    between = compare(gpuarray.to_gpu(a), gpuarray.to_gpu(b))
    assert between.dtype == np.result_type(a, b)
    assert (between.get() == compare(a, b)).all()
    with_number = compare(gpuarray.to_gpu(a), a[1, 1].item())
    assert with_number.dtype == a.dtype
    assert (with_number.get() == compare(a, a[1, 1])).all()


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_unary_operations(dtype, order):
    a = sample(dtype, order)
    x = gpuarray.to_gpu(a)
    for actual, expected in [
        (-x, -a), (abs(x), abs(a)), (x.real, a.real), (x.imag, a.imag), (x.conj(), a.conj()),
        (x.copy(), a), (x.astype("complex128"), a.astype("complex128")),
    ]:  # fmt: skip
        _check(actual, expected, order)
    assert x.any().get() == a.any()
    assert x.all().get() == a.all()
    assert +x is x


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("dtype", DTYPES)
def test_reductions_keep_the_dtype(dtype, order):
    a, b = sample(dtype, order), sample(dtype, order, seed=1)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    at = np.array([0, 7, 7, 12], np.int32)
    where = gpuarray.to_gpu(at)
    flat, other = a.ravel(order), b.ravel(order)
    rows = [
        (gpuarray.sum(x), a.sum(dtype=dtype)),
        (gpuarray.dot(x, y), (a * b).sum(dtype=dtype)),
        (gpuarray.subset_sum(where, x), flat[at].sum(dtype=dtype)),
        (gpuarray.subset_dot(where, x, y), (flat[at] * other[at]).sum(dtype=dtype)),
        (gpuarray.sum(x, dtype="complex128"), a.sum(dtype="complex128")),
    ]
    if np.dtype(dtype).kind != "c":
        rows += [(gpuarray.min(x), a.min()), (gpuarray.max(x), a.max())]
        rows += [(gpuarray.subset_min(where, x), flat[at].min())]
        rows += [(gpuarray.subset_max(where, x), flat[at].max())]
    for actual, expected in rows:
        assert (actual.shape, actual.dtype) == ((), expected.dtype)
        np.testing.assert_allclose(actual.get(), expected, rtol=1e-5)


def test_extremes_pass_over_nan():
    x = gpuarray.to_gpu(np.array([np.nan, 2.0, 1.0]))
    assert gpuarray.min(x).get() == 1
    assert gpuarray.max(x).get() == 2
    assert gpuarray.maximum(x, 1.5).get().tolist() == [1.5, 2.0, 1.5]
    assert gpuarray.max(gpuarray.zeros(0)).get() == -np.inf
    with pytest.raises(TypeError, match="unsupported dtype"):
        gpuarray.max(gpuarray.zeros(3, "complex64"))


def test_integers_are_divided_and_raised_as_in_c():
    x = gpuarray.to_gpu(np.array([-7, 7, -1, 0, 1], np.int32))
    assert (x / 2).get().tolist() == [-3, 3, 0, 0, 0]
    assert (x / 2).dtype == np.int32
    assert (x**-1).get().tolist()[2:] == [-1, 0, 1]
    assert (x / 2.0).dtype == np.float64


CHOSEN = {
    "if_positive": lambda c, t, e: np.where(c > 0, t, e),
    "where": lambda c, t, e: np.where(c, t, e),
}


@pytest.mark.parametrize("name", CHOSEN)
@pytest.mark.parametrize("dtype", DTYPES)
def test_elements_are_chosen_by_a_criterion(name, dtype):
    c, then_, else_ = np.arange(-7, 8).reshape(SHAPE), sample(dtype), sample(dtype, seed=1)
    given = [gpuarray.to_gpu(each) for each in (c, then_, else_)]
    out = gpuarray.empty_like(given[1])
    assert getattr(gpuarray, name)(*given, out=out) is out
    for actual in (getattr(gpuarray, name)(*given), out):
        assert (actual.get() == CHOSEN[name](c, then_, else_)).all()


@pytest.mark.parametrize("name", ["logical_and", "logical_or", "logical_not"])
def test_logical_functions_give_bools(name):
    a, b = np.array([0, 1, 0, 2]), np.array([0.0, 0.0, 3.0, 3.0])
    function, count = getattr(np, name), 1 if name == "logical_not" else 2
    for operands in [(a, b), (b, a), (a, 0), (a, 2.0), (0, 3)]:
        given = [gpuarray.to_gpu(x) if isinstance(x, np.ndarray) else x for x in operands[:count]]
        actual = getattr(gpuarray, name)(*given)
        assert actual.dtype == np.bool_
        assert (actual.get() == function(*operands[:count])).all()
    out = gpuarray.empty(4, np.bool_)
    x = gpuarray.to_gpu(a)
    assert getattr(gpuarray, name)(*[x] * count, out=out) is out


INDICES = [
    1, -1, np.int64(2), slice(None), slice(1, None), slice(None, None, 2), slice(None, None, -1),
    (1, 2), (1, slice(1, 4)), (slice(0, 2), -1), Ellipsis, (Ellipsis, 0), (None, 1), (0, None),
    (slice(1, 1), 0), (slice(None), slice(None, None, 3)),
]  # fmt: skip


@pytest.mark.parametrize("kind", [*DTYPES, gpuarray.vec.float3], ids=str)
@pytest.mark.parametrize("order", ORDERS)
def test_indices_give_views(kind, order):
    if kind == gpuarray.vec.float3:
        a = np.zeros(SHAPE, kind, order)
        a["x"] = sample("float32")
    else:
        a = sample(kind, order)
    for index in INDICES:
        x = gpuarray.to_gpu(a)
        part = x[index]
        assert (part.shape, part.dtype) == (a[index].shape, a.dtype)
        np.testing.assert_array_equal(part.get(), a[index])
        if part.size:
            part.fill(a[0, 0])
            changed = a.copy(order="K")
            changed[index] = a[0, 0]
            np.testing.assert_array_equal(x.get(), changed)
            x[index] = a[index]
            np.testing.assert_array_equal(x.get(), a)
            x[index] = gpuarray.to_gpu(np.array(a[index]))
            np.testing.assert_array_equal(x.get(), a)


def test_wrong_indices_and_values_are_refused():
    x = gpuarray.zeros(SHAPE)
    for index in [3, (0, 5), (0, 0, 0), (..., ...), "x", [0, 1]]:
        with pytest.raises(IndexError):
            x[index]
    with pytest.raises(ValueError, match="same shape"):
        x[0] = np.zeros(4)
    with pytest.raises(TypeError, match="same dtype"):
        x[0] = np.zeros(5, np.float32)
    with pytest.raises(TypeError):
        x + np.zeros(SHAPE)
    assert [row.shape for row in x] == [(5,)] * 3


@pytest.mark.parametrize("order", ORDERS)
def test_shapes_show_the_same_memory(order):
    a = sample("float32", order)
    x = gpuarray.to_gpu(a)
    memory = a.ravel(order)
    assert (x.ravel().get() == memory).all()
    for shape in [(5, 3), (15,), (5, -1, 3)]:
        for wanted in ORDERS:
            made = x.reshape(shape, order=wanted)
            assert (made.get() == memory.reshape(shape, order=wanted)).all()
            assert made.ptr == x.ptr
    assert (x.T.get() == a.T).all()
    assert x.T.strides == a.T.strides
    assert (x.transpose((0, 1)).get() == a).all()
    assert (x.reverse().get() == memory[::-1].reshape(SHAPE, order=order)).all()
    assert x.reverse().strides == a.strides
    assert x.view("int32").get().tolist() == a.view("int32").tolist()
    assert x.reshape(15).view("uint8").shape == (60,)
    with pytest.raises(ValueError, match="not compatible"):
        x.view("complex128")
    with pytest.raises(RuntimeError, match="contiguous"):
        x[::2, ::2].reshape(6)


def test_squeezed_arrays_share_memory():
    x = gpuarray.zeros((1, 4, 1))
    x.squeeze()[1] = 5.0
    assert x.get().tolist() == [[[0], [5], [0], [0]]]


@pytest.mark.parametrize("order", ["C", "F", "A", "K"])
@pytest.mark.parametrize("name", ["empty_like", "zeros_like", "ones_like"])
def test_arrays_like_others_have_their_order(name, order):
    cube = np.arange(24.0).reshape(2, 3, 4)
    for a in (cube, np.asfortranarray(cube), cube.transpose(1, 0, 2), cube.transpose(1, 2, 0)):
        x = gpuarray.to_gpu(a)
        assert x.strides == a.strides
        for dtype in (None, "complex64"):
            expected = getattr(np, name)(a, dtype, order)
            actual = getattr(gpuarray, name)(x, dtype, order)
            assert (actual.dtype, actual.strides) == (expected.dtype, expected.strides)
            if name != "empty_like":
                assert (actual.get() == expected).all()


def test_joins_are_numpys():
    a, b = sample("float32"), sample("int32", seed=1)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    for axis in (0, 1):
        actual = gpuarray.concatenate([x, y], axis)
        expected = np.concatenate([a, b], axis)
        assert actual.dtype == expected.dtype
        assert (actual.get() == expected).all()
    for axis in (0, 1, 2, -1):
        actual = gpuarray.stack([x, y], axis)
        assert (actual.get() == np.stack([a, b], axis)).all()
        assert actual.flags.c_contiguous == (axis == 0)


def test_ranges():
    for args in [(5,), (2, 9), (0.5, 4, 0.75), (9, 1, -2), (3, 3)]:
        for dtype in ("float32", "float64", *(["int32"] if 0.5 not in args else [])):
            actual = gpuarray.arange(*args, dtype=dtype)
            expected = np.arange(*args, dtype=dtype)
            assert (actual.shape, actual.dtype) == (expected.shape, dtype)
            np.testing.assert_allclose(actual.get(), expected)
    assert gpuarray.arange(4, np.dtype("uint8")).dtype == np.uint8
    with pytest.warns(UserWarning, match="guessed dtype"):
        assert gpuarray.arange(3).dtype == np.int64
    with pytest.raises(ValueError, match="stop"):
        gpuarray.arange()


def test_elements_are_taken_and_put_at_indices():
    a = np.arange(10, dtype=np.float32)
    x, at = gpuarray.to_gpu(a), np.array([7, 0, 3], np.uint32)
    where = gpuarray.to_gpu(at)
    assert (gpuarray.take(x, where).get() == a[at]).all()
    first, second = gpuarray.multi_take([x, x + 1], where)
    assert (second.get() == first.get() + 1).all()
    out = [gpuarray.zeros(8, np.float32)]
    assert gpuarray.multi_put([x[1:4]], where, out=out)[0] is out[0]
    assert out[0].get().tolist() == [2, 0, 0, 3, 0, 0, 0, 1]
    to = gpuarray.to_gpu(np.array([2, 1, 0], np.uint32))
    (made,) = gpuarray.multi_take_put([x], to, where, (3,), src_offsets=[2])
    assert made.get().tolist() == [5, 2, 9]


def test_several_factors_in_one_pass():
    a, b = sample("float32"), sample("float64", seed=1)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    timed = []
    made = x.mul_add(2, y, 3, add_timer=lambda count, seconds: timed.append((count, seconds())))
    np.testing.assert_allclose(made.get(), 2 * a + 3 * b)
    assert made.dtype == np.float64
    assert timed[0][0] == 3 * a.size
    assert timed[0][1] >= 0
    out = gpuarray.empty_like(x)
    assert x.mul_add(1, y, -1, out=out) is out
    np.testing.assert_allclose(out.get(), a - b, rtol=1e-5, atol=1e-6)
