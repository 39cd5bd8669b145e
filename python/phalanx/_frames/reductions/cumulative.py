"""Each row's sum, product, least or largest of the rows up to it."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.lists import ListColumn
from ..columns.numbers import NumberColumn, missing_number, storage_of
from ..columns.objects import ObjectColumn, object_array
from ..columns.strings import StringColumn
from ..dtypes import family, nullable_of
from ..missing import is_missing
from .decimals import accumulated
from .extremes import bound_of
from .rows import Rows, filled, is_time, refuse, rows_of

_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "cumsum": px.cumsum,
    "cumprod": px.cumprod,
    "cummin": px.minimum.accumulate,
    "cummax": px.maximum.accumulate,
}
_OF_PYTHON: dict[str, Callable[[Any, Any], Any]] = {
    "cumsum": operator.add,
    "cumprod": operator.mul,
    "cummin": min,
    "cummax": max,
}


def accumulate(column: Column, name: str, *, skipna: bool = True) -> Column:
    """cumsum, cumprod, cummin or cummax, in pandas' dtypes.

    Missing rows stay missing; with `skipna` False so are all rows after the first of them. Raises
    TypeError, with the dtype, for what it has not.
    """
    if isinstance(column, CategoryColumn):
        return _of_categories(column, name, skipna)
    if isinstance(column, DecimalColumn):
        return accumulated(column, name, skipna)
    if isinstance(column, ListColumn):
        return refuse(name, column)  # type: ignore[no-any-return]
    if not isinstance(column, NumberColumn):
        return _of_objects(column, name, skipna)
    if is_time(column.dtype) and (
        name == "cumprod" or (name == "cumsum" and column.dtype.kind == "M")
    ):
        return refuse(name, column)  # type: ignore[no-any-return]
    rows = rows_of(column)
    values = _FUNCTIONS[name](_without_missing(rows, name))
    there = rows.there
    if there is not None and not skipna:
        there = px.logical_and.accumulate(there)
    return _of_dtype(column, values, there)


def _without_missing(rows: Rows, name: str) -> Any:
    """Values in which missing ones make no difference."""
    neutral = {"cumsum": 0, "cumprod": 1}
    if name in neutral:
        return filled(rows, neutral[name])
    if rows.values.dtype.kind == "c":
        return rows.values
    return filled(rows, bound_of(rows.values.dtype, name[3:]))


def _of_dtype(column: NumberColumn, values: Any, there: Any) -> Column:
    if family(column.dtype) == "nullable":
        return NumberColumn(values, there, nullable_of(values.dtype))
    if there is None:
        return NumberColumn(values)
    if is_time(column.dtype):
        values = values.view(storage_of(column.dtype))
        return NumberColumn(
            px.where(there, values, missing_number(values.dtype)), None, column.dtype
        )
    return NumberColumn(px.where(there, values, missing_number(values.dtype)))


def _of_categories(column: CategoryColumn, name: str, skipna: bool) -> Column:
    """By their order."""
    if name not in ("cummin", "cummax") or not column.dtype.ordered:
        return refuse(name, column)  # type: ignore[no-any-return]
    codes = NumberColumn(column.codes, ~column.isna(), nullable_of(column.codes.dtype))
    made: Any = accumulate(codes, name, skipna=skipna)
    return CategoryColumn(
        px.where(made.isna(), made.values.dtype.type(-1), made.values), column.dtype
    )


def _of_objects(column: Column, name: str, skipna: bool) -> Column:
    """Texts and objects, by Python on the host."""
    if isinstance(column, StringColumn) and name == "cumprod":
        return refuse(name, column)  # type: ignore[no-any-return]
    function = _OF_PYTHON[name]
    made: list[Any] = []
    state: Any = None
    ended = False
    for value in column:
        gone = is_missing(value) or ended
        ended = ended or (gone and not skipna)
        if not gone:
            state = value if state is None else function(state, value)
        made.append(np.nan if gone else state)
    found = ObjectColumn(object_array(made))
    return found.astype(column.dtype) if isinstance(column, StringColumn) else found
