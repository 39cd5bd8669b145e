"""What pulls places of an embedding together in t-SNE, and how near to its aim it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from .neighbor_graph import Graph


@njit(parallel=True)
def pull(graph: Any, places: Any, freedom: Any, out: Any) -> None:
    """The pull of each place toward its neighbors, by their weights."""
    starts, others, weights = graph
    for i in prange(places.shape[0]):
        for d in range(places.shape[1]):
            out[i, d] = 0.0
        for edge in range(starts[i], starts[i + 1]):
            other = others[edge]
            square = 0.0
            for d in range(places.shape[1]):
                step = places[i, d] - places[other, d]
                square += step * step
            near = weights[edge] / (1.0 + square / freedom)
            for d in range(places.shape[1]):
                out[i, d] += near * (places[i, d] - places[other, d])


@njit(parallel=True, fastmath={"contract", "reassoc", "arcp"})
def pull_in_plane(graph: Any, places: Any, out: Any) -> None:
    """The same in two dimensions, of places and weights in float32."""
    starts, others, weights = graph
    one = np.float32(1)
    for i in prange(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        pull_x, pull_y = np.float32(0), np.float32(0)
        for edge in range(starts[i], starts[i + 1]):
            other = others[edge]
            step_x, step_y = x - places[other, 0], y - places[other, 1]
            near = weights[edge] / (one + step_x * step_x + step_y * step_y)
            pull_x += near * step_x
            pull_y += near * step_y
        out[i, 0] = pull_x
        out[i, 1] = pull_y


@njit(parallel=True)
def _lacking(graph: Any, places: Any, freedom: Any, out: Any) -> None:
    """Of each sample the sum of weights times logarithms of 1 + d^2 / freedom."""
    starts, others, weights = graph
    for i in prange(places.shape[0]):
        found = 0.0
        for edge in range(starts[i], starts[i + 1]):
            square = 0.0
            for d in range(places.shape[1]):
                step = places[i, d] - places[others[edge], d]
                square += step * step
            found += weights[edge] * np.log(1.0 + square / freedom)
        out[i] = found


class Divergence:
    """Kullback's and Leibler's divergence of an embedding's affinities from those of a graph.

    The graph's own part is summed up once.
    """

    def __init__(self, graph: Graph, freedom: float) -> None:
        self._graph, self._freedom = graph, freedom
        weights = graph.weights[graph.weights > 0]
        self._own, self._whole = float((weights * np.log(weights)).sum()), float(weights.sum())

    def __call__(self, places: np.ndarray, total: float) -> float:
        """The divergence at places whose pairs' shares have a sum of `total`."""
        found = np.empty(len(places))
        _lacking(tuple(self._graph), places, self._freedom, found)
        logs = (self._freedom + 1) / 2 * float(found.sum()) + self._whole * float(np.log(total))
        return self._own + logs
