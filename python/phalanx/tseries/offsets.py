"""Offsets of the calendar, under pandas' names."""

from typing import NoReturn

from .._frames.offsets.base import BaseOffset
from .._frames.offsets.days import (
    BusinessDay,
    CustomBusinessDay,
    CustomBusinessMonthBegin,
    CustomBusinessMonthEnd,
    Week,
)
from .._frames.offsets.months import (
    BHalfYearBegin,
    BHalfYearEnd,
    BQuarterBegin,
    BQuarterEnd,
    BusinessMonthBegin,
    BusinessMonthEnd,
    BYearBegin,
    BYearEnd,
    Easter,
    HalfYearBegin,
    HalfYearEnd,
    LastWeekOfMonth,
    MonthBegin,
    MonthEnd,
    QuarterBegin,
    QuarterEnd,
    SemiMonthBegin,
    SemiMonthEnd,
    WeekOfMonth,
    YearBegin,
    YearEnd,
)
from .._frames.offsets.relative import DateOffset
from .._frames.offsets.spans import Day, Hour, Micro, Milli, Minute, Nano, Second, Tick
from .._frames.signatures import MissingNameError

BDay = BusinessDay
BMonthBegin = BusinessMonthBegin
BMonthEnd = BusinessMonthEnd
CDay = CustomBusinessDay
CBMonthBegin = CustomBusinessMonthBegin
CBMonthEnd = CustomBusinessMonthEnd

# Of pandas' classes those that there are not.
_MISSING = ("BusinessHour", "CustomBusinessHour", "FY5253", "FY5253Quarter")

__all__ = [
    "BDay", "BHalfYearBegin", "BHalfYearEnd", "BMonthBegin", "BMonthEnd", "BQuarterBegin",
    "BQuarterEnd", "BYearBegin", "BYearEnd", "BaseOffset", "BusinessDay", "BusinessMonthBegin",
    "BusinessMonthEnd", "CBMonthBegin", "CBMonthEnd", "CDay", "CustomBusinessDay",
    "CustomBusinessMonthBegin", "CustomBusinessMonthEnd", "DateOffset", "Day", "Easter",
    "HalfYearBegin", "HalfYearEnd", "Hour", "LastWeekOfMonth", "Micro", "Milli", "Minute",
    "MonthBegin", "MonthEnd", "Nano", "QuarterBegin", "QuarterEnd", "Second", "SemiMonthBegin",
    "SemiMonthEnd", "Tick", "Week", "WeekOfMonth", "YearBegin", "YearEnd",
]  # fmt: skip


def __getattr__(name: str) -> NoReturn:
    if name in _MISSING:
        raise MissingNameError(f"offsets.{name} of pandas is not supported in phalanx")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
