"""Offsets that are spans of time: days, hours, minutes and what is finer."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..scalars.counts import in_unit
from ..scalars.timedelta import of_count as duration_of_count
from ..scalars.timestamp import Timestamp
from ..scalars.units import duration_count
from .base import BaseOffset, later
from .calendars import NANOSECONDS

_SECONDS = {"min": 60, "h": 3600, "D": 86400}


class Span(BaseOffset):
    """So many of a unit of time."""

    is_span = True
    _title = "Tick"

    def __init__(self, n: int = 1, normalize: bool = False) -> None:
        if normalize:
            raise ValueError(f"{self._title} offset with `normalize=True` is not allowed.")
        super().__init__(n)

    def _times(self, n: int) -> Any:
        return type(self)(n)

    @property
    def nanos(self) -> int:
        """The nanoseconds that it lasts.

        >>> px.offsets.Second(2).nanos
        2000000000
        """
        return self.n * NANOSECONDS[self.prefix]

    @property
    def unit(self) -> str:
        """The unit of durations that it is counted in: 's' for all that is not finer.

        >>> px.offsets.Hour(2).unit, px.offsets.Milli(2).unit
        ('s', 'ms')
        """
        return "s" if self.prefix in _SECONDS else self.prefix

    def _as_duration(self) -> tuple[int, str]:
        """Its count and unit as a duration."""
        return self.n * _SECONDS.get(self.prefix, 1), self.unit

    def duration(self) -> Any:
        """It as a Timedelta.

        >>> px.offsets.Hour(36).duration()
        Timedelta('1 days 12:00:00')
        """
        return duration_of_count(*self._as_duration())

    def _moved_dates(self, dates: np.ndarray, steps: np.ndarray) -> np.ndarray:
        own = np.datetime_data(dates.dtype)[0]
        unit, span = own, self.span_in(own)
        if span is None:
            unit, span = self.unit, 1
            dates = in_unit(dates, unit)
        return later(dates, steps * span)

    def span_in(self, unit: str) -> int | None:
        """How many of another unit one of it lasts, None where that is finer than the unit.

        >>> px.offsets.Hour(2).span_in("s")
        3600
        """
        span, rest = divmod(NANOSECONDS[self.prefix], NANOSECONDS[unit])
        return None if rest else span

    def __add__(self, other: Any) -> Any:
        found = duration_count(other)
        if found is not None:
            return duration_of_count(*found) + self.duration()
        if type(other) is type(self):
            return self._times(self.n + other.n)
        if isinstance(other, Span):
            return self._with_span(other)
        return super().__add__(other)

    __radd__ = __add__

    def _with_span(self, other: Span) -> Any:
        return self.duration() + other.duration()

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Span) or duration_count(other) is not None:
            return self + -other
        return super().__sub__(other)


class Tick(Span):
    """A span of time that has nothing to do with the calendar.

    >>> px.offsets.Hour(3) + px.offsets.Minute(30)
    <210 * Minutes>
    """

    by_clock = False

    def _applied(self, date: Timestamp) -> Any:
        return date + self.duration()

    def _with_span(self, other: Span) -> Any:
        if not isinstance(other, Tick):
            return super()._with_span(other)
        return tick_of(self.nanos + other.nanos)

    def _compared(self, other: Any, test: Callable[[Any, Any], bool]) -> Any:
        count = other._as_duration() if isinstance(other, Tick) else duration_count(other)
        if count is None:
            return NotImplemented
        return test(self.nanos, count[0] * NANOSECONDS[count[1]])

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str):
            other = self._read(other)
        found = self._compared(other, operator.eq)
        return super().__eq__(other) if found is NotImplemented else bool(found)

    __hash__ = BaseOffset.__hash__

    def __lt__(self, other: Any) -> Any:
        return self._compared(other, operator.lt)

    def __le__(self, other: Any) -> Any:
        return self._compared(other, operator.le)

    def __gt__(self, other: Any) -> Any:
        return self._compared(other, operator.gt)

    def __ge__(self, other: Any) -> Any:
        return self._compared(other, operator.ge)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, (float, np.floating)):
            return self._scaled(float(other))
        return super().__mul__(other)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Any:
        if isinstance(other, Tick) or duration_count(other) is not None:
            return self.duration() / (other.duration() if isinstance(other, Tick) else other)
        if isinstance(other, (int, float, np.number)):
            return self._scaled(1 / other, divisor=other)
        return NotImplemented

    def __rtruediv__(self, other: Any) -> Any:
        if duration_count(other) is not None:
            return other / self.duration()
        return NotImplemented

    def _scaled(self, factor: float, divisor: Any = None) -> Any:
        """So many times as long. Raises ValueError for parts of a nanosecond."""
        nanos = self.nanos / divisor if divisor is not None else self.nanos * factor
        if not float(nanos).is_integer():
            raise ValueError("Could not convert to integer offset at any resolution")
        found = int(nanos)
        exact = found % abs(NANOSECONDS[self.prefix]) == 0
        return type(self)(found // NANOSECONDS[self.prefix]) if exact else tick_of(found)


def tick_of(nanoseconds: int) -> Tick:
    """A span of time in the coarsest unit that it is a multiple of; days are none to pandas."""
    for kind in (Hour, Minute, Second, Milli, Micro):
        if nanoseconds % NANOSECONDS[kind.prefix] == 0:
            return kind(nanoseconds // NANOSECONDS[kind.prefix])
    return Nano(nanoseconds)


class Day(Span):
    """So many days: the clocks show the same time, also where one has 23 or 25 hours.

    >>> px.Timestamp("2024-02-28 13:45") + px.offsets.Day(2)
    Timestamp('2024-03-01 13:45:00')
    """

    prefix = "D"
    _title = "Day"


class Hour(Tick):
    """So many hours.

    >>> px.Timedelta("1 day") + px.offsets.Hour(2)
    Timedelta('1 days 02:00:00')
    """

    prefix = "h"


class Minute(Tick):
    """So many minutes.

    >>> px.Timedelta("1 day") + px.offsets.Minute(2)
    Timedelta('1 days 00:02:00')
    """

    prefix = "min"


class Second(Tick):
    """So many seconds.

    >>> px.Timedelta("1 day") + px.offsets.Second(2)
    Timedelta('1 days 00:00:02')
    """

    prefix = "s"


class Milli(Tick):
    """So many thousandths of a second.

    >>> px.Timedelta("1 day") + px.offsets.Milli(2)
    Timedelta('1 days 00:00:00.002000')
    """

    prefix = "ms"


class Micro(Tick):
    """So many millionths of a second.

    >>> px.Timedelta("1 day") + px.offsets.Micro(2)
    Timedelta('1 days 00:00:00.000002')
    """

    prefix = "us"


class Nano(Tick):
    """So many nanoseconds.

    >>> px.Timedelta("1 day") + px.offsets.Nano(2)
    Timedelta('1 days 00:00:00.000000002')
    """

    prefix = "ns"
