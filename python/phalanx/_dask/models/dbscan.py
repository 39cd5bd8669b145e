"""DBSCAN over workers: each has all samples, and looks around a share of them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Self

import dask
import dask.array as da
import numpy as np

from ..._models.blocks.source import Block
from ..._models.cluster import dbscan
from ..._models.neighbors.distances import Metric, metric_of
from ..._models.neighbors.ranges import in_range
from ..._models.validation import given_as
from .blocks import Blocks, joined, shares_of
from .results import OverBlocks


class _Samples(NamedTuple):
    """All samples in tiles, as they were, and their weights."""

    near: dbscan.Near
    x: np.ndarray
    weight: np.ndarray


def _samples_of(blocks: list[Block | None], reach: float, metric: Metric) -> _Samples:
    block = joined(blocks)
    assert block is not None
    (x,), factor = in_range(metric.power, block.x)
    weight = np.ones(x.shape[0]) if block.weight is None else np.asarray(block.weight, np.float64)
    return _Samples(dbscan.Near(x, reach * factor, metric), np.asarray(block.x), weight)


def _weight_around(samples: _Samples, tiles: range) -> np.ndarray:
    return samples.near.weight_around(samples.weight[samples.near.order], tiles)


def _least_around(samples: _Samples, tiles: range, labels: np.ndarray) -> np.ndarray:
    return samples.near.least_around(labels, tiles)


def _order_and_tiles(samples: _Samples) -> tuple[np.ndarray, range]:
    return samples.near.order, samples.near.tiles


def _rows(samples: _Samples, numbers: np.ndarray) -> np.ndarray:
    return np.asarray(samples.x[numbers])


class _Shared:
    """Samples that are on all workers, each of which looks around those of some tiles."""

    def __init__(self, samples: Any) -> None:
        (self._samples,) = dask.persist(samples)  # a worker gets them with its first task
        self.order, tiles = dask.delayed(_order_and_tiles, pure=False)(self._samples).compute()
        self._shares = [range(each[0], each[-1] + 1) for each in shares_of(list(tiles), len(tiles))]

    def _all(self, function: Callable[..., Any], *arguments: Any) -> np.ndarray:
        run = dask.delayed(function, pure=False)
        given = [dask.delayed(each, pure=False, traverse=False) for each in arguments]
        parts = dask.compute(*[run(self._samples, tiles, *given) for tiles in self._shares])
        return np.concatenate(parts)

    def weight_around(self) -> np.ndarray:
        """The weight of all samples within reach of each."""
        return self._all(_weight_around)

    def least_around(self, labels: np.ndarray) -> np.ndarray:
        """The least label of all samples within reach of each."""
        return self._all(_least_around, labels)

    def rows(self, numbers: np.ndarray) -> np.ndarray:
        """Some of the samples, as they were."""
        take = dask.delayed(_rows, pure=False)
        return np.asarray(take(self._samples, numbers).compute())


class DBSCAN(OverBlocks, dbscan.DBSCAN):
    """`phalanx.ml.DBSCAN` over arrays and frames of Dask's.

    As cuML's: all samples go to each worker, which looks around a share of them; labels of core
    samples go back and forth until none changes. `labels_` is an array of Dask's, `components_` and
    `core_sample_indices_` are NumPy's.
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        blocks = Blocks(self, X, None, sample_weight)
        lengths = blocks.lengths()
        metric = metric_of(self.metric, self.p)
        join = dask.delayed(_samples_of, pure=False)
        found = _Shared(join(blocks.filled(), self.eps, metric))
        is_core = found.weight_around() >= self.min_samples
        labels = np.empty(len(found.order), np.int64)
        labels[found.order] = dbscan.labels_by(found, is_core)
        self.core_sample_indices_ = np.sort(found.order[is_core])
        self.components_ = found.rows(self.core_sample_indices_)
        made = given_as(X._meta, labels)
        self.labels_ = da.from_array(made, chunks=(tuple(lengths),))
        return self

    def fit_predict(self, X: Any, y: Any = None, sample_weight: Any = None) -> Any:
        """Fit, and return the label of each sample, an array of Dask's."""
        return self.fit(X, sample_weight=sample_weight).labels_
