"""Where an embedding begins: by its graph's spectrum, by principal components, or at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from ..._arrays.ndarray import ndarray
from ..decomposition.pca import PCA
from .neighbor_graph import Graph, is_connected, sources_of

_SPREAD, _NOISE = 10.0, 1e-4
_ROUNDS, _DEGREE, _MORE = 6, 24, 6  # of the filter, and vectors beside those wanted
_FEW = 400  # samples, of which all eigenvectors are computed


@njit(parallel=True)
def _multiply(starts: Any, others: Any, weights: Any, given: Any, out: Any) -> None:
    for i in prange(out.shape[0]):
        for j in range(out.shape[1]):
            out[i, j] = 0.0
        for edge in range(starts[i], starts[i + 1]):
            weight, other = weights[edge], others[edge]
            for j in range(out.shape[1]):
                out[i, j] += weight * given[other, j]


def _filtered(graph: Graph, vectors: np.ndarray, low: float, high: float) -> np.ndarray:
    """Chebyshev's polynomial of the graph's matrix, which is small from `low` to `high`."""
    middle, half = (high + low) / 2, (high - low) / 2

    def moved(given: np.ndarray) -> np.ndarray:
        out = np.empty_like(given)
        _multiply(*graph, given, out)
        return (out - middle * given) / half

    before, now = vectors, moved(vectors)
    for _ in range(_DEGREE - 1):
        before, now = now, 2 * moved(now) - before
    return now


def spectrum(graph: Graph, count: int, random: Any) -> np.ndarray:
    """The `count` greatest eigenvectors of D^-1/2 W D^-1/2 after the first: samples x count.

    By subspace iteration with Chebyshev's filter, of Y. Zhou and others, "Self-consistent-field
    calculations using Chebyshev-filtered subspace iteration" (2006); near enough to begin with.
    """
    samples = len(graph.starts) - 1
    sources = sources_of(graph)
    degrees = np.bincount(sources, graph.weights, minlength=samples)
    scale = 1 / np.sqrt(np.maximum(degrees, np.finfo(float).tiny))
    even = graph._replace(weights=graph.weights * scale[sources] * scale[graph.others])
    if samples <= _FEW:
        dense = np.zeros((samples, samples))
        dense[sources, even.others] = even.weights
        return np.asarray(np.linalg.eigh(dense)[1][:, -2 : -2 - count : -1])
    vectors = random.standard_normal((samples, count + 1 + _MORE))
    vectors[:, 0] = np.sqrt(degrees)
    high = 0.5
    for _ in range(_ROUNDS):
        basis = np.linalg.qr(_filtered(even, vectors, -1.0, high))[0]
        image = np.empty_like(basis)
        _multiply(*even, basis, image)
        values, turned = np.linalg.eigh(basis.T @ image)
        vectors = np.ascontiguousarray(basis @ turned[:, ::-1])
        # What is below the least value of these vectors is filtered out next.
        high = float(np.clip(values[0], 0.0, 0.9999))
    return vectors[:, 1 : count + 1]


def _components(x: ndarray, count: int, random: Any) -> np.ndarray:
    most = min(count, *x.shape)
    made = np.zeros((x.shape[0], count))
    made[:, :most] = np.asarray(PCA(most, random_state=random).fit_transform(x))
    return made


def first_places(init: str, graph: Graph, x: ndarray | None, count: int, random: Any) -> np.ndarray:
    """Places within 0 and 10 along each axis: samples x count, float64.

    ``"spectral"`` of a graph with several parts, and of fewer samples than are needed, begins with
    the principal components of `x`; without `x` at random.
    """
    samples = len(graph.starts) - 1
    if init == "spectral" and samples > count + 1 and is_connected(graph):
        made = spectrum(graph, count, random)
    elif init != "random" and x is not None:
        made = _components(x, count, random)
    else:
        return np.asarray(random.uniform(0, _SPREAD, size=(samples, count)))
    greatest = np.abs(made).max()
    made = made * (_SPREAD / (greatest if greatest > 0 else 1))
    made = made + random.normal(scale=_NOISE, size=made.shape)
    low, high = made.min(axis=0), made.max(axis=0)
    return np.asarray(_SPREAD * (made - low) / np.where(high > low, high - low, 1))
