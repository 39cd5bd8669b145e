"""Descents over all samples but those left out, and errors on these: for `ElasticNetCV`."""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol

import numpy as np

from ..._arrays.ndarray import ndarray
from . import coordinate_descent as descents
from .coordinate_descent import Problem, Run
from .folds import Fold, Products, Sums
from .penalties import Penalties
from .working_sets import Wide, is_wide, wide_of

Ending = tuple[int, float]  # the most sweeps, the tolerance


class Part(Protocol):
    """Samples that are learnt from, and those left out."""

    @property
    def total(self) -> float:
        """The weight of the samples learnt from."""

    @property
    def slopes(self) -> np.ndarray:
        """The sums of features times targets, both less their means."""

    def descend(self, by: Penalties, start: np.ndarray, ending: Ending) -> Run:
        """The coefficients from some first ones."""

    def error(self, w: np.ndarray) -> float:
        """The mean squared error of the samples left out."""


class Parts(Protocol):
    """All samples, as parts of them are taken."""

    features: int

    def whole(self) -> Part:
        """All samples to learn from."""

    def of_fold(self, fold: Fold) -> Part:
        """The samples of a fold."""

    def intercept(self, w: np.ndarray) -> float:
        """The intercept for all samples as they were given."""


def parts_of(x: ndarray, y: ndarray, weight: ndarray | None, *, intercept: bool) -> Parts:
    """Products of features, or the samples themselves where these are fewer numbers."""
    if is_wide(x.shape):
        return _WideParts(x, y, weight, intercept=intercept)
    return _ProductParts(Products(x, y[:, None], weight, intercept=intercept))


class _ProductPart(NamedTuple):
    products: Products
    sums: Sums
    left_out: np.ndarray

    @property
    def total(self) -> float:
        return self.sums.total

    @property
    def slopes(self) -> np.ndarray:
        return self.sums.cross[:, 0]

    def descend(self, by: Penalties, start: np.ndarray, ending: Ending) -> Run:
        square, penalties = float(self.sums.squares[0]), np.array(by, np.float64)
        problem = Problem(self.sums.gram, self.slopes, square, penalties)
        return descents.descend(problem, start, *ending)

    def error(self, w: np.ndarray) -> float:
        return float(self.products.errors(self.left_out, self.sums, w[:, None])[0])


class _ProductParts:
    def __init__(self, products: Products) -> None:
        self._products, self.features = products, products.features

    def whole(self) -> Part:
        every = self._products.all
        return _ProductPart(self._products, self._products.sums(every), every)

    def of_fold(self, fold: Fold) -> Part:
        own, left_out = self._products.of_fold(fold)
        return _ProductPart(self._products, self._products.sums(own), left_out)

    def intercept(self, w: np.ndarray) -> float:
        return float(self._products.intercepts(w[:, None])[0])


class _Rows(NamedTuple):
    """Samples, targets and weights on the host."""

    x: np.ndarray
    y: np.ndarray
    weight: np.ndarray

    def of(self, rows: np.ndarray) -> _Rows:
        return _Rows(self.x[rows], self.y[rows], self.weight[rows])


class _WidePart(NamedTuple):
    wide: Wide
    target: np.ndarray
    total: float
    x_mean: np.ndarray
    y_mean: float
    left_out: _Rows

    @property
    def slopes(self) -> np.ndarray:
        return np.asarray(self.wide.columns @ self.target)

    def descend(self, by: Penalties, start: np.ndarray, ending: Ending) -> Run:
        return descents.descend_wide(self.wide, self.target, start, by, ending)

    def error(self, w: np.ndarray) -> float:
        some = np.flatnonzero(w)
        made = self.left_out.x[:, some] @ w[some] - self.x_mean[some] @ w[some]
        apart = self.left_out.y - self.y_mean - made
        return float(self.left_out.weight @ apart**2 / self.left_out.weight.sum())


class _WideParts:
    def __init__(self, x: ndarray, y: ndarray, weight: ndarray | None, *, intercept: bool) -> None:
        shares = np.ones(x.shape[0]) if weight is None else np.asarray(weight, np.float64)
        self._rows = _Rows(np.asarray(x, np.float64), np.asarray(y, np.float64), shares)
        self._intercept, self.features = intercept, x.shape[1]

    def _part(self, own: _Rows, left_out: _Rows) -> _WidePart:
        total, root = float(own.weight.sum()), np.sqrt(own.weight)
        x_mean, y_mean = np.zeros(self.features), 0.0
        if self._intercept:
            x_mean = own.weight @ own.x / total
            y_mean = float(own.weight @ own.y / total)
        wide = wide_of((own.x - x_mean) * root[:, None])
        return _WidePart(wide, (own.y - y_mean) * root, total, x_mean, y_mean, left_out)

    def whole(self) -> Any:
        return self._part(self._rows, self._rows)

    def of_fold(self, fold: Fold) -> Part:
        return self._part(self._rows.of(fold.train), self._rows.of(fold.test))

    def intercept(self, w: np.ndarray) -> float:
        whole = self.whole()
        return float(whole.y_mean - whole.x_mean @ w)
