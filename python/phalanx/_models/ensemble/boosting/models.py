"""Gradient boosting over histograms: a classifier and a regressor."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ...base import ClassifierMixin, RegressorMixin
from ...classes import checked_classes, classes_of, named, weights_of_classes
from ...options import CLASS_WEIGHT, NONE, Rule, one_of, real
from ...validation import given_as, targets
from .base import RULES, Boosting
from .losses import Loss, loss_of


class HistGradientBoostingRegressor(RegressorMixin, Boosting):  # type: ignore[misc]
    """A sum of small trees, each of the gradients that those before it have left.

    Of J. Friedman, "Greedy Function Approximation: A Gradient Boosting Machine" (2001), with
    features in bins and leaves split best first, as in G. Ke and others, "LightGBM: A Highly
    Efficient Gradient Boosting Decision Tree" (2017). Missing numbers have a bin of their own and
    go to the side that gains more. Trees are grown on the host by all its cores, also where samples
    are on a GPU; predictions run on the device of the samples.

    Parameters are scikit-learn's, without `monotonic_cst` and `interaction_cst`. Samples held out
    for early stopping are drawn otherwise than by scikit-learn. Attributes: `n_iter_`,
    `n_trees_per_iteration_`, `train_score_`, `validation_score_` (of 0 steps and after each, with
    early stopping), `do_early_stopping_`, `is_categorical_`, `n_features_in_`,
    `feature_names_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "loss": one_of("squared_error", "absolute_error", "gamma", "poisson", "quantile"),
        "quantile": real(0, 1) | NONE,
    }

    def __init__(
        self,
        loss: str = "squared_error",
        *,
        quantile: float | None = None,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Any = "auto",
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
    ) -> None:
        self.loss = loss
        self.quantile = quantile
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state

    def _loss(self) -> Loss:
        return loss_of(self.loss, quantile=self.quantile)

    def _targets_of(self, y: Any, count: int, *, is_new: bool) -> np.ndarray:
        if self.loss == "quantile" and self.quantile is None:
            raise ValueError("loss='quantile' needs a quantile between 0 and 1: set `quantile`")
        values = np.asarray(targets(self, y, count)).astype(np.float64)
        if self.loss == "gamma" and not (values > 0).all():
            raise ValueError("loss='gamma' requires strictly positive y.")
        if self.loss == "poisson" and not ((values >= 0).all() and values.sum() > 0):
            raise ValueError("loss='poisson' requires non-negative y and sum(y) > 0.")
        return values

    def _named(self, y: np.ndarray) -> np.ndarray:
        return y

    def _finished(self, raw: Any) -> Any:
        made = raw[:, 0]
        return px.exp(made) if self.loss in ("gamma", "poisson") else made

    def predict(self, X: Any) -> Any:
        """Return the prediction for each sample, float64."""
        return given_as(X, self._finished(self._raw(X)))

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """Yield the predictions after each step."""
        for raw in self._staged(X):
            yield given_as(X, self._finished(raw))


class HistGradientBoostingClassifier(ClassifierMixin, Boosting):  # type: ignore[misc]
    """A sum of small trees, each of the gradients of the log loss that those before it have left.

    Two classes have one tree a step, more have one each. Grown as
    `HistGradientBoostingRegressor`, with its attributes and `classes_`. Parameters are
    scikit-learn's, without `monotonic_cst` and `interaction_cst`.
    """

    _is_class = True
    _rules: ClassVar[Mapping[str, Rule]] = {
        **RULES,
        "loss": one_of("log_loss"),
        "class_weight": CLASS_WEIGHT,
    }

    def __init__(
        self,
        loss: str = "log_loss",
        *,
        learning_rate: float = 0.1,
        max_iter: int = 100,
        max_leaf_nodes: int | None = 31,
        max_depth: int | None = None,
        min_samples_leaf: int = 20,
        l2_regularization: float = 0.0,
        max_features: float = 1.0,
        max_bins: int = 255,
        categorical_features: Any = "from_dtype",
        monotonic_cst: Any = None,
        interaction_cst: Any = None,
        warm_start: bool = False,
        early_stopping: Any = "auto",
        scoring: Any = "loss",
        validation_fraction: float | None = 0.1,
        n_iter_no_change: int = 10,
        tol: float = 1e-7,
        verbose: int = 0,
        random_state: Any = None,
        class_weight: Any = None,
    ) -> None:
        self.loss = loss
        self.learning_rate = learning_rate
        self.max_iter = max_iter
        self.max_leaf_nodes = max_leaf_nodes
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.l2_regularization = l2_regularization
        self.max_features = max_features
        self.max_bins = max_bins
        self.categorical_features = categorical_features
        self.monotonic_cst = monotonic_cst
        self.interaction_cst = interaction_cst
        self.warm_start = warm_start
        self.early_stopping = early_stopping
        self.scoring = scoring
        self.validation_fraction = validation_fraction
        self.n_iter_no_change = n_iter_no_change
        self.tol = tol
        self.verbose = verbose
        self.random_state = random_state
        self.class_weight = class_weight

    def _loss(self) -> Loss:
        return loss_of("log_loss", classes=len(self.classes_))

    def _columns_of_trees(self) -> int:
        return len(self.classes_) if len(self.classes_) > 2 else 1

    def _targets_of(self, y: Any, count: int, *, is_new: bool) -> np.ndarray:
        if is_new:
            classes, codes = classes_of(self, y, count)
            if self._goes_on:
                self._refuse_other_classes(classes)
            self.classes_ = classes
            return codes.astype(np.float64)
        values = np.asarray(checked_classes(self, y, count))
        places = np.searchsorted(self.classes_, values).clip(max=len(self.classes_) - 1)
        if (self.classes_[places] != values).any():
            raise ValueError("y_val has classes that y has not: leave those samples out")
        return places.astype(np.float64)

    def _refuse_other_classes(self, classes: np.ndarray) -> None:
        if not np.array_equal(self.classes_, classes):
            raise ValueError(
                f"warm_start needs the classes of the fit before, {self.classes_}, got {classes}: "
                "set warm_start=False to begin anew"
            )

    def _whole_weight(self, values: np.ndarray, weight: np.ndarray | None) -> np.ndarray | None:
        if self.class_weight is None:
            return weight
        codes = values.astype(np.int64)
        own = weights_of_classes(self.class_weight, self.classes_, codes, None)[codes]
        return own if weight is None else weight * own

    def _named(self, y: np.ndarray) -> np.ndarray:
        return np.asarray(self.classes_[y.astype(np.int64)])

    def _shares(self, raw: Any) -> Any:
        if raw.shape[1] == 1:
            share = 1 / (1 + px.exp(-raw[:, 0]))
            return px.stack([1 - share, share], axis=1)
        shares = px.exp(raw - px.max(raw, axis=1, keepdims=True))
        return shares / px.sum(shares, axis=1, keepdims=True)

    def _chosen(self, X: Any, raw: Any) -> Any:
        rows = np.asarray(raw)
        codes = rows.argmax(axis=1) if rows.shape[1] > 1 else (rows[:, 0] > 0).astype(np.int64)
        return named(X, self.classes_, codes)

    def decision_function(self, X: Any) -> Any:
        """Return raw predictions: one a sample of two classes, else samples x classes."""
        raw = self._raw(X)
        return given_as(X, raw[:, 0] if raw.shape[1] == 1 else raw)

    def predict_proba(self, X: Any) -> Any:
        """Return the chance of each class, samples x classes, float64."""
        return given_as(X, self._shares(self._raw(X)))

    def predict(self, X: Any) -> Any:
        """Return the most probable class of each sample."""
        raw = self._raw(X)
        return self._chosen(X, raw)

    def staged_decision_function(self, X: Any) -> Iterator[Any]:
        """Yield the raw predictions after each step."""
        for raw in self._staged(X):
            yield given_as(X, raw[:, 0] if raw.shape[1] == 1 else raw)

    def staged_predict_proba(self, X: Any) -> Iterator[Any]:
        """Yield the chances of the classes after each step."""
        for raw in self._staged(X):
            yield given_as(X, self._shares(raw))

    def staged_predict(self, X: Any) -> Iterator[Any]:
        """Yield the classes that are predicted after each step."""
        for raw in self._staged(X):
            yield self._chosen(X, raw)
