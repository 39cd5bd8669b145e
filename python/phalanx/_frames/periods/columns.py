"""Fields and methods of periods: what `Series.dt` and indexes of periods say."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.periods import PeriodColumn, of_dates, of_numbers
from ..dtypes import STR
from ..offsets.frequencies import frequency_of
from ..operations import fields
from .frequency import is_end, period_frequency
from .frequency import of_resolution as of_resolution

# The numbers of periods, by the names of fields of dates where these have them.
NUMBERS = (
    "year", "month", "day", "hour", "minute", "second", "day_of_week", "day_of_year",
    "days_in_month", *fields.OTHER_NAMES, "quarter", "qyear", "week", "weekofyear",
)  # fmt: skip


def number_column(name: str, column: PeriodColumn) -> NumberColumn:
    """A field as int64, -1 for missing periods."""
    numbers, length = column.numbers, column.dtype.length
    there = np.where(column.missing_rows(), 0, numbers)
    if name in ("quarter", "qyear"):
        found: Any = length.quarters(there)[name == "quarter"]
    else:
        shown = px.asarray(length.shown(there))
        if name in ("week", "weekofyear"):
            found = fields.iso_calendar(shown)[1].values.astype(np.int64)
        else:
            found = fields.NUMBERS[fields.OTHER_NAMES.get(name, name)](shown)
    values = np.where(column.missing_rows(), -1, np.asarray(found))
    return NumberColumn(px.asarray(values.astype(np.int64)))


def leap_years(column: PeriodColumn) -> NumberColumn:
    """Which periods are in a year of 366 days; False for missing ones."""
    shown = px.asarray(column.dtype.length.shown(column.numbers))
    return fields.test_column("is_leap_year", shown)


def timestamps(column: PeriodColumn, freq: Any = None, how: str = "start") -> NumberColumn:
    """The first moment of each period, or with 'end' the last one."""
    if freq is not None and not is_end(how):
        column = in_frequency(column, freq, "S")
        return NumberColumn(px.asarray(column.dtype.length.shown(column.numbers)))
    length = column.dtype.length
    values = (length.ends if is_end(how) else length.starts)(column.numbers)
    return NumberColumn(px.asarray(values))


def in_frequency(column: PeriodColumn, freq: Any, how: str = "E") -> PeriodColumn:
    """The periods of another frequency that have these ones' ends, or with 'S' their starts."""
    wanted, length = period_frequency(freq), column.dtype.length
    moments = (length.ends if is_end(how) else length.starts)(column.numbers)
    return of_numbers(wanted.numbers_of(moments), wanted)


def texts(column: PeriodColumn, date_format: str | None) -> Column:
    """The periods as texts of a format of ``strftime``, missing ones as NaN."""
    gone = column.missing_rows().tolist()
    return column_of(
        [
            np.nan if missing else each.strftime(date_format)
            for each, missing in zip(column.objects, gone, strict=True)
        ],
        STR,
    )


def periods_of(times: Any, freq: Any) -> PeriodColumn:
    """The periods that an index of dates is in. Raises ValueError where no frequency is known."""
    if freq is None:
        freq = frequency_of(times.freqstr or times.inferred_freq)
    if freq is None:
        raise ValueError("You must pass a freq argument as current index has none.")
    return of_dates(times._column, period_frequency(freq))
