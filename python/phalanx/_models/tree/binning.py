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
    """What values the bins of each feature have, features x 256 but for `counts`, of float64.

    The values of bin b are those in (edges[b - 1], edges[b]]; `low` and `high` are the least and
    the greatest that were seen, infinite and reversed in bins without samples.
    """

    edges: np.ndarray
    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray


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


def bins_of(x: np.ndarray, drawn: Drawn, most: int) -> Bins:
    """The bins of samples x features, by some of the rows."""
    features = x.shape[1]
    made = Bins(
        np.full((features, MOST_BINS), np.inf),
        np.zeros(features, np.int32),
        np.full((features, MOST_BINS), np.inf),
        np.full((features, MOST_BINS), -np.inf),
    )
    rows = x[drawn.rows]
    if len(rows) <= most:
        _set_all_edges(rows, made)
        return made
    for feature in range(features):
        edges = edges_of(rows[:, feature], drawn.weight, most)
        made.edges[feature, : len(edges)] = edges
        made.counts[feature] = len(edges) + 1
    return made


def _set_all_edges(rows: np.ndarray, made: Bins) -> None:
    """As `edges_of` of each feature, of no more rows than bins, which are as the values are."""
    values = np.sort(rows.astype(np.float64).clip(-_FARTHEST_EDGE, _FARTHEST_EDGE).T)
    low, high = values[:, :-1], values[:, 1:]
    features, places = np.nonzero(high > low)  # NaN is last, and more than nothing
    low, high = low[features, places], high[features, places]
    middle = low + (high - low) / 2
    counts = np.bincount(features, minlength=len(values))
    own = np.arange(len(features)) - np.repeat(np.cumsum(counts) - counts, counts)
    made.edges[features, own] = np.where(middle < high, middle, low)
    made.counts[:] = counts + 1


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
    def ranges(x: Any, codes: Any, low: Any, high: Any) -> None:
        for f in prange(x.shape[1]):
            for i in range(x.shape[0]):
                value = np.float64(x[i, f])
                b = codes[f, i]
                low[f, b] = min(low[f, b], value)
                high[f, b] = max(high[f, b], value)

    return ranges


def codes_of(x: np.ndarray, bins: Bins, gap: int = 0) -> np.ndarray:
    """The number of each value's bin, features x samples, uint8; NaN has the number `gap`."""
    out = np.empty((x.shape[1], x.shape[0]), np.uint8)
    _coder()(x, bins.edges, bins.counts, gap, out)
    return out


def find_ranges(x: np.ndarray, codes: np.ndarray, bins: Bins) -> None:
    """Set the least and the greatest value of each bin."""
    _ranger()(x, codes, bins.low, bins.high)
