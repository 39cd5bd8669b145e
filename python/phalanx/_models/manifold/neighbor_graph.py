"""Graphs of near samples: the neighbors of each, and the same with edges in both directions."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit
from ..._arrays import coerce
from ..._arrays.ndarray import ndarray
from ..metrics.pairwise import directions, with_length_1
from ..neighbors.distances import EUCLIDEAN, Metric, metric_of, nearest_rows, without_self
from ..neighbors.ranges import in_range
from .search.approximate import FEWEST, near_of_many

NAMES_OF_ANGLES = ("cosine",)
_TIMES = 32  # as many samples as neighbors, of which most are not compared


class Graph(NamedTuple):
    """Edges of each sample: ``others[starts[i]:starts[i + 1]]`` in order, and what they weigh."""

    starts: np.ndarray
    others: np.ndarray
    weights: np.ndarray


def near_others(
    x: ndarray, metric: str, count: int, others: ndarray | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """The nearest others of each sample, and their distances, float64: samples x count.

    Without `others`, of the samples themselves, of which each leaves out itself. `metric` is one of
    `NearestNeighbors`'s, ``"cosine"``, or ``"precomputed"``: then `x` has the distances. Of many
    samples of the host by angles or Euclidean distances, a few neighbors are not the nearest, see
    `search.approximate`; all else is exact.
    """
    own = others is None
    number = count + own
    if metric == "precomputed":
        distances = np.asarray(x, np.float64)
        rows = np.argsort(distances, axis=1, kind="stable")[:, :number]
        apart = np.take_along_axis(distances, rows, axis=1)
    else:
        there = x if others is None else others
        is_angle = metric in NAMES_OF_ANGLES
        kind = metric_of("euclidean" if is_angle else metric)
        if own and _is_approximate(x, kind, count):
            return _near_by_angle(x, count) if is_angle else _near_of_many(x, count)
        if is_angle:
            x, there = directions(x, there)
        found = nearest_rows(x, there, number, kind)
        apart, rows = np.asarray(found[0], np.float64), np.asarray(found[1])
        # Of samples of length 1 half the squared distance is 1 less the cosine.
        apart = apart * apart / 2 if is_angle else apart
    if own:
        apart, rows = without_self(apart, rows)
    return rows, apart


def _is_approximate(x: ndarray, metric: Metric, count: int) -> bool:
    """True if an approximate search is far quicker: a GPU compares all pairs in no time."""
    return x._device.is_host and metric == EUCLIDEAN and len(x) > max(FEWEST, _TIMES * count)


def _near_of_many(x: ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    (x,), factor = in_range(2, x)
    rows, apart = near_of_many(np.ascontiguousarray(np.asarray(x)), count)
    return rows, apart / factor


def _near_by_angle(x: ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Near samples among those that have an angle; the others are at 1 from all."""
    values = np.asarray(with_length_1(x))
    has_angle = values.any(axis=1)
    some, none = np.flatnonzero(has_angle), np.flatnonzero(~has_angle)
    first = np.arange(count)
    rows = first + (first >= np.arange(len(values))[:, None])  # the first ones but itself
    apart = np.ones(rows.shape)
    if len(some) > 1:
        near = min(count, len(some) - 1)
        found, lengths = near_others(coerce.asarray(values[some]), "euclidean", near)
        others = np.hstack([some[found], np.tile(none[:count], (len(some), 1))])
        far = np.ones((len(some), len(none[:count])))
        distances = np.hstack([lengths * lengths / 2, far])
        order = np.argsort(distances, axis=1, kind="stable")[:, :count]
        rows[some] = np.take_along_axis(others, order, axis=1)
        apart[some] = np.take_along_axis(distances, order, axis=1)
    return rows, apart


@njit
def _transposed(rows: Any, weights: Any, starts: Any, others: Any, turned: Any) -> None:
    """Of each sample those that have it among their neighbors, in order."""
    starts[:] = 0
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            starts[rows[i, j] + 1] += 1
    for i in range(rows.shape[0]):
        starts[i + 1] += starts[i]
    ends = starts.copy()
    for i in range(rows.shape[0]):
        for j in range(rows.shape[1]):
            place = ends[rows[i, j]]
            others[place] = i
            turned[place] = weights[i, j]
            ends[rows[i, j]] = place + 1


@njit
def _joined(rows: Any, weights: Any, back: Any, share: Any, out: Any) -> Any:
    """Merge the neighbors of each sample, in order, with those it is a neighbor of."""
    count, size = rows.shape
    starts, others, turned = back
    made = 0
    out[0][0] = 0
    for i in range(count):
        one, other = 0, starts[i]
        while one < size or other < starts[i + 1]:
            first = rows[i, one] if one < size else count
            second = others[other] if other < starts[i + 1] else count
            forth = weights[i, one] if first <= second else 0.0
            there = turned[other] if second <= first else 0.0
            one += 1 if first <= second else 0
            other += 1 if second <= first else 0
            both = forth * there
            # A negative share asks for sums.
            union = forth + there - both
            weight = share * union + (1.0 - share) * both if share >= 0 else forth + there
            if weight > 0:
                out[1][made] = min(first, second)
                out[2][made] = weight
                made += 1
        out[0][i + 1] = made
    return made


def in_both_directions(rows: np.ndarray, weights: np.ndarray, share: float = -1.0) -> Graph:
    """The graph whose edges weigh what both directions do together: their sum.

    With a `share` from 0 to 1: that share of the probabilistic union, the rest of the intersection.
    """
    order = np.argsort(rows, axis=1)
    rows = np.take_along_axis(rows, order, axis=1)
    weights = np.take_along_axis(np.asarray(weights, np.float64), order, axis=1)
    starts = np.empty(len(rows) + 1, np.int64)
    others, turned = np.empty(rows.size, np.int64), np.empty(rows.size)
    _transposed(rows, weights, starts, others, turned)
    out = (
        np.empty(len(rows) + 1, np.int64),
        np.empty(2 * rows.size, np.int64),
        np.empty(2 * rows.size),
    )
    made = _joined(rows, weights, (starts, others, turned), float(share), out)
    return Graph(out[0], out[1][:made].copy(), out[2][:made].copy())


def sources_of(graph: Graph) -> np.ndarray:
    """The sample that each edge begins at."""
    return np.repeat(np.arange(len(graph.starts) - 1), np.diff(graph.starts))


@njit
def _spread_numbers(starts: Any, others: Any, numbers: Any) -> None:
    stack = np.empty(len(numbers), np.int64)
    for first in range(len(numbers)):
        if numbers[first] >= 0:
            continue
        numbers[first] = first
        stack[0] = first
        length = 1
        while length:
            length -= 1
            node = stack[length]
            for place in range(starts[node], starts[node + 1]):
                other = others[place]
                if numbers[other] < 0:
                    numbers[other] = first
                    stack[length] = other
                    length += 1


def is_connected(graph: Graph) -> bool:
    """True if edges lead from each sample to all others."""
    numbers = np.full(len(graph.starts) - 1, -1)
    _spread_numbers(graph.starts, graph.others, numbers)
    return bool((numbers == 0).all())
