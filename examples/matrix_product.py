"""A tiled matrix product: the threads of a block share tiles and wait for each other."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda, float32

TILE = 16


@cuda.jit
def matmul(a, b, c):
    tile_a = cuda.shared.array((TILE, TILE), float32)
    tile_b = cuda.shared.array((TILE, TILE), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x
    ty = cuda.threadIdx.y
    total = float32(0.0)
    for tile in range(cuda.gridDim.x):
        tile_a[ty, tx] = 0
        tile_b[ty, tx] = 0
        if y < a.shape[0] and tx + tile * TILE < a.shape[1]:
            tile_a[ty, tx] = a[y, tx + tile * TILE]
        if x < b.shape[1] and ty + tile * TILE < b.shape[0]:
            tile_b[ty, tx] = b[ty + tile * TILE, x]
        cuda.syncthreads()
        for k in range(TILE):
            total += tile_a[ty, k] * tile_b[k, tx]
        cuda.syncthreads()
    if y < c.shape[0] and x < c.shape[1]:
        c[y, x] = total


def matmul_in_python(a, b):
    columns = list(zip(*b, strict=True))
    return [[sum(x * y for x, y in zip(row, col, strict=True)) for col in columns] for row in a]


def main():
    n = 512
    rng = np.random.default_rng(0)
    a = rng.random((n, n), dtype=np.float32)
    b = rng.random((n, n), dtype=np.float32)
    a_device, b_device = cuda.to_device(a), cuda.to_device(b)
    c_device = cuda.device_array((n, n), np.float32)
    blocks = (n + TILE - 1) // TILE

    def run():
        matmul[(blocks, blocks), (TILE, TILE)](a_device, b_device, c_device)
        cuda.synchronize()

    kernel = best_time(run)
    numpy = best_time(lambda: a @ b)
    check(c_device.copy_to_host(), a @ b, rtol=1e-4)
    small = 64
    python, _ = timed(
        lambda: matmul_in_python(a[:small, :small].tolist(), b[:small, :small].tolist())
    )
    report("matrix product 512", kernel, numpy, python * (n / small) ** 3)


if __name__ == "__main__":
    main()
