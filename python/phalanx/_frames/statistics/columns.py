"""Reductions of a column to one value, and to a column of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns import Column
from ..columns.making import column_of
from ..dtypes import (
    NULLABLE,
    OBJECT,
    DecimalDtype,
    Dtype,
    NullableDtype,
    StringDtype,
    nullable_of,
    unit_of,
)
from ..missing import is_missing
from ..reductions.decimals import FOLDS, sum_dtype
from ..reductions.reduce import count, reduce
from ..reductions.rows import is_time

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
    missing = _dtype_of_missing(name, dtype) if is_missing(value) else None
    if missing is not None:
        return column_of([None], missing)
    if isinstance(dtype, NullableDtype):
        return column_of([value]).astype(nullable_of(np.asarray(value).dtype))
    if isinstance(dtype, DecimalDtype) and name in FOLDS:
        return column_of([value], sum_dtype(name, dtype))
    if dtype == OBJECT and name not in ("any", "all"):
        made = np.empty(1, object)
        made[0] = value
        return column_of(made, OBJECT)
    if isinstance(value, np.generic):
        if value.dtype == np.dtype("m8"):
            value = value.astype(f"m8[{unit_of(dtype)}]")
        return column_of(np.asarray(value)[None])
    if isinstance(dtype, StringDtype) and name not in ("any", "all"):
        return column_of([value], dtype)
    return column_of([value])


def _dtype_of_missing(name: str, dtype: Dtype) -> Dtype | None:
    """The dtype of a result that is missing; None where the value says it."""
    if isinstance(dtype, NullableDtype):
        if name in ("sum", "prod"):
            return nullable_of(np.add.reduce(np.empty(0, dtype.numpy_dtype)).dtype)
        is_own = name in ("min", "max") or dtype == NULLABLE["Float32"]
        return dtype if is_own else NULLABLE["Float64"]
    if isinstance(dtype, DecimalDtype):
        return sum_dtype(name, dtype) if name in FOLDS else NULLABLE["Float64"]
    if is_time(dtype):
        return np.dtype(f"m8[{unit_of(dtype)}]") if name == "std" else dtype
    return dtype if isinstance(dtype, StringDtype) else None
