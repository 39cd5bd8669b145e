"""`Timestamp`: a date with a unit, and with or without a time zone."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable
from typing import Any, ClassVar, Self

import numpy as np

from phalanx.errors import OutOfBoundsDatetime

from .. import above
from ..dtypes import UNITS, zone_name, zone_of
from ..signatures import NO_DEFAULT
from . import zones
from .fields import CalendarFields
from .nat import NaT
from .ordered import Ordered
from .rounding import rounded_count
from .timedelta import Timedelta
from .timedelta import of_count as duration_of_count
from .units import NANOSECONDS, NAT_VALUE, PER_SECOND, duration_count, finer, fits, in_unit

_EPOCH = datetime.datetime(1970, 1, 1)
_UTC_EPOCH = _EPOCH.replace(tzinfo=datetime.UTC)
_FIRST = (datetime.datetime.min - _EPOCH) // datetime.timedelta(seconds=1)
_LAST = (datetime.datetime.max - _EPOCH) // datetime.timedelta(seconds=1)
# The calendar repeats itself after 400 years: 146097 days.
_CYCLE = 146097 * 86400


def of_count(count: int, unit: str, tz: Any = None) -> Any:
    """A Timestamp of a count of a unit since 1970 in UTC, shown in a zone; NaT of NaT's count.

    Raises OutOfBoundsDatetime where int64 does not hold the count.
    """
    if not fits(count):
        if count == NAT_VALUE:
            return NaT
        raise OutOfBoundsDatetime(f"Cannot cast {count} to unit={unit!r} without overflow.")
    seconds, rest = divmod(count, PER_SECOND[unit])
    nanoseconds = rest * NANOSECONDS[unit]
    cycles = 0
    if not _FIRST <= seconds <= _LAST:
        if tz is not None:
            raise NotImplementedError(
                "Localizing Timestamps which are outside the range of Python's standard library "
                "datetime is not supported: leave out the time zone"
            )
        cycles = (seconds - _CYCLE * 5) // _CYCLE
        seconds -= cycles * _CYCLE
    span = datetime.timedelta(0, seconds, nanoseconds // 1000)
    shown = _EPOCH + span if tz is None else (_UTC_EPOCH + span).astimezone(tz)
    return _built(shown, shown.year + cycles * 400, nanoseconds % 1000, count, unit)


def _built(shown: Any, year: int, nanosecond: int, count: int, unit: str) -> Any:
    made = datetime.datetime.__new__(
        Timestamp, shown.year, shown.month, shown.day, shown.hour, shown.minute, shown.second,
        shown.microsecond, shown.tzinfo, fold=shown.fold,
    )  # fmt: skip
    made.year = year  # type: ignore[misc]
    made.nanosecond = nanosecond
    made._value = count
    made._unit = unit
    return made


class Timestamp(Ordered, CalendarFields):
    """A date and a time of the day, counted in 's', 'ms', 'us' or 'ns', maybe in a time zone.

    ``ts_input`` is a text, a date of Python's or NumPy's, or a number of ``unit`` since 1970 ('ns'
    if not given); or year, month, day and so on are given as for ``datetime``. ``tz`` is a name or
    a ``tzinfo``: what has no zone of its own is what its clocks show, numbers are UTC. Raises
    ValueError for what is no date, TypeError for other things.

    >>> px.Timestamp("2026-01-31") + px.Timedelta("1D")
    Timestamp('2026-02-01 00:00:00')
    """

    __slots__ = {
        "_unit": "",
        "_value": "",
        "nanosecond": "The nanoseconds of the second beyond its microseconds, 0 to 999.",
        "year": "The year.",
    }
    __module__ = "phalanx"
    __array_priority__ = 100
    _value: int
    _unit: str
    nanosecond: int

    min: ClassVar[Timestamp]
    max: ClassVar[Timestamp]
    resolution: ClassVar[Any]

    def __new__(
        cls,
        ts_input: Any = NO_DEFAULT,
        year: Any = None,
        month: Any = None,
        day: Any = None,
        hour: Any = None,
        minute: Any = None,
        second: Any = None,
        microsecond: Any = None,
        tzinfo: Any = None,
        *,
        nanosecond: int | None = None,
        tz: Any = NO_DEFAULT,
        unit: str | None = None,
        fold: int | None = None,
    ) -> Any:
        zone = None if tz is NO_DEFAULT else tz
        if tzinfo is not None:
            if zone is not None:
                raise ValueError("Can provide at most one of tz, tzinfo")
            zone = tzinfo
        parts = [year, month, day, hour, minute, second, microsecond]
        if ts_input is not NO_DEFAULT and any(each is not None for each in parts):
            if isinstance(ts_input, str):
                raise ValueError(
                    "Cannot pass a date attribute keyword argument when passing a date string; "
                    "'tz' is keyword-only"
                )
            # Positions as those of datetime: the first is the year.
            parts, ts_input = [ts_input, *parts[:-1]], NO_DEFAULT
        if ts_input is NO_DEFAULT:
            return above.of_parts(parts, nanosecond or 0, zone, fold)
        return above.of_input(ts_input, unit, zone, fold)

    # What it is.

    @property
    def value(self) -> int:
        """Nanoseconds since 1970. Raises OverflowError where int64 does not hold them."""
        found = self._value * NANOSECONDS[self._unit]
        if not fits(found):
            raise OverflowError(f"int64 does not hold the nanoseconds of {self}: use as_unit")
        return found

    @property
    def unit(self) -> str:
        """'s', 'ms', 'us' or 'ns': what is counted."""
        return self._unit

    @property
    def tz(self) -> Any:
        """The time zone, or None."""
        return self.tzinfo

    @property
    def asm8(self) -> np.datetime64:
        """NumPy's date of the same unit, in UTC."""
        return np.datetime64(self._value, self._unit)  # type: ignore[no-any-return, call-overload]

    def to_datetime64(self) -> np.datetime64:
        """NumPy's date of the same unit, in UTC."""
        return self.asm8

    def to_numpy(self, dtype: Any = None, copy: bool = False) -> np.datetime64:
        """NumPy's date of the same unit. Raises ValueError for a ``dtype`` or a copy."""
        if dtype is not None or copy:
            raise ValueError("Timestamp.to_numpy dtype and copy arguments are ignored.")
        return self.asm8

    def to_pydatetime(self, warn: bool = True) -> datetime.datetime:
        """Python's date, without what is less than a microsecond."""
        return datetime.datetime(
            self.year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond,
            self.tzinfo, fold=self.fold,
        )  # fmt: skip

    def to_julian_date(self) -> np.float64:
        """Days since noon of January 1, 4713 before Christ."""
        days, rest = divmod(self._value, 86400 * PER_SECOND[self._unit])
        return np.float64(days + 2440587.5 + rest / (86400 * PER_SECOND[self._unit]))

    def timestamp(self) -> float:
        """Seconds since 1970, as a float."""
        return round(self._value / PER_SECOND[self._unit], 6)

    def toordinal(self) -> int:
        """Days since the year 1."""
        return self.to_pydatetime().toordinal()

    def date(self) -> datetime.date:
        """The date without its time."""
        return datetime.date(self.year, self.month, self.day)

    # Units and zones.

    def _wall(self) -> int:
        """The count of what clocks show."""
        offset = self.utcoffset()
        if offset is None:
            return self._value
        seconds = offset.days * 86400 + offset.seconds
        return self._value + seconds * PER_SECOND[self._unit]

    def as_unit(self, unit: str, round_ok: bool = True) -> Any:
        """The date counted in another unit, towards the past in a coarser one.

        Raises NotImplementedError for one that is none of them, ValueError with ``round_ok`` False
        where something is lost, OutOfBoundsDatetime where int64 is too small.
        """
        if unit not in UNITS:
            raise NotImplementedError("Only resolutions 's', 'ms', 'us', 'ns' are supported.")
        count = in_unit(self._value, self._unit, unit)
        if not fits(count):
            raise OutOfBoundsDatetime(f"Cannot cast {self} to unit={unit!r} without overflow.")
        if not round_ok and in_unit(count, unit, self._unit) != self._value:
            raise ValueError("Cannot losslessly convert units")
        return of_count(count, unit, self.tzinfo)

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The moment at which the clocks of a zone show this; without a zone what they show.

        Raises TypeError where there is a zone already, ValueError for times that the clocks show
        twice or never unless ``ambiguous`` and ``nonexistent`` say what they are.
        """
        if tz is None:
            return of_count(self._wall(), self._unit)
        if self.tzinfo is not None:
            raise TypeError("Cannot localize tz-aware Timestamp, use tz_convert for conversions")
        return of_wall(self._value, self._unit, zone_of(tz), (ambiguous, nonexistent))

    def tz_convert(self, tz: Any) -> Any:
        """The same moment in another zone; with None in UTC, without a zone.

        Raises TypeError where there is no zone.
        """
        if self.tzinfo is None:
            raise TypeError("Cannot convert tz-naive Timestamp, use tz_localize to localize")
        return of_count(self._value, self._unit, None if tz is None else zone_of(tz))

    astimezone = tz_convert  # type: ignore[assignment]

    def normalize(self) -> Any:
        """Midnight of its day."""
        wall, day = self._wall(), 86400 * PER_SECOND[self._unit]
        return of_wall(wall - wall % day, self._unit, self.tzinfo)

    def _rounded(self, freq: Any, how: str, rules: tuple[Any, Any]) -> Any:
        wall = rounded_count(self._wall(), self._unit, freq, how)
        if not fits(wall):
            raise OutOfBoundsDatetime(f"Cannot round {self} to freq={freq} without overflow")
        return of_wall(wall, self._unit, self.tzinfo, rules)

    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The last multiple of a span of time that is not after it."""
        return self._rounded(freq, "floor", (ambiguous, nonexistent))

    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The first multiple of a span of time that is not before it."""
        return self._rounded(freq, "ceil", (ambiguous, nonexistent))

    def round(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The nearest multiple of a span of time; of two as near, the even one."""
        return self._rounded(freq, "round", (ambiguous, nonexistent))

    def replace(self, **parts: Any) -> Any:  # type: ignore[override]
        """The date with other fields: year, month, ... nanosecond, tzinfo and fold by name."""
        return above.replaced(self, parts)

    # Text.

    def isoformat(self, sep: str = "T", timespec: str = "auto") -> str:
        """The text of ISO 8601, with nanoseconds where there are some."""
        spec = "microseconds" if timespec == "nanoseconds" else timespec
        longer = timespec == "nanoseconds" or (timespec == "auto" and self.nanosecond != 0)
        text = self._day_shown().isoformat(sep, "microseconds" if longer else spec)
        if not 1 <= self.year <= 9999:
            text = f"{self.year}{text[4:]}"
        if not longer:
            return text
        point = text.index(".") + 7
        return f"{text[:point]}{self.nanosecond:03}{text[point:]}"

    def _day_shown(self) -> datetime.datetime:
        """Python's date with another year where Python has it not."""
        year = self.year if 1 <= self.year <= 9999 else self._day().year
        return datetime.datetime(
            year, self.month, self.day, self.hour, self.minute, self.second, self.microsecond,
            self.tzinfo, fold=self.fold,
        )  # fmt: skip

    def __str__(self) -> str:
        return self.isoformat(sep=" ")

    def __repr__(self) -> str:
        if self.tzinfo is None:
            return f"Timestamp('{self}')"
        offset = self._day_shown().strftime("%z")
        plain = self.tz_localize(None)
        return f"Timestamp('{plain}{offset}', tz='{zone_name(self.tzinfo)}')"

    def __format__(self, spec: str) -> str:
        return self.strftime(spec) if spec else str(self)

    def strftime(self, format: str) -> str:
        """A text of a format of Python's ``strftime``."""
        return self.to_pydatetime().strftime(format)

    @classmethod
    def strptime(cls, date_string: str, format: str) -> Any:
        """Raises NotImplementedError: ``to_datetime`` reads texts of a format."""
        raise NotImplementedError(
            "Timestamp.strptime() is not implemented. Use to_datetime() to parse date strings."
        )

    # Other makers.

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        """The time now, in a zone if one is given."""
        return Timestamp(datetime.datetime.now(zone_of(tz)))

    @classmethod
    def today(cls, tz: Any = None) -> Any:
        """The time now, in a zone if one is given."""
        return cls.now(tz)

    @classmethod
    def utcnow(cls) -> Any:
        """The time now in UTC."""
        return cls.now("UTC")

    @classmethod
    def fromtimestamp(cls, timestamp: float, tz: Any = None) -> Any:
        """The local time, or that of a zone, of seconds since 1970."""
        return Timestamp(datetime.datetime.fromtimestamp(timestamp, zone_of(tz)))

    @classmethod
    def utcfromtimestamp(cls, timestamp: float) -> Any:
        """The time in UTC of seconds since 1970."""
        return cls.fromtimestamp(timestamp, "UTC")

    @classmethod
    def fromordinal(cls, ordinal: int, tz: Any = None) -> Any:
        """The midnight of a day that is counted from the year 1."""
        return Timestamp(datetime.datetime.fromordinal(ordinal), tz=tz)

    @classmethod
    def combine(cls, date: datetime.date, time: datetime.time) -> Any:  # type: ignore[override]
        """A date and a time of the day together."""
        return Timestamp(datetime.datetime.combine(date, time))

    @classmethod
    def fromisoformat(cls, date_string: str) -> Any:
        """The date of a text of ISO 8601."""
        return Timestamp(datetime.datetime.fromisoformat(date_string))

    # As a value.

    def __hash__(self) -> int:
        if self.nanosecond or not 1 <= self.year <= 9999:
            return hash(self._value)
        # Python asks for the offset of the first of two equal clock times: UTC has no second one.
        return datetime.datetime.__hash__(self.tz_convert("UTC") if self.fold else self)

    def __reduce__(self) -> Any:
        return of_count, (self._value, self._unit, self.tzinfo)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    # Comparisons.

    def _compared(self, other: Any, test: Callable[[Any, Any], Any]) -> Any:
        if other is NaT or (isinstance(other, np.datetime64) and other != other):
            return test is operator.ne
        if isinstance(other, np.ndarray):
            return _with_array(test, self, other)
        found = _as_timestamp(other)
        if found is None:
            return self._compared_to_date(other, test)
        if (found.tzinfo is None) != (self.tzinfo is None):
            if test in (operator.eq, operator.ne):
                return test is operator.ne
            raise TypeError("Cannot compare tz-naive and tz-aware timestamps")
        return test(self._value * NANOSECONDS[self._unit], found._value * NANOSECONDS[found._unit])

    def _compared_to_date(self, other: Any, test: Callable[[Any, Any], Any]) -> Any:
        if not isinstance(other, datetime.date):
            return NotImplemented
        if test in (operator.eq, operator.ne):
            return test is operator.ne
        raise TypeError(
            "Cannot compare Timestamp with datetime.date. Use ts == pd.Timestamp(date) or "
            "ts.date() == date instead."
        )

    # Arithmetic.

    def _moved(self, other: Any, sign: int) -> Any:
        found = duration_count(other)
        if found is None:
            if isinstance(other, np.timedelta64):
                return NaT
            if isinstance(other, (int, np.integer)) and not isinstance(other, np.timedelta64):  # type: ignore[unreachable]
                raise TypeError(
                    "Addition/subtraction of integers and integer-arrays with Timestamp is no "
                    "longer supported.  Instead of adding/subtracting `n`, use `n * obj.freq`"
                )
            return NotImplemented
        unit = finer(self._unit, found[1])
        count = in_unit(self._value, self._unit, unit) + sign * in_unit(*found, unit)
        return of_count(count, unit, self.tzinfo)

    def __add__(self, other: Any) -> Any:
        if other is NaT:
            return NaT
        if isinstance(other, np.ndarray):
            return _with_array(operator.add, self, other)
        return self._moved(other, 1)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if other is NaT or (isinstance(other, np.datetime64) and other != other):
            return NaT
        if isinstance(other, np.ndarray):
            return _with_array(operator.sub, self, other)
        found = _as_timestamp(other)
        return self._moved(other, -1) if found is None else _between(self, found)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _with_array(lambda own, array: array - own, self, other)
        found = _as_timestamp(other)
        return NotImplemented if found is None else found - self


def _as_timestamp(other: Any) -> Timestamp | None:
    """A date of Python's or NumPy's as a Timestamp; None for what is none."""
    if isinstance(other, Timestamp):
        return other
    if isinstance(other, (datetime.datetime, np.datetime64)):
        found = Timestamp(other)
        return found if isinstance(found, Timestamp) else None
    return None


def _between(later: Timestamp, earlier: Timestamp) -> Any:
    if (later.tzinfo is None) != (earlier.tzinfo is None):
        raise TypeError("Cannot subtract tz-naive and tz-aware datetime-like objects.")
    unit = finer(later._unit, earlier._unit)
    mine, others = (in_unit(each._value, each._unit, unit) for each in (later, earlier))
    return duration_of_count(mine - others, unit)


def _with_array(function: Callable[[Any, Any], Any], own: Timestamp, array: np.ndarray) -> Any:
    """With each element of an array: NumPy's where it is one of dates or durations."""
    if array.dtype.kind in "mM" and own.tzinfo is None:
        return function(own.asm8, array)
    if array.dtype.kind in "iu" and function in (operator.add, operator.sub):
        own._moved(1, 1)
    if array.dtype.kind not in "mMO" and function in (operator.eq, operator.ne):
        return np.full(array.shape, function is operator.ne)
    made = np.empty(array.shape, object)
    for place, each in np.ndenumerate(array):
        made[place] = function(own, each)
    is_test = function not in (operator.add, operator.sub) and all(
        isinstance(each, (bool, np.bool_)) for each in made.ravel()
    )
    return made.astype(bool) if is_test else made


def of_wall(count: int, unit: str, tz: Any, rules: tuple[Any, Any] = ("raise", "raise")) -> Any:
    """A Timestamp of a count of what the clocks of a zone show; `rules` as of `tz_localize`."""
    if tz is None:
        return of_count(count, unit)
    if isinstance(tz, datetime.timezone):
        seconds = round(tz.utcoffset(None).total_seconds())
        return of_count(count - seconds * PER_SECOND[unit], unit, tz)
    values = np.array([count], np.int64).view(f"M8[{unit}]")
    found = int(zones.to_utc(values, tz, *rules).view(np.int64)[0])
    if found != NAT_VALUE and abs(found - count) > 2 * 86400 * PER_SECOND[unit]:
        raise OutOfBoundsDatetime(f"UTC of {count} {unit} since 1970 in {tz} is out of range")
    return of_count(found, unit, tz)


Timestamp.min = of_count(NAT_VALUE + 1, "ns")
Timestamp.max = of_count(2**63 - 1, "ns")
Timestamp.resolution = Timedelta(1, "ns")
