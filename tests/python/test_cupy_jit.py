"""Kernels of `cupyx.jit` are kernels of `phalanx.cuda`."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx.compat import cupyx_jit as jit

import phalanx as px
from phalanx import errors

pytestmark = pytest.mark.usefixtures("device")


def test_a_grid_stride_loop_by_both_ways_of_a_launch():
    @jit.rawkernel()
    def copy(x, y, size):
        i = jit.blockIdx.x * jit.blockDim.x + jit.threadIdx.x
        for k in range(i, size, jit.gridDim.x * jit.blockDim.x):
            y[k] = x[k]

    x, y, z = px.arange(1000, dtype="f4"), px.zeros(1000, "f4"), px.zeros(1000, "f4")
    copy((4,), (32,), (x, y, np.uint32(1000)))
    copy[4, 32](x, z, 1000)
    assert (x == y).all() and (x == z).all()


def test_each_shared_array_is_its_own():
    @jit.rawkernel()
    def reverse(x, y):
        i = jit.threadIdx.x
        tile = jit.shared_memory(np.int32, 32)
        ones = jit.shared_memory(np.int32, 32)
        dynamic = jit.shared_memory(np.int32, None)
        tile[i] = x[i]
        ones[i] = 1
        dynamic[i] = 10
        jit.syncthreads()
        y[i] = tile[jit.blockDim.x - i - 1] + ones[i] + dynamic[i]

    x, y = px.arange(32, dtype="i4"), px.zeros(32, "i4")
    reverse((1,), (32,), (x, y), shared_mem=128)
    assert (y == x[::-1] + 11).all()


def test_a_reduction_with_an_atomic_addition():
    @jit.rawkernel()
    def total(x, y):
        i = jit.grid(1)
        if i < x.size:
            jit.atomic_add(y, 0, x[i])
            jit.atomic_max(y, 1, x[i])

    x, y = px.arange(1000, dtype="i8"), px.zeros(2, "i8")
    total[8, 128](x, y)
    assert y.tolist() == [499500, 999]


@pytest.mark.parametrize("width", [4, 8, 32])
def test_shuffles_stay_in_their_part_of_the_warp(width):
    @jit.rawkernel()
    def shuffled(out, width):
        i = jit.threadIdx.x
        out[0, i] = jit.shfl_sync(0xFFFFFFFF, i, 1, width=width)
        out[1, i] = jit.shfl_up_sync(0xFFFFFFFF, i, 2, width=width)
        out[2, i] = jit.shfl_down_sync(0xFFFFFFFF, i, 3, width=width)
        out[3, i] = jit.shfl_xor_sync(0xFFFFFFFF, i, 1, width=width)
        out[4, i] = jit.laneid()
        jit.syncwarp()

    out = px.zeros((5, 32), "i4")
    shuffled[1, 32](out, width)
    lane = np.arange(32)
    part, place = lane // width * width, lane % width
    expected = [
        part + 1,
        np.where(place >= 2, lane - 2, lane),
        np.where(place + 3 < width, lane + 3, lane),
        lane ^ 1,
        lane,
    ]
    np.testing.assert_array_equal(np.asarray(out), expected)


def test_device_functions_and_unrolled_loops():
    @jit.rawkernel(device=True)
    def twice(x):
        return x + x

    @jit.rawkernel()
    def kernel(out):
        for i in jit.range(1, 7, 2, unroll=3):
            out[i] = twice(i)

    out = px.zeros(7, "i8")
    kernel((1,), (1,), (out,))
    assert out.tolist() == [0, 2, 0, 6, 0, 10, 0]
    with pytest.raises(errors.DeviceFunctionError, match="twice"):
        twice((1,), (1,), (out,))


def test_mistakes_are_told():
    with pytest.raises(ValueError, match="mode"):
        jit.rawkernel(mode="other")
    for function in (jit.laneid, jit.syncwarp, lambda: jit.shared_memory(np.int32, 3)):
        with pytest.raises(RuntimeError, match="only inside a kernel"):
            function()
    with pytest.raises(RuntimeError, match="atomic_add"):
        jit.atomic_add(px.zeros(1), 0, 1)
