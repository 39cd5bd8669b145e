"""A few kernels that touch every kind of memory, for compute-sanitizer to watch."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx import cuda

TILE = 16


@cuda.jit
def tiled_product(a: Any, b: Any, c: Any) -> None:
    """A matrix product over shared tiles, with ragged edges."""
    left = cuda.shared.array((TILE, TILE), np.float32)
    right = cuda.shared.array((TILE, TILE), np.float32)
    column, row = cuda.grid(2)
    x, y = cuda.threadIdx.x, cuda.threadIdx.y
    total = np.float32(0)
    for tile in range((a.shape[1] + TILE - 1) // TILE):
        first = tile * TILE
        left[y, x] = 0
        right[y, x] = 0
        if row < a.shape[0] and first + x < a.shape[1]:
            left[y, x] = a[row, first + x]
        if first + y < b.shape[0] and column < b.shape[1]:
            right[y, x] = b[first + y, column]
        cuda.syncthreads()
        for k in range(TILE):
            total += left[y, k] * right[k, x]
        cuda.syncthreads()
    if row < c.shape[0] and column < c.shape[1]:
        c[row, column] = total


@cuda.jit
def histogram(values: Any, counts: Any) -> None:
    """Counts by atomics in shared, then in global memory."""
    local = cuda.shared.array(64, np.int32)
    thread = cuda.threadIdx.x
    if thread < 64:
        local[thread] = 0
    cuda.syncthreads()
    i = cuda.grid(1)
    if i < values.size:
        cuda.atomic.add(local, values[i], 1)
    cuda.syncthreads()
    if thread < 64:
        cuda.atomic.add(counts, thread, local[thread])


@cuda.jit
def last_of_each_row(matrix: Any, out: Any) -> None:
    """Negative indices, strided views and a local array."""
    stack = cuda.local.array(8, np.float64)
    i = cuda.grid(1)
    if i < matrix.shape[0]:
        for k in range(8):
            stack[k] = matrix[i, k - 8]
        out[i] = stack[i % 8] + matrix[i, -1]


def main() -> None:
    """Runs the kernels and checks their results."""
    random = np.random.default_rng(1)
    a = random.random((70, 45), dtype=np.float32)
    b = random.random((45, 33), dtype=np.float32)
    c = np.zeros((70, 33), np.float32)
    tiled_product[(3, 5), (TILE, TILE)](a, b, c)
    np.testing.assert_allclose(c, a @ b, rtol=1e-5)

    values = random.integers(0, 64, 10_000).astype(np.int32)
    counts = np.zeros(64, np.int32)
    histogram[40, 256](values, counts)
    np.testing.assert_array_equal(counts, np.bincount(values, minlength=64))

    matrix = random.random((50, 40))
    out = np.zeros(50)
    last_of_each_row[2, 32](matrix[:, ::2], out)
    rows = np.arange(50)
    view = matrix[:, ::2]
    np.testing.assert_array_equal(out, view[rows, rows % 8 - 8] + view[:, -1])
    print("all results right")


if __name__ == "__main__":
    main()
