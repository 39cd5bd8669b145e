"""Numbers of warps and lanes that kernels compute from thread indices, in blocks of any size."""

import itertools

import numpy as np
import pytest

from phalanx import cuda

BLOCKS = [1, 16, 31, 32, 48, 64, 96, 100, 256, 1024]


@cuda.jit
def divide(out):
    """Divisions of positions by powers of two: uniform in a warp in some blocks, not in others."""
    thread = cuda.grid(1)
    here = cuda.shared.array(1, np.int64)  # threads know their block
    here[0] = 0
    cuda.syncthreads()
    out[thread, 0] = thread // 32
    out[thread, 1] = thread % 32
    out[thread, 2] = thread // 64 * 1000 + thread % 64
    out[thread, 3] = thread // 16 * 1000 + thread % 16
    out[thread, 4] = (thread + 5) // 32 * 1000 + (thread + 5) % 32
    out[thread, 5] = (2 * thread) // 64 * 1000 + (2 * thread) % 64
    out[thread, 6] = (-thread) // 32 * 1000 + (-thread) % 32 + here[0]
    out[thread, 7] = (thread - 64) // 32 * 1000 + (thread - 64) % 32


@pytest.mark.parametrize("block", BLOCKS)
def test_divisions_of_positions_are_pythons(device, block):
    grid = 5
    out = np.full((grid * block, 8), -1)
    divide[grid, block](out)
    t = np.arange(grid * block)
    expected = [
        t // 32,
        t % 32,
        t // 64 * 1000 + t % 64,
        t // 16 * 1000 + t % 16,
        (t + 5) // 32 * 1000 + (t + 5) % 32,
        (2 * t) // 64 * 1000 + (2 * t) % 64,
        (-t) // 32 * 1000 + (-t) % 32,
        (t - 64) // 32 * 1000 + (t - 64) % 32,
    ]
    np.testing.assert_array_equal(out, np.stack(expected, axis=1))


@pytest.mark.parametrize("block", [(16, 16), (32, 8), (8, 8), (64, 2), (5, 20)])
def test_divisions_in_blocks_of_rows_are_pythons(device, block):
    @cuda.jit
    def elements(out):
        columns, rows = cuda.blockDim.x, cuda.blockDim.y
        t = cuda.threadIdx.y * columns + cuda.threadIdx.x
        tile = cuda.shared.array(4096, np.int64)
        for e in range(t, 4096, columns * rows):
            tile[e] = e // 64 * 1000 + e % 64 + (e // 16) * 100_000 + (e % 16) * 10_000_000
        cuda.syncthreads()
        for e in range(t, 4096, columns * rows):
            out[e] = tile[4095 - e]

    out = np.zeros(4096, np.int64)
    elements[1, block](out)
    e = np.arange(4096)
    tile = e // 64 * 1000 + e % 64 + e // 16 * 100_000 + e % 16 * 10_000_000
    np.testing.assert_array_equal(out, tile[::-1])


@pytest.mark.parametrize("block", [32, 96, 100, 256])
def test_a_warp_a_row(device, block):
    """A sparse matrix times a vector: the row is the warp's in blocks of whole warps."""

    @cuda.jit
    def product(starts, columns, values, x, y):
        thread = cuda.grid(1)
        row, lane = thread // 32, thread % 32
        if row < y.shape[0]:
            s = 0.0
            for j in range(starts[row] + lane, starts[row + 1], 32):
                s += values[j] * x[columns[j]]
            cuda.atomic.add(y, row, s)

    rng = np.random.default_rng(2)
    rows = 77
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 90, rows))])
    columns = rng.integers(0, rows, starts[-1])
    values = rng.integers(-9, 9, starts[-1]).astype(float)
    x = rng.integers(-9, 9, rows).astype(float)
    y = np.zeros(rows)
    product[-(-rows * 32 // block), block](starts, columns, values, x, y)
    expected = [(values[a:b] * x[columns[a:b]]).sum() for a, b in itertools.pairwise(starts)]
    np.testing.assert_array_equal(y, expected)
