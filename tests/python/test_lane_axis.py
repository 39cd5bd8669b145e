"""Kernels that know only their position in the grid: whatever blocks they run in, and along which
dimension their threads lie side by side, each thread runs once, at its own position."""

import itertools

import numpy as np
import pytest

from phalanx import cuda

SHAPES = {
    1: [(1,), (37,), (1000,)],
    2: [(1, 1), (3, 50), (50, 3), (33, 65), (64, 64)],
    3: [(2, 3, 4), (5, 17, 33), (20, 2, 3)],
}
BLOCKS = {
    1: [1, 7, 128],
    2: [(1, 1), (16, 16), (32, 4), (3, 5), (1, 64), (256, 1)],
    3: [(4, 4, 4), (1, 1, 64), (2, 3, 5)],
}


def grid_for(shape, block):
    block = np.atleast_1d(block)
    return tuple(int(-(-n // b)) for n, b in zip(shape, block, strict=True))


@cuda.jit
def count_1d(out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] += i + 1


@cuda.jit
def count_2d(out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] += i * 1000 + j + 1


@cuda.jit
def count_2d_other_way(out):
    j, i = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] += i * 1000 + j + 1


@cuda.jit
def count_2d_by_hand(out):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    j = cuda.threadIdx.y + cuda.blockDim.y * cuda.blockIdx.y
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] += i * 1000 + j + 1


@cuda.jit
def count_3d(out):
    i, j, k = cuda.grid(3)
    if i < out.shape[0] and j < out.shape[1] and k < out.shape[2]:
        out[i, j, k] += (i * 100 + j) * 100 + k + 1


def expected(shape, factor):
    total = np.zeros(shape, np.int64)
    for axis, index in enumerate(np.indices(shape)):
        total += index * factor ** (len(shape) - 1 - axis)
    return total + 1


KERNELS = [
    (count_1d, 1, 1),
    (count_2d, 2, 1000),
    (count_2d_by_hand, 2, 1000),
    (count_3d, 3, 100),
]


@pytest.mark.parametrize(
    ("kernel", "ndim", "factor"), KERNELS, ids=lambda k: getattr(k, "__name__", k)
)
@pytest.mark.parametrize("layout", ["C", "F", "any"])
def test_each_position_runs_once_in_blocks_of_every_shape(kernel, ndim, factor, layout):
    for shape, block in itertools.product(SHAPES[ndim], BLOCKS[ndim]):
        if layout == "any":
            whole = np.zeros([2 * n for n in shape], np.int64)
            out = whole[(slice(None, None, 2),) * ndim]
        else:
            out = np.zeros(shape, np.int64, order=layout)
        kernel[grid_for(shape, block), block](out)
        np.testing.assert_array_equal(out, expected(shape, factor), err_msg=f"{shape} {block}")


def test_the_transposed_order_of_indices():
    for (rows, columns), block in itertools.product(SHAPES[2], BLOCKS[2]):
        out = np.zeros((rows, columns), np.int64)
        count_2d_other_way[grid_for((columns, rows), block), block](out)
        np.testing.assert_array_equal(out, expected((rows, columns), 1000))


@cuda.jit
def strided_2d(out):
    first_i, first_j = cuda.grid(2)
    step_i, step_j = cuda.gridsize(2)
    for i in range(first_i, out.shape[0], step_i):
        for j in range(first_j, out.shape[1], step_j):
            out[i, j] += i * 1000 + j + 1


@pytest.mark.parametrize("block", BLOCKS[2])
@pytest.mark.parametrize("grid", [(1, 1), (2, 3), (40, 1)])
def test_loops_with_the_stride_of_the_grid(grid, block):
    out = np.zeros((70, 90), np.int64)
    strided_2d[grid, block](out)
    np.testing.assert_array_equal(out, expected((70, 90), 1000))


@cuda.jit
def ask_for_more(out):
    i, j = cuda.grid(2)
    if i < out.shape[0] and j < out.shape[1]:
        out[i, j] = cuda.threadIdx.x * 1000 + cuda.blockDim.y * 100 + cuda.gridDim.x


def test_kernels_that_know_more_run_in_the_blocks_of_the_launch():
    out = np.zeros((32, 48), np.int64)
    ask_for_more[(4, 3), (8, 16)](out)
    np.testing.assert_array_equal(out, np.arange(32)[:, None] % 8 * 1000 + 1604 + 0 * out)


@cuda.jit
def rows_and_columns(a, rows, columns):
    i, j = cuda.grid(2)
    if i < a.shape[0] and j < a.shape[1]:
        cuda.atomic.add(rows, i, a[i, j])
        cuda.atomic.add(columns, j, a[i, j])


def test_sums_by_atomics_along_both_dimensions():
    a = np.random.default_rng(1).integers(0, 1000, (65, 77))
    rows, columns = np.zeros(65, np.int64), np.zeros(77, np.int64)
    rows_and_columns[(9, 5), (8, 16)](a, rows, columns)
    np.testing.assert_array_equal(rows, a.sum(1))
    np.testing.assert_array_equal(columns, a.sum(0))
