"""`interval_range`: intervals of one length that follow each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from .intervals import IntervalIndex


def interval_range(
    start: Any = None,
    end: Any = None,
    periods: int | None = None,
    freq: Any = None,
    name: Any = None,
    closed: str = "right",
) -> Any:
    """Intervals from a number to another one; ``freq`` is their length, 1 if it is needed.

    Raises ValueError unless three of start, end, periods and freq say what is wanted, and
    NotImplementedError for dates.
    """
    endpoint = end if start is None else start
    if freq is None and (periods is None or start is None or end is None):
        freq = 1
    given = [each for each in (start, end, periods, freq) if each is not None]
    if len(given) != 3:
        raise ValueError(
            "Of the four parameters: start, end, periods, and freq, exactly three must be specified"
        )
    if not _is_number(endpoint):
        raise NotImplementedError("interval_range of dates; IntervalIndex.from_breaks takes them")
    if periods is not None and not isinstance(periods, (int, np.integer)):
        raise TypeError(f"periods must be an integer, got {periods}")
    for label, each in (("start", start), ("end", end), ("freq", freq)):
        if each is not None and not _is_number(each):
            raise ValueError(f"{label} must be numeric or datetime-like, got {each}")
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


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and not isinstance(value, bool)
