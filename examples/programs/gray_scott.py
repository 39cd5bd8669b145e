"""Reaction and diffusion: two substances that make spots and stripes, as on a fish.

A stencil of many thousand steps in a parallel loop. Equations: P. Gray and S. Scott, 1983; the
patterns: J. Pearson, "Complex Patterns in a Simple System", 1993.
"""

import numpy as np
from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "biology", "functions"
SPREAD_U, SPREAD_V, FEED, KILL = 0.16, 0.08, 0.037, 0.06


@njit(parallel=True, fastmath=True)
def react(u, v, steps):
    """Two steps a pass, from one pair of arrays to the other and back; the border stays."""
    height, width = u.shape
    next_u, next_v = u.copy(), v.copy()
    for _ in range(steps // 2):
        for half in range(2):
            for y in prange(1, height - 1):
                if half == 0:
                    react_row(u, v, next_u, next_v, y, width)
                else:
                    react_row(next_u, next_v, u, v, y, width)


@njit(fastmath=True)
def react_row(u, v, next_u, next_v, y, width):
    for x in range(1, width - 1):
        here_u, here_v = u[y, x], v[y, x]
        around_u = u[y - 1, x] + u[y + 1, x] + u[y, x - 1] + u[y, x + 1] - np.float32(4) * here_u
        around_v = v[y - 1, x] + v[y + 1, x] + v[y, x - 1] + v[y, x + 1] - np.float32(4) * here_v
        rate = here_u * here_v * here_v
        next_u[y, x] = (
            here_u + np.float32(SPREAD_U) * around_u - rate
            + np.float32(FEED) * (np.float32(1) - here_u)
        )  # fmt: skip
        next_v[y, x] = (
            here_v + np.float32(SPREAD_V) * around_v + rate
            - np.float32(FEED + KILL) * here_v
        )  # fmt: skip


def react_in_numpy(u, v, steps):
    middle = slice(1, -1), slice(1, -1)

    def around(a):
        return a[:-2, 1:-1] + a[2:, 1:-1] + a[1:-1, :-2] + a[1:-1, 2:] - 4 * a[middle]

    for _ in range(steps):
        rate = u[middle] * v[middle] ** 2
        new_u = u[middle] + SPREAD_U * around(u) - rate + FEED * (1 - u[middle])
        v[middle] += SPREAD_V * around(v) + rate - (FEED + KILL) * v[middle]
        u[middle] = new_u


def begin(size):
    """All of the first substance, and seeds of the second."""
    u, v = np.ones((size, size), np.float32), np.zeros((size, size), np.float32)
    for y, x in np.random.default_rng(6).integers(size // 8, size * 7 // 8, (12, 2)):
        u[y - 4 : y + 4, x - 4 : x + 4], v[y - 4 : y + 4, x - 4 : x + 4] = 0.5, 0.25
    return u, v


def job(function, size, steps):
    u, v = begin(size)
    function(u, v, steps)
    return u, v


def main(run: Run) -> None:
    size, steps = run.size((512, 2000), (64, 20))
    u, v = run.measure(lambda: job(react, size, steps))
    some = run.size(100, 20)
    plain = run.peer("NumPy", lambda: job(react_in_numpy, size, some), share=some / steps)
    run.agree(job(react, size, some), plain, atol=1e-4)
    check(bool(v.min() >= 0 and v.max() < 1 and u.min() > 0 and u.max() <= 1.001), True)
    run.picture(lambda axes: axes.imshow(job(react, size, run.size(12_000, 20))[1], cmap="magma"))


if __name__ == "__main__":
    start(main)
