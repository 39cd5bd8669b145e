"""Predictions from the nearest samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import ClassifierMixin, RegressorMixin
from ..classes import classes_of, named
from ..options import FUNCTION, NONE, Rule, one_of
from ..tags import TakesSeveralTargets
from ..validation import given_as, targets
from .unsupervised import RULES, Neighbors


class _Predictor(Neighbors):
    """What predictors from the nearest samples share."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "weights": one_of("uniform", "distance") | FUNCTION | NONE,
    }

    def __init__(
        self,
        n_neighbors: int = 5,
        *,
        weights: Any = "uniform",
        algorithm: str = "auto",
        leaf_size: int = 30,
        p: float = 2,
        metric: str = "minkowski",
        metric_params: Any = None,
        n_jobs: int | None = None,
    ) -> None:
        self.n_neighbors = n_neighbors
        self.weights = weights
        self.algorithm = algorithm
        self.leaf_size = leaf_size
        self.p = p
        self.metric = metric
        self.metric_params = metric_params
        self.n_jobs = n_jobs

    def _near(self, X: Any) -> tuple[np.ndarray, np.ndarray]:
        """The rows of each sample's neighbors, and the weight of each."""
        distances, rows = (np.asarray(each) for each in self.kneighbors(X))
        if self.weights in (None, "uniform"):
            return rows, np.ones(rows.shape)
        if callable(self.weights):
            return rows, np.asarray(self.weights(distances), np.float64)
        with np.errstate(divide="ignore"):
            weights = 1 / distances.astype(np.float64)
        met = np.isinf(weights)  # samples that are met leave no weight to others
        return rows, np.where(met.any(axis=1, keepdims=True), met, weights)


class KNeighborsClassifier(ClassifierMixin, _Predictor):  # type: ignore[misc]
    """The class that most of the nearest samples have; of equals the first.

    Parameters are scikit-learn's; see `NearestNeighbors` for how neighbors are found. Targets are
    one class a sample. Attributes: `classes_`, and those of `NearestNeighbors`.
    """

    _unsupported: ClassVar[tuple[str, ...]] = ("targets",)  # scikit-learn takes these

    def fit(self, X: Any, y: Any) -> Self:
        """Keep samples x features and a class of each, of any dtype.

        Raises ValueError for other lengths, for numbers that are no classes, for NaN and infinity,
        and what `check_options` raises.
        """
        x = self._keep(X)
        self.classes_, self._y = classes_of(self, y, x.shape[0])
        return self

    def predict_proba(self, X: Any) -> Any:
        """Return the share of weight of each class among the neighbors, samples x classes."""
        rows, weights = self._near(X)
        made = np.zeros((len(rows), len(self.classes_)))
        labels = self._y[rows]
        for column in range(rows.shape[1]):
            made[np.arange(len(rows)), labels[:, column]] += weights[:, column]
        total = made.sum(axis=1, keepdims=True)
        if (total == 0).any():
            raise ValueError(
                "All neighbors of some sample is getting zero weights. Please modify 'weights' to "
                "avoid this case if you are using a user-defined function."
            )
        return given_as(X, made / total)

    def predict(self, X: Any) -> Any:
        """Return the class of each sample, in the dtype of the targets."""
        shares = np.asarray(self.predict_proba(X))
        return named(X, self.classes_, np.argmax(shares, axis=1))


class KNeighborsRegressor(TakesSeveralTargets, RegressorMixin, _Predictor):  # type: ignore[misc]
    """The mean of the targets of the nearest samples.

    Parameters are scikit-learn's; see `NearestNeighbors` for how neighbors are found. Attributes
    are those of `NearestNeighbors`.
    """

    def fit(self, X: Any, y: Any) -> Self:
        """Keep samples x features and their targets: one number a sample, or several.

        Raises ValueError for other lengths, NaN and infinity, and what `check_options` raises.
        """
        x = self._keep(X)
        given = np.asarray(targets(self, y, x.shape[0], several=True))
        self._y = given if given.dtype == np.float32 else given.astype(np.float64)
        return self

    def predict(self, X: Any) -> Any:
        """Return the target of each sample: float32 if targets are and have one weight."""
        rows, weights = self._near(X)
        values = self._y[rows]
        made = np.einsum("sk...,sk->s...", values, weights)
        total = weights.sum(axis=1)
        made = made / total.reshape(-1, *[1] * (made.ndim - 1))
        is_even = self.weights in (None, "uniform")
        return given_as(X, made.astype(self._y.dtype) if is_even else made)
