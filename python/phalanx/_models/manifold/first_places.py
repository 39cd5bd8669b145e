"""Where an embedding begins: by its graph's spectrum, by principal components, or at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange
from ..._arrays.ndarray import ndarray
from ..decomposition.pca import PCA
from .neighbor_graph import Graph, is_connected, sources_of

_SPREAD, _NOISE = 10.0, 1e-4
_ROUNDS, _DEGREE, _MORE = 6, 24, 5  # of the filter, and vectors beside those wanted
_CLOSE = 1e-3  # to an eigenvector
_LANES = 8  # vectors that are multiplied at once
_FEW = 400  # samples, of which all eigenvectors are computed


@njit(parallel=True, fastmath={"contract"})
def _filter_step(graph: Any, given: Any, before: Any, factors: Any, out: Any) -> None:
    """Fill `scale` W `given` - `shift` `given` - `past` `before`, eight vectors at a time."""
    starts, others, weights = graph
    scale, shift, past = factors
    for i in prange(out.shape[0]):
        total = np.empty(_LANES, np.float32)
        for first in range(0, out.shape[1], _LANES):
            for j in range(_LANES):
                total[j] = np.float32(0)
            for edge in range(starts[i], starts[i + 1]):
                weight, other = weights[edge], others[edge]
                for j in range(_LANES):
                    total[j] += weight * given[other, first + j]
            for j in range(_LANES):
                at = first + j
                out[i, at] = scale * total[j] - shift * given[i, at] - past * before[i, at]


def _filtered(graph: Any, vectors: np.ndarray, low: float, high: float) -> np.ndarray:
    """Chebyshev's polynomial of the graph's matrix, which is small from `low` to `high`."""
    middle, half = (high + low) / 2, (high - low) / 2
    before, now, out = vectors, np.empty_like(vectors), np.empty_like(vectors)
    _filter_step(graph, vectors, vectors, _factors(1 / half, middle / half, 0), now)
    for _ in range(_DEGREE - 1):
        _filter_step(graph, now, before, _factors(2 / half, 2 * middle / half, 1), out)
        before, now, out = now, out, before if before is not vectors else np.empty_like(out)
    return now


def _factors(*values: float) -> tuple[np.float32, ...]:
    return tuple(np.float32(each) for each in values)


def _orthonormal(vectors: np.ndarray) -> np.ndarray:
    """A basis of the same space, by the products of the vectors in pairs."""
    lengths = np.sqrt(np.einsum("ij,ij->j", vectors, vectors, dtype=np.float64))
    vectors = vectors / np.maximum(lengths, np.finfo(np.float32).tiny).astype(np.float32)
    values, turned = np.linalg.eigh(_products(vectors, vectors))
    scale = np.sqrt(np.maximum(values, 1e-10))
    return vectors @ (turned / scale).astype(np.float32)


def _products(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    return np.asarray(np.einsum("ij,ik->jk", one, other, dtype=np.float64))


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
    edges = (even.starts, even.others, even.weights.astype(np.float32))
    width = -(-(count + _MORE) // _LANES) * _LANES
    vectors = random.standard_normal((samples, width)).astype(np.float32)
    vectors[:, 0] = np.sqrt(degrees)
    high = 0.5
    for _ in range(_ROUNDS):
        basis = _orthonormal(_filtered(edges, vectors, -1.0, high))
        image = np.empty_like(basis)
        _filter_step(edges, basis, basis, _factors(1, 0, 0), image)
        values, turned = np.linalg.eigh(_products(basis, image))
        turned, values = turned[:, ::-1].astype(np.float32), values[::-1].astype(np.float32)
        vectors, image = np.ascontiguousarray(basis @ turned), image @ turned
        rest = (image - vectors * values)[:, : count + 1]
        if np.einsum("ij,ij->j", rest, rest).max() < _CLOSE**2:
            break
        # What is below the least value of these vectors is filtered out next.
        high = float(np.clip(values[-1], 0.0, 0.9999))
    return np.asarray(vectors[:, 1 : count + 1], np.float64)


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
