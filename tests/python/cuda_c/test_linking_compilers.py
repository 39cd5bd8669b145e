"""Which compiler makes the functions in CUDA C that kernels in Python call, by the fake driver."""

import re

import fake_gpu
import pytest
from phalanx._core.toolkit import find_library

HEAP = "int* p = new int(x); x = *p; delete p;"  # NVRTC's only

# A kernel has one module for all devices, which the first one settles.
DEVICES_IN_TURN = """
import numpy as np
from phalanx import _engine, cuda, errors

f = cuda.declare_device("f", "int32(int32)", cuda.CUSource(
    'extern "C" __device__ int f(int x) { TEXT return x; }'), abi="c")

@cuda.jit
def kernel(out):
    out[0] = f(41)

def cpu():
    out = np.zeros(1, np.int32)
    try:
        kernel[1, 1](out)
        print(*out)
    except errors.CompileError as error:
        print("once more" if "once more for the CPU device" in str(error) else "refused")

def cuda_():
    made = kernel.kernel_for((_engine.typeof(np.zeros(1, np.int32)),)).module
    print("left" if _engine.external_functions(made) else "linked")

for name, each in (ORDER):
    _engine.set_current_device(_engine.device(name))
    each()
"""
CPU_FIRST = '("cpu", cpu), ("cuda", cuda_)'
GPU_FIRST = '("cuda", cuda_), ("cpu", cpu)'


@fake_gpu.needed
@pytest.mark.parametrize(
    ("text", "compiler", "order", "said"),
    [
        ("x += 1;", "phalanx", CPU_FIRST, ["42", "linked"]),
        ("x += 1;", "phalanx", GPU_FIRST, ["linked", "42"]),
        ("x += 1;", "nvrtc", CPU_FIRST, ["42", "linked"]),
        ("x += 1;", "nvrtc", GPU_FIRST, ["left", "once more"]),
        (HEAP, "phalanx", CPU_FIRST, ["refused", "left"]),
        (HEAP, "phalanx", GPU_FIRST, ["left", "once more"]),
    ],
)
def test_a_kernel_on_one_device_and_then_on_the_other(
    text, compiler, order, said, tmp_path, monkeypatch
):
    if text == HEAP and find_library("nvrtc") is None:
        pytest.skip("NVRTC is not installed")
    monkeypatch.setenv("PHALANX_CUDA_C_COMPILER", compiler)
    script = DEVICES_IN_TURN.replace("TEXT", text).replace("ORDER", order)
    done = fake_gpu.run(script, tmp_path)
    assert done.stdout.split("\n")[:-1] == said, done.stderr


# What is linked of two sources on a GPU, by whom, or why it is refused.
ON_A_GPU = """
import numpy as np
from phalanx import _engine, cuda, errors, types

BODY = types.from_dtype(np.dtype([("a", "f4"), ("b", "f4")]))
STRUCT = "struct Body { float a, b; };"
SIGNATURE = {
    "value": types.float32(BODY), "pointer": types.float32(types.CPointer(BODY)),
}["PASSED"]
PARAMETER = {"value": "Body b", "pointer": "Body* b"}["PASSED"]
READ = {"value": "b.a", "pointer": "b->a"}["PASSED"]
one = cuda.CUSource(f'{STRUCT} extern "C" __device__ float f({PARAMETER}) {{ return {READ}; }}',
                    name="one.cu")
two = cuda.CUSource('extern "C" __device__ int g(int x) { TEXT return x; }', name="two.cu")
f = cuda.declare_device("f", SIGNATURE, one, abi="c")
g = cuda.declare_device("g", "int32(int32)", two, abi="c")

class FFI:
    __module__ = "cffi.api"

ffi = FFI()

@cuda.jit
def kernel(out, x):
    out[0] = f(GIVEN) + g(3)

given = (np.zeros(1, np.float32), np.zeros(1, np.dtype([("a", "f4"), ("b", "f4")])))
try:
    made = kernel.kernel_for(tuple(map(_engine.typeof, given))).module
    print(*sorted(row[0] for row in _engine.external_functions(made)) or ["linked"])
except errors.LoweringError as error:
    print(error)
"""
REFUSED = (
    r"^f takes or gives a record by value, and NVRTC .*\(one\.cu, two\.cu\).*CPointer\(record\)"
)


@fake_gpu.needed
@pytest.mark.parametrize(
    ("passed", "text", "compiler", "said"),
    [
        ("value", "x += 1;", "phalanx", "^linked"),
        ("pointer", "x += 1;", "phalanx", "^linked"),
        ("value", HEAP, "phalanx", REFUSED),
        ("pointer", HEAP, "phalanx", "^f g"),
        ("value", "x += 1;", "nvrtc", REFUSED),
        ("pointer", "x += 1;", "nvrtc", "^f g"),
    ],
)
def test_nvrtc_has_all_sources_of_a_kernel_or_none(
    passed, text, compiler, said, tmp_path, monkeypatch
):
    if find_library("nvrtc") is None:
        pytest.skip("NVRTC is not installed")
    monkeypatch.setenv("PHALANX_CUDA_C_COMPILER", compiler)
    given = {"value": "x[0]", "pointer": "ffi.from_buffer(x)"}[passed]
    script = ON_A_GPU.replace("PASSED", passed).replace("TEXT", text).replace("GIVEN", given)
    done = fake_gpu.run(script, tmp_path)
    assert re.search(said, done.stdout), done.stdout + done.stderr
