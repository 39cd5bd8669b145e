"""`Series.dt`: fields and methods of dates and durations."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import above
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.periods import PeriodColumn
from ..dtypes import family
from ..in_place import InPlace, in_place
from ..indexes.labels import Labels
from ..operations import fields
from ..periods import columns as periods
from ..shared.base import Labelled


class _Accessor(InPlace):
    """Fields of a series' values: what an index of these says, with the series' labels."""

    _lies_with = "_series"

    def __init__(self, series: Any, column: Column) -> None:
        self._series = series
        self._times: Any = Labels._of(column)

    def _of(self, made: Any) -> Any:
        """A series of what was found, under the series' name."""
        column = made
        if isinstance(made, Labels):
            column = made._column
        elif isinstance(made, np.ndarray):
            column = ObjectColumn(made) if made.dtype == object else column_of(made)
        return above.Series._of(column, self._series._index, self._series._name)

    def _frame(self, made: Any) -> Any:
        return above.DataFrame._of(list(made._parts), self._series._index, made.columns)

    @property
    def unit(self) -> str:
        """'s', 'ms', 'us' or 'ns': what is counted."""
        return self._times.unit  # type: ignore[no-any-return]

    @property
    def freq(self) -> str | None:
        """The text of the frequency that the values have, None if they have none."""
        return self._times.inferred_freq  # type: ignore[no-any-return]

    def as_unit(self, unit: str) -> Any:
        """The values counted in another unit. Raises ValueError for one that is none of them."""
        return self._of(self._times.as_unit(unit))

    def floor(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The last multiple of a span of time that is not after each value."""
        return self._of(self._times.floor(freq, ambiguous, nonexistent))

    def ceil(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The first multiple of a span of time that is not before each value."""
        return self._of(self._times.ceil(freq, ambiguous, nonexistent))

    def round(self, freq: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The nearest multiple of a span of time; of two as near, the even one."""
        return self._of(self._times.round(freq, ambiguous, nonexistent))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


class DatetimeProperties(_Accessor):
    """Fields and methods of dates, in the time zone where there is one."""

    if TYPE_CHECKING:  # made of the tables below

        @property
        def year(self) -> Any: ...

        month = day = hour = minute = second = microsecond = nanosecond = quarter = year
        day_of_week = day_of_year = days_in_month = dayofweek = weekday = dayofyear = year
        daysinmonth = is_month_start = is_month_end = is_quarter_start = is_quarter_end = year
        is_year_start = is_year_end = is_leap_year = year

    @property
    def tz(self) -> Any:
        """The time zone, or None."""
        return self._times.tz

    @property
    def date(self) -> Any:
        """Python's dates, without times."""
        return self._of(self._times.date)

    @property
    def time(self) -> Any:
        """Python's times, without dates and time zones."""
        return self._of(self._times.time)

    @property
    def timetz(self) -> Any:
        """Python's times with their time zone, without dates."""
        return self._of(self._times.timetz)

    def isocalendar(self) -> Any:
        """A frame of year, week and day of ISO 8601."""
        return self._frame(self._times.isocalendar())

    def day_name(self, locale: None = None) -> Any:
        """The names of the weekdays, in English."""
        return self._of(self._times.day_name(locale))

    def month_name(self, locale: None = None) -> Any:
        """The names of the months, in English."""
        return self._of(self._times.month_name(locale))

    def strftime(self, date_format: str) -> Any:
        """The dates as texts of a format of Python's ``strftime``."""
        return self._of(self._times.strftime(date_format))

    def normalize(self) -> Any:
        """Midnight of each date's day."""
        return self._of(self._times.normalize())

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The moments at which the clocks of a zone show the dates; without a zone what they show.

        Raises TypeError where there is a zone already, ValueError for times that the clocks show
        twice or never unless ``ambiguous`` and ``nonexistent`` say what they are.
        """
        return self._of(self._times.tz_localize(tz, ambiguous, nonexistent))

    def tz_convert(self, tz: Any) -> Any:
        """The same moments in another zone; with None in UTC, without a zone.

        Raises TypeError where there is no zone.
        """
        return self._of(self._times.tz_convert(tz))

    def to_pydatetime(self) -> Any:
        """A series of Python's dates, as objects."""
        return self._of(self._times.to_pydatetime())

    def to_period(self, freq: Any = None) -> Any:
        """The periods of a frequency that the dates are in, by the clocks of their zone."""
        return self._of(periods.periods_of(self._times, freq))


class TimedeltaProperties(_Accessor):
    """Parts and methods of durations."""

    if TYPE_CHECKING:  # made of the tables below

        @property
        def days(self) -> Any: ...

        seconds = microseconds = nanoseconds = days

    @property
    def components(self) -> Any:
        """A frame of days, hours, minutes and so on to nanoseconds."""
        return self._frame(self._times.components)

    def total_seconds(self) -> Any:
        """The durations in seconds, as float64."""
        return self._of(self._times.total_seconds())

    def to_pytimedelta(self) -> np.ndarray:
        """An array of Python's durations."""
        return self._times.to_pytimedelta()  # type: ignore[no-any-return]


class PeriodProperties(InPlace):
    """Fields and methods of periods."""

    _lies_with = "_series"

    if TYPE_CHECKING:  # made of the tables below

        @property
        def year(self) -> Any: ...

        month = day = hour = minute = second = day_of_week = day_of_year = days_in_month = year
        dayofweek = weekday = dayofyear = daysinmonth = quarter = qyear = week = weekofyear = year

    def __init__(self, series: Any, column: PeriodColumn) -> None:
        self._series = series
        self._column = column

    def _of(self, column: Column) -> Any:
        return above.Series._of(column, self._series._index, self._series._name)

    @property
    def freq(self) -> Any:
        """From the end of a period to the end of the next one."""
        return self._column.dtype.freq

    @property
    def start_time(self) -> Any:
        """The first moment of each period."""
        return self._of(periods.timestamps(self._column))

    @property
    def end_time(self) -> Any:
        """The last moment of each period."""
        return self._of(periods.timestamps(self._column, how="end"))

    @property
    def is_leap_year(self) -> Any:
        """True where the year has 366 days."""
        return self._of(periods.leap_years(self._column))

    def to_timestamp(self, freq: Any = None, how: str = "start") -> Any:
        """The first moment of each period, or with ``how='end'`` the last one."""
        return self._of(periods.timestamps(self._column, freq, how))

    def asfreq(self, freq: Any, how: str = "E") -> Any:
        """The periods of another frequency at these ones' ends, or with ``how='S'`` starts."""
        return self._of(periods.in_frequency(self._column, freq, how))

    def strftime(self, date_format: str) -> Any:
        """The periods as texts of a format of ``strftime``; '%q' is the quarter."""
        return self._of(periods.texts(self._column, date_format))

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]


def _of_periods(name: str) -> property:
    def number(self: PeriodProperties) -> Any:
        return self._of(periods.number_column(name, self._column))

    number.__doc__ = f"The {name.replace('_', ' ')} of each period, -1 for missing ones."
    return property(in_place(number))


def _number(name: str) -> property:
    def number(self: DatetimeProperties) -> Any:
        return self._of(fields.number_column(name, self._times._shown()))

    number.__doc__ = f"The {name.replace('_', ' ')} of each date; float64 where some are NaT."
    return property(in_place(number))


def _test(name: str) -> property:
    def test(self: DatetimeProperties) -> Any:
        return self._of(fields.test_column(name, self._times._shown()))

    test.__doc__ = f"True where a date {name.replace('_', ' ')}, False for NaT."
    return property(in_place(test))


def _part(name: str) -> property:
    def part(self: TimedeltaProperties) -> Any:
        return self._of(fields.duration_column(name, self._times._shown()))

    part.__doc__ = f"The {name} of each duration; float64 where some are NaT."
    return property(in_place(part))


for _name in periods.NUMBERS:
    setattr(PeriodProperties, _name, _of_periods(_name))
for _name in fields.NUMBERS:
    setattr(DatetimeProperties, _name, _number(_name))
for _name in fields.TESTS:
    setattr(DatetimeProperties, _name, _test(_name))
for _other, _name in fields.OTHER_NAMES.items():
    setattr(DatetimeProperties, _other, _number(_name))
for _name in fields.DURATION_NUMBERS:
    setattr(TimedeltaProperties, _name, _part(_name))


class SeriesDates(Labelled):
    """`dt` of series."""

    @property
    def dt(self) -> Any:
        """Fields and methods of dates or durations. Raises AttributeError for other dtypes."""
        column = self._parts[0]
        if isinstance(column, CategoryColumn):
            column = column.values()
        kind = family(column.dtype)
        if kind in ("datetime", "zoned"):
            return DatetimeProperties(self, column)
        if kind == "timedelta" and isinstance(column, NumberColumn):
            return TimedeltaProperties(self, column)
        if isinstance(column, PeriodColumn):
            return PeriodProperties(self, column)
        raise AttributeError("Can only use .dt accessor with datetimelike values")
