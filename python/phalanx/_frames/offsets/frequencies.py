"""Frequencies of dates: offsets by what uses them, and the one that dates have."""

from __future__ import annotations

import numpy as np

from .base import BaseOffset
from .calendars import (
    DAYS,
    MONTHS,
    business,
    first_business_of,
    first_of,
    last_business_of,
    last_of,
    months_of,
    weekdays_of,
)
from .calendars import NANOSECONDS as NANOSECONDS
from .texts import frequency_of as frequency_of
from .texts import named

Frequency = BaseOffset


def frequency_of_span(nanoseconds: int) -> Frequency:
    """The frequency of a span of time, in the coarsest unit that it is a multiple of."""
    for name in ("D", "h", "min", "s", "ms", "us"):
        if nanoseconds % NANOSECONDS[name] == 0:
            return named(name, nanoseconds // NANOSECONDS[name])
    return named("ns", nanoseconds)


def inferred(dates: np.ndarray, moments: np.ndarray) -> str | None:
    """The frequency that at least three sorted dates without repetitions have, or None.

    `dates` are what clocks show, by which days pass, `moments` are in UTC, in which hours pass.
    """
    counts = dates.view(np.int64)
    steps = np.unique(np.diff(counts))
    if len(steps) == 0 or (steps == 0).any() or steps[0] < 0 < steps[-1]:
        return None
    one = NANOSECONDS[np.datetime_data(dates.dtype)[0]]
    day = NANOSECONDS["D"] // one
    if dates.dtype.kind == "M" and steps[0] % day == 0:
        return _inferred_calendar(counts // day, steps / day)
    steps = np.unique(np.diff(moments.view(np.int64)))
    if len(steps) > 1:
        return None
    return frequency_of_span(int(steps[0]) * one).freqstr


def _inferred_calendar(days: np.ndarray, steps: np.ndarray) -> str | None:
    """The frequency of days that are different numbers of days apart."""
    months = months_of(days)
    gaps = np.unique(np.diff(months))
    rule = _position(days, months)
    if rule and len(gaps) == 1:
        return _inferred_months(rule, int(gaps[0]), months)
    if len(steps) == 1:
        count = int(steps[0])
        weekday = DAYS[int(weekdays_of(days)[0])]
        return (named("D", count) if count % 7 else named(f"W-{weekday}", count // 7)).freqstr
    every = business()
    numbers = every.number(days)
    if steps.tolist() == [1, 3] and (every.day(numbers) == days).all():
        return "B" if (np.diff(numbers) == 1).all() else None
    weekdays = np.unique(weekdays_of(days))
    weeks = np.unique((days - first_of(months)) // 7)
    weeks = weeks[weeks < 4]
    if len(weekdays) > 1 or len(weeks) != 1:
        return None
    return f"WOM-{weeks[0] + 1}{DAYS[weekdays[0]]}"


# Which days of months dates may all be, and what rules of those begin and end with.
_POSITIONS = (
    (last_of, "", "E"),
    (last_business_of, "B", "E"),
    (first_of, "", "S"),
    (first_business_of, "B", "S"),
)


def _position(days: np.ndarray, months: np.ndarray) -> tuple[str, str] | None:
    for day_of, before, after in _POSITIONS:
        if bool((day_of(months) == days).all()):
            return before, after
    return None


def _inferred_months(rule: tuple[str, str], gap: int, months: np.ndarray) -> str:
    before, after = rule
    if gap % 12 == 0:
        name, every = f"Y{after}-{MONTHS[int(months[0] % 12)]}", 12
    elif gap % 3 == 0:
        quarter = int(months[0] % 3)
        name, every = f"Q{after}-{MONTHS[quarter if after == 'S' else quarter + 9]}", 3
    else:
        name, every = f"M{after}", 1
    return named(before + name, gap // every).freqstr
