"""Indexes of periods, and `period_range`."""

from __future__ import annotations

from collections.abc import Hashable
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import above
from ..columns.making import column_of
from ..columns.periods import PeriodColumn, of_numbers
from ..dtypes import PeriodDtype, pandas_dtype
from ..in_place import in_place
from ..missing import is_missing
from ..periods import columns as periods
from ..periods.frequency import is_end
from ..periods.period import Period
from ..scalars.moments import said
from .index import Index
from .labels import Labels
from .lookups import LabelError


class PeriodIndex(Index):
    """Labels that are periods of one frequency.

    ``data`` has periods, texts or dates; texts and dates need ``freq``. Raises ValueError without.

    >>> px.PeriodIndex(["2026-01", "2026-02"], freq="M").days_in_month
    Index([31, 28], dtype='int64')
    """

    if TYPE_CHECKING:  # made of the tables below

        @property
        def year(self) -> Any: ...

        month = day = hour = minute = second = day_of_week = day_of_year = days_in_month = year
        dayofweek = weekday = dayofyear = daysinmonth = quarter = qyear = week = weekofyear = year

    _column: PeriodColumn

    def __new__(
        cls, data: Any = None, freq: Any = None, dtype: Any = None, copy: bool = False,
        name: Hashable = None,
    ) -> Any:  # fmt: skip
        if data is None or isinstance(data, (str, bytes)) or not np.iterable(data):
            raise TypeError(
                f"{cls.__name__}(...) must be called with a collection of some kind, {data!r} was "
                "passed"
            )
        found = above.index_of(data, tuples=False)
        wanted = pandas_dtype(dtype) if dtype is not None else None
        if freq is not None:
            wanted = PeriodDtype(freq)
        column = found._column
        if wanted is None and not isinstance(column, PeriodColumn):
            raise ValueError("freq not specified and cannot be inferred: pass freq")
        made = column if wanted is None else column.astype(wanted)
        return Labels._of(made, found.name if name is None else name)

    @classmethod
    def from_ordinals(cls, ordinals: Any, *, freq: Any, name: Hashable = None) -> Any:
        """The periods of numbers since 1970."""
        return Labels._of(of_numbers(np.asarray(ordinals), PeriodDtype(freq).length), name)

    # Parts.

    @property
    def freq(self) -> Any:
        """From the end of a period to the end of the next one."""
        return self._column.dtype.freq

    @property
    def freqstr(self) -> str:
        """The text of the frequency."""
        return str(self._column.dtype.length.freqstr)

    @property
    def asi8(self) -> np.ndarray:
        """The numbers since 1970 as int64."""
        return self._column.numbers

    @property
    def start_time(self) -> Any:
        """The first moment of each period."""
        return self._with(periods.timestamps(self._column))

    @property
    def end_time(self) -> Any:
        """The last moment of each period."""
        return self._with(periods.timestamps(self._column, how="end"))

    @property
    def is_leap_year(self) -> np.ndarray:
        """Which are in a year of 366 days."""
        return np.asarray(periods.leap_years(self._column).values)

    def to_timestamp(self, freq: Any = None, how: str = "start") -> Any:
        """The first moment of each period, or with ``how='end'`` the last one."""
        made = self._with(periods.timestamps(self._column, freq, how))
        of_calendar = self._column.dtype.length.step.calendar is not None
        if made.inferred_freq is None or (of_calendar and is_end(how)):
            return made  # last moments of months have no frequency, as in pandas
        return made._with_freq("infer")

    def asfreq(self, freq: Any = None, how: str = "E") -> Any:
        """The periods of another frequency at these ones' ends, or with ``how='S'`` starts."""
        return self._with(periods.in_frequency(self._column, freq, how))

    def strftime(self, date_format: str) -> Any:
        """The periods as texts of a format of ``strftime``; '%q' is the quarter."""
        return self._with(periods.texts(self._column, date_format))

    def shift(self, periods: int = 1, freq: Any = None) -> Any:
        """The labels so many periods later. Raises TypeError for another frequency."""
        if freq is not None:
            raise TypeError("`freq` argument is not supported for PeriodIndex.shift; use asfreq")
        return self + periods  # type: ignore[operator]

    # Labels.

    @property
    def inferred_type(self) -> str:
        """'period'."""
        return "period"

    def _texts(self, part: slice) -> list[str]:
        return [f"'{each}'" for each in self._column.slice(part).objects]

    def get_loc(self, key: Any) -> Any:
        """The row of a period; for a text of a longer one, the rows of all that are in it.

        Raises KeyError without such a label.
        """
        if not isinstance(key, str):
            return super().get_loc(key)
        try:
            whole = column_of([key], PeriodDtype(self.freqstr))
            longer = PeriodDtype(periods.of_resolution(said(key.partition("/")[0]).resolution))
        except ValueError as error:
            raise LabelError(key) from error
        length = self._column.dtype.length
        one = whole.element(0)
        if is_missing(one):
            return super().get_loc(one)
        around = column_of([key.partition("/")[0]], longer).element(0)
        if around.end_time <= one.end_time:
            return super().get_loc(one)
        first, last = length.numbers_of(
            np.array([around.start_time.asm8, around.end_time.asm8])
        ).tolist()
        rows = np.flatnonzero((self.asi8 >= first) & (self.asi8 <= last))
        if not len(rows):
            raise LabelError(key)
        ordered = len(rows) == rows[-1] - rows[0] + 1
        return slice(int(rows[0]), int(rows[-1]) + 1) if ordered else rows


def _number(name: str) -> property:
    def number(self: PeriodIndex) -> Any:
        return self._with(periods.number_column(name, self._column))

    number.__doc__ = f"The {name.replace('_', ' ')} of each period, -1 for missing ones."
    return property(in_place(number))


for _name in periods.NUMBERS:
    setattr(PeriodIndex, _name, _number(_name))


def period_range(
    start: Any = None, end: Any = None, periods: int | None = None, freq: Any = None,
    name: Hashable = None,
) -> Any:  # fmt: skip
    """A PeriodIndex of periods that follow each other: two of ``start``, ``end``, ``periods``.

    Without ``freq`` it is the one of the ends that are periods, else 'D'. Raises ValueError for
    more or fewer of the three, and for ends of two frequencies.

    >>> px.period_range("2026-01", periods=2, freq="M")
    PeriodIndex(['2026-01', '2026-02'], dtype='period[M]')
    """
    if sum(each is not None for each in (start, end, periods)) != 2:
        raise ValueError(
            "Of the three parameters: start, end, and periods, exactly two must be specified"
        )
    if freq is None and not any(isinstance(each, Period) for each in (start, end)):
        freq = "D"
    bounds = [None if each is None else Period(each, freq) for each in (start, end)]
    there = [each for each in bounds if each is not None]
    if any(is_missing(each) for each in there):
        raise ValueError("start and end must not be NaT")
    if len({each.freqstr for each in there}) > 1:
        raise ValueError("start and end must have same freq")
    length = there[0]._frequency
    if None in bounds:
        if not isinstance(periods, (int, np.integer)):
            raise TypeError(f"periods must be an integer, got {periods}")
        steps = np.arange(periods) * length.n
        last = bounds[0] is None
        numbers = there[0].ordinal + (steps - steps[-1:].sum() if last else steps)
    else:
        numbers = np.arange(there[0].ordinal, there[1].ordinal + 1, length.n)
    return Labels._of(of_numbers(numbers, length), name)
