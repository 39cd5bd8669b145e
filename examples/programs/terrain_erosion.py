"""Erosion: slopes that are too steep slide down, and streams cut valleys, in array statements.

A script for CuPy, as makers of terrains for games have them; run it with `python -m phalanx run`.
Methods: thermal erosion (F. Musgrave, C. Kolb and R. Mace, 1989) and smoothing of hills by creep.
"""

import cupy as cp
import numpy as np
from _program import Run, check, start

FIELD, USES = "games", "CuPy"
TALUS, SLIDE, CREEP = 0.004, 0.2, 0.02
SIDES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


def erode(xp, heights, steps):
    """What slides from a cell arrives in its neighbours; `xp` is cupy or NumPy."""
    for _ in range(steps):
        drops = [heights - xp.roll(heights, side, axis=(0, 1)) for side in SIDES]
        change = -CREEP * sum(drops)
        for side, drop in zip(SIDES, drops, strict=True):
            slides = SLIDE * xp.maximum(drop - TALUS, 0) * 0.5
            back = (-side[0], -side[1])
            change = change - slides + xp.roll(slides, back, axis=(0, 1))
        heights = heights + change
    return heights


def mountains(size):
    """Ridges: the folded absolute values of waves, of several sizes."""
    rng = np.random.default_rng(23)
    y, x = np.mgrid[:size, :size] * (2 * np.pi / size)
    heights = np.zeros((size, size))
    for octave in range(1, 6):
        for _ in range(3):
            a, b = rng.integers(-(2**octave), 2**octave + 1, 2)
            wave = np.sin(a * x + b * y + rng.uniform(0, 6.3))
            heights += (1 - np.abs(wave)) / 2**octave
    return heights / heights.max()


def main(run: Run) -> None:
    size, steps = run.size((1024, 100), (64, 10))
    heights = mountains(size)
    there = cp.asarray(heights)
    worn = run.measure(lambda: cp.asnumpy(erode(cp, there, steps)))
    some = run.size(10, 10)
    plain = run.peer("NumPy", lambda: erode(np, heights, some), share=some / steps)
    run.agree(cp.asnumpy(erode(cp, there, some)), plain, rtol=1e-9)
    # Nothing is lost on the way down, and slopes are less steep.
    check(worn.sum(), heights.sum(), rtol=1e-9)
    check(np.abs(np.diff(worn)).max() < np.abs(np.diff(heights)).max(), True)

    def draw(axes):
        both = np.hstack([heights, worn])
        slope = np.gradient(both, axis=0) - np.gradient(both, axis=1)
        axes.imshow(slope, cmap="gray", vmin=-0.02, vmax=0.02)
        axes.imshow(both, cmap="terrain", alpha=0.5)
        axes.set_axis_off()

    run.picture(draw, (9.6, 4.8))


if __name__ == "__main__":
    start(main)
