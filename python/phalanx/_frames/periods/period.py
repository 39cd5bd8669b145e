"""`Period`: a year, a month, a day or another span of the calendar."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from phalanx.errors import IncompatibleFrequency

from ..missing import is_missing
from ..offsets.base import BaseOffset
from ..operations import fields
from ..scalars import NaT, Timestamp
from ..scalars.moments import said
from ..scalars.rows import scalar_of
from .frequency import PeriodFrequency, is_end, of_resolution, period_frequency
from .reading import number_of_parts, quarter_number


class Period:
    """A span of time of a frequency: 'Y', 'Q', 'M', 'W', 'D', 'h', 'min', 's', 'ms', 'us', 'ns'.

    ``value`` is a text, a date or a Period; or ``ordinal``, ``year``, ``month``, ``quarter`` and so
    on are given. A text says its frequency, others need ``freq``. Raises ValueError without one.

    >>> px.Period("2024-02") + 1
    Period('2024-03', 'M')
    """

    __module__ = "phalanx"
    __slots__ = {
        "_frequency": "",
        "ordinal": "The number of the period, counted from the one that has 1970-01-01.",
    }
    ordinal: int

    if TYPE_CHECKING:  # made of the tables below

        @property
        def year(self) -> int: ...

        month = day = hour = minute = second = day_of_week = day_of_year = days_in_month = year
        dayofweek = weekday = dayofyear = daysinmonth = is_leap_year = year
    _frequency: PeriodFrequency

    def __new__(
        cls, value: Any = None, freq: Any = None, ordinal: int | None = None, **parts: Any
    ) -> Any:
        length = None if freq is None else period_frequency(freq)
        if ordinal is not None:
            if length is None:
                raise ValueError("Must supply freq for ordinal value")
            return period_of(int(ordinal), length)
        if parts:
            return period_of(*number_of_parts(parts, length))
        return _of_value(value, length)

    # Parts.

    @property
    def freq(self) -> BaseOffset:
        """From the end of a period to the end of the next one."""
        return self._frequency.offset

    @property
    def freqstr(self) -> str:
        """The text of the frequency."""
        return self._frequency.freqstr

    @property
    def start_time(self) -> Any:
        """The first moment."""
        return scalar_of(self._frequency.starts(self._one())[0])

    @property
    def end_time(self) -> Any:
        """The last moment."""
        return scalar_of(self._frequency.ends(self._one())[0])

    def _one(self) -> np.ndarray:
        return np.array([self.ordinal])

    def _shown(self) -> Any:
        return scalar_of(self._frequency.shown(self._one())[0])

    @property
    def quarter(self) -> int:
        """1 to 4, of the year that the frequency's anchor ends."""
        return int(self._frequency.quarters(self._one())[1][0])

    @property
    def qyear(self) -> int:
        """The year of the quarter."""
        return int(self._frequency.quarters(self._one())[0][0])

    @property
    def week(self) -> int:
        """The week of ISO 8601."""
        return int(self._shown().week)

    weekofyear = week

    def to_timestamp(self, freq: Any = None, how: str = "start") -> Any:
        """The first moment, or with ``how='end'`` the last one."""
        if is_end(how):
            return self.end_time
        return self.start_time if freq is None else self.asfreq(freq, "S")._shown()

    def asfreq(self, freq: Any, how: str = "E") -> Period:
        """The period of another frequency at this one's end, or with ``how='S'`` at its start."""
        length = period_frequency(freq)
        moments = self._frequency.ends(self._one()) if is_end(how) else (
            self._frequency.starts(self._one())
        )  # fmt: skip
        return period_of(int(length.numbers_of(moments)[0]), length)  # type: ignore[no-any-return]

    def strftime(self, fmt: str | None = None) -> str:
        """As a text of a format of ``strftime``; '%q' is the quarter, '%F' its year."""
        if fmt is None:
            return str(self)
        for directive, value in (("%q", self.quarter), ("%F", self.qyear)):
            fmt = fmt.replace(directive, str(value))
        fmt = fmt.replace("%f", f"{self.qyear % 100:02}")
        return str(self._shown().strftime(fmt))

    @classmethod
    def now(cls, freq: Any) -> Any:
        """The period that is now."""
        return cls(Timestamp.now(), freq)

    def __str__(self) -> str:
        return self._frequency.text(self.ordinal)

    def __repr__(self) -> str:
        return f"Period('{self}', '{self.freqstr}')"

    def __reduce__(self) -> tuple[Any, ...]:
        return period_of, (self.ordinal, self._frequency)

    # Comparisons and arithmetic.

    def __hash__(self) -> int:
        return hash((self.ordinal, self.freqstr))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Period):
            return NotImplemented
        return (self.ordinal, self._frequency) == (other.ordinal, other._frequency)

    def _beside(self, other: Any) -> int:
        """The number of a period of the same frequency. Raises IncompatibleFrequency of others."""
        if other._frequency != self._frequency:
            raise IncompatibleFrequency(
                f"Input has different freq={other.freqstr} from Period(freq={self.freqstr}); "
                "use asfreq"
            )
        return int(other.ordinal)

    def _ordered(self, other: Any, compare: Callable[[int, int], bool]) -> bool:
        if other is NaT:
            return False
        return compare(self.ordinal, self._beside(other)) if isinstance(other, Period) else (
            NotImplemented
        )  # fmt: skip

    def __lt__(self, other: Any) -> bool:
        return self._ordered(other, operator.lt)

    def __le__(self, other: Any) -> bool:
        return self._ordered(other, operator.le)

    def __gt__(self, other: Any) -> bool:
        return self._ordered(other, operator.gt)

    def __ge__(self, other: Any) -> bool:
        return self._ordered(other, operator.ge)

    def __add__(self, other: Any) -> Any:
        if other is NaT:
            return NaT
        if _is_whole(other):
            return period_of(self.ordinal + int(other) * self._frequency.n, self._frequency)
        if isinstance(other, (datetime.timedelta, np.timedelta64, BaseOffset)):
            return period_of(self.ordinal + self._units(other), self._frequency)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, Period):
            return self._frequency.step * (self.ordinal - self._beside(other))
        if other is NaT:
            return NaT
        return NotImplemented if self.__add__(other) is NotImplemented else self.__add__(-other)

    def _units(self, other: Any) -> int:
        """A span of time or an offset in units of the frequency."""
        step = self._frequency.step
        if isinstance(other, BaseOffset) and other.base == step:
            return other.n
        span = other
        if isinstance(other, BaseOffset) and other.is_span:
            span = np.timedelta64(other.nanos, "ns")
        if step.is_span and not isinstance(span, BaseOffset):
            count, rest = divmod(
                int(np.timedelta64(span).astype("m8[ns]").astype(np.int64)), step.nanos
            )
            if not rest:
                return count
        raise IncompatibleFrequency(
            f"Input {other!r} cannot be converted to Period(freq={self.freqstr})"
        )


def period_of(number: int, length: PeriodFrequency) -> Any:
    """The period of a number since 1970."""
    made: Period = object.__new__(Period)
    made.ordinal = number
    made._frequency = length
    return made


def _is_whole(value: Any) -> bool:
    """True for whole numbers, of which NumPy's durations are none."""
    return isinstance(value, int) or (isinstance(value, np.integer) and value.dtype.kind in "iu")


def _of_value(value: Any, length: PeriodFrequency | None) -> Any:
    if is_missing(value) or value in ("NaT", ""):
        return NaT
    if isinstance(value, Period):
        return value if length is None else value.asfreq(length)
    if _is_whole(value):
        value = str(value)
    if isinstance(value, str):
        quarter = None if length is None else quarter_number(value, length)
        if quarter is not None:
            return period_of(quarter, length)  # type: ignore[arg-type]
        if length is not None and length.base == "W":
            value = value.partition("/")[0]  # Weeks are written with both of their ends.
        read = said(value)
        moment, length = read.value, length or of_resolution(read.resolution)
    elif isinstance(value, (datetime.date, np.datetime64)):
        if length is None:
            raise ValueError("Must supply freq for datetime value")
        moment = Timestamp(value).tz_localize(None).asm8
    else:
        raise ValueError("Value must be Period, string, integer, or datetime")
    return period_of(int(length.numbers_of(np.array([moment]))[0]), length)


def _field(name: str) -> property:
    def field(self: Period) -> Any:
        return getattr(self._shown(), fields.OTHER_NAMES.get(name, name))

    field.__doc__ = f"The {name.replace('_', ' ')} of its last day, or of its start if it is less."
    return property(field)


# What a date has, periods have too; the quarter is theirs.
FIELDS = (
    "year", "month", "day", "hour", "minute", "second", "day_of_week", "day_of_year",
    "days_in_month", *fields.OTHER_NAMES, "is_leap_year",
)  # fmt: skip
for _name in FIELDS:
    setattr(Period, _name, _field(_name))
