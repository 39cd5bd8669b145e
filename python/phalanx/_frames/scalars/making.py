"""Timestamps of what programs have: texts, dates of other libraries, numbers, parts."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from phalanx.errors import OutOfBoundsDatetime, OutOfBoundsTimedelta

from ..dtypes import zone_of
from .date_texts import MISSING_TEXTS, ReadDate, read_date
from .nat import NaT
from .timestamp import Timestamp, of_count, of_wall
from .units import NANOSECONDS, PER_SECOND, counted, fits, unit_named

_PARTS = ("year", "month", "day", "hour", "minute", "second", "microsecond")


def of_input(given: Any, unit: str | None, tz: Any, fold: int | None = None) -> Any:
    """A Timestamp of one thing, NaT of a missing one."""
    zone = None if tz is None else zone_of(tz)
    if isinstance(given, str):
        return _of_text(given, zone)
    if isinstance(given, (datetime.datetime, datetime.date)):
        return NaT if given is NaT else _of_python(given, zone, fold)
    if isinstance(given, np.datetime64):
        return _in_zone(*_numpy_count(given), zone)
    if given is None or type(given).__name__ in ("NAType", "NaTType"):
        return NaT
    if isinstance(given, (bool, np.bool_, np.timedelta64)) or not isinstance(
        given, (int, float, np.number)
    ):
        raise TypeError(f"Cannot convert input [{given}] of type {type(given)} to Timestamp")
    if given != given:
        return NaT
    return of_count(*_number_count(given, unit or "ns"), zone)


def _number_count(given: Any, unit: str) -> tuple[int, str]:
    try:
        return counted(given, unit_named(unit))
    except (OutOfBoundsTimedelta, OverflowError):
        raise OutOfBoundsDatetime(f"cannot convert input {given} with the unit {unit!r}") from None


def _in_zone(count: int, unit: str, zone: Any) -> Any:
    """What the clocks of a zone show, or a date without one."""
    return of_wall(count, unit, zone) if zone is not None else of_count(count, unit)


def _numpy_count(given: np.datetime64) -> tuple[int, str]:
    unit = np.datetime_data(given.dtype)[0]
    if unit in NANOSECONDS or given != given:
        return int(given.astype(np.int64)), unit if unit in NANOSECONDS else "s"
    return int(given.astype("M8[s]").astype(np.int64)), "s"


def _of_python(given: Any, zone: Any, fold: int | None) -> Any:
    if isinstance(given, Timestamp):
        if zone is None:
            return given
        if given.tzinfo is None:
            return given.tz_localize(zone)
        return given.tz_convert(zone)
    other = getattr(given, "asm8", None)  # Another library's, in UTC.
    if other is not None:
        own = given.tzinfo
        if own is not None:
            return of_count(*_numpy_count(other), zone or own)
        return _in_zone(*_numpy_count(other), zone)
    if not isinstance(given, datetime.datetime):
        days = given.toordinal() - 719163
        return _in_zone(days * 86400, "s", zone)
    return _of_datetime(given, zone, fold)


def _of_datetime(given: datetime.datetime, zone: Any, fold: int | None) -> Any:
    if given.tzinfo is not None and zone is not None:
        raise ValueError(
            "Cannot pass a datetime or Timestamp with tzinfo with the tz parameter. Use "
            "tz_convert instead."
        )
    if fold is not None:
        given = given.replace(fold=fold)
    count = _wall_count(given)
    own = given.tzinfo
    if own is None:
        if zone is not None and (fold is not None or given.fold):
            return _of_datetime(given.replace(tzinfo=zone), None, fold)
        return _in_zone(count, "us", zone)
    offset = given.utcoffset() or datetime.timedelta(0)
    return of_count(count - offset // datetime.timedelta(microseconds=1), "us", own)


def _wall_count(given: datetime.datetime) -> int:
    days = given.toordinal() - 719163
    seconds = ((days * 24 + given.hour) * 60 + given.minute) * 60 + given.second
    return seconds * 10**6 + given.microsecond


def _of_text(text: str, zone: Any) -> Any:
    if text in MISSING_TEXTS:
        return NaT
    if text.strip() in ("now", "today"):
        return Timestamp.now(zone)
    return of_read(read_date(text), zone, text)


def of_read(read: ReadDate, zone: Any = None, text: str = "") -> Any:
    """A Timestamp of what a text says, in the zone of its offset if no other is given."""
    unit = read.unit
    count = read.count(unit)
    if not fits(count):
        raise OutOfBoundsDatetime(f"Out of bounds nanosecond timestamp: {text}")
    if read.offset is None:
        return _in_zone(count, unit, zone)
    count -= read.offset * PER_SECOND[unit]
    return of_count(count, unit, zone if zone is not None else zone_of_offset(read.offset))


def zone_of_offset(seconds: int) -> Any:
    """The time zone that is always so far from UTC."""
    if seconds == 0:
        return datetime.UTC
    return datetime.timezone(datetime.timedelta(seconds=seconds))


def of_parts(parts: list[Any], nanosecond: int, tz: Any, fold: int | None) -> Any:
    """A Timestamp of year, month, day and so on, None of which is the default.

    Raises TypeError where one of the first three is not given.
    """
    for i, name in enumerate(_PARTS[:3]):
        if parts[i] is None:
            raise TypeError(f"function missing required argument '{name}' (pos {i + 1})")
    given = datetime.datetime(*(int(each or 0) for each in parts), fold=fold or 0)  # type: ignore[arg-type]
    made = of_input(given, None, tz, fold)
    if nanosecond == 0 or made is NaT:
        return made
    return _with_nanosecond(made, nanosecond)


def _with_nanosecond(made: Any, nanosecond: int) -> Any:
    exact = made.as_unit("ns")
    return of_count(exact._value - exact.nanosecond + nanosecond, "ns", exact.tzinfo)


def replaced(given: Timestamp, parts: dict[str, Any]) -> Any:
    """A Timestamp with other fields. Raises TypeError for a name that is none of them."""
    parts = dict(parts)
    nanosecond = parts.pop("nanosecond", None)
    zone = parts.pop("tzinfo", given.tzinfo)
    fold = parts.pop("fold", None)
    unknown = parts.keys() - set(_PARTS)
    if unknown:
        raise TypeError(f"replace() got an unexpected keyword argument {sorted(unknown)[0]!r}")
    plain = given.to_pydatetime().replace(tzinfo=None, **parts)
    kept = given.nanosecond if nanosecond is None else nanosecond
    unit = "ns" if nanosecond else given.unit
    finer = "us" if unit in ("s", "ms") and plain.microsecond else unit
    plain = plain.replace(fold=given.fold if fold is None else fold)
    if zone is not None:
        made = _of_datetime(plain.replace(tzinfo=zone), None, None)
    else:
        made = _of_datetime(plain, None, None)
    made = made.as_unit(finer if not _divides(made, unit) else unit)
    return _with_nanosecond(made, kept) if kept else made


def _divides(made: Timestamp, unit: str) -> bool:
    """Returns whether a date is a whole number of a unit."""
    return made._value % max(NANOSECONDS[unit] // NANOSECONDS[made._unit], 1) == 0
