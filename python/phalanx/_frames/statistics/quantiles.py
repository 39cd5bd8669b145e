"""Quantiles of series and frames."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..building.columns import column_from
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn, nullable
from ..combining.columns import joined_columns
from ..dtypes import NullableDtype
from ..indexes.making import index_of
from ..shared import classes

_METHODS = ("linear", "lower", "higher", "midpoint", "nearest")


def quantiles(column: Column, parts: np.ndarray, interpolation: str) -> Column:
    """A row for each part: the value below which that part of the values is.

    Raises TypeError for what is no number or date.
    """
    if interpolation not in _METHODS:
        raise ValueError(f"interpolation {interpolation!r} is none of {', '.join(_METHODS)}")
    if not isinstance(column, NumberColumn) or column.values.dtype.kind in "bc":
        raise TypeError(f"dtype '{column.dtype}' does not support operation 'quantile'")
    there = np.asarray(column.values)[~np.asarray(column.isna())]
    if not len(there):
        return _nothing(column, len(parts))
    if there.dtype.kind in "mM":
        counts = _cut(there.view(np.int64), parts, interpolation)
        return NumberColumn(_times(counts, there.dtype), None, column.dtype)
    made = _cut(there, parts, interpolation)
    if interpolation in ("lower", "higher", "nearest"):
        made = made.astype(there.dtype)
    plain = column_of(made)
    return nullable(plain.values, None) if isinstance(column.dtype, NullableDtype) else plain  # type: ignore[attr-defined]


def _cut(values: np.ndarray, parts: np.ndarray, method: Any) -> np.ndarray:
    found: np.ndarray = np.quantile(values, parts, method=method)
    return found


def _times(counts: np.ndarray, dtype: np.dtype) -> Any:
    import phalanx as px

    return px.asarray(np.asarray(counts).astype(np.int64).view(dtype))


def _nothing(column: NumberColumn, count: int) -> Column:
    if column.values.dtype.kind in "mM" or isinstance(column.dtype, NullableDtype):
        return column.missing(count)
    return column_of(np.full(count, np.nan))


def _checked(q: Any) -> np.ndarray:
    parts = np.asarray(q, np.float64)
    if parts.ndim > 1:
        raise ValueError("q must be a scalar or of one dimension")
    if ((parts < 0) | (parts > 1)).any():
        raise ValueError(f"percentiles should all be in the interval [0, 1]. Try {q} instead.")
    return parts


def series_quantile(series: Any, q: Any, interpolation: str) -> Any:
    """``series.quantile(q)``."""

    parts = _checked(q)
    made = quantiles(series._parts[0], np.atleast_1d(parts), interpolation)
    if parts.ndim == 0:
        return made.element(0)
    index = index_of(column_from(q if is_list_like(q) else [q]).astype(np.dtype(np.float64)))
    return classes.Series._of(made, index, series.name)


def frame_quantile(frame: Any, q: Any, interpolation: str) -> Any:
    """``frame.quantile(q)``."""

    parts = _checked(q)
    columns = [quantiles(each, np.atleast_1d(parts), interpolation) for each in frame._parts]
    if parts.ndim:
        index = index_of(column_from(q).astype(np.dtype(np.float64)))
        return classes.DataFrame._of(columns, index, frame.columns)
    values = joined_columns(columns) if columns else column_of([], np.dtype(np.float64))
    return classes.Series._of(values, frame.columns, float(parts))
