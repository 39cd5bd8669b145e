"""Least squares whose coefficients may not be negative."""

from __future__ import annotations

import numpy as np

_ROUNDING = 1e-12  # of slopes, relative to the largest at first
_MOST_ROUNDS = 10  # for each coefficient


def nonnegative(gram: np.ndarray, cross: np.ndarray) -> np.ndarray:
    """The least ``w' gram w / 2 - cross' w`` with no `w` below 0, float64.

    Of C. Lawson and R. Hanson, "Solving least squares problems" (1974), chapter 23: the coefficient
    that gains most enters the set of those above 0, whose own least squares are solved exactly;
    those that would fall below 0 leave it on the way. Features are scaled to length 1 first.
    """
    sizes = np.sqrt(np.diagonal(gram))
    units = np.where(sizes > 0, sizes, 1.0)
    matrix, right = gram / np.outer(units, units), cross / units
    w, is_free = np.zeros(len(right)), np.zeros(len(right), bool)
    is_spent = sizes == 0  # constants, and what rounding alone would let in
    slopes = right.copy()
    least = _ROUNDING * np.abs(right).max(initial=0.0)
    for _ in range(_MOST_ROUNDS * len(right)):
        gains = np.where(is_free | is_spent, -np.inf, slopes)
        best = int(gains.argmax())
        if not gains[best] > least:
            break
        is_free[best] = True
        w = _least_of_free(matrix, right, w, is_free)
        is_spent[best] = not is_free[best]
        slopes = right - matrix @ w
    return np.asarray(w / units)


def _least_of_free(
    matrix: np.ndarray, right: np.ndarray, w: np.ndarray, is_free: np.ndarray
) -> np.ndarray:
    """The least squares of the free coefficients; those that reach 0 on the way leave `is_free`."""
    while True:
        free = np.flatnonzero(is_free)
        wanted = np.zeros(len(w))
        wanted[free] = _solved(matrix[np.ix_(free, free)], right[free])
        falling = free[wanted[free] <= 0]
        if not len(falling):
            return wanted
        # One that has just entered is at 0, so that rounding alone may turn it back at once.
        share = (w[falling] / (w[falling] - wanted[falling])).min() if (w[falling] > 0).any() else 0
        w = np.maximum(w + share * (wanted - w), 0)
        first = falling[np.argmin(w[falling])]
        w[first] = 0
        is_free &= w > 0
        if not is_free.any():
            return np.zeros(len(w))


def _solved(matrix: np.ndarray, right: np.ndarray) -> np.ndarray:
    try:
        return np.asarray(np.linalg.solve(matrix, right))
    except np.linalg.LinAlgError:
        return np.asarray(np.linalg.lstsq(matrix, right, rcond=None)[0])
