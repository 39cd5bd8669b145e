"""How far apart samples are."""

import numpy as np


def distance(x, y):
    """The statistic of Kolmogorov and Smirnov of two samples of a size, times its square root."""
    values = np.concatenate([x, y])
    values.sort(kind="stable")
    below = [np.searchsorted(np.sort(each), values, "right") / len(each) for each in (x, y)]
    return np.abs(below[0] - below[1]).max() * np.sqrt(len(x) / 2)
