"""Coordinate descent over the columns of sparse samples."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit
from ..sparse_loops import unsigned
from .penalties import Penalties, gap_of, least_at
from .sparse_least_squares import Rows, squares_of_features

_ROUNDS = 10  # of the coefficients that are not 0, between two of all
# Elements of the numbers that a sweep reads and writes.
_L1, _L2, _POSITIVE, _SHIFT, _LARGEST, _MOVED = range(6)


@njit(fastmath={"contract", "reassoc"})
def _sweep(columns: Any, shares: Any, table: Any, order: Any, left: Any, numbers: Any) -> None:
    # `left` is y - x w without the means; with `shift`, the means times w, it sums to 0.
    values, rows, ends = columns
    w, mean, squares = table[0], table[1], table[2]
    numbers[4], numbers[5] = 0.0, 0.0
    for place in range(order.shape[0]):
        j = order[place]
        if squares[j] == 0.0:
            continue
        slope, own = 0.0, 0.0
        for at in range(ends[j], ends[j + 1]):
            share = shares[rows[at]] * values[at]
            slope += share * left[rows[at]]
            own += share
        old = w[j]
        slope += numbers[3] * own + squares[j] * old
        new = least_at(slope, squares[j], numbers)
        if new != old:
            for at in range(ends[j], ends[j + 1]):
                left[rows[at]] -= values[at] * (new - old)
            numbers[3] += mean[j] * (new - old)
            w[j] = new
        numbers[4] = max(numbers[4], abs(new))
        numbers[5] = max(numbers[5], abs(new - old))


def descend(
    rows: Rows, target: np.ndarray, start: np.ndarray, by: Penalties, steps: int, tol: float
) -> tuple[np.ndarray, float, int, bool]:
    """The coefficients, the gap that is left, the number of sweeps and whether it is small.

    `target` is less its mean. Sweeps over the coefficients that are not 0 come between those over
    all.
    """
    by_columns = rows.x.transposed
    parts = (by_columns.values, unsigned(by_columns.columns), by_columns.ends)
    shares = rows.root * rows.root
    squares = squares_of_features(rows)
    table = np.stack([start, rows.mean, squares])
    w = table[0]
    numbers = np.array([by.l1, by.l2, by.positive, rows.mean @ w, 0, 0], np.float64)
    left = target - rows.x.times(w[:, None])[:, 0]
    every = np.arange(len(w))
    rooted = target * rows.root
    square = float(rooted @ rooted)
    gap, done = np.inf, 0
    while done < steps:
        _sweep(parts, shares, table, every, left, numbers)
        done += 1
        if numbers[_MOVED] <= tol * numbers[_LARGEST] or done == steps:
            errors = (left + numbers[_SHIFT]) * rows.root
            gap = gap_of(rows.sums(errors) - by.l2 * w, w, errors, rooted, by)
            if gap <= tol * square:
                return w, gap, done, True
        some = np.flatnonzero(w)
        for _ in range(min(_ROUNDS, steps - done - 1) if len(some) < len(w) // 2 else 0):
            _sweep(parts, shares, table, some, left, numbers)
            done += 1
            if numbers[_MOVED] <= 0.1 * tol * numbers[_LARGEST]:
                break
    return w, gap, done, False
