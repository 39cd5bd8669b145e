"""Naive Bayes with normal features."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..options import ARRAY, NONE, Rule, real
from ..preprocessing.columns import Moments
from ..products import sums
from .base import NaiveBayes, members


class GaussianNB(NaiveBayes):
    """Each feature of a class is normal, with a mean and variance of its own.

    To the variances a small share of the greatest variance of a feature is added. Parameters are
    scikit-learn's.

    Attributes, NumPy's: `theta_` and `var_` (classes x features), `epsilon_` (what is added),
    `class_count_` (weights), `class_prior_`, `classes_`, `n_features_in_`.

    >>> from phalanx.ml.naive_bayes import GaussianNB
    >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
    >>> model = GaussianNB().fit(X, y)
    >>> model.predict([[0, 2]])
    array([1])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"priors": ARRAY | NONE, "var_smoothing": real(0)}

    theta_: np.ndarray
    _moments_: Moments
    _dtype_: np.dtype
    _normals_: tuple[np.ndarray, np.ndarray]  # means and variances, float64

    def __init__(self, *, priors: Any = None, var_smoothing: float = 1e-9) -> None:
        self.priors = priors
        self.var_smoothing = var_smoothing

    def _add(self, x: ndarray, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        self.epsilon_ = self.var_smoothing * float(px.max(px.var(x, axis=0, dtype=np.float64)))
        found = _moments(x, codes, weight, len(self.classes_))
        self._moments_ = found if is_first else self._moments_.merged(found)
        # Of several parts the dtype of the first.
        self._dtype_ = x.dtype if is_first else self._dtype_

    def _finish(self) -> None:
        dtype = self._dtype_
        means = np.nan_to_num(self._moments_.mean)
        variances = np.nan_to_num(self._moments_.variance) + self.epsilon_
        self._normals_ = means, variances
        self.theta_, self.var_ = means.astype(dtype), variances.astype(dtype)
        self.class_count_ = self._moments_.weight[:, 0].astype(dtype)
        if self.priors is None:
            self.class_prior_ = self.class_count_ / self.class_count_.sum()
            return
        prior = self._prior_of(self.priors)
        if not np.isclose(prior.sum(), 1.0):
            raise ValueError("The sum of the priors should be 1.")
        if (prior < 0).any():
            raise ValueError("Priors must be non-negative.")
        self.class_prior_ = prior

    def _joint(self, x: ndarray) -> ndarray:
        with np.errstate(divide="ignore"):
            constants = np.log(self.class_prior_.astype(np.float64))
        means, variances = self._normals_
        constants = constants - 0.5 * np.log(2 * np.pi * variances).sum(axis=1)
        made = []
        for constant, mean, variance in zip(constants, means, variances, strict=True):
            middle, share = (px.asarray(each, device=x.device) for each in (mean, 0.5 / variance))
            made.append(constant - px.sum((x - middle) ** 2 * share, axis=1))
        return px.stack(made, axis=1)

    def _finished(self, made: ndarray, x: ndarray) -> ndarray:
        return made.astype(np.result_type(x.dtype, self.theta_.dtype))


def _moments(x: ndarray, codes: np.ndarray, weight: ndarray | None, classes: int) -> Moments:
    """The moments of each class's features, classes x features."""
    table = members(codes, classes, weight, x)
    total = np.asarray(px.sum(table, axis=0))[:, None]
    values = x.astype(np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = sums(values, table) / total
        own = px.asarray(np.nan_to_num(mean), device=x.device)[px.asarray(codes, device=x.device)]
        variance = sums((values - own) ** 2, table) / total
    return Moments(np.broadcast_to(total, mean.shape), mean, variance)
