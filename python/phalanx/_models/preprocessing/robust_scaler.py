"""Features scaled by quantiles, which outliers do not move."""

from __future__ import annotations

from collections.abc import Mapping
from statistics import NormalDist
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, OneToOneFeatureMixin, TransformerMixin
from ..options import BOOL, Rule
from ..tags import KeepsFloats, TakesGaps
from ..validation import given_as, samples, scaled_samples
from .column_loops import scaled, unscaled
from .columns import quantiles, scales


class RobustScaler(KeepsFloats, TakesGaps, OneToOneFeatureMixin, TransformerMixin, Estimator):  # type: ignore[misc]
    """Takes each feature's median from it and divides it by the span of two quantiles.

    NaN stays and counts nowhere. With `unit_variance` normal features get variance 1. Parameters
    are scikit-learn's; `copy` has no effect, as a result is always a new array.

    Attributes, one number a feature: `center_` and `scale_`, None where they are not used;
    `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "with_centering": BOOL,
        "with_scaling": BOOL,
        "quantile_range": Rule(lambda value: isinstance(value, tuple), "a tuple"),
        "copy": BOOL,
        "unit_variance": BOOL,
    }

    def __init__(
        self,
        *,
        with_centering: bool = True,
        with_scaling: bool = True,
        quantile_range: tuple[float, float] = (25.0, 75.0),
        copy: bool = True,
        unit_variance: bool = False,
    ) -> None:
        self.with_centering = with_centering
        self.with_scaling = with_scaling
        self.quantile_range = quantile_range
        self.copy = copy
        self.unit_variance = unit_variance

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the median and the quantiles of samples x features.

        Raises ValueError for infinities, other shapes and quantiles outside 0 to 100, and what
        `check_options` raises.
        """
        self._check_options()
        low, high = self.quantile_range
        if not 0 <= low <= high <= 100:
            raise ValueError(f"Invalid quantile range: {self.quantile_range}")
        x = samples(self, X, fitting=True, allow_nan=True)
        least, middle, largest = quantiles(x, np.array([low, 50, high]) / 100)
        self.center_ = given_as(X, middle.astype(x.dtype)) if self.with_centering else None
        self.scale_ = None
        if self.with_scaling:
            scale = scales(largest - least)
            if self.unit_variance:
                normal = NormalDist()
                scale = scale / (normal.inv_cdf(high / 100) - normal.inv_cdf(low / 100))
            self.scale_ = given_as(X, scale)
        return self

    def transform(self, X: Any) -> Any:
        """Return samples x features, scaled, in their dtype. Raises ValueError as `fit` does."""
        x = samples(self, X, allow_nan=True)
        return given_as(X, scaled(x, *self._columns()))

    def inverse_transform(self, X: Any) -> Any:
        """Return what `transform` makes into samples x features. Raises ValueError as it does."""
        x = scaled_samples(self, X)
        return given_as(X, unscaled(x, *self._columns()))

    def _columns(self) -> tuple[Any, Any]:
        """What is taken from each feature, and what it is then divided by."""
        count = self.n_features_in_
        shift = self.center_ if self.with_centering else np.zeros(count)
        return shift, self.scale_ if self.with_scaling else np.ones(count)
