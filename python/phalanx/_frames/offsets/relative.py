"""`DateOffset`: so many years, months, days and hours later, and fields of dates replaced."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..scalars.counts import in_unit
from .base import BaseOffset, finer, span_later
from .calendars import NANOSECONDS, first_of, months_of, weekdays_of

_SPANS = {
    "weeks": 7 * NANOSECONDS["D"],
    "days": NANOSECONDS["D"],
    "hours": NANOSECONDS["h"],
    "minutes": NANOSECONDS["min"],
    "seconds": NANOSECONDS["s"],
    "milliseconds": NANOSECONDS["ms"],
    "microseconds": NANOSECONDS["us"],
    "nanoseconds": 1,
}
_MONTHS = {"years": 12, "months": 1}
# Fields of the time of the day that are replaced: how long one of it is, and of the next greater.
_FIELDS = {
    "hour": (NANOSECONDS["h"], NANOSECONDS["D"]),
    "minute": (NANOSECONDS["min"], NANOSECONDS["h"]),
    "second": (NANOSECONDS["s"], NANOSECONDS["min"]),
    "microsecond": (NANOSECONDS["us"], NANOSECONDS["s"]),
}
_NAMES = frozenset({*_SPANS, *_MONTHS, *_FIELDS, "year", "month", "day", "weekday"})
# Without one of these it moves moments, and not what clocks show.
_OF_CLOCKS = _NAMES - {
    "hours", "minutes", "seconds", "milliseconds", "microseconds", "nanoseconds",
}  # fmt: skip


class _Kinds(type):
    """As in pandas every offset counts as an instance of `DateOffset`."""

    def __instancecheck__(cls, thing: Any) -> bool:
        return super().__instancecheck__(thing) or (
            cls is DateOffset and isinstance(thing, BaseOffset)
        )

    def __subclasscheck__(cls, kind: type) -> bool:
        return super().__subclasscheck__(kind) or (
            cls is DateOffset and issubclass(kind, BaseOffset)
        )


class DateOffset(BaseOffset, metaclass=_Kinds):
    """So many ``years``, ``months``, ``weeks``, ``days``, ``hours``, ... ``nanoseconds`` later.

    ``year``, ``month``, ``day``, ``hour``, ... ``microsecond`` replace these fields, and
    ``weekday`` (0: Monday) moves on to such a day. Without any it is a day. Raises ValueError for
    other keywords.

    >>> px.Timestamp("2026-01-31") + px.DateOffset(months=1)
    Timestamp('2026-02-28 00:00:00')
    """

    def __init__(self, n: int = 1, normalize: bool = False, **kwds: Any) -> None:
        for name in (
            "millisecond",
            "nanosecond",
        ):  # Of these pandas refuses one, ignores the other.
            if name in kwds:
                raise NotImplementedError(
                    f"DateOffset: the keyword {name!r} is not supported; pass microsecond"
                )
        unknown = sorted(set(kwds) - _NAMES)
        if unknown:
            raise ValueError(f"Invalid argument/s or bad combination of arguments: {unknown}")
        super().__init__(n, normalize, parameters=tuple(sorted(kwds)), **kwds)

    @property
    def by_clock(self) -> bool:  # type: ignore[override]
        """It moves what clocks show; with hours and finer ones alone it moves moments."""
        return not self.parameters or not _OF_CLOCKS.isdisjoint(self.parameters)

    def _moved_dates(self, dates: np.ndarray, steps: np.ndarray) -> np.ndarray:
        return self._after(dates, int(steps))

    def _applied(self, date: Any) -> Any:
        if self.by_clock or date.tzinfo is None:
            return super()._applied(date)
        # The same moments in UTC have clocks that never change.
        return super()._applied(date.tz_convert("UTC")).tz_convert(date.tzinfo)

    def _after(self, dates: np.ndarray, times: int) -> np.ndarray:
        """Dates with fields replaced, and so many times its spans later."""
        parts = self.kwds
        months = sum(parts.get(name, 0) * size for name, size in _MONTHS.items())
        if months or not {"year", "month", "day"}.isdisjoint(parts):
            dates = _in_months(dates, months * times, parts)
        dates = _with_fields(dates, parts)
        span = sum(int(parts.get(name, 0) * size) for name, size in _SPANS.items())
        if not parts:
            span = NANOSECONDS["D"]
        dates = span_later(dates, span * times)
        return _on_weekday(dates, parts["weekday"]) if "weekday" in parts else dates


def _in_months(dates: np.ndarray, count: int, parts: dict[str, Any]) -> np.ndarray:
    """So many months later, in a year, a month and on a day that are given, or the last one."""
    unit = np.datetime_data(dates.dtype)[0]
    days = in_unit(dates, "D")
    months = months_of(days.view(np.int64))
    on = parts["day"] - 1 if "day" in parts else days.view(np.int64) - first_of(months)
    years = np.full_like(months, parts["year"] - 1970) if "year" in parts else months // 12
    within = np.full_like(months, parts["month"] - 1) if "month" in parts else months % 12
    moved = years * 12 + within + count
    start = first_of(moved)
    found = start + np.minimum(on, first_of(moved + 1) - start - 1)
    later: np.ndarray = in_unit(found.view("M8[D]"), unit) + (dates - days)
    return later


def _with_fields(dates: np.ndarray, parts: dict[str, Any]) -> np.ndarray:
    for name, (size, greater) in _FIELDS.items():
        if name not in parts:
            continue
        dates = finer(dates, size)
        one = NANOSECONDS[np.datetime_data(dates.dtype)[0]]
        counts = dates.view(np.int64)
        if one > size:
            continue
        within = counts % (greater // one)
        rest = within % (size // one)
        moved = counts - within + parts[name] * (size // one) + rest
        dates = moved.view(dates.dtype)
    return dates


def _on_weekday(dates: np.ndarray, weekday: Any) -> np.ndarray:
    """The weekday on or after each date; of dateutil's weekdays also the second, or one before."""
    count = getattr(weekday, "n", None) or 1
    wanted = getattr(weekday, "weekday", weekday)
    days = weekdays_of(in_unit(dates, "D").view(np.int64))
    if count > 0:
        ahead = (wanted - days) % 7 + 7 * (count - 1)
    else:
        ahead = -((days - wanted) % 7) + 7 * (count + 1)
    found: np.ndarray = dates + ahead.astype("m8[D]")
    return found
