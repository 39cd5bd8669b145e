"""One step down the divergence of t-SNE: forces on places, and how far these move."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from .attraction import Divergence, pull, pull_in_plane
from .neighbor_graph import Graph


class State(NamedTuple):
    """Places, what they moved by in the step before, and a gain of each coordinate."""

    places: np.ndarray
    update: np.ndarray
    gains: np.ndarray


class Forces:
    """The gradient of the divergence, from a graph's pull and the push of all others.

    `push` is a function of places that returns their pushes and the sum of all pairs' shares.
    """

    def __init__(
        self, graph: Graph, freedom: int, push: Callable[[np.ndarray], tuple[np.ndarray, float]]
    ) -> None:
        self._graph, self._freedom, self._push = tuple(graph), freedom, push
        self._divergence = Divergence(graph, float(freedom))
        # Less to read in each step.
        self._light = (graph.starts, graph.others.astype("i4"), graph.weights.astype("f4"))

    def gradient(self, places: np.ndarray, exaggeration: float) -> tuple[np.ndarray, float]:
        """The gradient at places, and the sum of all pairs' shares."""
        if places.shape[1] == 2:
            pulled = np.empty(places.shape, np.float32)
            pull_in_plane(self._light, places.astype(np.float32), pulled)
        else:
            pulled = np.empty_like(places)
            pull(self._graph, places, float(self._freedom), pulled)
        push, total = self._push(places)
        total = max(total, float(np.finfo(np.float64).tiny))
        factor = 2.0 * (self._freedom + 1.0) / self._freedom
        gradient = np.empty_like(places)
        _combine(pulled, push, (factor * exaggeration, factor / total), gradient)
        return gradient, total

    def divergence(self, places: np.ndarray, total: float, exaggeration: float) -> float:
        """That of exaggerated affinities P' = e P: sum(e P (log P + log e - log Q))."""
        return exaggeration * float(self._divergence(places, total) + np.log(exaggeration))


@njit(parallel=True)
def _combine(pulled: Any, push: Any, factors: Any, out: Any) -> None:
    for i in prange(out.shape[0]):
        for d in range(out.shape[1]):
            out[i, d] = factors[0] * pulled[i, d] - factors[1] * push[i, d]


@njit(parallel=True)
def move(state: Any, gradient: Any, rate: Any, momentum: Any) -> None:
    """Move places down a gradient: a gain grows where the way goes on, else it shrinks."""
    places, update, gains = state
    for i in prange(places.shape[0]):
        for d in range(places.shape[1]):
            slope, before = gradient[i, d], update[i, d]
            gain = gains[i, d] + 0.2 if before * slope < 0 else gains[i, d] * 0.8
            gain = max(gain, 0.01)
            step = momentum * before - rate * gain * slope
            gains[i, d], update[i, d] = gain, step
            places[i, d] += step
