"""A strange attractor.

Every thread follows its own starting point of Clifford's map and counts, by atomic additions, where
it comes by.
"""

import math

import numpy as np
from _show import image, main

from phalanx import cuda


@cuda.jit
def follow(counts, starts, factors, steps):
    a, b, c, d = factors
    i = cuda.grid(1)
    if i < starts.size:
        x, y = starts[i], 0.1
        for step in range(steps):
            x, y = math.sin(a * y) + c * math.cos(a * x), math.sin(b * x) + d * math.cos(b * y)
            if step > 20:
                row = int((y + 2.1) / 4.2 * counts.shape[0])
                column = int((x + 2.6) / 5.2 * counts.shape[1])
                if 0 <= row < counts.shape[0] and 0 <= column < counts.shape[1]:
                    cuda.atomic.add(counts, (row, column), 1)


def draw():
    counts = np.zeros((432, 576), np.int32)
    starts = np.random.default_rng(0).random(4096) - 0.5
    follow.over(starts)(counts, starts, (-1.4, 1.6, 1.0, 0.7), 2000)
    return image(np.log1p(counts), "cubehelix")


if __name__ == "__main__":
    main(draw)
