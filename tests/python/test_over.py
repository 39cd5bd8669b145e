"""kernel.over: launches by the number of elements."""

import numpy as np
import pytest
from phalanx._kernels.over import block_for

from phalanx import cuda


@cuda.jit
def mark1(out):
    i = cuda.grid(1)
    if i < out.size:
        out[i] += 1


@cuda.jit
def mark2(out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] += 1


@cuda.jit
def mark3(out):
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] += 1


@cuda.jit
def mark_flat(out):
    i = cuda.grid(1)
    if i < out.size:
        out.reshape(out.size)[i] += 1


@pytest.mark.parametrize("size", [1, 31, 1000, 100_001])
def test_one_dimension(device, size):
    out = np.zeros(size)
    mark1.over(out)(out)
    mark1.over(size)(out)
    assert (out == 2).all()


@pytest.mark.parametrize("shape", [(1, 1), (7, 300), (300, 7), (1, 5000), (5000, 1), (65, 65)])
def test_two_dimensions(device, shape):
    out = np.zeros(shape)
    mark2.over(shape)(out)
    assert (out == 1).all()


@pytest.mark.parametrize("shape", [(1, 1, 1), (3, 4, 500), (40, 2, 3), (33, 17, 9)])
def test_three_dimensions(device, shape):
    out = np.zeros(shape)
    mark3.over(out)(out)
    assert (out == 1).all()


def test_more_dimensions_become_one(device):
    out = np.zeros((2, 3, 4, 5, 6))
    mark_flat.over(out)(out)
    assert (out == 1).all()


def test_on_a_stream_with_a_device_array(device):
    stream = cuda.stream()
    out = cuda.to_device(np.zeros(1000), stream)
    mark1.over(out, stream=stream)(out)
    stream.synchronize()
    assert (out.copy_to_host() == 1).all()


def test_nothing_to_do_launches_nothing(device):
    mark2.over((0, 5))(np.zeros((0, 5)))


@pytest.mark.parametrize("threads", [32, 128, 256, 1024])
@pytest.mark.parametrize("extents", [(5,), (1, 1), (7, 300), (4096, 4096), (3, 3, 3), (9, 99, 999)])
def test_blocks_keep_to_the_limits(threads, extents):
    block = block_for(extents, threads)
    assert len(block) == len(extents)
    assert np.prod(block) <= threads
    assert all(each >= 1 for each in block)
    assert len(block) < 3 or block[2] <= 64


@pytest.mark.parametrize(
    ("given", "error"), [(1.5, TypeError), ("x", TypeError), ((-1,), ValueError)]
)
def test_what_has_no_shape_is_refused(given, error):
    with pytest.raises(error, match="over"):
        mark1.over(given)
