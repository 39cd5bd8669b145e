"""Columns of text as dates: by a format, by ISO 8601, or each row by itself."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple, NoReturn

import numpy as np

import phalanx as px
from phalanx.errors import DateParseError, OutOfBoundsDatetime

from .. import engine
from ..columns import string_rows
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn
from ..dtypes import DatetimeTZDtype
from ..scalars import NaT, Timestamp
from ..scalars.date_texts import guessed_format, read_date
from ..scalars.making import of_read, zone_of_offset
from ..scalars.units import NAT_VALUE, PER_SECOND

_READ, _MISSING, _UNLIKE, _NO_DATE = range(4)
_NO_OFFSET = np.iinfo(np.int32).min
# Directives that are read in Python, row by row.
_OF_PYTHON = ("%U", "%W", "%w", "%u", "%G", "%V", "%c", "%x", "%X")
_HINT = (
    ". You might want to try:\n"
    "    - passing `format` if your strings have a consistent format;\n"
    "    - passing `format='ISO8601'` if your strings are all ISO8601 but not necessarily in "
    "exactly the same format;\n"
    "    - passing `format='mixed'`, and the format will be inferred for each element "
    "individually. You might want to use `dayfirst` alongside this."
)


class Reading(NamedTuple):
    """How texts are read: the format (None: that of the first text), and what of errors."""

    format: str | None
    coerce: bool
    utc: bool
    dayfirst: bool
    yearfirst: bool


class _Found(NamedTuple):
    values: np.ndarray  # int64 counts of what clocks show, NaT's where nothing was read
    offsets: np.ndarray | None
    states: np.ndarray | None
    unit: str


def dates_of_texts(column: StringColumn, how: Reading) -> NumberColumn:
    """A column of dates. Raises ValueError for the first text that is none, unless `how` says that
    it is NaT; also for texts of several offsets from UTC.
    """
    format_of_all = how.format or _guessed(column, how)
    if format_of_all == "ISO8601":
        return _finished(column, _parsed(column, ""), format_of_all, how)
    if format_of_all is None or format_of_all == "mixed":
        return _one_by_one(column, how)
    if any(each in format_of_all for each in _OF_PYTHON):
        return _by_strptime(column, format_of_all, how)
    _check_directives(format_of_all)
    return _finished(column, _parsed(column, format_of_all), format_of_all, how)


def _guessed(column: StringColumn, how: Reading) -> str | None:
    """The format of the first text that is there."""
    there = np.flatnonzero(~np.asarray(column.isna()))
    for row in there[:1000].tolist():
        text = column.element(row)
        if text not in ("", "NaT", "nat", "NAT", "nan", "NaN", "NAN"):
            return guessed_format(text, dayfirst=how.dayfirst, yearfirst=how.yearfirst)
    return None


def _check_directives(given: str) -> None:
    parts = given.replace("%%", "").split("%")[1:]
    for part in parts:
        if part[:1] not in tuple("YymdHIMSfpbBaAjzZ"):
            raise ValueError(f"'{part[:1]}' is a bad directive in format '{given}'")


def _parsed(column: StringColumn, given: str) -> _Found:
    key = string_rows.key_of(column.parts)
    unit = "us"
    values, offsets, states, is_fine = engine.of_host("parse_dates", key, given, unit)
    if is_fine:
        unit = "ns"
        values, offsets, states, _ = engine.of_host("parse_dates", key, given, unit)
    return _Found(values, offsets, states, unit)


def _finished(column: StringColumn, found: _Found, given: str, how: Reading) -> NumberColumn:
    if found.states is not None and not how.coerce:
        row = int(np.argmax(found.states > _MISSING))
        _refuse(column.element(row), int(found.states[row]), given)
    unit = found.unit if (found.values != NAT_VALUE).any() else "s"
    return _zoned(found.values, found.offsets, unit, how.utc)


def _refuse(text: str, state: int, given: str) -> NoReturn:
    """Raise the error for a row that was not read."""
    if given == "ISO8601" and state <= _NO_DATE:
        raise ValueError(f"Time data {text} is not ISO8601 format{_HINT}")
    if state == _UNLIKE:
        raise ValueError(f'time data "{text}" doesn\'t match format "{given}"{_HINT}')
    if state == _NO_DATE:
        raise ValueError(f'day is out of range for month: "{text}"{_HINT}')
    raise OutOfBoundsDatetime(f"Out of bounds nanosecond timestamp: {text}")


def _zoned(values: np.ndarray, offsets: np.ndarray | None, unit: str, utc: bool) -> NumberColumn:
    """Counts of what clocks show as a column, in UTC where their offsets are known."""
    missing = values == NAT_VALUE
    zone: Any = datetime.UTC if utc else None
    if offsets is not None:
        named = offsets[~missing]
        different = np.unique(named)
        if not utc and len(different) > 1:
            refuse_several_zones()
        known = np.where(offsets == _NO_OFFSET, 0, offsets).astype(np.int64)
        values = np.where(missing, NAT_VALUE, values - known * PER_SECOND[unit])
        if not utc and len(different) and different[0] != _NO_OFFSET:
            zone = zone_of_offset(int(different[0]))
    times = px.asarray(np.ascontiguousarray(values).view(f"M8[{unit}]"))
    return NumberColumn(times, None, None if zone is None else DatetimeTZDtype(unit, zone))


def refuse_several_zones() -> NoReturn:
    """Raise the ValueError for dates of several zones, or with and without one."""
    raise ValueError(
        "Mixed timezones detected. Pass utc=True in to_datetime or tz='UTC' in DatetimeIndex to "
        "convert to a common timezone."
    )


def _one_by_one(column: StringColumn, how: Reading) -> NumberColumn:
    """Each row in the format that it has: ISO 8601 by the engine, the others here."""
    if how.dayfirst or how.yearfirst:
        rows = np.flatnonzero(~np.asarray(column.isna()))
        nothing = np.full(len(column), NAT_VALUE)
        found = _Found(nothing, None, None, "us")
    else:
        found = _parsed(column, "")
        if found.states is None:
            return _finished(column, found, "mixed", how)
        rows = np.flatnonzero(found.states > _MISSING)
    made = {row: _read(column.element(row), how) for row in rows.tolist()}
    finest = {each.unit for each in made.values() if each is not NaT}
    if "ns" in finest and found.unit == "us":
        values, offsets, states, _ = engine.of_host(
            "parse_dates", string_rows.key_of(column.parts), "", "ns"
        )
        found = _Found(values, offsets, states, "ns")
    return _filled(found, made, how)


def _read(text: str, how: Reading) -> Any:
    if text in ("now", "today"):
        return Timestamp.now()
    if text in ("", "NaT", "nat", "NAT", "nan", "NaN", "NAN"):
        return NaT
    try:
        read = read_date(text, dayfirst=how.dayfirst, yearfirst=how.yearfirst)
        return of_read(read, None, text)
    except (DateParseError, OutOfBoundsDatetime):
        if how.coerce:
            return NaT
        raise


def _filled(found: _Found, made: dict[int, Any], how: Reading) -> NumberColumn:
    """The rows that the engine read, and those of a dict."""
    values = found.values.copy()
    offsets = np.full(len(values), _NO_OFFSET, np.int32)
    if found.offsets is not None:
        offsets = found.offsets.copy()
    for row, moment in made.items():
        if moment is NaT:
            continue
        exact = moment.as_unit(found.unit)
        offset = exact.utcoffset()
        values[row] = exact._value
        if offset is not None:
            seconds = round(offset.total_seconds())
            offsets[row] = seconds
            values[row] += seconds * PER_SECOND[found.unit]
    unit = found.unit if (values != NAT_VALUE).any() else "s"
    return _zoned(values, offsets, unit, how.utc)


def _by_strptime(column: StringColumn, given: str, how: Reading) -> NumberColumn:
    made: dict[int, Any] = {}
    for row in np.flatnonzero(~np.asarray(column.isna())).tolist():
        text = column.element(row)
        try:
            made[row] = Timestamp(datetime.datetime.strptime(text, given))
        except ValueError:
            if not how.coerce:
                _refuse(text, _UNLIKE, given)
    nothing = np.full(len(column), NAT_VALUE)
    return _filled(_Found(nothing, None, None, "us"), made, how)
