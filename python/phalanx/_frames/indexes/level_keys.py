"""Keys of rows of several levels: the levels' codes as digits of one number."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

_MOST = 2**62


def fits(sizes: Sequence[int]) -> bool:
    """Returns whether so many values of each level have different keys."""
    count = 1
    for size in sizes:
        count *= max(size, 1)
    return count < _MOST


def combined(parts: Sequence[np.ndarray], sizes: Sequence[int]) -> np.ndarray:
    """Numbers whose digits are the parts, each below its size; ordered as the parts are, the
    first before all.

    Where they would be too large, those that there are are counted through from 0.
    """
    keys = parts[0].astype(np.int64)
    size = max(sizes[0], 1)
    for part, more in zip(parts[1:], sizes[1:], strict=True):
        if size * max(more, 1) >= _MOST:
            there, keys = np.unique(keys, return_inverse=True)
            size = max(len(there), 1)
        keys = keys * max(more, 1) + part
        size *= max(more, 1)
    return keys


def lexsort_depth(codes: Sequence[np.ndarray]) -> int:
    """How many of the first levels the rows are sorted by."""
    ties = np.ones(max(len(codes[0]) - 1, 0), bool)
    for depth, part in enumerate(codes):
        if (ties & (part[1:] < part[:-1])).any():
            return depth
        ties &= part[1:] == part[:-1]
    return len(codes)
