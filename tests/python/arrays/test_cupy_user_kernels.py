"""`cupy.ElementwiseKernel`: operations in CUDA C for each element, beside NumPy."""

import threading
import warnings

import numpy as np
import pytest
from phalanx.compat.cupy_compiler import CompileException
from phalanx.compat.cupy_user_kernels import ElementwiseKernel

import phalanx as px
from arrays.user_kernels import needs_compiler  # noqa: F401
from phalanx import errors

pytestmark = pytest.mark.usefixtures("device", "needs_compiler")

# What becomes of an array of shape (6, 4), and the other operand beside it.
LAYOUTS = {
    "contiguous": (lambda x: x, lambda x: x[::-1].copy()),
    "transposed": (lambda x: x.T, lambda x: x.T),
    "one transposed": (lambda x: x[:4].T, lambda x: x[:4] + x[:4]),
    "every other row": (lambda x: x[::2], lambda x: x[1::2]),
    "every other column": (lambda x: x[:, ::2], lambda x: x[:, 1::2]),
    "backwards": (lambda x: x[::-1, ::-1], lambda x: x),
    "a row": (lambda x: x, lambda x: x[0]),
    "a column": (lambda x: x, lambda x: x[:, :1]),
    "both ways": (lambda x: x[:1], lambda x: x[:, :1]),
    "more dimensions": (lambda x: x.reshape(2, 3, 2, 2)[:, :, 1], lambda x: x[:1, :2]),
    "0-d": (lambda x: x[2, 1], lambda x: x[1, 2]),
    "0-d beside an array": (lambda x: x, lambda x: x[1, 2]),
    "empty": (lambda x: x[:0], lambda x: x[0]),
    "one element": (lambda x: x[1:2, 1:2], lambda x: x[3:4, 3:4]),
}


def ours(x):
    """The array with NumPy's strides, as a view of what is in memory."""
    return px.asarray(x)


def sample(dtype, shape=(6, 4)):
    x = np.arange(np.prod(shape)).reshape(shape) % 11
    return (x - 3j * x).astype(dtype) if dtype.kind == "c" else x.astype(dtype)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_dtype_in_every_layout(layout, dtype):
    first, second = LAYOUTS[layout]
    x = sample(dtype)
    kernel = ElementwiseKernel("T x, T y", "T z", "z = x * y + x", "multiply_add")
    actual = kernel(first(ours(x)), second(ours(x)))
    expected = np.asarray(first(x) * second(x) + first(x))
    assert actual.shape == expected.shape and actual.dtype == dtype
    np.testing.assert_array_equal(np.asarray(actual), expected)


@pytest.mark.parametrize("layout", ["transposed", "every other row", "every other column"])
def test_outputs_may_be_views(layout):
    view, _ = LAYOUTS[layout]
    expected, x = np.zeros((6, 4), "f4"), sample(np.dtype("f4"))
    out = px.zeros((6, 4), "f4")
    ElementwiseKernel("T x", "T y", "y += x + 1")(view(ours(x)), view(out))
    view(expected)[...] = view(x) + 1
    np.testing.assert_array_equal(np.asarray(out), expected)


@pytest.mark.parametrize("shape", [(100_003,), (257, 391), (3, 33_335), (33_335, 3)])
def test_chunks_of_threads_meet_without_gaps(shape):
    x = np.arange(np.prod(shape), dtype="i4").reshape(shape)
    kernel = ElementwiseKernel("T x, T y", "T z, int64 at", "z = x + y; at = i")
    z, at = kernel(ours(x), ours(x[0]))
    np.testing.assert_array_equal(np.asarray(z), x + x[0])
    np.testing.assert_array_equal(np.asarray(at).reshape(-1), np.arange(x.size))


def test_an_array_is_changed_in_place():
    x = px.arange(5)
    y = x + 1  # recorded with the values of now
    assert ElementwiseKernel("T x", "T y", "y = x * x")(x, x) is x
    assert x.tolist() == [0, 1, 4, 9, 16] and y.tolist() == [1, 2, 3, 4, 5]


def test_types_by_name_and_by_letter():
    kernel = ElementwiseKernel("T x, S y, float64 z", "S u, int32 v", "u = x + y; v = x + z")
    u, v = kernel(px.arange(3, dtype="i2"), px.ones(3, "f4"), px.ones(3))
    assert (u.dtype, v.dtype) == ("f4", "i4")
    assert u.tolist() == v.tolist() == [1, 2, 3]


@pytest.mark.parametrize("value", [2, 2.0, True, np.int8(2), np.float64(2), np.uint64(2)])
def test_a_number_has_the_type_of_the_array(value, dtype):
    made = ElementwiseKernel("T x, T y", "T z", "z = x + y")(ours(sample(dtype)), value)
    expected = sample(dtype) + np.asarray(value).astype(dtype)
    assert made.dtype == dtype
    np.testing.assert_array_equal(np.asarray(made), expected)


@pytest.mark.parametrize("number", [2**63, 2**64 - 1, 0])
def test_numbers_of_64_bits(number):
    kernel = ElementwiseKernel("T x, T y", "T z", "z = x + y")
    assert kernel(px.zeros(2, "u8"), number).tolist() == [number, number]
    signed = number - 2**64 if number >= 2**63 else number
    assert kernel(px.zeros(2, "i8"), signed).tolist() == [signed, signed]


def test_complex_numbers_are_passed():
    kernel = ElementwiseKernel("complex64 x, complex128 y, raw float32 w", "complex128 z",
                               "z = complex<double>(x) * y + w")  # fmt: skip
    assert kernel(px.ones(1, "c8"), 2 - 3j, 1.5).tolist() == [3.5 - 3j]


def test_all_float16_and_their_roundings():
    bits = np.arange(1 << 16, dtype="u2")
    halves = bits.view("f2")
    to_float = ElementwiseKernel("float16 x", "float32 y", "y = x")
    np.testing.assert_array_equal(np.asarray(to_float(px.asarray(halves))), halves.astype("f4"))
    generator = np.random.default_rng(1)
    finite = halves[np.isfinite(halves)].astype("f8")
    near = finite * (1 + generator.integers(-2, 3, finite.size) * 2.0**-12)
    some = np.concatenate([near, generator.normal(size=1000) * 1e-6, [65519.99, 65520, -1e9]])
    for dtype in ("f4", "f8"):
        kernel = ElementwiseKernel("T x", "float16 y", "y = x")
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            x = some.astype(dtype)
            expected = x.astype("f2")
        np.testing.assert_array_equal(np.asarray(kernel(px.asarray(x))), expected)


def test_a_double_between_two_float16_is_rounded_once():
    x = np.array([1 + 2.0**-11 + 2.0**-40, 1 + 2.0**-11, 1 + 2.0**-11 - 2.0**-40])
    made = ElementwiseKernel("float64 x", "float16 y", "y = x")(px.asarray(x))
    np.testing.assert_array_equal(np.asarray(made), x.astype("f2"))


FUNCTIONS = "exp log log10 sqrt sin cos tan sinh cosh tanh asin acos atan asinh acosh atanh conj " \
            "log1p expm1 log2"  # fmt: skip
NUMPYS = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "asinh": "arcsinh",
          "acosh": "arccosh", "atanh": "arctanh"}  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS.split())
@pytest.mark.parametrize("kind", ["c8", "c16"])
def test_functions_of_complex_numbers(name, kind):
    parts = np.array([-2.5, -1, -0.3, 0.4, 1, 3])
    x = (parts[:, None] + 1j * parts).astype(kind)
    made = ElementwiseKernel("T x", "T y", f"y = {name}(x)")(px.asarray(x))
    expected = getattr(np, NUMPYS.get(name, name))(x)
    np.testing.assert_allclose(np.asarray(made), expected, rtol=3e-5 if kind == "c8" else 1e-12)


def test_operators_of_complex_numbers():
    x, y = np.array([1 + 2j, -3 + 0.5j, 1e30j]), np.array([2 - 1j, 0.25j, 1e30 - 1e30j])
    kernel = ElementwiseKernel(
        "T x, T y",
        "T a, T b, T c, T d, float64 e, float64 f, float64 g, bool h",
        "a = x / y; b = x * 2 - 1; c = -x + y; d = pow(x, 2); d -= x * x;"
        "e = abs(x); f = arg(y); g = x.real() + imag(x); h = x == conj(conj(x)) && x != y",
    )
    a, b, c, d, e, f, g, h = map(np.asarray, kernel(px.asarray(x), px.asarray(y)))
    for made, expected in ((a, x / y), (b, x * 2 - 1), (c, -x + y), (e, abs(x)), (f, np.angle(y)),
                           (g, x.real + x.imag)):  # fmt: skip
        np.testing.assert_allclose(made, expected, rtol=1e-14)
    np.testing.assert_allclose(d / x**2, 0, atol=1e-14)
    assert h.all()


def test_functions_of_numbers():
    x = np.array([-1.5, 0, 2.25, np.inf, np.nan], "f4")
    kernel = ElementwiseKernel(
        "T x",
        "T a, T b, T c, bool d, T e, T f",
        "a = max(x, T(1)); b = min(x, 0.5f); c = x > 0 ? rsqrt(x) : T(CUDART_INF_F);"
        "d = isnan(x) || isinf(x); e = fabsf(x); f = max(1, 2u) + M_PI",
    )
    a, b, c, d, e, f = map(np.asarray, kernel(px.asarray(x)))
    np.testing.assert_array_equal(a, np.fmax(x, 1))
    np.testing.assert_array_equal(b, np.fmin(x, 0.5))
    np.testing.assert_allclose(c, [np.inf, np.inf, 1 / 1.5, 0, np.inf], rtol=1e-6)
    np.testing.assert_array_equal(d, ~np.isfinite(x))
    np.testing.assert_array_equal(e, np.abs(x))
    np.testing.assert_array_equal(f, np.float32(2 + np.pi))


def test_functions_that_only_cuda_has():
    x = np.linspace(-3, 3, 13)
    kernel = ElementwiseKernel(
        "T x",
        "T a, T b, T c, T d, T e, int32 f",
        "a = cyl_bessel_i0(x); b = normcdf(x); c = sinpi(x); d = cospi(x); e = rcbrt(x);"
        "f = __popc(7) + __clz(1) + __ffs(4) + __float_as_int(0.0f)",
    )
    a, b, c, d, e, f = map(np.asarray, kernel(px.asarray(x)))
    np.testing.assert_allclose(a, np.i0(x), rtol=1e-14)
    np.testing.assert_allclose(b + b[::-1], 1)
    np.testing.assert_allclose(c, np.sin(np.pi * x), atol=1e-14)
    np.testing.assert_allclose(d, np.cos(np.pi * x), atol=1e-14)
    with np.errstate(divide="ignore"):
        np.testing.assert_allclose(e, 1 / np.cbrt(x))
    assert set(f) == {3 + 31 + 3}


def test_names_of_types_as_numpys():
    names = [f"{kind}int{bits}" for kind in ("", "u") for bits in (8, 16, 32, 64)]
    names += ["float16", "float32", "float64", "complex64", "complex128"]
    text = " + ".join(f"sizeof({name})" for name in names)
    made = ElementwiseKernel("T x", "int32 y", f"y = {text}; float16 h = x; y += int64(h)")
    assert made(px.ones(1)).tolist() == [sum(np.dtype(each).itemsize for each in names) + 1]
    own = ElementwiseKernel("T x", "T y", "int64 k = 3; y = k", preamble="typedef short int64;")
    assert own(px.ones(1)).tolist() == [3]


# ---- Raw arrays ----


def test_raw_arrays_know_their_shape():
    x = px.arange(24, dtype="i4").reshape(2, 3, 4)
    kernel = ElementwiseKernel(
        "raw T x",
        "raw int64 y",
        "y[0] = x.size(); y[1] = x.ndim; for (int k = 0; k < x.ndim; ++k) {"
        "y[2 + k] = x.shape()[k]; y[5 + k] = x.strides()[k]; }",
    )
    for each, strides in ((x, [48, 16, 4]), (x[:, ::2], [48, 32, 4])):
        made = kernel(each, px.zeros(8, "i8"), size=1)
        assert made.tolist() == [each.size, 3, *each.shape, *strides]


@pytest.mark.parametrize("layout", ["contiguous", "transposed", "every other column", "backwards"])
def test_raw_arrays_by_one_index_and_by_all(layout):
    x = np.arange(24, dtype="f4").reshape(6, 4)
    view = LAYOUTS[layout][0]
    kernel = ElementwiseKernel(
        "raw T x, int32 columns",
        "T y, T z",
        "y = x[i]; int at[] = {int(i / columns), int(i % columns)}; z = x[at]",
    )
    expected = view(x).reshape(-1)
    y, z = kernel(view(ours(x)), view(x).shape[1], size=expected.size)
    np.testing.assert_array_equal(np.asarray(y), expected)
    np.testing.assert_array_equal(np.asarray(z), expected)


def test_a_raw_array_without_dimensions_and_an_empty_one():
    kernel = ElementwiseKernel("raw T x, raw T y", "T z", "z = x[i] + y.size()")
    assert kernel(px.asarray(3.0), px.zeros((0, 3)), size=2).tolist() == [3, 3]


def test_raw_outputs_are_written_at_any_place():
    reverse = ElementwiseKernel("T x", "raw T y", "y[_ind.size() - i - 1] = x")
    out = px.zeros(4)
    assert reverse(px.arange(4.0), out) is out and out.tolist() == [3, 2, 1, 0]
    made = ElementwiseKernel("", "raw int32 y", "y[i] = i * i")(size=4)
    assert made.dtype == "i4" and made.tolist() == [0, 1, 4, 9]


@pytest.mark.parametrize("dtype", ["i4", "i8", "u4", "u8", "f2", "f4", "f8"])
def test_atomic_additions(dtype):
    x = np.arange(10_000) % 7
    kernel = ElementwiseKernel("raw T w, T x", "raw S y", "atomicAdd(&y[(int)x], S(w[i]))")
    weights = np.ones(x.size, "i4") if dtype != "f2" else np.arange(x.size, dtype="i4") % 2
    made = kernel(px.asarray(weights), px.asarray(x.astype("i4")), px.zeros(7, dtype))
    np.testing.assert_array_equal(np.asarray(made), np.bincount(x, weights))


def test_other_atomic_operations():
    kernel = ElementwiseKernel(
        "T x",
        "raw T y",
        "atomicMax(&y[0], x); atomicMin(&y[1], x); atomicAdd(&y[2], x); atomicExch((int*)&y[3], 5);"
        "atomicCAS((unsigned long long*)&y[4], 0ull, 7ull)",
    )
    assert kernel(px.arange(1000), px.zeros(5, "i8")).tolist() == [999, 0, 499500, 5, 7]
    largest = ElementwiseKernel("T x", "raw T y", "atomicMax(&y[0], x)")
    assert largest(px.arange(1000.0), px.zeros(1)).tolist() == [999]


# ---- Options ----


def test_an_element_is_left_early():
    x = px.arange(10)
    for word in ("return", "continue", "break"):
        kernel = ElementwiseKernel("T x", "T y", f"if (x % 3 == 1) {{ {word}; }} y = x // as it is")
        assert kernel(x, px.full(10, -1)).tolist() == [0, -1, 2, 3, -1, 5, 6, -1, 8, 9]


def test_a_loop_in_the_operation_is_left_for_itself():
    kernel = ElementwiseKernel(
        "T x", "T y", "y = 0; for (int k = 0; k < 10; ++k) { if (k == x) break; y += k; }"
    )
    assert kernel(px.arange(5)).tolist() == [0, 0, 1, 3, 6]


def test_code_around_the_loop():
    kernel = ElementwiseKernel(
        "T x",
        "T y, raw int32 ends",
        "y = x + base",
        loop_prep="const T base = 10 * sizeof(T)",
        after_loop="atomicAdd(&ends[0], 1)",
    )
    y, ends = kernel(px.arange(1000.0), px.empty(1000), px.zeros(1, "i4"))
    assert y[-1] == 1079 and ends[0] >= 1


def test_a_preamble_and_definitions():
    kernel = ElementwiseKernel(
        "T x",
        "T y",
        "y = twice(x) + SHIFT + ONE",
        preamble='#include <cupy/complex.cuh>\n#include "cupy/carray.cuh"\n'
        "template <typename U> __device__ U twice(U x) { return 2 * x; }",
        options=("-DSHIFT=100", "--define-macro=ONE", "--std=c++14", "--use_fast_math"),
    )
    assert kernel(px.arange(3)).tolist() == [101, 103, 105]


def test_dimensions_are_kept_when_asked_for():
    text = "y = _ind.get()[0] * 100 + _ind.get()[1]"
    kernel = ElementwiseKernel("T x", "int32 y", text, reduce_dims=False)
    np.testing.assert_array_equal(
        np.asarray(kernel(px.zeros((3, 4)))), np.arange(3)[:, None] * 100 + np.arange(4)
    )
    assert ElementwiseKernel("T x", "T y", "y = x", reduce_dims=False)(px.ones(())).tolist() == 1


def test_what_a_call_gives():
    x = px.ones(2)
    assert ElementwiseKernel("T x", "T y", "y = x", no_return=True)(x) is None
    (made,) = ElementwiseKernel("T x", "T y", "y = x", return_tuple=True)(x)
    assert made.tolist() == [1, 1]
    assert ElementwiseKernel("T x", "", "")(x) == ()
    assert ElementwiseKernel("T x", "T y", "y = x")(x, block_size=7, stream=None).tolist() == [1, 1]


def test_what_a_kernel_shows():
    kernel = ElementwiseKernel("T x, raw int32 y", "T z", "z = x", "shown", doc="What it does.")
    assert (kernel.nin, kernel.nout, kernel.nargs, kernel.name) == (2, 1, 3, "shown")
    assert kernel.__name__ == "shown" and kernel.operation == "z = x" and kernel.preamble == ""
    assert [(each.name, each.raw, each.is_const) for each in kernel.params] == [
        ("x", False, True), ("y", True, True), ("z", False, False)
    ]  # fmt: skip
    assert kernel.in_params[1].dtype == "i4" and kernel.out_params[0].ctype == "T"
    assert kernel.reduce_dims and not kernel.no_return and not kernel.return_tuple
    assert kernel.kwargs == {"doc": "What it does."} and kernel.__doc__ == "What it does."


def test_code_is_made_once_for_dtypes():
    kernel = ElementwiseKernel("T x", "T y", "y = x + 1")
    with pytest.warns(UserWarning, match="No codes are cached"):
        assert kernel.cached_codes == {}
    kernel(px.ones(3))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "y = x + 1" in kernel.cached_code
    kernel(px.ones(5))
    assert len(kernel._functions) == len(kernel.cached_codes) == 1
    kernel(px.ones(3, "f4"))
    assert len(kernel.cached_codes) == 2
    with pytest.warns(UserWarning, match="could not be inferred"):
        kernel.cached_code  # noqa: B018


def test_many_shapes_do_not_fill_the_memory():
    kernel = ElementwiseKernel("T x", "T y", "y = x")
    for size in range(1, 600):
        kernel(px.ones(size, "f4"))
    assert len(kernel._cases) <= 256 and len(kernel._functions) == 1


def test_threads_meet_in_a_first_call():
    kernel = ElementwiseKernel("T x", "T y", "y = x + 1", "met")
    made = []
    call = lambda: made.append(kernel(px.arange(100)).sum())  # noqa: E731
    threads = [threading.Thread(target=call) for _ in range(8)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert list(map(int, made)) == [5050] * 8 and len(kernel._functions) == 1


def test_objects_that_stand_for_arrays():
    class Own:
        def __cupy_get_ndarray__(self):
            return px.arange(3)

    class Other:
        def __cupy_override_elementwise_kernel__(self, kernel, *args, **options):
            return kernel.name, len(args)

    kernel = ElementwiseKernel("T x", "T y", "y = x * 2", "named")
    assert kernel(Own()).tolist() == [0, 2, 4]
    assert kernel(Other()) == ("named", 1)


# ---- Errors ----

COPY = ("T x", "T y", "y = x")
X = lambda *shape, dtype="f4": px.zeros(shape, dtype)  # noqa: E731
CALLS = {
    "too few": (COPY, lambda k: k(), TypeError, "Wrong number of arguments .* either 1 or 2"),
    "too many": (COPY, lambda k: k(X(2), X(2), X(2)), TypeError, "given 3"),
    "option": (COPY, lambda k: k(X(2), wrong=1), TypeError, "wrong"),
    "declared": (("int32 x", "T y", "y = x"), lambda k: k(X(2), X(2)), TypeError, "astype"),
    "letter": (
        ("T x, T y", "T z", ""), lambda k: k(X(2), X(2, dtype="f8")), TypeError, "T is float32"
    ),
    "output": (COPY, lambda k: k(X(2), X(2, dtype="f8")), TypeError, "Type is mismatched"),
    "unknown": (("T x", "U y", "y = x"), lambda k: k(X(2)), TypeError, "pass an array, the output"),
    "no array": (COPY, lambda k: k([1, 2]), TypeError, "Unsupported type.*phalanx.asarray"),
    "of NumPy": (COPY, lambda k: k(np.zeros(2)), TypeError, "Unsupported type"),
    "number as output": (COPY, lambda k: k(X(2), 1), TypeError, "Output arguments must be"),
    "dates": (COPY, lambda k: k(X(2, dtype="M8[s]")), TypeError, "dtype datetime64"),
    "shapes": (("T x, T y", "T z", ""), lambda k: k(X(2), X(3)), ValueError, r"\(2,\), \(3,\)"),
    "output shape": (COPY, lambda k: k(X(2, 3), X(3)), ValueError, "Out shape is mismatched: y"),
    "no size": (("raw T x", "T y", ""), lambda k: k(X(2)), ValueError, "^Loop size is undecided"),
    "size": (COPY, lambda k: k(X(2), size=2), ValueError, "^Specified 'size' can be used only"),
    "raw output": (("T x", "raw T y", ""), lambda k: k(X(2)), ValueError, "size is Undecided: y"),
    "block": (COPY, lambda k: k(X(2), block_size=0), ValueError, "greater than zero"),
    "range": (
        ("T x, T y", "T z", ""), lambda k: k(X(2, dtype="i1"), 300), OverflowError, "out of bounds"
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_says_what_to_do(name):
    made, call, error, text = CALLS[name]
    with pytest.raises(error, match=text):
        call(ElementwiseKernel(*made))


KERNELS = {
    "name": (("T x", "T y", "y = x", "1st"), {}, ValueError, "Invalid kernel name"),
    "index": (("T i", "T y", ""), {}, ValueError, "Can not use 'i'"),
    "no name": (("T", "T y", ""), {}, ValueError, "Syntax error: 'T'"),
    "comma": (("T x,", "T y", ""), {}, ValueError, "Syntax error"),
    "word": (("row T x", "T y", ""), {}, ValueError, 'Unknown keyword "row"'),
    "type": (("float33 x", "T y", ""), {}, TypeError, "float33"),
    "dates": (("datetime64 x", "T y", ""), {}, TypeError, "only bool"),
    "option": (COPY, {"wrong": 1}, TypeError, "takes no 'wrong'; its options are after_loop"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_a_wrong_kernel_says_what_to_do(name):
    arguments, options, error, text = KERNELS[name]
    with pytest.raises(error, match=text):
        ElementwiseKernel(*arguments, **options)


def test_headers_are_found_in_folders(tmp_path, monkeypatch):
    for name, value in (("given", 3), ("known", 40)):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.h").write_text(f"#define {name.upper()} {value}\n")
    monkeypatch.setenv("NUMBA_CUDA_NVRTC_EXTRA_SEARCH_PATHS", str(tmp_path / "known"))
    kernel = ElementwiseKernel(
        "T x", "T y", "y = x + GIVEN + KNOWN", preamble='#include "given.h"\n#include <known.h>\n',
        options=(f"-I{tmp_path / 'given'}",),
    )  # fmt: skip
    assert kernel(px.ones(1)).tolist() == [44]


def test_options_that_are_not_known_are_refused():
    with pytest.raises(CompileException, match="the option --wrong is not known"):
        ElementwiseKernel(*COPY, options=("--wrong",))(px.ones(1))


@pytest.mark.parametrize("what", ["operation", "preamble", "loop_prep", "after_loop"])
def test_lines_of_errors_are_the_users(what):
    parts = {"operation": "y = x", what: "int first;\n\nint second = unknown_name;"}
    kernel = ElementwiseKernel("T x", "T y", parts.pop("operation"), "faulty", **parts)
    with pytest.raises(CompileException, match="unknown_name") as caught:
        kernel(px.ones(1))
    assert f"faulty, {what}:3" in str(caught.value) or f"faulty, {what}(3)" in str(caught.value)


def test_operands_are_not_written_to():
    with pytest.raises(errors.CompileError, match=r"read-only|const|modifiable"):
        ElementwiseKernel("T x", "T y", "x = 1; y = x")(px.ones(1))
    x = px.zeros(3)
    ElementwiseKernel("_non_const T x", "T y", "x = 1; y = x")(x)
    assert x.tolist() == [1, 1, 1]
