"""`Timedelta`: a duration with a unit."""

from __future__ import annotations

import datetime
import operator
from collections.abc import Callable
from typing import Any, Self

import numpy as np

from phalanx.errors import OutOfBoundsTimedelta

from .. import above
from ..dtypes import UNITS
from ..signatures import NO_DEFAULT
from .duration_texts import (
    Components,
    components,
    iso_text,
    nanoseconds_of_text,
    text_of_nanoseconds,
)
from .nat import NaT
from .ordered import Ordered
from .rounding import rounded_count
from .units import (
    NANOSECONDS,
    NAT_VALUE,
    PER_SECOND,
    counted,
    duration_count,
    finer,
    fits,
    in_unit,
    unit_named,
)

_PARTS = {
    "weeks": 7 * 86400 * 10**9, "days": 86400 * 10**9, "hours": 3600 * 10**9,
    "minutes": 60 * 10**9, "seconds": 10**9, "milliseconds": 10**6, "microseconds": 1000,
    "nanoseconds": 1,
}  # fmt: skip
# Python's durations have no more days than this.
_MOST_DAYS = 999999999


def of_count(count: int, unit: str) -> Any:
    """A Timedelta of a count of a unit; NaT of NaT's count.

    Raises OutOfBoundsTimedelta where int64 does not hold the count.
    """
    if not fits(count):
        if count == NAT_VALUE:
            return NaT
        raise OutOfBoundsTimedelta(f"Cannot cast {count} to unit={unit!r} without overflow.")
    seconds, rest = divmod(count, PER_SECOND[unit])
    days = seconds // 86400
    within = days if -_MOST_DAYS <= days <= _MOST_DAYS else 0
    microseconds = rest * NANOSECONDS[unit] // 1000
    made = datetime.timedelta.__new__(Timedelta, within, seconds % 86400, microseconds)
    made._value, made._unit = count, unit
    return made


class Timedelta(Ordered, datetime.timedelta):
    """A duration, counted in seconds, milliseconds, microseconds or nanoseconds.

    ``value`` is a text as '1 days 02:30:00' or 'P1DT2H', a duration of Python's or NumPy's, or a
    number of ``unit``, which is 'ns' if not given. Keywords name parts: ``days=1, hours=2``.
    Raises ValueError for what is no duration.

    >>> px.Timedelta("90min").total_seconds()
    5400.0
    """

    __slots__ = ("_unit", "_value")
    __module__ = "phalanx"
    __array_priority__ = 100
    _value: int
    _unit: str

    min: Timedelta  # type: ignore[misc]
    max: Timedelta  # type: ignore[misc]
    resolution: Timedelta  # type: ignore[misc]

    def __new__(cls, value: Any = NO_DEFAULT, unit: str | None = None, **kwargs: Any) -> Any:
        if value is NO_DEFAULT:
            return _of_parts(kwargs)
        if isinstance(value, str):
            if unit is not None:
                raise ValueError("unit must not be specified if the value is a str")
            return _of_text(value)
        if isinstance(value, Timedelta):
            return value
        found = duration_count(value)
        if found is not None:
            return of_count(*found)
        if value is None or value is NaT or value != value:
            return NaT
        if hasattr(value, "_as_duration"):
            return of_count(*value._as_duration())
        if isinstance(value, bool) or not isinstance(value, (int, float, np.number)):
            raise ValueError(
                "Value must be Timedelta, string, integer, float, timedelta or convertible, "
                f"not {type(value).__name__}"
            )
        return of_count(*counted(value, unit_named(unit or "ns")))

    # Parts.

    @property
    def value(self) -> int:
        """The nanoseconds. Raises OverflowError where int64 does not hold them."""
        found = self._nanoseconds()
        if not fits(found):
            raise OverflowError(f"int64 does not hold the nanoseconds of {self}: use as_unit")
        return found

    def _nanoseconds(self) -> int:
        return self._value * NANOSECONDS[self._unit]

    @property
    def unit(self) -> str:
        """'s', 'ms', 'us' or 'ns': what is counted."""
        return self._unit

    @property
    def days(self) -> int:
        """Whole days, towards the past."""
        return self._value // (86400 * PER_SECOND[self._unit])

    @property
    def nanoseconds(self) -> int:
        """Nanoseconds within the microsecond."""
        return self._nanoseconds() % 1000

    @property
    def components(self) -> Components:
        """Days, hours and so on, as a named tuple."""
        return components(self._nanoseconds())

    @property
    def resolution_string(self) -> str:
        """The coarsest of 'D', 'h', 'min', 's', 'ms', 'us' and 'ns' that it is a multiple of."""
        found = self._nanoseconds()
        return above.frequency_of_span(found).name if found else "D"

    def total_seconds(self) -> float:
        """The duration in seconds."""
        return self._value / PER_SECOND[self._unit]

    # Others.

    def as_unit(self, unit: str, round_ok: bool = True) -> Any:
        """The duration counted in another unit, towards the past in a coarser one.

        Raises ValueError for one that is none of them, and with ``round_ok`` False where
        something is lost; OutOfBoundsTimedelta where int64 is too small.
        """
        if unit not in UNITS:
            raise ValueError("Supported units are 's', 'ms', 'us', 'ns'")
        made = of_count(in_unit(self._value, self._unit, unit), unit)
        if not round_ok and made != self:
            raise ValueError("Cannot losslessly convert units")
        return made

    @property
    def asm8(self) -> np.timedelta64:
        """NumPy's duration of the same unit."""
        return np.timedelta64(self._value, self._unit)  # type: ignore[no-any-return, call-overload]

    def to_timedelta64(self) -> np.timedelta64:
        """NumPy's duration of the same unit."""
        return self.asm8

    def to_numpy(self, dtype: Any = None, copy: bool = False) -> np.timedelta64:
        """NumPy's duration of the same unit. Raises ValueError for a ``dtype`` or a copy."""
        if dtype is not None or copy:
            raise ValueError("Timedelta.to_numpy dtype and copy arguments are ignored.")
        return self.asm8

    def view(self, dtype: Any) -> Any:
        """The count as another dtype of 64 bits."""
        return self.asm8.view(dtype)

    def to_pytimedelta(self) -> datetime.timedelta:
        """Python's duration, without what is less than a microsecond."""
        return datetime.timedelta(self.days, self.seconds, self.microseconds)

    def floor(self, freq: Any) -> Any:
        """The last multiple of a span of time that is not longer."""
        return of_count(rounded_count(self._value, self._unit, freq, "floor"), self._unit)

    def ceil(self, freq: Any) -> Any:
        """The first multiple of a span of time that is not shorter."""
        return of_count(rounded_count(self._value, self._unit, freq, "ceil"), self._unit)

    def round(self, freq: Any) -> Any:
        """The nearest multiple of a span of time; of two as near, the even one."""
        return of_count(rounded_count(self._value, self._unit, freq, "round"), self._unit)

    def isoformat(self) -> str:
        """The text of ISO 8601."""
        return iso_text(self._nanoseconds())

    def __repr__(self) -> str:
        return f"Timedelta('{self}')"

    def __str__(self) -> str:
        return text_of_nanoseconds(self._nanoseconds())

    def __format__(self, spec: str) -> str:
        return format(str(self), spec)

    def __hash__(self) -> int:
        if self.nanoseconds or abs(self.days) > _MOST_DAYS:
            return hash(self._value)
        return datetime.timedelta.__hash__(self)

    def __bool__(self) -> bool:
        return self._value != 0

    def __reduce__(self) -> Any:
        return of_count, (self._value, self._unit)

    def __reduce_ex__(self, protocol: Any) -> Any:
        return self.__reduce__()

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: Any) -> Self:
        return self

    # Comparisons.

    def _compared(self, other: Any, test: Callable[[Any, Any], Any]) -> Any:
        found = duration_count(other)
        if found is not None:
            return test(self._nanoseconds(), found[0] * NANOSECONDS[found[1]])
        if other is NaT or isinstance(other, np.timedelta64):
            return test is operator.ne
        if isinstance(other, np.ndarray):
            return _with_array(test, self, other)
        if hasattr(other, "_as_duration") and not other.by_clock:
            return self._compared(of_count(*other._as_duration()), test)
        return NotImplemented

    # Arithmetic.

    def _summed(self, other: Any, sign: int, own_sign: int = 1) -> Any:
        found = duration_count(other)
        if found is not None:
            unit = finer(self._unit, found[1])
            mine, others = in_unit(self._value, self._unit, unit), in_unit(*found, unit)
            return of_count(own_sign * mine + sign * others, unit)
        if other is NaT or isinstance(other, np.timedelta64):
            return NaT
        return NotImplemented

    def __add__(self, other: Any) -> Any:
        found = self._summed(other, 1)
        if found is not NotImplemented:
            return found
        if isinstance(other, np.ndarray):
            return _with_array(operator.add, self, other)
        if isinstance(other, np.datetime64):
            return above.of_input(other, None, None) + self
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _with_array(operator.sub, self, other)
        return self._summed(other, -1)

    def __rsub__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _with_array(lambda own, array: array - own, self, other)
        if isinstance(other, np.datetime64):
            return above.of_input(other, None, None) - self
        return self._summed(other, 1, -1)

    def __neg__(self) -> Any:
        return of_count(-self._value, self._unit)

    def __pos__(self) -> Any:
        return self

    def __abs__(self) -> Any:
        return of_count(abs(self._value), self._unit)

    def __mul__(self, other: Any) -> Any:
        if _is_number(other):
            return NaT if other != other else of_count(int(self._value * other), self._unit)
        return _with_array(operator.mul, self, other)

    __rmul__ = __mul__

    def _quotient(self, other: Any, divide: Callable[[Any, Any], Any]) -> Any:
        found = duration_count(other)
        if found is not None:
            return divide(self._nanoseconds(), found[0] * NANOSECONDS[found[1]])
        if other is NaT or isinstance(other, np.timedelta64):
            return np.nan
        if _is_number(other):
            return NaT if other != other else of_count(int(divide(self._value, other)), self._unit)
        return _with_array(divide, self, other)

    def __truediv__(self, other: Any) -> Any:
        return self._quotient(other, operator.truediv)

    def __floordiv__(self, other: Any) -> Any:
        return self._quotient(other, operator.floordiv)

    def _divides(self, other: Any, divide: Callable[[Any, Any], Any]) -> Any:
        found = duration_count(other)
        if found is not None:
            return divide(of_count(*found), self)
        if other is NaT or isinstance(other, np.timedelta64):
            return np.nan
        return _with_array(lambda own, array: divide(array, own), self, other)

    def __rtruediv__(self, other: Any) -> Any:
        return self._divides(other, operator.truediv)

    def __rfloordiv__(self, other: Any) -> Any:
        return self._divides(other, operator.floordiv)

    def __mod__(self, other: Any) -> Any:
        return self - (self // other) * other

    def __rmod__(self, other: Any) -> Any:
        return Timedelta(other) % self

    def __divmod__(self, other: Any) -> Any:
        quotient = self // other
        return quotient, self - quotient * other

    def __rdivmod__(self, other: Any) -> Any:
        return divmod(Timedelta(other), self)


def _is_number(other: Any) -> bool:
    kinds = (int, float, np.integer, np.floating)
    return isinstance(other, kinds) and not isinstance(other, (bool, np.timedelta64))


def _with_array(function: Callable[[Any, Any], Any], own: Timedelta, other: Any) -> Any:
    """With each element of an array; NotImplemented for other things."""
    if not isinstance(other, np.ndarray):
        return NotImplemented
    if other.dtype.kind != "O":
        return function(own.asm8, other)
    made = np.empty(other.shape, object)
    for place, each in np.ndenumerate(other):
        made[place] = function(own, each)
    return made


def _of_parts(parts: dict[str, Any]) -> Any:
    if not parts or not parts.keys() <= _PARTS.keys():
        raise ValueError(
            "cannot construct a Timedelta from the passed arguments, allowed keywords are "
            f"[{', '.join(_PARTS)}]"
        )
    if any(each is NaT or each is None or each != each for each in parts.values()):
        return NaT
    count = sum(
        each * _PARTS[name]
        if isinstance(each, (int, np.integer))
        else int(round(each * _PARTS[name], 3))
        for name, each in parts.items()
    )
    return _shortest(int(count), keeps="nanoseconds" in parts)


def _of_text(text: str) -> Any:
    count = nanoseconds_of_text(text)
    if count is None:
        return NaT
    if not fits(count):
        raise OutOfBoundsTimedelta(f"cannot convert input {text!r} to a count of nanoseconds")
    return _shortest(count)


def _shortest(count: int, *, keeps: bool = False) -> Any:
    """Nanoseconds counted in microseconds where they are whole."""
    if count % 1000 or keeps:
        return of_count(count, "ns")
    return of_count(count // 1000, "us")


Timedelta.min = of_count(NAT_VALUE + 1, "ns")
Timedelta.max = of_count(2**63 - 1, "ns")
Timedelta.resolution = of_count(1, "ns")
