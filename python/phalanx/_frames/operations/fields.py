"""What clocks and calendars say of columns of dates: recorded integer arithmetic, which fuses.

Functions take arrays of `datetime64` without a zone, of any unit; rows of NaT give any number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px
from phalanx.errors import OutOfBoundsDatetime, OutOfBoundsTimedelta

from ..._arrays.ndarray import ndarray
from ..columns.numbers import NumberColumn
from ..dtypes import pandas_dtype
from ..scalars.units import PER_SECOND

Dates = ndarray
_NAT = np.iinfo(np.int64).min


def counts(dates: Dates) -> ndarray:
    """The int64 counts of dates or durations."""
    found: ndarray = dates.view(np.int64)
    return found


def per_second(dates: Dates) -> int:
    """How many of its unit a second has."""
    return PER_SECOND[np.datetime_data(dates.dtype)[0]]


def days(dates: Dates) -> ndarray:
    """Days since 1970: int32 where all that the unit can count fit."""
    found = px.floor_divide(counts(dates), 86400 * per_second(dates))
    return found.astype(np.int32) if per_second(dates) >= 10**6 else found


def within_day(dates: Dates) -> ndarray:
    """The unit's count since midnight."""
    found: ndarray = counts(dates) - px.floor_divide(counts(dates), 86400 * per_second(dates)) * (
        86400 * per_second(dates)
    )
    return found


class Civil(NamedTuple):
    """Year, month and day, and the day of a year that begins with March: 0 to 365."""

    year: ndarray
    month: ndarray
    day: ndarray
    of_march: ndarray


def civil(day_numbers: ndarray) -> Civil:
    """The calendar's date of days since 1970.

    H. Hinnant, chrono-Compatible Low-Level Date Algorithms: eras of 400 years begin with March.
    What is not negative is divided without signs, which takes half the time.
    """
    signed = day_numbers.dtype.type
    unsigned = np.uint32 if signed is np.int32 else np.uint64
    u = unsigned
    shifted = day_numbers + signed(719468)
    era = px.floor_divide(shifted, signed(146097))
    of_era = (shifted - era * signed(146097)).astype(unsigned)
    year_of_era = (of_era - of_era // u(1460) + of_era // u(36524) - of_era // u(146096)) // u(365)
    of_march = of_era - (u(365) * year_of_era + year_of_era // u(4) - year_of_era // u(100))
    month = (u(5) * of_march + u(2)) // u(153)
    day = of_march - (u(153) * month + u(2)) // u(5) + u(1)
    is_next = month >= u(10)
    year = year_of_era.astype(signed) + era * signed(400) + is_next.astype(signed)
    of_january = month.astype(signed) + px.where(is_next, signed(-9), signed(3))
    return Civil(year, of_january, day.astype(signed), of_march.astype(signed))


def is_leap(year: ndarray) -> ndarray:
    """Which years have 366 days."""
    # A multiple of 100 that is one of 16 is one of 400.
    found: ndarray = ((year & 3) == 0) & ((year % 25 != 0) | ((year & 15) == 0))
    return found


def month_length(date: Civil) -> ndarray:
    """The days of the month."""
    month = date.month
    long = 30 + ((month + (month >> 3)) & 1)
    february = 28 + is_leap(date.year).astype(month.dtype)
    found: ndarray = px.where(month == 2, february, long)
    return found


def day_of_year(date: Civil) -> ndarray:
    """1 to 366."""
    leap = is_leap(date.year).astype(date.of_march.dtype)
    late = date.of_march >= 306
    found: ndarray = px.where(late, date.of_march - 305, date.of_march + 60 + leap)
    return found


def weekday(day_numbers: ndarray) -> ndarray:
    """0 (Monday) to 6: 1970-01-01 was a Thursday."""
    found: ndarray = (day_numbers + 3) % 7
    return found


def month_number(dates: Dates) -> ndarray:
    """Months since January 1970."""
    date = civil(days(dates))
    return (date.year - 1970) * 12 + date.month - 1


def _of_civil(function: Callable[[Civil], Any]) -> Callable[[Dates], ndarray]:
    return lambda dates: function(civil(days(dates)))


def _of_clock(seconds: int, modulus: int) -> Callable[[Dates], ndarray]:
    return lambda dates: within_day(dates) // (seconds * per_second(dates)) % modulus


def _of_second(nanoseconds: int, modulus: int) -> Callable[[Dates], ndarray]:
    """Whole parts of a second in the unit of `nanoseconds`."""

    def part(dates: Dates) -> ndarray:
        one = 10**9 // per_second(dates)
        rest = counts(dates) - px.floor_divide(counts(dates), per_second(dates)) * per_second(dates)
        if one <= nanoseconds:
            return px.floor_divide(rest, nanoseconds // one) % modulus
        return rest * (one // nanoseconds) % modulus

    return part


# Numbers by pandas' names. A week has the days 0 (Monday) to 6.
NUMBERS: dict[str, Callable[[Dates], ndarray]] = {
    "year": _of_civil(lambda date: date.year),
    "month": _of_civil(lambda date: date.month),
    "day": _of_civil(lambda date: date.day),
    "hour": _of_clock(3600, 24),
    "minute": _of_clock(60, 60),
    "second": _of_clock(1, 60),
    "microsecond": _of_second(1000, 10**6),
    "nanosecond": _of_second(1, 1000),
    "quarter": _of_civil(lambda date: (date.month + 2) // 3),
    "day_of_week": lambda dates: weekday(days(dates)),
    "day_of_year": _of_civil(day_of_year),
    "days_in_month": _of_civil(month_length),
}
OTHER_NAMES: dict[str, str] = {
    "dayofweek": "day_of_week",
    "weekday": "day_of_week",
    "dayofyear": "day_of_year",
    "daysinmonth": "days_in_month",
}


def _starts(every: int) -> Callable[[Dates], ndarray]:
    return _of_civil(lambda date: (date.day == 1) & ((date.month - 1) % every == 0))


def _ends(every: int) -> Callable[[Dates], ndarray]:
    return _of_civil(lambda date: (date.day == month_length(date)) & (date.month % every == 0))


# Bools by pandas' names.
TESTS: dict[str, Callable[[Dates], ndarray]] = {
    "is_month_start": _starts(1),
    "is_month_end": _ends(1),
    "is_quarter_start": _starts(3),
    "is_quarter_end": _ends(3),
    "is_year_start": _starts(12),
    "is_year_end": _ends(12),
    "is_leap_year": _of_civil(lambda date: is_leap(date.year)),
}


def is_bound_by_frequency(name: str, dates: Dates, freq: Any) -> ndarray:
    """Which dates of an index with a frequency begin or end a month, a quarter or a year.

    Of business days, whose frequencies begin with a B, they are the first and last ones of months;
    quarters and years begin in the month that the frequency names (pandas' `get_start_end_field`).
    Raises ValueError for business days of a calendar of one's own.
    """
    code = freq.freqstr.lstrip("0123456789")
    if code == "C":
        raise ValueError(f"Custom business days is not supported by {name}")
    month = getattr(freq, "startingMonth", None) or getattr(freq, "month", None) or 12
    if code.lstrip("B")[:2] in ("QS", "YS"):
        first, last = month, 12 if month == 1 else month - 1
    else:
        first, last = month % 12 + 1, month
    is_start = name.endswith("start")
    every = {"month": 1, "quarter": 3, "year": 12}[name.split("_")[1]]
    numbers = {each: NUMBERS[each](dates) for each in ("month", "day", "day_of_week")}
    length = NUMBERS["days_in_month"](dates)
    wanted = 1 if is_start else length
    if code.startswith("B"):
        day = (numbers["day_of_week"] + (wanted - numbers["day"])) % 7
        wanted = px.where(day < 5, 1, 8 - day) if is_start else length - px.maximum(day - 4, 0)
    in_month = (numbers["month"] - (first if is_start else last)) % every == 0
    made: ndarray = in_month & (numbers["day"] == wanted) & ~px.isnat(dates)
    return made


def number_column(name: str, dates: Dates) -> NumberColumn:
    """A field as int32, where some rows are NaT as float64 with NaN."""
    return _with_nan(NUMBERS[name](dates), dates, np.int32)


def _with_nan(values: ndarray, times: ndarray, dtype: Any) -> NumberColumn:
    gone = px.isnat(times)
    if bool(px.any(gone)):
        return NumberColumn(px.where(gone, np.nan, values.astype(np.float64)))
    return NumberColumn(values.astype(dtype))


def test_column(name: str, dates: Dates) -> NumberColumn:
    """A test as bool, False for NaT."""
    return NumberColumn(TESTS[name](dates) & ~px.isnat(dates))


def iso_calendar(dates: Dates) -> tuple[NumberColumn, NumberColumn, NumberColumn]:
    """Year (Int32), week and day (1: Monday; UInt32) of ISO 8601."""
    numbers = days(dates)
    day = weekday(numbers)
    # A week is of the year that its Thursday is in.
    thursday = civil(numbers - day + 3)
    week = (day_of_year(thursday) - 1) // 7 + 1
    gone = px.isnat(dates)
    valid = ~gone if bool(px.any(gone)) else None
    signed, unsigned = pandas_dtype("Int32"), pandas_dtype("UInt32")
    made = [
        NumberColumn(each.astype(dtype.numpy_dtype), valid, dtype)  # type: ignore[union-attr]
        for each, dtype in ((thursday.year, signed), (week, unsigned), (day + 1, unsigned))
    ]
    return made[0], made[1], made[2]


# Durations.

_DAY = 86400


def _of_duration(seconds: int, modulus: int) -> Callable[[Dates], ndarray]:
    return lambda spans: within_day(spans) // (seconds * per_second(spans)) % modulus


DURATION_NUMBERS: dict[str, Callable[[Dates], ndarray]] = {
    "days": lambda spans: px.floor_divide(counts(spans), _DAY * per_second(spans)),
    "seconds": lambda spans: within_day(spans) // per_second(spans),
    "microseconds": _of_second(1000, 10**6),
    "nanoseconds": _of_second(1, 1000),
}
COMPONENTS: dict[str, Callable[[Dates], ndarray]] = {
    "days": DURATION_NUMBERS["days"],
    "hours": _of_duration(3600, 24),
    "minutes": _of_duration(60, 60),
    "seconds": _of_duration(1, 60),
    "milliseconds": _of_second(10**6, 1000),
    "microseconds": _of_second(1000, 1000),
    "nanoseconds": _of_second(1, 1000),
}


def duration_column(name: str, spans: Dates) -> NumberColumn:
    """A part of durations: days as int64, others as int32; float64 with NaN for NaT."""
    return _with_nan(DURATION_NUMBERS[name](spans), spans, np.int64 if name == "days" else np.int32)


def component_columns(spans: Dates) -> dict[str, NumberColumn]:
    """Days, hours and so on of durations, as int64; float64 with NaN for NaT."""
    return {name: _with_nan(part(spans), spans, np.int64) for name, part in COMPONENTS.items()}


def total_seconds(spans: Dates) -> NumberColumn:
    """Durations in seconds, as float64."""
    seconds = counts(spans) / per_second(spans)
    return NumberColumn(px.where(px.isnat(spans), np.nan, seconds))


# Rounding.


def rounded(times: ndarray, step: int, how: str) -> ndarray:
    """Dates or durations as multiples of a count: 'floor', 'ceil' or 'round', half to even.

    Raises OutOfBoundsDatetime, OutOfBoundsTimedelta where int64 does not hold one of them.
    """
    if step <= 1:
        return times
    whole = px.floor_divide(counts(times), step)
    down = whole
    rest = counts(times) - whole * step
    if how == "ceil":
        whole = whole + (rest > 0).astype(np.int64)
    elif how == "round":
        half = (rest * 2 == step) & ((whole & 1) == 1)
        whole = whole + ((rest * 2 > step) | half).astype(np.int64)
    gone = px.isnat(times)
    multiples = whole * step
    own = counts(times)
    # A product that passes int64 comes back at its other end.
    far = ~gone & px.where(whole > down, multiples < own, multiples > own)
    if bool(px.any(far)):
        kind = OutOfBoundsDatetime if times.dtype.kind == "M" else OutOfBoundsTimedelta
        raise kind(f"Cannot {how} without overflow: a multiple is beyond what {times.dtype} counts")
    made: ndarray = px.where(gone, np.int64(_NAT), multiples).view(times.dtype)
    return made
