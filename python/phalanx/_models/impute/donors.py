"""The nearest samples that have a number where another has a gap, by one loop on all cores."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from ..pacing import Pace

# Parts of the samples with gaps have a row of distances each: so many, or fewer of more numbers.
_MOST_PARTS, _FEWEST_PARTS, _NUMBERS = 64, 8, 1 << 22


class Donors(NamedTuple):
    """Of each gap the distances of the nearest, NaN where there are fewer, and their numbers."""

    distances: np.ndarray
    values: np.ndarray


@njit
def _distances(row: Any, known: Any, total: Any, met: Any) -> None:
    """Sum up squared differences to all known samples over the features of both, and count these.

    `known` is features x samples.
    """
    for j in range(known.shape[1]):
        total[j] = 0.0
        met[j] = 0.0
    for f in range(row.shape[0]):
        value = row[f]
        if value == value:
            for j in range(known.shape[1]):
                step = value - known[f, j]
                is_there = step == step
                total[j] += step * step if is_there else 0.0
                met[j] += 1.0 if is_there else 0.0


@njit
def _insert(far: Any, number: Any, best: Any, given: Any) -> None:
    """Put a distance among the smallest, which are in order, after equal ones."""
    k = best.shape[0] - 1
    if far >= best[k]:
        return
    while k > 0 and far < best[k - 1]:
        best[k] = best[k - 1]
        given[k] = given[k - 1]
        k -= 1
    best[k] = far
    given[k] = number


@njit(parallel=True)
def _nearest(rows: Any, known: Any, places: Any, columns: Any, buffers: Any, found: Any) -> None:
    """Fill squared distances and numbers of the nearest of each gap.

    `rows` are samples with gaps, whose columns are those from its place to the next. `buffers` are
    sums and counts, parts x samples each; `found` distances and numbers, gaps x donors each.
    """
    parts, features = buffers.shape[1], rows.shape[1]
    each = (rows.shape[0] + parts - 1) // parts
    for part in prange(parts):
        total, met = buffers[0, part], buffers[1, part]
        for row in range(part * each, min(rows.shape[0], (part + 1) * each)):
            _distances(rows[row], known, total, met)
            for gap in range(places[row], places[row + 1]):
                column = columns[gap]
                for j in range(known.shape[1]):
                    number = known[column, j]
                    if number == number and met[j] > 0:
                        far = total[j] / met[j] * features
                        _insert(far, number, found[0, gap], found[1, gap])


def donors_of(rows: np.ndarray, known: np.ndarray, gaps: np.ndarray, count: int) -> Donors:
    """The `count` nearest donors of each gap of some samples, in the order of rows and columns.

    `rows` and `known` are samples x features with NaN for gaps, `gaps` is bool, which of the rows'
    gaps are to be filled. Distances are those of `nan_euclidean_distances`, in float64.
    """
    columns = np.nonzero(gaps)[1]
    places = np.append(0, np.cumsum(gaps.sum(axis=1))).astype(np.int64)
    found = np.full((2, len(columns), count), np.nan)
    found[0] = np.inf
    parts = min(max(_NUMBERS // len(known), _FEWEST_PARTS), _MOST_PARTS)
    buffers = np.empty((2, parts, len(known)))
    table = np.ascontiguousarray(known.T, np.float64)
    wide = np.ascontiguousarray(rows, np.float64)
    pace, first = Pace(parts, len(rows)), 0
    while first < len(rows):
        last = first + pace.begin()
        _nearest(wide[first:last], table, places[first : last + 1], columns, buffers, found)
        pace.end()
        first = last
    found[0][np.isinf(found[0])] = np.nan
    return Donors(np.sqrt(found[0]), found[1])
