"""The road to chaos.

The logistic map for 576 rates: a function of numbers becomes a ufunc by `guvectorize`, and runs
over all rates at once.
"""

import numpy as np
from _show import image, main

from phalanx import guvectorize


@guvectorize(["void(float64, float64[:], float64[:])"], "(),(n)->(n)", target="parallel")
def orbit(rate, pattern, out):
    x = 0.5
    for _ in range(1000):
        x = rate * x * (1 - x)
    for i in range(pattern.shape[0]):
        x = rate * x * (1 - x)
        out[i] = x


def draw():
    rates = np.linspace(2.8, 4.0, 576)
    orbits = orbit(rates, np.empty(4000))
    counts = np.stack([np.histogram(each, 432, (0, 1))[0] for each in orbits], axis=1)
    return image(np.log1p(counts), "gray_r", origin="lower", vmax=4)


if __name__ == "__main__":
    main(draw)
