"""Truncated singular value decomposition."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import ClassNamePrefixFeaturesOutMixin, Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..options import RANDOM, Rule, generator_of, one_of, real, whole
from ..preprocessing.columns import moments
from ..sparse_samples import SparseSamples
from ..tags import TakesSparse
from ..validation import components_back, given_as, samples_or_sparse
from .factors import Draw, Factors, by_all, by_chance, by_products, is_tall


def _variance(x: Any) -> Any:
    """The sum of the variances of all features, in the dtype of the samples."""
    if isinstance(x, SparseSamples):
        return x.dtype.type(moments(x).variance.sum())
    return px.sum(px.var(x, axis=0))


class TruncatedSVD(TakesSparse, ClassNamePrefixFeaturesOutMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """Samples along the directions of the greatest singular values, without taking off a mean.

    Of ten times as many samples as features both algorithms read the samples once and are exact,
    by products of features in pairs. Of other shapes ``"arpack"`` finds all factors and keeps some,
    and ``"randomized"`` draws vectors as scikit-learn draws them (Halko, Martinsson and Tropp,
    2011).

    Sparse samples are taken by the second, of any shape.

    Parameters are scikit-learn's. Attributes: `components_` (components x features),
    `explained_variance_`, `explained_variance_ratio_`, `singular_values_` (one a component),
    `n_features_in_`, `feature_names_in_`. Arrays are NumPy's unless `fit` got ours.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "n_components": whole(1),
        "algorithm": one_of("randomized", "arpack"),
        "n_iter": whole(0),
        "n_oversamples": whole(1),
        "power_iteration_normalizer": one_of("auto", "QR", "LU", "none"),
        "random_state": RANDOM,
        "tol": real(0),
    }

    def __init__(
        self,
        n_components: int = 2,
        *,
        algorithm: str = "randomized",
        n_iter: int = 5,
        n_oversamples: int = 10,
        power_iteration_normalizer: str = "auto",
        random_state: Any = None,
        tol: float = 0.0,
    ) -> None:
        self.n_components = n_components
        self.algorithm = algorithm
        self.n_iter = n_iter
        self.n_oversamples = n_oversamples
        self.power_iteration_normalizer = power_iteration_normalizer
        self.random_state = random_state
        self.tol = tol

    @property
    def _n_features_out(self) -> int:
        return len(self.components_)

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components of samples x features; float32 stays, others become float64.

        Raises ValueError for more components than features, fewer than two features, NaN and
        infinity, and what `check_options` raises.
        """
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components."""
        self._check_options()
        x = samples_or_sparse(self, X, fitting=True, least=2)
        self._refuse_features(*x.shape)
        factors = self._factors(x)
        count = min(self.n_components, len(factors.values))
        self.components_ = given_as(X, factors.vectors[:count].astype(x.dtype))
        self.singular_values_ = given_as(X, factors.values[:count].astype(x.dtype))
        made = self._coordinates(x)
        variances = px.var(made, axis=0)
        self.explained_variance_ = given_as(X, variances)
        self.explained_variance_ratio_ = given_as(X, variances / _variance(x))
        return given_as(X, made)

    def _refuse_features(self, count: int, features: int) -> None:
        if features < 2:
            raise ValueError(
                f"Found array with 1 feature(s) (shape={(count, features)}) while a minimum of 2 "
                "is required by TruncatedSVD."
            )
        if self.n_components > features:
            raise ValueError(
                f"n_components({self.n_components}) must be <= n_features({features})."
            )

    def _factors(self, x: Any) -> Factors:
        if isinstance(x, SparseSamples) and self.algorithm == "arpack":
            raise NotImplementedError(
                "TruncatedSVD(algorithm='arpack') is not supported by phalanx.ml for sparse "
                "samples; use algorithm='randomized', or scikit-learn's TruncatedSVD for it"
            )
        if is_tall(x) and not isinstance(x, SparseSamples):
            return by_products(x)
        if self.algorithm == "arpack":
            return by_all(x)
        normalizer, random = self.power_iteration_normalizer, generator_of(self.random_state)
        draw = Draw(self.n_oversamples, self.n_iter, normalizer, random)
        return by_chance(x, None, self.n_components, draw)

    def _coordinates(self, x: Any) -> ndarray:
        parts = np.ascontiguousarray(np.asarray(self.components_).T.astype(x.dtype))
        return x @ px.asarray(parts).to_device(x.device)

    def transform(self, X: Any) -> Any:
        """Return samples x components."""
        return given_as(X, self._coordinates(samples_or_sparse(self, X)))

    def inverse_transform(self, X: Any) -> Any:
        """Return samples x features of samples x components.

        Raises ValueError for another number of components.
        """
        check_is_fitted(self)
        x = components_back(self, X, len(self.components_))
        parts = np.asarray(self.components_).astype(x.dtype)
        return given_as(X, x @ px.asarray(parts).to_device(x.device))
