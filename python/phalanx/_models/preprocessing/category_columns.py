"""Columns of categories: what there is in each, and which of it each sample has."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..exceptions import check_is_fitted
from ..features import compare_count, compare_names, keep_features
from ..validation import as_array, refuse_gaps, refuse_shapes
from .code_loops import kinds_of, numbered

_NUMBERS = "biuf"


def is_nan(value: Any) -> bool:
    """True for a float that is NaN."""
    return isinstance(value, (float, np.floating)) and bool(np.isnan(value))


def columns_of(estimator: Any, X: Any, *, fitting: bool = False) -> list[Any]:
    """The columns of samples x features, each of its own dtype: numbers as our arrays.

    `fitting` keeps the names and the number of features, which are compared otherwise. Raises
    ValueError for other shapes, infinities and complex numbers, NotFittedError before `fit`.
    """
    if not fitting:
        check_is_fitted(estimator)
        compare_names(estimator, X)
    if hasattr(X, "iloc") and getattr(X, "ndim", 0) == 2:
        refuse_shapes(X, estimator)
        columns = [as_array(X.iloc[:, number], "X") for number in range(X.shape[1])]
    else:
        values = as_array(X)
        if values.dtype.kind == "U" and not hasattr(X, "dtype"):
            values = values.astype(object)
        refuse_shapes(values, estimator)
        columns = [values[:, number] for number in range(values.shape[1])]
    if fitting:
        keep_features(estimator, X, len(columns))
    else:
        compare_count(estimator, len(columns))
    return [_checked(column, estimator) for column in columns]


def _checked(column: Any, estimator: Any) -> Any:
    if column.dtype.kind == "c":
        raise ValueError(f"Complex data not supported\n{column!r}\n")
    if column.dtype.kind not in _NUMBERS:
        return np.asarray(column)
    made = column if isinstance(column, ndarray) else px.asarray(np.ascontiguousarray(column))
    refuse_gaps(made, "X", estimator, allow_nan=True)
    return made


def categories_of(column: Any) -> np.ndarray:
    """What there is in a column, sorted; None and NaN last. Raises TypeError for mixed types."""
    if isinstance(column, ndarray):
        if column.dtype.kind != "f":
            return _kinds(column)
        gaps = px.isnan(column)
        if not bool(px.any(gaps)):
            return _kinds(column)
        return np.append(_kinds(column[~gaps]), column.dtype.type(np.nan))
    given: Any = column.tolist()
    try:
        given = set(given)
        missing: list[Any] = [None] if None in given else []
        missing += [np.nan] if any(map(is_nan, given)) else []
        given = [value for value in given if value is not None and not is_nan(value)]
        found = sorted(given)
    except TypeError:
        kinds = sorted({type(value).__qualname__ for value in given})
        raise TypeError(
            "Encoders require their input argument must be uniformly strings or numbers. Got "
            f"{kinds}"
        ) from None
    return np.array([*found, *missing], dtype=column.dtype)


def _kinds(column: ndarray) -> np.ndarray:
    if _is_for_loops(column):
        return kinds_of(np.asarray(column))
    return np.asarray(px.unique(column))


def _is_for_loops(column: ndarray) -> bool:
    """True for numbers in the host's memory; loops over float16 and bools are not worth it."""
    return column._device.is_host and column.dtype.kind in "iuf" and column.dtype.itemsize > 2


def codes_of(column: Any, categories: np.ndarray) -> np.ndarray:
    """The number of each sample's category, int64; -1 for what is none of them."""
    if isinstance(column, ndarray) and categories.dtype.kind in _NUMBERS:
        return _codes_of_numbers(column, categories)
    table = _Codes(categories)
    values = np.asarray(column).tolist()
    return np.fromiter(map(table.__getitem__, values), np.int64, len(values))


class _Codes(dict[Any, int]):
    """The code of each category: -1 of others, and of NaN, which no look-up finds, its own."""

    def __init__(self, categories: np.ndarray) -> None:
        plain = categories.tolist()
        super().__init__((each, code) for code, each in enumerate(plain) if not is_nan(each))
        self._of_nan = len(plain) - 1 if plain and is_nan(plain[-1]) else -1

    def __missing__(self, value: Any) -> int:
        return self._of_nan if is_nan(value) else -1


def _codes_of_numbers(column: ndarray, categories: np.ndarray) -> np.ndarray:
    has_nan = categories.dtype.kind == "f" and len(categories) > 0 and np.isnan(categories[-1])
    numbers = categories[:-1] if has_nan else categories
    if column.dtype.kind == "b" or numbers.dtype.kind == "b":
        column, numbers = column.astype(np.int64), numbers.astype(np.int64)
    if column.dtype == numbers.dtype and _is_for_loops(column):
        of_nan = len(numbers) if has_nan else -1
        return numbered(np.asarray(column), np.ascontiguousarray(numbers), of_nan)
    codes: Any = px.full(column.shape, -1, np.int64, device=column.device)
    if len(numbers):
        table = px.asarray(numbers, device=column.device)
        near = px.minimum(px.searchsorted(table, column), len(numbers) - 1)
        codes = px.where(table[near] == column, near, -1)
    if has_nan:
        codes = px.where(px.isnan(column), len(numbers), codes)
    return np.asarray(codes).astype(np.int64, copy=False)


def given_categories(column: Any, given: Any, number: int) -> np.ndarray:
    """The categories that a parameter gives for a column, in its order.

    Raises ValueError for numbers that are not sorted, duplicates, and NaN that is not last.
    """
    dtype = object if column.dtype.kind == "U" else column.dtype
    categories = np.array(given, dtype=dtype)
    if any(is_nan(value) for value in categories[:-1]):
        raise ValueError(
            "Nan should be the last element in user provided categories, see categories "
            f"{categories} in column #{number}"
        )
    if len(set(categories.tolist())) != len(categories):
        raise ValueError(
            f"In column {number}, the predefined categories contain duplicate elements."
        )
    if categories.dtype.kind in _NUMBERS:
        end = -1 if is_nan(categories[-1]) else None
        if (np.diff(categories[:end].astype(np.float64)) < 0).any():
            raise ValueError("Unsorted categories are not supported for numerical categories")
    return categories
