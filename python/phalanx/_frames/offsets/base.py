"""What all offsets have: so many of a rule, by which arrays of dates and single dates move."""

from __future__ import annotations

import datetime
from typing import Any, Self

import numpy as np

from phalanx.errors import OutOfBoundsDatetime

from .. import above
from ..scalars.counts import in_unit
from ..scalars.nat import NaT
from ..scalars.timestamp import Timestamp, of_wall
from ..scalars.units import duration_count
from .calendars import NANOSECONDS, Calendar


class BaseOffset:
    """So many of a rule. Offsets never change.

    ``n`` is how many, ``normalize`` says that what moves ends at midnight. Raises TypeError and
    ValueError for an ``n`` that is no whole number.

    >>> offset = px.offsets.MonthEnd(2)
    >>> offset.n, offset.freqstr
    (2, '2ME')
    >>> px.Timestamp("2024-01-31") + offset
    Timestamp('2024-03-31 00:00:00')
    """

    # What pandas' texts call the rule; empty for rules without a text.
    prefix = ""
    # What it shows itself as, where that is not the name of the class.
    title = ""
    # The names of what says the rule beside `n` and `normalize`, in the order of the arguments.
    parameters: tuple[str, ...] = ()
    # The days of the rule, where days of the calendar are all there is to it.
    calendar: Calendar | None = None
    # A span of time that is always as long.
    is_span = False
    # It moves what clocks show, not the moments in UTC.
    by_clock = True
    # Before `offset` of business days the days move.
    offset = datetime.timedelta(0)
    n: int
    normalize: bool
    # NumPy's scalars and arrays leave operators to it.
    __array_priority__ = 1000

    def __init__(self, n: int = 1, normalize: bool = False, **rule: Any) -> None:
        self.__dict__.update(n=_whole(n), normalize=bool(normalize), **rule)

    def __setattr__(self, name: str, value: Any) -> None:
        raise AttributeError("offsets never change: make another one")

    # What it is.

    @property
    def kwds(self) -> dict[str, Any]:
        """What says the rule, by the names of arguments, where it is not None."""
        found = {name: getattr(self, name) for name in self.parameters}
        return {
            name: value
            for name, value in found.items()
            if value is not None and (name != "offset" or value)
        }

    def _times(self, n: int) -> Self:
        """So many of the same rule."""
        return type(self)(n, self.normalize, **self.kwds)

    @property
    def base(self) -> Self:
        """One of the same rule.

        >>> px.offsets.MonthEnd(3).base
        <MonthEnd>
        """
        return self._times(1)

    def copy(self) -> Self:
        """The same offset again.

        >>> px.offsets.MonthEnd(3).copy()
        <3 * MonthEnds>
        """
        return self._times(self.n)

    @property
    def suffix(self) -> str:
        """What follows the prefix in the text of the rule; empty for nothing."""
        return ""

    @property
    def rule_code(self) -> str:
        """The text of the rule, as 'ME' or 'QE-DEC'. Raises NotImplementedError without one."""
        if not self.prefix:
            raise NotImplementedError("Prefix not defined")
        return f"{self.prefix}-{self.suffix}" if self.suffix else self.prefix

    name = rule_code

    @property
    def freqstr(self) -> str:
        """The text that says it, as '2h' or 'QE-DEC'."""
        if not self.prefix:
            return repr(self)
        return (str(self.n) if self.n != 1 else "") + self.rule_code

    @property
    def nanos(self) -> int:
        """The nanoseconds that it lasts. Raises ValueError for what is not always as long.

        >>> px.offsets.Minute(2).nanos
        120000000000
        """
        raise ValueError(f"{self!r} is a non-fixed frequency")

    def _shown(self) -> list[str]:
        return [f"{name}={getattr(self, name)}" for name in self.parameters if name != "offset"]

    def __repr__(self) -> str:
        many = "" if self.n == 1 else f"{self.n} * "
        rule = ", ".join(self._shown())
        text = f"{many}{self.title or type(self).__name__}{'s' if abs(self.n) != 1 else ''}"
        return f"<{text}: {rule}>" if rule else f"<{text}>"

    def _key(self) -> tuple[Any, ...]:
        rule = tuple((name, getattr(self, name)) for name in self.parameters)
        return type(self).__name__, self.n, self.normalize, rule

    def __eq__(self, other: object) -> bool:
        if isinstance(other, str) or hasattr(other, "freqstr"):
            other = self._read(other)
        return isinstance(other, BaseOffset) and self._key() == other._key()

    def _read(self, text: Any) -> Any:
        """The offset of a text, None for a text that says none."""
        try:
            return above.frequency_of(text)
        except (ValueError, TypeError):
            return None

    def __hash__(self) -> int:
        return hash(repr(self._key()))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.n, self.normalize, self.kwds)

    # Dates in arrays.

    def is_on(self, dates: np.ndarray) -> np.ndarray:
        """Which datetime64 are dates of the rule: all where it has no days of its own.

        >>> px.offsets.MonthEnd().is_on(np.array(["2024-02-28", "2024-02-29"], "M8[D]"))
        array([False,  True])
        """
        days = in_unit(dates, "D")
        found: np.ndarray = np.ones(len(dates), bool)
        if self.normalize:
            found &= days == dates
        if self.calendar is None:
            return found
        counts = days.view(np.int64)
        on: np.ndarray = self.calendar.day(self.calendar.number(counts)) == counts
        both: np.ndarray = np.logical_and(found, on)
        return both

    def moved(self, dates: np.ndarray, times: int | np.ndarray) -> np.ndarray:
        """Datetime64 so many times it later: dates that are none of the rule go to the next one.

        Raises OutOfBoundsDatetime for dates that the unit cannot count.

        >>> px.offsets.MonthEnd().moved(np.array(["2024-02-28"], "M8[D]"), 2)
        array(['2024-03-31'], dtype='datetime64[D]')
        """
        dates = np.asarray(dates)
        missing = np.isnat(dates)
        there = np.where(missing, np.zeros(1, dates.dtype), dates)  # NaT is a count as well
        found = self._moved_dates(np.atleast_1d(there), np.asarray(self.n * times))
        if self.normalize:
            found = in_unit(in_unit(found, "D"), np.datetime_data(found.dtype)[0])
        return np.where(missing, np.array("NaT", found.dtype), found)

    def _moved_dates(self, dates: np.ndarray, steps: np.ndarray) -> np.ndarray:
        """Dates of which none is missing so many steps later."""
        assert self.calendar is not None
        days = in_unit(dates, "D")
        counts = days.view(np.int64)
        numbers = self.calendar.number(counts)
        # From between two days, the first step forward ends at the later one, and the first step
        # back at the earlier one; no step goes to the later one.
        between = self.calendar.day(numbers) != counts
        moved = self.calendar.day(numbers + steps + (between & (steps <= 0))).view("M8[D]")
        unit = np.datetime_data(dates.dtype)[0]
        found = later(in_unit(moved, unit), (dates - in_unit(days, unit)).view(np.int64))
        count = duration_count(self.offset)
        return span_later(found, count[0] * NANOSECONDS[count[1]]) if count and count[0] else found

    @property
    def steps_add_up(self) -> bool:
        """Several steps at once end where one after the other does."""
        return (self.calendar is not None or self.is_span) and not self.offset

    def sequence(self, start: np.datetime64, count: int) -> np.ndarray:
        """A date of the rule and those after it, so many in all, each a step from the last.

        >>> px.offsets.MonthEnd().sequence(np.datetime64("2024-01-31"), 3)
        array(['2024-01-31', '2024-02-29', '2024-03-31'], dtype='datetime64[D]')
        """
        if not self.steps_add_up:
            made = [np.array([start])][:count]
            while len(made) < count:
                made.append(self.moved(made[-1], 1))
            return np.concatenate(made) if made else np.array([start])[:0]
        return self.moved(np.repeat(start, count), np.arange(count))

    def rolled(self, date: np.datetime64, *, forward: bool) -> np.datetime64:
        """A date if it is one of the rule, else the next or the one before.

        >>> str(px.offsets.MonthEnd().rolled(np.datetime64("2024-02-28"), forward=False))
        '2024-01-31'
        """
        one = np.array([date])
        if bool(self.is_on(one)[0]):
            return date
        found: np.datetime64 = self.base.moved(one, 1 if forward else -1)[0]
        return found

    # Single dates.

    def _applied(self, date: Timestamp) -> Any:
        """A date moved by it."""
        wall = np.array([date._wall()], np.int64).view(f"M8[{date.unit}]")
        moved = self.moved(wall, 1)
        return of_wall(int(moved.view(np.int64)[0]), np.datetime_data(moved.dtype)[0], date.tzinfo)

    def is_on_offset(self, dt: datetime.datetime) -> bool:
        """Returns whether a date is one of the rule. Raises TypeError for what is no date.

        >>> px.offsets.MonthEnd().is_on_offset(px.Timestamp("2024-02-29"))
        True
        """
        if not isinstance(dt, datetime.datetime):
            raise TypeError(
                f"Argument 'dt' has incorrect type (expected datetime.datetime, got "
                f"{type(dt).__name__})"
            )
        date = Timestamp(dt)
        wall = np.array([date._wall()], np.int64).view(f"M8[{date.unit}]")
        return bool(self.is_on(wall)[0])

    def rollback(self, dt: Any) -> Any:
        """A date if it is one of the rule, else the one before.

        >>> px.offsets.MonthEnd().rollback(px.Timestamp("2024-02-28"))
        Timestamp('2024-01-31 00:00:00')
        """
        date = Timestamp(dt)
        if self.normalize:
            date = date.normalize()
        return date if date is NaT or self.is_on_offset(date) else date - self.base

    def rollforward(self, dt: Any) -> Any:
        """A date if it is one of the rule, else the next.

        >>> px.offsets.MonthEnd().rollforward(px.Timestamp("2024-02-28"))
        Timestamp('2024-02-29 00:00:00')
        """
        date = Timestamp(dt)
        return date if date is NaT or self.is_on_offset(date) else date + self.base

    # Operators.

    def __add__(self, other: Any) -> Any:
        if other is NaT:
            return NaT
        if isinstance(other, (datetime.date, np.datetime64)):
            date = Timestamp(other)
            return date if date is NaT else self._applied(date)
        if isinstance(other, np.ndarray) and other.dtype == object:
            return _each(lambda each: self + each, other)
        return NotImplemented

    __radd__ = __add__

    def __sub__(self, other: Any) -> Any:
        if isinstance(other, (datetime.date, np.datetime64)):
            raise TypeError("Cannot subtract datetime from offset.")
        if type(other) is type(self):
            return self._times(self.n - other.n)
        return NotImplemented

    def __rsub__(self, other: Any) -> Any:
        return (-self).__add__(other)

    def __neg__(self) -> Self:
        return self._times(-self.n)

    def __mul__(self, other: Any) -> Any:
        if isinstance(other, np.ndarray):
            return _each(lambda each: self * each, other)
        if isinstance(other, (int, np.integer)):
            return self._times(self.n * int(other))
        return NotImplemented

    __rmul__ = __mul__


def later(dates: np.ndarray, spans: np.ndarray) -> np.ndarray:
    """Dates and counts of their unit together. Raises OutOfBoundsDatetime beyond int64."""
    counts = dates.view(np.int64)
    found: np.ndarray = counts + spans
    if ((found < counts) != (spans < 0)).any():
        raise OutOfBoundsDatetime(f"dates moved by an offset are out of range of {dates.dtype}")
    moved: np.ndarray = found.view(dates.dtype)
    return moved


def finer(dates: np.ndarray, nanoseconds: int) -> np.ndarray:
    """Dates in a unit that counts a span of time exactly, their own where that does."""
    own = np.datetime_data(dates.dtype)[0]
    for unit in ("s", "ms", "us", "ns"):
        if NANOSECONDS[unit] <= NANOSECONDS[own] and nanoseconds % NANOSECONDS[unit] == 0:
            return dates if unit == own else in_unit(dates, unit)
    return dates


def span_later(dates: np.ndarray, nanoseconds: int) -> np.ndarray:
    """Dates a span of time later. Raises OutOfBoundsDatetime beyond int64."""
    dates = finer(dates, nanoseconds)
    span = nanoseconds // NANOSECONDS[np.datetime_data(dates.dtype)[0]]
    return later(dates, np.asarray(span))


def _each(function: Any, values: np.ndarray) -> np.ndarray:
    made = np.empty(values.shape, object)
    for place, each in np.ndenumerate(values):
        made[place] = function(each)
    return made


def _whole(n: Any) -> int:
    if isinstance(n, (np.timedelta64, datetime.timedelta, str)):
        raise TypeError(f"`n` argument must be an integer, got {type(n)}")
    try:
        found = int(n)
    except (TypeError, ValueError):
        raise TypeError(f"`n` argument must be an integer, got {type(n)}") from None
    if found != n:
        raise ValueError(f"`n` argument must be an integer, got {n}")
    return found


def _restored(kind: type[BaseOffset], n: int, normalize: bool, rule: dict[str, Any]) -> Any:
    return kind(n, normalize, **rule)
