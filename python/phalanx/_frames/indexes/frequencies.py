"""Frequencies of dates: a unit of time or of the calendar, and how many of it."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

NANOSECONDS = {
    "ns": 1,
    "us": 10**3,
    "ms": 10**6,
    "s": 10**9,
    "min": 60 * 10**9,
    "h": 3600 * 10**9,
    "D": 86400 * 10**9,
}
MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_PART = re.compile(r"([+-]?\d*)([A-Za-z]+(?:-[A-Z]{3})?)")
_RENAMED = {"M": "ME", "Q": "QE", "Y": "YE", "A": "YE", "H": "h", "T": "min", "S": "s", "L": "ms"}


class Calendar(NamedTuple):
    """Days of the calendar by their number in a rule, and the number of the last not after a day.

    Both take and give int64 arrays; days are counted from 1970-01-01.
    """

    day: Callable[[np.ndarray], np.ndarray]
    number: Callable[[np.ndarray], np.ndarray]


def _months_of(days: np.ndarray) -> np.ndarray:
    return days.view("M8[D]").astype("M8[M]").view(np.int64)


def _first_of(months: np.ndarray) -> np.ndarray:
    return months.astype(np.int64).view("M8[M]").astype("M8[D]").view(np.int64)


def _month_starts(every: int, first: int) -> Calendar:
    """The first day of every so many months, counted from a month of the year (0: January)."""
    return Calendar(
        lambda numbers: _first_of(numbers * every + first),
        lambda days: (_months_of(days) - first) // every,
    )


def _month_ends(every: int, last: int) -> Calendar:
    """The last day of every so many months, one of which is a month of the year."""
    return Calendar(
        lambda numbers: _first_of(numbers * every + last + 1) - 1,
        lambda days: (_months_of(days + 1) - last - 1) // every,
    )


def _weekly(weekday: int) -> Calendar:
    # 1970-01-01 was a Thursday, the weekday 3 from Monday.
    first = (weekday - 3) % 7
    return Calendar(lambda numbers: numbers * 7 + first, lambda days: (days - first) // 7)


def _business() -> Calendar:
    """Mondays to Fridays; number 0 is Thursday, 1970-01-01."""

    def day(numbers: np.ndarray) -> np.ndarray:
        weeks, within = np.divmod(numbers + 3, 5)
        return weeks * 7 + within - 3

    def number(days: np.ndarray) -> np.ndarray:
        weeks, within = np.divmod(days + 3, 7)
        return weeks * 5 + np.minimum(within, 4) - 3

    return Calendar(day, number)


def _calendar(name: str) -> Calendar | None:
    base, _, anchor = name.partition("-")
    if base in ("MS", "ME", "B") and not anchor:
        return {"MS": _month_starts(1, 0), "ME": _month_ends(1, 0), "B": _business()}[base]
    if base == "W" and anchor in ("", *DAYS):
        return _weekly(DAYS.index(anchor or "SUN"))
    if base not in ("QS", "QE", "YS", "YE") or anchor not in ("", *MONTHS):
        return None
    every = 3 if base[0] == "Q" else 12
    month = MONTHS.index(anchor or ("JAN" if base[1] == "S" else "DEC"))
    return _month_starts(every, month) if base[1] == "S" else _month_ends(every, month)


_ANCHORS = {"W": "SUN", "QS": "JAN", "QE": "DEC", "YS": "JAN", "YE": "DEC"}


class Frequency:
    """So many of a unit: 's', 'min', 'h', 'D' and finer ones, which are spans of time, or 'W',
    'ME', 'MS', 'QE', 'QS', 'YE', 'YS' and 'B', which are days of the calendar.
    """

    def __init__(self, n: int, name: str) -> None:
        self.n = n
        self.name = name
        self.calendar = _calendar(name)

    @property
    def freqstr(self) -> str:
        """The text that says it, as '2h' or 'QE-DEC'."""
        return (str(self.n) if self.n != 1 else "") + self.name

    @property
    def nanoseconds(self) -> int:
        """The span of time. Only where `calendar` is None."""
        return self.n * NANOSECONDS[self.name]

    def __mul__(self, times: int) -> Frequency:
        return Frequency(self.n * times, self.name)

    def __eq__(self, other: object) -> bool:
        if other is None or isinstance(other, (int, float)):
            return False
        try:
            found = frequency_of(other)
        except (ValueError, TypeError):
            return False
        assert found is not None
        if self.calendar is None and found.calendar is None:
            return self.nanoseconds == found.nanoseconds
        return (self.n, self.name) == (found.n, found.name)

    def __hash__(self) -> int:
        return hash(self.freqstr)

    def __repr__(self) -> str:
        return f"<{self.freqstr}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Frequency, (self.n, self.name)

    # Dates of it.

    def is_on(self, dates: np.ndarray) -> np.ndarray:
        """Which datetime64 are days of the calendar's rule; a span of time has all dates."""
        if self.calendar is None:
            return np.ones(len(dates), bool)
        days = dates.astype("M8[D]").view(np.int64)
        found: np.ndarray = self.calendar.day(self.calendar.number(days)) == days
        return found

    def moved(self, dates: np.ndarray, times: int | np.ndarray) -> np.ndarray:
        """Datetime64 so many of it later: a date that is no day of the rule goes to the next."""
        dates = np.asarray(dates)
        if self.calendar is None:
            return np.asarray(dates + self._span(dates.dtype) * times)
        missing = np.isnat(dates)
        there = np.where(missing, np.zeros(1, dates.dtype), dates)  # NaT is a count as well
        days = there.astype("M8[D]")
        within = there - days
        numbers = self.calendar.number(np.atleast_1d(days).view(np.int64))
        steps = np.asarray(self.n * times)
        # From between two days, the first step forward ends at the later one, and the first step
        # back at the earlier one.
        between = self.calendar.day(numbers) != np.atleast_1d(days).view(np.int64)
        numbers = numbers + steps + (between & (steps <= 0) & (steps != 0))
        moved = self.calendar.day(numbers).view("M8[D]")
        found: np.ndarray = moved.astype(dates.dtype) + within
        return np.where(missing, dates, found)

    def _span(self, dtype: np.dtype) -> np.timedelta64:
        unit = np.datetime_data(dtype)[0]
        found: np.timedelta64 = np.timedelta64(self.nanoseconds, "ns").astype(f"m8[{unit}]")
        return found

    def rolled(self, date: np.datetime64, *, forward: bool) -> np.datetime64:
        """A date if it is a day of the rule, else the next or the one before."""
        if self.calendar is None or bool(self.is_on(np.array([date]))[0]):
            return date
        day = date.astype("M8[D]")
        number = self.calendar.number(np.array([day]).view(np.int64)) + forward
        moved = self.calendar.day(number).view("M8[D]")[0]
        return moved.astype(date.dtype) + (date - day)  # type: ignore[no-any-return]


def frequency_of(given: Any) -> Frequency | None:
    """A frequency of a text, a duration or one of pandas' offsets; None of None.

    Raises ValueError for a text that says none.
    """
    if given is None or isinstance(given, Frequency):
        return given
    given = getattr(given, "freqstr", given)
    if isinstance(given, (datetime.timedelta, np.timedelta64)):
        return _of_hours(int(np.timedelta64(given).astype("m8[ns]").astype(np.int64)))
    if not isinstance(given, str):
        raise TypeError(f"a frequency is a text such as '2h' or 'ME', not {given!r}")
    parts = _PART.findall(given)
    if not parts or "".join(count + name for count, name in parts) != given.replace(" ", ""):
        raise _invalid(given)
    found = [_single(given, count, name) for count, name in parts]
    if len(found) == 1:
        return found[0]
    if any(each.calendar is not None for each in found):
        raise _invalid(given)
    return _of_hours(sum(each.nanoseconds for each in found))


def _of_hours(nanoseconds: int) -> Frequency:
    """A duration's frequency: 24 hours are not a day, which is one of the calendar to pandas."""
    found = frequency_of_span(nanoseconds)
    return found if found.name != "D" else Frequency(found.n * 24, "h")


def _single(given: str, count: str, name: str) -> Frequency:
    base, dash, _ = name.partition("-")
    n = int(count + ("1" if count in ("", "+", "-") else ""))
    if base in _ANCHORS and not dash:
        name = f"{base}-{_ANCHORS[base]}"
    if name not in NANOSECONDS and _calendar(name) is None:
        raise _invalid(given)
    if n == 0:
        raise ValueError(f"frequency {given!r} is of no length: its count is 0")
    return Frequency(n, name)


def _invalid(given: str) -> ValueError:
    name = _PART.sub(r"\2", given)
    instead = _RENAMED.get(name)
    hint = f"{instead!r} instead of {name!r}" if instead else "one such as '2h', 'D', 'ME' or 'B'"
    return ValueError(f"Invalid frequency: {given}. Pass {hint}.")


def frequency_of_span(nanoseconds: int) -> Frequency:
    """The frequency of a span of time, in the coarsest unit that it is a multiple of."""
    for name in ("D", "h", "min", "s", "ms", "us"):
        if nanoseconds % NANOSECONDS[name] == 0:
            return Frequency(nanoseconds // NANOSECONDS[name], name)
    return Frequency(nanoseconds, "ns")


def inferred(dates: np.ndarray) -> str | None:
    """The frequency that at least three sorted dates without repetitions have, or None."""
    counts = dates.view(np.int64)
    steps = np.unique(np.diff(counts))
    if len(steps) == 0 or steps[0] == 0 or (len(steps) > 1 and steps[0] < 0):
        return None
    one = NANOSECONDS[np.datetime_data(dates.dtype)[0]]
    days = dates.astype("M8[D]")
    if dates.dtype.kind == "m" or (dates != days).any() or len(steps) == 1:
        if len(steps) > 1:
            return None
        found = frequency_of_span(int(steps[0]) * one)
        if found.name == "D" and found.n % 7 == 0 and dates.dtype.kind == "M":
            weekday = DAYS[int((days[0].astype(np.int64) + 3) % 7)]
            return Frequency(found.n // 7, f"W-{weekday}").freqstr
        return found.freqstr
    return _inferred_calendar(days.view(np.int64))


def _inferred_calendar(days: np.ndarray) -> str | None:
    months = _months_of(days)
    gaps = np.unique(np.diff(months))
    starts = bool((_first_of(months) == days).all())
    ends = bool((_first_of(months + 1) - 1 == days).all())
    if (starts or ends) and len(gaps) == 1:
        letter, month = "S" if starts else "E", MONTHS[int(months[0] % 12)]
        gap = int(gaps[0])
        if gap % 12 == 0:
            return Frequency(gap // 12, f"Y{letter}-{month}").freqstr
        if gap % 3 == 0:
            quarter = int(months[0] % 3)
            anchor = MONTHS[quarter if starts else quarter + 9]
            return Frequency(gap // 3, f"Q{letter}-{anchor}").freqstr
        return Frequency(gap, f"M{letter}").freqstr
    business = _business()
    numbers = business.number(days)
    if (business.day(numbers) == days).all() and (np.diff(numbers) == 1).all():
        return "B"
    return None
