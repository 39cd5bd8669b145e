"""Features whose extremes are given numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..options import BOOL, Rule
from ..sparse_results import as_matrix
from ..sparse_samples import SparseSamples
from ..tags import KeepsFloats, TakesGaps, TakesSparse
from ..validation import given_as, samples, samples_or_sparse, scaled_samples
from .column_loops import scaled, unscaled
from .columns import extremes, scaled_values, scales, unscaled_values


class _RangeScaler(KeepsFloats, TakesGaps, OneToOneFeatureMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """A scaler that keeps the extremes of the samples seen so far."""

    _extremes: tuple[np.ndarray, np.ndarray]
    n_samples_seen_: int

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the extremes of samples x features; NaN counts nowhere.

        Raises ValueError for infinities and other shapes, and what `check_options` raises.
        """
        self.__dict__.pop("n_samples_seen_", None)
        return self.partial_fit(X, y)

    def partial_fit(self, X: Any, y: Any = None) -> Self:
        """Take some more samples x features into the extremes. Raises ValueError as `fit` does."""
        self._check_options()
        self._check_range()
        first = not hasattr(self, "n_samples_seen_")
        x = self._samples(X, fitting=first)
        low, high = extremes(x)
        if not first:
            low = np.fmin(self._extremes[0], low)
            high = np.fmax(self._extremes[1], high)
        self._extremes = (low, high)
        self.n_samples_seen_ = x.shape[0] + (0 if first else self.n_samples_seen_)
        self._keep(X, low, high)
        return self

    def _samples(self, X: Any, *, fitting: bool = False) -> Any:
        return samples(self, X, fitting=fitting, allow_nan=True)

    def _check_range(self) -> None:
        """Refuse parameters that contradict each other."""

    def _keep(self, X: Any, low: np.ndarray, high: np.ndarray) -> None:
        raise NotImplementedError


def _clipped(values: Any, low: float, high: float) -> Any:
    if isinstance(values, np.ndarray):
        return np.clip(values, low, high, out=values)
    return px.clip(values, low, high)


class MinMaxScaler(_RangeScaler):
    """Maps each feature's least and largest number to those of `feature_range`.

    NaN stays and counts nowhere; a constant feature becomes the least number. With `clip` what lies
    outside is set to the nearer end. Parameters are scikit-learn's; `copy` has no effect, as a
    result is always a new array.

    Attributes, one number a feature: `min_` and `scale_` (the result is ``X * scale_ + min_``),
    `data_min_`, `data_max_`, `data_range_`; `n_samples_seen_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "feature_range": Rule(lambda value: isinstance(value, tuple), "a tuple"),
        "copy": BOOL,
        "clip": BOOL,
    }

    def __init__(
        self,
        feature_range: tuple[float, float] = (0, 1),
        *,
        copy: bool = True,
        clip: bool = False,
    ) -> None:
        self.feature_range = feature_range
        self.copy = copy
        self.clip = clip

    def _check_range(self) -> None:
        low, high = self.feature_range
        if low >= high:
            raise ValueError(
                "Minimum of desired feature range must be smaller than maximum. Got "
                f"{self.feature_range}."
            )

    def _keep(self, X: Any, low: np.ndarray, high: np.ndarray) -> None:
        span = high - low
        least, largest = self.feature_range
        scale = ((largest - least) / scales(span)).astype(low.dtype, copy=False)
        self.data_min_, self.data_max_ = given_as(X, low), given_as(X, high)
        self.data_range_ = given_as(X, span)
        self.scale_ = given_as(X, scale)
        self.min_ = given_as(X, (least - low * scale).astype(low.dtype, copy=False))

    def transform(self, X: Any) -> Any:
        """Return samples x features, scaled, in their dtype. Raises ValueError as `fit` does."""
        x = self._samples(X)
        made = unscaled(x, self.min_, self.scale_)
        return given_as(X, _clipped(made, *self.feature_range) if self.clip else made)

    def inverse_transform(self, X: Any) -> Any:
        """Return what `transform` makes into samples x features. Raises ValueError as it does."""
        x = scaled_samples(self, X)
        return given_as(X, scaled(x, self.min_, self.scale_))


class MaxAbsScaler(TakesSparse, _RangeScaler):
    """Divides each feature by its largest absolute value.

    NaN stays and counts nowhere; a feature of zeros stays. Sparse samples stay sparse.
    Parameters are scikit-learn's; `copy` has no effect, as a result is always a new array.

    Attributes, one number a feature: `scale_`, `max_abs_`; `n_samples_seen_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"copy": BOOL, "clip": BOOL}

    def __init__(self, *, copy: bool = True, clip: bool = False) -> None:
        self.copy = copy
        self.clip = clip

    def _samples(self, X: Any, *, fitting: bool = False) -> Any:
        return samples_or_sparse(self, X, fitting=fitting, allow_nan=True)

    def _keep(self, X: Any, low: np.ndarray, high: np.ndarray) -> None:
        largest = np.maximum(np.abs(low), np.abs(high))
        self.max_abs_ = given_as(X, largest)
        self.scale_ = given_as(X, scales(largest))

    def transform(self, X: Any) -> Any:
        """Return samples x features, scaled, in their dtype. Raises ValueError as `fit` does."""
        x = self._samples(X)
        if isinstance(x, SparseSamples):
            values = scaled_values(x, self.scale_)
            return as_matrix(X, x.with_values(np.clip(values, -1, 1) if self.clip else values))
        made = scaled(x, np.zeros(x.shape[1]), self.scale_)
        return given_as(X, _clipped(made, -1, 1) if self.clip else made)

    def inverse_transform(self, X: Any) -> Any:
        """Return what `transform` makes into samples x features. Raises ValueError as it does."""
        x = scaled_samples(self, X, takes_sparse=True)
        if isinstance(x, SparseSamples):
            return as_matrix(X, x.with_values(unscaled_values(x, self.scale_)))
        return given_as(X, unscaled(x, np.zeros(x.shape[1]), self.scale_))
