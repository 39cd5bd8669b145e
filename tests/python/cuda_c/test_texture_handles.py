"""Handles of textures and surfaces: each leads to its object, and others are errors."""

import gc

import fake_gpu
import numpy as np
import pytest
from phalanx.compat import cupy_runtime as rt
from phalanx.compat.cupy_raw_kernels import RawKernel
from phalanx.compat.cupy_textures import (
    ChannelFormatDescriptor,
    CUDAarray,
    ResourceDescriptor,
    SurfaceObject,
    TextureDescriptor,
    TextureObject,
)

import phalanx as px
from phalanx import cuda

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.of_phalanx("its own headers declare textures"),
]

FLOAT = ChannelFormatDescriptor(32, 0, 0, 0, rt.cudaChannelFormatKindFloat)


def texture_over(memory):
    """Of an array's elements, counted."""
    resource = ResourceDescriptor(
        rt.cudaResourceTypeLinear, arr=memory, chDesc=FLOAT, sizeInBytes=memory.nbytes
    )
    return TextureObject(resource, TextureDescriptor())


SURFACE_READ = """extern "C" __global__ void k(cudaSurfaceObject_t s, float* out) {
  out[threadIdx.x] = 7;
  out[threadIdx.x] = surf1Dread<float>(s, 4 * threadIdx.x, %s);
}"""
OF_NO_OBJECT = {
    "coordinates": """extern "C" __global__ void k(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = 7;
  out[threadIdx.x] = tex2D<float>(t, threadIdx.x, 1);
}""",
    "one place": """extern "C" __global__ void k(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = 7;
  out[threadIdx.x] = tex1D<float>(t, 1);
}""",
    "elements": """extern "C" __global__ void k(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = 7;
  out[threadIdx.x] = tex1Dfetch<float>(t, threadIdx.x);
}""",
    "surface, clamped": SURFACE_READ % "cudaBoundaryModeClamp",
    "surface": SURFACE_READ % "cudaBoundaryModeTrap",
    "written surface": """extern "C" __global__ void k(cudaSurfaceObject_t s, float* out) {
  out[threadIdx.x] = 0;
  surf1Dwrite(out[threadIdx.x], s, 4 * threadIdx.x, cudaBoundaryModeZero);
}""",
}


def freed_handle():
    array = CUDAarray(FLOAT, 8, flags=rt.cudaArraySurfaceLoadStore)
    resource = ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array)
    handles = [SurfaceObject(resource).ptr, TextureObject(resource, TextureDescriptor()).ptr]
    gc.collect()
    cuda.synchronize()
    again = SurfaceObject(resource)  # in the place of one of the two
    assert again.ptr not in handles
    return handles[0]


@pytest.mark.parametrize("handle", [0, 1, 64, 1 << 31, 1 << 32, 2**64 - 1, freed_handle])
@pytest.mark.parametrize("what", OF_NO_OBJECT)
def test_a_handle_that_is_no_objects_is_an_error_with_the_line(device, what, handle):
    if device == "cuda":
        pytest.skip("a GPU reads what it finds, or loses the process's context")
    given = np.uint64(handle() if callable(handle) else handle)
    out = px.zeros(8, "f4")
    kernel = RawKernel(OF_NO_OBJECT[what], "k")
    with pytest.raises((ValueError, IndexError), match=r"(?s)handle that is no object's.*line 3"):
        kernel((1,), (8,), (given, out))
    assert np.asarray(out).tolist() == [0] * 8


def test_only_the_lanes_whose_handle_is_none_read_nothing(device):
    if device == "cuda":
        pytest.skip("a GPU loses the process's context")
    text = """extern "C" __global__ void k(cudaTextureObject_t t, float* out) {
  out[threadIdx.x] = tex1Dfetch<float>(threadIdx.x % 2 ? t : 0, threadIdx.x);
}"""
    texture, out = texture_over(px.arange(8, dtype="f4")), px.zeros(8, "f4")
    with pytest.raises(ValueError, match=r"tid=\[0, 0, 0\]"):
        RawKernel(text, "k")((1,), (8,), (texture, out))
    assert np.asarray(out).tolist() == [0, 1, 0, 3, 0, 5, 0, 7]


def test_handles_of_many_objects_lead_to_their_own():
    arrays = [px.full(4, n, dtype="f4") for n in range(300)]
    textures = [texture_over(x) for x in arrays]
    handles = px.asarray(np.array([each.ptr for each in textures], np.uint64))
    text = """extern "C" __global__ void k(const cudaTextureObject_t* t, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = tex1Dfetch<float>(t[i], 0);
}"""
    out = px.zeros(300, "f4")
    RawKernel(text, "k")((5,), (64,), (handles, out, 300))
    np.testing.assert_array_equal(np.asarray(out), np.arange(300))


OVER_MEMORY = """
import gc
import phalanx as px
from phalanx import cuda
from phalanx.compat import cupy_runtime as rt
from phalanx.compat.cupy_textures import *

bits = ChannelFormatDescriptor(32, 0, 0, 0, rt.cudaChannelFormatKindFloat)


def texture_over(x):
    given = {"arr": x, "chDesc": bits, "sizeInBytes": x.nbytes}
    of = ResourceDescriptor(rt.cudaResourceTypeLinear, **given)
    return TextureObject(of, TextureDescriptor())


def memory_of(made):
    made.clear()
    gc.collect()
    cuda.synchronize()
    return px.memory_info("cuda").used_bytes


before = px.memory_info("cuda").used_bytes
assert memory_of([texture_over(px.full(1000, n, dtype="f4")) for n in range(9)]) == before
texture = texture_over(px.full(1000, 1, dtype="f4"))
texture.ResDesc.arr = None
assert px.memory_info("cuda").used_bytes > before
del texture
assert memory_of([]) == before
print("done")
"""


@fake_gpu.needed
def test_textures_go_before_the_memory_that_they_are_of(tmp_path):
    """The fake driver ends the process where memory goes first."""
    done = fake_gpu.run(OVER_MEMORY, tmp_path)
    assert done.stdout == "done\n", done.stdout + done.stderr
