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


class Bins(NamedTuple):
    """What values the bins of each feature have, features x 256 but for `counts`, of float64.

    The values of bin b are those in (edges[b - 1], edges[b]]; `low` and `high` are the least and
    the greatest that were seen, infinite and reversed in bins without samples.
    """

    edges: np.ndarray
    counts: np.ndarray
    low: np.ndarray
    high: np.ndarray


def edges_of(values: np.ndarray, most: int) -> np.ndarray:
    """The upper edges of a feature's bins but the last: one less than bins. NaN is left out."""
    values = values[~np.isnan(values)].astype(np.float64)
    distinct = np.unique(values)
    if len(distinct) <= most:
        found = distinct[:-1] + (distinct[1:] - distinct[:-1]) / 2
        # The middle of neighbors in floating point may be the upper one.
        return np.where(found < distinct[1:], found, distinct[:-1])
    shares = np.linspace(0, 1, most + 1)[1:-1]
    return np.unique(np.quantile(values, shares, method="averaged_inverted_cdf"))


def drawn_rows(count: int, weight: np.ndarray | None, random: Any) -> Any:
    """Rows whose quantiles are taken: all, or some drawn ones; those without weight never."""
    rows = None if weight is None or (weight != 0).all() else np.flatnonzero(weight)
    if (count if rows is None else len(rows)) <= _MOST_DRAWN:
        return slice(None) if rows is None else rows
    drawn = random.randint(count if rows is None else len(rows), size=_MOST_DRAWN)
    drawn.sort()
    return drawn if rows is None else rows[drawn]


def bins_of(x: np.ndarray, rows: Any, most: int) -> Bins:
    """The bins of samples x features, by some of the rows."""
    features = x.shape[1]
    made = Bins(
        np.full((features, MOST_BINS), np.inf),
        np.zeros(features, np.int32),
        np.full((features, MOST_BINS), np.inf),
        np.full((features, MOST_BINS), -np.inf),
    )
    for feature in range(features):
        edges = edges_of(x[rows, feature], most)
        made.edges[feature, : len(edges)] = edges
        made.counts[feature] = len(edges) + 1
    return made


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
