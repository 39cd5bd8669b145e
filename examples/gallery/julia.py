"""Julia sets, from one to the next.

A function for the CPU with a parallel loop: rows are shared out to the cores.
"""

import numpy as np
from _show import film, main

from phalanx import njit, prange


@njit(parallel=True)
def julia(c, height, width):
    out = np.zeros((height, width))
    for row in prange(height):
        for column in range(width):
            z = complex((column / width - 0.5) * 3.2, (row / height - 0.5) * 2.4)
            count = 0
            while count < 120 and z.real**2 + z.imag**2 < 16.0:
                z = z * z + c
                count += 1
            out[row, column] = np.sqrt(count)
    return out


def draw():
    angles = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    return film([julia(0.7885 * np.exp(1j * angle), 240, 320) for angle in angles], "magma")


if __name__ == "__main__":
    main(draw)
