"""The Ising model: spins of a magnet, flipped on a chequerboard by many threads at once.

The benchmark that physicists port to each new GPU library. Method: N. Metropolis et al., 1953, on
two colours; the magnetisation is known exactly (L. Onsager, 1944; C. Yang, 1952).
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

FIELD = "physics"
TEMPERATURE = 2.0


@cuda.jit
def sweep(spins, states, colour, temperature):
    """One try for each spin of a colour; a thread has a piece of a row of the board."""
    thread = cuda.grid(1)
    size = spins.shape[0]
    if thread < states.shape[0]:
        row = thread // (states.shape[0] // size)
        width = size // (states.shape[0] // size)
        first = (thread % (size // width)) * width
        for k in range(width // 2):
            column = first + 2 * k + ((row + colour) & 1)
            around = (
                spins[row, (column + 1) % size] + spins[row, (column - 1 + size) % size]
                + spins[(row + 1) % size, column] + spins[(row - 1 + size) % size, column]
            )  # fmt: skip
            cost = np.float32(2 * spins[row, column] * around)
            draw = xoroshiro128p_uniform_float32(states, thread)
            if draw < math.exp(-cost / temperature):
                spins[row, column] = -spins[row, column]


def sweep_in_numpy(spins, rng, board):
    for colour in (0, 1):
        around = sum(np.roll(spins, by, axis) for by in (-1, 1) for axis in (0, 1))
        flips = rng.random(spins.shape) < np.exp(-2.0 * spins * around / TEMPERATURE)
        spins[flips & (board == colour)] *= -1


def onsager(temperature):
    return (1 - math.sinh(2 / temperature) ** -4) ** 0.125


def main(run: Run) -> None:
    size, sweeps = run.size((1024, 200), (128, 100))
    pieces = 4
    states = create_xoroshiro128p_states(size * pieces, seed=21)
    launch = size * pieces // 128, 128

    def job():
        spins = cuda.to_device(np.ones((size, size), np.int8))
        for _ in range(sweeps):
            for colour in (0, 1):
                sweep[launch](spins, states, colour, np.float32(TEMPERATURE))
        return spins.copy_to_host()

    spins = run.measure(job)
    # At 2.0, below the critical 2.269, most spins agree: 0.9113 on an endless board.
    check(spins.mean(), onsager(TEMPERATURE), atol=run.size(0.01, 0.04))
    plain, some = np.ones((size, size), np.int8), min(sweeps, 10)
    rng, board = np.random.default_rng(1), np.indices((size, size)).sum(axis=0) % 2

    def sweeps_in_numpy():
        for _ in range(some):
            sweep_in_numpy(plain, rng, board)

    run.peer("NumPy", sweeps_in_numpy, share=some / sweeps)

    def draw(axes):
        hot = cuda.to_device(np.ones((size, size), np.int8))
        for _ in range(sweeps):
            for colour in (0, 1):
                sweep[launch](hot, states, colour, np.float32(2.27))
        axes.imshow(hot.copy_to_host(), cmap="gray")
        axes.set_title("at the critical temperature")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
