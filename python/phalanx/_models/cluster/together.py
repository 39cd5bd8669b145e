"""k-means of several numbers of clusters at once: each step reads the samples once for all."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import read, written
from ..._arrays.ndarray import ndarray
from ..features import keep_features
from ..neighbors.distances import MOST_FEATURES, launch_over
from .cluster_sums import ClusterSums
from .distance_kernels import nearest, own_squares
from .kmeans import Data, KMeans, Run, better
from .seeding import plus_plus


@cache
def _nearest_of_each(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type
    largest = np.finfo(dtype).max

    @cuda.jit(fastmath={"contract"})
    def nearest_of_each(x: Any, centers: Any, halves: Any, starts: Any, labels: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            for model in range(starts.shape[0] - 1):
                best = real(largest)
                label = 0
                for c in range(starts[model], starts[model + 1]):
                    apart = halves[c]
                    for j in range(features):
                        apart -= own[j] * centers[c, j]
                    if apart < best:
                        best = apart
                        label = c - starts[model]
                labels[model, i] = label

    return nearest_of_each


@cache
def _squares_of_each(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type

    @cuda.jit(fastmath={"contract"})
    def squares_of_each(x: Any, centers: Any, starts: Any, labels: Any, out: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            for model in range(starts.shape[0] - 1):
                center = starts[model] + labels[model, i]
                total = real(0)
                for j in range(features):
                    apart = own[j] - centers[center, j]
                    total += apart * apart
                out[model, i] = total

    return squares_of_each


def _starts(centers: list[np.ndarray]) -> np.ndarray:
    return np.cumsum([0, *map(len, centers)])


def labels_of_each(x: ndarray, centers: list[np.ndarray]) -> list[ndarray]:
    """Of each model the number of each sample's nearest center, int32; see `nearest`."""
    if x.shape[1] > MOST_FEATURES:
        return [nearest(x, px.asarray(each)) for each in centers]
    together: ndarray = px.asarray(np.concatenate(centers))
    halves = (px.sum(together * together, axis=1) / 2).astype(x.dtype)
    labels = px.empty((len(centers), x.shape[0]), np.int32, device=x.device)
    memory = (read(each) for each in (together, halves, px.asarray(_starts(centers))))
    launch_over(_nearest_of_each(x.shape[1], x.dtype.name), x, *memory, written(labels))
    return list(labels)


def squares_of_each(x: ndarray, centers: list[np.ndarray], labels: list[ndarray]) -> np.ndarray:
    """Of each model the squared distance of each sample to its center: models x samples."""
    if x.shape[1] > MOST_FEATURES:
        pairs = zip(centers, labels, strict=True)
        return np.stack([np.asarray(own_squares(x, px.asarray(one), two)) for one, two in pairs])
    out = px.empty((len(centers), x.shape[0]), x.dtype, device=x.device)
    given = (px.asarray(np.concatenate(centers)), px.asarray(_starts(centers)), px.stack(labels))
    memory = (read(each) for each in given)
    launch_over(_squares_of_each(x.shape[1], x.dtype.name), x, *memory, written(out))
    return np.asarray(out)


def _first_centers(models: list[KMeans], data: Data, random: Any) -> list[np.ndarray]:
    """Centers to begin with; those of k-means++ are the first of one draw for all models."""
    inits = {model.init if isinstance(model.init, str) else None for model in models}
    if inits != {"k-means++"}:
        return [model._first_centers(data, random) for model in models]
    most = max(model.n_clusters for model in models)
    drawn = np.asarray(plus_plus(data.moved, data.weight, most, random))
    return [drawn[: model.n_clusters].copy() for model in models]


def run_together(
    models: list[KMeans], data: Data, random: Any, tolerances: list[float]
) -> list[Run]:
    """A run of each model; a step is made for all those that have not converged."""
    centers = _first_centers(models, data, random)
    sums = [ClusterSums(data.x, data.weight, each.n_clusters, data.middle) for each in models]
    steps = [0] * len(models)
    running = list(range(len(models)))
    while running:
        found = labels_of_each(data.moved, [centers[each] for each in running])
        left = []
        for each, labels in zip(running, found, strict=True):
            steps[each] += 1
            has_moved = sums[each].move(px.ascontiguousarray(labels))
            before, centers[each] = centers[each], sums[each].means(centers[each])
            moved = float(((centers[each] - before).astype(np.float64) ** 2).sum())
            is_last = not has_moved or moved <= tolerances[each]
            if not is_last and steps[each] < models[each].max_iter:
                left.append(each)
        running = left
    last = labels_of_each(data.moved, centers)
    squares = squares_of_each(data.moved, centers, last)
    weight = None if data.weight is None else np.asarray(data.weight)
    weighted = squares if weight is None else squares * weight
    inertias = weighted.sum(axis=1, dtype=np.float64)
    return [
        Run(px.ascontiguousarray(last[each]), float(inertias[each]), centers[each], steps[each])
        for each in range(len(models))
    ]


def fit_together(models: list[KMeans], X: Any, random: Any) -> None:
    """Fit models that differ by their number of clusters. Raises what `KMeans.fit` raises."""
    for model in models:
        model._check_options()
    # The one with most clusters tells if there are samples enough.
    data = max(models, key=lambda model: model.n_clusters)._data(X, None)
    tolerances = [models[0]._tolerance(data)] * len(models)
    best = run_together(models, data, random, tolerances)
    for _ in range(1, models[0]._runs()):
        runs = run_together(models, data, random, tolerances)
        best = [better(one, other) for one, other in zip(best, runs, strict=True)]
    middle = np.asarray(data.middle)
    for model, run in zip(models, best, strict=True):
        keep_features(model, X, data.x.shape[1])
        model._keep(X, run, middle)
