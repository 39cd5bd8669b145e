"""Places of a graph's samples, by steps along edges and away from samples that are drawn."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph

_ENTRIES = 4096  # of the table of powers


class Curve(NamedTuple):
    """How near two places are at a distance of d: 1 / (1 + a d^2b)."""

    a: float
    b: float


class Schedule(NamedTuple):
    """How many passes over the edges there are, and what one does."""

    passes: int
    rate: float
    negatives: int
    strength: float
    seed: int


def fitted_curve(min_dist: float, spread: float) -> Curve:
    """The curve nearest to 1 up to `min_dist`, and from there on exp(-(d - min_dist) / spread).

    By damped Gauss-Newton steps over 300 distances up to 3 spreads.
    """
    d = np.linspace(0, 3 * spread, 300)[1:]
    wanted = np.where(d < min_dist, 1.0, np.exp(-(d - min_dist) / spread))
    values, damping = np.array([1.0, 1.0]), 1e-2

    def misses(at: np.ndarray) -> np.ndarray:
        return np.asarray(1 / (1 + at[0] * d ** (2 * at[1])) - wanted)

    for _ in range(200):
        a, b = values
        power = d ** (2 * b)
        slope = -1 / (1 + a * power) ** 2
        slopes = np.stack([slope * power, slope * a * power * 2 * np.log(d)], axis=1)
        miss = misses(values)
        square = slopes.T @ slopes
        step = np.linalg.solve(square + damping * np.diag(np.diag(square)), -slopes.T @ miss)
        tried = np.maximum(values + step, 1e-3)
        if (misses(tried) ** 2).sum() < (miss**2).sum():
            values, damping = tried, damping / 3
            if np.abs(step).max() < 1e-10:
                break
        else:
            damping *= 4
    return Curve(float(values[0]), float(values[1]))


def _powers(curve: Curve) -> np.ndarray:
    """d^2b at equal steps of d^2 / (1 + d^2), which is all that passes need of the curve."""
    share = np.arange(_ENTRIES + 2) / _ENTRIES
    share[_ENTRIES:] = 1 - 0.25 / _ENTRIES
    return np.asarray((share / (1 - share)) ** curve.b, np.float64)


@njit
def _power(table: Any, square: Any) -> Any:
    place = square / (1.0 + square) * _ENTRIES
    entry = int(place)
    return table[entry] + (place - entry) * (table[entry + 1] - table[entry])


@njit
def _clipped(step: Any) -> Any:
    """A step along one axis, which is at most 4."""
    return min(max(step, -4.0), 4.0)


@njit
def _square_to(own: Any, places: Any, other: Any) -> Any:
    square = 0.0
    for d in range(len(own)):
        step = own[d] - places[other, d]
        square += step * step
    return square


@njit(parallel=True)
def _pass(graph: Any, sources: Any, places: Any, curve: Any, now: Any) -> None:
    """Move each sample along some of its edges, away from some others; others stay meanwhile.

    An edge is gone along as often as its share of the greatest weight says. `now` has the number of
    the pass, its rate, how often an edge is gone along, how many samples are drawn for each time,
    their strength, and the seed.
    """
    starts, others, shares = graph
    a, b, table = curve
    number, rate, times, negatives, strength, seed = now
    count = sources.shape[0]
    for i in prange(places.shape[0]):
        own = places[i]
        # The order of passes and edges makes the numbers, not the threads; where others are fixed,
        # a sample's place is the same with others beside it and without.
        state = np.uint64(seed) + np.uint64(i * (times - 1)) * np.uint64(0x9E3779B97F4A7C15)
        state = state + np.uint64(number + 1) * np.uint64(0xBF58476D1CE4E5B9)
        for edge in range(starts[i], starts[i + 1]):
            share = shares[edge]
            if int((number + 1) * share) == int(number * share):
                continue
            other = others[edge]
            for _ in range(times):
                square = _square_to(own, sources, other)
                if square > 0.0:
                    power = _power(table, square)
                    pull = -2.0 * a * b * power / (square * (1.0 + a * power))
                    for d in range(len(own)):
                        own[d] += rate * _clipped(pull * (own[d] - sources[other, d]))
            for _ in range(negatives):
                state = state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)
                drawn = np.int64(((state >> np.uint64(33)) * np.uint64(count)) >> np.uint64(31))
                square = _square_to(own, sources, drawn)
                if square > 0.0:
                    power = _power(table, square)
                    push = 2.0 * strength * b / ((0.001 + square) * (1.0 + a * power))
                    for d in range(len(own)):
                        own[d] += rate * _clipped(push * (own[d] - sources[drawn, d]))


def optimized(
    graph: Graph,
    places: np.ndarray,
    curve: Curve,
    schedule: Schedule,
    fixed: np.ndarray | None = None,
) -> np.ndarray:
    """The places, float64, after all passes; `fixed` are those of the samples that edges lead to.

    Without `fixed` both ends of an edge move. The result is the same for the same seed, however
    many threads there are. Shares of `graph` are from 0 to 1.
    """
    made = np.array(places, np.float64)
    table = _powers(curve)
    # Both ends of an edge move along it in a pass: each of them for itself and as the other's end.
    times = 2 if fixed is None else 1
    for number in range(schedule.passes):
        rate = schedule.rate * (1 - number / schedule.passes)
        sources = made.copy() if fixed is None else fixed
        now = (number, rate, times, schedule.negatives, schedule.strength, schedule.seed)
        _pass(tuple(graph), sources, made, (curve.a, curve.b, table), now)
    return made
