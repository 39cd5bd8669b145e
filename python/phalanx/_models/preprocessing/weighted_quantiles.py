"""Quantiles of numbers that have weights."""

from __future__ import annotations

import numpy as np


def weighted_quantiles(
    values: np.ndarray, weight: np.ndarray, shares: np.ndarray, *, averaged: bool = False
) -> np.ndarray:
    """The least number up to which a share of the weight lies; float64, one a share.

    `averaged` takes the mean with the next number of some weight where the share is met exactly.
    These are the inverted and the averaged inverted cumulative distribution, definitions 1 and 2 of
    R. Hyndman and Y. Fan, "Sample quantiles in statistical packages" (1996). Weights are at least
    0, and some are more.
    """
    used = weight > 0
    values, weight = values[used].astype(np.float64), weight[used].astype(np.float64)
    order = np.argsort(values, kind="stable")
    values, sums = values[order], np.cumsum(weight[order])
    wanted = shares * sums[-1]
    last = len(values) - 1
    found = np.minimum(np.searchsorted(sums, wanted), last)
    if not averaged:
        return np.asarray(values[found])
    is_met = sums[found] - wanted <= np.finfo(np.float64).eps
    return np.where(
        is_met, (values[found] + values[np.minimum(found + 1, last)]) / 2, values[found]
    )
