"""CUDA C that kernels call on the CPU device."""

import numpy as np
import pytest

from phalanx import _engine, cuda, errors, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


@pytest.fixture(autouse=True)
def on_cpu():
    before = _engine.current_device()
    _engine.set_current_device(_engine.device("cpu"))
    yield
    _engine.set_current_device(before)


class FFI:
    """Known to kernels by its module, as cffi's own."""

    __module__ = "cffi.api"


ffi = FFI()


def extern(name, signature, body, **options):
    return cuda.declare_device(name, signature, cuda.CUSource(f'extern "C" {body}'), **options)


@pytest.mark.parametrize("block", [1, 32, 57])
def test_each_thread_calls_it_for_itself(block):
    half = extern(
        "half_of", "float32(int32)", "__device__ float half_of(int x) { return x / 2.f; }", abi="c"
    )

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        if i < out.shape[0] and i % 3 != 0:
            out[i] = half(i)

    out = np.full(200, -1, np.float32)
    kernel[(200 + block - 1) // block, block](out)
    i = np.arange(200)
    np.testing.assert_array_equal(out, np.where(i % 3 != 0, i / 2, -1))


@pytest.mark.parametrize(
    "type_, c", [("boolean", "bool"), ("int8", "signed char"), ("uint8", "unsigned char"),
                 ("int16", "short"), ("uint16", "unsigned short"), ("int32", "int"),
                 ("uint32", "unsigned"), ("int64", "long long"), ("uint64", "unsigned long long"),
                 ("float32", "float"), ("float64", "double")]
)  # fmt: skip
@pytest.mark.parametrize("abi", ["c", "numba"])
def test_every_number_is_passed_and_given_back(type_, c, abi):
    body = (
        f"__device__ {c} swap({c} x, {c} y) {{ return x == y ? x : y; }}"
        if abi == "c"
        else f"__device__ int swap({c}* out, {c} x, {c} y) {{ *out = x == y ? x : y; return 0; }}"
    )
    swap = extern("swap", f"{type_}({type_}, {type_})", body, abi=abi)

    @cuda.jit
    def kernel(out, x, y):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = swap(x[i], y[i])

    dtype = np.dtype("bool" if type_ == "boolean" else type_)
    x = np.array([0, 1, 0, 1] if dtype.kind == "b" else [3, 100, 7, 0]).astype(dtype)
    y = np.array([1, 0, 0, 1] if dtype.kind == "b" else [-5, 100, -1, 9]).astype(dtype)
    out = np.zeros_like(x)
    kernel[1, 32](out, x, y)
    np.testing.assert_array_equal(out, y)


def test_pointers_lead_to_arrays_and_shared_memory():
    total = extern(
        "total_of",
        types.float32(types.CPointer(types.float32), types.int64),
        "__device__ float total_of(const float* x, long long n)"
        "{ float sum = 0; for (long long i = 0; i < n; ++i) sum += x[i]; return sum; }",
        abi="c",
    )

    @cuda.jit
    def kernel(out, x):
        i = cuda.threadIdx.x
        tile = cuda.shared.array(64, np.float32)
        tile[i] = x[i]
        cuda.syncthreads()
        out[i] = total(ffi.from_buffer(x), i) + total(ffi.from_buffer(tile), 64)

    x = np.arange(64, dtype=np.float32)
    out = np.zeros_like(x)
    kernel[1, 64](out, x)
    np.testing.assert_array_equal(out, np.cumsum(x) - x + x.sum())


def test_a_function_without_result_writes_where_it_points():
    fill = extern(
        "fill_in",
        types.void(types.CPointer(types.int32), types.int32),
        "__device__ void fill_in(int* x, int i) { x[i] = 10 * i; }",
        abi="c",
    )

    @cuda.jit
    def kernel(x):
        i = cuda.grid(1)
        if i < x.shape[0]:
            fill(ffi.from_buffer(x), i)

    x = np.zeros(50, np.int32)
    kernel[2, 32](x)
    np.testing.assert_array_equal(x, 10 * np.arange(50))


def test_the_name_of_a_function_of_the_system_is_no_other_function():
    index = extern("index", "int32(int32)", "__device__ int index(int x) { return x + 7; }",
                   abi="c")  # fmt: skip

    @cuda.jit
    def kernel(out):
        out[0] = index(1)

    out = np.zeros(1, np.int32)
    kernel[1, 1](out)
    assert out[0] == 8


@pytest.mark.parametrize(
    "code, error, words",
    [
        (cuda.CUSource("int f(int x) { return threadIndex.x; }", name="wrong"), errors.CompileError,
         "wrong does not compile:(.|\n)*threadIndex"),
        (cuda.CUSource("int f(int x) { return x; }"), errors.LoweringError, 'are extern "C"'),
        (cuda.PTXSource(".version 7.0"), errors.LoweringError, r"calls f\(\).* on a GPU only"),
        (cuda.CUSource('extern "C" int g() { return 1; }'), errors.LoweringError,
         r"calls f\(\), linked code that no link= holds"),
    ],
)  # fmt: skip
def test_what_cannot_be_linked_says_why(code, error, words):
    f = cuda.declare_device("f", "int32(int32)", code, abi="c")

    @cuda.jit
    def kernel(out):
        out[0] = f(1)

    with pytest.raises(error, match=words):
        kernel[1, 1](np.zeros(1, np.int32))


def test_types_that_the_function_does_not_have_are_refused():
    f = extern("f", "complex64(complex64)", "int f(int x) { return x; }", abi="c")

    @cuda.jit
    def kernel(out):
        out[0] = f(out[0])

    with pytest.raises(
        errors.LoweringError, match=r"complex64 f\(complex64\), and .* has int32 f\(int32\)"
    ):
        kernel[1, 1](np.zeros(1, np.complex64))


def test_pointers_to_local_arrays_lead_to_the_threads_own():
    f = extern("f", types.int32(types.CPointer(types.int32)),
               "int f(int* x) { return x[1] += x[0]; }", abi="c")  # fmt: skip

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        own = cuda.local.array(3, np.int32)
        for j in range(3):
            own[j] = i + j
        f(ffi.from_buffer(own))
        out[i, 0], out[i, 1], out[i, 2] = own[0], own[1], own[2]

    out = np.zeros((70, 3), np.int32)
    kernel[2, 35](out)
    i = np.arange(70)
    np.testing.assert_array_equal(out, np.stack([i, 2 * i + 1, i + 2], axis=1))


def test_code_that_no_kernel_calls_is_not_compiled():
    @cuda.jit(link=[cuda.CUSource("this is no C")])
    def kernel(out):
        out[0] = 1

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 1


def test_a_kernel_from_the_disk_cache_is_linked_too():
    half = extern("half_of", "float32(int32)", "float half_of(int x) { return x / 2.f; }", abi="c")

    @cuda.jit
    def kernel(out):
        out[0] = half(5)

    for _ in range(2):
        kernel.recompile()
        out = np.zeros(1, np.float32)
        kernel[1, 1](out)
        assert out[0] == 2.5
    assert kernel.stats.cache_hits
