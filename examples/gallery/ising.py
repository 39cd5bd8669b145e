"""A magnet near its critical temperature.

The Ising model by the checkerboard: half of the spins flip at once, with a random generator for
each thread.
"""

import numpy as np
from _show import image, main
from phalanx.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

from phalanx import cuda


@cuda.jit
def flip(spins, states, chances, colour):
    x, y = cuda.grid(2)
    rows, columns = spins.shape
    if y < rows and x < columns and (x + y) % 2 == colour:
        near = spins[(y - 1 + rows) % rows, x] + spins[(y + 1) % rows, x]
        near += spins[y, (x - 1 + columns) % columns] + spins[y, (x + 1) % columns]
        if xoroshiro128p_uniform_float32(states, y * columns + x) < chances[near * spins[y, x] + 4]:
            spins[y, x] = -spins[y, x]


def draw():
    rows, columns = 216, 288
    start = np.random.default_rng(2).choice([-1, 1], (rows, columns)).astype(np.int8)
    spins = cuda.to_device(start)
    states = create_xoroshiro128p_states(rows * columns, seed=9)
    chances = cuda.to_device(np.exp(-2 * np.arange(-4, 5) / 2.26).astype(np.float32))
    for sweep in range(1500):
        flip.over((columns, rows))(spins, states, chances, sweep % 2)
    return image(spins.copy_to_host(), "copper")


if __name__ == "__main__":
    main(draw)
