"""Scores of many logistic regressions over the samples that were left out of their fits."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import products
from ..metrics.classification import accuracy_score
from ..metrics.probabilities import log_loss
from .logistic import LogisticRegression

# Of a model, samples, their classes and, by name, their weights.
Scorer = Callable[..., float]


class Grid(NamedTuple):
    """The penalties: all C with all shares of absolute values."""

    cs: np.ndarray
    ratios: np.ndarray


class Scored(NamedTuple):
    """Of C x shares: coefficients, rows x features and the intercept; scores; numbers of steps."""

    tables: np.ndarray
    scores: np.ndarray
    steps: np.ndarray


def accuracy(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    """The share of samples whose class is predicted."""
    predicted = np.asarray(model.predict(X))
    return accuracy_score(np.asarray(y), predicted, sample_weight=sample_weight)


def _neg_log_loss(model: Any, X: Any, y: Any, sample_weight: Any = None) -> float:
    chances = np.asarray(model.predict_proba(X))
    options = {"labels": model.classes_, "sample_weight": sample_weight}
    return -log_loss(np.asarray(y), chances, **options)


_OURS: dict[Any, Scorer] = {
    None: accuracy,
    "warn": accuracy,
    "accuracy": accuracy,
    "neg_log_loss": _neg_log_loss,
}


def scorer_of(scoring: Any) -> Scorer:
    """What a name or a function means.

    Raises ValueError for a name that scikit-learn has not, and NotImplementedError for one that
    only it has, where it is not installed.
    """
    if scoring is not None and not isinstance(scoring, str):
        found: Scorer = scoring
        return found
    if scoring in _OURS:
        return _OURS[scoring]
    if importlib.util.find_spec("sklearn") is None:
        raise NotImplementedError(
            f"scoring={scoring!r} is scikit-learn's, which is not installed: use one of "
            f"{[*_OURS]} or a function of a model, samples and classes"
        )
    from sklearn.metrics import get_scorer

    made: Scorer = get_scorer(scoring)
    return made


def scores_of_grid(
    owner: Any, scorer: Scorer, tables: np.ndarray, left_out: Any, X: Any
) -> np.ndarray:
    """The scores of all models of a fold; `X` are the samples as a scorer is to see them."""
    shape = tables.shape[:2]
    flat = tables.reshape(-1, *tables.shape[2:])
    weight = None if left_out.weight is None else np.asarray(left_out.weight)
    if scorer is accuracy:
        hits = _hits(flat, left_out, has_intercept=bool(owner.fit_intercept))
        return np.average(hits, axis=0, weights=weight).reshape(shape)
    y = owner.classes_[left_out.codes]
    options = {} if weight is None else {"sample_weight": weight}
    models = (_model_of(owner, table) for table in flat)
    return np.array([scorer(each, X, y, **options) for each in models]).reshape(shape)


def _hits(tables: np.ndarray, left_out: Any, *, has_intercept: bool) -> np.ndarray:
    """Which samples each model predicts: samples x models."""
    x, count = left_out.x, left_out.x.shape[1]
    rows = px.asarray(tables[..., :count].reshape(-1, count), device=x.device)
    scores = np.asarray(products.scores(x, rows)).reshape(x.shape[0], *tables.shape[:2])
    if has_intercept:
        scores = scores + tables[..., -1]
    is_one_row = tables.shape[1] == 1
    codes = scores[..., 0] > 0 if is_one_row else scores.argmax(axis=2)
    return np.asarray(codes == left_out.codes[:, None])


def _model_of(owner: Any, table: np.ndarray) -> LogisticRegression:
    model = LogisticRegression(fit_intercept=owner.fit_intercept)
    model.classes_, model.n_features_in_ = owner.classes_, owner.n_features_in_
    model.coef_ = table[:, : owner.n_features_in_]
    model.intercept_ = table[:, -1] if owner.fit_intercept else np.zeros(len(table))
    return model
