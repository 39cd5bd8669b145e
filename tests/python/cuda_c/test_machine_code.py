"""PTX and cubins that nvcc makes: what is read of them, launches, damaged files."""

from __future__ import annotations

import contextlib
import random
import re
import shutil
import subprocess

import numpy as np
import pytest
from phalanx._cuda_c import MachineCodeModule
from phalanx._cuda_c.machine_code import MachineCode, Parameter, converters, declaration
from phalanx.compat import cupy as cp
from phalanx.compat.cupy_driver import CUDADriverError
from phalanx.errors import CompileError

from phalanx import _engine, cuda

SOURCE = r"""
struct S3 { char a; double b; short c; };
struct F { float x, y, z; };
__device__ int counter[5];
__constant__ float factor = 2.5f;
__device__ double single;
extern "C" __global__ void all(int n, float2 p, double* out, char c, S3 s, float4 q, F f,
                               unsigned short h, float x, bool b, long long l) {
  if (threadIdx.x == 0) {
    out[0] = n; out[1] = p.x + 10 * p.y; out[2] = c; out[3] = s.a + 10 * s.b + 100 * s.c;
    out[4] = q.x + 10 * q.w; out[5] = f.x + 10 * f.z; out[6] = h; out[7] = x * factor;
    out[8] = b; out[9] = l; counter[0] = 42; single = 1.5;
  }
}
extern "C" __global__ void nothing() { counter[1] = 7; }
extern "C" __global__ void shared(int* x) {
  extern __shared__ int tile[];
  tile[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = tile[blockDim.x - 1 - threadIdx.x];
}
template <class T> __global__ void of(T* a, T b) { a[threadIdx.x] += b; }
template __global__ void of<float>(float*, float);
"""
P = Parameter
OF_ALL = [P(0, 4), P(8, 8), P(16, 8), P(24, 1), P(32, 24), P(64, 16), P(80, 12), P(92, 2), P(96, 4),
          P(100, 1), P(104, 8)]  # fmt: skip
OF_FLOATS = "_Z2ofIfEvPT_S0_"


def made(folder, kind):
    if shutil.which("nvcc") is None:
        pytest.skip("nvcc, which makes PTX and cubins, is not installed")
    (folder / "a.cu").write_text(SOURCE)
    file = folder / f"a.{kind}"
    command = ["nvcc", f"-{kind}", "-arch=sm_90", str(folder / "a.cu"), "-o", str(file)]
    subprocess.run(command, check=True, capture_output=True)
    return file


@pytest.fixture(scope="module", params=["ptx", "cubin"])
def file(request, tmp_path_factory):
    return made(tmp_path_factory.mktemp(request.param), request.param)


def test_kernels_parameters_and_variables_are_read(file):
    code = MachineCode.read(file.read_bytes())
    assert code.kernels == {
        "all": OF_ALL, "nothing": [], "shared": [P(0, 8)], OF_FLOATS: [P(0, 8), P(8, 4)],
    }  # fmt: skip
    assert code.variables.items() >= {"counter": 20, "factor": 4, "single": 8}.items()
    _engine.Module.parse(declaration(code))


# Bytes of a parameter, what is passed, and its bytes; None: it is refused.
PASSED = [
    (4, 7, np.int32(7)), (4, -7, np.int32(-7)), (4, 2**32 - 1, np.uint32(2**32 - 1)),
    (4, 2**32, None), (4, -(2**31) - 1, None), (1, 200, np.uint8(200)), (1, True, np.uint8(1)),
    (8, -1, np.int64(-1)), (2, np.int64(5), np.int16(5)), (8, 1.5, np.float64(1.5)),
    (4, 1.5, np.float32(1.5)), (2, 1.5, np.float16(1.5)), (1, 1.5, None), (4, np.float64(1), None),
    (8, np.float32(1), None), (8, 1 + 2j, np.complex64(1 + 2j)),
    (16, 1 + 2j, np.complex128(1 + 2j)),
    (8, None, np.int64(0)), (4, np.array(3, np.int32), np.int32(3)), (8, np.zeros(2), None),
    (12, np.zeros(1, "f4,f4,f4"), np.zeros(1, "f4,f4,f4")[0]), (12, 5, None), (8, "text", None),
    (12, np.zeros(1, "f4,f4")[0], None), (8, object(), None), (8, 2**64 - 1, np.uint64(2**64 - 1)),
]  # fmt: skip


@pytest.mark.parametrize("offset", [0, 4, 8])
@pytest.mark.parametrize(("size", "given", "wanted"), PASSED)
def test_arguments_are_passed_by_their_bytes(size, given, wanted, offset):
    offset = -(-offset // (size & -size)) * (size & -size)
    before = [P(0, 1)] if offset else []
    convert = converters([*before, P(offset, size)])[-1]
    if wanted is None:
        with pytest.raises((TypeError, OverflowError), match=r"argument|does not fit"):
            convert(given)
        return
    # The type has as many numbers as the argument, and the last are its bytes.
    types = declaration(MachineCode("ptx", b"", {"k": [*before, P(offset, size)]}, {}))
    bits = int(re.findall(r"\bu(\d+)", types)[-1])
    numbers = convert(given)
    numbers = numbers if isinstance(numbers, tuple) else (numbers,)
    assert np.array(numbers, f"u{bits // 8}").tobytes()[-size:] == wanted.tobytes()


def test_damaged_files_are_refused(file):
    octets = file.read_bytes()
    rng = random.Random(7)
    for _ in range(1000):
        damaged = bytearray(octets[: rng.randrange(len(octets))] if rng.random() < 0.4 else octets)
        for _ in range(rng.randrange(1, 6)):
            if damaged:
                damaged[rng.randrange(min(len(damaged), 4096))] = rng.randrange(256)
        with contextlib.suppress(CompileError):
            declaration(MachineCode.read(bytes(damaged)))


@pytest.mark.parametrize(
    ("octets", "says"),
    [
        (b"", "neither PTX nor a cubin"),
        (b"\x7fELF" + bytes(60), "another machine"),
        (b".version 8.0\n.target sm_90\n", "no kernel"),
        (b"\x50\xed\x55\xba" + bytes(100), "fatbin"),
    ],
)
def test_what_is_no_code_is_refused(device, octets, says):
    if device == "cpu" and says == "no kernel":
        says = "CUDA C source"
    with pytest.raises(CompileError, match=says):
        MachineCodeModule(octets)


def test_the_cpu_device_asks_for_the_source(device, file):
    if device != "cpu":
        pytest.skip("of the CPU device")
    with pytest.raises(CompileError, match="the CPU device runs the CUDA C source"):
        MachineCodeModule(file.read_bytes())
    with pytest.raises(CUDADriverError, match="the CPU device runs the CUDA C source"):
        cp.RawModule(path=str(file)).get_function("all")


def test_kernels_are_launched(device, file):
    if device == "cpu":
        pytest.skip("machine code of GPUs")
    module = cp.RawModule(path=str(file))
    out = cp.zeros(10)
    s3 = np.array([(1, 2.5, 3)], np.dtype([("a", "i1"), ("b", "f8"), ("c", "i2")], align=True))[0]
    values = (
        np.int32(-5), np.array([(1, 2)], "f4,f4")[0], out, np.int8(-3), s3,
        np.array([(1, 2, 3, 4)], "f4,f4,f4,f4")[0], np.array([(1, 2, 3)], "f4,f4,f4")[0],
        np.uint16(60000), np.float32(2), True, np.int64(2**40),
    )  # fmt: skip
    module.get_function("all")((1,), (32,), values)
    expected = [-5, 21, -3, 326, 41, 31, 60000, 5, 1, 2**40]
    assert out.get().tolist() == expected
    module.get_function("nothing")((1,), (1,), ())
    counter = cp.ndarray(5, np.int32, module.get_global("counter"))
    assert counter.get()[:2].tolist() == [42, 7]
    x = cp.arange(64, dtype=np.int32)
    module.get_function("shared")((1,), (64,), (x,), shared_mem=256)
    assert x.get().tolist() == list(range(63, -1, -1))
    y = cp.ones(8, np.float32)
    module.get_function(OF_FLOATS)((1,), (8,), (y, np.float32(2.5)))
    assert y.get().tolist() == [3.5] * 8
    with pytest.raises(TypeError, match="argument"):
        module.get_function("shared")((1,), (64,), (x, x))
    there = cuda.to_device(np.zeros(4, np.float32))
    module.get_function(OF_FLOATS)((1,), (4,), (there, np.float32(1)))
    assert there.copy_to_host().tolist() == [1] * 4
    with pytest.raises(CUDADriverError, match="NOT_FOUND"):
        module.get_function("missing")


def test_pycuda_loads_files_and_buffers(device, file):
    from phalanx.compat.pycuda import driver as drv

    for broken in (b"nothing", file.read_bytes()[:100]):
        with pytest.raises(drv.LogicError, match="cuModuleLoadDataEx failed: device kernel image"):
            drv.module_from_buffer(broken)
    with pytest.raises(drv.LogicError, match="cuModuleLoad failed: file not found"):
        drv.module_from_file(str(file) + ".none")
    if device == "cpu":
        with pytest.raises(drv.LogicError, match="the CPU device runs the CUDA C source"):
            drv.module_from_file(str(file))
        return
    for module in (drv.module_from_file(str(file)), drv.module_from_buffer(file.read_bytes())):
        values = np.arange(64, dtype=np.int32)
        memory = drv.to_device(values)
        module.get_function("shared")(memory, block=(64, 1, 1), shared=256)
        assert drv.from_device_like(memory, values).tolist() == values[::-1].tolist()
        module.get_function("shared").prepared_call((1, 1), (64, 1, 1), memory, shared_size=256)
        assert drv.from_device_like(memory, values).tolist() == values.tolist()
        of_floats = module.get_function(OF_FLOATS)
        floats = np.zeros(8, np.float32)
        of_floats(drv.InOut(floats), np.float32(1.5), block=(8, 1, 1))
        assert floats.tolist() == [1.5] * 8
        with pytest.raises(TypeError, match="argument 1"):
            of_floats(memory, np.float64(1.5), block=(8, 1, 1))
        module.get_function("nothing")(block=(1, 1, 1))
        address, size = module.get_global("counter")
        assert size == 20 and drv.from_device(address, 5, np.int32)[1] == 7


def test_what_pycuda_compiles_is_a_cubin(device):
    from phalanx.compat.pycuda import compiler
    from phalanx.compat.pycuda import driver as drv

    text = """
    __device__ int calls;
    __global__ void first(int* x) { x[threadIdx.x] += 1; calls = 3; }
    __global__ void second(int* x, int by, double d) { x[threadIdx.x] *= by; x[0] += (int)d; }
    """
    if device == "cpu":
        with pytest.raises(drv.LogicError, match="use SourceModule"):
            compiler.compile(text)
        return
    module = drv.module_from_buffer(compiler.compile(text))
    x = np.arange(8, dtype=np.int32)
    module.get_function("first")(drv.InOut(x), block=(8, 1, 1))
    module.get_function("second")(drv.InOut(x), np.int32(10), 5.0, block=(8, 1, 1))
    assert x.tolist() == [15, 20, 30, 40, 50, 60, 70, 80]
