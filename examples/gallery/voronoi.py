"""Cells around points.

Voronoi's cells by jump flooding (Rong and Tan, 2006): each pixel asks eight others which point is
nearest, at distances that halve.
"""

import numpy as np
from _show import image, main

from phalanx import cuda


@cuda.jit
def jump(nearest, following, points, distance):
    x, y = cuda.grid(2)
    rows, columns = nearest.shape
    if y >= rows or x >= columns:
        return
    best, best_square = -1, 1 << 30
    for i in range(-1, 2):
        for j in range(-1, 2):
            row, column = y + i * distance, x + j * distance
            if 0 <= row < rows and 0 <= column < columns and nearest[row, column] >= 0:
                point = nearest[row, column]
                down, right = points[point, 0] - y, points[point, 1] - x
                if down * down + right * right < best_square:
                    best, best_square = point, down * down + right * right
    following[y, x] = best


def draw():
    rows, columns = 432, 576
    points = np.random.default_rng(6).integers((0, 0), (rows, columns), (150, 2)).astype(np.int32)
    start = np.full((rows, columns), -1, np.int32)
    start[points[:, 0], points[:, 1]] = np.arange(len(points))
    nearest, following = cuda.to_device(start), cuda.to_device(start)
    on_device = cuda.to_device(points)
    for distance in (256, 128, 64, 32, 16, 8, 4, 2, 1, 1):
        jump.over((columns, rows))(nearest, following, on_device, distance)
        nearest, following = following, nearest
    cells = nearest.copy_to_host()
    colours = np.random.default_rng(1).random(len(points))[cells]
    edges = (np.diff(cells, axis=0, append=-1) != 0) | (np.diff(cells, axis=1, append=-1) != 0)
    return image(np.where(edges, np.nan, colours), "Spectral")


if __name__ == "__main__":
    main(draw)
