"""What clocks and calendars say of the labels of an index of dates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import STR
from ..operations import fields
from ..scalars import NaT
from ..scalars.counts import in_unit
from ..scalars.fields import DAY_NAMES, MONTH_NAMES
from .labels import Labels
from .times import Times

# A format of these directives alone says nothing of the time of the day.
_OF_DAYS = frozenset("YymdbBaAjUWGVuwF%")


class DateFields(Times):
    """Fields of dates, in the time zone where there is one."""

    if TYPE_CHECKING:  # made of the tables below

        @property
        def year(self) -> Any: ...

        month = day = hour = minute = second = microsecond = nanosecond = quarter = year
        day_of_week = day_of_year = days_in_month = dayofweek = weekday = dayofyear = year
        daysinmonth = year

        @property
        def is_month_start(self) -> np.ndarray: ...

        is_month_end = is_quarter_start = is_quarter_end = is_year_start = is_month_start
        is_year_end = is_leap_year = is_month_start

    def _shown(self) -> ndarray:
        """What clocks show, as an array of ours."""
        if getattr(self._column.dtype, "tz", None) is None:
            return self._column.values
        shown: ndarray = px.asarray(self._wall())
        return shown

    def _number(self, name: str) -> Any:
        return Labels._of(fields.number_column(name, self._shown()), self._name)

    def _test(self, name: str) -> np.ndarray:
        if self._freq is not None and name.endswith(("start", "end")):
            return np.asarray(fields.is_bound_by_frequency(name, self._shown(), self._freq))
        return np.asarray(fields.test_column(name, self._shown()).values)

    def _named_field(self, number: str, names: Any, first: int) -> Any:
        shown = self._shown()
        rows = px.where(px.isnat(shown), -1, fields.NUMBERS[number](shown) - first)
        texts = column_of(list(names), STR)
        return Labels._of(texts.take(rows.astype(np.int64), has_missing=True), self._name)

    def day_name(self, locale: None = None) -> Any:
        """The names of the weekdays, in English."""
        _left_out_locale(locale)
        return self._named_field("day_of_week", DAY_NAMES, 0)

    def month_name(self, locale: None = None) -> Any:
        """The names of the months, in English."""
        _left_out_locale(locale)
        return self._named_field("month", MONTH_NAMES[1:], 1)

    def strftime(self, date_format: str) -> Any:
        """The labels as texts of a format of Python's ``strftime``."""
        return Labels._of(self._formatted(date_format), self._name)

    def _formatted(self, date_format: str) -> Column:
        directives = {each[:1] for each in date_format.split("%")[1:]} - {""}
        if directives <= _OF_DAYS:
            return self._by_day(date_format)
        zoned = self._column.tolist()
        texts = [np.nan if each is NaT else each.strftime(date_format) for each in zoned]
        return column_of(texts, STR)

    def _by_day(self, date_format: str) -> Column:
        """Texts of a format that is of days alone: each different day is written once."""
        wall = self._wall()
        missing = np.isnat(wall)
        days = in_unit(wall, "D")
        different, rows = np.unique(days[~missing], return_inverse=True)
        texts = column_of([each.item().strftime(date_format) for each in different], STR)
        places = np.full(len(wall), -1)
        places[~missing] = rows
        return texts.take(px.asarray(places), has_missing=True)

    def _python(self, wall: np.ndarray) -> list[Any]:
        """Python's dates of what clocks show, None for NaT."""
        return wall.astype("M8[us]").astype(object).tolist()  # type: ignore[no-any-return]

    def _objects_of(self, made: list[Any]) -> np.ndarray:
        found = np.empty(len(made), object)
        found[:] = [NaT if each is None else each for each in made]
        return found

    @property
    def date(self) -> np.ndarray:
        """The labels as Python's dates, without times."""
        found = self._python(self._wall())
        return self._objects_of([each and each.date() for each in found])

    @property
    def time(self) -> np.ndarray:
        """The labels as Python's times, without dates and time zones."""
        found = self._python(self._wall())
        return self._objects_of([each and each.time() for each in found])

    @property
    def timetz(self) -> np.ndarray:
        """The labels as Python's times with their time zone, without dates."""
        found = self._column.tolist()
        return self._objects_of([None if each is NaT else each.timetz() for each in found])

    def isocalendar(self) -> Any:
        """A DataFrame of year, week and day of ISO 8601."""
        parts = fields.iso_calendar(self._shown())
        columns = dict(zip(("year", "week", "day"), parts, strict=True))
        return above.DataFrame(columns, index=self._view())

    def to_julian_date(self) -> Any:
        """Days since noon of January 1, 4713 before Christ, as float64."""
        days = (self._moments - np.datetime64(0, "D")) / np.timedelta64(1, "D") + 2440587.5
        return Labels._of(NumberColumn(px.asarray(days)), self._name)


def _left_out_locale(locale: Any) -> None:
    if isinstance(locale, str):
        raise NotImplementedError("names of days and months are English: leave locale out")


def _property(name: str) -> property:
    def number(self: DateFields) -> Any:
        return self._number(name)

    number.__doc__ = f"The {name.replace('_', ' ')} of each label; float64 where some are NaT."
    return property(number)


def _bool_property(name: str) -> property:
    def test(self: DateFields) -> np.ndarray:
        return self._test(name)

    test.__doc__ = f"Returns whether each label {name.replace('_', ' ')}, as a NumPy array."
    return property(test)


for _name in fields.NUMBERS:
    setattr(DateFields, _name, _property(_name))
for _name in fields.TESTS:
    setattr(DateFields, _name, _bool_property(_name))
for _other, _name in fields.OTHER_NAMES.items():
    setattr(DateFields, _other, _property(_name))
