"""Samples whose differences have powers that are finite and not 0."""

from __future__ import annotations

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray


def in_range(power: float, *groups: ndarray) -> tuple[tuple[ndarray, ...], float]:
    """Samples of which sums of powers of differences neither overflow nor vanish, and a factor.

    They are as given where they can be, float32 becomes float64 where that is enough, else samples
    are multiplied by the factor, a power of two.
    """
    if power in (1, np.inf) or not all(each.size for each in groups):
        return groups, 1.0
    largest = max(float(px.max(px.abs(each))) for each in groups)
    features = groups[0].shape[1]
    if largest == 0 or _fits(largest, power, features, groups[0].dtype):
        return groups, 1.0
    wide = tuple(each.astype(np.float64) for each in groups)
    if groups[0].dtype != np.float64 and _fits(largest, power, features, np.dtype(np.float64)):
        return wide, 1.0
    # Not less than 2^-1000, so that a factor and its inverse are finite.
    factor = 2.0 ** float(np.clip(-np.floor(np.log2(largest)), -1000, 1000))
    return tuple(each * factor for each in wide), factor


def _fits(largest: float, power: float, features: int, dtype: np.dtype) -> bool:
    """True if all sums are finite, and powers of a few roundings of the largest are not 0."""
    info = np.finfo(dtype)
    high = (info.maxexp - np.log2(features)) / power - 1
    low = info.minexp / power + info.nmant
    return bool(low <= np.log2(largest) < high)
