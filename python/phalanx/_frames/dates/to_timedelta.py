"""`to_timedelta`: texts, numbers and objects as durations."""

from __future__ import annotations

from typing import Any, NoReturn

import numpy as np

import phalanx as px
from phalanx.errors import OutOfBoundsTimedelta

from .. import above
from ..building.columns import column_from, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn
from ..dtypes import UNITS, family
from ..in_place import in_place
from ..indexes.labels import Labels
from ..missing import is_missing
from ..scalars import NaT, Timedelta
from ..scalars.units import unit_named
from ..shared.base import Labelled
from .counting import counted_column


@in_place
def to_timedelta(arg: Any, unit: str | None = None, errors: str = "raise") -> Any:
    """Durations: a `Timedelta` of one thing, a series of a series, else a TimedeltaIndex.

    Numbers are of ``unit`` ('ns'). Raises ValueError for what is no duration unless ``errors`` is
    'coerce', which makes it NaT, and TypeError for other dtypes.

    >>> px.to_timedelta("90min")
    Timedelta('0 days 01:30:00')
    """
    if errors not in ("raise", "coerce"):
        raise ValueError("errors must be one of 'raise', or 'coerce'.")
    named = None if unit is None else unit_named(unit)
    coerce = errors == "coerce"
    arg = ours(arg)
    if arg is None:
        return NaT
    if isinstance(arg, Labelled):
        if arg.ndim != 1:
            raise TypeError("arg must be a string, timedelta, list, tuple, 1-d array, or Series")
        made = duration_column(arg._parts[0], named, coerce)
        return above.Series._of(made, arg._index, arg._name)  # type: ignore[attr-defined]
    if isinstance(arg, Labels):
        return Labels._of(duration_column(arg._values_column(), named, coerce), arg._name)
    if isinstance(arg, str) or not hasattr(arg, "__iter__"):
        return _one(arg, named, coerce)
    return Labels._of(duration_column(_column_of(arg), named, coerce))


def _column_of(values: Any) -> Column:
    """A column of a list or an array; of a list of dates, or of missing ones alone, the objects."""
    column = column_from(values)
    if hasattr(values, "dtype"):
        return column
    is_objects = family(column.dtype) == "datetime" or (
        family(column.dtype) == "number" and len(column) and bool(px.all(column.isna()))
    )
    return ObjectColumn(column.objects_of()) if is_objects else column


def duration_column(column: Column, unit: str | None, coerce: bool) -> Column:
    """A column as one of durations."""
    if isinstance(column, CategoryColumn):
        column = column.values()
    kind = family(column.dtype)
    if kind == "timedelta":
        return column
    if isinstance(column, (StringColumn, ObjectColumn)):
        return _of_objects(column.to_numpy(), unit, coerce)
    if kind in ("bool", "datetime", "zoned") or column.dtype.kind not in "iuf":
        raise TypeError(f"dtype {column.dtype} cannot be converted to timedelta64[ns]")
    assert isinstance(column, NumberColumn)
    if not len(column):
        return NumberColumn(px.zeros(0, "m8[ns]" if unit in (None, "ns") else "m8[us]"))

    def refuse(number: Any) -> NoReturn:
        raise OutOfBoundsTimedelta(f"Cannot cast {number} from {unit or 'ns'} without overflow.")

    return counted_column(column, unit or "ns", "m", None if coerce else refuse)


def _of_objects(objects: np.ndarray, unit: str | None, coerce: bool) -> NumberColumn:
    known: dict[Any, Any] = {}
    made = []
    for each in objects:
        # A text is read once, however often it is there.
        if isinstance(each, str) and each in known:
            made.append(known[each])
            continue
        found = NaT if is_missing(each) else _one(each, unit, coerce)
        if isinstance(each, str):
            known[each] = found
        made.append(found)
    units = {each.unit for each in made if each is not NaT}
    finest = max(units, key=UNITS.index, default="s")
    nothing = np.iinfo(np.int64).min
    counts = [nothing if each is NaT else each.as_unit(finest)._value for each in made]
    return NumberColumn(px.asarray(np.array(counts, np.int64).view(f"m8[{finest}]")))


def _one(value: Any, unit: str | None, coerce: bool) -> Any:
    if isinstance(value, str) and unit is not None and not coerce:
        raise ValueError("unit must not be specified if the input contains a str")
    if isinstance(value, (bool, np.bool_)) and not coerce:
        raise TypeError(f"Invalid type for timedelta scalar: {type(value)}")
    try:
        return Timedelta(value, **({} if isinstance(value, str) else {"unit": unit}))
    except (ValueError, TypeError):
        if coerce:
            return NaT
        raise
