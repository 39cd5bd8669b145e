"""Stochastic gradient descent: passes over the samples until nothing gets better."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..fit_progress import FitProgress
from ..sparse_loops import WHOLE, unsigned
from ..sparse_samples import SparseSamples, squares_of
from .sgd_pass import (
    ADAPTIVE,
    ALPHA,
    BEGIN,
    COUNT,
    CUT,
    ETA,
    ETA0,
    INTERCEPT,
    KIND,
    LOSS,
    MEAN,
    MEAN_SHIFT,
    OBJECTIVE,
    OPTIMAL,
    OWN,
    RATE,
    SHIFT,
    SQUARE,
    TARGET,
    WEIGHT,
    WIDTH,
    loss_function,
    pass_function,
)

_LEAST_RATE, _SLOWER = 1e-6, 5.0
# Sparse features move seldom and the intercept in each step, so that it takes shorter ones: this
# number is scikit-learn's.
_INTERCEPT_OF_SPARSE = 0.01


class Place(NamedTuple):
    """Coefficients and the intercept, and their means over the steps."""

    own: np.ndarray
    shift: float
    mean: np.ndarray
    mean_shift: float


class Ending(NamedTuple):
    """When passes end; `score` is of left out samples, from coefficients and an intercept."""

    passes: int
    tol: float
    patience: int
    score: Callable[[np.ndarray, float], float] | None
    progress: FitProgress


class Samples(NamedTuple):
    """Samples on the host, their targets and weights, and which of them are learnt from."""

    x: np.ndarray | SparseSamples
    target: np.ndarray
    weight: np.ndarray
    rows: np.ndarray

    def scores(self, some: np.ndarray, w: np.ndarray) -> np.ndarray:
        """The products of some samples, told by bools, with coefficients."""
        if isinstance(self.x, SparseSamples):
            return np.asarray(self.x.times(w[:, None])[some, 0])
        return np.asarray(self.x[some] @ w)


def finished_options(options: np.ndarray) -> np.ndarray:
    """Options with what the optimal rates begin at.

    Of L. Bottou's heuristic: the first step is about as large as coefficients will be.
    """
    if options[RATE] == OPTIMAL:
        typical = np.sqrt(1 / np.sqrt(options[ALPHA]))
        slope = loss_function()(int(options[KIND]), options[WIDTH], 1.0, -typical)[1]
        options[BEGIN] = max(1.0, slope) / (typical * options[ALPHA])
    return options


def descend(
    data: Samples, place: Place, options: np.ndarray, count: float, ending: Ending, random: Any
) -> tuple[Place, int]:
    """The coefficients after some passes, and how many there were.

    `count` is the number of the first step; `random` draws the order of each pass, None keeps it.
    Raises ValueError where numbers overflow.
    """
    x = data.x
    parts = (x, *WHOLE)
    if isinstance(x, SparseSamples):
        parts = (x.values, unsigned(x.columns), x.ends)
    one_pass = pass_function(isinstance(x, SparseSamples))
    options = options.copy()
    if isinstance(x, SparseSamples):
        options[INTERCEPT] *= _INTERCEPT_OF_SPARSE
    table = np.stack([data.target, data.weight, squares_of(x)])
    assert (TARGET, WEIGHT, SQUARE) == (0, 1, 2)
    own = np.zeros((3, len(place.own)))
    own[OWN], own[MEAN], own[CUT] = place.own, place.mean, 0
    state = np.zeros(7)
    state[COUNT], state[ETA], state[SHIFT] = count, options[ETA0], place.shift
    state[MEAN_SHIFT] = place.mean_shift
    watch = _Watch(ending)
    done = 0
    with ending.progress:
        for done in range(1, ending.passes + 1):
            order = data.rows
            if random is not None:
                order = order[random.permutation(len(order))]
            one_pass(parts, table, own, order, options, state)
            ending.progress.reached(done)
            if not np.isfinite(state[SHIFT]) or not np.isfinite(own[OWN]).all():
                raise ValueError(
                    f"Floating-point under-/overflow occurred at epoch #{done}. Scaling input data "
                    "with StandardScaler or MinMaxScaler might help."
                )
            if watch.is_over(own[OWN], state, len(order)):
                if options[RATE] != ADAPTIVE or state[ETA] <= _LEAST_RATE:
                    break
                state[ETA] /= _SLOWER
                watch.bad = 0
    return Place(own[OWN], float(state[SHIFT]), own[MEAN], float(state[MEAN_SHIFT])), done


class _Watch:
    """The best value so far, and how many passes were no better."""

    def __init__(self, ending: Ending) -> None:
        self._ending = ending
        self._best = np.inf
        self.bad = 0

    def is_over(self, w: np.ndarray, state: np.ndarray, count: int) -> bool:
        """True where a number of passes were no better than the best before by the tolerance."""
        ending = self._ending
        value = state[OBJECTIVE] / count
        if ending.score is not None:
            value = -ending.score(w, float(state[SHIFT]))
        if ending.progress.is_wanted:
            ending.progress.tell(
                f"Norm: {np.linalg.norm(w):.2f}, NNZs: {np.count_nonzero(w)}, "
                f"Bias: {state[SHIFT]:.6f}, Avg. loss: {state[LOSS] / count:.6f}, "
                f"{'Objective' if ending.score is None else 'Validation loss'}: {value:.6f}"
            )
        self.bad = self.bad + 1 if value > self._best - ending.tol else 0
        self._best = min(self._best, value)
        return self.bad >= ending.patience
