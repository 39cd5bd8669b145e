"""Coordinate descent over samples with more features than there are samples."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit
from ..sparse_loops import unsigned
from .penalties import Penalties, gap_of, least_at

FEWEST_FEATURES = 64  # of fewer, all products of features are cheaper than their choice
_FIRST = 64  # features of the first set; later ones have twice those that are not 0
_ROUNDS = 10  # of a set at least; a search for the next set costs about as much as more of them
_FINER = 0.1  # of the tolerance of a set, where no feature outside is missing
# Elements of the numbers that sweeps read and write.
_L1, _L2, _POSITIVE, _TOL, _STEPS, _DONE = range(6)


class Wide(NamedTuple):
    """Samples less their means times the roots of their weights, a feature a row; its squares."""

    columns: np.ndarray  # features x samples
    squares: np.ndarray  # features


def is_wide(shape: tuple[int, ...]) -> bool:
    """True where the products of all features would be more numbers than the samples are."""
    return shape[1] > max(shape[0], FEWEST_FEATURES)


def wide_of(rows: np.ndarray) -> Wide:
    """Rows of float64, less their means, times the roots of their weights."""
    columns = np.ascontiguousarray(rows.T)
    return Wide(columns, np.einsum("ij,ij->i", columns, columns))


@njit(fastmath={"contract", "reassoc"})
def _sweeps(columns: Any, squares: Any, order: Any, w: Any, left: Any, numbers: Any) -> None:
    # `left` is y - x w, which each change of w brings up to date.
    count, done, is_open = left.shape[0], 0.0, True
    while is_open:
        largest, moved = 0.0, 0.0
        for place in range(order.shape[0]):
            j = order[place]
            if squares[j] == 0.0:
                continue
            old, slope = w[j], 0.0
            for i in range(count):
                slope += columns[j, i] * left[i]
            slope += squares[j] * old
            new = least_at(slope, squares[j], numbers)
            if new != old:
                for i in range(count):
                    left[i] -= columns[j, i] * (new - old)
                w[j] = new
            largest = max(largest, abs(new))
            moved = max(moved, abs(new - old))
        done += 1.0
        is_open = moved > numbers[3] * largest and done < numbers[4]
    numbers[5] = done


def descend(
    wide: Wide, target: np.ndarray, start: np.ndarray, by: Penalties, steps: int, tol: float
) -> tuple[np.ndarray, float, int, bool]:
    """The coefficients, the gap that is left, the number of sweeps and whether it is small.

    `target` is as the samples are. Sweeps go over a working set: the coefficients that are not 0
    and the features whose slopes are the most above the penalty; then one product of all samples
    finds the next set, and ends the descent by the duality gap of all features. Of M. Massias and
    others, "Celer: a fast solver for the Lasso with dual extrapolation" (2018), without the
    extrapolation.
    """
    w = start.copy()
    left = target - w @ wide.columns
    square = float(target @ target)
    numbers = np.array([by.l1, by.l2, by.positive, tol, 0, 0], np.float64)
    done = 0
    while True:
        slopes = wide.columns @ left - by.l2 * w
        gap = gap_of(slopes, w, left, target, by)
        if gap <= tol * square or done >= steps:
            return w, gap, done, gap <= tol * square
        some, is_complete = _working_set(slopes, w, by)
        numbers[_TOL] = numbers[_TOL] * _FINER if is_complete and done else tol
        numbers[_STEPS] = min(steps - done, max(_ROUNDS, len(w) // max(len(some), 1)))
        _sweeps(wide.columns, wide.squares, unsigned(some), w, left, numbers)
        done += int(numbers[_DONE])


def _working_set(slopes: np.ndarray, w: np.ndarray, by: Penalties) -> tuple[np.ndarray, bool]:
    """The features to go over, ascending, and whether all others are at their least already."""
    if by.l1 == 0:
        return np.arange(len(w)), True
    steepness = slopes if by.positive else np.abs(slopes)
    is_in = w != 0
    steep = np.flatnonzero((steepness > by.l1) & ~is_in)
    most = max(_FIRST, 2 * int(is_in.sum()))
    if len(steep) > most:
        steep = steep[np.argpartition(-steepness[steep], most)[:most]]
    is_in[steep] = True
    return np.flatnonzero(is_in), not len(steep)
