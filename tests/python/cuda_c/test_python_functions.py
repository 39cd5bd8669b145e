"""Functions in Python that kernels in CUDA C call by the names that their source declares."""

import linecache
import math

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule, SourceOptions
from phalanx.compat.cupy_raw_kernels import RawKernel, RawModule
from phalanx.compat.pycuda import errors as pycuda_errors
from phalanx.compat.pycuda.compiler import SourceModule

import phalanx
from phalanx import cuda, errors

NUMBERS = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
    "uint16": "unsigned short", "int32": "int", "uint32": "unsigned", "int64": "long long",
    "uint64": "unsigned long long", "float16": "__half", "float32": "float", "float64": "double",
    "complex64": "thrust::complex<float>", "complex128": "thrust::complex<double>",
}  # fmt: skip

MAP = """#include <cuda_fp16.h>
#include <thrust/complex.h>
extern "C" __device__ {c} f({c}, {c});
extern "C" __global__ void map({c}* x, const {c}* y, int n) {{
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = f(x[i], y[i]);
}}
"""


def module_of(text, functions):
    return CudaCModule(text, "mine.cu", SourceOptions(functions=functions))


def run(text, name, functions, *arguments, blocks=2):
    passed = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    module = module_of(text, functions)
    module.kernel(name).launch(blocks, 64, passed)
    cuda.synchronize()
    pairs = zip(passed, arguments, strict=True)
    return [p.copy_to_host() for p, a in pairs if isinstance(a, np.ndarray)]


@pytest.mark.parametrize("type_", NUMBERS)
def test_numbers_go_to_python_and_come_back(device, type_):
    def larger(x, y):
        return x if x.real >= y.real else y

    def larger_number(x, y):
        return x if x >= y else y

    rng = np.random.default_rng(5)
    dtype = np.dtype(type_)
    x, y = (rng.integers(0, 2 if dtype.kind == "b" else 100, 100).astype(dtype) for _ in range(2))
    function = larger if dtype.kind == "c" else larger_number
    found, _ = run(MAP.format(c=NUMBERS[type_]), "map", {"f": function}, x, y, 100)
    np.testing.assert_array_equal(found, np.where(x.real >= y.real, x, y))


def test_the_function_becomes_part_of_the_kernel(device):
    def f(x, y):
        return math.sqrt(x * x + y * y)

    module = module_of(MAP.format(c="double"), {"f": f})
    ptx = module.kernel("map").handle.ptx((9, 0))
    assert "call" not in ptx and "sqrt.rn.f64" in ptx and ".local" not in ptx


def test_several_functions_and_functions_that_they_call(device):
    @cuda.jit(device=True)
    def square(x):
        return x * x

    @cuda.jit(device=True)
    def g(x):
        return square(x) + cuda.threadIdx.x

    text = """
__device__ float f(float);
namespace inner { extern "C" __device__ int g(int); }
extern "C" __global__ void k(float* x) { x[threadIdx.x] = f(x[threadIdx.x]) + inner::g(3); }
"""
    x = np.arange(64, dtype=np.float32)
    (found,) = run(text, "k", {"_Z1ff": lambda x: x + 1, "g": g}, x, blocks=1)
    np.testing.assert_array_equal(found, x + 1 + 9 + np.arange(64))


STRUCT = """
struct Body { float mass; double at[2]; };
extern "C" __device__ double weight(Body body);
extern "C" __device__ double weight_at(const Body* body);
extern "C" __device__ Body moved(Body body, double by);
extern "C" __global__ void k(Body* bodies, double* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = weight(bodies[i]) - weight_at(&bodies[i]);
  bodies[i] = moved(bodies[i], i);
}
"""
BODY = np.dtype([("mass", np.float32), ("at", np.float64, 2)], align=True)


def test_structs_are_tuples_with_names_and_records(device):
    def weight(body):
        return body.mass * body.at[1]

    def weight_at(body):
        return body.mass + body.at[0]

    def moved(body, by):
        return (body.mass, (body.at[0] + by, body.at[1] - by))

    bodies = np.zeros(128, BODY)
    bodies["mass"] = np.arange(128)
    bodies["at"] = np.arange(256).reshape(128, 2)
    functions = {"weight": weight, "weight_at": weight_at, "moved": moved}
    found, out = run(STRUCT, "k", functions, bodies, np.zeros(128))
    i = np.arange(128)
    np.testing.assert_array_equal(out, i * (2.0 * i + 1) - (i + 2 * i))
    np.testing.assert_array_equal(found["mass"], bodies["mass"])
    np.testing.assert_array_equal(found["at"], bodies["at"] + np.stack([i, -i], axis=1))


def test_cupys_modules_and_kernels_take_them(device):
    text = MAP.format(c="float")
    for kernel in (
        RawModule(code=text, functions={"f": lambda x, y: x * y}).get_function("map"),
        RawKernel(text, "map", functions={"f": lambda x, y: x * y}),
    ):
        x, y = phalanx.arange(64, dtype="float32"), phalanx.full(64, 3, "float32")
        kernel((1,), (64,), (x, y, 64))
        np.testing.assert_array_equal(np.asarray(x), 3 * np.arange(64))


def test_pycudas_modules_take_them(device):
    text = """
__device__ float f(float x);
__global__ void map(float* x) { x[threadIdx.x] = f(x[threadIdx.x]); }"""
    x = cuda.to_device(np.arange(32, dtype=np.float32))
    kernel = SourceModule(text, functions={"f": lambda x: -x}).get_function("map")
    kernel(x, block=(32, 1, 1))
    np.testing.assert_array_equal(x.copy_to_host(), -np.arange(32))
    with pytest.raises(pycuda_errors.CompileError, match="is called nowhere"):
        SourceModule(text, functions={"g": lambda x: x})


@cuda.jit("float64(float64, float64)", device=True)
def of_doubles(x, y):
    return x + y


@pytest.mark.parametrize(
    "functions, error, words",
    [
        ({"g": lambda x: x}, ValueError, "it calls f"),
        ({"f": 3}, TypeError, "not int"),
        ([1], TypeError, "a dictionary of Python functions"),
        ({"f": lambda x: x}, errors.CompileError, r"does not fit float32 f\(float32, float32\)"),
        ({"f": lambda x, y: (x, y)}, errors.CompileError, r"does not fit float32 f"),
        ({"f": of_doubles}, errors.LoweringError, "compiled for .*float64.* only"),
    ],
)  # fmt: skip
def test_functions_that_do_not_fit_are_refused(functions, error, words):
    with pytest.raises(error, match=f"(?s){words}"):
        module_of(MAP.format(c="float"), functions)


def test_a_declaration_without_a_function_is_refused():
    text = 'extern "C" __device__ float g(float);\n' + MAP.format(c="float").replace(
        "= f(x[i], y[i])", "= f(x[i], g(y[i]))"
    )
    with pytest.raises(errors.LoweringError, match=r"mine\.cu calls float32 g\(float32\)"):
        module_of(text, {"f": lambda x, y: x})
    with pytest.raises(errors.CompileError, match="g is declared but has no body"):
        CudaCModule(text, "mine.cu")


def test_another_function_is_another_kernel_in_the_disk_cache(device):
    text, x = MAP.format(c="float"), np.arange(100, dtype=np.float32)
    for _ in range(2):
        for by in (2, 3):
            found, _ = run(text, "map", {"f": lambda x, y, by=by: x * by}, x, x, 100)
            np.testing.assert_array_equal(found, x * by)


MOVED = """
def f(x, y):
    table = cuda.local.array(4, np.float32)
    table[int(x) + 9] = y
    return table[int(x) + 9]
"""


def test_a_fault_in_a_function_names_the_line_where_it_stands_now(device, tmp_path):
    text, x = MAP.format(c="float"), cuda.to_device(np.ones(4, np.float32))
    for above in (0, 5):
        file = tmp_path / "moved.py"
        file.write_text("\n" * above + MOVED)
        linecache.clearcache()
        names = {"cuda": cuda, "np": np}
        exec(compile(file.read_text(), str(file), "exec"), names)
        options = SourceOptions(functions={"f": names["f"]})
        module = CudaCModule(text, "mine.cu", options, check="bounds")
        with pytest.raises(errors.KernelError) as raised:
            module.kernel("map").launch(1, 1, [x, x, 1])
            cuda.synchronize()
        assert f"moved.py:{above + 4}" in str(raised.value)
