"""Durations read from text, and written."""

from __future__ import annotations

import re
from typing import NamedTuple

from .units import DAY

MISSING_TEXTS = frozenset(("", "NaT", "nat", "nan", "NaN", "NAN", "None", "<NA>"))
# How pandas calls the units of durations in texts.
_UNIT_NAMES = {
    "ns": 1, "nanosecond": 1, "nanoseconds": 1, "nanos": 1, "nano": 1,
    "us": 10**3, "microsecond": 10**3, "microseconds": 10**3, "micros": 10**3, "micro": 10**3,
    "µs": 10**3, "ms": 10**6, "millisecond": 10**6, "milliseconds": 10**6, "millis": 10**6,
    "milli": 10**6, "s": 10**9, "sec": 10**9, "second": 10**9, "seconds": 10**9,
    "m": 60 * 10**9, "min": 60 * 10**9, "minute": 60 * 10**9, "minutes": 60 * 10**9,
    "h": 3600 * 10**9, "hr": 3600 * 10**9, "hour": 3600 * 10**9, "hours": 3600 * 10**9,
    "d": DAY, "day": DAY, "days": DAY, "w": 7 * DAY, "week": 7 * DAY, "weeks": 7 * DAY,
}  # fmt: skip
_CLOCK = re.compile(r"\+?(\d+):(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9})\d*)?)$")
_PART = re.compile(r"(\d+(?:\.\d*)?|\.\d+)\s*([a-zµA-Z]+)[\s,]*")
_ISO = re.compile(
    r"([+-]?)P(?:(-?\d+)W)?(?:(-?\d+)D)?"
    r"(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+)(?:\.(\d{1,9})\d*)?S)?)?$"
)


class Components(NamedTuple):
    """A duration as days of the calendar of clocks: all but the days are not negative."""

    days: int
    hours: int
    minutes: int
    seconds: int
    milliseconds: int
    microseconds: int
    nanoseconds: int


def components(nanoseconds: int) -> Components:
    """A count of nanoseconds by its parts."""
    days, rest = divmod(nanoseconds, DAY)
    seconds, fraction = divmod(rest, 10**9)
    return Components(
        days,
        seconds // 3600,
        seconds // 60 % 60,
        seconds % 60,
        fraction // 10**6,
        fraction // 1000 % 1000,
        fraction % 1000,
    )


def nanoseconds_of_text(text: str) -> int | None:
    """The nanoseconds of "1 days 02:03:04.5", "90min", "15" or "P1DT2H"; None of a missing one.

    Raises ValueError with the text where it is none.
    """
    rest = text.strip()
    if rest in MISSING_TEXTS:
        return None
    iso = _ISO.match(rest)
    if iso and len(rest.lstrip("+-")) > 1:
        return _of_iso(iso)
    sign = -1 if rest.startswith("-") else 1
    rest = rest.lstrip("+-").strip()
    if rest.isdigit():
        return sign * int(rest)
    total = 0
    while rest:
        clock = _CLOCK.match(rest)
        if clock:
            # In "-1 days +01:00:00" the clock counts forward.
            return sign * total + (1 if "+" in text else sign) * _clock_count(clock)
        part = _PART.match(rest)
        if part is None or _unit(part[2]) is None:
            raise ValueError(f"Could not convert {text!r} to NumPy timedelta: pass e.g. '1 days'")
        unit = _unit(part[2]) or 0
        total += round(float(part[1]) * unit) if "." in part[1] else int(part[1]) * unit
        rest = rest[part.end() :]
    return sign * total


def _unit(name: str) -> int | None:
    return _UNIT_NAMES.get(name, _UNIT_NAMES.get(name.lower()))


def _clock_count(clock: re.Match[str]) -> int:
    hours, minutes, seconds, fraction = clock.groups()
    whole = int(hours) * 3600 + int(minutes) * 60 + int(seconds or 0)
    return whole * 10**9 + int((fraction or "").ljust(9, "0") or 0)


def _of_iso(match: re.Match[str]) -> int:
    sign, *parts, fraction = match.groups()
    weeks, days, hours, minutes, seconds = (int(each or 0) for each in parts)
    whole = ((weeks * 7 + days) * 24 + hours) * 3600 + minutes * 60 + seconds
    count = whole * 10**9 + int((fraction or "").ljust(9, "0") or 0)
    return -count if sign == "-" else count


def text_of_nanoseconds(nanoseconds: int) -> str:
    """A duration as pandas writes one: ``-1 days +23:59:59.500000``."""
    days, rest = divmod(nanoseconds, DAY)
    seconds, fraction = divmod(rest, 10**9)
    sign = "+" if days < 0 else ""
    text = f"{days} days {sign}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    if fraction == 0:
        return text
    return text + (f".{fraction:09}" if fraction % 1000 else f".{fraction // 1000:06}")


def iso_text(nanoseconds: int) -> str:
    """A duration of ISO 8601: ``P1DT2H0M0S``."""
    parts = components(nanoseconds)
    fraction = nanoseconds % 10**9
    seconds = f"{parts.seconds}"
    if fraction:
        seconds += f".{fraction:09}".rstrip("0")
    return f"P{parts.days}DT{parts.hours}H{parts.minutes}M{seconds}S"
