"""Minimum spanning trees over samples, by Prim's steps, and the merges that their edges make.

Of R. Prim, "Shortest connection networks and some generalizations" (1957).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ... import njit
from ..neighbors.distances import Metric, Sum
from .units import GREATEST


class Edges(NamedTuple):
    """The edges of a tree in the order in which Prim's steps found them."""

    first: np.ndarray
    second: np.ndarray
    length: np.ndarray


@njit
def _add_differences(out: Any, own: Any, column: Any, kind: Any, power: Any) -> None:
    """Add a feature's differences to what is summed up of each sample."""
    if kind == Sum.SQUARES:
        for j in range(len(out)):
            step = own - column[j]
            out[j] += step * step
    elif kind == Sum.SIZES:
        for j in range(len(out)):
            out[j] += abs(own - column[j])
    elif kind == Sum.GREATEST:
        for j in range(len(out)):
            out[j] = max(out[j], abs(own - column[j]))
    else:
        for j in range(len(out)):
            out[j] += abs(own - column[j]) ** power


@njit
def _finish(out: Any, kind: Any, power: Any, scale: Any) -> None:
    """Make distances of sums, in units of `scale`."""
    if kind == Sum.SQUARES:
        for j in range(len(out)):
            out[j] = np.sqrt(out[j])
    elif kind == Sum.POWERS:
        for j in range(len(out)):
            out[j] = out[j] ** (1.0 / power)
    if scale != 1.0:
        for j in range(len(out)):
            out[j] /= scale


@njit
def _own(x: Any, others: Any, kind: Any, power: Any, out: Any) -> None:
    out[:] = 0.0
    part = np.empty(1)
    for i in range(x.shape[0]):
        part[0] = 0.0
        for j in range(x.shape[1]):
            _add_differences(part, x[i, j], x[others[i], j : j + 1], kind, power)
        _finish(part, kind, power, 1.0)
        out[i] = part[0]


def own_distances(x: np.ndarray, others: np.ndarray, metric: Metric) -> np.ndarray:
    """The distance of each sample to one other, given by its row: the tree's own, to the bit."""
    out = np.empty(len(x))
    _own(np.ascontiguousarray(x), others, metric.kind, metric.exponent, out)
    return out


@njit
def _reach(out: Any, own: Any, cores: Any, best: Any, sources: Any, node: Any) -> Any:
    """Take shorter edges from a node; return the place of the shortest of all, the first one."""
    for j in range(len(out)):
        edge = max(max(own, cores[j]), out[j])
        shorter = edge < best[j]
        best[j] = edge if shorter else best[j]
        sources[j] = node if shorter else sources[j]
    least = np.inf
    for j in range(len(out)):
        least = min(least, best[j])
    for j in range(len(out)):
        if best[j] == least and cores[j] < np.inf:
            return j
    return 0


@njit
def _pack(rows: Any, cores: Any, best: Any, sources: Any, columns: Any, count: Any) -> Any:
    """Leave out the samples that are in the tree; the others keep their order."""
    kept = 0
    for j in range(count):
        if cores[j] < np.inf:
            rows[kept] = rows[j]
            cores[kept] = cores[j]
            best[kept] = best[j]
            sources[kept] = sources[j]
            kept += 1
    return kept


@njit
def _pack_column(column: Any, cores: Any, count: Any) -> None:
    kept = 0
    for j in range(count):
        if cores[j] < np.inf:
            column[kept] = column[j]
            kept += 1


@njit
def _prim(x: Any, columns: Any, given_cores: Any, measure: Any, edges: Any) -> None:
    """Fill `edges` (3 x samples - 1). A sample in the tree has an infinite core distance.

    `measure` has the kind and the power of a `Metric`, and the unit of distances.
    """
    kind, power, scale = measure
    count = x.shape[0]
    rows = np.arange(count)
    cores = given_cores.copy()
    best = np.full(count, np.inf)
    sources = np.zeros(count, np.int64)
    out = np.empty(count)
    node, place, inside = 0, 0, 0
    for i in range(x.shape[0] - 1):
        cores[place] = np.inf
        best[place] = np.inf
        inside += 1
        if 4 * inside > count:
            for j in range(columns.shape[0]):
                _pack_column(columns[j], cores, count)
            count = _pack(rows, cores, best, sources, columns, count)
            inside = 0
        part = out[:count]
        part[:] = 0.0
        for j in range(columns.shape[0]):
            _add_differences(part, x[node, j], columns[j], kind, power)
        _finish(part, kind, power, scale)
        place = _reach(part, given_cores[node], cores, best, sources, node)
        edges[0, i] = sources[place]
        edges[1, i] = rows[place]
        edges[2, i] = best[place]
        node = rows[place]


@njit
def _prim_of_matrix(distances: Any, given_cores: Any, edges: Any) -> None:
    """The same of a matrix of distances."""
    count = distances.shape[0]
    cores = given_cores.copy()
    best = np.full(count, np.inf)
    sources = np.zeros(count, np.int64)
    node = 0
    for i in range(count - 1):
        cores[node] = np.inf
        best[node] = np.inf
        place = _reach(distances[node], given_cores[node], cores, best, sources, node)
        if best[place] == np.inf:
            # Samples that nothing reaches come in their order.
            place = 0
            while cores[place] == np.inf:
                place += 1
        edges[0, i] = sources[place]
        edges[1, i] = place
        edges[2, i] = best[place]
        node = place


def _finite_cores(cores: np.ndarray | None, count: int) -> np.ndarray:
    """Core distances, 0 if not given, below infinity, which says that a sample is in the tree."""
    return np.zeros(count) if cores is None else np.minimum(cores, GREATEST)


def spanning_tree(
    x: np.ndarray, metric: Metric, cores: np.ndarray | None = None, scale: float = 1.0
) -> Edges:
    """The tree of samples x features, float64; an edge is no shorter than its samples' `cores`.

    Distances are divided by `scale`. None of them is kept.
    """
    edges = np.empty((3, max(len(x) - 1, 0)))
    given = _finite_cores(cores, len(x))
    x = np.ascontiguousarray(x)
    _prim(x, x.T.copy(), given, (metric.kind, metric.exponent, float(scale)), edges)
    return Edges(edges[0].astype(np.int64), edges[1].astype(np.int64), edges[2])


def spanning_tree_of_matrix(distances: np.ndarray, cores: np.ndarray | None = None) -> Edges:
    """The same of a matrix of distances, float64, which may be infinite."""
    edges = np.empty((3, max(len(distances) - 1, 0)))
    given = _finite_cores(cores, len(distances))
    _prim_of_matrix(np.ascontiguousarray(distances), given, edges)
    edges[2, edges[2] == GREATEST] = np.inf
    return Edges(edges[0].astype(np.int64), edges[1].astype(np.int64), edges[2])


def in_steps(edges: Edges) -> Edges:
    """The edges as if each began at the sample that the step before it took in.

    Edges of equal length are merged in this order by scikit-learn and SciPy.
    """
    first = np.concatenate([np.zeros(1, np.int64), edges.second[:-1]])[: len(edges.second)]
    return edges._replace(first=first)


@njit
def _merge(first: Any, second: Any, length: Any, sorts: Any, merges: Any) -> None:
    count = len(first) + 1
    parents = np.arange(2 * count - 1)
    sizes = np.ones(2 * count - 1)
    for i in range(count - 1):
        one, other = first[i], second[i]
        while parents[one] != one:
            parents[one] = parents[parents[one]]
            one = parents[one]
        while parents[other] != other:
            parents[other] = parents[parents[other]]
            other = parents[other]
        parents[one] = count + i
        parents[other] = count + i
        sizes[count + i] = sizes[one] + sizes[other]
        merges[i, 0] = min(one, other) if sorts else one
        merges[i, 1] = max(one, other) if sorts else other
        merges[i, 2] = length[i]
        merges[i, 3] = sizes[count + i]


def merges_of(edges: Edges, order: np.ndarray, sorts: bool = False) -> np.ndarray:
    """What edges in an order merge: rows of two clusters, their distance, and how many samples.

    Clusters are numbered as in SciPy: samples first, then merges. `sorts` puts the lower first.
    """
    merges = np.empty((len(order), 4))
    _merge(edges.first[order], edges.second[order], edges.length[order], sorts, merges)
    return merges
