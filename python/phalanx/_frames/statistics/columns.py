"""Reductions of a column to one value."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import DatetimeTZDtype, NullableDtype, StringDtype, nullable_of
from ..missing import NA, is_missing
from .numbers import KEEPING, OF_NOTHING, REDUCTIONS, counted

OBJECT = np.dtype(object)
_OF_DATES = frozenset(("min", "max", "mean", "median", "std"))
_OF_DURATIONS = _OF_DATES | {"sum", "any", "all"}


def refuse(name: str, column: Column) -> TypeError:
    """The error for a dtype that has no such reduction."""
    return TypeError(
        f"'{column.dtype}' values have no {name}; numeric_only=True leaves such columns out"
    )


def reduced(
    name: str, column: Column, *, skipna: bool = True, min_count: int = 0, **keywords: Any
) -> Any:
    """One value of a column. Raises TypeError for dtypes that have no such reduction."""
    if name == "count":
        return len(column) - int(column.isna().sum())
    if isinstance(column, NumberColumn):
        if column.values.dtype.kind in "mM":
            return _of_times(name, column, skipna, keywords)
        return _of_numbers(name, column, skipna, min_count, keywords)
    if isinstance(column, CategoryColumn):
        return _of_categories(name, column, skipna)
    return _of_objects(name, column, skipna, min_count, keywords)


def _mask(column: NumberColumn) -> Any:
    return ~px.asarray(column.isna()) if column.has_missing() else None


def _of_numbers(
    name: str, column: NumberColumn, skipna: bool, min_count: int, keywords: dict[str, Any]
) -> Any:
    nothing: Any = NA if isinstance(column.dtype, NullableDtype) else np.nan
    valid = _mask(column)
    values = column.values
    if valid is not None and not skipna:
        if name not in ("any", "all"):
            return nothing
        if nothing is NA:
            return _kleene(name, values, valid)
        valid = None  # NaN is true.
    count = len(column) if valid is None else int(valid.sum())
    if count < min_count or (count == 0 and name not in OF_NOTHING):
        return nothing
    if values.dtype.kind == "b" and name not in KEEPING and name not in ("any", "all"):
        values = values.astype(np.int64 if name in ("sum", "prod") else np.float64)
    made: Any = np.asarray(REDUCTIONS[name](values, valid, **keywords))[()]
    if nothing is NA and isinstance(made, np.floating) and np.isnan(made):
        return NA
    return _narrow(made, values.dtype, name)


def _narrow(made: Any, dtype: np.dtype, name: str) -> Any:
    if name in ("skew", "kurt", "var", "std", "sem", "median", "mean") and dtype == np.float32:
        return np.float32(made)
    return made


def _kleene(name: str, values: Any, valid: Any) -> Any:
    """Missing if the missing rows would decide."""
    found = bool(REDUCTIONS[name](values, valid))
    return found if found == (name == "any") else NA


def _of_times(name: str, column: NumberColumn, skipna: bool, keywords: dict[str, Any]) -> Any:
    kind = column.values.dtype.kind
    if name not in (_OF_DATES if kind == "M" else _OF_DURATIONS):
        raise refuse(name, column)
    unit = np.datetime_data(column.values.dtype)[0]
    valid = _mask(column)
    if name in ("any", "all"):  # NaT is true.
        counts = column.values.view(np.int64)
        return np.asarray(REDUCTIONS[name](counts, valid if skipna else None))[()]
    result = "m" if name == "std" else kind
    nat = np.array("NaT", f"{result}8[{unit}]")[()]
    if valid is not None and not skipna:
        return nat
    counts = column.values.view(np.int64)
    if name != "sum" and not int(counted(counts, valid)):
        return nat
    made: Any = np.asarray(REDUCTIONS[name](counts, valid, **keywords))[()]
    if isinstance(made, np.floating) and np.isnan(made):
        return nat
    value = np.array(int(made), np.int64).view(f"{result}8[{unit}]")[()]
    if isinstance(column.dtype, DatetimeTZDtype) and result == "M":
        return column.dtype.moment(value)
    return value


def _of_categories(name: str, column: CategoryColumn, skipna: bool) -> Any:
    if name not in KEEPING:
        raise refuse(name, column)
    if not column.dtype.ordered:
        raise TypeError(
            f"Categorical is not ordered for operation {name}; you can use .as_ordered() to change "
            "the Categorical to an ordered one"
        )
    codes = column.codes[column.codes >= 0]
    if not codes.shape[0] or (not skipna and codes.shape[0] < len(column)):
        return np.nan
    return column.dtype.values.element(int(codes.min() if name == "min" else codes.max()))


def _of_objects(
    name: str, column: Column, skipna: bool, min_count: int, keywords: dict[str, Any]
) -> Any:
    is_text = isinstance(column.dtype, StringDtype)
    if is_text and name not in ("sum", "min", "max", "any", "all"):
        raise refuse(name, column)
    nothing = column.dtype.na_value if isinstance(column.dtype, StringDtype) else np.nan
    rows = column.tolist()
    values = [each for each in rows if not is_missing(each)]
    if len(values) < len(rows) and not skipna and name not in ("any", "all"):
        return nothing
    if len(values) < min_count or (not values and name in KEEPING):
        return nothing
    if name in ("any", "all"):
        found = values if skipna else rows
        return (any if name == "any" else all)(map(bool, found))
    if name == "sum":
        return _added(values, is_text)
    if name in KEEPING:
        return (min if name == "min" else max)(values)
    return _as_numbers(name, column, values, keywords)


def _added(values: list[Any], is_text: bool) -> Any:
    if not values:
        return "" if is_text else 0
    made = values[0]
    for each in values[1:]:
        made = made + each
    return made


def _as_numbers(name: str, column: Column, values: list[Any], keywords: dict[str, Any]) -> Any:
    if any(isinstance(each, str) for each in values):
        raise refuse(name, column)
    if name == "prod":
        made = 1
        for each in values:
            made = made * each
        return made
    number = column_of(values) if values else column_of([], np.dtype(np.float64))
    if number.dtype == OBJECT:
        raise refuse(name, column)
    return reduced(name, number, **keywords)


def reduced_column(name: str, column: Column, **keywords: Any) -> Column:
    """A column of the one value, of the dtype that it has."""
    value = reduced(name, column, **keywords)
    dtype = column.dtype
    if isinstance(dtype, NullableDtype) and name != "count":
        if value is NA:
            wanted = (
                dtype
                if name in KEEPING or name in ("sum", "prod")
                else nullable_of(np.dtype(np.float64))
            )
            return column_of([None], wanted)
        return column_of([value]).astype(nullable_of(np.asarray(value).dtype))
    if dtype == OBJECT and name not in ("count", "any", "all"):
        made = np.empty(1, object)
        made[0] = value
        return column_of(made, OBJECT)
    if isinstance(value, np.generic):
        return column_of(np.asarray(value)[None])
    if isinstance(dtype, StringDtype) and name not in ("count", "any", "all"):
        return column_of([value], dtype)
    return column_of([value])
