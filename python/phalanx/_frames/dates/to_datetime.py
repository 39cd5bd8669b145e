"""`to_datetime`: texts, numbers, parts and objects as dates."""

from __future__ import annotations

import datetime
from typing import Any, NoReturn

import numpy as np

import phalanx as px
from phalanx.errors import OutOfBoundsDatetime

from .. import above
from ..building.columns import column_from, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn, of_texts
from ..dtypes import DatetimeTZDtype, family, unit_of
from ..in_place import in_place
from ..indexes.labels import Labels
from ..missing import is_missing
from ..scalars import NaT, Timedelta, Timestamp
from ..scalars.units import unit_named
from ..shared.base import Labelled
from .assembling import assembled
from .counting import counted_column
from .parsing import Reading, dates_of_texts, refuse_several_zones


@in_place
def to_datetime(
    arg: Any,
    errors: str = "raise",
    dayfirst: bool = False,
    yearfirst: bool = False,
    utc: bool = False,
    format: str | None = None,
    exact: bool = True,
    unit: str | None = None,
    origin: Any = "unix",
    cache: bool = True,
) -> Any:
    """Dates: a `Timestamp` of one thing, a series of a series or frame, else a DatetimeIndex.

    ``format`` is one of ``strptime``, 'ISO8601' or 'mixed'; without it all texts are to have that
    of the first one. Numbers are counts of ``unit`` ('ns') since ``origin``. A frame or a dict has
    year, month, day and so on as columns. Raises ValueError for what is no date unless ``errors``
    is 'coerce', which makes it NaT, and TypeError for other dtypes.

    >>> px.to_datetime("2026-01-31")
    Timestamp('2026-01-31 00:00:00')
    """
    if errors not in ("raise", "coerce"):
        raise ValueError("errors must be one of 'raise', or 'coerce'.")
    if not exact:
        raise NotImplementedError("to_datetime(exact=False) is not supported: cut the texts first")
    if unit is not None and format is not None:
        raise ValueError("cannot specify both format and unit")
    arg = ours(arg)
    if arg is None:
        return NaT
    reading = Reading(format, errors == "coerce", utc, dayfirst, yearfirst)
    if origin != "unix":
        arg = _from_origin(arg, origin, unit)
    if isinstance(arg, (above.DataFrame, dict)):
        frame = arg if isinstance(arg, above.DataFrame) else above.DataFrame(arg)
        made = assembled(frame, coerce=reading.coerce)
        return above.Series._of(_in_utc(made, utc), frame._index)
    return _converted(arg, reading, unit)


def _converted(arg: Any, reading: Reading, unit: str | None) -> Any:
    if isinstance(arg, Labelled):
        made = date_column(arg._parts[0], reading, unit)
        return above.Series._of(made, arg._index, arg._name)  # type: ignore[attr-defined]
    if isinstance(arg, Labels):
        return Labels._of(date_column(arg._values_column(), reading, unit), arg._name)
    if isinstance(arg, (str, bytes)) or not hasattr(arg, "__iter__"):
        return date_column(ObjectColumn(_single(arg)), reading, unit).element(0)
    return Labels._of(date_column(column_from(arg), reading, unit))


def _single(value: Any) -> np.ndarray:
    made = np.empty(1, object)
    made[0] = value
    return made


def date_column(column: Column, how: Reading, unit: str | None) -> Column:
    """A column as one of dates."""
    kind = family(column.dtype)
    if isinstance(column, CategoryColumn):
        return date_column(column.values(), how, unit)
    if kind in ("datetime", "zoned"):
        return _in_utc(column, how.utc)
    if isinstance(column, StringColumn):
        return _of_text(column, how, unit)
    if isinstance(column, ObjectColumn):
        return _of_objects(column.objects, how, unit)
    if kind in ("bool", "timedelta") or column.dtype.kind not in "iuf":
        raise TypeError(f"dtype {column.dtype} cannot be converted to datetime64[ns]")
    assert isinstance(column, NumberColumn)
    if how.format is not None and not np.asarray(column.isna()).all():
        return _of_objects(column.objects_of(), how, unit)
    return _in_utc(_of_numbers(column, how, unit), how.utc)


def _of_numbers(column: NumberColumn, how: Reading, unit: str | None) -> NumberColumn:
    if not len(column) or np.asarray(column.isna()).all():
        return NumberColumn(px.full(len(column), np.datetime64("NaT", "s"), "M8[s]"))
    named = _unit(unit or "ns")

    def refuse(number: Any) -> NoReturn:
        raise OutOfBoundsDatetime(f"cannot convert input {number} with the unit {named!r}")

    return counted_column(column, named, "M", None if how.coerce else refuse)


def _unit(unit: str) -> str:
    try:
        return unit_named(unit)
    except ValueError as error:
        raise ValueError(f"Unrecognized unit {unit}") from error


def _in_utc(column: Any, utc: bool) -> Column:
    """The column, with ``utc`` in UTC: what has no zone is UTC."""
    if not utc:
        return column  # type: ignore[no-any-return]
    return NumberColumn(column.values, None, DatetimeTZDtype(unit_of(column.dtype), "UTC"))


def _of_text(column: StringColumn, how: Reading, unit: str | None) -> NumberColumn:
    if unit is None or not len(column):
        return dates_of_texts(column, how)
    return dates_of_texts(column, how._replace(format="mixed"))


def _of_objects(objects: np.ndarray, how: Reading, unit: str | None) -> Column:
    """Objects of any kinds: texts alone are a column of text."""
    gone = [is_missing(each) for each in objects]
    there = [each for each, lost in zip(objects, gone, strict=True) if not lost]
    by_format = how.format is not None and not any(map(_is_date, there))
    if there and (isinstance(there[0], str) or by_format) and not any(map(_is_date, there)):
        # Numbers beside texts are read as what they are written as.
        texts = [None if lost else str(each) for each, lost in zip(objects, gone, strict=True)]
        if unit is None and not any(isinstance(each, (bool, bytes)) for each in there):
            return dates_of_texts(of_texts(texts, np.array(gone)), how)  # type: ignore[arg-type]
    made = [
        NaT if lost else _one(each, how, unit) for each, lost in zip(objects, gone, strict=True)
    ]
    if all(each is NaT for each in made):
        return _in_utc(
            NumberColumn(px.full(len(made), np.datetime64("NaT", "s"), "M8[s]")), how.utc
        )
    if how.utc:
        made = [each if each is NaT else _utc(each) for each in made]
    column = column_of(made)
    if isinstance(column, ObjectColumn):
        refuse_several_zones()
    return column


def _is_date(value: Any) -> bool:
    return isinstance(value, (datetime.date, np.datetime64))


def _utc(moment: Any) -> Any:
    return moment.tz_localize("UTC") if moment.tzinfo is None else moment.tz_convert("UTC")


def _one(value: Any, how: Reading, unit: str | None) -> Any:
    """A Timestamp of one thing, NaT of what is none where errors are coerced."""
    if isinstance(value, str):
        asked = how if unit is None else how._replace(format="mixed")
        return dates_of_texts(of_texts([value]), asked).element(0)
    if isinstance(value, (bool, np.bool_, bytes, datetime.timedelta, np.timedelta64)):
        if how.coerce:
            return NaT
        raise TypeError(f"{type(value)} is not convertible to datetime")
    try:
        return Timestamp(value, unit=None if unit is None else _unit(unit))
    except (OutOfBoundsDatetime, TypeError):
        if how.coerce:
            return NaT
        raise


def _from_origin(arg: Any, origin: Any, unit: str | None) -> Any:
    """Numbers as those that count from 1970. Raises ValueError, TypeError for what is none."""
    named = unit_named(unit or "ns")
    if isinstance(origin, str) and origin == "julian":
        if unit != "D":
            raise ValueError("unit must be 'D' for origin='julian'")
        shift: Any = -2440587.5
    else:
        start = Timestamp(origin)
        if start.tzinfo is not None:
            raise ValueError(f"origin offset {origin} must be tz-naive")
        shift = (start - Timestamp(0)) // Timedelta(1, named)
    if isinstance(arg, (Labelled, Labels)):
        return arg + shift
    if isinstance(arg, (int, float, np.number)):
        return arg + shift
    numbers = np.asarray(arg)
    if numbers.dtype.kind not in "iuf":
        raise ValueError(
            f"'{arg}' is not compatible with origin='{origin}'; it must be numeric with a unit "
            "specified"
        )
    return numbers + shift
