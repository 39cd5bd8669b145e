"""A path tracer: balls in the light of the sky, a thread for each pixel.

What thousands have written after "Ray Tracing in One Weekend" (P. Shirley, 2016). Light: J. Kajiya,
"The Rendering Equation", 1986. It checks itself in the white furnace: a ball that gives back 70 %
of the light, in a sky that is 1 everywhere, is 0.7 wherever it is seen.
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float64

FIELD, USES = "games", "kernels"

device = cuda.jit(device=True)
dot = device(lambda a, b: a[0] * b[0] + a[1] * b[1] + a[2] * b[2])
along = device(lambda a, by, b: (a[0] + by * b[0], a[1] + by * b[1], a[2] + by * b[2]))
unit = device(lambda a: along((0.0, 0.0, 0.0), 1 / math.sqrt(dot(a, a)), a))


@device
def nearest(balls, eye, ray):
    """The distance to the first ball that a ray meets, and its number; -1: none."""
    best, found = 1e30, -1
    for k in range(balls.shape[0]):
        apart = along(eye, -1.0, (balls[k, 0], balls[k, 1], balls[k, 2]))
        half = dot(apart, ray)
        inside = half * half - dot(apart, apart) + balls[k, 3] * balls[k, 3]
        if inside > 0:
            away = -half - math.sqrt(inside)
            if 1e-4 < away < best:
                best, found = away, k
    return best, found


@device
def light(balls, eye, ray, states, thread, blue):
    """The light of three colours along one path; `blue` is how blue the sky is."""
    share = (1.0, 1.0, 1.0)
    for _ in range(16):
        away, k = nearest(balls, eye, ray)
        if k < 0:
            up = blue * (0.5 * ray[1] + 0.5)
            return share[0] * (1 - 0.5 * up), share[1] * (1 - 0.3 * up), share[2]
        eye = along(eye, away, ray)
        normal = unit(along(eye, -1.0, (balls[k, 0], balls[k, 1], balls[k, 2])))
        share = share[0] * balls[k, 4], share[1] * balls[k, 5], share[2] * balls[k, 6]
        if balls[k, 7] > 0:  # a mirror
            ray = along(ray, -2 * dot(ray, normal), normal)
        else:  # a point of the sphere around the normal's end: more often where the cosine is large
            height = 2 * xoroshiro128p_uniform_float64(states, thread) - 1
            turn = 2 * math.pi * xoroshiro128p_uniform_float64(states, thread)
            flat = math.sqrt(max(0.0, 1 - height * height))
            around = flat * math.cos(turn), flat * math.sin(turn), height
            ray = unit(along(normal, 1.0, around))
    return 0.0, 0.0, 0.0


@cuda.jit
def render(image, balls, samples, blue, states):
    column, row = cuda.grid(2)
    _, height, width = image.shape
    if row < height and column < width:
        thread = row * width + column
        for _ in range(samples):
            x = column + xoroshiro128p_uniform_float64(states, thread) - width / 2
            y = height / 2 - row - xoroshiro128p_uniform_float64(states, thread)
            ray = unit((x / height, y / height, -1.0))
            seen = light(balls, (0.0, 0.5, 2.5), ray, states, thread, blue)
            for colour in range(3):
                image[colour, row, column] += seen[colour] / samples


def main(run: Run) -> None:
    shape, samples = run.size(((360, 540), 16), ((24, 36), 4))
    states = create_xoroshiro128p_states(shape[0] * shape[1], seed=1)

    def trace(balls, blue):
        image = cuda.to_device(np.zeros((3, *shape)))
        grid = (shape[1] + 15) // 16, (shape[0] + 7) // 8
        render[grid, (16, 8)](image, np.array(balls), samples, blue, states)
        return np.moveaxis(image.copy_to_host(), 0, 2)

    # x, y, z, radius, three shares of light that the ball gives back, mirror or not.
    balls = [[0, -100.5, 0, 100, 0.5, 0.55, 0.4, 0], [0, 0.1, -0.2, 0.6, 0.9, 0.85, 0.7, 1]]
    for k in range(13):
        x, z = 1.3 * math.cos(k * 0.48), 1.1 * math.sin(k * 0.48) - 0.2
        colours = np.random.default_rng(k).uniform(0.2, 0.95, 3)
        balls.append([x, -0.28, z, 0.22, *colours, k % 4 == 0])
    image = run.measure(lambda: trace(balls, 1.0))
    furnace = trace([[0, 0.5, 0, 1.0, 0.7, 0.7, 0.7, 0]], 0.0)
    check(furnace[shape[0] // 2, shape[1] // 2], [0.7] * 3, atol=1e-12)
    check(furnace[0, 0], [1.0] * 3, atol=1e-12)
    run.picture(lambda axes: axes.imshow(np.clip(image, 0, 1) ** (1 / 2.2)), (8, 5.4))


if __name__ == "__main__":
    start(main)
