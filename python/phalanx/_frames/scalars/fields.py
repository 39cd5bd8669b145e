"""What the calendar says of one date, for `Timestamp`."""

from __future__ import annotations

import calendar
import datetime
import warnings
from typing import Any

from .. import above

# The calendar repeats itself after this number of years.
_CYCLE = 400
DAY_NAMES = tuple(calendar.day_name)
MONTH_NAMES = tuple(calendar.month_name)


class CalendarFields(datetime.datetime):
    """Fields of a date; its year may be one that Python's dates do not have."""

    __slots__ = ()

    def _day(self) -> datetime.date:
        """The date, in the same year of the calendar's cycle where its own is no year of Python."""
        year = self.year if 1 <= self.year <= 9999 else self.year % _CYCLE + 2000
        return datetime.date(year, self.month, self.day)

    @property
    def quarter(self) -> int:
        """The quarter of the year: 1 to 4."""
        return (self.month + 2) // 3

    @property
    def day_of_week(self) -> int:
        """The day of the week: 0 is Monday."""
        return self._day().weekday()

    dayofweek = day_of_week

    def weekday(self) -> int:
        """The day of the week: 0 is Monday."""
        return self._day().weekday()

    def isoweekday(self) -> int:
        """The day of the week: 1 is Monday."""
        return self._day().weekday() + 1

    @property
    def day_of_year(self) -> int:
        """The day of the year: 1 to 366."""
        return self._day().timetuple().tm_yday

    dayofyear = day_of_year

    @property
    def week(self) -> int:
        """The week of ISO 8601."""
        return self._day().isocalendar()[1]

    weekofyear = week

    @property
    def days_in_month(self) -> int:
        """The days of its month."""
        return calendar.monthrange(self._day().year, self.month)[1]

    daysinmonth = days_in_month

    @property
    def is_leap_year(self) -> bool:
        """True in years of 366 days."""
        return calendar.isleap(self.year)

    @property
    def is_month_start(self) -> bool:
        """True on the first day of a month."""
        return self.day == 1

    @property
    def is_month_end(self) -> bool:
        """True on the last day of a month."""
        return self.day == self.days_in_month

    @property
    def is_quarter_start(self) -> bool:
        """True on the first day of a quarter."""
        return self.day == 1 and self.month % 3 == 1

    @property
    def is_quarter_end(self) -> bool:
        """True on the last day of a quarter."""
        return self.is_month_end and self.month % 3 == 0

    @property
    def is_year_start(self) -> bool:
        """True on January 1."""
        return self.day == 1 and self.month == 1

    @property
    def is_year_end(self) -> bool:
        """True on December 31."""
        return self.day == 31 and self.month == 12

    def day_name(self, locale: None = None) -> str:
        """The name of the weekday, in English."""
        return DAY_NAMES[self._day().weekday()]

    def month_name(self, locale: None = None) -> str:
        """The name of the month, in English."""
        return MONTH_NAMES[self.month]

    def to_period(self, freq: Any = None) -> Any:
        """The `Period` of a frequency such as 'M' in which it is, by its own clock.

        Warns of a time zone, which periods have not. Raises ValueError without a frequency.
        """
        if self.tzinfo is not None:
            text = "Converting to Period representation will drop timezone information."
            warnings.warn(text, UserWarning, stacklevel=2)
        return above.Period(self, freq)
