"""Clusters of samples that lie close together."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar, Protocol, Self

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray
from ..base import ClusterMixin, Estimator
from ..neighbors.distances import Metric, apart_of, metric_of
from ..neighbors.metric_rules import METRIC, METRIC_PARAMS
from ..neighbors.ranges import in_range
from ..neighbors.tiles import TILE, gap_of, tile_order
from ..options import NONE, Rule, one_of, real, whole
from ..validation import given_as, samples, weights

_NONE = np.iinfo(np.int32).max  # the cluster of a sample that has none


@cache
def _weight_around(features: int, dtype: str, metric: Metric) -> Any:
    real_type = np.dtype(dtype).type
    apart, gap = apart_of(features, dtype, metric), gap_of(features, dtype, metric)

    @cuda.jit(fastmath={"contract"})
    def weight_around(first: Any, x: Any, bounds: Any, most: Any, weight: Any, out: Any) -> None:
        own = cuda.local.array(features, real_type)
        tile = first + cuda.blockIdx.x
        i = tile * TILE + cuda.threadIdx.x
        if i < x.shape[0]:
            for j in range(features):
                own[j] = x[i, j]
            total = 0.0
            for other in range(bounds.shape[1]):
                if gap(bounds, tile, other) <= most:
                    for row in range(other * TILE, min((other + 1) * TILE, x.shape[0])):
                        if apart(own, x, row) <= most:
                            total += weight[row]
            out[i] = total

    return weight_around


@cache
def _least_around(features: int, dtype: str, metric: Metric) -> Any:
    real_type = np.dtype(dtype).type
    apart, gap = apart_of(features, dtype, metric), gap_of(features, dtype, metric)

    @cuda.jit(fastmath={"contract"})
    def least_around(
        first: Any, x: Any, bounds: Any, most: Any, labels: Any, extremes: Any
    ) -> None:
        own = cuda.local.array(features, real_type)
        tile = first + cuda.blockIdx.x
        i = tile * TILE + cuda.threadIdx.x
        if i < x.shape[0]:
            for j in range(features):
                own[j] = x[i, j]
            least = labels[0, i]
            for other in range(bounds.shape[1]):
                # Most tiles have no label that is less than one of these.
                if extremes[0, other] < extremes[1, tile] and gap(bounds, tile, other) <= most:
                    for row in range(other * TILE, min((other + 1) * TILE, x.shape[0])):
                        if labels[0, row] < least and apart(own, x, row) <= most:
                            least = labels[0, row]
            labels[1, i] = least  # beside those that there were

    return least_around


class Near:
    """Samples in tiles, so that those within reach of each are in few other tiles."""

    def __init__(self, x: ndarray, reach: float, metric: Metric) -> None:
        self.order = tile_order(np.asarray(x))
        self._x = px.ascontiguousarray(x[px.asarray(self.order)])
        values = np.asarray(self._x)
        self._starts = np.arange(0, len(values), TILE)
        self._bounds = px.asarray(self._extremes(values))
        self._most = x.dtype.type(metric.begun(reach))
        self._kind = (x.shape[1], x.dtype.name, metric)

    def _extremes(self, values: np.ndarray) -> np.ndarray:
        """The least and the greatest values of each tile: 2 x tiles, and features."""
        return np.stack([each.reduceat(values, self._starts) for each in (np.minimum, np.maximum)])

    @property
    def tiles(self) -> range:
        """The numbers of all tiles."""
        return range(len(self._starts))

    def _run(self, kernel: Any, tiles: range, *given: Any) -> slice:
        """Run a kernel over some tiles; their samples are returned."""
        arrays = (read(each) for each in (self._x, self._bounds))
        place = (len(tiles), TILE, self._x._device)
        launch_alone(kernel(*self._kind), *place, np.int64(tiles.start), *arrays, *given)
        return slice(tiles.start * TILE, tiles.stop * TILE)

    def weight_around(self, weight: np.ndarray, tiles: range | None = None) -> np.ndarray:
        """The weight of all samples within reach of each, of some tiles or of all."""
        tiles = self.tiles if tiles is None else tiles
        out, given = px.empty(len(weight)), (self._most, read(px.asarray(weight)))
        rows = self._run(_weight_around, tiles, *given, written(out))
        return np.asarray(out)[rows]

    def least_around(self, labels: np.ndarray, tiles: range | None = None) -> np.ndarray:
        """The least label of all samples within reach of each, of some tiles or of all."""
        tiles = self.tiles if tiles is None else tiles
        table = px.asarray(np.stack([labels, labels]))
        given = (self._most, written(table), read(px.asarray(self._extremes(labels))))
        rows = self._run(_least_around, tiles, *given)
        return np.asarray(table)[1, rows]


class Looking(Protocol):
    """Samples in an order, and the least label around each: `Near`, or one share a worker."""

    order: np.ndarray

    def least_around(self, labels: np.ndarray) -> np.ndarray:
        """The least label of all samples within reach of each."""
        raise NotImplementedError


class DBSCAN(ClusterMixin, Estimator):  # type: ignore[misc]
    """Clusters of core samples, which have much weight within `eps`, and what is near to these.

    Of M. Ester and others, "A density-based algorithm for discovering clusters" (1996). Samples are
    put in tiles of near ones, and compared with those of tiles within reach; core samples that
    reach each other take the least of their labels until none changes. No list of neighbors is
    kept.

    Parameters are scikit-learn's; `algorithm`, `leaf_size` and `n_jobs` change nothing. Attributes:
    `labels_` (int64, one a sample; -1 for none), `core_sample_indices_`, `components_` (the core
    samples), `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless `fit` got ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "eps": real(0, closed="right"),
        "min_samples": whole(1),
        "metric": METRIC,
        "metric_params": METRIC_PARAMS,
        "algorithm": one_of("auto", "ball_tree", "kd_tree", "brute"),
        "leaf_size": whole(1),
        "p": real(0, closed="right") | NONE,
        "n_jobs": whole() | NONE,
    }

    def __init__(
        self,
        eps: float = 0.5,
        *,
        min_samples: int = 5,
        metric: str = "euclidean",
        metric_params: Any = None,
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.eps = eps
        self.min_samples = min_samples
        self.metric = metric
        self.metric_params = metric_params
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters of samples x features; float32 stays, other numbers become float64.

        Raises ValueError for NaN and infinity, negative weights, and what `check_options` raises.
        """
        self._check_options()
        x = samples(self, X, fitting=True)
        weight = weights(sample_weight, x)
        metric = metric_of(self.metric, self.p)
        (near,), factor = in_range(metric.power, x)
        found = Near(near, self.eps * factor, metric)
        given = np.ones(x.shape[0]) if weight is None else np.asarray(weight, np.float64)
        is_core = found.weight_around(given[found.order]) >= self.min_samples
        labels = np.empty(x.shape[0], np.int32)
        labels[found.order] = labels_by(found, is_core)
        cores = np.sort(found.order[is_core])
        self.core_sample_indices_ = given_as(X, cores)
        self.components_ = given_as(X, x[px.asarray(cores)])
        self.labels_ = given_as(X, labels.astype(np.int64))
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and return the label of each sample."""
        return self.fit(X, sample_weight=sample_weight).labels_


def labels_by(found: Looking, is_core: np.ndarray) -> np.ndarray:
    """The label of each sample in order: clusters are numbered by their first core samples."""
    order = found.order.astype(np.int32)
    where = np.empty_like(order)
    where[order] = np.arange(len(order), dtype=np.int32)
    roots = np.where(is_core, order, _NONE)
    while True:
        made = np.where(is_core, found.least_around(roots), _NONE)
        if (made == roots).all():
            break
        # A sample's root has another by now: that is followed, too.
        followed = made[where[made[is_core]]]
        made[is_core] = np.minimum(made[is_core], followed)
        roots = made
    numbers = np.unique(roots[is_core], return_inverse=True)[1]
    labels = np.full(len(order), _NONE, np.int32)
    labels[is_core] = numbers
    around = found.least_around(labels)
    labels = np.where(is_core, labels, around)
    return np.where(labels == _NONE, -1, labels)
