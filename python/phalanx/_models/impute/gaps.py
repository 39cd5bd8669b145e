"""Which values are missing, and samples in which they may be."""

from __future__ import annotations

import numbers
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..exceptions import check_is_fitted
from ..features import compare_count, compare_names, keep_features
from ..options import NONE, Rule
from ..preprocessing.category_columns import is_nan
from ..validation import FLOATS, as_array, refuse_gaps, refuse_shapes
from ..validation import numbers as as_numbers

MISSING = (
    Rule(lambda value: isinstance(value, (numbers.Real, np.number)), "a number, NaN")
    | Rule(lambda value: isinstance(value, str), "a text")
    | Rule(lambda value: type(value).__name__ == "NAType", "pandas.NA")
    | NONE
)


def is_gap(value: Any) -> bool:
    """True for a mark of missing values that is itself no number: NaN and pandas.NA."""
    return is_nan(value) or type(value).__name__ == "NAType"


def gaps_of(x: Any, mark: Any) -> Any:
    """True where a value is missing, an array of the same kind."""
    if is_gap(mark):
        if x.dtype.kind == "f":
            return px.isnan(x) if isinstance(x, ndarray) else np.isnan(x)
        if x.dtype.kind != "O":
            return px.zeros(x.shape, bool) if isinstance(x, ndarray) else np.zeros(x.shape, bool)
        if is_nan(mark):
            return x != x
        found = [is_gap(value) for value in x.reshape(-1)]
        return np.array(found, bool).reshape(x.shape)
    if mark is None and x.dtype.kind == "O":
        found = [value is None for value in x.reshape(-1)]
        return np.array(found, bool).reshape(x.shape)
    return x == mark


def samples_with_gaps(estimator: Any, X: Any, *, numeric: bool, fitting: bool = False) -> Any:
    """Samples x features: numbers as our array, floats where `numeric`; others as objects.

    `fitting` keeps the names and the number of features, which are compared otherwise. Raises
    ValueError for other shapes, infinities, texts where `numeric`, NaN that is not the mark of
    missing values, and a mark of another type than the samples.
    """
    if not fitting:
        check_is_fitted(estimator)
        compare_names(estimator, X)
    values = as_array(X)
    refuse_shapes(values, estimator)
    mark = estimator.missing_values
    made = _typed(values, X, mark, estimator, numeric)
    if made.dtype.kind == "f":
        refuse_gaps(px.asarray(made), "X", estimator, allow_nan=is_gap(mark))
    elif made.dtype.kind == "O" and not is_gap(mark) and bool((made != made).any()):
        raise ValueError("Input X contains NaN, which is not `missing_values`.")
    if fitting:
        keep_features(estimator, X, made.shape[1])
    else:
        compare_count(estimator, made.shape[1])
    _refuse_mark(made, mark)
    return made


def _typed(values: Any, X: Any, mark: Any, estimator: Any, numeric: bool) -> Any:
    kind = values.dtype.kind
    if kind == "c":
        raise ValueError(f"Complex data not supported\n{values!r}\n")
    if not numeric:
        if kind == "U" and not hasattr(X, "dtype"):
            return values.astype(object)
        if kind not in "iufO":
            raise ValueError(
                f"{type(estimator).__name__} does not support data with dtype {values.dtype}. "
                "Please provide either a numeric array (with a floating point or integer dtype) or "
                "categorical data represented either as an array with integer dtype or an array of "
                "string values with an object dtype."
            )
        return np.asarray(values) if kind == "O" else px.asarray(values)
    if kind == "O":
        values = (
            np.where(gaps_of(np.asarray(values), mark), np.nan, values) if is_gap(mark) else values
        )
    try:
        return as_numbers(values, FLOATS)
    except ValueError as error:
        if "could not convert" not in str(error) and "bytes/strings" not in str(error):
            raise
        strategy = getattr(estimator, "strategy", "a numeric")
        raise ValueError(
            f"Cannot use {strategy} strategy with non-numeric data:\n{error}"
        ) from None


def _refuse_mark(x: Any, mark: Any) -> None:
    is_number = isinstance(mark, (numbers.Real, np.number))
    if x.dtype.kind in "iuf" and not is_number and not is_gap(mark) and mark is not None:
        raise ValueError(
            "'X' and 'missing_values' types are expected to be both numerical. Got X.dtype="
            f"{x.dtype} and  type(missing_values)={type(mark)}."
        )
