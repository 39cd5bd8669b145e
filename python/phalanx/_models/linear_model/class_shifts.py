"""Shifts of the coefficients of all classes that change the penalty alone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from .lbfgs import Point

Shift = Callable[[Point], Point]


def shift_of(sizes: np.ndarray, squares: np.ndarray) -> Shift:
    """Take from a feature's coefficients the number that leaves the least penalty.

    `sizes` and `squares` are the factors of absolute values and of half squares, classes x
    coefficients, the same of all classes. Chances of classes do not change where a number is added
    to the scores of all; a descent alone creeps along that direction, as only the penalty falls.
    """
    own, half = sizes[0], squares[0]

    def shift(point: Point) -> Point:
        table = point.place.reshape(sizes.shape)
        moved = table - _best(table, own, half)
        value = point.value + 0.5 * float((half * (moved**2 - table**2)).sum())
        slope = point.slope + (half * (moved - table)).ravel()
        return Point(moved.ravel(), value, slope)

    return shift


def _best(table: np.ndarray, sizes: np.ndarray, squares: np.ndarray) -> np.ndarray:
    """The least place of sums of absolute values and of half a square, one for each column.

    Of Y. Li and S. Osher, "A new median formula with applications to PDE based denoising" (2009):
    a median of the numbers and of places where the square's slope is that of absolute values.
    """
    classes = len(table)
    sides = classes - 2.0 * np.arange(classes + 1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ends = table.mean(axis=0) + sides * (sizes / (classes * squares))
    # Without squares any place between the middle two is as good: the nearest to no shift.
    ends = np.where((squares == 0) & (sides == 0), 0.0, ends)
    best = np.median(np.concatenate([table, ends]), axis=0)
    return np.where((sizes > 0) & np.isfinite(best), best, 0.0)
