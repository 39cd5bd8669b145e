"""What pulls places of an embedding together in t-SNE, and how near to its aim it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange


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


@njit(parallel=True)
def pull_in_plane(graph: Any, places: Any, out: Any) -> None:
    """The same in two dimensions."""
    starts, others, weights = graph
    for i in prange(places.shape[0]):
        x, y = places[i, 0], places[i, 1]
        pull_x, pull_y = 0.0, 0.0
        for edge in range(starts[i], starts[i + 1]):
            other = others[edge]
            step_x, step_y = x - places[other, 0], y - places[other, 1]
            near = weights[edge] / (1.0 + step_x * step_x + step_y * step_y)
            pull_x += near * step_x
            pull_y += near * step_y
        out[i, 0] = pull_x
        out[i, 1] = pull_y


@njit(parallel=True)
def divergences(graph: Any, places: Any, freedom: Any, total: Any, out: Any) -> None:
    """Each sample's part of the divergence of the embedding's affinities from the samples'."""
    starts, others, weights = graph
    for i in prange(places.shape[0]):
        found = 0.0
        for edge in range(starts[i], starts[i + 1]):
            square = 0.0
            for d in range(places.shape[1]):
                step = places[i, d] - places[others[edge], d]
                square += step * step
            share = (1.0 + square / freedom) ** (-(freedom + 1.0) / 2.0) / total
            found += weights[edge] * np.log(max(weights[edge], 2.2e-16) / max(share, 2.2e-16))
        out[i] = found
