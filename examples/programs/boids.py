"""Boids: a flock of birds that follow three rules, each looking at all others.

The demo of games and of GPU courses. Rules: C. Reynolds, "Flocks, Herds, and Schools", 1987: keep
apart, fly as the others fly, stay with them.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "games", "functions"
NEAR, TOO_NEAR, SPEED = 0.06, 0.02, 0.01
APART, ALIKE, TOGETHER = 0.05, 0.05, 0.01


@njit(parallel=True)
def fly(place, speed, steps):
    """Places and speeds after some steps, in a square whose borders are joined."""
    for _ in range(steps):
        new_speed = np.empty_like(speed)
        for i in prange(place.shape[0]):
            count = near_x = near_y = with_x = with_y = away_x = away_y = 0.0
            for j in range(place.shape[0]):
                x = place[j, 0] - place[i, 0]
                y = place[j, 1] - place[i, 1]
                x -= np.rint(x)
                y -= np.rint(y)
                apart = x * x + y * y
                if apart < NEAR * NEAR:
                    count += 1
                    near_x += x
                    near_y += y
                    with_x += speed[j, 0]
                    with_y += speed[j, 1]
                    if apart < TOO_NEAR * TOO_NEAR:
                        away_x -= x
                        away_y -= y
            x = speed[i, 0] + TOGETHER * near_x / count + APART * away_x
            y = speed[i, 1] + TOGETHER * near_y / count + APART * away_y
            x += ALIKE * (with_x / count - speed[i, 0])
            y += ALIKE * (with_y / count - speed[i, 1])
            size = SPEED / math.sqrt(x * x + y * y)
            new_speed[i, 0] = x * size
            new_speed[i, 1] = y * size
        speed = new_speed
        place = (place + speed) % 1.0
    return place, speed


def fly_in_numpy(place, speed, steps):
    for _ in range(steps):
        x, y = (place[None, :, k] - place[:, None, k] for k in (0, 1))
        way = np.stack([x - np.rint(x), y - np.rint(y)], axis=2)
        apart = (way**2).sum(axis=2)
        near = (apart < NEAR**2).astype(float)
        count = near.sum(axis=1)[:, None]
        away = np.einsum("ij,ijk->ik", apart < TOO_NEAR**2, way)
        centre = np.einsum("ij,ijk->ik", near, way) / count
        new = speed + TOGETHER * centre - APART * away + ALIKE * (near @ speed / count - speed)
        speed = new * (SPEED / np.linalg.norm(new, axis=1, keepdims=True))
        place = (place + speed) % 1.0
    return place, speed


def order(speed):
    """1: all fly one way; 0: each its own."""
    return np.linalg.norm(speed.mean(axis=0)) / SPEED


def main(run: Run) -> None:
    birds, steps = run.size((2000, 100), (100, 5))
    rng = np.random.default_rng(18)
    place, angle = rng.random((birds, 2)), rng.uniform(0, 2 * np.pi, birds)
    speed = SPEED * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    end = run.measure(lambda: fly(place, speed, steps))
    expected = run.peer("NumPy", lambda: fly_in_numpy(place, speed, 3), share=3 / steps)
    run.agree(fly(place, speed, 3), expected, atol=1e-9)
    check(np.linalg.norm(end[1], axis=1), np.full(birds, SPEED), rtol=1e-9)
    check(order(end[1]) > order(speed), run.size(True, order(end[1]) > order(speed)))

    def draw(axes):
        where, how = fly(place, speed, run.size(400, 5))
        angle = np.arctan2(how[:, 1], how[:, 0])
        axes.quiver(*where.T, *how.T, angle, cmap="hsv", scale=0.5, width=0.003)
        axes.set(aspect="equal", xticks=[], yticks=[])

    run.picture(draw, (5.5, 5.5))


if __name__ == "__main__":
    start(main)
