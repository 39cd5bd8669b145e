"""Durations: of what a program says, and as text."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ..columns.time_texts import duration_of_text
from ..missing import is_missing
from ..offsets.spans import Span

_DAY = 86400 * 10**9


def duration_of(given: Any) -> np.timedelta64:
    """A duration of Python, NumPy or pandas, of nanoseconds, or of a text such as '1 days 02:30'.

    Raises ValueError for a text that says none, TypeError for other things.
    """
    if isinstance(given, str):
        found = duration_of_text(given)
        exact = found.astype("m8[us]")
        return exact if exact == found else found
    if isinstance(given, np.timedelta64):
        return given
    if is_missing(given):
        return np.timedelta64("NaT", "ns")
    own = getattr(given, "asm8", None)
    if own is not None:
        return own  # type: ignore[no-any-return]
    if isinstance(given, (int, np.integer)) and not isinstance(given, bool):
        return np.timedelta64(int(given), "ns")
    if not isinstance(given, datetime.timedelta):
        if isinstance(given, Span):
            return np.timedelta64(given.nanos, "ns")
        raise TypeError(f"{given!r} is no duration: pass one such as '1 days' or a timedelta")
    extra = np.timedelta64(getattr(given, "nanoseconds", 0), "ns")
    plain = datetime.timedelta(given.days, given.seconds, given.microseconds)
    unit = getattr(given, "unit", "us")
    return (np.timedelta64(plain).astype("m8[us]") + extra).astype(f"m8[{unit}]")  # type: ignore[no-any-return]


def texts_of(values: np.ndarray, *, days_only: bool) -> list[str]:
    """Durations between quotes, as an index shows them: all with as many digits."""
    counts = values.astype("m8[ns]").view(np.int64)[~np.isnat(values)]
    digits = 9 if (counts % 1000).any() else 6 if (counts % 10**9).any() else 0
    return [f"'{_text(each, days_only, digits)}'" if each == each else "NaT" for each in values]


def text_of(value: np.timedelta64) -> str:
    """One duration, with as many digits of a second as it needs."""
    return texts_of(np.array([value]), days_only=False)[0].strip("'")


def _text(value: np.timedelta64, days_only: bool, digits: int) -> str:
    days, rest = divmod(int(value.astype("m8[ns]").astype(np.int64)), _DAY)
    if days_only:
        return f"{days} days"
    seconds, fraction = divmod(rest, 10**9)
    sign = "+" if days < 0 else ""
    text = f"{days} days {sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    return text + (f".{fraction:09}"[: digits + 1] if digits else "")
