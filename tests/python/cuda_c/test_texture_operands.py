"""Textures and surfaces as operands of user kernels, and copies between devices."""

import fake_gpu
import numpy as np
import pytest
from phalanx.compat import cupy_runtime as rt
from phalanx.compat.cupy_reduction_kernels import ReductionKernel
from phalanx.compat.cupy_textures import ResourceDescriptor, SurfaceObject
from phalanx.compat.cupy_user_kernels import ElementwiseKernel
from test_textures import EXTENTS, array_of, random_texels, rows_of, texture_of

import phalanx as px

pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.of_phalanx("its own headers declare textures"),
]


@pytest.mark.parametrize("dimensions", [1, 2, 3])
def test_user_kernels_take_textures_among_their_operands(dimensions):
    texels = random_texels("f4", EXTENTS[dimensions], 1)
    texture = texture_of(array_of(texels, dimensions))
    place = ["i % width", "i / width % height", "i / width / height"][:dimensions]
    fetch = f"tex{dimensions}D<T>(t, {', '.join(f'(float)({each}) + 0.5f' for each in place)})"
    width, height = (*EXTENTS[dimensions], 1)[:2]
    data = rows_of(texels, dimensions)
    x = px.asarray(np.arange(data.size, dtype="f4").reshape(data.shape))
    for declared in ("U t", "uint64 t"):
        params = f"T x, {declared}, int64 width, int64 height"
        added = ElementwiseKernel(params, "T y", f"y = x + {fetch}", "added")
        summed = ReductionKernel(
            f"T x, {declared}", "T y", "x + tex1D<T>(t, _j % 16)", "a + b", "y = a", "0"
        )
        for _ in range(2):  # made, and remembered
            y = added(x, texture, width, height)
            np.testing.assert_array_equal(np.asarray(y), np.asarray(x) + data)
        if dimensions == 1:
            total = summed(x, texture)
            np.testing.assert_allclose(float(total), (np.asarray(x) + data).sum(), rtol=1e-5)


def test_a_surface_is_an_operand_too():
    array = array_of(np.zeros((1, 1, 8, 1), "f4"), 1, flags=rt.cudaArraySurfaceLoadStore)
    surface = SurfaceObject(ResourceDescriptor(rt.cudaResourceTypeArray, cuArr=array))
    store = ElementwiseKernel("T x, U s", "raw T y", "surf1Dwrite<T>(x, s, (int)i * 4)", "stored")
    x = px.arange(8, dtype="f4")
    store(x, surface, px.zeros(1, "f4"))
    found = np.zeros(8, "f4")
    array.copy_to(found)
    np.testing.assert_array_equal(found, np.arange(8))


def test_an_operand_of_another_type_than_a_handle_is_refused():
    texture = texture_of(array_of(random_texels("f4", (16,), 1), 1))
    kernel = ElementwiseKernel("T x, int32 t", "T y", "y = x", "k")
    with pytest.raises(TypeError, match=r"t is a texture or a surface.* declare 'uint64 t'"):
        kernel(px.zeros(4, "f4"), texture)
    with pytest.raises(TypeError, match="Output arguments must be"):
        ElementwiseKernel("T x", "T y", "y = x", "k")(px.zeros(4, "f4"), texture)


ON_TWO_DEVICES = """
import phalanx as px
from phalanx import _engine
from phalanx.compat.cupy_textures import ChannelFormatDescriptor, CUDAarray

_engine.set_current_device(_engine.device("cpu"))
array = CUDAarray(ChannelFormatDescriptor(32, 0, 0, 0, 2), 4)
far = px.zeros(4, "float32", device="cuda")
for copy in (array.copy_from, array.copy_to):
    try:
        copy(far)
    except ValueError as error:
        print(error)
array.copy_from(far.to_device("cpu"))
"""


@fake_gpu.needed
def test_copies_from_and_to_another_device_are_refused(tmp_path):
    done = fake_gpu.run(ON_TWO_DEVICES, tmp_path)
    words = "the CUDAarray is on cpu, and the array on cuda:0: give x.to_device('cpu')"
    assert done.stdout.count(words) == 2 and done.returncode == 0, done.stdout + done.stderr
