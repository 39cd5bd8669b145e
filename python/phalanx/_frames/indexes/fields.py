"""What clocks and calendars say of dates: arrays of NumPy of `datetime64` without NaT, or with."""

from __future__ import annotations

import calendar
from collections.abc import Callable

import numpy as np


def _months(dates: np.ndarray) -> np.ndarray:
    return dates.astype("M8[M]").view(np.int64)


def _days(dates: np.ndarray) -> np.ndarray:
    return dates.astype("M8[D]").view(np.int64)


def _nanoseconds(dates: np.ndarray) -> np.ndarray:
    """Nanoseconds of the day."""
    return np.asarray((dates - dates.astype("M8[D]")).astype("m8[ns]")).view(np.int64)


def _of_day(unit: int, count: int) -> Callable[[np.ndarray], np.ndarray]:
    return lambda dates: _nanoseconds(dates) // unit % count


def _day_of_month(dates: np.ndarray) -> np.ndarray:
    return _days(dates) - dates.astype("M8[M]").astype("M8[D]").view(np.int64) + 1


def _day_of_year(dates: np.ndarray) -> np.ndarray:
    return _days(dates) - dates.astype("M8[Y]").astype("M8[D]").view(np.int64) + 1


def _days_in_month(dates: np.ndarray) -> np.ndarray:
    months = dates.astype("M8[M]")
    return (months + 1).astype("M8[D]").view(np.int64) - months.astype("M8[D]").view(np.int64)


# Numbers by pandas' names. A week has the days 0 (Monday) to 6.
NUMBERS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "year": lambda dates: dates.astype("M8[Y]").view(np.int64) + 1970,
    "month": lambda dates: _months(dates) % 12 + 1,
    "day": _day_of_month,
    "hour": _of_day(3600 * 10**9, 24),
    "minute": _of_day(60 * 10**9, 60),
    "second": _of_day(10**9, 60),
    "microsecond": _of_day(1000, 10**6),
    "nanosecond": _of_day(1, 1000),
    "quarter": lambda dates: _months(dates) % 12 // 3 + 1,
    "day_of_week": lambda dates: (_days(dates) + 3) % 7,
    "day_of_year": _day_of_year,
    "days_in_month": _days_in_month,
}


def _starts(dates: np.ndarray, every: int) -> np.ndarray:
    return np.asarray((_day_of_month(dates) == 1) & (_months(dates) % every == 0))


def _ends(dates: np.ndarray, every: int) -> np.ndarray:
    last = _day_of_month(dates) == _days_in_month(dates)
    return np.asarray(last & ((_months(dates) + 1) % every == 0))


def leap_years(years: np.ndarray) -> np.ndarray:
    """Which years have 366 days."""
    return np.asarray((years % 4 == 0) & ((years % 100 != 0) | (years % 400 == 0)))


# Bools by pandas' names.
TESTS: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "is_month_start": lambda dates: _starts(dates, 1),
    "is_month_end": lambda dates: _ends(dates, 1),
    "is_quarter_start": lambda dates: _starts(dates, 3),
    "is_quarter_end": lambda dates: _ends(dates, 3),
    "is_year_start": lambda dates: _starts(dates, 12),
    "is_year_end": lambda dates: _ends(dates, 12),
    "is_leap_year": lambda dates: leap_years(dates.astype("M8[Y]").view(np.int64) + 1970),
}

DAY_NAMES = np.array(list(calendar.day_name), object)
MONTH_NAMES = np.array(list(calendar.month_name)[1:], object)


def iso_calendar(dates: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Year, week and day (1: Monday) of ISO 8601."""
    weekday = NUMBERS["day_of_week"](dates)
    # A week is of the year that its Thursday is in.
    thursday = (_days(dates) - weekday + 3).view("M8[D]")
    year = NUMBERS["year"](thursday)
    week = (_day_of_year(thursday) - 1) // 7 + 1
    return year, week, weekday + 1


def text(date: np.datetime64) -> str:
    """A date as pandas prints one: with as many digits of a second as it needs."""
    count = int(_nanoseconds(np.array([date]))[0])
    written = str(date.astype("M8[s]")).replace("T", " ")
    fraction = count % 10**9
    if fraction == 0:
        return written
    return f"{written}.{fraction:09}" if fraction % 1000 else f"{written}.{fraction // 1000:06}"
