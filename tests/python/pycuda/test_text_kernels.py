"""Kernels of expressions in CUDA C: elementwise, reductions and scans, beside NumPy."""

import itertools

import numpy as np
import pytest
from phalanx.compat.pycuda import driver, gpuarray, reduction, tools
from phalanx.compat.pycuda.elementwise import ElementwiseKernel, get_elwise_kernel
from phalanx.compat.pycuda.reduction import ReductionKernel
from phalanx.compat.pycuda.scan import ExclusiveScanKernel, InclusiveScanKernel

pytestmark = pytest.mark.usefixtures("device")

SIZES = [0, 1, 2, 31, 32, 33, 1000, 100003]
NUMBERS = ["int8", "uint16", "int32", "int64", "uint64", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]


def sample(size, dtype):
    rng = np.random.default_rng(size)
    values = rng.integers(1, 100, size).astype(dtype)
    return values + 1j * rng.integers(1, 100, size).astype(dtype) if dtype in COMPLEX else values


EXPRESSIONS = [
    ("z[i] = x[i] + y[i]", lambda x, y, a: x + y),
    ("z[i] = x[i] * a - y[i]", lambda x, y, a: x * a - y),
    ("{c} t = x[i]; t *= t; z[i] = t", lambda x, y, a: x * x),
    ("z[i] = y[n - 1 - i]  // backwards", lambda x, y, a: y[::-1]),
]


@pytest.mark.parametrize("dtype", NUMBERS + COMPLEX)
@pytest.mark.parametrize(("operation", "expected"), EXPRESSIONS)
def test_operations_are_done_for_all_elements(dtype, operation, expected):
    c = tools.dtype_to_ctype(dtype)
    kernel = ElementwiseKernel(f"{c} *x, {c} *y, {c} a, {c} *z", operation.format(c=c), "operation")
    for size in SIZES:
        x, y, a = sample(size, dtype), sample(size, dtype)[::-1].copy(), np.dtype(dtype).type(3)
        z = gpuarray.to_gpu(np.zeros(size, dtype))
        kernel(gpuarray.to_gpu(x), gpuarray.to_gpu(y), a, z)
        np.testing.assert_allclose(z.get(), expected(x, y, a), rtol=1e-6)


@pytest.mark.parametrize(
    "chosen",
    [
        slice(5, 20000), slice(5, 20000, 17), slice(3000, 5, -1), slice(1000, -1), slice(10, 5),
        slice(None), slice(None, None, -3), slice(-5, None), slice(40000, 60000),
    ],
)  # fmt: skip
def test_slices_choose_elements(chosen):
    kernel = ElementwiseKernel("float *z", "z[i] = i + 1", "numbered")
    z = gpuarray.to_gpu(np.zeros(50000, np.float32))
    kernel(z, slice=chosen, stream=driver.Stream())
    driver.Context.synchronize()
    expected = np.zeros(50000, np.float32)
    expected[chosen] = np.arange(1, 50001)[chosen]
    np.testing.assert_array_equal(z.get(), expected)
    z.fill(0)
    kernel(z, range=slice(*chosen.indices(50000)))
    np.testing.assert_array_equal(z.get(), expected)


def test_texts_come_around_the_loop():
    kernel = ElementwiseKernel(
        "const int *x, int *total",
        "sum += twice(x[i])",
        preamble="__device__ int twice(int x) { return FACTOR * x; }",
        loop_prep="int sum = 0",
        after_loop="atomicAdd(total, sum)",
        options=["-DFACTOR=2"],
    )
    total = gpuarray.to_gpu(np.zeros(1, np.int32))
    kernel(gpuarray.to_gpu(np.arange(1000, dtype=np.int32)), total)
    assert total.get()[0] == 999000


def test_functions_are_prepared_with_the_count_last():
    function = get_elwise_kernel([tools.VectorArg(np.float32, "z")], "z[i] = n")
    z = gpuarray.to_gpu(np.zeros(10, np.float32))
    function.prepared_call((1, 1), (32, 1, 1), z.gpudata, 7)
    np.testing.assert_array_equal(z.get(), [7] * 7 + [0] * 3)


def test_errors_of_elementwise_kernels():
    z = gpuarray.to_gpu(np.zeros((6, 4), np.float32))
    kernel = ElementwiseKernel("float *z", "z[i] = 1")
    with pytest.raises(RuntimeError, match="non-contiguous"):
        kernel(z[:, 1])
    with pytest.raises(TypeError, match="1 arguments"):
        kernel(z, z)
    with pytest.raises(TypeError, match="to_gpu"):
        kernel(np.zeros(3, np.float32))
    with pytest.raises(TypeError, match="both"):
        kernel(z, range=slice(1), slice=slice(1))
    with pytest.raises(ValueError, match="vector"):
        ElementwiseKernel("float z", "")
    with pytest.raises(driver.CompileError) as caught:
        ElementwiseKernel("float *z", "z[i] = 1;\nz[i] = absent")(z)
    assert "kernel, operation:2" in caught.value.stderr.replace('"', "")


# Arguments of an operation `y[i] = x[i]` and of a reduction, and the dtype of the array for x.
OTHER_DTYPES = [
    ("float", "float64"), ("float", "int32"), ("float", "uint8"), ("int", "float32"),
    ("int", "int64"), ("double", "float32"), ("double", "int64"), ("unsigned char", "int32"),
    ("short", "float16"), ("half", "int16"), ("float", "complex64"), ("double", "complex64"),
    ("pycuda::complex<float>", "float64"), ("float3", "float32"), ("long long", "int32"),
]  # fmt: skip


@pytest.mark.parametrize(("declared", "dtype"), OTHER_DTYPES)
def test_an_array_of_another_dtype_is_refused(declared, dtype):
    arguments = f"{declared} *x, {declared} *y"
    right = gpuarray.zeros(8, tools.parse_c_arg(f"{declared} *x").dtype)
    wrong = gpuarray.zeros(8, dtype)
    words = rf"x is an array of {dtype}, .* declared as .* \*x, "
    with pytest.raises(TypeError, match=f"copied: {words}"):
        ElementwiseKernel(arguments, "y[i] = x[i]", "copied")(wrong, right)
    if declared != "half":  # whose header reductions leave to the preamble
        with pytest.raises(TypeError, match=f"counted: {words}"):
            ReductionKernel("int32", "0", "a+b", "1", arguments, "counted")(wrong, right)
    if declared not in ("half", "float3"):
        with pytest.raises(TypeError, match=f"summed: input_ary is an array of {dtype}"):
            InclusiveScanKernel(right.dtype, "a+b", name_prefix="summed")(wrong)


@pytest.mark.parametrize(
    ("declared", "dtype"),
    [("int", "uint32"), ("unsigned char", "bool"), ("unsigned long long", "int64"),
     ("float2", "complex64"), ("pycuda::complex<float>", [("x", "f4"), ("y", "f4")]),
     ("float2", [("re", "f4"), ("im", "f4")])],
)  # fmt: skip
def test_the_same_bits_under_another_name_are_taken(declared, dtype):
    kernel = ElementwiseKernel(f"{declared} *x, {declared} *y", "y[i] = x[i]")
    values = np.arange(64, dtype=np.uint8).view(dtype) if dtype != "bool" else np.arange(8) % 2 > 0
    x, y = gpuarray.to_gpu(values), gpuarray.to_gpu(np.zeros_like(values))
    kernel(x, y)
    assert y.get().tobytes() == values.tobytes()


# Operations on x of 10 elements and y of 5, and the name that an error has; None: they go.
OTHER_SIZES = [
    ("x[i] = y[i]", "y"),
    ("y[i] = x[i]", "y"),
    ("y [ i ] += x[i]", "y"),
    ("float t = 2; /* all */ y[i] = t * x[i]", "y"),
    ("x[i] = y[i] > 0 ? 1 : 0", "y"),
    ("if (i < 5) x[i] = y[i]", None),
    ("x[i] = i < 5 ? y[i] : 0", None),
    ("x[i] = y[i % 5]", None),
    ("x[i] = 1  // and not y[i]", None),
    ("/* y[i] */ x[i] = y[i / 2]", None),
    ("x[i] = first(y)", None),
]


@pytest.mark.parametrize(("operation", "name"), OTHER_SIZES)
def test_an_array_that_ends_before_the_loop_is_refused(operation, name):
    x, y = gpuarray.zeros(10, np.float32), gpuarray.zeros(5, np.float32)
    preamble = "__device__ float first(const float* y) { return y[0]; }"
    kernel = ElementwiseKernel("float *x, float *y", operation, "sized", preamble=preamble)
    kernel(x, y, slice=slice(5))
    if name is None:
        kernel(x, y)
        return
    with pytest.raises(ValueError, match=rf"sized uses {name}\[i\] for i from 0 to 9.* has 5 el"):
        kernel(x, y)
    with pytest.raises(ValueError, match=rf"sized uses {name}\[i\] for i from 1 to 7"):
        kernel(x, y, range=slice(7, 0, -2))
    with pytest.raises(ValueError, match=r"x\[i\] for i from -1 to 3"):
        kernel(x, x, range=slice(-1, 4))


def test_a_reduction_of_arrays_of_several_sizes():
    x, y = gpuarray.zeros(10, np.float32) + 2, gpuarray.zeros(5, np.float32) + 3
    dot = reduction.get_dot_kernel(np.float32, np.float32, np.float32)
    assert dot(y, x).get() == 30
    with pytest.raises(ValueError, match=r"b\[i\] for i from 0 to 9, and b has 5 elements"):
        dot(x, y)
    picked = ReductionKernel("float32", "0", "a+b", "y[at[i]]", "int *at, float *y")
    assert picked(gpuarray.to_gpu(np.arange(10, dtype=np.int32) % 5), y).get() == 30


SUMS = [
    ("sum", "a+b", "0", None),
    ("sum", "a+b", "0", "in[i]*in[i]"),
    ("max", "a>b?a:b", "0", None),
]


@pytest.mark.parametrize("dtype", NUMBERS)
@pytest.mark.parametrize(("name", "reduce", "neutral", "mapped"), SUMS)
def test_reductions_are_numpys(dtype, name, reduce, neutral, mapped):
    arguments = f"const {tools.dtype_to_ctype(dtype)} *in"
    kernel = ReductionKernel(dtype, neutral, reduce, mapped, arguments)
    for size in SIZES:
        values = sample(size, dtype)
        result = kernel(gpuarray.to_gpu(values))
        values = values * values if mapped else values
        options = {"dtype": dtype} if name == "sum" else {"initial": 0}
        assert (result.shape, result.dtype) == ((), dtype)
        np.testing.assert_allclose(result.get(), getattr(np, name)(values, **options), rtol=1e-4)


@pytest.mark.parametrize(("dtype", "size"), list(itertools.product(COMPLEX, SIZES)))
def test_sums_and_products_of_complex_numbers(dtype, size):
    values, dtype = sample(size, dtype), np.dtype(dtype)
    x = gpuarray.to_gpu(values)
    total = reduction.get_sum_kernel(None, dtype)(x).get()
    np.testing.assert_allclose(total, values.sum(), rtol=1e-4)
    dot = reduction.get_dot_kernel(dtype, dtype, dtype)(x, x).get()
    np.testing.assert_allclose(dot, (values * values).sum(), rtol=1e-4)


@pytest.mark.parametrize(("what", "dtype"), list(itertools.product(["min", "max"], NUMBERS)))
def test_least_and_greatest_elements(what, dtype):
    dtype = np.dtype(dtype)
    limits = np.finfo(dtype) if dtype.kind == "f" else np.iinfo(dtype)
    kernel = reduction.get_minmax_kernel(what, dtype)
    for values in (sample(1000, dtype), np.array([limits.min, limits.max], dtype)):
        assert kernel(gpuarray.to_gpu(values)).get() == getattr(values, what)()
    for value in (limits.min, limits.max):
        assert kernel(gpuarray.to_gpu(np.array([value], dtype))).get() == value
    lookup = np.array([3, 1, 4, 15, 92], np.uint32)
    subset = reduction.get_subset_minmax_kernel(what, dtype, np.dtype("uint32"))
    values = sample(1000, dtype)
    result = subset(gpuarray.to_gpu(lookup), gpuarray.to_gpu(values))
    assert result.get() == getattr(values[lookup], what)()


def test_any_and_all_see_parts_of_elements():
    halves = gpuarray.to_gpu(np.full(1000, 0.5, np.float32))
    for make in (reduction.get_any_kernel, reduction.get_all_kernel):
        assert make(np.dtype("int8"), np.dtype("float32"))(halves).get() == 1
    zeros = gpuarray.to_gpu(np.zeros(1000, np.float32))
    for make in (reduction.get_any_kernel, reduction.get_all_kernel):
        assert make(np.dtype("int8"), np.dtype("float32"))(zeros).get() == 0


STRUCT = np.dtype([("least", np.float32), ("greatest", np.float32)])
PREAMBLE = """
struct text_kernel_extent {
  float least, greatest;
  __device__ text_kernel_extent() {}
  __device__ text_kernel_extent(float a, float b) : least(a), greatest(b) {}
};
__device__ text_kernel_extent joined(text_kernel_extent a, text_kernel_extent b) {
  return text_kernel_extent(fminf(a.least, b.least), fmaxf(a.greatest, b.greatest));
}
"""


def test_structs_are_reduced_and_scanned():
    tools.register_dtype(STRUCT, "text_kernel_extent")
    values = np.random.default_rng(1).random(20000, np.float32)
    kernel = ReductionKernel(
        STRUCT, "text_kernel_extent(10, -10)", "joined(a, b)", "text_kernel_extent(x[i], x[i])",
        "float *x", preamble=PREAMBLE,
    )  # fmt: skip
    result = kernel(gpuarray.to_gpu(values)).get()
    assert (result["least"], result["greatest"]) == (values.min(), values.max())
    pairs = np.empty(20000, STRUCT)
    pairs["least"] = pairs["greatest"] = values
    scan = InclusiveScanKernel(STRUCT, "joined(a, b)", preamble=PREAMBLE)
    scanned = scan(gpuarray.to_gpu(pairs)).get()
    np.testing.assert_array_equal(scanned["least"], np.minimum.accumulate(values))
    np.testing.assert_array_equal(scanned["greatest"], np.maximum.accumulate(values))


def test_reductions_take_outputs_values_and_allocators():
    rows = np.random.default_rng(1).random((10, 5000), np.float32)
    x, out = gpuarray.to_gpu(rows), gpuarray.to_gpu(np.zeros(10, np.float32))
    kernel = ReductionKernel(
        np.float32, 0, "a + scale * b", "in[i]", "const float *in, float scale"
    )
    for k in range(10):
        result = kernel(x[k], np.float32(1), out=out[k], stream=driver.Stream())
    driver.Context.synchronize()
    assert result.shape == ()
    np.testing.assert_allclose(out.get(), rows.sum(1), rtol=1e-5)
    pool = tools.DeviceMemoryPool()
    result = kernel(x, np.float32(1), allocator=pool.allocate)
    assert pool.active_blocks > 0
    np.testing.assert_allclose(result.get(), rows.sum(), rtol=1e-5)
    with pytest.raises(ValueError, match="dtype"):
        kernel(x, np.float32(1), out=gpuarray.to_gpu(np.zeros(1)))
    with pytest.raises(RuntimeError, match="non-contiguous"):
        kernel(x[:, 3], np.float32(1))
    with pytest.raises(ValueError, match="vector"):
        ReductionKernel(np.float32, "0", "a+b", "x", "float x")


SCANS = [("a+b", "0", np.add), ("a > b ? a : b", "0", np.maximum)]


@pytest.mark.parametrize("kind", [InclusiveScanKernel, ExclusiveScanKernel])
@pytest.mark.parametrize(("expression", "neutral", "ufunc"), SCANS)
@pytest.mark.parametrize("dtype", ["uint8", "int32", "int64", "float32", "float64"])
def test_scans_are_numpys(kind, expression, neutral, ufunc, dtype):
    kernel = kind(dtype, expression, neutral)
    for size in [*SIZES, 127, 128, 129, 1023, 1024, 1025]:
        values = sample(size, dtype)
        expected = ufunc.accumulate(values, dtype=dtype) if size else values
        if kind is ExclusiveScanKernel:
            expected = np.concatenate([np.zeros(1, dtype), expected])[:size]
        x = gpuarray.to_gpu(values)
        made = kernel(x, "new", stream=driver.Stream())
        driver.Context.synchronize()
        np.testing.assert_array_equal(x.get(), values)
        np.testing.assert_allclose(made.get(), expected, rtol=1e-4)
        assert kernel(x) is x
        np.testing.assert_allclose(x.get(), expected, rtol=1e-4)


def test_scans_keep_the_order_of_operands():
    values = np.where(np.random.default_rng(1).random(100003) < 0.9, -1, np.arange(100003))
    values[0] = 0
    x = gpuarray.to_gpu(values.astype(np.int32))
    InclusiveScanKernel(np.int32, "b < 0 ? a : b")(x)
    np.testing.assert_array_equal(x.get(), np.maximum.accumulate(values))


def test_errors_of_scans():
    with pytest.raises(ValueError, match="neutral"):
        ExclusiveScanKernel(np.int32, "a+b")
    kernel = InclusiveScanKernel(np.int32, "a+b")
    x = gpuarray.to_gpu(np.arange(10, dtype=np.int32))
    with pytest.raises(ValueError, match="same shape"):
        kernel(x, x[:5])
    with pytest.raises(ValueError, match="one dimension"):
        kernel(x.reshape(2, 5))
    with pytest.raises(TypeError, match="float32"):
        kernel(gpuarray.to_gpu(np.zeros(3, np.float32)))
    with pytest.raises(RuntimeError, match="non-contiguous"):
        kernel(x[::2])
