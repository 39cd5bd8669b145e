"""How much each sample belongs to the neighborhood of another: the graph that UMAP embeds.

Of L. McInnes, J. Healy and J. Melville, "UMAP: uniform manifold approximation and projection for
dimension reduction" (2018).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph, sources_of

_STEPS, _CLOSE = 64, 1e-5  # of the search for each sample's scale
_LEAST_SCALE = 1e-3  # of the mean distance


@njit
def _nearest_of(apart: Any, place: Any) -> Any:
    """The distance at a place, with fractions, among those that are not 0; 0 if there is none."""
    first = 0
    while first < len(apart) and apart[first] <= 0:
        first += 1
    there = len(apart) - first
    if there == 0:
        return 0.0
    if there < place or place <= 0:
        return apart[len(apart) - 1] if place > 0 else 0.0
    whole = int(place)
    rest = place - whole
    if whole == 0:
        return rest * apart[first]
    made = apart[first + whole - 1]
    if rest > _CLOSE and first + whole < len(apart):
        made += rest * (apart[first + whole] - made)
    return made


@njit(parallel=True)
def _memberships(apart: Any, wanted: Any, local: Any, mean: Any, out: Any) -> None:
    """Fill exp(-(distance - nearest) / scale), with a scale for which a row's sum is as wanted."""
    for i in prange(apart.shape[0]):
        row = apart[i]
        nearest = _nearest_of(row, local)
        low, high, scale = 0.0, np.inf, 1.0
        for _ in range(_STEPS):
            total = 0.0
            for j in range(len(row)):
                step = row[j] - nearest
                total += np.exp(-step / scale) if step > 0 else 1.0
            if abs(total - wanted) < _CLOSE:
                break
            if total > wanted:
                high = scale
                scale = (low + high) / 2.0
            else:
                low = scale
                scale = scale * 2.0 if high == np.inf else (low + high) / 2.0
        around = 0.0
        for j in range(len(row)):
            around += row[j]
        around = around / (len(row) + 1.0) if nearest > 0 else mean
        scale = max(scale, _LEAST_SCALE * around)
        for j in range(len(row)):
            step = row[j] - nearest
            out[i, j] = np.exp(-step / scale) if step > 0 and scale > 0 else 1.0


def memberships(apart: np.ndarray, local: float) -> np.ndarray:
    """How much each neighbor belongs, from 0 to 1, by distances in order, samples x neighbors.

    A row's sum is the binary logarithm of the neighbors, the sample itself included; `local` of
    them belong wholly.
    """
    out = np.empty(apart.shape)
    wanted = float(np.log2(apart.shape[1] + 1))
    mean = float(apart.mean()) if apart.size else 0.0
    _memberships(np.ascontiguousarray(apart), wanted, float(local), mean, out)
    return out


def with_classes(graph: Graph, codes: np.ndarray, weight: float) -> Graph:
    """The graph where edges between other classes are less, and more so the more classes weigh.

    A code of -1 is a class that is not known. Each sample's greatest edge becomes 1 again.
    """
    far = 2.5 / (1.0 - weight) if weight < 1 else 1e12
    one, other = codes[sources_of(graph)], codes[graph.others]
    is_unknown = (one < 0) | (other < 0)
    factor = np.where(is_unknown, np.exp(-1.0), np.where(one == other, 1.0, np.exp(-far)))
    weights = graph.weights * factor
    greatest = np.maximum.reduceat(
        np.append(weights, 0.0), np.minimum(graph.starts[:-1], len(weights))
    )
    greatest[np.diff(graph.starts) == 0] = 0
    scale = np.where(greatest > 0, greatest, 1.0)
    forth, back = weights / scale[sources_of(graph)], weights / scale[graph.others]
    # The graph has each edge in both directions, with one weight.
    return graph._replace(weights=forth + back - forth * back)
