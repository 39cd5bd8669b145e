"""Evenly spaced dates and durations."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

import phalanx as px

from ..columns.numbers import NumberColumn
from ..dtypes import UNITS, DatetimeTZDtype, zone_name, zone_of
from ..missing import is_missing
from ..offsets.days import CustomOffset
from ..offsets.frequencies import Frequency, frequency_of
from ..offsets.spans import Span
from ..scalars import zones
from ..scalars.moments import moment, said
from .durations import duration_of
from .labels import Labels

_OPTIONS = {"normalize": False, "name": None, "inclusive": "both", "unit": None}


def date_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Any = None,
    tz: Any = None,
    **options: Any,
) -> Any:
    """A DatetimeIndex of dates a frequency apart ('D' if none is given).

    Three of ``start``, ``end``, ``periods`` and ``freq`` say which; without ``freq`` the other
    three space them evenly. ``options``: ``normalize`` (bounds at midnight), ``name``,
    ``inclusive`` ('both', 'neither', 'left', 'right') and ``unit`` ('s', 'ms', 'us', 'ns').
    Integers as bounds are nanoseconds since 1970. Raises ValueError for too few or too many of
    them.

    >>> px.date_range("2026-01-01", periods=3)
    DatetimeIndex(['2026-01-01', '2026-01-02', '2026-01-03'],
                  dtype='datetime64[us]', freq='D')
    """
    chosen = _checked(options, "date_range")
    first, zone = _date(start)
    last, other = _date(end)
    zone = _common_zone([each for each, given in ((zone, start), (other, end)) if given], tz)
    if chosen["normalize"]:
        first, last = (each and each.astype("M8[D]").astype(each.dtype) for each in (first, last))
    if freq is None and None in (start, end, periods):
        freq = "D"
    unit = chosen["unit"] or _unit((first, last), freq)
    bounds = [None if each is None else each.astype(f"M8[{unit}]") for each in (first, last)]
    found = frequency_of(freq)
    values = _spaced(bounds, periods, found, f"M8[{unit}]", zone)
    dtype = None
    if zone is not None:
        dtype = DatetimeTZDtype(np.datetime_data(values.dtype)[0], zone)
    made: Any = Labels._of(NumberColumn(px.asarray(values), None, dtype), chosen["name"])
    made._freq = found
    return _without(made, bounds, zone, chosen["inclusive"])


def bdate_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Any = "B",
    tz: Any = None,
    normalize: bool = True,
    name: Any = None,
    weekmask: Any = None,
    holidays: Any = None,
    inclusive: str = "both",
) -> Any:
    """A DatetimeIndex of business days, as `date_range` has dates.

    A ``freq`` such as "C" or "CBME" takes a ``weekmask`` and ``holidays``. Raises TypeError without
    a ``freq``, ValueError for these two with a ``freq`` of other days.

    >>> px.bdate_range("2026-01-02", periods=2)
    DatetimeIndex(['2026-01-02', '2026-01-05'], dtype='datetime64[us]', freq='B')
    """
    if freq is None:
        raise TypeError("freq must be specified for bdate_range; use date_range instead")
    if isinstance(freq, str) and freq.startswith("C"):
        found = frequency_of(freq)
        if not isinstance(found, CustomOffset):
            raise ValueError(f"invalid custom frequency string: {freq}")
        week = "Mon Tue Wed Thu Fri" if weekmask is None else weekmask
        freq = type(found)(found.n, weekmask=week, holidays=holidays)
    elif weekmask or holidays:
        raise ValueError(
            "a custom frequency string is required when holidays or weekmask are passed, got "
            f"frequency {freq}"
        )
    keywords = {"normalize": normalize, "name": name, "inclusive": inclusive}
    return date_range(start, end, periods, freq, tz, **keywords)


def timedelta_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Any = None,
    name: Any = None,
    **options: Any,
) -> Any:
    """A TimedeltaIndex of durations a frequency apart, as `date_range` has dates.

    ``options``: ``closed`` (None, 'left', 'right') and ``unit``.

    >>> px.timedelta_range("1h", periods=2)
    TimedeltaIndex(['0 days 01:00:00', '1 days 01:00:00'], dtype='timedelta64[us]',
                   freq='D')
    """
    unknown = set(options) - {"closed", "unit"}
    if unknown:
        raise TypeError(f"timedelta_range() got an unexpected keyword argument {unknown.pop()!r}")
    first, last = (None if each is None else duration_of(each) for each in (start, end))
    if freq is None and None in (start, end, periods):
        freq = "D"
    unit = options.get("unit") or _unit((first, last), freq)
    bounds = [None if each is None else each.astype(f"m8[{unit}]") for each in (first, last)]
    found = frequency_of(freq)
    if found is not None and not found.is_span:
        raise ValueError(f"{freq} is no span of time; pass one such as '2h' or 'D'")
    values = _spaced(bounds, periods, found, f"m8[{unit}]", None)
    made: Any = Labels._of(NumberColumn(px.asarray(values)), name)
    made._freq = found
    closed = options.get("closed")
    return _without(made, bounds, None, "both" if closed is None else closed)


def _checked(options: dict[str, Any], name: str) -> dict[str, Any]:
    unknown = set(options) - set(_OPTIONS)
    if unknown:
        raise TypeError(f"{name}() got an unexpected keyword argument {unknown.pop()!r}")
    chosen = _OPTIONS | options
    if chosen["inclusive"] not in ("both", "neither", "left", "right"):
        raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
    return chosen


def _common_zone(found: list[Any], tz: Any) -> Any:
    """The zone of both ends, or the one that was asked for: not another than theirs."""
    if len({None if each is None else zone_name(each) for each in found}) > 1:
        raise TypeError(
            "Start and end cannot both be tz-aware with different timezones; use tz_convert"
        )
    own = found[0] if found else None
    if tz is None:
        return own
    wanted = zone_of(tz)
    if own is not None and zone_name(own) != zone_name(wanted):
        raise AssertionError("Inferred time zone not equal to passed time zone; use tz_convert")
    return wanted


def _date(given: Any) -> tuple[Any, Any]:
    """What clocks show, and the zone that they are in or None."""
    if given is None:
        return None, None
    if isinstance(given, str):
        found = said(given)
        zone = None if found.offset is None else datetime.timezone(found.offset)
        return found.value, zone
    if isinstance(given, (int, np.integer)):
        return np.datetime64(int(given), "ns"), None
    value, zoned = moment(given)
    if is_missing(value):
        raise ValueError("Neither `start` nor `end` can be NaT")
    if np.datetime_data(value.dtype)[0] not in UNITS:
        value = value.astype("M8[s]")
    if not zoned:
        return value, None
    return zones.to_wall(np.array([value]), given.tzinfo)[0], given.tzinfo


def _unit(bounds: Any, freq: Any) -> str:
    units = [np.datetime_data(each.dtype)[0] for each in bounds if each is not None]
    found = frequency_of(freq)
    if found is not None and found.is_span and found.prefix in UNITS:
        units.append(found.name)
    return max((each for each in units if each in UNITS), key=UNITS.index, default="us")


def _spaced(
    bounds: list[Any], periods: int | None, freq: Frequency | None, dtype: str, zone: Any
) -> np.ndarray:
    """The values, in UTC where there is a zone."""
    start, end = bounds
    given = sum(each is not None for each in (start, end, periods, freq))
    if given != 3:
        raise ValueError(
            "Of the four parameters: start, end, periods, and freq, exactly three must be specified"
        )
    if periods is not None:
        if isinstance(periods, bool) or not isinstance(periods, (int, np.integer)):
            raise TypeError(f"periods must be an integer, got {periods}")
        if periods < 0:
            raise ValueError(f"Number of samples, {periods}, must be non-negative.")
    if freq is None:
        assert periods is not None
        counts = np.linspace(0, (end - start).astype(np.int64), periods).astype(np.int64)
        return _in_utc(start + counts.view(dtype.replace("M", "m")), zone)
    if not freq.by_clock and zone is not None:
        # Hours pass evenly, whatever the clocks show.
        start, end = (
            each if each is None else _in_utc(np.array([each]), zone)[0] for each in bounds
        )
        return _stepped(start, end, periods, freq)
    return _in_utc(_stepped(start, end, periods, freq), zone)


def _in_utc(values: np.ndarray, zone: Any) -> np.ndarray:
    return values if zone is None else zones.to_utc(values, zone)


def _stepped(start: Any, end: Any, periods: int | None, freq: Frequency) -> np.ndarray:
    if freq.n == 0:
        raise ValueError(f"Offset {freq!r} did not increment date")
    if start is not None and start.dtype.kind == "M":
        start = freq.rolled(start, forward=freq.n > 0)
    elif end is not None and end.dtype.kind == "M":
        end = freq.rolled(end, forward=freq.n < 0)
    if start is None:
        start = end if periods == 0 else freq.moved(np.array([end]), 1 - (periods or 0))[0]
    if periods is None:
        periods = _count(start, end, freq)
    return freq.sequence(start, periods)


def _count(start: Any, end: Any, freq: Frequency) -> int:
    """How many steps from one bound do not go over the other."""
    if isinstance(freq, Span):
        span = np.timedelta64(freq.nanos, "ns").astype(start.dtype.str.replace("M", "m"))
        return max(int((end - start) // span) + 1, 0)
    if freq.calendar is None or not freq.steps_add_up:
        return _counted(start, end, freq)
    numbers = freq.calendar.number(np.array([start, end]).astype("M8[D]").view(np.int64))
    count = max(int((numbers[1] - numbers[0]) // freq.n) + 1, 0)
    if count:
        last = freq.moved(np.array([start]), count - 1)[0]
        # The time of the day may be after that of the end.
        count -= bool(last > end if freq.n > 0 else last < end)
    return count


def _counted(start: Any, end: Any, freq: Frequency) -> int:
    """The same for a rule of which the steps are taken one by one."""
    count, reached = 0, start
    while reached <= end if freq.n > 0 else reached >= end:
        count, before, reached = count + 1, reached, freq.sequence(reached, 2)[1]
        if before == reached:
            raise ValueError(f"Offset {freq!r} did not increment date")
    return count


def _without(made: Any, bounds: list[Any], zone: Any, inclusive: str) -> Any:
    """Without the bounds that are not included."""
    values = made._moments
    start, end = (None if each is None else _in_utc(np.array([each]), zone)[0] for each in bounds)
    first = inclusive in ("neither", "right") and len(values) and start == values[0]
    last = inclusive in ("neither", "left") and len(values) and end == values[-1]
    return made._slice(slice(int(bool(first)), len(values) - int(bool(last))))
