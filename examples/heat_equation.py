"""Heat spreading over a plate: each block keeps its tile and the tile's border in shared memory."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda, float32

TILE = 16
HALO = TILE + 2
RATE = np.float32(0.2)
STEPS = 50


@cuda.jit
def step(old, new, rate):
    tile = cuda.shared.array((HALO, HALO), float32)
    x, y = cuda.grid(2)
    tx = cuda.threadIdx.x + 1
    ty = cuda.threadIdx.y + 1
    height, width = old.shape
    inside = x < width and y < height
    if inside:
        tile[ty, tx] = old[y, x]
        if tx == 1 and x > 0:
            tile[ty, 0] = old[y, x - 1]
        if tx == TILE and x + 1 < width:
            tile[ty, TILE + 1] = old[y, x + 1]
        if ty == 1 and y > 0:
            tile[0, tx] = old[y - 1, x]
        if ty == TILE and y + 1 < height:
            tile[TILE + 1, tx] = old[y + 1, x]
    cuda.syncthreads()
    if inside:
        if x > 0 and x < width - 1 and y > 0 and y < height - 1:
            around = tile[ty - 1, tx] + tile[ty + 1, tx] + tile[ty, tx - 1] + tile[ty, tx + 1]
            new[y, x] = tile[ty, tx] + rate * (around - float32(4.0) * tile[ty, tx])
        else:
            new[y, x] = tile[ty, tx]


def steps_in_numpy(plate, steps):
    old = plate.copy()
    for _ in range(steps):
        new = old.copy()
        around = old[:-2, 1:-1] + old[2:, 1:-1] + old[1:-1, :-2] + old[1:-1, 2:]
        new[1:-1, 1:-1] = old[1:-1, 1:-1] + RATE * (around - np.float32(4) * old[1:-1, 1:-1])
        old = new
    return old


def step_in_python(old):
    new = [row[:] for row in old]
    for y in range(1, len(old) - 1):
        for x in range(1, len(old[0]) - 1):
            around = old[y - 1][x] + old[y + 1][x] + old[y][x - 1] + old[y][x + 1]
            new[y][x] = old[y][x] + 0.2 * (around - 4.0 * old[y][x])
    return new


def main():
    size = 1024
    plate = np.zeros((size, size), np.float32)
    plate[size // 4 : size // 2, size // 4 : size // 2] = 100.0
    first, second = cuda.to_device(plate), cuda.to_device(plate)
    grid = (size // TILE, size // TILE)

    def run():
        first.copy_to_device(plate)
        old, new = first, second
        for _ in range(STEPS):
            step[grid, (TILE, TILE)](old, new, RATE)
            old, new = new, old
        cuda.synchronize()

    kernel = best_time(run, repeats=3)
    numpy, expected = timed(lambda: steps_in_numpy(plate, STEPS))
    check(first.copy_to_host(), expected, rtol=1e-4, atol=1e-4)
    small = plate[:256, :256].tolist()
    python, _ = timed(lambda: step_in_python(small))
    report(f"heat equation, {STEPS} steps", kernel, numpy, python * STEPS * (size / 256) ** 2)


if __name__ == "__main__":
    main()
