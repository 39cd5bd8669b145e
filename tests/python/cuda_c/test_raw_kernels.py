"""`cupy.RawKernel` and `cupy.RawModule`: what CuPy documents of them, on both devices."""

import io
import pickle
import subprocess
import sys

import numpy as np
import pytest
from phalanx._cuda_c import nvrtc
from phalanx.compat import cupy as cp
from phalanx.compat import cupy_cuda
from phalanx.compat.cupy_compiler import CompileException
from phalanx.compat.cupy_driver import CUDADriverError
from phalanx.compat.cupy_raw_kernels import RawKernel, RawModule

import phalanx as px
from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")
PADDED = pytest.mark.of_phalanx("refuses structs with padding by value")

ADD = """
extern "C" __global__ void add(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += x[i];
}
"""


@pytest.mark.parametrize(
    "passed",
    [
        lambda x: x,
        lambda x: x[:],
        lambda x: x.data,
        lambda x: x.data.ptr,
        lambda x: x.view("int32"),
    ],
    ids=["array", "view", "pointer", "address", "other elements"],
)
@pytest.mark.parametrize("count", [10, 100_000])
def test_what_was_recorded_before_a_launch_keeps_its_values(count, passed):
    x = px.asarray(np.arange(count, dtype="f4"))
    more, shown = x * x + 1, x[::2]
    kernel = RawKernel(ADD, "add")
    kernel((-(-count // 256),), (256,), (px.ones(count, "f4"), passed(x), count))
    after = np.arange(count, dtype="f4")
    np.testing.assert_array_equal(np.asarray(more), after * after + 1)
    np.testing.assert_array_equal(np.asarray(x), after + 1)
    np.testing.assert_array_equal(np.asarray(shown), after[::2] + 1)


def test_warnings_go_to_the_log():
    text = 'extern "C" __global__ void k(float* x, int n) { int unused; x[0] = 1; }'
    log = io.StringIO()
    RawKernel(text, "k").compile(log_stream=log)
    assert "kernel.cu:1:53: warning: unused variable 'unused'" in log.getvalue()
    quiet = io.StringIO()
    RawModule(
        code="template <class T> __global__ void k(T* x) { x[0] = 1; }",
        name_expressions=("k<int>",),
    ).compile(log_stream=quiet)
    assert not quiet.getvalue()


def test_what_was_recorded_before_a_python_kernel_keeps_its_values():
    @cuda.jit
    def add_one(x):
        x[cuda.grid(1)] += 1

    x = px.arange(256.0)
    more = x * x
    add_one[1, 256](x)
    np.testing.assert_array_equal(np.asarray(more), np.arange(256.0) ** 2)
    np.testing.assert_array_equal(np.asarray(x), np.arange(256.0) + 1)


def test_a_kernel_writes_to_arrays_of_other_elements():
    text = 'extern "C" __global__ void k(float* x) { x[threadIdx.x] += threadIdx.x; }'
    z = px.zeros(2, "c8")
    RawKernel(text, "k")((1,), (4,), (z,))
    assert z.tolist() == [0 + 1j, 2 + 3j]


def test_a_table_of_addresses():
    text = 'extern "C" __global__ void k(double** rows, double* y) { y[0] = rows[1][2]; }'
    x, y = px.arange(6.0).reshape(2, 3), px.zeros(1)
    rows = px.asarray(np.array([x[0].data.ptr, x[1].data.ptr], "u8"))
    RawKernel(text, "k")((1,), (1,), (rows, y))
    assert float(y[0]) == 5


@pytest.mark.parametrize("grid", [(4,), (2, 2), (1, 2, 2), 4, [4], (np.int32(4),)])
@pytest.mark.parametrize("block", [(8,), (4, 2, 1), 8])
def test_extents(grid, block):
    text = 'extern "C" __global__ void k(int* x) { atomicAdd(x, 1); }'
    x = px.zeros(1, "i4")
    kernel = RawKernel(text, "k")
    for total in (32, 64, 96):
        kernel(grid, block, (x,))
        assert int(x[0]) == total


def test_extents_below_one_are_one_in_each_launch():
    text = 'extern "C" __global__ void k(int* x) { atomicAdd(x, 1); }'
    x, kernel = px.zeros(1, "i4"), RawKernel(text, "k")
    total = 0
    for grid in ((0, 3), [0, -1], (-5,), 2, (0, 3), (3, 0), [3, 0]):
        for _ in range(2):
            kernel(grid, (0, 2), (x,))
            total += 2 * (2 if grid == 2 else max(1, *grid))
            assert int(x[0]) == total


LIMITS = [
    ((1,), (2048,), 0, CUDADriverError, "CUDA_ERROR_INVALID_VALUE.*1024"),
    ((1,), (1, 1, 65), 0, CUDADriverError, "CUDA_ERROR_INVALID_VALUE"),
    ((1, 1 << 17), (1,), 0, CUDADriverError, "CUDA_ERROR_INVALID_VALUE"),
    ((1,), (4,), 1 << 24, CUDADriverError, "CUDA_ERROR_INVALID_VALUE.*shared memory"),
    ((1.5,), (4,), 0, TypeError, "integers"),
]


@pytest.mark.parametrize(("grid", "block", "shared", "kind", "words"), LIMITS)
def test_launches_beyond_the_limits(grid, block, shared, kind, words):
    y = px.ones(4, "f4")
    with pytest.raises(kind, match=words):
        RawKernel(ADD, "add")(grid, block, (y, y, 4), shared_mem=shared)


@pytest.mark.parametrize("count", [256, 1 << 14])  # more than 48 KiB are asked for like others
def test_shared_memory_of_the_launch(count):
    text = """
    extern "C" __global__ void k(float* x, int n) {
      extern __shared__ float tile[];
      for (int i = threadIdx.x; i < n; i += blockDim.x) tile[i] = x[i];
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) x[i] = tile[n - 1 - i];
    }"""
    kernel = RawKernel(text, "k")
    kernel.max_dynamic_shared_size_bytes = 4 * count
    # Not whole numbers: check mode lets writes pass of what shared memory holds already, and a page
    # of the guide writes whole ones.
    x = px.arange(count, dtype="f4") + 0.5
    kernel((1,), (256,), (x, count), shared_mem=4 * count)
    assert kernel.max_dynamic_shared_size_bytes == 4 * count
    assert bool((x == px.arange(count, dtype="f4")[::-1] + 0.5).all())


def test_attributes():
    text = """
    extern "C" __global__ void k(float* x) {
      __shared__ float tile[256];
      tile[threadIdx.x] = x[threadIdx.x];
      __syncthreads();
      x[threadIdx.x] = tile[255 - threadIdx.x];
    }"""
    kernel = RawKernel(text, "k")
    found = kernel.attributes
    assert set(found) == {
        "max_threads_per_block", "shared_size_bytes", "const_size_bytes", "local_size_bytes",
        "num_regs", "ptx_version", "binary_version", "cache_mode_ca",
        "max_dynamic_shared_size_bytes", "preferred_shared_memory_carveout",
    }  # fmt: skip
    assert found["shared_size_bytes"] == kernel.shared_size_bytes == 1024
    assert found["max_threads_per_block"] == 1024 and found["ptx_version"] >= 50
    assert found["max_dynamic_shared_size_bytes"] >= 48 * 1024 - 1024
    kernel.preferred_shared_memory_carveout = 50
    assert kernel.attributes["preferred_shared_memory_carveout"] == 50
    with pytest.raises(CUDADriverError, match="CUDA_ERROR_INVALID_VALUE"):
        kernel.max_dynamic_shared_size_bytes = 1 << 24
    with pytest.raises(CUDADriverError, match="CUDA_ERROR_INVALID_VALUE"):
        kernel.preferred_shared_memory_carveout = 101
    assert (kernel.code, kernel.name, kernel.__name__) == (text, "k", "k")
    assert (kernel.options, kernel.backend, kernel.file_path) == ((), "nvrtc", None)


OPTIONS = [
    (("-DN=4",), 4),
    (["-D", "N=5"], 5),
    (("--define-macro=N=6", "-UM", "--use_fast_math", "-lineinfo", "-arch=sm_90"), 6),
    (("-DN=6", "-DN=7 + M", "-DM=1", "-UN", "-U", "M", "-DM=2", "-DN=M"), 2),
    (("-DN=(__cplusplus / 100)", "-std=c++14"), 2014),
    (("-DN=(__cplusplus / 100)", "--std=c++11"), 2011),
    (("-DN=(__cplusplus / 100)",), 2017),
]


@pytest.mark.parametrize(("options", "expected"), OPTIONS)
@pytest.mark.parametrize("backend", ["nvrtc", "nvcc"])
def test_options(options, expected, backend):
    text = 'extern "C" __global__ void k(int* x) { x[0] = N; }'
    x = px.zeros(1, "i4")
    RawKernel(text, "k", options, backend)((1,), (1,), (x,))
    assert int(x[0]) == expected


SOURCE_ERRORS = [
    (ADD.replace("y[i]", "z[i]"), (), "kernel.cu:4:14: error: use of undeclared identifier 'z'"),
    ("#if N > 3\n#error N is too large\n#endif\n" + ADD, ("-DN=4",), "N is too large"),
    ('#include "missing.h"\n' + ADD, (), "'missing.h' file not found"),
    (ADD, ("-std=c++98x",), "c\\+\\+17"),
    (ADD, ("-D",), "needs a value"),
    (ADD, ("--nonsense",), "option --nonsense is not known"),
]


@pytest.mark.parametrize(("text", "options", "words"), SOURCE_ERRORS)
def test_source_with_errors_raises_once_a_kernel_is_asked_for(text, options, words):
    kernel, module = RawKernel(text, "add", options), RawModule(code=text, options=options)
    y, log = px.ones(4, "f4"), io.StringIO()
    with pytest.raises(CompileException, match=words) as raised:
        kernel((1,), (4,), (y, y, 4))
    with pytest.raises(CompileException, match=words):
        module.get_function("add")
    with pytest.raises(CompileException):
        module.compile(log_stream=log)
    error = pickle.loads(pickle.dumps(raised.value))
    assert error.get_message() == log.getvalue() and str(error) == str(raised.value)
    error.dump(shown := io.StringIO())
    assert "1 " in shown.getvalue() and error.get_message() in shown.getvalue()


WRONG_MODULES = [
    ({}, TypeError, "Exactly one"),
    ({"code": ADD, "path": "x.cubin"}, TypeError, "Exactly one"),
    ({"code": b"x"}, TypeError, "texts"),
    ({"code": ADD, "options": "-DN"}, TypeError, "tuple"),
    ({"code": ADD, "backend": "clang"}, ValueError, "nvrtc"),
    ({"code": ADD, "backend": "nvcc", "name_expressions": ["add"]}, ValueError, "nvrtc"),
    ({"path": "x.cubin", "name_expressions": ["add"]}, ValueError, "source"),
    ({"code": ADD, "backend": "nvcc", "jitify": True}, ValueError, "nvrtc"),
]


@pytest.mark.parametrize(("given", "kind", "words"), WRONG_MODULES)
def test_what_a_module_is_not_made_of(given, kind, words):
    with pytest.raises(kind, match=words):
        RawModule(**given)


def test_files(tmp_path):
    (tmp_path / "add.cu").write_text(ADD)
    kernel = RawModule(path=str(tmp_path / "add.cu")).get_function("add")
    y = px.ones(4, "f4")
    kernel((1,), (4,), (y, y, 4))
    assert y.tolist() == [2] * 4 and kernel.file_path.endswith("add.cu") and kernel.code is None
    with pytest.raises(CUDADriverError, match="CUDA_ERROR_FILE_NOT_FOUND"):
        RawModule(path=str(tmp_path / "none.cubin")).get_function("add")
    for name in ("add.cubin", "add.ptx"):
        (tmp_path / name).write_bytes(b"\x7fELF")
        with pytest.raises(
            CUDADriverError, match=f"INVALID_IMAGE.*{name}.* damaged|another machine"
        ):
            RawModule(path=str(tmp_path / name)).get_function("add")


TEMPLATES = """
namespace shapes { enum class Kind { flat, round }; }
template <typename T, int N> __global__ void fill(T* x) { x[threadIdx.x] = N; }
template <shapes::Kind k> __global__ void kind(double* x) { x[threadIdx.x] = (int)k + 10; }
__global__ void plain(double* x) { x[threadIdx.x] = -1; }
"""


def test_name_expressions():
    names = ["fill<float, 3>", "fill<unsigned long,4>", "kind<shapes::Kind::round>", "plain"]
    module = RawModule(code=TEMPLATES, name_expressions=names)
    for name, dtype, expected in zip(names, ("f4", "u8", "f8", "f8"), (3, 4, 11, -1), strict=True):
        x = px.zeros(2, dtype)
        module.get_function(name)((1,), (2,), (x,))
        assert x.tolist() == [expected] * 2
    assert set(module.module.mapping) == set(names)
    for missing in ("fill<int, 3>", "nothing"):
        with pytest.raises(CUDADriverError, match="CUDA_ERROR_NOT_FOUND: named symbol not found"):
            module.get_function(missing)
    with pytest.raises(CompileException, match="undeclared identifier 'nothing'"):
        RawModule(code=TEMPLATES, name_expressions=["fill<nothing, 3>"]).get_function("plain")


def test_variables():
    text = """
    __constant__ float table[4];
    __device__ int counter = 5;
    extern "C" __global__ void k(float* x) {
      x[threadIdx.x] *= table[threadIdx.x];
      atomicAdd(&counter, 1);
    }
    """
    module = RawModule(code=text)
    table = px.ndarray((4,), "f4", module.get_global("table"))
    table[...] = px.arange(4, dtype="f4")
    x = px.full(4, 2, "f4")
    module.get_function("k")((1,), (4,), (x,))
    assert x.tolist() == [0, 2, 4, 6]
    assert int(px.ndarray((1,), "i4", module.get_global("counter"))[0]) == 9
    with pytest.raises(CUDADriverError, match=r"CUDA_ERROR_NOT_FOUND.*counter"):
        module.get_global("nothing")
    with pytest.raises(NotImplementedError, match="texture object"):
        module.get_texref("nothing")


def test_streams():
    kernel, x, y = RawKernel(ADD, "add"), px.ones(4, "f4"), px.zeros(4, "f4")
    stream = cupy_cuda.Stream()
    cuda.synchronize()
    kernel((1,), (4,), (x, y, 4), stream=stream)
    stream.synchronize()
    with stream:
        kernel((1,), (4,), (x, y, 4))
    kernel((1,), (4,), (x, y, 4), stream=cupy_cuda.Stream.null)
    assert y.tolist() == [3] * 4


def test_the_compiled_kernel_and_its_linear_launch():
    kernel, x, y = RawKernel(ADD, "add"), px.ones(300, "f4"), px.zeros(300, "f4")
    kernel.kernel.linear_launch(300, (x, y, 300))
    kernel.kernel((3,), (100,), (x, y, 300))
    assert y.tolist() == [2] * 300
    module = RawModule(code=ADD).module
    module.get_function("add").linear_launch(300, (x, y, 300), block_max_size=32)
    assert y.tolist() == [3] * 300
    assert ".entry add" in kernel.kernel.handle.ptx((9, 0))


PICKLED = """
import pickle, sys
import phalanx as px
made = pickle.loads(sys.stdin.buffer.read())
kernel = made.get_function("add") if hasattr(made, "get_function") else made
y = px.ones(4, "f4")
kernel((1,), (4,), (y, y, 4))
assert y.tolist() == [2] * 4 and kernel.enable_cooperative_groups and kernel.options == ("-DM",)
"""


@pytest.mark.parametrize("what", ["kernel", "module", "kernel of a module"])
def test_pickling_keeps_the_source(what):
    given = {"options": ("-DM",), "enable_cooperative_groups": True}
    module = RawModule(code=ADD, **given)
    made = {
        "kernel": lambda: RawKernel(ADD, "add", **given),
        "module": lambda: module,
        "kernel of a module": lambda: module.get_function("add"),
    }[what]()
    for _ in range(2):  # before it is compiled, and after
        text = pickle.dumps(made)
        subprocess.run([sys.executable, "-c", PICKLED], input=text, check=True)
        made.compile()
    with pytest.raises(pickle.UnpicklingError, match="another version"):
        made.__setstate__({**made.__getstate__(), "raw_ver": 0})


GRID_SYNC = """
#include <cooperative_groups.h>
extern "C" __global__ void k(const float* x, float* y, int n) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  int size = gridDim.x * blockDim.x, first = blockDim.x * blockIdx.x + threadIdx.x;
  for (int i = first; i < n; i += size) y[i] = 2 * x[i];
  cooperative_groups::sync(grid);
  for (int i = n - 1 - first; i >= 0; i -= size) y[i] += x[i];
}
"""


@pytest.mark.parametrize(("grid", "block"), [(1, 32), (1, 256), (2, 64), (5, 100)])
def test_blocks_wait_for_each_other(grid, block):
    kernel = RawKernel(GRID_SYNC, "k", enable_cooperative_groups=True)
    x, y = px.arange(1000, dtype="f4"), px.zeros(1000, "f4")
    kernel((grid,), (block,), (x, y, 1000))
    assert y.tolist() == (3 * np.arange(1000)).tolist()


def test_a_grid_that_does_not_fit_is_reduced():
    kernel = RawKernel(GRID_SYNC, "k", enable_cooperative_groups=True)
    x, y = px.arange(1000, dtype="f4"), px.zeros(1000, "f4")
    with pytest.warns(UserWarning, match="reduced"):
        kernel((1 << 20,), (64,), (x, y, 1000))
    assert y.tolist() == (3 * np.arange(1000)).tolist()
    with pytest.raises(ValueError, match="run at once"):
        kernel((1 << 10, 1 << 10), (64,), (x, y, 1000))


@pytest.mark.parametrize("dtype", ["c8", pytest.param("c16", marks=PADDED)])
def test_complex_numbers_of_cupys(dtype):
    real, part = {"c8": ("float", "f4"), "c16": ("double", "f8")}[dtype]
    text = """
    #include <cupy/complex.cuh>
    template <typename T>
    __global__ void k(const complex<T>* x, complex<T> by, complex<T>* y, T* size) {
      int i = threadIdx.x;
      y[i] = exp(x[i]) / by + conj(x[i]) * T(2) - sqrt(x[i]);
      size[i] = abs(y[i]);
    }"""
    kernel = RawModule(code=text, name_expressions=[f"k<{real}>"]).get_function(f"k<{real}>")
    x = (np.linspace(-2, 2, 9) + 1j * np.linspace(1, -3, 9)).astype(dtype)
    y, size = px.zeros(9, dtype), px.zeros(9, part)
    kernel((1,), (9,), (px.asarray(x), 1 - 2j, y, size))
    expected = np.exp(x) / (1 - 2j) + x.conj() * 2 - np.sqrt(x)
    np.testing.assert_allclose(y.get(), expected, rtol=8 * np.finfo(dtype).eps)
    np.testing.assert_allclose(size.get(), abs(expected), rtol=8 * np.finfo(dtype).eps)


def test_quotients_are_those_of_arrays():
    text = """
    #include <cuComplex.h>
    extern "C" __global__ void k(const cuComplex* a, const cuComplex* b, cuComplex* y) {
      int i = threadIdx.x;
      y[i] = cuCdivf(a[i], b[i]);
    }"""
    rng = np.random.default_rng(1)
    a, b = (px.asarray((rng.random((2, 500)) * [[1], [1j]]).sum(0).astype("c8")) for _ in "ab")
    y = px.zeros(500, "c8")
    RawKernel(text, "k", translate_cucomplex=True)((1,), (500,), (a, b, y))
    if nvrtc.chosen(None) == "nvrtc":  # which fuses other products and sums
        np.testing.assert_allclose(y.get(), (a / b).get(), rtol=8 * np.finfo("f4").eps)
    else:
        assert bool((y == a / b).all())


def test_under_the_name_cupy():
    code = f"""
import cupy as cp, numpy as np
kernel = cp.RawKernel({ADD!r}, "add")
x, y = cp.ones(4, "f4"), cp.zeros(4, "f4")
with cp.cuda.Stream() as stream:
    kernel((1,), (4,), (x, y, np.int32(4)))
    stream.synchronize()
assert y.tolist() == [1] * 4 and cp.cuda.get_local_runtime_version() >= 12000
function = cp.cuda.function.Function(kernel.kernel.module, "add")
function.linear_launch(4, (x, y, 4))
assert y.tolist() == [2] * 4
try:
    cp.RawModule(code=kernel.code).get_function("none")
except cp.cuda.driver.CUDADriverError as error:
    assert "CUDA_ERROR_NOT_FOUND" in str(error)
try:
    cp.RawKernel("broken", "none").compile()
except (cp.cuda.compiler.CompileException, cp.cuda.compiler.JitifyException) as error:
    assert "kernel.cu:1" in error.get_message()
"""
    subprocess.run([sys.executable, "-m", "phalanx", "run", "-c", code], check=True)


VIEWS = {
    "reversed": lambda a: a[40:48][::-1],
    "every other": lambda a: a[40:56:2],
    "a column": lambda a: a.reshape(10, 10)[:, 3],
    "a block": lambda a: a.reshape(10, 10)[2:4, 1:5],
    "broadcast": lambda a: np.broadcast_to(a[7:8], (8,)),
    "transposed block": lambda a: a.reshape(10, 10)[2:6, 1:3].T,
}


@pytest.mark.parametrize("view", VIEWS)
def test_views_of_the_host_are_dense_arrays_here(view):
    host = VIEWS[view](np.arange(100, dtype="f4"))
    text = 'extern "C" __global__ void f(float* x, float* o) { o[threadIdx.x] = x[threadIdx.x]; }'
    out = cp.zeros(host.size, "f4")
    RawKernel(text, "f")((1,), (host.size,), (cp.asarray(host), out))
    assert cp.asnumpy(out).tolist() == host.ravel().tolist()
