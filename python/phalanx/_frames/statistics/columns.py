"""Reductions of a column to one value, and to a column of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns import Column
from ..columns.making import column_of
from ..dtypes import NULLABLE, OBJECT, DecimalDtype, NullableDtype, StringDtype, nullable_of
from ..missing import NA
from ..reductions.decimals import FOLDS, sum_dtype
from ..reductions.reduce import count, reduce

_MOMENTS = frozenset(("mean", "median", "std", "var", "sem", "skew", "kurt"))


def reduced(name: str, column: Column, **keywords: Any) -> Any:
    """One value of a column. Raises TypeError for dtypes that have no such reduction."""
    if name == "count":
        return int(count(column))
    if column.dtype == OBJECT and name in _MOMENTS and bool(column.isna().all()):
        return np.nan  # Nothing tells that these are no numbers.
    return reduce(column, name, **keywords)


def reduced_column(name: str, column: Column, **keywords: Any) -> Column:
    """A column of the one value, of the dtype that it has."""
    if name == "count":
        return column_of([reduced(name, column)])
    value = reduced(name, column, **keywords)
    dtype = column.dtype
    if isinstance(dtype, NullableDtype):
        if value is NA:
            own = dtype if name in ("min", "max", "sum", "prod") else nullable_of(np.dtype(float))
            return column_of([None], own)
        return column_of([value]).astype(nullable_of(np.asarray(value).dtype))
    if isinstance(dtype, DecimalDtype):
        is_own = name in FOLDS
        if is_own or value is NA:
            return column_of([value], sum_dtype(name, dtype) if is_own else NULLABLE["Float64"])
    if dtype == OBJECT and name not in ("any", "all"):
        made = np.empty(1, object)
        made[0] = value
        return column_of(made, OBJECT)
    if isinstance(value, np.generic):
        if value.dtype == np.dtype("m8"):
            value = value.astype(f"m8[{np.datetime_data(dtype)[0]}]")  # type: ignore[arg-type]
        return column_of(np.asarray(value)[None])
    if isinstance(dtype, StringDtype) and name not in ("any", "all"):
        return column_of([value], dtype)
    return column_of([value])
