"""Columns as NumPy's arrays."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns import Column
from ..dtypes import OBJECT, DatetimeTZDtype, NullableDtype, has_na, is_extension
from ..missing import NA
from ..operations.joined import common_dtype
from ..signatures import NO_DEFAULT


def of_python(column: Column) -> list[Any]:
    """The values as Python's objects, NA as None: those of `to_dict`."""
    values = column.tolist()
    return [None if each is NA else each for each in values] if has_na(column.dtype) else values


def column_array(column: Column, dtype: Any, copy: bool, na_value: Any) -> np.ndarray:
    """A column's values, missing ones replaced if asked for; of our own memory a view."""
    if na_value is not NO_DEFAULT:
        missing = np.asarray(column.isna())
        values = column.objects_of() if is_extension(column.dtype) else column.to_numpy()
        if missing.any():
            values = (
                np.where(missing, na_value, values) if values.dtype != OBJECT else values.copy()
            )
            values[missing] = na_value
        return np.array(values, dtype)
    if isinstance(column.dtype, NullableDtype) and dtype is not None:
        values = column.objects_of() if np.dtype(dtype) == OBJECT else column.to_numpy()
        if column.has_missing() and np.dtype(dtype).kind in "iub":
            raise ValueError(f"cannot convert NA to {np.dtype(dtype)}; pass na_value")
        return np.array(values, dtype)
    if dtype is not None and _is_moments(column, np.dtype(dtype)):
        return np.array(column.values, dtype)  # type: ignore[attr-defined]
    values = (
        column.objects_of()
        if dtype is not None and np.dtype(dtype) == OBJECT
        else column.to_numpy()
    )
    if dtype is not None:
        return values.astype(dtype, copy=copy)
    return values.copy() if copy else values


def _is_moments(column: Column, dtype: np.dtype) -> bool:
    """True for dates of a zone that are wanted as NumPy's, which are UTC then."""
    return isinstance(column.dtype, DatetimeTZDtype) and dtype.kind == "M"


def table_array(columns: list[Column], rows: int, dtype: Any, na_value: Any) -> np.ndarray:
    """Columns beside each other, of the dtype that they have in common."""
    if not columns:
        return np.empty((rows, 0), np.float64 if dtype is None else dtype)
    if dtype is None:
        dtype = _table_dtype(columns)
    made = np.empty((rows, len(columns)), dtype)
    for i, each in enumerate(columns):
        made[:, i] = column_array(
            each, dtype if is_extension(each.dtype) or dtype == OBJECT else None, False, na_value
        )
    return made


def _table_dtype(columns: list[Column]) -> np.dtype:
    dtype = common_dtype([each.dtype for each in columns])
    if isinstance(dtype, np.dtype):
        return dtype
    if len(columns) > 1:
        return OBJECT  # pandas converts a single column of nullable numbers only
    if isinstance(dtype, NullableDtype) and not any(each.has_missing() for each in columns):
        return dtype.numpy_dtype
    if isinstance(dtype, NullableDtype) and dtype.kind in "iuf":
        return np.dtype(np.float64) if dtype.kind != "f" else dtype.numpy_dtype
    return OBJECT


def plain(value: Any) -> Any:
    """One element as Python has it: no scalar of NumPy's for numbers and bools."""
    return value.item() if isinstance(value, np.generic) and value.dtype.kind in "biufc" else value
