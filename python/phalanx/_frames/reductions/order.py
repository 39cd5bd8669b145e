"""What is found by the order of values: medians, quantiles; and how often each value comes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..columns.codes import codes_of
from ..columns.column import Column
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..columns.making_categories import in_order
from ..columns.numbers import NumberColumn, nullable
from ..dtypes import NULLABLE, DatetimeTZDtype, Dtype, family
from .rows import Rows, is_time, refuse, rows_of, scalar_of, time_of


def median(rows: Rows) -> Any:
    """The value in the middle, or between the two there; None of no rows."""
    values = rows.present()
    if len(values) == 0:
        return None
    if not is_time(rows.dtype):
        return scalar_of(px.median(values))
    first = scalar_of(px.min(values))
    return time_of(rows.dtype, int(first) + int(scalar_of(px.median(values - first))))


def quantile(column: Column, q: Any = 0.5, interpolation: str = "linear") -> Any:
    """The value below which a part `q` of the rows are; a column of them for several parts.

    `interpolation` is linear, lower, higher, nearest or midpoint. Raises ValueError for parts
    outside of 0 to 1 and other interpolations, TypeError for dtypes without numbers.
    """
    parts = np.atleast_1d(np.asarray(q, np.float64))
    if not ((parts >= 0) & (parts <= 1)).all():
        raise ValueError("percentiles should all be in the interval [0, 1]")
    if isinstance(column, DecimalColumn):
        column = floats_of(column)
    if not isinstance(column, NumberColumn):
        return refuse("quantile", column)
    rows = rows_of(column)
    values = rows.present()
    if len(values) == 0:
        made = column_of([None] * len(parts), _dtype_of_none(column))
    else:
        made = _quantiles(rows, values, px.asarray(parts), interpolation)
    return made if isinstance(q, (Sequence, np.ndarray)) or np.ndim(q) else made.element(0)


def _dtype_of_none(column: NumberColumn) -> Dtype:
    """The dtype of quantiles where no row has a value: floats have room for what is missing."""
    dtype = column.dtype
    if is_time(dtype) or (len(column) > 0 and dtype.kind != "b"):
        return dtype
    return NULLABLE["Float64"] if family(dtype) == "nullable" else np.dtype(np.float64)


def _quantiles(rows: Rows, values: Any, parts: Any, interpolation: str) -> Column:
    if is_time(rows.dtype):
        return _times(rows.dtype, values, parts, interpolation)
    if values.dtype.kind == "b":
        if interpolation in ("linear", "midpoint"):
            raise TypeError(
                f"Cannot perform reduction 'quantile' between {rows.dtype}: ask for lower"
            )
        found = px.quantile(values.astype(np.int8), parts, method=interpolation).astype(bool)
    else:
        found = px.quantile(values, parts, method=interpolation)
    if values.dtype.kind == "f" and len(values) < len(rows):
        found = found.astype(values.dtype)  # pandas' dtype, if it has left rows out
    return nullable(found, None) if family(rows.dtype) == "nullable" else NumberColumn(found)


def _times(dtype: Any, values: Any, parts: Any, interpolation: str) -> Column:
    """Counts from the first on, which floats hold exactly; parts of the unit are cut off."""
    first = px.min(values)
    found = px.quantile(values - first, parts, method=interpolation)
    low = px.floor(found).astype(np.int64) + first
    counts = px.where(low < 0, px.ceil(found).astype(np.int64) + first, low)
    storage = dtype.numpy_dtype if isinstance(dtype, DatetimeTZDtype) else dtype
    return NumberColumn(counts.view(storage), None, dtype)


def nunique(column: Column, *, dropna: bool = True) -> int:
    """How many values there are; a missing one counts if `dropna` is False."""
    return len(codes_of([column], keep_missing=not dropna)[1])


def mode(column: Column, *, dropna: bool = True) -> Column:
    """The values that come most often, in order; missing ones count if `dropna` is False."""
    codes, firsts = codes_of([column], keep_missing=not dropna)
    if len(firsts) == 0:
        return column.take(firsts)
    often = px.bincount(codes[codes >= 0], minlength=len(firsts))
    found = column.take(firsts[px.flatnonzero(often == px.max(often))])
    codes_found = getattr(found, "codes", None)
    if codes_found is not None:
        return found.take(px.argsort(codes_found))
    return found.take(px.asarray(in_order(found)))
