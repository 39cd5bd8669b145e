"""Waves that pass two slits: a step is recorded into a graph once, and launched a thousand times.

The wave equation of courses on GPU computing, with array slices as NumPy users write it. Method:
second differences in space and time (R. Courant, K. Friedrichs and H. Lewy, 1928).
"""

import numpy as np
from _program import Run, check, start

import phalanx as px
from phalanx import cuda

FIELD, USES = "physics", "arrays in graphs"
COURANT = 0.5  # squared; stable up to 1/2


def screen(size):
    """Where waves go: everywhere but in a wall with two slits."""
    open_ = np.ones((size, size), np.float32)
    wall = slice(size * 3 // 10, size * 3 // 10 + max(size // 100, 1))
    open_[wall] = 0
    for centre in (0.42, 0.58):
        open_[wall, int(size * (centre - 0.02)) : int(size * (centre + 0.02)) + 1] = 1
    open_ = np.maximum(open_, open_[:, ::-1])  # left and right alike, to the last cell
    open_[[0, -1]] = open_[:, [0, -1]] = 0
    return open_


def step(old, now, open_):
    """Writes the next time over `old`."""
    middle = now[1:-1, 1:-1]
    around = now[:-2, 1:-1] + now[2:, 1:-1] + now[1:-1, :-2] + now[1:-1, 2:] - 4 * middle
    old[1:-1, 1:-1] = open_[1:-1, 1:-1] * (2 * middle - old[1:-1, 1:-1] + COURANT * around)


def pulse(size):
    """A plane pulse that moves down, at two times half a cell's diagonal apart."""
    rows = np.arange(size)[:, None] - np.array([[0.0], [np.sqrt(COURANT)]])[:, :, None]
    width = size / 60
    shape = np.exp(-(((rows - size * 0.15) / width) ** 2)) * np.cos(rows / width * 2)
    return (shape * np.ones((2, 1, size))).astype(np.float32) * screen(size)


def main(run: Run) -> None:
    size, pairs = run.size((1024, 400), (64, 10))
    start_fields, open_ = pulse(size), screen(size)
    ours = px.asarray(open_)

    def job(pairs):
        old, now = px.array(start_fields[0]), px.array(start_fields[1])
        with cuda.graph() as graph:
            step(old, now, ours)
            step(now, old, ours)
        for _ in range(pairs):
            graph.launch()
        return np.asarray(now)

    field = run.measure(lambda: job(pairs))
    done = max(pairs // 10, 1)

    def plain():
        old, now = start_fields.copy()
        for _ in range(done):
            step(old, now, open_)
            step(now, old, open_)
        return now

    expected = run.peer("NumPy", plain, share=done / pairs)
    run.agree(job(done), expected, atol=1e-4)
    # Nothing tells left from right.
    check(field, field[:, ::-1], atol=1e-3)
    run.picture(lambda axes: axes.imshow(field, cmap="RdBu", vmin=-0.3, vmax=0.3))


if __name__ == "__main__":
    start(main)
