"""Penalties on the absolute values and the squares of coefficients, for descents of all kinds."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit


class Penalties(NamedTuple):
    """Factors of absolute values and of half squares, and whether coefficients are positive."""

    l1: float
    l2: float
    positive: bool


def gap_of(
    slopes: np.ndarray, w: np.ndarray, errors: np.ndarray, target: np.ndarray, by: Penalties
) -> float:
    """The duality gap, as `Problem.gap` has it; errors and target times the roots of weights.

    `slopes` are the sums of samples times `errors`, less `by.l2` times the coefficients.
    """
    if by.l1 == 0:
        return float(slopes @ slopes / (2 * by.l2 if by.l2 else 1.0))
    steepest = float(slopes.max() if by.positive else np.abs(slopes).max())
    whole = float(errors @ errors) + by.l2 * float(w @ w)
    scale = by.l1 / steepest if steepest > by.l1 else 1.0
    primal = 0.5 * whole + by.l1 * float(np.abs(w).sum())
    return primal - scale * float(target @ errors) + 0.5 * scale**2 * whole


@njit
def least_at(slope: Any, square: Any, penalties: Any) -> Any:
    """The coefficient at which the loss is least, all others as they are.

    `slope` is what the samples would have it be times their `square`; `penalties` begin with l1, l2
    and a number above 0 where coefficients may not be negative.
    """
    size = abs(slope) - penalties[0]
    if size <= 0.0 or (penalties[2] > 0.0 and slope < 0.0):
        return 0.0
    least = size / (square + penalties[1])
    return least if slope > 0.0 else -least
