"""Gufuncs on the host have NumPy's interface: against `np.matmul` and written-out loops."""

import itertools
import pickle

import numpy as np
import pytest

import phalanx

TARGETS = ["cpu", "parallel"]
PRODUCT = ["void(int64[:,:], int64[:,:], int64[:,:])",
           "void(float64[:,:], float64[:,:], float64[:,:])",
           "void(complex128[:,:], complex128[:,:], complex128[:,:])"]  # fmt: skip


def _product(a, b, out):
    m, n = a.shape
    n, p = b.shape
    for i in range(m):
        for j in range(p):
            out[i, j] = 0
            for k in range(n):
                out[i, j] += a[i, k] * b[k, j]


PRODUCTS = {
    target: phalanx.guvectorize(PRODUCT, "(m,n),(n,p)->(m,p)", target=target)(_product)
    for target in TARGETS
}


@pytest.fixture(params=TARGETS)
def product(request):
    return PRODUCTS[request.param]


def _sample(dtype, shape, seed=1):
    return np.random.default_rng(seed).integers(0, 5, shape).astype(dtype)


LAYOUTS = {
    "C": lambda a: a,
    "F": np.asfortranarray,
    "reversed": lambda a: a[..., ::-1, ::-1],
    "every second": lambda a: np.repeat(a, 2, axis=-1)[..., ::2],
    "transposed": lambda a: np.ascontiguousarray(a.swapaxes(-1, -2)).swapaxes(-1, -2),
    "swapped bytes": lambda a: a.astype(a.dtype.newbyteorder()),
    "stack last": lambda a: np.moveaxis(np.ascontiguousarray(np.moveaxis(a, 0, -1)), -1, 0),
}
STACKS = [((), ()), ((7,), (7,)), ((7,), ()), ((3, 1), (4,)), ((2, 3), (2, 3)), ((0,), (1,)),
          ((20_000,), (1,))]  # fmt: skip


@pytest.mark.parametrize("stacks", STACKS)
@pytest.mark.parametrize(("first", "second"), list(itertools.product(LAYOUTS, repeat=2)))
def test_stacks_and_layouts(product, stacks, first, second):
    a = LAYOUTS[first](_sample("float64", (*stacks[0], 2, 4)))
    b = LAYOUTS[second](_sample("float64", (*stacks[1], 4, 3), 2))
    np.testing.assert_array_equal(product(a, b), a @ b)


@pytest.mark.parametrize(
    "dtypes", list(itertools.product(["int8", "int64", "float32", "float64"], repeat=2))
)
def test_inputs_are_cast_as_numpy_casts_them(product, dtypes):
    a, b = _sample(dtypes[0], (3, 2, 4)), _sample(dtypes[1], (4, 3), 2)
    wanted = np.int64 if set(dtypes) <= {"int8", "int64"} else np.float64
    actual = product(a, b)
    assert actual.dtype == wanted
    np.testing.assert_array_equal(actual, a @ b)


def _outcome(call):
    try:
        return call()
    except (TypeError, ValueError) as error:
        return type(error)


OPTIONS = {
    "out": lambda: {"out": np.zeros((5, 2, 3))},
    "out in a tuple": lambda: {"out": (np.zeros((5, 2, 3)),)},
    "narrow out": lambda: {"out": np.zeros((5, 2, 3), np.float32)},
    "strided out": lambda: {"out": np.zeros((5, 2, 3, 2))[..., 0]},
    "out of another shape": lambda: {"out": np.zeros((5, 3, 2))},
    "out of whole numbers": lambda: {"out": np.zeros((5, 2, 3), np.int64)},
    "axes": lambda: {"axes": [(-2, -1), (-2, -1), (0, 1)]},
    "axes that do not fit": lambda: {"axes": [(0, 1), (-2, -1)]},
    "axis": lambda: {"axis": 0},
    "dtype": lambda: {"dtype": np.complex128},
    "signature": lambda: {"signature": "DD->D"},
    "casting": lambda: {"casting": "no"},
    "order": lambda: {"order": "F"},
    "where": lambda: {"where": True},
    "nonsense": lambda: {"nonsense": 1},
}


@pytest.mark.parametrize("name", OPTIONS)
def test_options(product, name):
    a, b = _sample("float64", (5, 2, 4)), _sample("float64", (4, 3), 2)
    actual = _outcome(lambda: product(a, b, **OPTIONS[name]()))
    expected = _outcome(lambda: np.matmul(a, b, **OPTIONS[name]()))
    if isinstance(expected, type):
        assert actual is expected
        return
    assert actual.dtype == expected.dtype
    assert actual.strides == expected.strides
    np.testing.assert_array_equal(actual, expected)


@phalanx.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
def row_sum(a, out):
    out[0] = 0
    for i in range(a.shape[0]):
        out[0] += a[i]


def test_axis_and_keepdims():
    x = _sample("float64", (3, 4, 5))
    for axis in (0, 1, -1):
        for keepdims in (False, True):
            np.testing.assert_array_equal(
                row_sum(x, axis=axis, keepdims=keepdims), x.sum(axis=axis, keepdims=keepdims)
            )
    assert row_sum(x[0, 0]) == x[0, 0].sum()
    assert isinstance(row_sum(x[0, 0]), np.float64)


def test_outputs_that_overlap_inputs(product):
    for shape in ((3, 3), (1000, 3, 3), (4, 100, 5, 5)):
        for made in (np.array, np.asfortranarray, lambda a: a[::-1].swapaxes(-1, -2)):
            a = made(_sample("float64", shape))
            expected, square = a @ a, a @ a @ a
            assert product(a, a, out=a) is a
            np.testing.assert_array_equal(a, expected)
            np.testing.assert_array_equal(product(a, made(_sample("float64", shape)), a), square)
    x = np.arange(12.0).reshape(3, 4)
    row_sum(x, out=x[:, 0])
    np.testing.assert_array_equal(x[:, 0], np.arange(12.0).reshape(3, 4).sum(axis=1))


def test_dimensions_may_be_numbers_or_be_left_out():
    @phalanx.guvectorize(["void(float64[:], float64[:], float64[:])"], "(3),(3)->(3)")
    def cross(a, b, out):
        out[0] = a[1] * b[2] - a[2] * b[1]
        out[1] = a[2] * b[0] - a[0] * b[2]
        out[2] = a[0] * b[1] - a[1] * b[0]

    a, b = _sample("float64", (6, 3)), _sample("float64", 3, 2)
    np.testing.assert_array_equal(cross(a, b), np.cross(a, b))
    with pytest.raises(ValueError, match="core dimension"):
        cross(a[:, :2], b)

    @phalanx.guvectorize(["void(float64[:], int64[:])"], "(n)->(2)")
    def span(a, out):
        out[0] = int(a.min())
        out[1] = int(a.max())

    np.testing.assert_array_equal(span(np.array([[3.0, 1], [7, 9]])), [[1, 3], [7, 9]])

    @phalanx.guvectorize(
        ["void(float64[:,:], float64[:,:], float64[:,:])"], "(m?,n),(n,p?)->(m?,p?)"
    )
    def product(a, b, out):
        _plain_product(a, b, out)

    m, v = _sample("float64", (2, 4)), _sample("float64", 4, 2)
    np.testing.assert_array_equal(product(m, v), m @ v)
    np.testing.assert_array_equal(product(v, v), v @ v)
    np.testing.assert_array_equal(product(m, m.T), m @ m.T)


_plain_product = phalanx.njit(_product)


def test_several_outputs():
    @phalanx.guvectorize(["void(float64[:], float64[:], int32[:], float64[:])"], "(n)->(n),(),()")
    def parts(a, double, count, last):
        for i in range(a.shape[0]):
            double[i] = 2 * a[i]
        count[0] = a.shape[0]
        last[0] = a[-1]

    x = _sample("float64", (3, 4))
    double, count, last = parts(x)
    np.testing.assert_array_equal(double, 2 * x)
    assert count.tolist() == [4, 4, 4]
    assert count.dtype == np.int32
    np.testing.assert_array_equal(last, x[:, -1])
    out = np.zeros(3)
    assert parts(x, out=(None, None, out))[2] is out
    assert (parts.nin, parts.nout, parts.nargs, parts.ntypes) == (1, 3, 4, 1)
    assert parts.types == ["d->did"]


@pytest.mark.parametrize("target", TARGETS)
def test_layouts_without_an_arrow_write_to_their_arguments(target):
    @phalanx.guvectorize(["void(float64[:], float64[:])"], "(n),(n)", target=target)
    def double(a, b):
        for i in range(a.shape[0]):
            b[i] = 2 * a[i]

    assert (double.nin, double.nout) == (2, 0)
    for out in (np.zeros((4, 3)), np.zeros((4, 6))[:, ::2], np.zeros((3, 4)).T):
        assert double(np.arange(3.0), out) == ()
        np.testing.assert_array_equal(out, np.broadcast_to([0, 2, 4], (4, 3)))
    with pytest.raises(TypeError, match=r"argument 2, which is an array of float32.*writable_args"):
        double(np.ones(3), np.zeros(3, np.float32))


def test_written_arguments_are_named():
    @phalanx.guvectorize(["void(float64[:], float64[:])"], "(n),()", writable_args=("total",))
    def add_up(a, total):
        for i in range(a.shape[0]):
            total[0] += a[i]

    totals = np.zeros(3)
    add_up(np.ones((3, 4), np.int32), totals)
    np.testing.assert_array_equal(totals, [4, 4, 4])
    whole = np.zeros(1)
    for _ in range(2):
        add_up(np.ones((3, 4)), whole)
    assert whole[0] == 24
    with pytest.raises(TypeError, match="argument 2"):
        add_up(np.ones(4), np.zeros((), np.int32))
    with pytest.raises(ValueError, match="no parameter 'nobody'"):
        phalanx.guvectorize(["void(f8[:])"], "(n)", writable_args=("nobody",))(lambda a: None)
    with pytest.raises(ValueError, match="target='cpu'"):
        phalanx.guvectorize(["void(f8[:])"], "(n)", target="cuda")(lambda a: None)


def test_without_signatures_a_loop_is_made_for_the_arguments():
    @phalanx.guvectorize("(n),()->(n)")
    def scaled(a, factor, out):
        for i in range(a.shape[0]):
            out[i] = a[i] * factor

    for dtype in ("int16", "float32", "complex128"):
        x, out = _sample(dtype, (3, 4)), np.zeros((3, 4), dtype)
        scaled(x, 2, out)
        np.testing.assert_array_equal(out, 2 * x)
        scaled(x, x[:, 0], out=out)
        np.testing.assert_array_equal(out, x * x[:, :1])
    with pytest.raises(TypeError, match="outputs must be given"):
        scaled(np.ones(3), 2)


def test_what_the_function_raises_is_raised():
    @phalanx.guvectorize(["void(float64[:], float64[:])"], "(n)->()")
    def first(a, out):
        if a.shape[0] == 0:
            raise IndexError("nothing")
        out[0] = a[0]

    with pytest.raises(IndexError, match="nothing"):
        first(np.zeros((3, 0)))
    np.testing.assert_array_equal(first(np.ones((3, 2))), [1, 1, 1])


@pytest.mark.parametrize("factor", [2.0, np.arange(4.0)])
@pytest.mark.parametrize("shape", [(3,), (4, 3), (2, 4, 3)])
def test_functions_call_them(factor, shape):
    @phalanx.guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),()->(n)")
    def scaled(a, factor, out):
        for i in range(a.shape[0]):
            out[i] = a[i] * factor[0]

    @phalanx.njit
    def use(a, factor, out):
        scaled(a, factor, out)
        return out

    x = _sample("float64", shape)
    expected = scaled(x, factor)
    np.testing.assert_array_equal(use(x, factor, np.zeros(expected.shape)), expected)
    if expected.ndim > 1:
        with pytest.raises(ValueError, match="broadcast"):
            use(x, np.ones(5), np.zeros(expected.shape))
    with pytest.raises(phalanx.CompileError):
        use(x, np.ones((2, 2, 2, 2)), np.zeros(expected.shape))


@phalanx.guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),(n)->()")
def _inner(a, b, out):
    out[0] = 0
    for i in range(a.shape[0]):
        out[0] += a[i] * b[i]


@phalanx.guvectorize(["void(float64[:], float64[:])"], "(n)->(n)")
def _turned(a, out):
    for i in range(a.shape[0]):
        out[i] = a[a.shape[0] - 1 - i]


@phalanx.njit
def _call_inner(a, b, out):
    _inner(a, b, out)


@phalanx.njit
def _call_turned(a, out):
    _turned(a, out)


@pytest.mark.parametrize(("first", "second", "out"), [
    ((0, 3), (1, 3), (0,)), ((1, 3), (0, 3), (0,)), ((0, 3), (3,), (0,)),
    ((2, 0, 3), (1, 1, 3), (2, 0)), ((4, 0), (4, 0), (4,)),
])  # fmt: skip
def test_functions_call_them_with_nothing(first, second, out):
    result = np.full(out, 7.0)
    _call_inner(np.ones(first), np.ones(second), result)
    np.testing.assert_array_equal(result, _inner(np.ones(first), np.ones(second)))


@pytest.mark.parametrize(("first", "second", "out"), [
    ((0, 3), (2, 3), (0,)), ((0, 3), (2, 3), (2,)), ((0, 3), (0, 3), (1,)), ((2, 3), (2, 3), (1,)),
])  # fmt: skip
def test_functions_refuse_stacks_that_do_not_fit(first, second, out):
    with pytest.raises(ValueError, match="broadcast"):
        _inner(np.ones(first), np.ones(second), out=np.ones(out))
    with pytest.raises(ValueError, match="broadcast"):
        _call_inner(np.ones(first), np.ones(second), np.ones(out))


def test_functions_check_the_extents_of_items():
    message = (
        r"_inner: Input operand 1 has a mismatch in its core dimension 0, "
        r"with gufunc signature \(n\),\(n\)->\(\)"
    )
    for a, b in [((5,), (3,)), ((2, 3), (2, 5)), ((4,), (1,))]:
        for call in (_inner, _call_inner):
            with pytest.raises(ValueError, match=message):
                call(np.ones(a), np.ones(b), np.ones(a[:-1]))
    message = "_turned: Output operand 0 has a mismatch in its core dimension 0"
    for call in (_turned, _call_turned):
        with pytest.raises(ValueError, match=message):
            call(np.ones(5), np.ones(4))


def test_functions_check_extents_that_the_layout_fixes():
    @phalanx.guvectorize(["void(float64[:], float64[:])"], "(3)->()")
    def last(a, out):
        out[0] = a[2]

    @phalanx.njit
    def use(a, out):
        last(a, out)
        return out

    np.testing.assert_array_equal(use(np.arange(6.0).reshape(2, 3), np.zeros(2)), [2, 5])
    with pytest.raises(ValueError, match="Input operand 0 has a mismatch in its core dimension 0"):
        use(np.ones((2, 2)), np.zeros(2))


@pytest.mark.parametrize("views", [
    lambda a: (a, a),
    lambda a: (a[:-1], a[1:]),
    lambda a: (a[1:], a[:-1]),
    lambda a: (a, a[:, ::-1]),
    lambda a: (a[0], a),
])  # fmt: skip
def test_functions_read_all_before_they_write(views):
    expected, ours = np.arange(12.0).reshape(4, 3), np.arange(12.0).reshape(4, 3)
    source, target = views(expected)
    target[...] = source.copy()[..., ::-1]
    _call_turned(*views(ours))
    np.testing.assert_array_equal(ours, expected)


def test_they_pickle():
    again = pickle.loads(pickle.dumps(row_sum))
    np.testing.assert_array_equal(again(np.ones((2, 3))), [3, 3])
