"""`NaT`, the date or duration that is missing."""

from __future__ import annotations

import datetime
from typing import Any, NoReturn

import numpy as np

from .units import NAT_VALUE

_NUMBERS = """
    day dayofweek dayofyear day_of_week day_of_year days days_in_month daysinmonth hour microsecond
    microseconds millisecond minute month nanosecond nanoseconds quarter qyear second seconds week
    weekofyear year
"""
_TESTS = """
    is_leap_year is_month_end is_month_start is_quarter_end is_quarter_start is_year_end
    is_year_start
"""
_ITSELF = """
    as_unit astimezone ceil combine date floor fromordinal fromtimestamp now replace round to_period
    to_pydatetime today tz_convert tz_localize utcfromtimestamp utcnow
"""
_NAN_METHODS = "day_name isoweekday month_name total_seconds weekday"
_REFUSED = """
    ctime dst fromisocalendar fromisoformat isocalendar strftime strptime time timestamp timetuple
    timetz toordinal tzname utcoffset utctimetuple
"""


class NaTType(datetime.datetime):
    """The missing date or duration: what is computed with it is missing too.

    It is equal to nothing, itself neither. There is one, `NaT`.
    """

    __slots__ = ()
    __array_priority__ = 100
    _only: NaTType | None = None

    def __new__(cls, *_: Any, **__: Any) -> NaTType:
        if cls._only is None:
            cls._only = datetime.datetime.__new__(cls, 1, 1, 1)
        return cls._only

    value = _value = NAT_VALUE

    def __repr__(self) -> str:
        return "NaT"

    __str__ = __repr__

    def __format__(self, spec: str) -> str:
        return format("NaT", spec) if spec and "%" not in spec else "NaT"

    def isoformat(self, *_: Any, **__: Any) -> str:
        """Return 'NaT'."""
        return "NaT"

    def __reduce_ex__(self, protocol: Any) -> Any:
        return NaTType, ()

    def __reduce__(self) -> Any:
        return NaTType, ()

    def __hash__(self) -> int:
        return NAT_VALUE

    @property
    def tz(self) -> None:
        """None."""
        return

    @property
    def tzinfo(self) -> None:
        """None."""
        return

    # NumPy's.

    @property
    def asm8(self) -> np.datetime64:
        """NumPy's NaT."""
        return np.datetime64("NaT", "ns")

    def to_datetime64(self) -> np.datetime64:
        """NumPy's NaT."""
        return self.asm8

    def to_numpy(self, dtype: Any = None, copy: bool = False) -> Any:
        """NumPy's NaT, of a dtype of dates or durations if one is given."""
        return self.asm8 if dtype is None else np.array("NaT", dtype)[()]

    # Comparisons.

    def __eq__(self, other: object) -> Any:
        if _is_columnar(other):
            return NotImplemented
        return np.zeros(other.shape, bool) if isinstance(other, np.ndarray) else False

    def __ne__(self, other: object) -> Any:
        if _is_columnar(other):
            return NotImplemented
        return np.ones(other.shape, bool) if isinstance(other, np.ndarray) else True

    def _ordered(self, other: object) -> Any:
        if isinstance(other, np.ndarray):
            return np.zeros(other.shape, bool)
        if isinstance(other, datetime.date) and not isinstance(other, datetime.datetime):
            raise TypeError("Cannot compare NaT with datetime.date object")
        if isinstance(
            other, (datetime.datetime, datetime.timedelta, np.datetime64, np.timedelta64)
        ):
            return False
        return NotImplemented

    __lt__ = __le__ = __gt__ = __ge__ = _ordered

    # Arithmetic.

    def _added(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return np.full(other.shape, np.datetime64("NaT", "ns"))
        return NotImplemented if _is_columnar(other) else self

    __add__ = __radd__ = __sub__ = __rsub__ = _added

    def _scaled(self, other: Any) -> Any:
        if isinstance(other, (int, float, np.number)) and not isinstance(other, np.timedelta64):  # type: ignore[unreachable]
            return self
        return NotImplemented

    __mul__ = __rmul__ = _scaled

    def _divided(self, other: Any) -> Any:
        if other is self or isinstance(other, (datetime.timedelta, np.timedelta64)):
            return np.nan
        return self._scaled(other)

    __truediv__ = __floordiv__ = _divided

    def _dividing(self, other: Any) -> Any:
        if isinstance(other, (datetime.timedelta, np.timedelta64)):
            return np.nan
        return NotImplemented

    __rtruediv__ = __rfloordiv__ = _dividing

    def __neg__(self) -> NaTType:
        return self

    __pos__ = __abs__ = __neg__


def _is_columnar(other: Any) -> bool:
    """Returns whether it is a series, a frame or an index, which computes by itself."""
    return hasattr(other, "_index") or hasattr(other, "_column")


def _itself(name: str) -> Any:
    def method(self: NaTType, *_: Any, **__: Any) -> NaTType:
        return self

    method.__doc__ = "NaT."
    return method


def _nothing(name: str) -> Any:
    def method(self: NaTType, *_: Any, **__: Any) -> float:
        return np.nan

    method.__doc__ = "NaN."
    return method


def _refusing(name: str) -> Any:
    def method(self: NaTType, *_: Any, **__: Any) -> NoReturn:
        raise ValueError(f"NaTType does not support {name}")

    method.__doc__ = "Raises ValueError: a missing date has none."
    return method


def _fill() -> None:
    for name in _NUMBERS.split():
        setattr(NaTType, name, property(lambda self: np.nan))
    for name in _TESTS.split():
        setattr(NaTType, name, property(lambda self: False))
    for names, make in ((_ITSELF, _itself), (_NAN_METHODS, _nothing), (_REFUSED, _refusing)):
        for name in names.split():
            setattr(NaTType, name, make(name))


_fill()
NaT = NaTType()
