"""Kernels that several benchmarks run; `cuda` is either library, ours or numba-cuda's."""

from __future__ import annotations

import math
from typing import Any

TILE = 16


def vector_add(cuda: Any) -> Any:
    """One sum a thread."""

    @cuda.jit
    def add(a, b, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = a[i] + b[i]

    return add


def waves(cuda: Any) -> Any:
    """Functions of the math library."""

    @cuda.jit
    def waves(x, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = math.sqrt(math.sin(x[i]) ** 2 + math.exp(x[i]))

    return waves


def mandelbrot(cuda: Any) -> Any:
    """Iterations until a point leaves the circle of radius 2, in float64."""

    @cuda.jit
    def mandel(out, x0, y0, dx, dy, limit):
        i, j = cuda.grid(2)
        if i < out.shape[0] and j < out.shape[1]:
            cr = x0 + j * dx
            ci = y0 + i * dy
            zr = 0.0
            zi = 0.0
            k = 0
            while k < limit and zr * zr + zi * zi < 4.0:
                t = zr * zr - zi * zi + cr
                zi = 2 * zr * zi + ci
                zr = t
                k += 1
            out[i, j] = k

    return mandel


def tiled_matmul(cuda: Any, float32: Any) -> Any:
    """The kernel of numba.cuda's documentation: 16 x 16 tiles in shared memory."""

    @cuda.jit
    def matmul(a, b, c):
        tile_a = cuda.shared.array((TILE, TILE), float32)
        tile_b = cuda.shared.array((TILE, TILE), float32)
        x, y = cuda.grid(2)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        total = float32(0.0)
        for step in range(cuda.gridDim.x):
            tile_a[ty, tx] = 0
            tile_b[ty, tx] = 0
            if y < a.shape[0] and tx + step * TILE < a.shape[1]:
                tile_a[ty, tx] = a[y, tx + step * TILE]
            if x < b.shape[1] and ty + step * TILE < b.shape[0]:
                tile_b[ty, tx] = b[ty + step * TILE, x]
            cuda.syncthreads()
            for k in range(TILE):
                total += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        if y < c.shape[0] and x < c.shape[1]:
            c[y, x] = total

    return matmul


def bare_matmul(cuda: Any, float32: Any) -> Any:
    """The kernel without bounds checks, for sizes that are multiples of the tile."""

    @cuda.jit
    def matmul(a, b, c):
        tile_a = cuda.shared.array((TILE, TILE), float32)
        tile_b = cuda.shared.array((TILE, TILE), float32)
        x, y = cuda.grid(2)
        tx = cuda.threadIdx.x
        ty = cuda.threadIdx.y
        total = float32(0.0)
        for step in range(a.shape[1] // TILE):
            tile_a[ty, tx] = a[y, tx + step * TILE]
            tile_b[ty, tx] = b[ty + step * TILE, x]
            cuda.syncthreads()
            for k in range(TILE):
                total += tile_a[ty, k] * tile_b[k, tx]
            cuda.syncthreads()
        c[y, x] = total

    return matmul
