"""Passes over long vectors that NumPy would make several of, each with a new array."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import get_num_threads, njit, prange

LONG = 1 << 14  # elements from which a pass is worth its call
_PART = 1 << 15


@njit(parallel=True, fastmath={"contract", "reassoc"})
def _added(made: Any, share: Any, vector: Any, other: Any, sums: Any) -> None:
    parts, count = sums.shape[0], made.shape[0]
    each = (count + parts - 1) // parts
    for part in prange(parts):
        total = 0.0
        for i in range(part * each, min(count, (part + 1) * each)):
            value = made[i] + share * vector[i]
            made[i] = value
            total += value * other[i]
        sums[part] = total


def add_and_dot(made: np.ndarray, share: float, vector: np.ndarray, other: np.ndarray) -> float:
    """Add a share of a vector in place, and return the product with another one: one pass."""
    if len(made) < LONG:
        made += share * vector
        return float(made @ other)
    sums = np.empty(max(1, min(4 * get_num_threads(), len(made) // _PART)))
    _added(made, float(share), vector, other, sums)
    return float(sums.sum())
