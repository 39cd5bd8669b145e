"""``alignment=`` of shared and local arrays: linked code sees where they begin."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import cuda, errors

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

# What cffi has; the compiler looks at the class's name, so that nothing need be installed.
ffi = type("FFI", (), {"__module__": "cffi.api"})()

SOURCE = """
extern "C" __device__ long long beyond(float* place, long long alignment) {
  return (long long)place % alignment;
}
"""
beyond = cuda.declare_device(
    "beyond", "int64(CPointer(float32), int64)", link=cuda.CUSource(SOURCE), abi="c"
)


@pytest.mark.parametrize("alignment", [8, 64, 256, 1024])
def test_shared_arrays_begin_where_they_are_told(device, alignment):
    @cuda.jit
    def kernel(out):
        odd = cuda.shared.array(3, np.float32)
        aligned = cuda.shared.array(5, np.float32, alignment)
        other = cuda.shared.array((2, 3), dtype=np.float32, alignment=alignment)
        i = cuda.threadIdx.x
        if i < 5:
            aligned[i] = i
        if i < 3:
            odd[i] = 10 + i
            other[1, i] = 20 + i
        cuda.syncthreads()
        out[0] = beyond(ffi.from_buffer(aligned), alignment)
        out[1] = beyond(ffi.from_buffer(other), alignment)
        out[2] = aligned[4] + odd[2] + other[1, 2]

    out = np.zeros(3, np.int64)
    kernel[1, 32](out)
    assert out.tolist() == [0, 0, 4 + 12 + 22]


def test_arrays_in_dynamic_memory_keep_their_alignment(device):
    @cuda.jit
    def kernel(out):
        large = cuda.shared.array(20000, np.float32)  # more than 48 KB: moved on a GPU
        aligned = cuda.shared.array(3, np.float32, alignment=512)
        i = cuda.threadIdx.x
        large[i] = i
        aligned[i % 3] = 1
        cuda.syncthreads()
        out[0] = beyond(ffi.from_buffer(aligned), 512)
        out[1] = large[31 - i] + aligned[2]

    out = np.zeros(2, np.int64)
    kernel[1, 32](out)
    assert out[0] == 0


def test_device_functions_have_aligned_arrays(device):
    @cuda.jit(device=True)
    def helper(value):
        aligned = cuda.shared.array(4, np.float32, alignment=256)
        aligned[cuda.threadIdx.x] = value
        cuda.syncthreads()
        return beyond(ffi.from_buffer(aligned), 256) + int(aligned[3])

    @cuda.jit
    def kernel(out):
        odd = cuda.shared.array(1, np.float32)
        odd[0] = 1
        out[cuda.threadIdx.x] = helper(float(cuda.threadIdx.x)) + int(odd[0])

    out = np.zeros(4, np.int64)
    kernel[1, 4](out)
    assert out.tolist() == [4] * 4


def test_arrays_that_a_launch_sizes_say_what_they_have(device):
    @cuda.jit
    def kernel(out):
        sized = cuda.shared.array(out.size, np.float32, alignment=128)
        sized[0] = 1
        out[0] = sized[0]

    with pytest.raises(errors.TypingError, match="multiples of 16 bytes, not of 128"):
        kernel[1, 1](np.zeros(3))


def test_alignments_have_an_end(device):
    @cuda.jit
    def kernel(out):
        made = cuda.local.array(3, np.float32, alignment=2**20)
        out[0] = made[0]

    with pytest.raises(errors.TypingError, match="65536 bytes at most, found 1048576"):
        kernel[1, 1](np.zeros(3))
