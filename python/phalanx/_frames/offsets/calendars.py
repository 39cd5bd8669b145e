"""Days of the calendar by rules: the first of months, last business days, Easter and the like."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

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

Days = Callable[[np.ndarray], np.ndarray]


class Calendar(NamedTuple):
    """Days of the calendar by their number in a rule, and the number of the last not after a day.

    Both take and give int64 arrays; days are counted from 1970-01-01.
    """

    day: Days
    number: Days


# Days of months, which are counted from January 1970.


def months_of(days: np.ndarray) -> np.ndarray:
    """The months of days."""
    return days.view("M8[D]").astype("M8[M]").view(np.int64)


def first_of(months: np.ndarray) -> np.ndarray:
    """The first day of months.

    >>> px.offsets.MonthBegin.day_of(np.array([0, 1])).astype("M8[D]")
    array(['1970-01-01', '1970-02-01'], dtype='datetime64[D]')
    """
    return months.astype(np.int64).view("M8[M]").astype("M8[D]").view(np.int64)


def last_of(months: np.ndarray) -> np.ndarray:
    """The last day of months.

    >>> px.offsets.MonthEnd.day_of(np.array([0, 1])).astype("M8[D]")
    array(['1970-01-31', '1970-02-28'], dtype='datetime64[D]')
    """
    return first_of(months + 1) - 1


def weekdays_of(days: np.ndarray) -> np.ndarray:
    """The weekdays of days, 0 for Monday: 1970-01-01 was a Thursday."""
    found: np.ndarray = (days + 3) % 7
    return found


def first_business_of(months: np.ndarray) -> np.ndarray:
    """The first day of months that is no Saturday or Sunday.

    >>> px.offsets.BMonthBegin.day_of(np.array([0, 1])).astype("M8[D]")
    array(['1970-01-01', '1970-02-02'], dtype='datetime64[D]')
    """
    days = first_of(months)
    weekdays = weekdays_of(days)
    return np.where(weekdays > 4, days + 7 - weekdays, days)


def last_business_of(months: np.ndarray) -> np.ndarray:
    """The last day of months that is no Saturday or Sunday.

    >>> px.offsets.BMonthEnd.day_of(np.array([0, 1])).astype("M8[D]")
    array(['1970-01-30', '1970-02-27'], dtype='datetime64[D]')
    """
    days = last_of(months)
    return np.asarray(np.subtract(days, np.maximum(weekdays_of(days) - 4, 0)))


def weekday_of(week: int, weekday: int) -> Days:
    """The first (0), second, ... of a weekday in months."""

    def day_of(months: np.ndarray) -> np.ndarray:
        days = first_of(months)
        return np.asarray(np.add(days, (weekday - weekdays_of(days)) % 7 + 7 * week))

    return day_of


def last_weekday_of(weekday: int) -> Days:
    """The last of a weekday in months."""

    def day_of(months: np.ndarray) -> np.ndarray:
        days = last_of(months)
        return np.asarray(np.subtract(days, (weekdays_of(days) - weekday) % 7))

    return day_of


# Rules.


def monthly(every: int, month: int, day_of: Days) -> Calendar:
    """A day in every so many months, one of which is a month of the year (0: January)."""

    def day(numbers: np.ndarray) -> np.ndarray:
        return day_of(numbers * every + month)

    def number(days: np.ndarray) -> np.ndarray:
        numbers = (months_of(days) - month) // every
        found: np.ndarray = numbers - (day(numbers) > days)
        return found

    return Calendar(day, number)


def weekly(weekday: int) -> Calendar:
    """One weekday of each week."""
    first = (weekday - 3) % 7
    return Calendar(lambda numbers: numbers * 7 + first, lambda days: (days - first) // 7)


def business() -> Calendar:
    """Mondays to Fridays; number 0 is Thursday, 1970-01-01."""

    def day(numbers: np.ndarray) -> np.ndarray:
        weeks, within = np.divmod(numbers + 3, 5)
        return weeks * 7 + within - 3

    def number(days: np.ndarray) -> np.ndarray:
        weeks, within = np.divmod(days + 3, 7)
        return weeks * 5 + np.minimum(within, 4) - 3

    return Calendar(day, number)


def half_monthly(middle: int, *, ends: bool) -> Calendar:
    """Two days of each month: a day in the middle, and the last day or else the first."""

    def day(numbers: np.ndarray) -> np.ndarray:
        months, second = np.divmod(numbers, 2)
        middles = first_of(months) + middle - 1
        if ends:
            return np.where(second, last_of(months), middles)
        return np.where(second, middles, first_of(months))

    def number(days: np.ndarray) -> np.ndarray:
        numbers = months_of(days) * 2
        found: np.ndarray = numbers - 1 + (day(numbers) <= days) + (day(numbers + 1) <= days)
        return found

    return Calendar(day, number)


def custom(days: np.busdaycalendar) -> Calendar:
    """The business days of a calendar of NumPy's, number 0 of which is the first since 1970."""
    start = np.datetime64(0, "D")

    def day(numbers: np.ndarray) -> np.ndarray:
        # NumPy rolls before it counts: from a day that is none it counts from the next one.
        found = np.busday_offset(start, numbers, roll="forward", busdaycal=days)
        return np.asarray(found).view(np.int64)

    def number(given: np.ndarray) -> np.ndarray:
        until = np.asarray(np.busday_offset(given.view("M8[D]"), 0, "backward", busdaycal=days))
        first = np.busday_offset(start, 0, roll="forward", busdaycal=days)
        return np.asarray(np.busday_count(first, until, busdaycal=days)).astype(np.int64)

    return Calendar(day, number)


def easters() -> Calendar:
    """Easter Sundays of the Gregorian calendar, numbered by their year since 1970."""

    def day(numbers: np.ndarray) -> np.ndarray:
        years = numbers + 1970
        century = years // 100
        golden = years % 19
        epact = (century - century // 4 - (8 * century + 13) // 25 + 19 * golden + 15) % 30
        epact -= (epact // 28) * (1 - (29 // (epact + 1)) * ((21 - golden) // 11))
        weekday = (years + years // 4 + epact + 2 - century + century // 4) % 7
        # Days from March 21 on: the Sunday after the full moon.
        return np.asarray(np.add(first_of(numbers * 12 + 2), 27 + epact - weekday))

    def number(days: np.ndarray) -> np.ndarray:
        numbers = months_of(days) // 12
        found: np.ndarray = numbers - (day(numbers) > days)
        return found

    return Calendar(day, number)
