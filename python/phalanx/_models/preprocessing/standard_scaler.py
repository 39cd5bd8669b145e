"""Features with mean 0 and variance 1."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..options import BOOL, Rule
from ..sparse_results import as_matrix
from ..sparse_samples import SparseSamples, is_sparse
from ..tags import KeepsFloats, TakesGaps
from ..validation import given_as, samples_or_sparse, scaled_samples, weights
from .column_loops import scaled, unscaled
from .columns import Moments, is_constant, moments, scaled_values, scales, unscaled_values


class StandardScaler(KeepsFloats, TakesGaps, OneToOneFeatureMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """Takes each feature's mean from it and divides it by its standard deviation.

    NaN stays and counts nowhere. A constant feature is divided by 1. Sparse samples are taken with
    ``with_mean=False``, and stay sparse. Parameters are scikit-learn's;
    `copy` has no effect, as a result is always a new array.

    Attributes, one float64 a feature: `mean_`, `var_` and `scale_`, None where they are not used;
    `n_samples_seen_`, an int where no number is missing, else an array; `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"copy": BOOL, "with_mean": BOOL, "with_std": BOOL}

    def __init__(self, *, copy: bool = True, with_mean: bool = True, with_std: bool = True) -> None:
        self.copy = copy
        self.with_mean = with_mean
        self.with_std = with_std

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the means and variances of samples x features, with a weight for each sample.

        Raises ValueError for infinities and other shapes, and what `check_options` raises.
        """
        for name in ("mean_", "var_", "scale_", "n_samples_seen_", "_moments", "n_features_in_"):
            self.__dict__.pop(name, None)
        return self.partial_fit(X, y, sample_weight)

    def partial_fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Take some more samples x features into the means and variances.

        Raises ValueError for another number of features, and what `fit` raises.
        """
        self._check_options()
        x = self._samples(X, fitting=not hasattr(self, "_moments"))
        found = moments(x, weights(sample_weight, x), variance=self.with_std)
        earlier = getattr(self, "_moments", None)
        self._moments = found if earlier is None else earlier.merged(found)
        self._keep(X, self._moments, whole=sample_weight is None)
        return self

    def _samples(self, X: Any, *, fitting: bool = False) -> Any:
        self._refuse_sparse(X)
        return samples_or_sparse(self, X, fitting=fitting, allow_nan=True)

    def _refuse_sparse(self, X: Any) -> None:
        if self.with_mean and is_sparse(X):
            raise ValueError(
                "Cannot center sparse matrices: pass `with_mean=False` instead. The means would "
                "fill all zeros."
            )

    def _keep(self, X: Any, found: Moments, whole: bool) -> None:
        weight = found.weight.astype(np.int64) if whole else found.weight
        self.n_samples_seen_ = weight[0] if np.ptp(weight) == 0 else weight
        uses = self.with_mean or self.with_std
        self.mean_ = given_as(X, found.mean) if uses else None
        self.var_ = given_as(X, found.variance) if self.with_std else None
        self.scale_ = None
        if self.with_std:
            self.scale_ = given_as(X, scales(np.sqrt(found.variance), is_constant(found)))

    def transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return samples x features, scaled, in their dtype. Raises ValueError as `fit` does."""
        x = self._samples(X)
        if isinstance(x, SparseSamples):
            return as_matrix(X, x.with_values(scaled_values(x, self._columns()[1])))
        return given_as(X, scaled(x, *self._columns()))

    def inverse_transform(self, X: Any, copy: bool | None = None) -> Any:
        """Return what `transform` makes into samples x features. Raises ValueError as it does."""
        self._refuse_sparse(X)
        x = scaled_samples(self, X, takes_sparse=True)
        if isinstance(x, SparseSamples):
            return as_matrix(X, x.with_values(unscaled_values(x, self._columns()[1])))
        return given_as(X, unscaled(x, *self._columns()))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = not self.with_mean
        return tags

    def _columns(self) -> tuple[Any, Any]:
        """What is taken from each feature, and what it is then divided by."""
        count = self.n_features_in_
        shift = self.mean_ if self.with_mean else np.zeros(count)
        return shift, self.scale_ if self.with_std else np.ones(count)
