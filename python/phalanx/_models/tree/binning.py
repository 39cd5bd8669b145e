"""Features in bins: each value becomes the number of its bin, of at most 256, once for all trees.

A feature of few distinct values has a bin for each, so that nothing is lost; another has bins of
about as many samples each, by quantiles of at most 200,000 samples.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange

MOST_BINS = 256
_MOST_DRAWN = 200_000
# Of edges: infinite values are beyond, and those between neighbors of either sign do not overflow.
_FARTHEST_EDGE = 1e300


class Bins(NamedTuple):
    """The upper edges of each feature's bins, features x bins, float64; and how many there are.

    The values of bin b are those in (edges[b - 1], edges[b]]; edges are infinite from the last on.
    """

    edges: np.ndarray
    counts: np.ndarray


def edges_of(values: np.ndarray, weight: np.ndarray | None, most: int) -> np.ndarray:
    """The upper edges of a feature's bins but the last: one less than bins. NaN is left out."""
    is_there = ~np.isnan(values)
    values = values[is_there].astype(np.float64).clip(-_FARTHEST_EDGE, _FARTHEST_EDGE)
    distinct = np.unique(values)
    if len(distinct) <= most:
        found = distinct[:-1] + (distinct[1:] - distinct[:-1]) / 2
        # The middle of neighbors in floating point may be the upper one.
        return np.where(found < distinct[1:], found, distinct[:-1])
    # As scikit-learn: the last digit decides where a quantile meets a value.
    percents = np.linspace(0, 100, most + 1)[1:-1]
    if weight is None:
        return np.unique(np.percentile(values, percents, method="averaged_inverted_cdf"))
    return np.unique(_weighted_quantiles(values, weight[is_there], percents / 100))


def _weighted_quantiles(values: np.ndarray, weight: np.ndarray, shares: np.ndarray) -> np.ndarray:
    """Where sums of weight reach shares of all; the mean of two values where they meet exactly."""
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weight[order])
    wanted = shares * sums[-1]
    last = len(values) - 1
    lower = np.searchsorted(sums, wanted, side="left").clip(max=last)
    upper = np.searchsorted(sums, wanted, side="right").clip(max=last)
    return np.asarray((values[order[lower]] + values[order[upper]]) / 2)


class Drawn(NamedTuple):
    """Rows whose quantiles are taken, and their weights; None if all count alike."""

    rows: Any
    weight: np.ndarray | None


def drawn_rows(count: int, weight: np.ndarray | None, random: Any) -> Drawn:
    """All rows, or some drawn ones, by their weights; those without weight never."""
    if weight is None:
        if count <= _MOST_DRAWN:
            return Drawn(slice(None), None)
        return Drawn(np.sort(random.randint(count, size=_MOST_DRAWN)), None)
    rows = np.flatnonzero(weight)
    if len(rows) <= _MOST_DRAWN:
        return Drawn(rows, weight[rows])
    shares = np.cumsum(weight)
    drawn = np.searchsorted(shares, random.random_sample(_MOST_DRAWN) * shares[-1], side="right")
    return Drawn(np.sort(drawn), None)


def bins_of(x: np.ndarray, drawn: Drawn, most: int, room: int = MOST_BINS) -> Bins:
    """The bins of samples x features, by some of the rows, and room for as many edges."""
    features = x.shape[1]
    made = Bins(np.full((features, room), np.inf), np.zeros(features, np.int32))
    rows = x[drawn.rows]
    if len(rows) <= most:
        values = np.sort(np.ascontiguousarray(rows.T, np.float64))
        _edger()(values.clip(-_FARTHEST_EDGE, _FARTHEST_EDGE, out=values), made.edges, made.counts)
        return made
    for feature in range(features):
        edges = edges_of(rows[:, feature], drawn.weight, most)
        made.edges[feature, : len(edges)] = edges
        made.counts[feature] = len(edges) + 1
    return made


@cache
def _edger() -> Any:
    """A function that sets edges as `edges_of`, of sorted values with no more of them than bins."""

    @njit(parallel=True)
    def edge(values: Any, edges: Any, counts: Any) -> None:
        for f in prange(values.shape[0]):
            count = 0
            for i in range(values.shape[1] - 1):
                low, high = values[f, i], values[f, i + 1]
                if high > low:  # NaN is last, and more than nothing
                    middle = low + (high - low) / 2
                    edges[f, count] = middle if middle < high else low
                    count += 1
            counts[f] = count + 1

    return edge


@cache
def _coder() -> Any:
    @njit
    def code_feature(x: Any, edges: Any, bins: Any, gap: Any, out: Any) -> None:
        for i in range(x.shape[0]):
            value = np.float64(x[i])
            first = 0
            last = bins - 1
            while first < last:
                middle = (first + last) >> 1
                if value <= edges[middle]:
                    last = middle
                else:
                    first = middle + 1
            out[i] = gap if value != value else first

    @njit(parallel=True)
    def code(x: Any, edges: Any, counts: Any, gap: Any, out: Any) -> None:
        for f in prange(x.shape[1]):
            code_feature(x[:, f], edges[f], counts[f], gap, out[f])

    return code


@cache
def _ranger() -> Any:
    @njit(parallel=True)
    def find(x: Any, codes: Any, ranges: Any) -> None:
        for f in prange(x.shape[1]):
            for i in range(x.shape[0]):
                value = np.float64(x[i, f])
                b = codes[f, i]
                ranges[f, 0, b] = min(ranges[f, 0, b], value)
                ranges[f, 1, b] = max(ranges[f, 1, b], value)

    return find


def codes_of(x: np.ndarray, bins: Bins, gap: int = 0) -> np.ndarray:
    """The number of each value's bin, features x samples, uint8; NaN has the number `gap`."""
    out = np.empty((x.shape[1], x.shape[0]), np.uint8)
    _coder()(x, bins.edges, bins.counts, gap, out)
    return out


def ranges_of(x: np.ndarray, codes: np.ndarray, room: int) -> np.ndarray:
    """The least and the greatest value of each bin, features x 2 x room.

    They are infinite, and reversed, of bins without samples.
    """
    ranges = np.empty((len(codes), 2, room))
    ranges[:, 0], ranges[:, 1] = np.inf, -np.inf
    _ranger()(x, codes, ranges)
    return ranges
