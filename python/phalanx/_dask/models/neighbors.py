"""The nearest of samples in blocks: the nearest of each block, merged."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple, Self

import dask
import numpy as np
from dask.base import is_dask_collection

from ..._models.blocks.moments import moments_of
from ..._models.blocks.neighbors import near_in, nearest_of
from ..._models.blocks.source import Block
from ..._models.exceptions import check_is_fitted
from ..._models.neighbors import supervised, unsupervised
from ..._models.neighbors.distances import Metric, metric_of
from ..._models.validation import given_as, samples
from .blocks import Blocks, delayed_rows
from .results import together


def _near(block: Block | None, first: int, queries: Any, count: int, metric: Metric) -> Any:
    """The nearest samples of a block, and their rows among all samples."""
    if block is None or len(queries) == 0:
        return None
    return near_in(block.x, first, queries, count, metric)


def _checked(model: Any, queries: Any) -> Any:
    return queries if len(queries) == 0 else samples(model, queries)


class _Kept(NamedTuple):
    """Samples that stay in their blocks."""

    shape: tuple[int, int]


class _OverBlocks(unsupervised.Neighbors):
    """Samples in blocks, and their distances to others."""

    def _keep(self, X: Any) -> _Kept:
        self._check_options()
        self._blocks = Blocks(self, X)
        self._dtype = moments_of(self._blocks).dtype
        counts = self._blocks.lengths()
        self._firsts = [0, *np.cumsum(counts).tolist()]
        self.n_samples_fit_ = self._firsts[-1]
        is_plain = self._metric() == metric_of("l2")
        self.effective_metric_ = "euclidean" if is_plain else self.metric
        self.effective_metric_params_: dict[str, Any] = {}
        return _Kept((self.n_samples_fit_, self.n_features_in_))

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Return distances to the nearest samples and their rows, both samples x neighbors.

        Raises ValueError for more neighbors than samples, and NotImplementedError without `X`.
        """
        check_is_fitted(self)
        if X is None:
            raise NotImplementedError(
                "kneighbors() without X is not supported by phalanx.ml.dask: give the samples"
            )
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        unsupervised._refuse_count(count, self.n_samples_fit_, False)
        alone = unsupervised.NearestNeighbors()
        kept = ("n_features_in_", "feature_names_in_")
        alone.__dict__.update({k: v for k, v in vars(self).items() if k in kept})
        alone.n_samples_fit_ = self.n_samples_fit_
        check = functools.partial(_checked, alone)
        queries = delayed_rows(X) if is_dask_collection(X) else [dask.delayed(X, traverse=False)]
        near, merge = dask.delayed(_near, pure=False), dask.delayed(nearest_of, pure=False)
        tasks = []
        for each in queries:
            own = dask.delayed(check, pure=False)(each)
            pairs = zip(self._blocks.parts, self._firsts, strict=False)
            parts = [near(block, first, own, count, self._metric()) for block, first in pairs]
            tasks.append(merge(count, parts))
        found = dask.compute(*tasks)
        distances = np.concatenate([each for each, _ in found]).astype(self._dtype, copy=False)
        rows = np.concatenate([each for _, each in found])
        given = None if is_dask_collection(X) else X
        made = given_as(given, distances), given_as(given, rows)
        return made if return_distance else made[1]

    def radius_neighbors(self, *arguments: Any, **options: Any) -> Any:
        """Raise NotImplementedError: rows within a radius are those of one process."""
        raise NotImplementedError(
            "radius_neighbors is not supported by phalanx.ml.dask; phalanx.ml.NearestNeighbors "
            "has it"
        )


class NearestNeighbors(_OverBlocks, unsupervised.NearestNeighbors):
    """`phalanx.ml.NearestNeighbors` over arrays and frames of Dask's.

    Each block of samples is compared with each block of queries by a task of its own. Results are
    computed: NumPy's arrays, or ours for queries of ours.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep the samples where they are. Raises TypeError for what is not Dask's."""
        self._keep(X)
        return self


class _Predictor(_OverBlocks):
    """Predictors, whose targets are brought to this process."""

    def fit(self, X: Any, y: Any) -> Self:
        """Keep the samples where they are. Raises TypeError for what is not Dask's."""
        return super().fit(X, *together(y))  # type: ignore[no-any-return]

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the model's score of samples, targets and weights: Dask's collections or others.

        Raises ValueError for other lengths.
        """
        true, weight = together(y, sample_weight)
        return float(super().score(X, true, weight))


class KNeighborsClassifier(_Predictor, supervised.KNeighborsClassifier):
    """`phalanx.ml.KNeighborsClassifier` over arrays and frames of Dask's.

    Neighbors are found as by `NearestNeighbors`; predictions are computed, NumPy's arrays or ours.
    """


class KNeighborsRegressor(_Predictor, supervised.KNeighborsRegressor):
    """`phalanx.ml.KNeighborsRegressor` over arrays and frames of Dask's.

    Neighbors are found as by `NearestNeighbors`; predictions are computed, NumPy's arrays or ours.
    """
