"""The least value of a smooth function and weighted absolute values, by OWL-QN."""

from __future__ import annotations

from collections import deque

import numpy as np

from .class_shifts import Shift
from .lbfgs import (
    FLAT,
    PAIRS,
    Ending,
    Function,
    Minimum,
    Point,
    first_length,
    inverse_hessian,
    is_rounding,
)

_DECREASE = 1e-4
_MOST_TRIALS = 50


def sparse_minimum(
    function: Function,
    sizes: np.ndarray,
    start: np.ndarray,
    ending: Ending,
    shift: Shift | None = None,
) -> Minimum:
    """Descend until no slope is larger than `ending.tol`, or the value stays.

    `function` returns its value and slopes, in float64; `sizes` are the factors of the places'
    absolute values; `shift` makes a point of a step's end, no higher. Of G. Andrew and J. Gao,
    "Scalable training of L1-regularized log-linear models" (2007): L-BFGS within the orthant that
    the slopes point into. When it has not converged says `minimum`.
    """
    point = Point(start, *function(start))
    pairs: deque[tuple[np.ndarray, np.ndarray, float]] = deque(maxlen=PAIRS)
    was_flat = False
    for step in range(ending.steps):
        slope = _slope(point, sizes)
        if (np.abs(slope) <= ending.tol).all():
            return Minimum(point.place, step, True)
        following = None
        while following is None:
            direction = _direction(pairs, sizes, slope)
            length = 1.0 if pairs else first_length(slope)
            promised = -length * float(slope @ direction)
            following = _along(function, point, sizes, slope, length * direction)
            if following is None and not pairs:
                value = _value(point, sizes)
                return Minimum(point.place, step, is_rounding(promised, value, ending))
            if following is None:
                # Pairs may be of another orthant, or all rounding errors: once more without.
                pairs.clear()
        following = following if shift is None else shift(following)
        moved, turned = following.place - point.place, following.slope - point.slope
        curvature = float(moved @ turned)
        if curvature > np.finfo(np.float64).eps * (turned @ turned):
            pairs.append((moved, turned, curvature))
        before, after = _value(point, sizes), _value(following, sizes)
        point = following
        if before - after <= FLAT * max(abs(before), 1.0):
            if was_flat:
                return Minimum(point.place, step + 1, True)
            pairs.clear()
            was_flat = True
    return Minimum(
        point.place, ending.steps, bool((np.abs(_slope(point, sizes)) <= ending.tol).all())
    )


def _value(point: Point, sizes: np.ndarray) -> float:
    return point.value + float(sizes @ np.abs(point.place))


def _slope(point: Point, sizes: np.ndarray) -> np.ndarray:
    """The slopes with those of the absolute values; of places at 0 the one that falls, or 0."""
    smooth = point.slope
    at_zero = np.where(
        smooth + sizes < 0, smooth + sizes, np.where(smooth - sizes > 0, smooth - sizes, 0.0)
    )
    return np.where(point.place == 0, at_zero, smooth + sizes * np.sign(point.place))


def _direction(
    pairs: deque[tuple[np.ndarray, np.ndarray, float]], sizes: np.ndarray, slope: np.ndarray
) -> np.ndarray:
    direction = -inverse_hessian(pairs, slope)
    direction[(sizes > 0) & (direction * slope >= 0)] = 0
    return direction


def _along(
    function: Function, point: Point, sizes: np.ndarray, slope: np.ndarray, direction: np.ndarray
) -> Point | None:
    """A lower point in the orthant; None where no trial lies lower."""
    if not slope @ direction < 0:
        return None
    orthant = np.where(point.place == 0, -np.sign(slope), np.sign(point.place))
    # Places without a penalty go through 0.
    orthant[sizes == 0] = 0
    value = _value(point, sizes)
    length = 1.0
    for _ in range(_MOST_TRIALS):
        place = point.place + length * direction
        place[(orthant != 0) & (place * orthant <= 0)] = 0
        trial = Point(place, *function(place))
        if _value(trial, sizes) < value + _DECREASE * (slope @ (place - point.place)):
            return trial
        length /= 2
    return None
