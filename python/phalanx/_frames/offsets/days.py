"""Offsets to business days and weekdays."""

from __future__ import annotations

import datetime
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ..scalars.timedelta import Timedelta
from .base import BaseOffset
from .calendars import DAYS, Calendar, business, custom, first_of, last_of, monthly, weekly

_NONE = datetime.timedelta(0)


class Week(BaseOffset):
    """A ``weekday`` of each week (0: Monday), or with None seven days.

    >>> px.Timestamp("2024-02-28") + px.offsets.Week(weekday=0)
    Timestamp('2024-03-04 00:00:00')
    """

    prefix = "W"
    parameters = ("weekday",)
    weekday: int | None

    def __init__(self, n: int = 1, normalize: bool = False, weekday: int | None = None) -> None:
        if weekday is not None and not 0 <= weekday <= 6:
            raise ValueError(f"Day must be 0<=day<=6, got {weekday}")
        super().__init__(n, normalize, weekday=weekday)

    @property
    def suffix(self) -> str:
        """The weekday of the text.

        >>> px.offsets.Week(weekday=0).suffix
        'MON'
        """
        return "" if self.weekday is None else DAYS[self.weekday]

    @cached_property
    def calendar(self) -> Calendar | None:  # type: ignore[override]
        """The days of the rule.

        >>> px.offsets.Week(weekday=0).calendar.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-05', '1970-01-12'], dtype='datetime64[D]')
        """
        return None if self.weekday is None else weekly(self.weekday)

    def _moved_dates(self, dates: np.ndarray, steps: np.ndarray) -> np.ndarray:
        if self.weekday is not None:
            return super()._moved_dates(dates, steps)
        found: np.ndarray = dates + (steps * 7).astype("m8[D]")
        return found

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for no weekday.

        >>> px.offsets.Week.of_suffix("MON")
        {'weekday': 0}
        """
        return {"weekday": DAYS.index(suffix) if suffix else 6}


class BusinessOffset(BaseOffset):
    """Business days, and an ``offset`` from there on."""

    parameters: tuple[str, ...] = ("offset",)
    # A duration that is added is the offset of business days.
    _takes_offset = True

    @property
    def freqstr(self) -> str:
        """The text that says it, as '2B' or 'B+1h'.

        >>> px.offsets.CDay(2).freqstr
        '2C'
        """
        return super().freqstr + (_text_of(self.offset) if self.offset else "")

    def __add__(self, other: Any) -> Any:
        if isinstance(other, datetime.timedelta) and self._takes_offset:
            return BusinessDay(self.n, self.normalize, self.offset + other)
        return super().__add__(other)

    __radd__ = __add__

    def _shown(self) -> list[str]:
        return [f"offset={self.offset!r}"] if self.offset else []


def _text_of(offset: datetime.timedelta) -> str:
    """A duration as pandas adds it to the text of an offset."""
    sign, left = ("-", -offset) if offset < _NONE else ("+", offset)
    parts = [(left.days, "D")]
    seconds = left.seconds
    for size, name in ((3600, "h"), (60, "Min"), (1, "s")):
        count, seconds = divmod(seconds, size)
        parts.append((count, name))
    parts.append((left.microseconds, "us"))
    return sign + "".join(f"{count}{name}" for count, name in parts if count)


class BusinessDay(BusinessOffset):
    """Mondays to Fridays.

    >>> px.Timestamp("2024-02-28") + px.offsets.BusinessDay()
    Timestamp('2024-02-29 00:00:00')
    """

    prefix = "B"
    calendar = business()

    def __init__(
        self, n: int = 1, normalize: bool = False, offset: datetime.timedelta = _NONE
    ) -> None:
        super().__init__(n, normalize, offset=_duration(offset))


def _duration(offset: Any) -> Any:
    if isinstance(offset, datetime.timedelta):
        return offset
    found = getattr(offset, "duration", None)
    return Timedelta(offset) if found is None else found()


class CustomOffset(BusinessOffset):
    """Business days of a week and without holidays that the program says."""

    parameters = ("weekmask", "holidays", "calendar_of", "offset")
    weekmask: Any
    holidays: tuple[np.datetime64, ...]
    calendar_of: np.busdaycalendar

    def __init__(
        self,
        n: int = 1,
        normalize: bool = False,
        weekmask: Any = "Mon Tue Wed Thu Fri",
        holidays: Any = None,
        calendar: Any = None,
        offset: datetime.timedelta = _NONE,
    ) -> None:
        days = _calendar(weekmask, holidays, calendar)
        free = tuple(np.asarray(days.holidays))
        super().__init__(
            n, normalize, weekmask=weekmask, holidays=free, calendar_of=days,
            offset=_duration(offset),
        )  # fmt: skip

    @property
    def kwds(self) -> dict[str, Any]:
        """What says the rule, by the names of arguments.

        >>> px.offsets.CDay(weekmask="Sun Mon").kwds["weekmask"]
        'Sun Mon'
        """
        found = {"weekmask": self.weekmask, "holidays": self.holidays, "calendar": self.calendar_of}
        return found | ({"offset": self.offset} if self.offset else {})

    def _key(self) -> tuple[Any, ...]:
        days = self.calendar_of
        rule = (tuple(days.weekmask.tolist()), self.holidays, self.offset)
        return type(self).__name__, self.n, self.normalize, rule

    def __reduce__(self) -> tuple[Any, ...]:
        week = self.calendar_of.weekmask.tolist()
        return type(self), (self.n, self.normalize, week, self.holidays, None, self.offset)


def _calendar(weekmask: Any, holidays: Any, calendar: Any) -> np.busdaycalendar:
    if isinstance(calendar, np.busdaycalendar):
        return calendar
    if calendar is not None:
        holidays = [*(holidays or ()), *calendar.holidays()]
    free = [] if holidays is None else [_day(each) for each in holidays]
    return np.busdaycalendar(weekmask, np.array(free, "M8[D]"))


def _day(given: Any) -> np.datetime64:
    found = np.datetime64(getattr(given, "asm8", given))
    return found.astype("M8[D]")  # type: ignore[no-any-return]


class CustomBusinessDay(CustomOffset):
    """Business days of a week and without holidays that the program says.

    >>> px.Timestamp("2024-02-28") + px.offsets.CustomBusinessDay(holidays=["2024-02-29"])
    Timestamp('2024-03-01 00:00:00')
    """

    prefix = "C"

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> px.offsets.CDay().calendar.day(np.array([0, 1, 2])).astype("M8[D]")
        array(['1970-01-01', '1970-01-02', '1970-01-05'], dtype='datetime64[D]')
        """
        return custom(self.calendar_of)


class _CustomMonth(CustomOffset):
    """A business day of each month."""

    edge_of: ClassVar[Any]
    _takes_offset = False
    roll: ClassVar[Any]

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.CBMonthEnd().calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-30', '1970-02-27'], dtype='datetime64[D]')
        """

        def day_of(months: np.ndarray) -> np.ndarray:
            edges = type(self).edge_of(months).view("M8[D]")
            found = np.busday_offset(edges, 0, self.roll, busdaycal=self.calendar_of)
            return np.asarray(found).view(np.int64)

        return monthly(1, 0, day_of)


class CustomBusinessMonthBegin(_CustomMonth):
    """The first business day of months.

    >>> px.Timestamp("2024-02-28") + px.offsets.CustomBusinessMonthBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    prefix, edge_of, roll = "CBMS", staticmethod(first_of), "forward"


class CustomBusinessMonthEnd(_CustomMonth):
    """The last business day of months.

    >>> px.Timestamp("2024-02-28") + px.offsets.CustomBusinessMonthEnd()
    Timestamp('2024-02-29 00:00:00')
    """

    prefix, edge_of, roll = "CBME", staticmethod(last_of), "backward"
