"""A viewshed: which places of a landscape can be seen from a tower, a line of sight a thread.

What GRASS and QGIS compute of height models. Method: R3, a sight line to each cell (W. Franklin,
C. Ray and S. Mehta, 1994).
"""

import math

import numpy as np
from _program import Run, check, start
from numba import cuda

FIELD, USES = "geodata", "kernels"
TOWER = 15.0


def slope_between(heights, eye, y0, x0, y1, x1):
    """The steepest slope, as seen from the eye, of what is between two cells."""
    steps = max(abs(y1 - y0), abs(x1 - x0))
    steepest = -1e30
    for k in range(1, steps):
        y = y0 + (y1 - y0) * k / steps
        x = x0 + (x1 - x0) * k / steps
        row, column = int(y), int(x)
        low, right = min(row + 1, heights.shape[0] - 1), min(column + 1, heights.shape[1] - 1)
        down, along = y - row, x - column
        height = (
            (1 - down) * ((1 - along) * heights[row, column] + along * heights[row, right])
            + down * ((1 - along) * heights[low, column] + along * heights[low, right])
        )  # fmt: skip
        steepest = max(steepest, (height - eye) / math.sqrt((y - y0) ** 2 + (x - x0) ** 2))
    return steepest


on_device = cuda.jit(device=True)(slope_between)


@cuda.jit
def view(heights, y0, x0, seen):
    x, y = cuda.grid(2)
    if y < heights.shape[0] and x < heights.shape[1]:
        away = math.sqrt((y - y0) ** 2 + (x - x0) ** 2)
        eye = heights[y0, x0] + TOWER
        slope = (heights[y, x] - eye) / max(away, 1.0)
        seen[y, x] = away == 0 or slope >= on_device(heights, eye, y0, x0, y, x)


def landscape(size):
    """Mountains as a sum of waves whose heights are as one over their frequencies."""
    rng = np.random.default_rng(19)
    wave = np.hypot(*np.meshgrid(np.fft.fftfreq(size), np.fft.rfftfreq(size), indexing="ij"))
    noise = rng.normal(size=wave.shape) + 1j * rng.normal(size=wave.shape)
    heights = np.fft.irfft2(noise / np.maximum(wave, 1 / size) ** 2, (size, size))
    return 250 * (heights - heights.min()) / np.ptp(heights) * size / 1000


def main(run: Run) -> None:
    size = run.size(1000, 64)
    heights = landscape(size)
    y0 = x0 = size // 2
    there, seen = cuda.to_device(heights), cuda.device_array((size, size), np.bool_)

    def job():
        view[((size + 31) // 32, (size + 7) // 8), (32, 8)](there, y0, x0, seen)
        return seen.copy_to_host()

    visible = run.measure(job)
    eye, rows = heights[y0, x0] + TOWER, range(3, size, size // 8)
    columns = range(0, size, 10)

    def plain():
        slope = lambda y, x: (heights[y, x] - eye) / math.hypot(y - y0, x - x0)  # noqa: E731
        return [
            [slope(y, x) >= slope_between(heights, eye, y0, x0, y, x) for x in columns]
            for y in rows
        ]

    expected = run.peer("Python", plain, share=len(rows) * len(columns) / size**2)
    check(visible[np.ix_(rows, columns)], expected)
    # From a tower that looks over everything all is seen.
    check(0.05 < visible.mean() < 0.95, True)

    def draw(axes):
        dy, dx = np.gradient(heights)
        shade = (0.6 - 0.4 * (dx + dy) / np.hypot(dx, dy).max())[..., None]
        axes.imshow(np.clip(shade * np.where(visible[..., None], [1, 0.95, 0.6], 0.45), 0, 1))
        axes.plot(x0, y0, "r^")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
