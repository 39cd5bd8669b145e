"""Lattice Boltzmann: a wind past a cylinder, in the array statements of NumPy scripts.

The flow solver in a hundred lines that went around as a NumPy script. Method: D2Q9 with a single
relaxation time (Y. Qian, D. d'Humieres and P. Lallemand, 1992).
"""

import numpy as np
from _program import Run, check, start

import phalanx as px

FIELD, USES = "physics", "arrays"
WAYS = [(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)]
WEIGHTS = [4 / 9, *[1 / 9] * 4, *[1 / 36] * 4]
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]
WIND, REYNOLDS = 0.08, 220.0


def rest(way, density, u, v):
    """The distribution of one way at equilibrium."""
    x, y = WAYS[way]
    along = 3 * (x * u + y * v)
    return WEIGHTS[way] * density * (1 + along + along * along / 2 - 1.5 * (u * u + v * v))


def step(xp, f, solid, inflow, relax):
    """One step of the nine distributions; `xp` is phalanx or NumPy."""
    f = [xp.roll(each, way, axis=(1, 0)) for each, way in zip(f, WAYS, strict=True)]
    density = sum(f)
    u = sum(x * each for each, (x, _) in zip(f, WAYS, strict=True) if x) / density
    v = sum(y * each for each, (_, y) in zip(f, WAYS, strict=True) if y) / density
    after = []
    for way, each in enumerate(f):
        met = each + relax * (rest(way, density, u, v) - each)
        met = xp.where(solid, f[OPPOSITE[way]], met)  # back where it came from
        after.append(xp.where(inflow, WEIGHTS[way] * (1 + 3 * WAYS[way][0] * WIND), met))
    return after


def flow(xp, shape, steps):
    height, width = shape
    y, x = np.mgrid[:height, :width]
    radius = height / 9
    solid = np.hypot(x - width / 5, y - height / 2 - 1) < radius
    relax = 1 / (3 * WIND * 2 * radius / REYNOLDS + 0.5)
    one = np.ones(shape, np.float32)
    f = [xp.asarray(rest(k, one, WIND * one, 0 * one).astype(np.float32)) for k in range(9)]
    solid, inflow = xp.asarray(solid), xp.asarray(x == 0)
    for _ in range(steps):
        f = step(xp, f, solid, inflow, np.float32(relax))
    return np.stack([np.asarray(each) for each in f])


def curl(f):
    density = f.sum(axis=0)
    u = sum(f[k] * x for k, (x, _) in enumerate(WAYS)) / density
    v = sum(f[k] * y for k, (_, y) in enumerate(WAYS)) / density
    return np.gradient(v, axis=1) - np.gradient(u, axis=0)


def main(run: Run) -> None:
    shape, steps = run.size(((180, 480), 400), ((36, 96), 10))
    f = run.measure(lambda: flow(px, shape, steps))
    some = run.size(40, 10)
    expected = run.peer("NumPy", lambda: flow(np, shape, some), share=some / steps)
    run.agree(flow(px, shape, some), expected, atol=1e-5)
    check(f.min() > 0, True)
    check(np.isfinite(f).all(), True)

    def draw(axes):
        spin = curl(flow(px, shape, run.size(6000, 20)))
        axes.imshow(spin, cmap="RdBu", vmin=-0.02, vmax=0.02, origin="lower")
        axes.set_axis_off()

    run.picture(draw, (9.6, 3.8))


if __name__ == "__main__":
    start(main)
