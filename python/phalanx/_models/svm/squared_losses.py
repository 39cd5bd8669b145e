"""Linear machines whose losses are squares: the least value by Newton's steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..linear_model import lbfgs
from ..linear_model.lbfgs import Minimum
from ..linear_model.units import least, mean_sizes, rounding_of
from ..products import scores, weighted_sum
from ..sparse_samples import SparseSamples

MOST_FEATURES = 512  # of which matrices are made; of more, only products with vectors
_SHRINK, _DECREASE, _MOST_TRIALS = 0.5, 1e-4, 40
_ROUNDING = 1e-13  # of slopes, which are float64 sums
# What a score misses of a sample's target, less than 0 where it is too high; 0 counts nothing.
Missed = Callable[[ndarray], ndarray]


class Squares(NamedTuple):
    """Samples with the intercept's column, the factor of each one's square, what scores miss."""

    x: ndarray | SparseSamples
    share: ndarray
    missed: Missed
    is_sparse: bool  # True for the penalty on absolute values, else half the squares


class Ending(NamedTuple):
    """When a search ends, and whether it prints."""

    tol: float
    steps: int
    verbose: bool


def missed_of_classes(sign: ndarray) -> Missed:
    """What scores miss of a margin of 1 on the side of each sample's sign."""
    return lambda made: sign * px.maximum(1 - sign * made, 0)


def missed_of_numbers(wanted: ndarray, epsilon: float) -> Missed:
    """What scores miss of each sample's number, less `epsilon`."""

    def missed(made: ndarray) -> ndarray:
        apart = wanted - made
        return apart - px.clip(apart, -epsilon, epsilon)

    return missed


def least_squares_of(problem: Squares, ending: Ending) -> Minimum:
    """The coefficients, float64, by which penalty and ``share * missed^2`` have the least sum."""
    features = problem.x.shape[1]
    if not problem.is_sparse and features <= MOST_FEATURES:
        return _newton(problem, ending)
    start = np.zeros(features)
    value = _smooth(problem)
    largest = float(np.abs(value(start)[1]).max()) or 1.0
    end = lbfgs.Ending(ending.tol * min(largest, 1.0), ending.steps, rounding_of(problem.x))
    sizes = np.full(features, float(problem.is_sparse))
    curve = np.sqrt(2 * float(px.sum(problem.share)))
    units = np.hypot(curve * mean_sizes(problem.x, problem.share), 1 - sizes)
    return least(value, sizes, units, start, end)


def _device(problem: Squares, w: np.ndarray) -> ndarray:
    return px.asarray(w.astype(problem.x.dtype), device=problem.x.device)


def _sums(problem: Squares, parts: ndarray) -> np.ndarray:
    """The sums of samples times `parts`, float64 on the host."""
    return weighted_sum(problem.x, parts)


def _smooth(problem: Squares) -> Callable[[np.ndarray], tuple[float, np.ndarray]]:
    def value(w: np.ndarray) -> tuple[float, np.ndarray]:
        missed = problem.missed(scores(problem.x, _device(problem, w)[None])[:, 0])
        lost = missed * problem.share
        found = float(px.sum(missed * lost, dtype=np.float64))
        slopes = -2 * _sums(problem, lost)
        if problem.is_sparse:
            return found, slopes
        return found + 0.5 * float(w @ w), slopes + w

    return value


def _newton(problem: Squares, ending: Ending) -> Minimum:
    """Newton's steps over the samples that miss something, with a line search.

    Of S. Keerthi and D. DeCoste, "A modified finite Newton method for fast solution of large scale
    linear SVMs" (2005): when no other samples miss than before, the step is exact.
    """
    features = problem.x.shape[1]
    w = np.zeros(features)
    made = px.zeros(problem.x.shape[0], problem.x.dtype, device=problem.x.device)
    first, rounding, size = 0.0, rounding_of(problem.x), np.inf
    for step in range(ending.steps):
        missed = problem.missed(made)
        lost = missed * problem.share
        slope = w - 2 * _sums(problem, lost)
        size = float(np.abs(slope).max())
        matrix = 2 * _products(problem, missed != 0) + np.eye(features)
        if not np.isfinite(matrix).all():
            raise ValueError(
                "Numbers are too large for the squares of samples. Scale the data, for example "
                "with StandardScaler."
            )
        first = first or size or 1.0
        value = _value(problem, w, missed)
        if ending.verbose:
            print(f"Step {step}, value {value:.6e}, largest slope {size:.3e}.")
        if size <= _ROUNDING * first:
            return Minimum(w, step, True)
        direction = -np.linalg.solve(matrix, slope)
        along = scores(problem.x, _device(problem, direction)[None])[:, 0]
        length = _length(problem, (w, direction), (made, along), value, float(slope @ direction))
        if length == 0:
            return Minimum(w, step, -float(slope @ direction) <= rounding * max(value, 1.0))
        w, made = w + length * direction, made + length * along
    return Minimum(w, ending.steps, size <= ending.tol * first)


def _products(problem: Squares, counts: ndarray) -> np.ndarray:
    if isinstance(problem.x, SparseSamples):
        return problem.x.gram(np.asarray(problem.share * counts))
    # A matrix times itself, which takes a sixth of the time of two different ones.
    rooted = problem.x.astype(np.float64) * px.sqrt(problem.share * counts)[:, None]
    return np.asarray(rooted.T @ rooted)


def _value(problem: Squares, w: np.ndarray, missed: ndarray) -> float:
    lost = float(px.sum(missed * missed * problem.share, dtype=np.float64))
    return 0.5 * float(w @ w) + lost


def _length(
    problem: Squares,
    place: tuple[np.ndarray, np.ndarray],
    made: tuple[ndarray, ndarray],
    value: float,
    steepness: float,
) -> float:
    """How far to go; 0 where rounding errors are all that is left."""
    length = 1.0
    for _ in range(_MOST_TRIALS):
        missed = problem.missed(made[0] + length * made[1])
        tried = _value(problem, place[0] + length * place[1], missed)
        if tried < value + _DECREASE * length * steepness:
            return length
        if abs(length * steepness) <= _ROUNDING * max(value, 1.0):
            return 0.0
        length *= _SHRINK
    return 0.0
