"""The sandpile.

Grains fall on one node; each with four or more gives one to every neighbour (Bak, Tang and
Wiesenfeld, 1987). Loops as one writes them in Python, compiled.
"""

import numpy as np
from _show import image, main

from phalanx import njit


@njit
def settle(pile):
    rows, columns = pile.shape
    moving = True
    while moving:
        moving = False
        for i in range(1, rows - 1):
            for j in range(1, columns - 1):
                if pile[i, j] >= 4:
                    moving = True
                    share = pile[i, j] // 4
                    pile[i, j] -= 4 * share
                    pile[i - 1, j] += share
                    pile[i + 1, j] += share
                    pile[i, j - 1] += share
                    pile[i, j + 1] += share


def draw():
    pile = np.zeros((241, 321), np.int32)
    pile[120, 160] = 60_000
    settle(pile)
    return image(pile[20:-20, 20:-20], "YlGnBu_r", vmax=3)


if __name__ == "__main__":
    main(draw)
