"""Check mode of CUDA C through CuPy's and PyCUDA's names: what memory an argument leads into."""

import numpy as np
import phalanx.compat.pycuda.driver as drv
import pytest
from phalanx._cuda_c import CudaCModule
from phalanx.compat.cupy_raw_kernels import RawKernel
from phalanx.compat.pycuda import gpuarray
from phalanx.compat.pycuda.autoinit import context  # noqa: F401
from phalanx.compat.pycuda.compiler import SourceModule

import phalanx as px
from phalanx import KernelError, _engine, cuda

pytestmark = pytest.mark.usefixtures("device")

READ = """
extern "C" __global__ void k(const float* given, int i, float* y) {
  y[0] = given[i];
}"""
FIELDS = np.dtype([("n", "i4"), ("data", "u8")], align=True)
OF_STRUCT = """
struct Vector { int n; float* data; };
extern "C" __global__ void k(Vector given, int i, float* y) {
  y[0] = given.data[i];
}"""


@pytest.fixture(autouse=True)
def checks(monkeypatch):
    monkeypatch.setenv("PHALANX_CHECK", "bounds")


def fault_of(call, *arguments):
    with pytest.raises(KernelError) as raised:
        call(*arguments)
        cuda.synchronize()
    return raised.value.faults[0]


def record(x):
    return np.array((x.size, x.data.ptr), FIELDS)


# What is passed of a float32 array of 8, the index that is its last, the number of elements.
OF_CUPY = {
    "an array": (READ, lambda x: x, 7, 8),
    "its rows": (READ, lambda x: x.reshape(2, 4), 7, 8),
    "a transposed array": (READ, lambda x: x.reshape(2, 4).T, 7, 8),
    "a slice": (READ, lambda x: x[2:6], 3, 4),
    "with gaps": (READ, lambda x: x[::3], 7, 8),
    "columns": (READ, lambda x: x.reshape(2, 4)[:, 1:3], 6, 8),  # whose first one is x[1]
    "other elements": (READ, lambda x: x.view("i4"), 7, 8),
    "memory": (READ, lambda x: x.data, 7, 8),
    "a part of its memory": (READ, lambda x: x.data + 8, 5, 6),
    "an address": (READ, lambda x: x.data.ptr, 7, 8),
    "an address as NumPy's": (READ, lambda x: np.uint64(x.data.ptr), 7, 8),
    "an address within": (READ, lambda x: x.data.ptr + 8, 5, 8),
    "a struct": (OF_STRUCT, record, 7, 8),
}


@pytest.mark.parametrize("what", OF_CUPY)
def test_memory_that_cupy_passes_ends_where_it_does(what):
    text, passed, last, count = OF_CUPY[what]
    kernel = RawKernel(text, "k")
    x, y = px.arange(8, dtype="f4"), px.zeros(1, dtype="f4")
    kernel((1,), (1,), (passed(x), last, y))
    assert float(y[0]) == (5 if what == "a slice" else 7)
    fault = fault_of(kernel, (1,), (1,), (passed(x), last + 1, y))
    assert (fault.index, fault.shape) == ((count,), (count,))
    assert fault.line == 1 + text[: text.index("y[0]")].count("\n")


def test_an_address_within_memory_may_be_read_before():
    kernel = RawKernel(READ, "k")
    x, y = px.arange(8, dtype="f4"), px.zeros(1, dtype="f4")
    kernel((1,), (1,), (x.data.ptr + 8, -2, y))
    assert float(y[0]) == 0
    assert fault_of(kernel, (1,), (1,), (x.data.ptr + 8, -3, y)).index == (-1,)


def test_no_pointer_has_no_elements():
    kernel = RawKernel(READ, "k")
    y = px.zeros(1, dtype="f4")
    assert fault_of(kernel, (1,), (1,), (None, 0, y)).shape == (0,)


ADDRESSES = [0, 8, 4095, 1 << 20, 0xDEADBEEF000, (1 << 63) + 8]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_without_memory_has_no_elements(device, address):
    if device == "cuda" and address >= 4096:
        pytest.skip("the host does not know a GPU's addresses")
    kernel = RawKernel(READ, "k")
    y = px.zeros(1, dtype="f4")
    fault = fault_of(kernel, (1,), (1,), (np.uint64(address), 0, y))
    assert (fault.array, fault.line, fault.shape) == ("given", 3, (0,))


def test_memory_of_the_host_may_be_read_by_its_address(device):
    if device == "cuda":
        pytest.skip("a GPU does not read the host's memory by its address")
    x, y = np.arange(8, dtype="f4"), px.zeros(1, dtype="f4")
    RawKernel(READ, "k")((1,), (1,), (x.ctypes.data, 7, y))
    assert float(y[0]) == 7


def test_memory_that_was_freed_has_no_elements():
    _engine.current_device().trim_pool()  # a full one would give the memory back
    kernel = RawKernel(READ, "k")
    kernel.compile()
    y = px.zeros(1, dtype="f4")
    allocation = cuda.device_array(1 << 20, np.float32)
    address = int(allocation.device_ctypes_pointer.value)
    kernel((1,), (1,), (address, 0, y))
    del allocation
    _engine.pending_memory(_engine.current_device()).clear()  # until then it waits with others
    cuda.synchronize()
    assert fault_of(kernel, (1,), (1,), (address, 0, y)).shape == (0,)


# Blocks that the pool does not keep, and some that it keeps until it is trimmed.
@pytest.mark.parametrize("count", [1 << 13, 1 << 16, 1 << 20])
def test_memory_that_went_back_to_the_system_may_belong_to_another(device, count):
    if device == "cuda":
        pytest.skip("a GPU's memory is no other library's")
    kernel = RawKernel(READ, "k")
    kernel.compile()
    y = px.zeros(1, dtype="f4")
    for _ in range(20):
        made = [cuda.device_array(count, np.float32) for _ in range(9)]
        starts = [int(each.device_ctypes_pointer.value) for each in made]
        del made
        cuda.synchronize()
        _engine.current_device().trim_pool()
        others = [np.ones(count, np.float32) for _ in range(20)]
        inside = [
            each
            for each in others
            if any(start <= each.ctypes.data < start + 4 * count for start in starts)
        ]
        for each in inside:
            kernel((1,), (1,), (each.ctypes.data, 0, y))
        cuda.synchronize()
        if inside:
            break
    assert y[0] == 1


TEXT_OF_PYCUDA = """__global__ void k(const float* given, int i, float* y) {
  y[0] = given[i];
}"""
OF_PYCUDA = {
    "an allocation": lambda x: x.gpudata,
    "an array": lambda x: x,
    "an address": lambda x: int(x.gpudata),
    "an address as NumPy's": lambda x: np.intp(x.ptr),
    "a copy": lambda x: drv.In(x.get()),
}


@pytest.mark.parametrize("first_line", [0, 1, 3])
@pytest.mark.parametrize("what", OF_PYCUDA)
def test_memory_that_pycuda_passes_ends_where_it_does(what, first_line):
    kernel = SourceModule("\n" * first_line + TEXT_OF_PYCUDA).get_function("k")
    x, y = gpuarray.to_gpu(np.arange(8, dtype=np.float32)), gpuarray.zeros(1, np.float32)
    passed = OF_PYCUDA[what]

    def call(i):
        kernel(passed(x), np.int32(i), y, block=(1, 1, 1))

    call(7)
    assert y.get()[0] == 7
    fault = fault_of(call, 8)
    assert (fault.array, fault.index, fault.shape) == ("given", (8,), (8,))
    assert fault.line == 2 + first_line


def test_a_prepared_call_is_checked():
    kernel = SourceModule(TEXT_OF_PYCUDA).get_function("k").prepare("PiP")
    x, y = gpuarray.to_gpu(np.arange(8, dtype=np.float32)), gpuarray.zeros(1, np.float32)
    kernel.prepared_call((1, 1), (1, 1, 1), x.gpudata, 7, y.gpudata)
    assert y.get()[0] == 7
    fault = fault_of(kernel.prepared_call, (1, 1), (1, 1, 1), x.gpudata, -1, y.gpudata)
    assert (fault.index, fault.shape) == ((-1,), (8,))


def test_allocations_that_were_freed_are_refused():
    kernel = SourceModule(TEXT_OF_PYCUDA).get_function("k")
    x, y = drv.mem_alloc(32), drv.mem_alloc(4)
    x.free()
    with pytest.raises(drv.LogicError, match="freed before"):
        kernel(x, np.int32(0), y, block=(1, 1, 1))


# What #line says, the line of the wrong read and the file that a report names.
LINES = {
    "none": ("", "kernel.cu", 3),
    "a number": ("#line 40", "kernel.cu", 41),
    "a file": ('#line 7 "part.cuh"', "part.cuh", 8),
    "a preprocessor's": ('# 9 "made.cu"', "made.cu", 10),
    "spaces": ('  #  line  5  "made.cu"  ', "made.cu", 6),
}


@pytest.mark.parametrize("what", LINES)
def test_a_report_shows_the_line_that_a_directive_says(what):
    directive, file, line = LINES[what]
    text = f"""{directive}
extern "C" __global__ void k(float* x, int i) {{
  x[i] = 2;  // here
}}"""
    x = cuda.to_device(np.zeros(4, np.float32))
    kernel = CudaCModule(text, "kernel.cu").kernel("k")
    fault = fault_of(kernel.launch, 1, 1, [x, 4])
    assert (fault.file, fault.line, fault.source) == (file, line, "  x[i] = 2;  // here")


def test_races_in_shared_memory_are_found_through_pointers(device):
    if device == "cuda":
        pytest.skip("races are looked for on the CPU device")
    text = """
extern "C" __global__ void k(float* x) {
  __shared__ float tile[64];
  float* p = tile;
  p[threadIdx.x] = x[threadIdx.x];
  x[threadIdx.x] = p[63 - threadIdx.x];
}"""
    x = cuda.to_device(np.arange(64, dtype=np.float32))
    kernel = CudaCModule(text, "kernel.cu", check="bounds,races").kernel("k")
    fault = fault_of(kernel.launch, 1, 64, [x])
    assert (fault.category, fault.array, fault.line) == ("races", "tile", 5)


CHOICES = [
    "float* p = k ? a : b; p[i] = 1;",
    "(k ? a : b)[i] = 1;",
    "*((k ? a : b) + i) = 1;",
    "float* p = i < 4 ? a : b; p[i] = 1;",
    "float* p = b; if (k) p = a; p[i] = 1;",
]


@pytest.mark.parametrize("statement", CHOICES)
def test_a_choice_of_pointers_is_held_against_the_chosen_memory(statement, device):
    text = f"""extern "C" __global__ void f(float* a, float* b, int k) {{
      int i = threadIdx.x; {statement} }}"""
    module = CudaCModule(text, check="bounds")
    a, b = (cuda.to_device(np.zeros(n, np.float32)) for n in (32, 16))
    module.kernel("f").launch(1, 16, [a, b, 0])
    with pytest.raises(KernelError, match="index 16 on axis 0"):
        module.kernel("f").launch(1, 17, [a, b, 0])
