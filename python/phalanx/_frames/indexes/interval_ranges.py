"""`interval_range`: intervals of one length that follow each other."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .date_ranges import date_range, timedelta_range
from .intervals import IntervalIndex

_TIMES = (datetime.date, datetime.timedelta, np.datetime64, np.timedelta64)


def interval_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Any = None,
    name: Any = None,
    closed: str = "right",
) -> Any:
    """Intervals from a number, a date or a duration to another one.

    ``freq`` is their length: 1, or a day, if it is needed. Raises ValueError unless three of
    start, end, periods and freq say what is wanted, and TypeError for bounds of two kinds.

    >>> px.interval_range(0, 2)
    IntervalIndex([(0, 1], (1, 2]], dtype='interval[int64, right]')
    """
    endpoint = end if start is None else start
    if freq is None and (periods is None or start is None or end is None):
        freq = 1 if _is_number(endpoint) else "D"
    given = [each for each in (start, end, periods, freq) if each is not None]
    if len(given) != 3:
        raise ValueError(
            "Of the four parameters: start, end, periods, and freq, exactly three must be specified"
        )
    if periods is not None and not isinstance(periods, (int, np.integer)):
        raise TypeError(f"periods must be an integer, got {periods}")
    for label, each in (("start", start), ("end", end)):
        if each is not None and not (_is_number(each) or isinstance(each, _TIMES)):
            raise ValueError(f"{label} must be numeric or datetime-like, got {each}")
    if len({_kind(each) for each in (start, end) if each is not None}) > 1 or (
        freq is not None and _is_number(freq) != _is_number(endpoint)
    ):
        raise TypeError("start, end, freq need to be type compatible")
    if not _is_number(endpoint):
        return _of_times(start, end, periods, freq, name, closed)
    breaks = _breaks(start, end, periods, freq)
    ints = all(
        isinstance(each, (int, np.integer)) for each in (start, end, freq) if each is not None
    )
    if ints and (breaks == np.floor(breaks)).all():
        breaks = breaks.astype(np.int64)
    return IntervalIndex.from_breaks(breaks, closed, name)


def _breaks(start: Any, end: Any, periods: int | None, freq: Any) -> np.ndarray:
    if periods is None:
        return np.arange(start, end + freq * 0.1, freq)
    if start is None:
        start = end - periods * freq
    elif end is None:
        end = start + periods * freq
    return np.linspace(start, end, periods + 1)


def _of_times(start: Any, end: Any, periods: int | None, freq: Any, name: Any, closed: str) -> Any:
    """Intervals between dates or durations that follow each other."""
    made = date_range if _kind(end if start is None else start) == "date" else timedelta_range
    breaks = made(start, end, None if periods is None else periods + 1, freq)
    return IntervalIndex.from_breaks(breaks, closed, name)


def _kind(value: Any) -> str:
    if _is_number(value):
        return "number"
    return "duration" if isinstance(value, (datetime.timedelta, np.timedelta64)) else "date"


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
