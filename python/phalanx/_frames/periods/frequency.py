"""How long periods are: their numbers for moments, their bounds and their texts."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from ..dtypes import PeriodDtype as PeriodDtype
from ..offsets.base import BaseOffset
from ..offsets.texts import frequency_of, named
from ..scalars.counts import in_unit
from ..scalars.units import NAT_VALUE

# NumPy's units, and as many of the next finer one that dates are counted in.
_UNITS = {"h": ("s", 3600), "min": ("s", 60)} | {
    each: (each, 1) for each in ("s", "ms", "us", "ns")
}
_CALENDAR = {"Y": "YE", "Q": "QE", "M": "ME", "W": "W"}
# The number of the period that has 1970-01-01 is pandas': 0, 1 for weeks, the quarter of the year.
_SHIFTS = {"Q": 3, "W": 1}
_OF_RESOLUTION = {"Y": "Y-DEC", "Q": "Q-DEC"}
_DIGITS = {"ms": 3, "us": 6, "ns": 9}


class PeriodFrequency:
    """So many of 'Y-DEC', 'Q-DEC', 'M', 'W-SUN', 'D', 'h', 'min', 's', 'ms', 'us' or 'ns'."""

    def __init__(self, n: int, name: str) -> None:
        self.n = n
        self.name = name
        base, _, anchor = name.partition("-")
        self.base = base
        self.offset_name = _CALENDAR.get(base, base) + (f"-{anchor}" if anchor else "")
        self.step = named(self.offset_name)
        self._shift = _SHIFTS.get(base, 0)

    @property
    def freqstr(self) -> str:
        """The text that says it, as '2M' or 'Q-DEC'."""
        return (str(self.n) if self.n != 1 else "") + self.name

    @property
    def offset(self) -> BaseOffset:
        """From the end of a period to the end of the next one."""
        made: BaseOffset = self.step * self.n
        return made

    def __repr__(self) -> str:
        return self.freqstr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, PeriodFrequency) and other.freqstr == self.freqstr

    def __hash__(self) -> int:
        return hash(self.freqstr)

    def __reduce__(self) -> tuple[Any, ...]:
        return PeriodFrequency, (self.n, self.name)

    # Numbers and moments: arrays of int64 and of datetime64, in which NaT is NaT's count.

    def numbers_of(self, moments: np.ndarray) -> np.ndarray:
        """The number of the period that each moment is in."""
        gone = np.isnat(moments)
        if self.step.calendar is not None:
            days = in_unit(moments, "D").view(np.int64)
            found = self.step.calendar.number(np.where(gone, 0, days) - 1) + 1 + self._shift
        elif self.base == "D":
            found = in_unit(moments, "D").view(np.int64)
        else:
            unit, length = _UNITS[self.base]
            found = in_unit(moments, unit).view(np.int64) // length
        return np.where(gone, NAT_VALUE, found)

    def starts(self, numbers: np.ndarray) -> np.ndarray:
        """The first moment of each period, in microseconds, or nanoseconds of such periods."""
        return self._moments(numbers, 0)

    def ends(self, numbers: np.ndarray) -> np.ndarray:
        """The last moment of each period of `n` units."""
        after = self._moments(numbers, self.n)
        return np.where(np.isnat(after), after, after - np.array(1, f"m8[{self.unit}]"))

    @property
    def unit(self) -> str:
        """What bounds are counted in."""
        return "ns" if self.base == "ns" else "us"

    def _moments(self, numbers: np.ndarray, later: int) -> np.ndarray:
        gone = numbers == NAT_VALUE
        counts = np.where(gone, 0, numbers) + later
        if self.step.calendar is not None:
            counts = self.step.calendar.day(counts - 1 - self._shift) + 1
        if self.step.calendar is not None or self.base == "D":
            moments = counts.view("M8[D]").astype("M8[s]")
        else:
            unit, length = _UNITS[self.base]
            moments = (counts * length).view(f"M8[{unit}]")
        return np.where(gone, np.datetime64("NaT"), in_unit(moments, self.unit))

    def shown(self, numbers: np.ndarray) -> np.ndarray:
        """The moments whose fields are the periods': the last days of those of the calendar."""
        if self.step.calendar is None:
            return self.starts(numbers)
        return self._moments(numbers, 1) - np.timedelta64(86400, "s")

    def quarters(self, numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The years and quarters (1 to 4): of a year that ends with the anchor, for quarters."""
        if self.base == "Q":
            return numbers // 4 + 1970, numbers % 4 + 1
        months = self.shown(numbers).astype("M8[M]").view(np.int64)
        return months // 12 + 1970, months % 12 // 3 + 1

    def text(self, number: int) -> str:
        """How one period is written."""
        one = np.array([number])
        if self.base == "Q":
            year, quarter = self.quarters(one)
            return f"{year[0]}Q{quarter[0]}"
        first = str(self.shown(one)[0])
        if self.base in ("Y", "M", "D"):
            return first[: {"Y": -22, "M": -19, "D": -16}[self.base]]
        if self.base == "W":
            return f"{str(self.starts(one)[0])[:-16]}/{first[:-16]}"
        clock = first.replace("T", " ").partition(".")[0]
        if self.base in ("h", "min"):
            return f"{clock[:-5]}00" if self.base == "h" else clock[:-3]
        digits = _DIGITS.get(self.base, 0)
        part = first.partition(".")[2]
        return f"{clock}.{part[:digits]}" if digits else clock


def period_frequency(given: Any) -> PeriodFrequency:
    """How long periods are, of a text, an offset or one of these.

    Raises ValueError for what is none of periods, such as 'ME' or 'B'.
    """
    if isinstance(given, PeriodFrequency):
        return given
    if isinstance(given, str):
        text = _of_text(given)
    elif isinstance(given, datetime.timedelta) or hasattr(given, "freqstr"):
        text = getattr(given, "freqstr", given)
    else:
        raise TypeError(f"a frequency of periods is a text such as 'M' or 'D', not {given!r}")
    found = frequency_of(text)
    assert found is not None
    base, _, anchor = found.name.partition("-")
    names = {offset: name for name, offset in _CALENDAR.items()} | {"MS": "M"}
    base = names.get(base, base)
    if base not in (*_CALENDAR, "D", *_UNITS) or found.n < 1:
        raise ValueError(f"{given!r} is no frequency of periods: pass 'Y', 'Q', 'M', 'W', 'D', 'h'")
    return PeriodFrequency(found.n, base + (f"-{anchor}" if anchor else ""))


def _of_text(given: str) -> str:
    """A frequency of periods in the letters of offsets: 'M' is 'ME' of these."""
    count = given[: len(given) - len(given.lstrip("0123456789+-"))]
    base, dash, anchor = given[len(count) :].partition("-")
    if base in ("YE", "QE", "ME"):
        raise ValueError(
            f"Invalid frequency: {given}: for Period, use {base[0]!r} and not {base!r}"
        )
    return f"{count}{_CALENDAR.get(base, base)}{dash}{anchor}"


def of_resolution(resolution: str) -> PeriodFrequency:
    """The periods that a text of a resolution says."""
    return PeriodFrequency(1, _OF_RESOLUTION.get(resolution, resolution))


def is_end(how: str) -> bool:
    """True for 'E', 'end' and the like. Raises ValueError for what is no end of a period."""
    name = str(how).upper()
    if name not in ("S", "START", "BEGIN", "E", "END", "FINISH"):
        raise ValueError(f"How must be one of 'S', 'E', 'start' or 'end', not {how!r}")
    return name[0] in "EF"
