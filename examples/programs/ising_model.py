"""The Ising model: spins of a magnet, flipped on a chequerboard by many threads at once.

The benchmark that physicists port to each new GPU library. Method: N. Metropolis et al., 1953, with
each colour of the board in an array of its own (J. Romero et al., "A Performance Study of the 2D
Ising Model on GPUs", 2019). The magnetisation is known (L. Onsager, 1944; C. Yang, 1952).
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32

FIELD, USES = "physics", "kernels"
COLD, CRITICAL = 2.0, 2.269
ROWS = 64  # of a thread, in one column


@cuda.jit
def sweep(spins, others, states, colour, temperature):
    """One try for each spin of a colour."""
    column = cuda.grid(1)
    height, width = spins.shape
    if column < width:
        thread = cuda.blockIdx.y * width + column
        for row in range(cuda.blockIdx.y * ROWS, (cuda.blockIdx.y + 1) * ROWS):
            side = column + 1 if (row + colour) & 1 else column - 1
            side = side - width if side == width else side  # the border is joined to the other
            below = row + 1 if row + 1 < height else 0
            around = others[row - 1, column] + others[below, column]
            around += others[row, column] + others[row, side]
            cost = np.float32(2 * spins[row, column] * around)
            draw = xoroshiro128p_uniform_float32(states, thread)
            if draw < math.exp(-cost / temperature):
                spins[row, column] = -spins[row, column]


def sweep_in_numpy(spins, others, rng, colour):
    odd = ((np.arange(len(spins)) + colour) & 1)[:, None] == 1
    side = np.where(odd, np.roll(others, -1, axis=1), np.roll(others, 1, axis=1))
    around = others + side + np.roll(others, 1, axis=0) + np.roll(others, -1, axis=0)
    cost = np.float32(2) * spins * around
    spins[rng.random(spins.shape, np.float32) < np.exp(-cost / np.float32(COLD))] *= -1


def simulate(size, sweeps, temperature, seed=21):
    """The board after some sweeps, from all spins up."""
    blocks = (size // 2 + 63) // 64, size // ROWS
    states = create_xoroshiro128p_states(size // 2 * blocks[1], seed=seed)
    halves = [cuda.to_device(np.ones((size, size // 2), np.int8)) for _ in range(2)]

    def job():
        for _ in range(sweeps):
            for colour in (0, 1):
                launch = sweep[blocks, 64]
                launch(halves[colour], halves[1 - colour], states, colour, np.float32(temperature))
        return [each.copy_to_host() for each in halves]

    return job


def board(halves):
    """The two colours as one picture."""
    whole = np.empty((len(halves[0]), 2 * halves[0].shape[1]), np.int8)
    for colour, half in enumerate(halves):
        for row in (0, 1):
            whole[row::2, (row + colour) % 2 :: 2] = half[row::2]
    return whole


def main(run: Run) -> None:
    size, sweeps = run.size((1024, 100), (128, 100))
    halves = run.measure(simulate(size, sweeps, COLD))
    # Below the critical temperature most spins agree: 0.9113 on an endless board at 2.
    known = (1 - math.sinh(2 / COLD) ** -4) ** 0.125
    check(np.mean(halves), known, atol=run.size(0.005, 0.03))
    plain, some = np.ones((2, size, size // 2), np.int8), min(sweeps, 10)
    rng = np.random.default_rng(1)

    def sweeps_in_numpy():
        for _ in range(some):
            for colour in (0, 1):
                sweep_in_numpy(plain[colour], plain[1 - colour], rng, colour)
        return plain.mean()

    check(run.peer("NumPy", sweeps_in_numpy, share=some / sweeps), known, atol=0.05)

    def draw(axes):
        axes.imshow(board(simulate(512, run.size(2000, 10), CRITICAL)()), cmap="gray")
        axes.set_title("at the critical temperature")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
