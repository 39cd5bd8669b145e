"""Naive Bayes with features that are numbers of categories."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..options import ARRAY, NONE, Rule, real, whole
from .base import members
from .discrete import DiscreteNB


class CategoricalNB(DiscreteNB):
    """Each feature is a category, a whole number from 0, with its own chances in each class.

    Parameters are scikit-learn's. Attributes, NumPy's: `category_count_` and `feature_log_prob_`
    (of each feature an array of classes x categories), `n_categories_`, `class_count_`,
    `class_log_prior_`, `classes_`, `n_features_in_`.

    >>> from phalanx.ml.naive_bayes import CategoricalNB
    >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
    >>> model = CategoricalNB().fit(X, y)
    >>> model.predict([[0, 2]])
    array([1])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        **DiscreteNB._rules,
        "alpha": real(0),
        "min_categories": NONE | ARRAY | whole(1),
    }

    def __init__(
        self,
        *,
        alpha: float = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        min_categories: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.min_categories = min_categories

    def _samples(self, X: Any, *, fitting: bool = False) -> ndarray:
        return self._refuse_negative(super()._samples(X, fitting=fitting))

    def _count(self, x: ndarray, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        needed = np.asarray(px.max(x, axis=0)).astype(np.int64) + 1
        if is_first:
            self.category_count_ = [np.zeros((len(self.classes_), 0)) for _ in needed]
        self.n_categories_ = np.maximum(needed, self._least())
        host = np.asarray(members(codes, len(self.classes_), weight, x))
        values = np.asarray(x).astype(np.int64)
        for feature, number in enumerate(self.n_categories_):
            before = self.category_count_[feature]
            counts = np.zeros((len(self.classes_), max(number, before.shape[1])))
            counts[:, : before.shape[1]] = before
            for row, weight in zip(counts, host.T, strict=True):
                row += np.bincount(values[:, feature], weight, minlength=len(row))
            self.category_count_[feature] = counts

    def _least(self) -> Any:
        if self.min_categories is None:
            return 0
        least = np.asarray(self.min_categories)
        if least.dtype.kind not in "iu":
            raise ValueError(
                f"'min_categories' should have integral type. Got {least.dtype} instead."
            )
        if least.ndim and len(least) != self.n_features_in_:
            raise ValueError(
                f"'min_categories' should have shape ({self.n_features_in_},) when an array-like "
                f"is provided. Got {least.shape} instead."
            )
        return least

    def _smooth(self, alpha: Any) -> None:
        self.feature_log_prob_: Any = []
        for counts in self.category_count_:
            smooth = counts + alpha
            self.feature_log_prob_.append(
                np.log(smooth) - np.log(smooth.sum(axis=1, keepdims=True))
            )

    def _joint(self, x: ndarray) -> ndarray:
        self._refuse_others(x)
        numbers = x.astype(np.int64)
        made: Any = px.asarray(self.class_log_prior_, device=x.device)
        for feature, table in enumerate(self.feature_log_prob_):
            made = made + px.asarray(table.T.copy(), device=x.device)[numbers[:, feature]]
        return made

    def _refuse_others(self, x: ndarray) -> None:
        largest = np.asarray(px.max(x, axis=0))
        for feature, (value, table) in enumerate(zip(largest, self.feature_log_prob_, strict=True)):
            if value >= table.shape[1]:
                raise IndexError(
                    f"index {int(value)} is out of bounds for feature {feature}, which has "
                    f"{table.shape[1]} categories: set min_categories to have more"
                )

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.positive_only = True
        return tags
