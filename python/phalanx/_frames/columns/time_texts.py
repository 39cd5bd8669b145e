"""Dates and durations written as text, and read."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from ..dtypes import zone_of

# Nanoseconds of each unit.
NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
_DAY = 86400 * 10**9
_UNIT_OF_DIGITS = {0: "s", 3: "ms", 6: "us", 9: "ns"}
# How pandas calls the units of durations in texts.
_UNIT_NAMES = {
    "ns": 1, "nanosecond": 1, "nanoseconds": 1, "nanos": 1, "nano": 1,
    "us": 10**3, "microsecond": 10**3, "microseconds": 10**3, "micros": 10**3, "µs": 10**3,
    "ms": 10**6, "millisecond": 10**6, "milliseconds": 10**6, "millis": 10**6,
    "s": 10**9, "sec": 10**9, "second": 10**9, "seconds": 10**9,
    "m": 60 * 10**9, "min": 60 * 10**9, "minute": 60 * 10**9, "minutes": 60 * 10**9,
    "h": 3600 * 10**9, "hr": 3600 * 10**9, "hour": 3600 * 10**9, "hours": 3600 * 10**9,
    "d": _DAY, "day": _DAY, "days": _DAY, "w": 7 * _DAY, "week": 7 * _DAY, "weeks": 7 * _DAY,
}  # fmt: skip
_CLOCK = re.compile(r"\+?(\d+):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?$")
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-zµA-Z]+)[\s,]*")


def _digits(values: np.ndarray) -> int:
    """How many digits of a second tell all values apart from each other: 0, 3, 6 or 9."""
    unit = np.datetime_data(values.dtype)[0]
    counts = values.view(np.int64)
    for digits, step in ((0, 10**9), (3, 10**6), (6, 10**3)):
        if step <= NANOSECONDS[unit] or not (counts % (step // NANOSECONDS[unit])).any():
            return digits
    return 9


def texts_of_dates(values: np.ndarray) -> list[str]:
    """Dates as pandas writes a column: days alone where no time of the day is there.

    ``values`` is datetime64 without NaT.
    """
    unit = np.datetime_data(values.dtype)[0]
    if not (values.view(np.int64) % (_DAY // NANOSECONDS[unit])).any():
        return list(map(str, np.datetime_as_string(values, "D")))
    shown = _UNIT_OF_DIGITS[_digits(values)]
    written = np.datetime_as_string(values.astype(f"M8[{shown}]"))
    return [each.replace("T", " ") for each in written.tolist()]


def texts_of_zoned(values: np.ndarray, tz: Any) -> list[str]:
    """Moments, kept as UTC, as pandas writes a column of a zone. ``values`` is without NaT."""
    shown = _UNIT_OF_DIGITS[_digits(values)]
    written = []
    for value in values:
        moment = value.astype("M8[us]").astype(datetime.datetime).replace(tzinfo=datetime.UTC)
        local = moment.astimezone(tz)
        offset = np.timedelta64(local.utcoffset(), "s").astype("m8[s]")
        text = str((value + offset).astype(f"M8[{shown}]")).replace("T", " ")
        written.append(text + local.isoformat()[-6:])
    return written


def texts_of_durations(values: np.ndarray) -> list[str]:
    """Durations as pandas writes a column. ``values`` is timedelta64 without NaT."""
    unit = np.datetime_data(values.dtype)[0]
    counts = [each * NANOSECONDS[unit] for each in values.view(np.int64).tolist()]
    if all(each % _DAY == 0 for each in counts):
        return [f"{each // _DAY} days" for each in counts]
    whole = all(each % 10**9 == 0 for each in counts)
    digits = 0 if whole else 6 if all(each % 1000 == 0 for each in counts) else 9
    return [_duration(each, digits) for each in counts]


def _duration(count: int, digits: int) -> str:
    days, rest = divmod(count, _DAY)
    seconds, fraction = divmod(rest, 10**9)
    sign = "+" if days < 0 else ""
    clock = f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    part = f".{fraction:09}"[: digits + 1] if digits else ""
    return f"{days} days {sign}{clock}{part}"


def date_of_text(text: str) -> np.datetime64 | datetime.datetime:
    """A date of ISO 8601: naive as NumPy has it, with an offset as Python has it.

    Raises ValueError with the text where it is none.
    """
    if text in ("", "NaT", "nan", "NaN", "None", "<NA>"):
        return np.datetime64("NaT", "s")
    stripped = text.strip()
    if not re.match(r"-?\d{4,}", stripped):
        raise ValueError(f'Given date string "{text}" not likely a datetime')
    try:
        return np.datetime64(stripped.replace(" ", "T", 1))
    except ValueError:
        pass
    try:
        moment = datetime.datetime.fromisoformat(stripped)
    except ValueError:
        raise ValueError(
            f'Given date string "{text}" not likely a datetime: pass ISO 8601, as 2024-01-31 12:30'
        ) from None
    return moment if moment.tzinfo else np.datetime64(moment)


def duration_of_text(text: str) -> np.timedelta64:
    """A duration such as "1 days 02:03:04.5", "90min" or "15" (nanoseconds).

    Raises ValueError with the text where it is none.
    """
    rest = text.strip()
    if rest in ("", "NaT", "nan", "NaN", "None", "<NA>"):
        return np.timedelta64("NaT", "ns")
    sign = -1 if rest.startswith("-") else 1
    rest = rest.lstrip("+-").strip()
    if rest.isdigit():
        return np.timedelta64(sign * int(rest), "ns")
    total = 0
    while rest:
        clock = _CLOCK.match(rest)
        if clock:
            return np.timedelta64(
                sign * total + _clock_sign(text, sign) * _clock_count(clock), "ns"
            )
        part = _PART.match(rest)
        if part is None or part[2].lower() not in _UNIT_NAMES:
            raise ValueError(f"Could not convert {text!r} to NumPy timedelta: pass e.g. '1 days'")
        unit = _UNIT_NAMES[part[2] if part[2] in _UNIT_NAMES else part[2].lower()]
        total += round(float(part[1]) * unit) if "." in part[1] else int(part[1]) * unit
        rest = rest[part.end() :]
    return np.timedelta64(sign * total, "ns")


def _clock_sign(text: str, sign: int) -> int:
    """In "-1 days +01:00:00" the clock counts forward."""
    return 1 if "+" in text else sign


def _clock_count(clock: re.Match[str]) -> int:
    hours, minutes, seconds, fraction = clock.groups()
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)
    return whole * 10**9 + int((fraction or "").ljust(9, "0") or 0)


def utc_count(moment: datetime.datetime) -> np.datetime64:
    """A moment with a zone as UTC in microseconds."""
    return np.datetime64(moment.astimezone(zone_of("UTC")).replace(tzinfo=None), "us")
