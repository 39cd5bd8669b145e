"""Three more textbook kernels, as those of _textbook.py: vector add, tiled matmul, block scan."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from _textbook import BLOCK, Problem, Program

SIDE = 16  # of the matmul's tiles
F = np.float32

CUDA_C = r"""
#define SIDE 16

extern "C" __global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

extern "C" __global__ void matmul(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[SIDE][SIDE], tile_b[SIDE][SIDE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * SIDE + ty, column = blockIdx.x * SIDE + tx;
  float sum = 0;
  for (int start = 0; start < n; start += SIDE) {
    tile_a[ty][tx] = a[row * n + start + tx];
    tile_b[ty][tx] = b[(start + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < SIDE; k++) sum += tile_a[ty][k] * tile_b[k][tx];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void scan(const float* a, float* out, int n) {
  __shared__ float sums[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x, t = threadIdx.x;
  sums[t] = a[i];
  __syncthreads();
  for (int distance = 1; distance < BLOCK; distance *= 2) {
    float before = t >= distance ? sums[t - distance] : 0;
    __syncthreads();
    sums[t] += before;
    __syncthreads();
  }
  out[i] = sums[t];
}
"""


def vector_add(cuda: Any) -> Callable[..., None]:
    """The sum of two arrays, an element a thread."""

    def vector_add(a, b, c):
        i = cuda.grid(1)
        if i < c.shape[0]:
            c[i] = a[i] + b[i]

    return vector_add


def vector_add_problem(size: float) -> Problem:
    """Random numbers."""
    n = max(1000, int((1 << 26) * size))
    rng = np.random.default_rng(10)
    a, b = rng.random(n, dtype=F), rng.random(n, dtype=F)
    return Problem(
        (a, b, np.zeros(n, F)), (n + BLOCK - 1) // BLOCK, BLOCK, {2: a + b}, 12.0 * n, "B", (n,)
    )


def matmul(cuda: Any) -> Callable[..., None]:
    """A matrix product: a result a thread, tiles in shared memory."""

    def matmul(a, b, c):
        tile_a = cuda.shared.array((SIDE, SIDE), F)
        tile_b = cuda.shared.array((SIDE, SIDE), F)
        tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
        row = cuda.blockIdx.y * SIDE + ty
        column = cuda.blockIdx.x * SIDE + tx
        s = F(0)
        for start in range(0, a.shape[1], SIDE):
            tile_a[ty, tx] = a[row, start + tx]
            tile_b[ty, tx] = b[start + ty, column]
            cuda.syncthreads()
            for k in range(SIDE):
                s += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        c[row, column] = s

    return matmul


def matmul_problem(size: float) -> Problem:
    """Square matrices of random numbers."""
    n = max(SIDE, int(4096 * size ** (1 / 3)) // SIDE * SIDE)
    rng = np.random.default_rng(11)
    a, b = rng.random((n, n), dtype=F), rng.random((n, n), dtype=F)
    return Problem(
        (a, b, np.zeros((n, n), F)),
        (n // SIDE, n // SIDE),
        (SIDE, SIDE),
        {2: a @ b},
        2.0 * n**3,
        "FLOP",
        (n,),
        1e-4,
    )


def scan(cuda: Any) -> Callable[..., None]:
    """Sums of each block's numbers up to a thread's (Hillis and Steele, 1986)."""

    def scan(a, out):
        sums = cuda.shared.array(BLOCK, F)
        i = cuda.grid(1)
        t = cuda.threadIdx.x
        sums[t] = a[i]
        cuda.syncthreads()
        distance = 1
        while distance < BLOCK:
            before = sums[t - distance] if t >= distance else F(0)
            cuda.syncthreads()
            sums[t] += before
            cuda.syncthreads()
            distance *= 2
        out[i] = sums[t]

    return scan


def scan_problem(size: float) -> Problem:
    """Random numbers, whole blocks of them."""
    blocks = max(4, int((1 << 18) * size))
    a = np.random.default_rng(12).random(blocks * BLOCK, dtype=F)
    expected = np.cumsum(a.reshape(blocks, BLOCK), axis=1, dtype=np.float64).ravel()
    return Problem(
        (a, np.zeros_like(a)), blocks, BLOCK, {1: expected}, 8.0 * a.size, "B", (a.size,), 1e-5
    )


MORE_PROGRAMS = [
    Program("vector add", vector_add, vector_add_problem),
    Program("tiled matrix product", matmul, matmul_problem),
    Program("scan of blocks", scan, scan_problem),
]
MORE_SIZES = {"vector_add": 1 / 4, "matmul": 1 / 64, "scan": 1 / 8}
