"""Conway's Game of Life on a torus: every cell of the next generation is one thread."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda

GENERATIONS = 50


@cuda.jit
def next_generation(old, new):
    x, y = cuda.grid(2)
    height, width = old.shape
    if x >= width or y >= height:
        return
    neighbours = 0
    for dy in range(-1, 2):
        for dx in range(-1, 2):
            if dy != 0 or dx != 0:
                neighbours += old[(y + dy) % height, (x + dx) % width]
    alive = old[y, x]
    if neighbours == 3 or (alive == 1 and neighbours == 2):
        new[y, x] = 1
    else:
        new[y, x] = 0


def next_in_numpy(old):
    neighbours = sum(
        np.roll(old, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dy or dx
    )
    return ((neighbours == 3) | ((old == 1) & (neighbours == 2))).astype(np.uint8)


def next_in_python(old):
    height, width = len(old), len(old[0])
    new = []
    for y in range(height):
        row = []
        for x in range(width):
            neighbours = sum(
                old[(y + dy) % height][(x + dx) % width]
                for dy in (-1, 0, 1)
                for dx in (-1, 0, 1)
                if dy or dx
            )
            row.append(int(neighbours == 3 or (old[y][x] == 1 and neighbours == 2)))
        new.append(row)
    return new


def main():
    size = 512
    world = np.random.default_rng(0).integers(0, 2, (size, size)).astype(np.uint8)
    first, second = cuda.to_device(world), cuda.to_device(world)
    block = (32, 8)
    grid = (size // block[0], size // block[1])

    def run():
        first.copy_to_device(world)
        old, new = first, second
        for _ in range(GENERATIONS):
            next_generation[grid, block](old, new)
            old, new = new, old
        cuda.synchronize()

    def run_in_numpy():
        state = world
        for _ in range(GENERATIONS):
            state = next_in_numpy(state)
        return state

    kernel = best_time(run, repeats=3)
    numpy, expected = timed(run_in_numpy)
    check(first.copy_to_host(), expected)
    small = world[:128, :128].tolist()
    python, _ = timed(lambda: next_in_python(small))
    report(
        f"Game of Life, {GENERATIONS} steps",
        kernel,
        numpy,
        python * GENERATIONS * (size / 128) ** 2,
    )


if __name__ == "__main__":
    main()
