"""The nearest samples of samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..._arrays.ndarray import ndarray
from ..base import Estimator
from ..exceptions import check_is_fitted
from ..frames_given import is_spread
from ..options import NONE, Rule, one_of, real, whole
from ..validation import given_as, is_ours, samples
from .distances import (
    Metric,
    all_sums,
    metric_of,
    nearest_rows,
    part_rows,
    parts_of,
    without_self,
)
from .metric_rules import METRIC, METRIC_PARAMS
from .ranges import in_range

RULES: Mapping[str, Rule] = {
    "n_neighbors": whole(1),
    "algorithm": one_of("auto", "ball_tree", "kd_tree", "brute"),
    "leaf_size": whole(1),
    "metric": METRIC,
    "p": real(0, closed="right") | NONE,
    "metric_params": METRIC_PARAMS,
    "n_jobs": whole() | NONE,
}


def _over() -> Any:
    """What samples on several devices need, which is imported when somebody has such."""
    from ..blocks import neighbors

    return neighbors


class Neighbors(Estimator):
    """Samples that are kept, and their distances to others; spread ones on all their devices."""

    _fits_spread: ClassVar[bool] = True
    n_neighbors: int
    metric: str
    p: float
    _fit_X: Any  # an array of ours, or a spread one

    def _keep(self, X: Any) -> Any:
        """Check parameters and samples, and keep these."""
        self._check_options()
        x = _over().kept(self, X) if is_spread(X) else samples(self, X, fitting=True)
        self._fit_X = x
        self._gives_ours = is_ours(X)
        self.n_samples_fit_ = x.shape[0]
        self.effective_metric_ = "euclidean" if self._metric() == metric_of("l2") else self.metric
        self.effective_metric_params_: dict[str, Any] = {}
        return x

    def _metric(self) -> Metric:
        return metric_of(self.metric, self.p)

    def kneighbors(
        self, X: Any = None, n_neighbors: int | None = None, return_distance: bool = True
    ) -> Any:
        """Return distances to the nearest samples, and their rows: both samples x neighbors.

        Without `X`, of the samples of `fit`, which are no neighbors of themselves. Distances have
        the dtype of the samples, rows are int64. Raises ValueError for more neighbors than samples,
        TypeError for a number that is no int, NotFittedError before `fit`.
        """
        check_is_fitted(self)
        count = self.n_neighbors if n_neighbors is None else n_neighbors
        own = X is None
        _refuse_count(count, self.n_samples_fit_, own)
        x = self._fit_X if own else samples(self, X).astype(self._fit_X.dtype)
        near = self._nearest(x, count + own)
        distances, rows = without_self(*map(np.asarray, near)) if own else near
        # Without samples the result is of the kind that `fit` got.
        if own and is_spread(x):
            made = _over().like(x, distances), _over().like(x, rows)
            return made if return_distance else made[1]
        given = (self._fit_X if self._gives_ours else None) if own else X
        made = given_as(given, distances), given_as(given, rows)
        return made if return_distance else made[1]

    def _nearest(self, x: Any, count: int) -> Any:
        if is_spread(self._fit_X):
            return _over().nearest_in(x, self._fit_X, count, self._metric())
        return nearest_rows(x, self._fit_X, count, self._metric())

    def kneighbors_graph(
        self, X: Any = None, n_neighbors: int | None = None, mode: str = "connectivity"
    ) -> Any:
        """Return SciPy's sparse array of samples x samples of `fit`: 1, or the distance, if near.

        `mode` is ``"connectivity"`` or ``"distance"``; raises ValueError for another.
        """
        if mode not in ("connectivity", "distance"):
            raise ValueError(
                f"Unsupported mode, must be one of 'connectivity', or 'distance' but got {mode!r}"
            )
        from scipy.sparse import csr_array

        distances, rows = (np.asarray(each) for each in self.kneighbors(X, n_neighbors))
        values = np.ones(rows.size) if mode == "connectivity" else distances.ravel()
        starts = np.arange(0, rows.size + 1, rows.shape[1])
        return csr_array((values, rows.ravel(), starts), (len(rows), self.n_samples_fit_))


def _refuse_count(count: Any, there: int, own: bool) -> None:
    if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
        raise TypeError(f"n_neighbors does not take {type(count)} value, enter integer value")
    if count <= 0:
        raise ValueError(f"Expected n_neighbors > 0. Got {count}")
    if count + own > there:
        than = (
            "Expected n_neighbors < n_samples_fit"
            if own
            else ("Expected n_neighbors <= n_samples_fit")
        )
        raise ValueError(f"{than}, but n_neighbors = {count}, n_samples_fit = {there}")


class NearestNeighbors(Neighbors):
    """The nearest samples of a sample, or those within a radius: all distances are compared.

    The nearest are kept in registers while a block of samples that stays in the cache is gone over;
    of more than 64 features, products of matrices choose. Parameters are scikit-learn's; every
    `algorithm` gives the same result, `leaf_size` and `n_jobs` change nothing.

    Attributes: `n_samples_fit_`, `effective_metric_`, `effective_metric_params_`,
    `n_features_in_`, `feature_names_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**RULES, "radius": real(0)}

    def __init__(
        self,
        *,
        n_neighbors: int = 5,
        radius: float = 1.0,
        algorithm: str = "auto",
        leaf_size: int = 30,
        metric: str = "minkowski",
        p: float = 2,
        metric_params: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.radius = radius
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.metric = metric
        self.p = p
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def fit(self, X: Any, y: Any = None) -> Self:
        """Keep samples x features; float32 stays, other numbers become float64.

        Raises ValueError for NaN and infinity, and what `check_options` raises.
        """
        self._keep(X)
        return self

    def radius_neighbors(
        self,
        X: Any = None,
        radius: float | None = None,
        return_distance: bool = True,
        sort_results: bool = False,
    ) -> Any:
        """Return for each sample the distances to all within a radius, and their rows.

        Both are arrays of objects, NumPy's arrays of each sample. Without `X`, of the samples of
        `fit`, which are no neighbors of themselves.
        """
        check_is_fitted(self)
        if is_spread(self._fit_X):
            raise NotImplementedError(
                "radius_neighbors is not done over devices: fit(x.gather()) has all samples on one"
            )
        x = self._fit_X if X is None else samples(self, X).astype(self._fit_X.dtype)
        if sort_results and not return_distance:
            raise ValueError("return_distance must be True if sort_results is True.")
        distances, rows = rows_within(
            x, self._fit_X, self.radius if radius is None else radius, self._metric()
        )
        if X is None:
            kept = [each != number for number, each in enumerate(rows)]
            distances = [each[keep] for each, keep in zip(distances, kept, strict=True)]
            rows = [each[keep] for each, keep in zip(rows, kept, strict=True)]
        if sort_results:
            orders = [np.argsort(each, kind="stable") for each in distances]
            distances = [each[order] for each, order in zip(distances, orders, strict=True)]
            rows = [each[order] for each, order in zip(rows, orders, strict=True)]
        made = _objects(distances), _objects(rows)
        return made if return_distance else made[1]


def rows_within(
    x: ndarray, others: ndarray, radius: float, metric: Metric
) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Of each sample the distances to others within a radius, and their rows in order."""
    distances: list[np.ndarray] = []
    rows: list[np.ndarray] = []
    dtype = x.dtype
    (x, others), factor = in_range(metric.power, x, others)
    for first in parts_of(x, others):
        part = x[first : first + part_rows(others)]
        apart = np.asarray(metric.finished(all_sums(others, part, metric)))
        if x.dtype != dtype or factor != 1:
            apart = (apart / factor).astype(dtype)
        sample, row = np.nonzero(apart <= radius)
        starts = np.searchsorted(sample, np.arange(1, len(apart)))
        distances += np.split(apart[sample, row], starts)
        rows += np.split(row, starts)
    return distances, rows


def _objects(values: list[np.ndarray]) -> np.ndarray:
    made = np.empty(len(values), object)
    made[:] = values
    return made
