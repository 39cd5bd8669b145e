"""The dtype that pandas takes for a list of Python's objects."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..dtypes import STR, UNITS, DatetimeTZDtype, Dtype, PeriodDtype, finer_unit, zone_name
from ..missing import NA
from .column import Column
from .from_objects import date_of, duration_of, missing_of, of_objects, with_own_na
from .intervals import IntervalColumn
from .numbers import NumberColumn
from .objects import ObjectColumn
from .periods import of_period_objects

_WIDEST = np.iinfo(np.int64).max


def kind_of(value: Any) -> str:
    """What sort of object one is; 'object' for those that columns keep as they are."""
    for types, kind in _KINDS:
        if isinstance(value, types):
            return kind
    if isinstance(value, type):  # which has the methods of its objects
        return "object"
    if hasattr(value, "to_datetime64"):
        return "datetime"
    if hasattr(value, "closed_left"):
        return "interval"
    if hasattr(value, "ordinal") and hasattr(value, "asfreq"):
        return "period"
    return "object"


# The first that fits: a bool is an int, a datetime is a date, NumPy's durations are integers.
_KINDS: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), "bool"),
    (np.datetime64, "datetime"),
    ((np.timedelta64, datetime.timedelta), "timedelta"),
    ((int, np.integer), "int"),
    ((float, np.floating), "float"),
    ((complex, np.complexfloating), "complex"),
    (str, "text"),
    (datetime.datetime, "datetime"),
)


def infer(objects: np.ndarray) -> Column:
    """A column of objects in the dtype that pandas infers; of objects where none fits."""
    gone = missing_of(objects)
    kinds = {kind_of(each) for each in objects[~gone]}
    sorts = {_missing_sort(each) for each in objects[gone]}
    make = _MAKERS.get(frozenset(kinds))
    if make is None or not sorts <= make[1]:
        return ObjectColumn(with_own_na(objects))
    return make[0](objects, gone)


def _missing_sort(value: Any) -> str:
    if value is None:
        return "None"
    if value is NA or type(value).__name__ == "NAType":
        return "NA"
    return "NaN" if isinstance(value, (float, np.floating, complex, np.complexfloating)) else "NaT"


def _nothing(objects: np.ndarray, gone: np.ndarray) -> Column:
    """Missing values alone: floats for NaN, seconds for NaT, objects for None."""
    sorts = {_missing_sort(each) for each in objects}
    if "NaT" in sorts:
        return _empty_times(objects, gone)
    if "NaN" in sorts and "NA" not in sorts:
        return NumberColumn(px.full(len(objects), np.nan))
    return ObjectColumn(with_own_na(objects))


def _empty_times(objects: np.ndarray, gone: np.ndarray) -> Column:
    """NaT is a date where nothing says that it is a duration."""
    if any(isinstance(each, np.timedelta64) for each in objects):
        return of_objects(objects, gone, np.dtype("m8[ns]"))
    return of_objects(objects, gone, np.dtype("M8[s]"))


def _of(dtype: str) -> Callable[[np.ndarray, np.ndarray], Column]:
    def make(objects: np.ndarray, gone: np.ndarray) -> Column:
        return of_objects(objects, gone, np.dtype(dtype))

    return make


def _text(objects: np.ndarray, gone: np.ndarray) -> Column:
    return of_objects(objects, gone, STR)


def _ints(objects: np.ndarray, gone: np.ndarray) -> Column:
    """int64, above it uint64, objects where neither holds all; floats where some are missing."""
    kept = objects[~gone]
    low, high = min(kept), max(kept)
    if low < -_WIDEST - 1 or high > 2 * _WIDEST + 1:
        return ObjectColumn(with_own_na(objects))
    if gone.any():
        return of_objects(objects, gone, np.dtype(np.float64))
    if all(isinstance(each, np.integer) for each in kept):
        return NumberColumn(px.asarray(np.array(list(kept))))
    if low >= -_WIDEST - 1 and high <= _WIDEST:
        return of_objects(objects, gone, np.dtype(np.int64))
    if low >= 0 and high <= 2 * _WIDEST + 1:
        return of_objects(objects, gone, np.dtype(np.uint64))
    return ObjectColumn(objects)


def _mixed(objects: np.ndarray, gone: np.ndarray) -> Column:
    """float64 of ints and floats; objects where an int is beyond 64 bits."""
    ints = [each for each in objects[~gone] if isinstance(each, int)]
    if min(ints, default=0) < -_WIDEST - 1 or max(ints, default=0) > 2 * _WIDEST + 1:
        return ObjectColumn(with_own_na(objects))
    return of_objects(objects, gone, np.dtype(np.float64))


def _floats(objects: np.ndarray, gone: np.ndarray) -> Column:
    """float64, or the dtype of NumPy's scalars where all are such."""
    if all(isinstance(each, np.floating) for each in objects):
        return NumberColumn(px.asarray(np.array(list(objects))))
    return of_objects(objects, gone, np.dtype(np.float64))


def _durations(objects: np.ndarray, gone: np.ndarray) -> Column:
    units = {_unit(duration_of(each), each) for each in objects[~gone]}
    return of_objects(objects, gone, np.dtype(f"m8[{finer_unit(*units)}]"))


def _dates(objects: np.ndarray, gone: np.ndarray) -> Column:
    """Dates of one zone, or of none; objects where zones are mixed."""
    kept = objects[~gone]
    zones = [getattr(each, "tzinfo", None) for each in kept]
    names = {None if each is None else zone_name(each) for each in zones}
    if len(names) > 1:
        return ObjectColumn(objects)
    unit = finer_unit(*(_unit(date_of(each), each) for each in kept))
    dtype: Dtype = np.dtype(f"M8[{unit}]")
    if zones[0] is not None:
        dtype = DatetimeTZDtype(unit, zones[0])
    return of_objects(objects, gone, dtype)


def _intervals(objects: np.ndarray, gone: np.ndarray) -> Column:
    """Intervals closed on one side; objects where sides or kinds of bounds are mixed."""
    sides = {each.closed for each in objects[~gone]}
    bounds = []
    for name in ("left", "right"):
        values = np.full(len(objects), np.nan, object)
        values[~gone] = [getattr(each, name) for each in objects[~gone]]
        bounds.append(infer(values))
    left, right = bounds
    if not isinstance(left, NumberColumn) or not isinstance(right, NumberColumn) or len(sides) > 1:
        return ObjectColumn(objects)
    if left.dtype != right.dtype:
        if (left.dtype.kind + right.dtype.kind).strip("iuf"):
            return ObjectColumn(objects)
        common = np.promote_types(left.values.dtype, right.values.dtype)
        left, right = (NumberColumn(each.values.astype(common)) for each in (left, right))
    return IntervalColumn(left, right, sides.pop())


def _periods(objects: np.ndarray, gone: np.ndarray) -> Column:
    """Periods of one frequency; objects where there are several."""
    lengths = {each.freqstr for each in objects[~gone]}
    if len(lengths) > 1:
        return ObjectColumn(with_own_na(objects))
    return of_period_objects(objects, PeriodDtype(lengths.pop()))


def _unit(read: Any, value: Any) -> str:
    """The unit of one date or duration; those of pandas know theirs."""
    known = getattr(value, "unit", None)
    if isinstance(known, str) and known in UNITS:
        return known
    return np.datetime_data(read.dtype)[0] if hasattr(read, "dtype") else "us"


Maker = tuple[Callable[[np.ndarray, np.ndarray], Column], set[str]]
_FLOATS_MISS, _TIMES_MISS = {"None", "NaN"}, {"None", "NaN", "NaT"}
# Which kinds of objects, without the missing, make a column, and which missing values it takes.
_MAKERS: dict[frozenset[str], Maker] = {
    frozenset(): (_nothing, {"None", "NaN", "NaT", "NA"}),
    frozenset({"bool"}): (_of("bool"), set()),
    frozenset({"int"}): (_ints, _FLOATS_MISS),
    frozenset({"float"}): (_floats, _FLOATS_MISS),
    frozenset({"int", "float"}): (_mixed, _FLOATS_MISS),
    frozenset({"text"}): (_text, {"None", "NaN", "NA"}),
    frozenset({"datetime"}): (_dates, _TIMES_MISS),
    frozenset({"timedelta"}): (_durations, _TIMES_MISS),
    frozenset({"period"}): (_periods, _TIMES_MISS),
    frozenset({"interval"}): (_intervals, _FLOATS_MISS),
} | {
    frozenset({"complex", *others}): (_of("complex128"), _FLOATS_MISS)
    for others in ((), ("int",), ("float",), ("int", "float"))
}
