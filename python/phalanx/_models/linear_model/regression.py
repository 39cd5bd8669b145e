"""What linear models of numbers share: sums of products of their samples, and predictions."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, RegressorMixin
from ..pair_products import by_tiles, feature_means, goes_by_tiles
from ..products import scores
from ..sparse_samples import SparseSamples
from ..tags import TakesSeveralTargets
from ..validation import given_as, numbers, samples, samples_or_sparse, targets, weights
from .sparse_least_squares import products_of


class Data(NamedTuple):
    """Samples and targets less their means, and the weight of each sample."""

    x: ndarray | SparseSamples  # sparse ones with their means
    y: ndarray  # samples x targets
    weight: ndarray | None
    x_mean: np.ndarray
    y_mean: np.ndarray
    has_one_target: bool
    # Samples and targets with their means, where products are made of these: nothing else then
    # reads what is less its means, so that it is never made.
    given: tuple[ndarray, ndarray] | None = None
    is_column: bool = False  # the one target came as samples x 1

    def of_target(self, number: int) -> Data:
        """The same samples with one of the targets."""
        own = slice(number, number + 1)
        given = None if self.given is None else (self.given[0], self.given[1][:, own])
        return self._replace(y=self.y[:, own], y_mean=self.y_mean[own], given=given)

    def products(self) -> tuple[np.ndarray, np.ndarray]:
        """The float64 matrices x' x and x' y, weighted, on the host."""
        if isinstance(self.x, SparseSamples):
            return products_of(self)
        if self.given is not None:
            middle = np.concatenate([self.x_mean, self.y_mean])
            made, features = by_tiles(*self.given, middle, self.weight), len(self.x_mean)
            return made[:features, :features], made[:features, features:]
        x, y = self.x.astype(np.float64), self.y.astype(np.float64)
        left = x if self.weight is None else x * self.weight[:, None]
        return np.asarray(left.T @ x), np.asarray(left.T @ y)

    def rows(self) -> tuple[np.ndarray, np.ndarray]:
        """Samples and targets on the host, times the roots of their weights."""
        x, y = _centered(self), np.asarray(self.y, np.float64)
        if self.weight is None:
            return x, y
        root = np.sqrt(np.asarray(self.weight, np.float64))[:, None]
        return x * root, y * root


def _centered(data: Data) -> np.ndarray:
    """Samples less their means on the host, float64."""
    if isinstance(data.x, SparseSamples):
        return data.x.dense(np.arange(len(data.x))).astype(np.float64) - data.x_mean
    return np.asarray(data.x, np.float64)


def _sparse_mean(x: SparseSamples, weight: ndarray | None) -> np.ndarray:
    share = np.ones(len(x)) if weight is None else np.asarray(weight)
    return np.asarray(x.sums_by_group(np.zeros(len(x), np.int64), share / share.sum(), 1)[0])


def _mean(values: ndarray, weight: ndarray | None) -> ndarray:
    if weight is None:
        return px.mean(values, axis=0, dtype=np.float64)
    total = px.sum(values * weight[:, None], axis=0, dtype=np.float64)
    return total / px.sum(weight, dtype=np.float64)


class LinearRegressor(TakesSeveralTargets, RegressorMixin, Estimator):  # type: ignore[misc]
    """A model whose predictions are ``X @ coef_.T + intercept_``."""

    # True if a column of targets gives one row of coefficients, as in scikit-learn's class.
    _flattens: ClassVar[bool] = True
    _takes_sparse: ClassVar[bool] = False
    fit_intercept: bool
    coef_: Any
    intercept_: Any

    def _data(self, X: Any, y: Any, sample_weight: Any, *, least: int = 1) -> Data:
        """Check what is given, and take the means away if there is an intercept."""
        take = samples_or_sparse if self._takes_sparse else samples
        x = take(self, X, fitting=True, least=least)
        checked = targets(self, y, x.shape[0], several=True)
        made = numbers(checked, (x.dtype,), "y")
        if isinstance(x, SparseSamples):
            made = px.asarray(np.asarray(made), device=x.device)
        columns = made if made.ndim == 2 else made[:, None]
        weight = weights(sample_weight, x)
        if weight is not None:
            weight = weight.astype(np.float64)
        x_mean, y_mean = np.zeros(x.shape[1]), np.zeros(columns.shape[1])
        is_dense = not isinstance(x, SparseSamples)
        given = (x, columns) if is_dense and goes_by_tiles(x, columns.shape[1]) else None
        if self.fit_intercept:
            y_middle = _mean(columns, weight)
            columns, y_mean = columns - y_middle.astype(x.dtype), np.asarray(y_middle)
            if isinstance(x, SparseSamples):
                x_mean = _sparse_mean(x, weight)
            else:
                x_middle = feature_means(x) if weight is None else _mean(x, weight)
                x, x_mean = x - x_middle.astype(x.dtype), np.asarray(x_middle)
        return Data(
            x,
            columns,
            weight,
            x_mean,
            y_mean,
            made.ndim == 1 or (self._flattens and made.shape[1] == 1),
            given,
            made.ndim == 2,
        )

    def _keep(self, X: Any, data: Data, coefficients: np.ndarray) -> None:
        """Set `coef_` of features x targets and `intercept_`, in the dtype of the samples."""
        dtype = data.x.dtype
        intercepts = (data.y_mean - data.x_mean @ coefficients).astype(dtype)
        made = np.ascontiguousarray(coefficients.T).astype(dtype, copy=False)
        self.coef_ = given_as(X, made[0] if data.has_one_target else made)
        self.intercept_: Any = 0.0
        if self.fit_intercept:
            is_number = data.has_one_target and not data.is_column
            self.intercept_ = intercepts[0] if is_number else given_as(X, intercepts)

    def predict(self, X: Any) -> Any:
        """Return the predicted number of each sample, or one for each of several targets.

        Raises ValueError for NaN, infinities and another number of features.
        """
        take = samples_or_sparse if self._takes_sparse else samples
        return given_as(X, linear_of(self, take(self, X)))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = self._takes_sparse
        return tags


def linear_of(model: Any, x: ndarray | SparseSamples) -> ndarray:
    """What a fitted linear model says of samples; an intercept that is 0 has no dtype."""
    coefficients, shift = np.asarray(model.coef_), np.asarray(model.intercept_)
    if isinstance(model.intercept_, float):
        shift = shift.astype(coefficients.dtype)
    return linear(x, coefficients, shift)


def linear(x: ndarray | SparseSamples, coefficients: np.ndarray, intercepts: np.ndarray) -> ndarray:
    """``x @ coefficients.T + intercepts``; one row of coefficients is a sum of one pass.

    In the widest dtype of the three, as in scikit-learn.
    """
    dtype = np.result_type(x.dtype, coefficients.dtype, intercepts.dtype)
    x = x.astype(dtype)
    rows = px.asarray(coefficients.astype(dtype, copy=False), device=x.device)
    added = px.asarray(intercepts.astype(dtype, copy=False), device=x.device)
    if rows.ndim == 1:
        if isinstance(x, SparseSamples):
            return scores(x, rows[None])[:, 0] + added
        return px.sum(x * rows, axis=1) + added
    return scores(x, rows) + added
