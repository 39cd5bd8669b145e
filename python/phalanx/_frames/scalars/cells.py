"""Dates and durations of a column as text: dates alone where no row has a time of day."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..scalars.units import PER_SECOND

_DIGITS = {"s": 0, "ms": 3, "us": 6, "ns": 9}


def _unit(values: np.ndarray) -> str:
    return np.datetime_data(values.dtype)[0]


def is_dates_only(values: np.ndarray) -> bool:
    """True if no moment has a time of day, no duration a part of a day."""
    counts = values.view(np.int64)[~np.isnat(values)]
    return not (counts % (86400 * PER_SECOND[_unit(values)])).any()


def datetime_cells(values: np.ndarray, na_rep: str = "NaT") -> list[str]:
    """Moments as ISO's text with a space, with the digits of a second that some row needs."""
    missing = np.isnat(values)
    unit = _unit(values)
    if is_dates_only(values):
        texts = np.datetime_as_string(values.astype("M8[D]"))
    else:
        counts = values.view(np.int64)[~missing] % PER_SECOND[unit]
        texts = np.datetime_as_string(values, unit=_needed_unit(counts, unit))  # type: ignore[call-overload]
    return [
        na_rep if gone else str(text).replace("T", " ")
        for text, gone in zip(texts, missing, strict=True)
    ]


def _needed_unit(fractions: np.ndarray, unit: str) -> str:
    """The coarsest of a second's parts in which all fractions are whole."""
    for coarser in ("s", "ms", "us"):
        if not (fractions % (PER_SECOND[unit] // min(PER_SECOND[coarser], PER_SECOND[unit]))).any():
            return coarser
    return unit


def timedelta_cells(values: np.ndarray, na_rep: str = "NaT") -> list[str]:
    """Durations as days and a time of day, which all rows have or none."""
    unit = _unit(values)
    only_days = is_dates_only(values)
    counts = values.view(np.int64)[~np.isnat(values)]
    digits = 0
    if counts.size and (counts % PER_SECOND[unit]).any():
        digits = 9 if unit == "ns" and (counts % 1000).any() else 6
    return [
        na_rep
        if np.isnat(each)
        else duration_text(int(each.view(np.int64)), unit, digits, only_days)
        for each in values
    ]


def duration_text(count: int, unit: str, digits: int, only_days: bool) -> str:
    """One duration, such as ``-1 days +23:59:59.500000``."""
    day = 86400 * PER_SECOND[unit]
    days, rest = divmod(count, day)
    if only_days:
        return f"{days} days"
    seconds, fraction = divmod(rest, PER_SECOND[unit])
    sign = "+" if days < 0 else ""
    text = f"{days} days {sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if digits:
        nanoseconds = f"{fraction * (10**9 // PER_SECOND[unit]):09}"
        text += f".{nanoseconds[:digits]}"
    return text


def moment_text(value: np.datetime64) -> str:
    """One moment as pandas' Timestamp is written."""
    text = datetime_cells(np.asarray(value)[None])[0]
    if len(text) == 10:
        return f"{text} 00:00:00"
    return text


def scalar_text(value: Any) -> str:
    """One label as ``str`` gives it in pandas: moments and durations as its own classes."""
    if isinstance(value, np.datetime64):
        return moment_text(value)
    if not isinstance(value, np.timedelta64) or np.isnat(value):
        return str(value)
    unit, count = np.datetime_data(value.dtype)[0], int(value.view(np.int64))
    fraction = count % PER_SECOND[unit]
    digits = 0 if not fraction else 9 if unit == "ns" and fraction % 1000 else 6
    return duration_text(count, unit, digits, False)
