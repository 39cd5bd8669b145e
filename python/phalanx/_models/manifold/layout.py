"""Places of a graph's samples, by steps along edges and away from samples that are drawn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph

_FAST = {"contract", "reassoc", "arcp", "nsz"}
_ENTRIES = 4096  # of the table of the curve
_POOL = 1 << 14  # samples that are drawn for a pass, of which each sample's own are a part
_CHUNK = 64  # of them, at most, that push a sample at once
_BLOCK = 64  # samples of which one core moves one after another


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


def _nearness(curve: Curve) -> np.ndarray:
    """The curve at equal steps of d^2 / (1 + d^2), which is all that passes need of it."""
    share = np.arange(_ENTRIES + 2) / _ENTRIES
    share[_ENTRIES:] = 1 - 0.25 / _ENTRIES
    return np.asarray(1 / (1 + curve.a * (share / (1 - share)) ** curve.b), np.float32)


@njit
def _clipped(step: Any) -> Any:
    """A step along one axis, which is at most 4."""
    return min(max(step, np.float32(-4)), np.float32(4))


@njit
def _edges_now(shares: Any, first: Any, last: Any, number: Any, edges: Any) -> Any:
    """List the edges that are gone along in a pass, as often as their shares say; their number."""
    listed = 0
    for edge in range(first, last):
        edges[listed] = edge
        before = int(np.float64(number) * shares[edge])
        listed += int(np.float64(number + 1) * shares[edge]) - before
    return listed


@njit(fastmath=_FAST)
def _pull(own: Any, sources: Any, other: Any, curve: Any, rate: Any) -> None:
    """Move a place toward another by the gradient: -2 b (1 - nearness) / d^2, times the way."""
    twice_b, nearness = curve
    one, square = np.float32(1), np.float32(0)
    for d in range(len(own)):
        step = own[d] - sources[d, other]
        square += step * step
    if square <= np.float32(1e-30):
        return
    inverse = one / (square * (one + square))
    place = square * square * inverse * np.float32(_ENTRIES)
    entry = np.int32(place)
    near = nearness[entry] + (place - np.float32(entry)) * (nearness[entry + 1] - nearness[entry])
    force = twice_b * (near - one) * (one + square) * inverse
    for d in range(len(own)):
        own[d] += rate * _clipped(force * (own[d] - sources[d, other]))


@njit(fastmath=_FAST)
def _push(own: Any, pool: Any, first: Any, curve: Any, rate: Any, scratch: Any) -> None:
    """Move a place away from a part of the pool: by 2 b nearness / (0.001 + d^2), times the way."""
    twice_b, nearness = curve
    one, least = np.float32(1), np.float32(0.001)
    for k in range(len(scratch)):
        scratch[k] = np.float32(0)
    for d in range(len(own)):
        place, there = own[d], pool[d, first : first + len(scratch)]
        for k in range(len(scratch)):
            step = place - there[k]
            scratch[k] += step * step
    for k in range(len(scratch)):
        square = scratch[k]
        inverse = one / ((one + square) * (least + square))
        entry = np.int32(square * (least + square) * inverse * np.float32(_ENTRIES))
        scratch[k] = twice_b * nearness[entry] * (one + square) * inverse
    for d in range(len(own)):
        place, there, total = own[d], pool[d, first : first + len(scratch)], np.float32(0)
        for k in range(len(scratch)):
            total += _clipped(scratch[k] * (place - there[k]))
        own[d] = place + rate * total


@njit
def _drawn(state: Any) -> Any:
    """The next state of a generator of random numbers."""
    return state * np.uint64(6364136223846793005) + np.uint64(1442695040888963407)


@njit
def _push_away(own: Any, pool: Any, count: Any, force: Any, scratch: Any, state: Any) -> Any:
    """Move a place away from `count` samples of the pool; the next state of random numbers.

    `force` is the curve and the rate.
    """
    left, (curve, rate) = count, force
    while left > 0:
        state = _drawn(state)
        first = np.int64(
            ((state >> np.uint64(33)) * np.uint64(pool.shape[1] - _CHUNK)) >> np.uint64(31)
        )
        size = min(left, _CHUNK)
        _push(own, pool, first, curve, rate, scratch[:size])
        left -= size
    return state


@njit(parallel=True)
def _pass(graph: Any, sources: Any, pool: Any, places: Any, curve: Any, now: Any) -> None:
    """Move each sample along some of its edges, away from some others; others stay meanwhile.

    `sources` and `pool` are dimensions x samples. `now` has the number of the pass, its rate, how
    often an edge is gone along, how many samples are drawn for each time, and the seed.
    """
    starts, others, shares, most = graph
    number, rate, times, negatives, strength, seed = now
    count, force = places.shape[0], (curve, rate * strength)
    for block in prange((count + _BLOCK - 1) // _BLOCK):
        edges, scratch = np.empty(most + 1, np.int64), np.empty(_CHUNK, np.float32)
        for i in range(block * _BLOCK, min(count, (block + 1) * _BLOCK)):
            own = places[i]
            listed = _edges_now(shares, starts[i], starts[i + 1], number, edges)
            # The order of passes and samples makes the numbers, not the threads; where others are
            # fixed, a sample's place is the same with others beside it and without.
            state = np.uint64(seed) + np.uint64(i * (times - 1)) * np.uint64(0x9E3779B97F4A7C15)
            # Pulls and pushes take turns: after all pulls at once, pushes are too strong.
            for at in range(listed):
                _pull(own, sources, others[edges[at]], curve, rate)
                if times == 2:
                    _pull(own, sources, others[edges[listed - 1 - at]], curve, rate)
                state = _push_away(own, pool, negatives, force, scratch, state)


def optimized(
    graph: Graph,
    places: np.ndarray,
    curve: Curve,
    schedule: Schedule,
    fixed: np.ndarray | None = None,
    reached: Callable[[int], None] = lambda done: None,
) -> np.ndarray:
    """The places, float32, after all passes; `fixed` are those of the samples that edges lead to.

    `reached` is told how many passes are done.

    Without `fixed` both ends of an edge move. The result is the same for the same seed, however
    many threads there are. Shares of `graph` are from 0 to 1.
    """
    made = np.array(places, np.float32)
    random = np.random.RandomState(schedule.seed)
    lines = np.float32(2 * curve.b), _nearness(curve)
    # Both ends of an edge move along it in a pass: each of them for itself and as the other's end.
    times = 2 if fixed is None else 1
    most = int(np.diff(graph.starts).max(initial=0))
    edges = (graph.starts, graph.others, graph.weights, most)
    for number in range(schedule.passes):
        rate = np.float32(schedule.rate * (1 - number / schedule.passes))
        if fixed is None or number == 0:
            sources = np.ascontiguousarray((made if fixed is None else fixed).T, np.float32)
        pool = np.ascontiguousarray(sources[:, random.randint(sources.shape[1], size=_POOL)])
        strength = np.float32(schedule.strength)
        seed = int(random.randint(2**31 - 1))
        now = (number, rate, times, schedule.negatives, strength, seed)
        _pass(edges, sources, pool, made, lines, now)
        reached(number + 1)
    return made
