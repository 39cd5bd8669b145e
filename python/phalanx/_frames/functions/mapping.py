"""Functions of the elements of one column."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..columns.numbers import NumberColumn, nullable
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn
from ..dtypes import ArrowDtype, NullableDtype
from ..missing import is_missing
from .compiled import UserFunction, of_elements
from .row_by_row import results_of


def mapped(
    column: Column, func: Any, kwargs: dict[str, Any], na_action: str | None, index: Any
) -> Column:
    """What a function makes of each element, as ``Series.map`` has it."""
    function = UserFunction(func, (), kwargs)
    made = of_elements(function, column, index, na_action)
    if made is None:
        skips = na_action == "ignore"
        values = results_of(
            lambda each: each if skips and is_missing(each) else function(each),
            column.tolist(),
            index,
        )
        made = column_of(values) if values else column
    return like(column, made)


def like(column: Column, made: Column) -> Column:
    """What is made of nullable values is nullable too, where that can be; texts keep a dtype."""
    if isinstance(made, StringColumn) and isinstance(column, StringColumn):
        return StringColumn(*made.parts, column.dtype)
    if isinstance(column, DecimalColumn) and isinstance(made, ObjectColumn):
        return _decimals_of(column, made)
    if not isinstance(column.dtype, (ArrowDtype, NullableDtype)):
        return made
    if isinstance(made, ObjectColumn):
        return _nullable_of(column, made.objects_of()) or made
    plain = isinstance(made, NumberColumn) and isinstance(made.dtype, np.dtype)
    if not plain or made.dtype.kind not in "biuf":
        return made
    if made.dtype == np.float16:
        made = made.astype(np.dtype(np.float64))
    if made.dtype.kind == "f" and bool(made.isna().all()):
        return column.missing(len(made))
    assert isinstance(made, NumberColumn)
    return nullable(made.values, made.valid)


def _decimals_of(column: DecimalColumn, made: ObjectColumn) -> Column:
    """Decimals of as many digits as the column's, where the dtype has them all."""
    objects = made.objects_of()
    known = [each for each in objects if not is_missing(each)]
    if not all(isinstance(each, decimal.Decimal) for each in known):
        return made
    try:
        return made.astype(column.dtype)
    except ValueError:
        return made


def _nullable_of(column: Column, objects: np.ndarray) -> Column | None:
    """Numbers among missing values; None where there is something else."""
    there = ~np.array([is_missing(each) for each in objects], bool)
    values = list(objects[there])
    if not values:
        return column.missing(len(objects))
    made = column_of(values)
    if not isinstance(made, NumberColumn) or made.dtype.kind not in "biuf":
        return None
    places = np.where(there, np.cumsum(there) - 1, -1)
    return nullable(made.values, None).take(px.asarray(places), has_missing=True)
