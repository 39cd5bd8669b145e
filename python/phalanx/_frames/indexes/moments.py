"""Texts and Python's dates as labels of dates: what is said, and how precisely."""

from __future__ import annotations

import datetime
import re
from typing import Any, NamedTuple

import numpy as np

from ..missing import is_missing

_DATE = re.compile(
    r"\s*(\d{4})(?:[-/]?(\d{2})(?:[-/]?(\d{1,2})"
    r"(?:[T ]+(\d{1,2})(?::(\d{1,2})(?::(\d{1,2})(?:\.(\d{1,9}))?)?)?)?)?)?"
    r"\s*(Z|UTC|[+-]\d{2}(?::?\d{2})?)?\s*$"
)
_SINGLE = re.compile(r"(\d{4})[-/](\d)(?!\d)")
_QUARTER = re.compile(r"\s*(?:(\d{4})-?[Qq]([1-4])|([1-4])[Qq](\d{4}))\s*$")
_SPANS = {"Y": "M8[Y]", "M": "M8[M]", "D": "M8[D]", "h": "M8[h]", "min": "M8[m]", "s": "M8[s]"}
# Resolutions from the coarsest to the finest.
RESOLUTIONS = ("Y", "Q", "M", "D", "h", "min", "s", "ms", "us", "ns")


class Said(NamedTuple):
    """The first moment of the span of time that a text says, and the resolution of it."""

    value: np.datetime64
    resolution: str
    offset: datetime.timedelta | None

    def last(self) -> np.datetime64:
        """The last nanosecond of the span."""
        if self.resolution == "Q":
            after = self.value.astype("M8[M]") + 3
        elif self.resolution in _SPANS:
            after = self.value.astype(_SPANS[self.resolution]) + 1
        else:
            after = self.value.astype(f"M8[{self.resolution}]") + 1
        return after.astype("M8[ns]") - np.timedelta64(1, "ns")  # type: ignore[no-any-return]


def said(text: str) -> Said:
    """What a text says, as '2020', '2020-03', '2020Q1' or '2020-03-05 12:30'. ValueError if it is
    no date.
    """
    quarter = _QUARTER.match(text)
    if quarter is not None:
        year, number = int(quarter[1] or quarter[4]), int(quarter[2] or quarter[3])
        return Said(np.datetime64(f"{year}-{number * 3 - 2:02}", "us"), "Q", None)
    match = _DATE.match(_SINGLE.sub(r"\1-0\2", text))
    if match is None:
        raise ValueError(f"no date: {text!r}; write it as '2020-03-05 12:30:00'")
    fields, zone = match.groups()[:7], match[8]
    count = sum(each is not None for each in fields)
    named = ("Y", "M", "D", "h", "min", "s")[count - 1] if count < 7 else _of_fraction(fields[6])
    return Said(_value(fields, text), named, _offset(zone))


def _of_fraction(digits: str) -> str:
    return "ms" if len(digits) <= 3 else "us" if len(digits) <= 6 else "ns"


def _value(fields: Any, text: str) -> np.datetime64:
    year, month, day, hour, minute, second, fraction = fields
    unit = "ns" if fraction is not None and len(fraction) > 6 else "us"
    written = f"{year}-{month or '01'}-{int(day or 1):02}T{int(hour or 0):02}"
    written += f":{int(minute or 0):02}:{int(second or 0):02}"
    try:
        value = np.datetime64(written + (f".{fraction}" if fraction else ""))
        found: np.datetime64 = value.astype(f"M8[{unit}]")
        return found
    except ValueError as error:
        raise ValueError(f"no date: {text!r}: {error}") from None


def _offset(zone: str | None) -> datetime.timedelta | None:
    if zone is None:
        return None
    if zone in ("Z", "UTC"):
        return datetime.timedelta(0)
    sign = -1 if zone[0] == "-" else 1
    digits = zone[1:].replace(":", "").ljust(4, "0")
    return sign * datetime.timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))


def moment(label: Any) -> tuple[np.datetime64, bool]:
    """A date of Python, NumPy or pandas, and whether it is UTC of one with a time zone.

    Raises TypeError for what is no date.
    """
    if isinstance(label, np.datetime64):
        return label, False
    if is_missing(label):
        return np.datetime64("NaT", "ns"), False
    if not isinstance(label, datetime.date):
        raise TypeError(f"{label!r} is no date")
    if not isinstance(label, datetime.datetime):
        return np.datetime64(label, "s"), False
    unit = getattr(label, "unit", "us")
    zoned = label.tzinfo is not None
    extra = np.timedelta64(getattr(label, "nanosecond", 0), "ns")
    plain = label.astimezone(datetime.UTC).replace(tzinfo=None) if zoned else label
    fields = datetime.datetime(*plain.timetuple()[:6], plain.microsecond)
    return (np.datetime64(fields, "us") + extra).astype(f"M8[{unit}]"), zoned
