"""Clusters of samples that lie closer together than those around them, at any scale."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import ClusterMixin, Estimator
from ..exceptions import check_is_fitted, warn_user
from ..features import keep_features
from ..neighbors.distances import EUCLIDEAN, NAMES, Metric, metric_of, nearest_rows
from ..options import BOOL, DICT, NONE, Rule, one_of, real, whole
from ..validation import as_array, given_as, numbers, refuse_shapes
from .condensed_tree import Choice, chosen_clusters, condensed, labels_at, labels_of
from .nearest_chain import distances_of
from .spanning_tree import (
    Edges,
    in_steps,
    merges_of,
    own_distances,
    spanning_tree,
    spanning_tree_of_matrix,
)
from .units import in_units, out_of_units

_INFINITE, _MISSING = -2, -3  # labels of samples that are not finite
_OF_MATRIX = ("cosine", "precomputed")


class HDBSCAN(ClusterMixin, Estimator):  # type: ignore[misc]
    """Clusters of a hierarchy by density, of any shape and density; other samples are noise.

    Samples are as far apart as their mutual reachability says: their distance, but no less than
    that of either to its neighbor number `min_samples`. Merges along the minimum spanning tree
    make a hierarchy (`spanning_tree`), of which the most stable clusters are taken
    (`condensed_tree`, which names the papers). Distances are float64 and, unless `metric` is
    ``"cosine"``, none is kept. All but the search for neighbors is done on the host.

    Parameters are scikit-learn's; every `algorithm` gives the same result, `leaf_size`, `n_jobs`
    and `copy` change nothing; `metric_params` is None, or ``{"p": exponent}`` of ``"minkowski"``.

    Attributes: `labels_` (int64; -1 for noise, -2 for samples with infinities, -3 with NaN),
    `probabilities_` (float64), with `store_centers` `centroids_` and `medoids_`, `n_features_in_`,
    `feature_names_in_`. Arrays are NumPy's unless `fit` got ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "min_cluster_size": whole(2),
        "min_samples": whole(1) | NONE,
        "cluster_selection_epsilon": real(0),
        "max_cluster_size": whole(1) | NONE,
        "metric": one_of(*NAMES, *_OF_MATRIX).refusing("haversine", "hamming", "correlation"),
        "metric_params": NONE | DICT,
        "alpha": real(0, closed="neither"),
        "algorithm": one_of("auto", "brute", "kd_tree", "ball_tree"),
        "leaf_size": whole(1),
        "n_jobs": whole() | NONE,
        "cluster_selection_method": one_of("eom", "leaf"),
        "allow_single_cluster": BOOL,
        "store_centers": one_of("centroid", "medoid", "both") | NONE,
        "copy": BOOL | one_of("warn"),
    }

    def __init__(
        self,
        min_cluster_size: int = 5,
        min_samples: int | None = None,
        cluster_selection_epsilon: float = 0.0,
        max_cluster_size: int | None = None,
        metric: str = "euclidean",
        metric_params: Any = None,
        alpha: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 40,
        n_jobs: int | None = None,
        cluster_selection_method: str = "eom",
        allow_single_cluster: bool = False,
        store_centers: str | None = None,
        copy: Any = "warn",
    ) -> None:
        self.min_cluster_size = min_cluster_size
        self.min_samples = min_samples
        self.cluster_selection_epsilon = cluster_selection_epsilon
        self.max_cluster_size = max_cluster_size
        self.metric = metric
        self.metric_params = metric_params
        self.alpha = alpha
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.n_jobs = n_jobs
        self.cluster_selection_method = cluster_selection_method
        self.allow_single_cluster = allow_single_cluster
        self.store_centers = store_centers
        self.copy = copy

    def __sklearn_tags__(self) -> Any:
        """scikit-learn's tags: NaN is allowed but in a matrix of distances."""
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = self.metric != "precomputed"
        tags.input_tags.pairwise = self.metric == "precomputed"
        return tags

    def _check_together(self) -> None:
        if self.metric == "precomputed" and self.store_centers is not None:
            raise ValueError("Cannot store centers when using a precomputed distance matrix.")
        if self.algorithm.endswith("tree") and self.metric in _OF_MATRIX:
            raise ValueError(
                f"{self.metric} is not a valid metric for a {self.algorithm}-based algorithm. "
                "Please select a different metric."
            )
        if self.metric_params and (self.metric != "minkowski" or set(self.metric_params) != {"p"}):
            raise NotImplementedError(
                f"HDBSCAN(metric_params={self.metric_params!r}) is not supported by phalanx.ml, "
                "which takes {'p': exponent} of 'minkowski'; use scikit-learn's HDBSCAN for it"
            )

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the clusters of samples x features, or of a square matrix of distances.

        Samples with NaN or infinities are left out. Raises ValueError for fewer samples than
        `min_samples`, or than 2, for distances that are NaN or not symmetric, and what
        `check_options` raises. Warns (UserWarning) where infinite distances part the samples.
        """
        self._check_options()
        self._check_together()
        x = _any_numbers(self, X)
        if self.metric == "precomputed":
            self._finite = np.ones(len(x), bool)
            _refuse_matrix(x)
        else:
            self._finite = np.isfinite(x).all(axis=1)
        kept = x[self._finite]
        least = self.min_cluster_size if self.min_samples is None else self.min_samples
        _refuse_few(len(kept), least)
        self._merges = self._hierarchy(kept, least)
        self._without = np.where(np.isnan(_sums(x)), _MISSING, _INFINITE)[~self._finite]
        most = len(kept) + 1 if self.max_cluster_size is None else self.max_cluster_size
        choice = Choice(
            self.cluster_selection_method,
            bool(self.allow_single_cluster),
            float(self.cluster_selection_epsilon),
            float(most),
        )
        tree = condensed(self._merges, self.min_cluster_size)
        labels, sure = labels_of(tree, chosen_clusters(tree, choice), choice)
        self.labels_ = given_as(X, self._of_all(labels))
        everything = np.where(np.asarray(self.labels_) == _MISSING, np.nan, 0.0)
        everything[self._finite] = sure
        self.probabilities_ = given_as(X, everything)
        if self.store_centers is not None:
            self._keep_centers(X, kept, labels, sure)
        return self

    def _metric(self) -> Metric:
        return metric_of(self.metric, (self.metric_params or {}).get("p", 2))

    def _hierarchy(self, x: np.ndarray, least: int) -> np.ndarray:
        """The merges along the tree of mutual reachability."""
        if self.metric not in _OF_MATRIX:
            metric = self._metric()
            x, unit = in_units(x, metric)
            near = nearest_rows(px.asarray(x), px.asarray(x), least, metric)[1][:, -1]
            cores = own_distances(x, np.asarray(near), metric)
            edges = spanning_tree(x, metric, cores, self.alpha)
            return _merged(edges._replace(length=out_of_units(edges.length, unit)))
        precomputed = self.metric == "precomputed"
        matrix = x if precomputed else distances_of(in_units(x, EUCLIDEAN)[0], self.metric)
        matrix = matrix / self.alpha
        cores = np.partition(matrix, least - 1, axis=1)[:, least - 1]
        edges = in_steps(spanning_tree_of_matrix(matrix, cores))
        if np.isinf(edges.length).any():
            warn_user(
                "The minimum spanning tree contains edge weights with value infinity. Potentially, "
                "you are missing too many distances in the initial distance matrix for the given "
                "neighborhood size."
            )
        return _merged(edges)

    def _of_all(self, labels: np.ndarray) -> np.ndarray:
        """The labels of all samples, where only finite ones have them."""
        made = np.empty(len(self._finite), np.int64)
        made[self._finite] = labels
        made[~self._finite] = self._without
        return made

    def _keep_centers(self, X: Any, x: np.ndarray, labels: np.ndarray, sure: np.ndarray) -> None:
        rows = [np.flatnonzero(labels == label) for label in range(labels.max(initial=-1) + 1)]
        if self.store_centers != "medoid":
            means = [np.average(x[each], weights=sure[each], axis=0) for each in rows]
            self.centroids_ = given_as(X, np.array(means).reshape(-1, x.shape[1]))
        if self.store_centers != "centroid":
            found = [self._medoid(x[each], sure[each]) for each in rows]
            self.medoids_ = given_as(X, np.array(found).reshape(-1, x.shape[1]))

    def _medoid(self, x: np.ndarray, sure: np.ndarray) -> np.ndarray:
        """The sample that is least far from the others, by their weights and its own."""
        from ..metrics.pairwise import pairwise_distances

        p = (self.metric_params or {}).get("p", 2)
        apart = np.asarray(pairwise_distances(x, metric=self.metric, p=p))
        return np.asarray(x[np.argmin((apart * sure).sum(axis=1))])

    def fit_predict(self, X: Any, y: Any = None) -> Any:
        """Fit, and return the label of each sample."""
        return self.fit(X).labels_

    def dbscan_clustering(self, cut_distance: float, min_cluster_size: int = 5) -> Any:
        """Return the labels that one distance for all clusters gives, as DBSCAN without borders.

        Parts of fewer than `min_cluster_size` samples are noise. Raises NotFittedError.
        """
        check_is_fitted(self)
        return self._of_all(labels_at(self._merges, cut_distance, min_cluster_size))


def _any_numbers(estimator: Any, X: Any) -> np.ndarray:
    """Samples x features, float64 on the host, in which NaN and infinities may be."""
    values = as_array(X)
    refuse_shapes(values, estimator)
    made = numbers(values, (np.dtype(np.float64),))
    keep_features(estimator, X, made.shape[1])
    return np.asarray(made)


def _sums(x: np.ndarray) -> np.ndarray:
    with np.errstate(invalid="ignore"):
        return np.asarray(x.sum(axis=1))


def _merged(edges: Edges) -> np.ndarray:
    return merges_of(edges, np.argsort(edges.length))


def _refuse_few(count: int, least: int) -> None:
    if count < 2:
        raise ValueError(
            f"n_samples={count} while HDBSCAN requires more than one sample, finite ones"
        )
    if least > count:
        raise ValueError(
            f"min_samples ({least}) must be at most the number of samples in X ({count})"
        )


def _refuse_matrix(matrix: np.ndarray) -> None:
    if np.isnan(matrix).any():
        raise ValueError("np.nan values found in precomputed-dense")
    if matrix.shape[0] != matrix.shape[1] or not np.allclose(matrix, matrix.T):
        raise ValueError(
            "The precomputed distance matrix is expected to be symmetric, however it has shape "
            f"{matrix.shape}, or its values appear to be asymmetric. Please verify that the "
            "distance matrix was constructed correctly."
        )
