"""CPU functions: phalanx.jit, against Python, NumPy and Numba."""

import collections
import gc
import math
import pickle
import warnings

import numpy as np
import pytest
from from_text import function_with
from hypothesis import given, settings
from hypothesis import strategies as st

import phalanx
from phalanx import jit, njit, prange

numba = pytest.importorskip("numba")

Point = collections.namedtuple("Point", "x y")


class Sour(Exception):
    pass


@njit
def fibonacci(n):
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


@njit
def product(a, b):
    rows, inner = a.shape
    columns = b.shape[1]
    c = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return c


@njit
def quicksort(a, low, high):
    if low >= high:
        return
    pivot = a[(low + high) // 2]
    i = low
    j = high
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    quicksort(a, low, j)
    quicksort(a, i, high)


@njit
def moving_average(a, width):
    out = np.empty(len(a) - width + 1)
    total = 0.0
    for i in range(width):
        total += a[i]
    out[0] = total / width
    for i in range(width, len(a)):
        total += a[i] - a[i - width]
        out[i - width + 1] = total / width
    return out


@njit
def mandelbrot(width, height, limit):
    counts = np.zeros((height, width), np.int32)
    for row in range(height):
        for column in range(width):
            c = complex(3.0 * column / width - 2.0, 2.0 * row / height - 1.0)
            z = 0j
            for i in range(limit):
                if z.real * z.real + z.imag * z.imag > 4.0:
                    break
                z = z * z + c
                counts[row, column] = i
    return counts


def test_scalars_come_back_as_python_numbers():
    @jit
    def numbers(x):
        return x + 1, x / 2, x > 1, np.float32(x), np.complex64(x), np.uint8(x)

    result = numbers(3)
    assert result == (4, 1.5, True, 3.0, 3 + 0j, 3)
    assert [type(each) for each in result] == [int, float, bool, float, complex, int]


def test_recursion_and_helpers():
    assert fibonacci(20) == 6765
    values = np.random.default_rng(0).random(1000)
    expected = np.sort(values)
    assert quicksort(values, 0, len(values) - 1) is None
    np.testing.assert_array_equal(values, expected)


def test_matrix_product():
    a = np.random.default_rng(1).random((17, 9))
    b = np.random.default_rng(2).random((9, 23))
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-13)
    np.testing.assert_allclose(product(a, b.T.copy().T), a @ b, rtol=1e-13)


def test_moving_average():
    a = np.random.default_rng(3).random(500)
    np.testing.assert_allclose(moving_average(a, 7), np.convolve(a, np.ones(7) / 7, "valid"))


def test_mandelbrot_equals_numba():
    expected = numba.njit(mandelbrot.py_func)(60, 40, 50)
    np.testing.assert_array_equal(mandelbrot(60, 40, 50), expected)


def test_keyword_default_and_rest_arguments():
    @njit
    def mix(a, b=10, *rest):
        return a * 100 + b, len(rest)

    @njit
    def plain(a, b=10):
        return a * 100 + b

    assert mix(1) == (110, 0)
    assert mix(1, 2, 3, 4) == (102, 2)
    assert plain(1) == 110
    assert plain(b=5, a=2) == 205
    with pytest.raises(TypeError, match="missing a required argument"):
        plain()
    with pytest.raises(TypeError):
        plain(1, 2, 3)


@pytest.mark.parametrize("operation", ["x // y", "x / y", "x % y"])
@pytest.mark.parametrize("zero", [(1, 0), (1.0, 0.0)])
def test_division_by_zero_raises_as_in_numba(operation, zero, tmp_path):
    ours, theirs = (_made(f"return {operation}", decorate) for decorate in (njit, numba.njit))
    with pytest.raises(ZeroDivisionError) as expected:
        theirs(*zero)
    with pytest.raises(ZeroDivisionError) as actual:
        ours(*zero)
    assert actual.value.args == expected.value.args


def _made(body, decorate, parameters="x, y"):
    return decorate(function_with(body, parameters, np=np, math=math))


def test_numpy_error_model_divides():
    @njit(error_model="numpy")
    def divide(x, y):
        return x / y

    assert divide(1.0, 0.0) == math.inf


def test_bounds_are_checked_when_asked_for():
    @njit(boundscheck=True)
    def at(a, i):
        return a[i]

    a = np.arange(3.0)
    assert at(a, -3) == 0 and at(a, 2) == 2
    for i in (3, -4):
        with pytest.raises(IndexError, match="index is out of bounds"):
            at(a, i)


def test_exceptions_keep_class_arguments_and_place():
    @njit
    def inner(x):
        if x == 1:
            raise ValueError("bad 'value'", 2, 1.5)
        if x == 2:
            raise Sour(x is None)
        if x == 3:
            raise KeyError
        return x

    @njit
    def outer(x):
        return inner(x) + 1

    with pytest.raises(ValueError) as caught:
        outer(1)
    assert caught.value.args == ("bad 'value'", 2, 1.5)
    assert "test_functions.py:" in caught.value.__notes__[0]
    with pytest.raises(Sour) as caught:
        outer(2)
    assert caught.value.args == (False,)
    with pytest.raises(KeyError):
        outer(3)
    assert outer(4) == 5


def test_a_note_of_the_same_words_does_not_make_an_error_one_of_compiled_code():
    from phalanx._functions.errors import is_raised

    @njit
    def fails(x):
        raise ValueError(x)

    with pytest.raises(ValueError) as caught:
        fails(1)
    assert is_raised(caught.value)
    assert is_raised(pickle.loads(pickle.dumps(caught.value)))
    lookalike = ValueError(1)
    lookalike.add_note("raised at a.py:1")
    assert not is_raised(lookalike)


SUBSTITUTE = """
import gc
from phalanx import njit

class Substitute:
    def __call__(self, x):
        return -x

    def __del__(self):
        gc.collect()
        print("ended")

for _ in range(3):
    function = njit(lambda x: x)
    function._hand_over(Substitute(), False)
    assert function(2) == -2
    del function
"""


def test_a_collection_while_a_function_ends(run_python):
    assert run_python(SUBSTITUTE).stdout.split() == ["ended"] * 3


def test_exceptions_end_recursion():
    @njit
    def down(n, seen):
        if n == 0:
            raise ValueError("bottom")
        if n < 0:
            return 0
        below = down(n - 1, seen)
        seen[0] += 1
        return below

    seen = np.zeros(1)
    with pytest.raises(ValueError, match="bottom"):
        down(5, seen)
    assert seen[0] == 0


def test_assert_raises():
    @njit
    def positive(x):
        assert x > 0, "not positive"
        return x

    assert positive(1) == 1
    with pytest.raises(AssertionError, match="not positive"):
        positive(-1)


def test_tuples_and_named_tuples():
    @njit
    def swap(p):
        return Point(p.y, p.x), (p.x, (p.y, 1.5))

    assert swap(Point(1, 2.0)) == (Point(2.0, 1), (1, (2.0, 1.5)))
    assert type(swap(Point(1, 2.0))[0]) is Point


def test_arrays_that_are_arguments_come_back_themselves():
    @njit
    def same(a):
        return a

    @njit
    def part(a):
        return a[1:, ::2]

    a = np.arange(12.0).reshape(3, 4)
    assert same(a) is a
    view = part(a)
    np.testing.assert_array_equal(view, a[1:, ::2])
    view[0, 0] = 99
    assert a[1, 0] == 99


def test_made_arrays_own_their_memory():
    @njit
    def halves(n):
        a = np.zeros(n)
        for i in range(n):
            a[i] = i
        return a[: n // 2], a[n // 2 :], a

    first, second, whole = halves(10)
    del whole
    gc.collect()
    np.testing.assert_array_equal(first, np.arange(5.0))
    np.testing.assert_array_equal(second, np.arange(5.0, 10.0))
    assert first.flags.writeable and first.base is not None
    assert halves(0)[2].shape == (0,)


MAKERS = [
    "np.zeros((x, 3))", "np.zeros(x, np.int32)", "np.ones((x, y), dtype=np.float32)",
    "np.full(x, 7)", "np.full((x, 2), 1.5, np.float32)", "np.arange(x)", "np.arange(1, x, 2)",
    "np.arange(0.0, 1.0, 0.3)", "np.linspace(0.0, 1.0, x)", "np.linspace(2, 5, 1)",
    "np.zeros_like(np.ones(x, np.int16))", "np.ones_like(np.zeros((x, 2)))",
    "np.full_like(np.zeros(x), 3)", "np.arange(x).copy()", "np.copy(np.ones((x, y)).T)",
]  # fmt: skip


@pytest.mark.parametrize("maker", MAKERS)
def test_makers_equal_numba(maker):
    expected = _made(f"return {maker}", numba.njit)(5, 4)
    actual = _made(f"return {maker}", njit)(5, 4)
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(actual, expected, rtol=1e-15)


def test_negative_extents_raise():
    with pytest.raises(ValueError, match="negative dimensions not allowed"):
        _made("return np.zeros(x)", njit, "x")(-1)


REDUCTIONS = ["sum", "prod", "min", "max", "argmin", "argmax", "any", "all", "mean", "var", "std"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("dtype", ["float64", "float32", "int32", "uint8", "bool"])
def test_reductions_equal_numpy(name, dtype):
    a = np.random.default_rng(4).integers(0, 5, (4, 6)).astype(dtype)
    for body in (f"return np.{name}(x)", f"return x.{name}()"):
        compiled = _made(body, njit, "x")
        for array in (a, a.T, a[::2, ::-1]):
            expected = getattr(np, name)(array.astype("float64") if dtype == "float32" else array)
            np.testing.assert_allclose(compiled(array), expected, rtol=1e-5)


@pytest.mark.parametrize("name", ["min", "max", "argmin", "argmax"])
def test_reductions_of_nothing_raise(name):
    with pytest.raises(ValueError):
        _made(f"return np.{name}(x)", njit, "x")(np.zeros(0))


def test_reductions_work_in_kernels(device):
    from phalanx import cuda

    @cuda.jit
    def rows(a, out):
        i = cuda.grid(1)
        if i < a.shape[0]:
            out[i] = a[i].sum() + np.max(a[i])

    a = np.random.default_rng(5).random((40, 7))
    out = np.zeros(40)
    rows[2, 32](a, out)
    np.testing.assert_allclose(out, a.sum(axis=1) + a.max(axis=1))


def test_memory_of_iterations_is_freed():
    @njit
    def churn(rounds, n):
        last = np.zeros(n)
        for i in range(rounds):
            fresh = np.full(n, i * 1.0)
            fresh[0] += last[0]
            last = fresh
        return last

    # Kept, this were 16 GB.
    result = churn(2000, 1_000_000)
    assert result[0] == sum(range(2000)) and result[1] == 1999


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=50),
    st.integers(1, 5),
)
def test_random_sums_equal_python(values, step):
    total = 0.0
    for i in range(0, len(values), step):
        total += values[i] if values[i] > 0 else -1.0
    assert _strided(np.array(values), step) == total


@njit
def _strided(a, step):
    total = 0.0
    for i in range(0, len(a), step):
        total += a[i] if a[i] > 0 else -1.0
    return total


def test_signatures_compile_at_once_and_convert():
    @njit("float64(float64, int64)")
    def scaled(x, n):
        return x * n

    assert len(scaled.signatures) == 1
    assert scaled(2, 3) == 6.0 and isinstance(scaled(2, 3), float)
    with pytest.raises(TypeError):
        scaled("a", 1)


def test_what_is_known_of_a_function():
    @njit
    def double(x):
        return 2 * x

    double(1)
    double(1.0)
    assert [str(each) for each in double.signatures] == ["(int64,)", "(float64,)"]
    assert double.py_func(3) == 6
    assert double.nopython_signatures[1].return_type == phalanx.types.float64
    assert all("define" in text for text in double.inspect_llvm().values())
    assert all(text for text in double.inspect_asm().values())
    double.recompile()
    assert double.signatures == []


def test_overloads_have_signatures():
    @njit
    def quotient(a, b):
        return a / b

    quotient(1, 2)
    integers = phalanx.types.int64
    (types,) = quotient.overloads
    assert types == (integers, integers)
    made = quotient.overloads[np.dtype("i8"), int]
    assert str(made.signature) == "(int64, int64) -> float64"
    assert "llvm" in dir(made)
    assert made.types == list(quotient.kernels()[0][0])
    assert (integers,) not in quotient.overloads
    assert "int64" not in quotient.overloads
    with pytest.raises(KeyError):
        quotient.overloads["int64"]


def test_what_does_not_compile_is_no_overload():
    @njit
    def part(x):
        return x.real.nothing

    for _ in range(2):
        with pytest.raises(phalanx.errors.TypingError, match="nothing"):
            part(1)
        assert part.signatures == []


def test_recompile_sees_changed_options():
    @njit(fastmath={"nsz"})
    def difference(x, y):
        return (x - y) + y

    expected = {False: np.nan, frozenset({"reassoc", "nsz"}): 0.0, frozenset({"reassoc"}): np.nan}
    for flags, value in expected.items():
        difference.targetoptions["fastmath"] = flags
        difference.recompile()
        np.testing.assert_equal(difference(0, np.inf), value)
    difference.targetoptions["fastmath"] = {"no such flag"}
    with pytest.raises(ValueError, match="fastmath flags"):
        difference.recompile()


def test_prange_outside_of_functions_is_range():
    assert list(prange(2, 8, 3)) == [2, 5]

    @njit
    def total(n):
        s = 0
        for i in prange(n):
            s += i
        return s

    assert total(10) == 45


def test_options_are_checked():
    with pytest.raises(TypeError, match="Unrecognized options"):
        jit(unknown=True)
    with pytest.raises(ValueError, match="Only one of"):
        jit(forceobj=True, nopython=True)
    with pytest.raises(ValueError, match="error_model"):
        jit(error_model="c")


def test_errors_show_the_line():
    @njit
    def broken(x):
        return x + "text"

    with pytest.raises(phalanx.CompileError) as caught:
        broken(1)
    assert "in function broken" in str(caught.value)
    assert 'return x + "text"' in str(caught.value)
    with pytest.raises(phalanx.CompileError, match="kernels only"):
        _made("return cuda.grid(1) + x", _with_cuda, "x")(1)


def _with_cuda(function):
    function.__globals__["cuda"] = phalanx.cuda
    return njit(function)


def test_globals_fixed_at_compile_time():
    table = np.arange(5) * 10

    @njit
    def pick(i):
        return table[i]

    assert pick(3) == 30


@pytest.mark.parametrize("value", [-np.inf, np.inf, np.nan, 0.0, 1.0])
@pytest.mark.parametrize("name", ["exp", "log", "expm1", "log1p", "arcsin", "sinh", "cbrt"])
def test_a_call_leaves_the_floating_point_flags_as_they_were(name, value):
    """np.vectorize calls functions within a ufunc's loop, and NumPy warns of flags set there."""
    ufunc = getattr(np, name)
    compiled = njit(lambda a: ufunc(a))
    a = np.full(5, value)
    compiled(a)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        np.frompyfunc(lambda _: compiled(a) is None, 1, 1)(np.zeros(1))


def test_bincount_refuses_numbers_beyond_indices():
    compiled = njit(lambda a: np.bincount(a))
    with pytest.raises(ValueError, match="non-negative"):
        compiled(np.array([3, 2**63 + 5], np.uint64))
    for dtype in (np.int64, np.uint64):
        with pytest.raises(ValueError, match="too big"):
            compiled(np.array([2**63 - 1, 3], dtype))
