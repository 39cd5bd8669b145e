"""Naive Bayes with counts and with features that are there or not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import products
from ..exceptions import warn_user
from ..options import ARRAY, BOOL, NONE, Rule, real
from ..sparse_samples import SparseSamples
from ..tags import TakesSparse
from ..validation import samples_or_sparse
from .base import NaiveBayes, members

_LEAST_ALPHA = 1e-10


class DiscreteNB(NaiveBayes):
    """Sums of features are kept for each class, to which `alpha` is added."""

    _rules: ClassVar[Mapping[str, Rule]] = {
        "alpha": real(0) | ARRAY,
        "fit_prior": BOOL,
        "class_prior": ARRAY | NONE,
        "force_alpha": BOOL,
    }

    alpha: Any
    force_alpha: bool
    fit_prior: bool
    class_prior: Any
    class_count_: np.ndarray
    feature_count_: np.ndarray
    feature_log_prob_: np.ndarray

    def _add(self, x: Any, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        classes = len(self.classes_)
        share = np.ones(len(codes)) if weight is None else np.asarray(weight, np.float64)
        made = np.bincount(codes, share, minlength=classes)
        self.class_count_ = made if is_first else self.class_count_ + made
        self._count(x, codes, weight, is_first)

    def _finish(self) -> None:
        self._smooth(self._alpha())
        self.class_log_prior_ = self._log_prior()

    def _count(self, x: Any, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        """Add the sums of each class's samples to those of earlier parts."""
        classes = len(self.classes_)
        if isinstance(x, SparseSamples):
            share = np.ones(len(x)) if weight is None else np.asarray(weight)
            sums = x.sums_by_group(codes, share, classes)
        else:
            sums = products.sums(x.astype(np.float64), members(codes, classes, weight, x))
        self.feature_count_ = sums if is_first else self.feature_count_ + sums

    def _smooth(self, alpha: Any) -> None:
        """Set `feature_log_prob_` by the sums and what is added to them."""
        raise NotImplementedError

    def _log_prior(self) -> np.ndarray:
        with np.errstate(divide="ignore"):
            if self.class_prior is not None:
                return np.asarray(np.log(self._prior_of(self.class_prior)))
            if self.fit_prior:
                return np.asarray(np.log(self.class_count_) - np.log(self.class_count_.sum()))
        return np.full(len(self.classes_), -np.log(len(self.classes_)))

    def _alpha(self) -> Any:
        alpha = np.asarray(self.alpha, np.float64)
        if alpha.ndim and len(alpha) != self.n_features_in_:
            raise ValueError(
                "When alpha is an array, it should contains `n_features`. Got "
                f"{len(alpha)} elements instead of {self.n_features_in_}."
            )
        if (alpha < 0).any():
            raise ValueError("All values in alpha must be greater than 0.")
        if alpha.min() < _LEAST_ALPHA and not self.force_alpha:
            warn_user(
                "alpha too small will result in numeric errors, setting alpha = "
                f"{_LEAST_ALPHA:.1e}. Use `force_alpha=True` to keep alpha unchanged."
            )
            return np.maximum(alpha, _LEAST_ALPHA)
        return alpha

    def _products(self, x: Any, table: np.ndarray, added: Any) -> ndarray:
        """``x @ table.T + added``, in float64."""
        if isinstance(x, SparseSamples):
            return px.asarray(x.times(table.T) + added, device=x.device)
        rows = px.asarray(table, device=x.device)
        return products.scores(x.astype(np.float64), rows) + px.asarray(added, device=x.device)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.classifier_tags.poor_score = True  # of samples that are no counts
        return tags

    def _refuse_negative(self, x: Any) -> Any:
        if x.facts.has_negative if isinstance(x, SparseSamples) else bool(px.any(x < 0)):
            raise ValueError(f"Negative values in data passed to {type(self).__name__} (input X).")
        return x


class _TakesBoth(TakesSparse, DiscreteNB):
    """Sums of dense or sparse samples."""

    def _samples(self, X: Any, *, fitting: bool = False) -> Any:
        return samples_or_sparse(self, X, fitting=fitting)


class _OfCounts(_TakesBoth):
    """Features are counts."""

    def _count(self, x: Any, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        super()._count(self._refuse_negative(x), codes, weight, is_first)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.positive_only = True
        return tags


class MultinomialNB(_OfCounts):
    """A class's features are shares of its samples' counts, as of words in texts.

    Parameters are scikit-learn's. Attributes, NumPy's: `feature_log_prob_` and `feature_count_`
    (classes x features), `class_count_`, `class_log_prior_`, `classes_`, `n_features_in_`.

    >>> from phalanx.ml.naive_bayes import MultinomialNB
    >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
    >>> model = MultinomialNB().fit(X, y)
    >>> model.predict([[0, 2]])
    array([1])
    """

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _smooth(self, alpha: Any) -> None:
        counts = self.feature_count_ + alpha
        self.feature_log_prob_ = np.log(counts) - np.log(counts.sum(axis=1, keepdims=True))

    def _joint(self, x: ndarray) -> ndarray:
        return self._products(x, self.feature_log_prob_, self.class_log_prior_)


class ComplementNB(_OfCounts):
    """A class is told by the counts of all others, which suits classes of unequal size.

    Of J. Rennie and others, "Tackling the poor assumptions of naive Bayes text classifiers" (2003).
    Parameters are scikit-learn's. Attributes are those of `MultinomialNB`, and `feature_all_`, the
    sums of all classes.

    >>> from phalanx.ml.naive_bayes import ComplementNB
    >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
    >>> model = ComplementNB().fit(X, y)
    >>> model.predict([[0, 2]])
    array([1])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**DiscreteNB._rules, "norm": BOOL}

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        fit_prior: bool = True,
        class_prior: Any = None,
        norm: bool = False,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.fit_prior = fit_prior
        self.class_prior = class_prior
        self.norm = norm

    def _smooth(self, alpha: Any) -> None:
        self.feature_all_ = self.feature_count_.sum(axis=0)
        others = self.feature_all_ + alpha - self.feature_count_
        logs = np.log(others / others.sum(axis=1, keepdims=True))
        self.feature_log_prob_ = logs / logs.sum(axis=1, keepdims=True) if self.norm else -logs

    def _joint(self, x: ndarray) -> ndarray:
        added = self.class_log_prior_ if len(self.classes_) == 1 else 0.0
        return self._products(x, self.feature_log_prob_, added)


class BernoulliNB(_TakesBoth):
    """A feature is there, larger than `binarize`, or not; both tell the class.

    Parameters are scikit-learn's. Attributes are those of `MultinomialNB`, of features as 0 and 1.

    >>> from phalanx.ml.naive_bayes import BernoulliNB
    >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
    >>> model = BernoulliNB().fit(X, y)
    >>> model.predict([[0, 2]])
    array([1])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {**DiscreteNB._rules, "binarize": NONE | real(0)}

    def __init__(
        self,
        *,
        alpha: Any = 1.0,
        force_alpha: bool = True,
        binarize: float | None = 0.0,
        fit_prior: bool = True,
        class_prior: Any = None,
    ) -> None:
        self.alpha = alpha
        self.force_alpha = force_alpha
        self.binarize = binarize
        self.fit_prior = fit_prior
        self.class_prior = class_prior

    def _seen(self, x: Any) -> Any:
        if self.binarize is None:
            return x
        if isinstance(x, SparseSamples):
            return x.with_values((x.values > self.binarize).astype(x.dtype))
        return (x > self.binarize).astype(x.dtype)

    def _smooth(self, alpha: Any) -> None:
        counts = self.feature_count_ + alpha
        of_classes = self.class_count_[:, None] + 2 * alpha
        self.feature_log_prob_ = np.log(counts) - np.log(of_classes)

    def _joint(self, x: ndarray) -> ndarray:
        absent = np.log1p(-np.exp(self.feature_log_prob_))
        added = self.class_log_prior_ + absent.sum(axis=1)
        return self._products(x, self.feature_log_prob_ - absent, added)
