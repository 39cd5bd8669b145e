"""The least value of a smooth function, by L-BFGS."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

PAIRS = 10  # of steps and changes of the slope that are kept
_DECREASE, _CURVATURE = 1e-4, 0.9  # Wolfe's conditions
_MOST_TRIALS = 20
FLAT = 64 * np.finfo(np.float64).eps

Function = Callable[[np.ndarray], tuple[float, np.ndarray]]


class Minimum(NamedTuple):
    """Where a descent ended, after how many steps, and whether it can go no lower."""

    place: np.ndarray
    steps: int
    has_converged: bool


class Point(NamedTuple):
    """A place with the value and the slopes there."""

    place: np.ndarray
    value: float
    slope: np.ndarray


def minimum(function: Function, start: np.ndarray, tol: float, steps: int) -> Minimum:
    """Descend until no slope is larger than `tol`, or the value stays.

    `function` returns its value and slopes, in float64. Of D. Liu and J. Nocedal, "On the limited
    memory BFGS method for large scale optimization" (1989).
    """
    point = Point(start, *function(start))
    pairs: deque[tuple[np.ndarray, np.ndarray, float]] = deque(maxlen=PAIRS)
    for step in range(steps):
        if np.abs(point.slope).max() <= tol:
            return Minimum(point.place, step, True)
        direction = -inverse_hessian(pairs, point.slope)
        first = 1.0 if pairs else min(1.0, 1 / np.abs(point.slope).sum())
        following = _along(function, point, direction, first)
        if following is None:
            return Minimum(point.place, step, bool(np.isfinite(point.value)))
        moved, turned = following.place - point.place, following.slope - point.slope
        curvature = float(moved @ turned)
        if curvature > np.finfo(np.float64).eps * (turned @ turned):
            pairs.append((moved, turned, curvature))
        size = max(abs(point.value), abs(following.value), 1.0)
        is_flat = point.value - following.value <= FLAT * size
        point = following
        if is_flat:
            return Minimum(point.place, step + 1, True)
    return Minimum(point.place, steps, bool(np.abs(point.slope).max() <= tol))


def inverse_hessian(
    pairs: deque[tuple[np.ndarray, np.ndarray, float]], slope: np.ndarray
) -> np.ndarray:
    """What the last steps make of a slope: the two loops over them."""
    made = slope.copy()
    shares = []
    for moved, turned, curvature in reversed(pairs):
        share = (moved @ made) / curvature
        made -= share * turned
        shares.append(share)
    if pairs:
        _, turned, curvature = pairs[-1]
        made *= curvature / (turned @ turned)
    for (moved, turned, curvature), share in zip(pairs, reversed(shares), strict=True):
        made += moved * (share - (turned @ made) / curvature)
    return made


def _along(function: Function, point: Point, direction: np.ndarray, length: float) -> Point | None:
    """A point in a direction that meets Wolfe's conditions, by halving and doubling the length.

    None where no trial lies lower, as rounding errors are all that is left.
    """
    steepness = float(point.slope @ direction)
    if steepness >= 0:
        return None
    low, high, best = 0.0, np.inf, None
    for _ in range(_MOST_TRIALS):
        place = point.place + length * direction
        trial = Point(place, *function(place))
        is_lower = trial.value <= point.value + _DECREASE * length * steepness
        if not is_lower:
            high = length
        else:
            best = trial
            if trial.slope @ direction >= _CURVATURE * steepness:
                return trial
            low = length
        length = 2 * length if high == np.inf else (low + high) / 2
    return best
