"""The least logistic loss with absolute values, over few of many features at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from .lbfgs import Ending, Minimum
from .logistic_loss import Loss

_FIRST = 64  # features of the first set; later ones have twice those that are not 0

# Minima over some features, from their coefficients, flat, in how many steps.
Solve = Callable[[np.ndarray, np.ndarray, Ending], Minimum]


class Whole(NamedTuple):
    """The loss of all coefficients, rows x (features and an intercept), and what they are times."""

    loss: Loss
    sizes: np.ndarray  # the factors of absolute values, rows x coefficients
    features: int


def least_of_sets(whole: Whole, solve: Solve, start: np.ndarray, ending: Ending) -> Minimum:
    """The coefficients, flat, of the least loss.

    `solve` finds those of a working set: features whose coefficients are not 0 and those whose
    slopes are the most above their size; then slopes of all features say which are missing.
    """
    place, done = start.reshape(whole.sizes.shape).copy(), 0
    while True:
        slopes = whole.loss(place.ravel())[1].reshape(place.shape)
        some, is_complete = _working_set(whole, place, slopes, ending.tol)
        if is_complete and done:
            return Minimum(place.ravel(), done, True)
        if done >= ending.steps:
            return Minimum(place.ravel(), done, False)
        found = solve(some, place[:, some], ending._replace(steps=ending.steps - done))
        place[:, some] = found.place.reshape(len(place), -1)
        done += max(found.steps, 1)
        if not found.has_converged:
            return Minimum(place.ravel(), done, False)


def _working_set(
    whole: Whole, place: np.ndarray, slopes: np.ndarray, tol: float | np.ndarray
) -> tuple[np.ndarray, bool]:
    """The columns of coefficients to go over, with an intercept's, and whether no other lacks."""
    over = (np.abs(slopes) - whole.sizes)[:, : whole.features].max(axis=0)
    is_in = (place != 0).any(axis=0)
    is_in[whole.features :] = True
    steep = np.flatnonzero((over > tol) & ~is_in[: whole.features])
    most = max(_FIRST, 2 * int(is_in.sum()))
    if len(steep) > most:
        is_in[steep[np.argpartition(-over[steep], most)[:most]]] = True
    else:
        is_in[steep] = True
    return np.flatnonzero(is_in), not len(steep)
