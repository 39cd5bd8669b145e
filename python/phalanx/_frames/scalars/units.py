"""Units of dates and durations, and counts of them in others."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from phalanx.errors import OutOfBoundsTimedelta

# Nanoseconds of each unit that columns count in, and of the others that programs name.
NANOSECONDS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}
PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
LONGER = {"W": 7 * 86400 * 10**9, "D": 86400 * 10**9, "h": 3600 * 10**9, "m": 60 * 10**9}
DAY = LONGER["D"]
NAT_VALUE = -(2**63)

# How programs write units of numbers, beside the names themselves.
_NAMES = {
    "w": "W", "d": "D", "day": "D", "days": "D", "hour": "h", "hours": "h", "hr": "h", "H": "h",
    "min": "m", "minute": "m", "minutes": "m", "T": "m", "t": "m",
    "sec": "s", "second": "s", "seconds": "s", "S": "s",
    "milli": "ms", "millis": "ms", "millisecond": "ms", "milliseconds": "ms",
    "micro": "us", "micros": "us", "microsecond": "us", "microseconds": "us", "µs": "us",
    "nano": "ns", "nanos": "ns", "nanosecond": "ns", "nanoseconds": "ns", "N": "ns", "n": "ns",
}  # fmt: skip


def unit_named(name: str) -> str:
    """'W', 'D', 'h', 'm', 's', 'ms', 'us' or 'ns' of a unit as programs name it.

    Raises ValueError for months and years, which have no one length, and for what is no unit.
    """
    found = _NAMES.get(name, name)
    if found in NANOSECONDS or found in LONGER:
        return found
    if found in ("M", "Y", "y"):
        raise ValueError(
            "Units 'M', 'Y', and 'y' are no longer supported, as they do not represent "
            "unambiguous timedelta values durations."
        )
    raise ValueError(f"invalid unit abbreviation: {name}")


def nanoseconds_of(unit: str) -> int:
    """The nanoseconds of a unit that `unit_named` gives."""
    return NANOSECONDS[unit] if unit in NANOSECONDS else LONGER[unit]


def finer(left: str, right: str) -> str:
    """The finer of two units of columns."""
    return left if NANOSECONDS[left] < NANOSECONDS[right] else right


def in_unit(count: int, unit: str, wanted: str) -> int:
    """A count in another unit, towards the past where that is coarser."""
    if unit == wanted:
        return count
    return count * NANOSECONDS[unit] // NANOSECONDS[wanted]


def fits(count: int) -> bool:
    """Returns whether int64 holds a count, and NaT's is another."""
    return NAT_VALUE < count < 2**63


def counted(number: Any, unit: str) -> tuple[int, str]:
    """A number of a unit as a count and the unit that it is counted in.

    Whole numbers are counted in microseconds, if not nanoseconds; others in nanoseconds, to as
    many digits as a float of the unit has. Raises OutOfBoundsTimedelta where int64 is too small.
    """
    nanoseconds = nanoseconds_of(unit)
    if isinstance(number, (int, np.integer)):
        whole = int(number) * nanoseconds
        counted_in = "ns" if unit == "ns" else "us"
        count = whole // NANOSECONDS[counted_in]
    else:
        counted_in = "ns"
        base = int(number)
        fraction = round(float(number) - base, len(str(nanoseconds)) - 1)
        count = base * nanoseconds + int(fraction * nanoseconds)
        if float(number).is_integer() and unit != "ns":
            counted_in, count = "us", count // 1000
    if not fits(count) and count != NAT_VALUE:
        raise OutOfBoundsTimedelta(
            f"Cannot cast {number} from {unit} to {counted_in!r} without overflow."
        )
    return count, counted_in


def duration_count(given: Any) -> tuple[int, str] | None:
    """The count and unit of a duration of Python's or NumPy's; None for other things and NaT."""
    if isinstance(given, datetime.timedelta):
        value = getattr(given, "_value", None)
        if value is not None:
            return value, given._unit  # type: ignore[attr-defined]
        value = getattr(given, "asm8", None)  # Another library's, with its own unit.
        if value is not None:
            return duration_count(value)
        seconds = given.days * 86400 + given.seconds
        return seconds * 10**6 + given.microseconds, "us"
    if isinstance(given, np.timedelta64) and given == given:
        unit = np.datetime_data(given.dtype)[0]
        if unit not in NANOSECONDS:
            given, unit = given.astype("m8[s]"), "s"
        return int(given.astype(np.int64)), unit
    return None
