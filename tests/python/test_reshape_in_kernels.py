"""array.reshape in kernels, with extents that are known only at the launch."""

import numpy as np
import pytest

from phalanx import cuda


@cuda.jit
def reshaped_1d(array, shape, out):
    view = array.reshape(shape)
    out[0] = view.shape[0]
    for i in range(view.shape[0]):
        out[1 + i] = view[i]


@cuda.jit
def reshaped_2d(array, shape, out):
    view = array.reshape(shape)
    out[0], out[1] = view.shape
    for i in range(view.shape[0]):
        for j in range(view.shape[1]):
            out[2 + i * view.shape[1] + j] = view[i, j]


@pytest.mark.parametrize("shape", [(24,), (-1,)])
def test_one_extent(shape, device):
    array = np.arange(24).reshape(4, 6)
    out = np.zeros(25, np.int64)
    reshaped_1d[1, 1](array, shape, out)
    assert out.tolist() == [24, *range(24)]


@pytest.mark.parametrize("shape", [(4, 6), (-1, 6), (8, -1), (1, -1), (24, 1)])
def test_two_extents(shape, device):
    array = np.arange(24)
    out = np.zeros(26, np.int64)
    reshaped_2d[1, 1](array, shape, out)
    assert out.tolist() == [*array.reshape(shape).shape, *range(24)]


def test_an_array_without_elements(device):
    out = np.full(2, 9, np.int64)
    reshaped_2d[1, 1](np.zeros((0, 3)), (-1, 3), out)
    assert out.tolist() == [0, 3]
