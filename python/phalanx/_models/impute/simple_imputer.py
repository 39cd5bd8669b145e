"""Missing values filled by one value a feature."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted, warn_user
from ..features import names_of_input
from ..options import BOOL, FUNCTION, Rule, one_of
from ..preprocessing.category_columns import is_nan
from ..preprocessing.columns import moments
from ..validation import given_as, is_ours
from .gaps import MISSING, gaps_of, is_gap, samples_with_gaps
from .indicator import indicator_of, with_indicators


class SimpleImputer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Fills gaps by each feature's mean, median, most frequent value, a constant or a function's.

    A function gets the values of a feature that are there. Features without any are left out unless
    `keep_empty_features`. With `add_indicator` the columns of a `MissingIndicator` follow.
    Parameters are scikit-learn's; `copy` has no effect, as a result is always a new array. Sparse
    samples are refused (TypeError).

    Attributes: `statistics_` (a value a feature), `indicator_` (None without), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "missing_values": MISSING,
        "strategy": one_of("mean", "median", "most_frequent", "constant") | FUNCTION,
        "copy": BOOL,
        "add_indicator": BOOL,
        "keep_empty_features": BOOL,
    }

    def __init__(
        self,
        *,
        missing_values: Any = np.nan,
        strategy: Any = "mean",
        fill_value: Any = None,
        copy: bool = True,
        add_indicator: bool = False,
        keep_empty_features: bool = False,
    ) -> None:
        self.missing_values = missing_values
        self.strategy = strategy
        self.fill_value = fill_value
        self.copy = copy
        self.add_indicator = add_indicator
        self.keep_empty_features = keep_empty_features

    @property
    def _is_numeric(self) -> bool:
        return self.strategy not in ("most_frequent", "constant")

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the values of samples x features.

        Raises ValueError for infinities, other shapes, texts that have no mean, a constant of
        another type than the samples, and what `check_options` raises.
        """
        self._check_options()
        x = samples_with_gaps(self, X, numeric=self._is_numeric, fitting=True)
        gaps = gaps_of(x, self.missing_values)
        if self.strategy == "constant":
            self._refuse_constant(x.dtype)
        self._fill_dtype = x.dtype
        host = np.asarray(gaps)
        found = self._statistics(x, gaps, host)
        # Of our samples the values are on the host, too: they are few, and may be objects.
        self.statistics_ = found
        self.indicator_ = indicator_of(self, host)
        return self

    def _refuse_constant(self, dtype: np.dtype) -> None:
        value = self.fill_value
        if value is None:
            return
        own = np.asarray(value).dtype if dtype.kind != "O" else np.dtype(object)
        is_plain = isinstance(value, (bool, int, float))
        kinds = {"f": "biuf", "i": "biu", "u": "biu", "O": "biufOUS"}[dtype.kind]
        fits = own.kind in kinds if is_plain else np.can_cast(own, dtype, casting="same_kind")
        if not fits:
            raise ValueError(
                f"fill_value={value!r} (of type {type(value)!r}) cannot be cast to the input data "
                f"that is {dtype!r}. If fill_value is a Python scalar, instead pass  a numpy "
                "scalar (e.g. fill_value=np.uint8(0) if your data is of type np.uint8). Make sure "
                "that both dtypes are of the same kind."
            )

    def _statistics(self, x: Any, gaps: Any, host: np.ndarray) -> np.ndarray:
        empty = host.all(axis=0)
        if self.strategy == "constant":
            value = self.fill_value
            if value is None:
                value = "missing_value" if x.dtype.kind == "O" else 0
            made = np.full(x.shape[1], value, object)
            made[empty & (not self.keep_empty_features)] = np.nan
            return made
        if self.strategy == "mean":
            made = moments(px.where(gaps, np.nan, x), variance=False).mean.astype(x.dtype)
        else:
            values = np.asarray(x)
            columns = [values[~host[:, each], each] for each in range(x.shape[1])]
            dtype = object if x.dtype.kind == "O" else np.float64
            made = np.array([self._value_of(each) for each in columns], dtype)
            if self.strategy == "median":
                made = made.astype(x.dtype)
        if self.keep_empty_features:
            made[empty] = 0
        return made

    def _value_of(self, column: np.ndarray) -> Any:
        if callable(self.strategy):
            return self.strategy(column)
        if len(column) == 0:
            return np.nan
        return np.median(column) if self.strategy == "median" else _most_frequent(column)

    def transform(self, X: Any) -> Any:
        """Return samples with their gaps filled, in their dtype; float64 of ints, for means.

        Raises ValueError as `fit` does. Warns (UserWarning) of features that are left out.
        """
        check_is_fitted(self, "statistics_")
        x = samples_with_gaps(self, X, numeric=self._is_numeric)
        if self._fill_dtype.kind == "O" and x.dtype.kind != "O":
            x = np.asarray(x).astype(object)
        if self.strategy == "constant" and not np.can_cast(
            self._fill_dtype, x.dtype, casting="same_kind"
        ):
            raise ValueError(
                f"The dtype of the filling value (i.e. {self._fill_dtype!r}) cannot be cast to the "
                f"input data that is {x.dtype!r}. Make sure that the dtypes of the input data are "
                "of the same kind between fit and transform."
            )
        gaps = gaps_of(x, self.missing_values)
        kept = self._kept()
        filled = _filled(x, gaps, self.statistics_, kept)
        filled = with_indicators(filled, np.asarray(gaps), self.indicator_)
        return given_as(X, filled) if isinstance(filled, ndarray) or is_ours(X) else filled

    def _kept(self) -> np.ndarray:
        """The features that have a value; warns of the others."""
        if self.keep_empty_features:
            return np.arange(len(self.statistics_))
        empty = _are_nan(self.statistics_)
        if empty.any():
            names = getattr(self, "feature_names_in_", np.arange(len(empty)))
            warn_user(
                f"Skipping features without any observed values: {names[empty]}. At least one "
                f"non-missing value is needed for imputation with strategy={self.strategy!r}."
            )
        return np.flatnonzero(~empty)

    def inverse_transform(self, X: Any) -> Any:
        """Return samples with their gaps again, of what `transform` made with indicators.

        Raises ValueError without `add_indicator`.
        """
        check_is_fitted(self, "statistics_")
        if not self.add_indicator:
            raise ValueError(
                "'inverse_transform' works only when 'SimpleImputer' is instantiated with "
                f"'add_indicator=True'. Got 'add_indicator={self.add_indicator}' instead."
            )
        values = np.asarray(X)
        features: np.ndarray = self.indicator_.features_  # type: ignore[union-attr]
        filled = values.shape[1] - len(features)
        gaps = np.zeros((len(values), len(self.statistics_)), bool)
        gaps[:, features] = values[:, filled:].astype(bool)
        made = np.zeros(gaps.shape)
        made[:, np.flatnonzero(~gaps.all(axis=0))[:filled]] = values[:, :filled]
        made[gaps] = self.missing_values
        return given_as(X, made)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the features that are kept, and those of the indicators."""
        names = names_of_input(self, input_features)
        empty = _are_nan(self.statistics_)
        kept = names[~empty]
        if self.indicator_ is None:
            return kept
        return np.concatenate([kept, self.indicator_.get_feature_names_out(input_features)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = is_gap(self.missing_values)
        return tags


def _most_frequent(column: np.ndarray) -> Any:
    """The least of the most frequent values."""
    if column.dtype.kind != "O":
        values, counts = np.unique(column, return_counts=True)
        return values[counts.argmax()]
    counted = Counter(column.tolist())
    most = max(counted.values())
    found = [value for value, count in counted.items() if count == most]
    try:
        return min(found)
    except TypeError:  # of several types
        return min(found, key=lambda value: (str(type(value)), value))


def _are_nan(statistics: np.ndarray) -> np.ndarray:
    if statistics.dtype.kind == "f":
        return np.isnan(statistics)
    return np.array([is_nan(value) for value in statistics.tolist()], bool)


def _filled(x: Any, gaps: Any, statistics: np.ndarray, kept: np.ndarray) -> Any:
    every = len(kept) == x.shape[1]
    if not isinstance(x, ndarray):
        values = np.broadcast_to(statistics, x.shape)
        made = np.where(np.asarray(gaps), values, x)
        return made if every else made[:, kept]
    values = np.where(_are_nan(statistics), 0, statistics)
    table = px.asarray(values.astype(x.dtype), device=x.device)
    chosen = px.where(gaps, table, x)
    return chosen if every else chosen[:, px.asarray(kept, device=x.device)]
