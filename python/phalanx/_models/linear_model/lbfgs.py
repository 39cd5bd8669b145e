"""The least value of a smooth function, by L-BFGS."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .long_vectors import add_and_dot

PAIRS = 10  # of steps and changes of the slope that are kept
_DECREASE, _CURVATURE = 1e-4, 0.9  # Wolfe's conditions
_MOST_TRIALS = 50
_NEAREST = 0.1  # of an interval: how near its ends a trial may lie
FLAT = 64 * np.finfo(np.float64).eps

Function = Callable[[np.ndarray], tuple[float, np.ndarray]]


class Ending(NamedTuple):
    """When a descent ends."""

    tol: float | np.ndarray  # the largest slope that is left, of all places or of each
    steps: int
    rounding: float = FLAT  # of the function's values, relative to the larger of them and 1


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


def minimum(function: Function, start: np.ndarray, ending: Ending) -> Minimum:
    """Descend until no slope is larger than `ending.tol`, or the value stays.

    `function` returns its value and slopes, in float64. Of D. Liu and J. Nocedal, "On the limited
    memory BFGS method for large scale optimization" (1989). It has not converged where a line
    search finds nothing lower, also against the slopes alone, while they promise more than the
    function's rounding.
    """
    point = Point(start, *function(start))
    pairs: deque[tuple[np.ndarray, np.ndarray, float]] = deque(maxlen=PAIRS)
    for step in range(ending.steps):
        if (np.abs(point.slope) <= ending.tol).all():
            return Minimum(point.place, step, True)
        following = None
        while following is None:
            direction = -inverse_hessian(pairs, point.slope)
            first = 1.0 if pairs else first_length(point.slope)
            promised = -first * float(point.slope @ direction)
            following = _along(function, point, direction, first)
            if following is None and not pairs:
                return Minimum(point.place, step, is_rounding(promised, point.value, ending))
            if following is None:
                # Pairs may be all rounding errors: once more without.
                pairs.clear()
        moved, turned = following.place - point.place, following.slope - point.slope
        curvature = float(moved @ turned)
        if curvature > np.finfo(np.float64).eps * (turned @ turned):
            pairs.append((moved, turned, curvature))
        size = max(abs(point.value), abs(following.value), 1.0)
        is_flat = point.value - following.value <= FLAT * size
        point = following
        if is_flat:
            return Minimum(point.place, step + 1, True)
    return Minimum(point.place, ending.steps, bool((np.abs(point.slope) <= ending.tol).all()))


def first_length(slope: np.ndarray) -> float:
    """How far to go against the slopes alone: not farther than 1, however steep it is."""
    return min(1.0, 1 / float(np.linalg.norm(slope)))


def is_rounding(promised: float, value: float, ending: Ending) -> bool:
    """True if a decrease that the slopes promise is not more than the rounding of the value."""
    return bool(promised <= ending.rounding * max(abs(value), 1.0))


def inverse_hessian(
    pairs: deque[tuple[np.ndarray, np.ndarray, float]], slope: np.ndarray
) -> np.ndarray:
    """What the last steps make of a slope: the two loops over them."""
    made = slope.copy()
    if not pairs:
        return made
    # Each pass adds what the pair before asks for and makes the product that the next one needs.
    shares, kept = [], list(pairs)
    product = float(kept[-1][0] @ made)
    for number in range(len(kept) - 1, -1, -1):
        _, turned, curvature = kept[number]
        shares.append(product / curvature)
        following = kept[number - 1][0] if number else kept[0][1]
        product = add_and_dot(made, -shares[-1], turned, following)
    _, turned, curvature = kept[-1]
    scale = curvature / float(turned @ turned)
    made *= scale
    product *= scale
    for number, (moved, _, curvature) in enumerate(kept):
        share = shares[-1 - number] - product / curvature
        following = kept[min(number + 1, len(kept) - 1)][1]
        product = add_and_dot(made, share, moved, following)
    return made


def _along(function: Function, point: Point, direction: np.ndarray, length: float) -> Point | None:
    """A point in a direction that meets Wolfe's conditions; None where no trial lies lower.

    As in J. Nocedal and S. Wright, "Numerical Optimization" (2006), 3.5: a cubic through the ends
    of the interval says where to try next, not too near to an end.
    """
    steepness = float(point.slope @ direction)
    if not steepness < 0:
        return None
    low, high, best = (0.0, point.value, steepness), (np.inf, np.inf, np.inf), None
    for _ in range(_MOST_TRIALS):
        place = point.place + length * direction
        trial = Point(place, *function(place))
        end = (length, trial.value, float(trial.slope @ direction))
        if not trial.value <= point.value + _DECREASE * length * steepness:
            high = end
        else:
            best = trial
            if end[2] >= _CURVATURE * steepness:
                return trial
            low = end
        length = 2 * length if high[0] == np.inf else _between(low, high)
    return best


def _between(low: tuple[float, float, float], high: tuple[float, float, float]) -> float:
    """The least place of a cubic of two lengths, values and slopes, or the middle."""
    (a, of_a, slope_a), (b, of_b, slope_b) = low, high
    width = b - a
    with np.errstate(all="ignore"):
        common = np.float64(slope_a) + slope_b - 3 * (np.float64(of_b) - of_a) / width
        root = np.sqrt(common * common - slope_a * slope_b)
        place = b - width * (slope_b + root - common) / (slope_b - slope_a + 2 * root)
    if not np.isfinite(place):
        return a + width / 2
    return float(np.clip(place, a + _NEAREST * width, b - _NEAREST * width))
