"""Hierarchies of clusters out of all distances, along chains of nearest neighbors.

Of F. Murtagh, "A survey of recent advances in hierarchical clustering algorithms" (1983), with the
formulas of G. Lance and W. Williams (1967), and SciPy's choice among equal distances.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from ..pacing import Pace
from .spanning_tree import Edges, merges_of
from .units import matrix_in_units, out_of_units

LINKAGES = {"ward": 0, "complete": 1, "average": 2}
_FIRST_MERGES = 256  # of a call, and rows of distances


@njit
def _nearest(row: Any, before: Any) -> Any:
    """The place of the least of a row: `before` if it is one of several, else the first."""
    least = np.inf
    for j in range(len(row)):
        least = min(least, row[j])
    if before >= 0 and row[before] == least:
        return before
    for j in range(len(row)):
        if row[j] == least:
            return j
    return 0


@njit
def _merged(kind: Any, one: Any, other: Any, apart: Any, sizes: Any, pair: Any) -> None:
    """Put the distances of the union of a pair in the place of those of the other."""
    size_x, size_y = sizes[pair[0]], sizes[pair[1]]
    if kind == 0:
        for i in range(len(one)):
            share = 1.0 / (size_x + size_y + sizes[i])
            square = (sizes[i] + size_x) * share * one[i] * one[i]
            square += (sizes[i] + size_y) * share * other[i] * other[i]
            square -= sizes[i] * share * apart * apart
            other[i] = np.sqrt(square)
    elif kind == 1:
        for i in range(len(one)):
            other[i] = max(one[i], other[i])
    else:
        for i in range(len(one)):
            other[i] = (size_x * one[i] + size_y * other[i]) / (size_x + size_y)


# What a call leaves to the next: merges so far, where to stop, the chain's length and its start.
_DONE, _STOP, _LENGTH, _START = range(4)


@njit
def _follow(square: Any, kind: Any, edges: Any, sizes: Any, chain: Any, state: Any) -> None:
    """Merge clusters of a matrix of distances with an infinite diagonal; it is overwritten."""
    count = square.shape[0]
    length, start = state[_LENGTH], state[_START]
    for k in range(state[_DONE], state[_STOP]):
        if length == 0:
            while sizes[start] == 0:
                start += 1
            chain[0] = start
            length = 1
        while True:
            x = chain[length - 1]
            before = chain[length - 2] if length > 1 else -1
            y = _nearest(square[x], before)
            if y == before:
                break
            chain[length] = y
            length += 1
        length -= 2
        apart = square[x, y]
        if x > y:
            x, y = y, x
        edges[0, k] = x
        edges[1, k] = y
        edges[2, k] = apart
        _merged(kind, square[x], square[y], apart, sizes, (x, y))
        sizes[y] += sizes[x]
        sizes[x] = 0.0
        square[y, y] = np.inf
        for i in range(count):
            if sizes[i] == 0:
                square[y, i] = np.inf
            square[i, y] = square[y, i]
            square[i, x] = np.inf
    state[_DONE], state[_LENGTH], state[_START] = state[_STOP], length, start


def _follow_all(square: np.ndarray, kind: int, edges: np.ndarray) -> None:
    """Merge all clusters, some in a call."""
    count = len(square)
    sizes, chain = np.ones(count), np.empty(count, np.int64)
    state, pace = np.zeros(4, np.int64), Pace(_FIRST_MERGES, count)
    while state[_DONE] < count - 1:
        state[_STOP] = min(state[_DONE] + pace.begin(), count - 1)
        _follow(square, kind, edges, sizes, chain, state)
        pace.end()


@njit(parallel=True)
def _fill(x: Any, columns: Any, kind: Any, out: Any) -> None:
    for i in prange(x.shape[0]):
        row = out[i]
        row[:] = 0.0
        for j in range(columns.shape[0]):
            own, column = x[i, j], columns[j]
            if kind == 0:
                for other in range(len(row)):
                    step = own - column[other]
                    row[other] += step * step
            else:
                for other in range(len(row)):
                    row[other] += abs(own - column[other])
        if kind == 0:
            for other in range(len(row)):
                row[other] = np.sqrt(row[other])


def distances_of(x: np.ndarray, metric: str) -> np.ndarray:
    """All distances of samples x features, float64; ``"euclidean"``, ``"manhattan"``, ``"cosine"``.

    The cosine is 0 of samples of zeros.
    """
    wide = np.ascontiguousarray(x, np.float64)
    if metric == "cosine":
        lengths = np.sqrt((wide * wide).sum(axis=1))
        lengths[lengths == 0] = 1
        made = np.clip(1 - wide @ wide.T / np.outer(lengths, lengths), 0, 2)
        np.fill_diagonal(made, 0)
        return made
    out = np.empty((len(wide), len(wide)))
    columns, pace, first = wide.T.copy(), Pace(_FIRST_MERGES, len(wide)), 0
    while first < len(wide):
        last = first + pace.begin()
        _fill(wide[first:last], columns, int(metric == "manhattan"), out[first:last])
        pace.end()
        first = last
    return out


def merges_of_matrix(distances: np.ndarray, linkage: str) -> np.ndarray:
    """The merges of all samples, as SciPy's `linkage` has them; the matrix is overwritten."""
    count = len(distances)
    np.fill_diagonal(distances, np.inf)
    edges = np.empty((3, count - 1))
    scaled, unit = matrix_in_units(distances)
    _follow_all(scaled, LINKAGES[linkage], edges)
    lengths = out_of_units(edges[2], unit)
    made = Edges(edges[0].astype(np.int64), edges[1].astype(np.int64), lengths)
    return merges_of(made, np.argsort(made.length, kind="stable"), sorts=True)
