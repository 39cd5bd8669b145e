"""Offsets to days of months, quarters and years."""

from __future__ import annotations

from functools import cached_property
from typing import Any, ClassVar

from .base import BaseOffset
from .calendars import (
    DAYS,
    MONTHS,
    Calendar,
    easters,
    first_business_of,
    first_of,
    half_monthly,
    last_business_of,
    last_of,
    last_weekday_of,
    monthly,
    weekday_of,
)


class MonthOffset(BaseOffset):
    """A day of each month."""

    day_of: ClassVar[Any]

    def __init__(self, n: int = 1, normalize: bool = False) -> None:
        super().__init__(n, normalize)

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.MonthEnd().calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-31', '1970-02-28'], dtype='datetime64[D]')
        """
        return monthly(1, 0, type(self).day_of)


class QuarterOffset(BaseOffset):
    """A day of every third month, or of every sixth: one of these is ``startingMonth``."""

    parameters = ("startingMonth",)
    day_of: ClassVar[Any]
    every = 3
    default = 3
    # The month that a text without one says.
    of_text = 1
    startingMonth: int

    def __init__(
        self,
        n: int = 1,
        normalize: bool = False,
        startingMonth: int | None = None,
    ) -> None:
        month = self.default if startingMonth is None else startingMonth
        super().__init__(n, normalize, startingMonth=month)

    @property
    def suffix(self) -> str:
        """The month of the text.

        >>> px.offsets.QuarterEnd(startingMonth=12).suffix
        'DEC'
        """
        return MONTHS[self.startingMonth - 1]

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.QuarterEnd().calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-03-31', '1970-06-30'], dtype='datetime64[D]')
        """
        return monthly(self.every, self.startingMonth - 1, type(self).day_of)

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for no month.

        >>> px.offsets.QuarterEnd.of_suffix("DEC")
        {'startingMonth': 12}
        """
        return {"startingMonth": MONTHS.index(suffix) + 1 if suffix else cls.of_text}


class YearOffset(BaseOffset):
    """A day of one ``month`` of each year."""

    parameters = ("month",)
    day_of: ClassVar[Any]
    default = 1
    month: int

    def __init__(self, n: int = 1, normalize: bool = False, month: int | None = None) -> None:
        found = self.default if month is None else month
        if not 1 <= found <= 12:
            raise ValueError("Month must go from 1 to 12")
        super().__init__(n, normalize, month=found)

    @property
    def suffix(self) -> str:
        """The month of the text.

        >>> px.offsets.YearEnd(month=6).suffix
        'JUN'
        """
        return MONTHS[self.month - 1]

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.YearEnd().calendar
        >>> days.day(np.array([54, 55])).astype("M8[D]")
        array(['2024-12-31', '2025-12-31'], dtype='datetime64[D]')
        """
        return monthly(12, self.month - 1, type(self).day_of)

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for no month.

        >>> px.offsets.YearEnd.of_suffix("JUN")
        {'month': 6}
        """
        return {"month": MONTHS.index(suffix) + 1 if suffix else cls.default}


class MonthBegin(MonthOffset):
    """The first day of months.

    >>> px.Timestamp("2024-02-28") + px.offsets.MonthBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    prefix, day_of = "MS", staticmethod(first_of)


class MonthEnd(MonthOffset):
    """The last day of months.

    >>> px.Timestamp("2024-02-28") + px.offsets.MonthEnd()
    Timestamp('2024-02-29 00:00:00')
    """

    prefix, day_of = "ME", staticmethod(last_of)


class BusinessMonthBegin(MonthOffset):
    """The first day of months that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BusinessMonthBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    prefix, day_of = "BMS", staticmethod(first_business_of)


class BusinessMonthEnd(MonthOffset):
    """The last day of months that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BusinessMonthEnd()
    Timestamp('2024-02-29 00:00:00')
    """

    prefix, day_of = "BME", staticmethod(last_business_of)


class QuarterBegin(QuarterOffset):
    """The first day of quarters.

    >>> px.Timestamp("2024-02-28") + px.offsets.QuarterBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    prefix, day_of = "QS", staticmethod(first_of)


class QuarterEnd(QuarterOffset):
    """The last day of quarters.

    >>> px.Timestamp("2024-02-28") + px.offsets.QuarterEnd()
    Timestamp('2024-03-31 00:00:00')
    """

    prefix, day_of, of_text = "QE", staticmethod(last_of), 12


class BQuarterBegin(QuarterOffset):
    """The first day of quarters that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BQuarterBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    title = "BusinessQuarterBegin"
    prefix, day_of = "BQS", staticmethod(first_business_of)


class BQuarterEnd(QuarterOffset):
    """The last day of quarters that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BQuarterEnd()
    Timestamp('2024-03-29 00:00:00')
    """

    title = "BusinessQuarterEnd"
    prefix, day_of, of_text = "BQE", staticmethod(last_business_of), 12


class HalfYearBegin(QuarterOffset):
    """The first day of half years.

    >>> px.Timestamp("2024-02-28") + px.offsets.HalfYearBegin()
    Timestamp('2024-07-01 00:00:00')
    """

    prefix, day_of, every, default = "HYS", staticmethod(first_of), 6, 1


class HalfYearEnd(QuarterOffset):
    """The last day of half years.

    >>> px.Timestamp("2024-02-28") + px.offsets.HalfYearEnd()
    Timestamp('2024-06-30 00:00:00')
    """

    prefix, day_of, every, default, of_text = "HYE", staticmethod(last_of), 6, 6, 12


class BHalfYearBegin(QuarterOffset):
    """The first day of half years that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BHalfYearBegin()
    Timestamp('2024-07-01 00:00:00')
    """

    title = "BusinessHalfYearBegin"
    prefix, day_of, every, default = "BHYS", staticmethod(first_business_of), 6, 1


class BHalfYearEnd(QuarterOffset):
    """The last day of half years that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BHalfYearEnd()
    Timestamp('2024-06-28 00:00:00')
    """

    title = "BusinessHalfYearEnd"
    prefix, day_of, every, default, of_text = "BHYE", staticmethod(last_business_of), 6, 6, 12


class YearBegin(YearOffset):
    """The first day of years.

    >>> px.Timestamp("2024-02-28") + px.offsets.YearBegin()
    Timestamp('2025-01-01 00:00:00')
    """

    prefix, day_of = "YS", staticmethod(first_of)


class YearEnd(YearOffset):
    """The last day of years.

    >>> px.Timestamp("2024-02-28") + px.offsets.YearEnd()
    Timestamp('2024-12-31 00:00:00')
    """

    prefix, day_of, default = "YE", staticmethod(last_of), 12


class BYearBegin(YearOffset):
    """The first day of years that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BYearBegin()
    Timestamp('2025-01-01 00:00:00')
    """

    prefix, day_of = "BYS", staticmethod(first_business_of)


class BYearEnd(YearOffset):
    """The last day of years that is no Saturday or Sunday.

    >>> px.Timestamp("2024-02-28") + px.offsets.BYearEnd()
    Timestamp('2024-12-31 00:00:00')
    """

    prefix, day_of, default = "BYE", staticmethod(last_business_of), 12


class SemiMonthOffset(BaseOffset):
    """Two days of each month, of which ``day_of_month`` is the one in the middle."""

    parameters = ("day_of_month",)
    ends = False
    least = 2
    day_of_month: int

    def __init__(
        self, n: int = 1, normalize: bool = False, day_of_month: int | None = None
    ) -> None:
        day = 15 if day_of_month is None else int(day_of_month)
        if not self.least <= day <= 27:
            raise ValueError(f"day_of_month must be {self.least}<=day_of_month<=27, got {day}")
        super().__init__(n, normalize, day_of_month=day)

    @property
    def suffix(self) -> str:
        """The day of the text.

        >>> px.offsets.SemiMonthEnd(day_of_month=10).suffix
        '10'
        """
        return str(self.day_of_month)

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.SemiMonthEnd().calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-15', '1970-01-31'], dtype='datetime64[D]')
        """
        return half_monthly(self.day_of_month, ends=self.ends)

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for no day.

        >>> px.offsets.SemiMonthEnd.of_suffix("10")
        {'day_of_month': 10}
        """
        return {"day_of_month": int(suffix) if suffix else None}


class SemiMonthBegin(SemiMonthOffset):
    """The first day of months, and one in the middle.

    >>> px.Timestamp("2024-02-28") + px.offsets.SemiMonthBegin()
    Timestamp('2024-03-01 00:00:00')
    """

    prefix = "SMS"


class SemiMonthEnd(SemiMonthOffset):
    """A day in the middle of months, and the last.

    >>> px.Timestamp("2024-02-28") + px.offsets.SemiMonthEnd()
    Timestamp('2024-02-29 00:00:00')
    """

    prefix, ends, least = "SME", True, 1


class WeekOfMonth(BaseOffset):
    """The first (``week`` 0), second, ... of a ``weekday`` in months.

    >>> second_tuesday = px.offsets.WeekOfMonth(week=1, weekday=1)
    >>> px.Timestamp("2024-02-28") + second_tuesday
    Timestamp('2024-03-12 00:00:00')
    """

    prefix = "WOM"
    parameters = ("week", "weekday")
    week: int
    weekday: int

    def __init__(
        self, n: int = 1, normalize: bool = False, week: int = 0, weekday: int = 0
    ) -> None:
        if not 0 <= weekday <= 6:
            raise ValueError(f"Day must be 0<=day<=6, got {weekday}")
        if not 0 <= week <= 3:
            raise ValueError(f"Week must be 0<=week<=3, got {week}")
        super().__init__(n, normalize, week=week, weekday=weekday)

    @property
    def suffix(self) -> str:
        """The week and the weekday of the text.

        >>> px.offsets.WeekOfMonth(week=1, weekday=1).suffix
        '2TUE'
        """
        return f"{self.week + 1}{DAYS[self.weekday]}"

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.WeekOfMonth(week=1, weekday=1).calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-13', '1970-02-10'], dtype='datetime64[D]')
        """
        return monthly(1, 0, weekday_of(self.week, self.weekday))

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for none.

        >>> px.offsets.WeekOfMonth.of_suffix("2TUE")
        {'week': 1, 'weekday': 1}
        """
        if not suffix:
            raise ValueError("Prefix 'WOM' requires a suffix.")
        return {"week": int(suffix[0]) - 1, "weekday": DAYS.index(suffix[1:])}


class LastWeekOfMonth(BaseOffset):
    """The last of a ``weekday`` in months.

    >>> px.Timestamp("2024-02-28") + px.offsets.LastWeekOfMonth(weekday=4)
    Timestamp('2024-03-29 00:00:00')
    """

    prefix = "LWOM"
    parameters = ("weekday",)
    weekday: int

    def __init__(self, n: int = 1, normalize: bool = False, weekday: int = 0) -> None:
        if n == 0:
            raise ValueError("N cannot be 0")
        if not 0 <= weekday <= 6:
            raise ValueError(f"Day must be 0<=day<=6, got {weekday}")
        super().__init__(n, normalize, weekday=weekday)

    @property
    def suffix(self) -> str:
        """The weekday of the text.

        >>> px.offsets.LastWeekOfMonth(weekday=4).suffix
        'FRI'
        """
        return DAYS[self.weekday]

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> days = px.offsets.LastWeekOfMonth(weekday=4).calendar
        >>> days.day(np.array([0, 1])).astype("M8[D]")
        array(['1970-01-30', '1970-02-27'], dtype='datetime64[D]')
        """
        return monthly(1, 0, last_weekday_of(self.weekday))

    @classmethod
    def of_suffix(cls, suffix: str) -> dict[str, Any]:
        """The arguments that the end of a text says. Raises ValueError for none.

        >>> px.offsets.LastWeekOfMonth.of_suffix("FRI")
        {'weekday': 4}
        """
        if not suffix:
            raise ValueError("Prefix 'LWOM' requires a suffix.")
        return {"weekday": DAYS.index(suffix)}


class Easter(BaseOffset):
    """Easter Sundays, of the western churches only: another ``method`` is not supported.

    >>> px.Timestamp("2024-02-28") + px.offsets.Easter()
    Timestamp('2024-03-31 00:00:00')
    """

    parameters = ("method",)
    method: int

    def __init__(self, n: int = 1, normalize: bool = False, method: int = 3) -> None:
        if method != 3:
            raise NotImplementedError(
                "Easter: the 'method' of pandas for other calendars is not supported; leave it out"
            )
        super().__init__(n, normalize, method=method)

    @cached_property
    def calendar(self) -> Calendar:  # type: ignore[override]
        """The days of the rule.

        >>> px.offsets.Easter().calendar.day(np.array([54])).astype("M8[D]")
        array(['2024-03-31'], dtype='datetime64[D]')
        """
        return easters()
