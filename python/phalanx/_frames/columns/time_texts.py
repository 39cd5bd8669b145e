"""Dates and durations written as text, and read."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ..dtypes import zone_of
from ..scalars.duration_texts import nanoseconds_of_text
from ..scalars.making import of_input
from ..scalars.units import NANOSECONDS

_DAY = 86400 * 10**9
_UNIT_OF_DIGITS = {0: "s", 3: "ms", 6: "us", 9: "ns"}


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


def date_of_text(text: str) -> Any:
    """A date as NumPy has it, with an offset from UTC a `Timestamp`.

    Raises ValueError with the text where it is none.
    """
    found = of_input(text, None, None)
    return found if found.tzinfo is not None else found.to_datetime64()


def duration_of_text(text: str) -> np.timedelta64:
    """A duration such as "1 days 02:03:04.5", "90min" or "15" (nanoseconds).

    Raises ValueError with the text where it is none.
    """
    count = nanoseconds_of_text(text)
    return np.timedelta64("NaT" if count is None else count, "ns")


def utc_count(moment: datetime.datetime) -> np.datetime64:
    """A moment with a zone as UTC in its unit, of Python's in microseconds."""
    own: np.datetime64 | None = getattr(moment, "asm8", None)
    if own is not None:
        return own
    return np.datetime64(moment.astimezone(zone_of("UTC")).replace(tzinfo=None), "us")
