"""Julia sets: a zoom into one, a parallel loop over the rows of an image.

The picture with which guides to Numba, Cython and PyCUDA begin. Smooth colours: the normalised
iteration count (H.-O. Peitgen and D. Saupe, "The Science of Fractal Images", 1988).
"""

import math

import numpy as np
from _program import Run, check, start
from numba import njit, prange

FIELD, USES = "imaging", "functions"
C, CENTRE, LIMIT = complex(-0.7269, 0.1889), complex(-0.15, 0.27), 300


@njit(parallel=True)
def julia(width, height, centre, size):
    """How fast each point of a window leaves the disk of radius 2^5."""
    image = np.empty((height, width))
    for row in prange(height):
        for column in range(width):
            z = centre + complex(column / width - 0.5, (row / height - 0.5) * height / width) * size
            count = 0
            while count < LIMIT and z.real * z.real + z.imag * z.imag < 1024.0:
                z = z * z + C
                count += 1
            smooth = float(count)
            if count < LIMIT:
                smooth += 1 - math.log2(math.log(abs(z)) / math.log(2.0))
            image[row, column] = smooth
    return image


def julia_in_numpy(width, height, centre, size):
    x = np.arange(width) / width - 0.5
    y = (np.arange(height) / height - 0.5) * height / width
    z = centre + (x + 1j * y[:, None]) * size
    count = np.zeros(z.shape, int)
    for _ in range(LIMIT):
        inside = z.real * z.real + z.imag * z.imag < 1024.0
        z[inside] = z[inside] ** 2 + C
        count += inside
    with np.errstate(all="ignore"):
        smooth = count + 1 - np.log2(np.log(np.abs(z)) / math.log(2.0))
    return np.where(count < LIMIT, smooth, count)


def main(run: Run) -> None:
    width, height = run.size((1200, 900), (64, 48))
    frames = [3.0 * 0.5**step for step in range(run.size(6, 2))]
    images = run.measure(lambda: [julia(width, height, CENTRE, size) for size in frames])
    less = width // run.size(4, 1), height // run.size(4, 1)  # for the slow one
    plain = run.peer(
        "NumPy",
        lambda: julia_in_numpy(*less, CENTRE, frames[1]),
        share=less[0] * less[1] / (width * height * len(frames)),
    )
    # Where rounding decides, a point takes another way: on the very edge of the set.
    apart = np.mean(np.abs(julia(*less, CENTRE, frames[1]) - plain) > 1e-3)
    check(apart < 0.01, True)

    def draw(axes):
        axes.imshow(np.hstack([images[0], images[-1]]), cmap="twilight_shifted")
        axes.set_axis_off()

    run.picture(draw, (9.6, 3.8))


if __name__ == "__main__":
    start(main)
