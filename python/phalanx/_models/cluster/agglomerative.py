"""Clusters that are merged, the nearest first."""

from __future__ import annotations

from collections.abc import Mapping
from heapq import heappush, heappushpop
from typing import Any, ClassVar, Self

import numpy as np

from ..base import ClusterMixin, Estimator
from ..neighbors.distances import EUCLIDEAN, MANHATTAN
from ..options import ANY, BOOL, NONE, Rule, one_of, real, whole
from ..validation import given_as, samples
from .nearest_chain import distances_of, merges_of_matrix
from .spanning_tree import in_steps, merges_of, spanning_tree, spanning_tree_of_matrix
from .units import in_units, out_of_units

_METRICS = {
    "euclidean": "euclidean",
    "l2": "euclidean",
    "manhattan": "manhattan",
    "cityblock": "manhattan",
    "l1": "manhattan",
    "cosine": "cosine",
    "precomputed": "precomputed",
}
_OF_SAMPLES = {"euclidean": EUCLIDEAN, "manhattan": MANHATTAN}


class AgglomerativeClustering(ClusterMixin, Estimator):  # type: ignore[misc]
    """Clusters out of single samples, of which the nearest two are merged again and again.

    Single linkage is a minimum spanning tree, which keeps no distances. The other linkages keep all
    distances, float64, and follow chains of nearest neighbors: see `nearest_chain` for the papers.
    The hierarchy is made on the host.

    Parameters are scikit-learn's, but for `connectivity`, which must be None, and `memory`;
    `compute_full_tree` changes nothing. `metric` is ``"euclidean"``, ``"manhattan"``, ``"cosine"``,
    scikit-learn's other names of these, or ``"precomputed"``.

    Attributes: `labels_` (int64), `children_` (merges x 2, int64), `distances_` (float64, with
    `compute_distances` or a `distance_threshold`), `n_clusters_`, `n_leaves_`,
    `n_connected_components_`, `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless
    `fit` got ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_clusters": whole(1) | NONE,
        "metric": one_of(*_METRICS).refusing("chebyshev", "minkowski", "correlation", "hamming"),
        "memory": NONE,
        "connectivity": NONE.refusing_all(ANY),
        "compute_full_tree": one_of("auto") | BOOL,
        "linkage": one_of("ward", "complete", "average", "single"),
        "distance_threshold": real(0) | NONE,
        "compute_distances": BOOL,
    }

    def __init__(
        self,
        n_clusters: int | None = 2,
        *,
        metric: str = "euclidean",
        memory: Any = None,
        connectivity: Any = None,
        compute_full_tree: Any = "auto",
        linkage: str = "ward",
        distance_threshold: float | None = None,
        compute_distances: bool = False,
    ) -> None:
        self.n_clusters = n_clusters
        self.metric = metric
        self.memory = memory
        self.connectivity = connectivity
        self.compute_full_tree = compute_full_tree
        self.linkage = linkage
        self.distance_threshold = distance_threshold
        self.compute_distances = compute_distances

    def _check_together(self) -> None:
        if (self.n_clusters is None) == (self.distance_threshold is None):
            raise ValueError(
                "Exactly one of n_clusters and distance_threshold has to be set, and the other "
                "needs to be None."
            )
        if self.distance_threshold is not None and not self.compute_full_tree:
            raise ValueError("compute_full_tree must be True if distance_threshold is set.")
        if self.linkage == "ward" and _METRICS[self.metric] != "euclidean":
            raise ValueError(
                f"{self.metric} was provided as metric. Ward can only work with euclidean "
                "distances (i.e. 'euclidean' and 'l2')."
            )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Merge samples x features, or a square matrix of distances (``"precomputed"``).

        Raises ValueError for fewer than 2 samples, for more clusters than samples, NaN and
        infinity, a matrix that is not square, samples of zeros and ``"cosine"``, and what
        `check_options` raises.
        """
        self._check_options()
        self._check_together()
        x = np.asarray(samples(self, X, fitting=True, least=2), np.float64)
        if self.n_clusters is not None and self.n_clusters > len(x):
            raise ValueError(
                f"Cannot extract more clusters than samples: {self.n_clusters} clusters were given "
                f"for a tree with {len(x)} leaves."
            )
        metric = _METRICS[self.metric]
        scaled, unit = (x, 1.0)
        if metric != "precomputed":
            scaled, unit = in_units(x, _OF_SAMPLES.get(metric, EUCLIDEAN))
        merges = _merges(scaled, metric, self.linkage)
        if metric in _OF_SAMPLES:
            merges[:, 2] = out_of_units(merges[:, 2], unit)
        children = merges[:, :2].astype(np.int64)
        if self.distance_threshold is None:
            self.n_clusters_ = int(self.n_clusters)  # type: ignore[arg-type]
        else:
            self.n_clusters_ = int((merges[:, 2] >= self.distance_threshold).sum()) + 1
        if self.distance_threshold is not None or self.compute_distances:
            self.distances_ = given_as(X, merges[:, 2].copy())
        self.children_ = given_as(X, children)
        self.n_leaves_, self.n_connected_components_ = len(x), 1
        self.labels_ = given_as(X, _cut(children, self.n_clusters_))
        return self


def _merges(x: np.ndarray, metric: str, linkage: str) -> np.ndarray:
    if metric == "cosine" and not x.any(axis=1).all():
        raise ValueError("Cosine affinity cannot be used when X contains zero vectors")
    if metric == "precomputed" and x.shape[0] != x.shape[1]:
        raise ValueError(f"Distance matrix should be square, got matrix of shape {x.shape}")
    if linkage == "single" and metric in _OF_SAMPLES:
        edges = spanning_tree(x, _OF_SAMPLES[metric])
    else:
        # Of a matrix that is not symmetric the part above the diagonal counts.
        upper = np.triu(x, 1) if metric == "precomputed" else None
        full = distances_of(x, metric) if upper is None else upper + upper.T
        if linkage != "single":
            return merges_of_matrix(full, linkage)
        edges = spanning_tree_of_matrix(full)
    order = np.argsort(edges.length, kind="stable")
    return merges_of(in_steps(edges), order, sorts=metric not in _OF_SAMPLES)


def _cut(children: np.ndarray, clusters: int) -> np.ndarray:
    """The label of each sample where the last merges are undone, numbered as scikit-learn's."""
    count = len(children) + 1
    heap = [-(2 * count - 2)]
    for _ in range(clusters - 1):
        left, right = children[-heap[0] - count].tolist()
        heappush(heap, -left)
        heappushpop(heap, -right)
    labels = np.full(2 * count - 1, -1)
    for number, node in enumerate(heap):
        labels[-node] = number
    # A merge is after what it merges: labels go down from the last.
    for node in range(2 * count - 2, count - 1, -1):
        if labels[node] >= 0:
            labels[children[node - count]] = labels[node]
    return labels[:count]
