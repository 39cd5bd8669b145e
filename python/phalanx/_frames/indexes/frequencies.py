"""Frequencies of dates: offsets by what uses them, and the one that dates have."""

from __future__ import annotations

import numpy as np

from ..offsets.base import BaseOffset
from ..offsets.calendars import (
    DAYS,
    MONTHS,
    business,
    first_of,
    months_of,
)
from ..offsets.calendars import NANOSECONDS as NANOSECONDS
from ..offsets.texts import frequency_of as frequency_of
from ..offsets.texts import named

Frequency = BaseOffset


def frequency_of_span(nanoseconds: int) -> Frequency:
    """The frequency of a span of time, in the coarsest unit that it is a multiple of."""
    for name in ("D", "h", "min", "s", "ms", "us"):
        if nanoseconds % NANOSECONDS[name] == 0:
            return named(name, nanoseconds // NANOSECONDS[name])
    return named("ns", nanoseconds)


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
            return named(f"W-{weekday}", found.n // 7).freqstr
        return found.freqstr
    return _inferred_calendar(days.view(np.int64))


def _inferred_calendar(days: np.ndarray) -> str | None:
    months = months_of(days)
    gaps = np.unique(np.diff(months))
    starts = bool((first_of(months) == days).all())
    ends = bool((first_of(months + 1) - 1 == days).all())
    if (starts or ends) and len(gaps) == 1:
        letter, month = "S" if starts else "E", MONTHS[int(months[0] % 12)]
        gap = int(gaps[0])
        if gap % 12 == 0:
            return named(f"Y{letter}-{month}", gap // 12).freqstr
        if gap % 3 == 0:
            quarter = int(months[0] % 3)
            anchor = MONTHS[quarter if starts else quarter + 9]
            return named(f"Q{letter}-{anchor}", gap // 3).freqstr
        return named(f"M{letter}", gap).freqstr
    rule = business()
    numbers = rule.number(days)
    if (rule.day(numbers) == days).all() and (np.diff(numbers) == 1).all():
        return "B"
    return None
