"""Features of categories: found, and given numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ...._arrays.ndarray import ndarray
from ...exceptions import check_is_fitted
from ...features import compare_count, compare_names, keep_features
from ...validation import refuse_gaps, refuse_shapes, samples
from .workspace import MOST_BINS


def _is_frame(X: Any) -> bool:
    return hasattr(X, "iloc") and hasattr(X, "dtypes") and getattr(X, "ndim", 0) == 2


def _has_categories(dtype: Any) -> bool:
    return getattr(dtype, "categories", None) is not None


def categorical_mask(given: Any, X: Any) -> np.ndarray | None:
    """Which features are categories: of `categorical_features`; None if none are.

    Raises ValueError for numbers and names of features that there are not.
    """
    if given is None or (isinstance(given, str) and given == "from_dtype"):
        if given is None or not _is_frame(X):
            return None
        made = np.array([_has_categories(each) for each in list(X.dtypes)], bool)
        return made if made.any() else None
    chosen = np.asarray(given)
    if chosen.size == 0:
        return None
    if chosen.dtype.kind not in "biuUO":
        raise ValueError(
            "categorical_features must be an array-like of bool, int or str, got: "
            f"{chosen.dtype.name}."
        )
    features = X.shape[1] if hasattr(X, "shape") else len(X[0])
    made = np.zeros(features, bool)
    made[_places(chosen, X, features)] = True
    return made if made.any() else None


def _places(chosen: np.ndarray, X: Any, features: int) -> Any:
    """The columns that booleans, numbers or names choose."""
    if chosen.dtype.kind in "UO":
        names = list(X.columns) if hasattr(X, "columns") else None
        if names is None:
            raise ValueError(
                "categorical_features should be passed as an array of integers or as a boolean "
                "mask when the model is fitted on data without feature names."
            )
        for name in chosen:
            if name not in names:
                raise ValueError(
                    f"categorical_features has an item value {str(name)!r} which is not a valid "
                    f"feature name of the training data. Observed feature names: {names}"
                )
        return [names.index(name) for name in chosen]
    if chosen.dtype.kind == "b":
        if chosen.shape != (features,):
            raise ValueError(
                "categorical_features set as a boolean mask must have shape (n_features,), got: "
                f"{chosen.shape}"
            )
        return chosen
    if chosen.min() < 0 or chosen.max() >= features:
        raise ValueError(
            "categorical_features set as integer indices must be in [0, n_features - 1]"
        )
    return chosen


class Columns:
    """The categories of features, whose numbers take their place; others become NaN."""

    def __init__(self, is_category: np.ndarray | None) -> None:
        self.is_category = is_category
        self.categories: dict[int, Any] = {}

    def fit(self, estimator: Any, X: Any) -> ndarray:
        """Samples x features as numbers. Raises ValueError for more categories than bins."""
        if self.is_category is None:
            return samples(estimator, X, fitting=True, allow_nan=True)
        raw = self._columns(X, estimator)
        for number in np.flatnonzero(self.is_category).tolist():
            self.categories[number] = self._found(raw[number], number, estimator.max_bins)
        keep_features(estimator, X, len(raw))
        return self._encoded(raw, estimator)

    def read(self, estimator: Any, X: Any) -> ndarray:
        """Samples x features as numbers, of samples to predict."""
        if self.is_category is None:
            return samples(estimator, X, allow_nan=True)
        check_is_fitted(estimator)
        compare_names(estimator, X)
        raw = self._columns(X, estimator)
        compare_count(estimator, len(raw))
        return self._encoded(raw, estimator)

    def _columns(self, X: Any, estimator: Any) -> list[np.ndarray]:
        if _is_frame(X):
            return [np.asarray(X.iloc[:, number]) for number in range(X.shape[1])]
        table = np.asarray(X)
        refuse_shapes(table, estimator)
        return list(table.T)

    @staticmethod
    def _found(column: np.ndarray, number: int, most: int) -> Any:
        values = column[~_is_missing(column)]
        found = sorted(set(values.tolist()))
        if len(found) > min(most, MOST_BINS):
            raise ValueError(
                f"Categorical feature at index {number} is expected to have a cardinality <= "
                f"{most} but actually has a cardinality of {len(found)}."
            )
        return {value: float(place) for place, value in enumerate(found)}

    def _encoded(self, raw: list[np.ndarray], estimator: Any) -> ndarray:
        made = np.empty((len(raw[0]), len(raw)))
        refuse_shapes(made, estimator)
        for number, column in enumerate(raw):
            table = self.categories.get(number)
            if table is None:
                made[:, number] = column.astype(np.float64)
            else:
                found = (table.get(each, np.nan) for each in column.tolist())
                made[:, number] = np.fromiter(found, np.float64, len(column))
        values = px.asarray(made)
        refuse_gaps(values, "X", estimator, allow_nan=True)
        return values


def _is_missing(column: np.ndarray) -> np.ndarray:
    if column.dtype.kind == "f":
        return np.isnan(column)
    if column.dtype.kind == "O":
        return np.array([each is None or each != each for each in column.tolist()], bool)
    return np.zeros(len(column), bool)
