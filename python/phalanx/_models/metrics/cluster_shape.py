"""How well clusters are apart, from the samples and their labels."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.in_place import in_place
from ..._arrays.launching import read, written
from ..neighbors.distances import NAMES, Metric, apart_of, launch_over, metric_of
from ..options import generator_of
from ..validation import as_array, given_as, numbers, refuse_gaps


class _Clusters:
    """Samples, and clusters numbered from 0.

    Raises ValueError for fewer than two labels, and for as many as samples.
    """

    def __init__(self, X: Any, labels: Any) -> None:
        x = numbers(as_array(X))
        refuse_gaps(x, "X", "A metric of clusters")
        given = np.asarray(labels)
        if x.ndim != 2 or given.shape != x.shape[:1]:
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{x.shape[0]}, {given.size}]"
            )
        names, self.labels = np.unique(given, return_inverse=True)
        self.x, self.count = x, len(names)
        if not 1 < self.count < x.shape[0]:
            raise ValueError(
                f"Number of labels is {self.count}. Valid values are 2 to n_samples - 1 (inclusive)"
            )
        self.sizes = np.bincount(self.labels)

    def centers(self) -> np.ndarray:
        """The mean of each cluster, float64."""
        from ..cluster.cluster_sums import ClusterSums

        sums = ClusterSums(self.x, None, self.count)
        sums.move(px.asarray(self.labels.astype(np.int32)))
        return sums.means(np.zeros((self.count, self.x.shape[1])))

    def squares(self, centers: np.ndarray) -> np.ndarray:
        """The squared distance of each sample to the center of its cluster."""
        apart = self.x - px.asarray(centers.astype(self.x.dtype))[px.asarray(self.labels)]
        return np.asarray(px.sum(apart * apart, axis=1), np.float64)


@cache
def _mean_distances(features: int, dtype: str, metric: Metric) -> Any:
    real = np.dtype(dtype).type
    apart = apart_of(features, dtype, metric)
    root = metric.root

    @cuda.jit(fastmath={"contract"})
    def mean_distances(x: Any, labels: Any, starts: Any, within: Any, nearest: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            least = np.inf
            for c in range(starts.shape[0] - 1):
                total = 0.0
                for row in range(starts[c], starts[c + 1]):
                    sum_ = apart(own, x, row)
                    total += sum_**root if root != 1.0 else sum_
                size = starts[c + 1] - starts[c]
                if c == labels[i]:
                    within[i] = total / max(size - 1, 1)
                else:
                    least = min(least, total / size)
            nearest[i] = least

    return mean_distances


@in_place
def silhouette_samples(X: Any, labels: Any, *, metric: str = "euclidean") -> Any:
    """Return how much nearer each sample is to its own cluster than to another, in [-1, 1].

    Of P. Rousseeuw, "Silhouettes: a graphical aid" (1987); 0 for a cluster of one sample. `X` is
    samples x features, `labels` has one a sample. Distances are summed as they are found. Raises
    ValueError for fewer than 2 labels, as many as samples, NaN and infinity; NotImplementedError
    for other metrics.
    """
    if metric not in NAMES:
        raise NotImplementedError(f"metric={metric!r} is not supported, which takes {NAMES}")
    found = _Clusters(X, labels)
    order = np.argsort(found.labels, kind="stable")
    x = px.ascontiguousarray(found.x[px.asarray(order)])
    starts = np.concatenate([[0], np.cumsum(found.sizes)])
    sorted_labels = found.labels[order]
    within, nearest = (px.empty(x.shape[0], np.float64, device=x.device) for _ in range(2))
    kernel = _mean_distances(x.shape[1], x.dtype.name, metric_of(metric))
    memory = (read(px.asarray(each)) for each in (sorted_labels, starts))
    launch_over(kernel, x, *memory, written(within), written(nearest))
    own, other = np.asarray(within), np.asarray(nearest)
    with np.errstate(invalid="ignore", divide="ignore"):
        shares = np.nan_to_num((other - own) / np.maximum(own, other))
    made = np.empty_like(shares)
    made[order] = np.where(found.sizes[sorted_labels] > 1, shares, 0)
    return given_as(X, made.astype(found.x.dtype))


def silhouette_score(
    X: Any,
    labels: Any,
    *,
    metric: str = "euclidean",
    sample_size: int | None = None,
    random_state: Any = None,
) -> float:
    """Return the mean of `silhouette_samples`, of `sample_size` samples drawn, or of all.

    Raises what `silhouette_samples` raises.
    """
    given = np.asarray(labels)
    if sample_size is not None:
        rows = generator_of(random_state).permutation(len(given))[:sample_size]
        X, given = as_array(X)[rows], given[rows]
    return float(np.mean(np.asarray(silhouette_samples(X, given, metric=metric))))


@in_place
def davies_bouldin_score(X: Any, labels: Any) -> float:
    """Return the mean over clusters of the worst ratio of spreads to distance; less is better.

    Of D. Davies and D. Bouldin, "A cluster separation measure" (1979). Raises ValueError as
    `silhouette_samples` does.
    """
    found = _Clusters(X, labels)
    centers = found.centers()
    spreads = np.bincount(found.labels, np.sqrt(found.squares(centers))) / found.sizes
    return davies_bouldin_of(spreads, centers)


def davies_bouldin_of(spreads: np.ndarray, centers: np.ndarray) -> float:
    """The index of clusters with mean distances to their centers, and these."""
    apart = np.sqrt(((centers[:, None] - centers) ** 2).sum(axis=2))
    if np.allclose(spreads, 0) or np.allclose(apart, 0):
        return 0.0
    apart[apart == 0] = np.inf
    return float(np.mean(np.max((spreads[:, None] + spreads) / apart, axis=1)))


@in_place
def calinski_harabasz_score(X: Any, labels: Any) -> float:
    """Return the ratio of variance between clusters to that within; more is better.

    Of T. Calinski and J. Harabasz, "A dendrite method for cluster analysis" (1974). Raises
    ValueError as `silhouette_samples` does.
    """
    found = _Clusters(X, labels)
    centers = found.centers()
    middle = np.average(centers, axis=0, weights=found.sizes)
    between = float((found.sizes * ((centers - middle) ** 2).sum(axis=1)).sum())
    within = float(found.squares(centers).sum())
    if within == 0:
        return 1.0
    return between * (found.x.shape[0] - found.count) / (within * (found.count - 1))
