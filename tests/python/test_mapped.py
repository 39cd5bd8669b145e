"""Mapped and managed memory: host arrays that kernels of either device take."""

import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def double(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= 2


@pytest.mark.parametrize("make", [cuda.mapped_array, cuda.managed_array])
def test_a_kernel_changes_it_in_place(make, device):
    x = make(10, np.float32)
    x[:] = np.arange(10)
    double[1, 32](x)
    cuda.synchronize()
    assert x.tolist() == list(range(0, 20, 2))


def test_like_keeps_shape_dtype_and_order():
    made = cuda.mapped_array_like(np.zeros((3, 4), np.int16, order="F"))
    assert (made.shape, made.dtype, made.strides) == ((3, 4), np.dtype("int16"), (2, 6))


def test_a_with_block_gives_the_arrays(device):
    x, y = np.ones(4), np.ones(5)
    with cuda.mapped(x) as one:
        double[1, 32](one)
    with cuda.mapped(x, y) as both:
        assert len(both) == 2
    assert x.tolist() == [2, 2, 2, 2]


def test_flags_are_those_of_numpy(device):
    host = np.zeros((3, 4), np.float32)
    for array in (host, host.T, host[:1], np.float32(1)):
        flags = np.asarray(array).flags
        made = cuda.to_device(np.asarray(array)).flags
        assert made == {
            "C_CONTIGUOUS": flags["C_CONTIGUOUS"],
            "F_CONTIGUOUS": flags["F_CONTIGUOUS"],
        }
