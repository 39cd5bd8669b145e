"""Two galaxies meet.

Stars feel two heavy centres; a parallel function moves them and draws the map of their density.
"""

import numpy as np
from _show import image, main

from phalanx import njit, prange


@njit(parallel=True, fastmath=True)
def pull(position, velocity, centres, step):
    for i in prange(len(position)):
        for k in range(len(centres)):
            away = centres[k] - position[i]
            square = (away * away).sum() + 0.02
            velocity[i] += away * (step / (square * np.sqrt(square)))
        position[i] += velocity[i] * step


def disc(draws, stars, centre, drift, tilt):
    radius, angle = 0.2 + draws.random(stars), draws.random(stars) * 2 * np.pi
    plane = np.stack([np.cos(angle), np.sin(angle) * np.cos(tilt), np.sin(angle) * np.sin(tilt)], 1)
    along = np.stack(
        [-np.sin(angle), np.cos(angle) * np.cos(tilt), np.cos(angle) * np.sin(tilt)], 1
    )
    return centre + radius[:, None] * plane, drift + along / np.sqrt(radius)[:, None]


def draw():
    draws = np.random.default_rng(1)
    centres = np.array([[-1.6, -0.5, 0.0], [1.6, 0.5, 0.0]])
    drift = np.array([[0.35, 0.0, 0.1], [-0.35, 0.0, -0.1]])
    discs = [disc(draws, 60_000, centres[k], drift[k], 0.5 + k) for k in range(2)]
    position, velocity = (np.concatenate(parts) for parts in zip(*discs, strict=True))
    for _ in range(220):
        pull(centres, drift, centres, 0.02)
        pull(position, velocity, centres, 0.02)
    density, _, _ = np.histogram2d(
        position[:, 1], position[:, 0], bins=(360, 480), range=((-3, 3), (-4, 4))
    )
    return image(np.log1p(density), "magma")


if __name__ == "__main__":
    main(draw)
