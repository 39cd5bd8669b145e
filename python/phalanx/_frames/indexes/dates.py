"""Indexes of dates."""

from __future__ import annotations

import datetime
from collections.abc import Hashable
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import OutOfBoundsDatetime

from .. import above
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import UNITS, DatetimeTZDtype, pandas_dtype, unit_of, zone_name, zone_of
from ..missing import is_missing
from ..offsets.frequencies import NANOSECONDS, Frequency, frequency_of
from ..periods.columns import periods_of
from ..scalars import NaT, Timestamp, zones
from ..scalars.counts import in_unit
from ..scalars.moments import RESOLUTIONS, Said, moment, said
from . import fields
from .date_fields import DateFields
from .keys import Moment
from .labels import Labels
from .lookups import LabelError

_NAMES = {
    "D": "day", "h": "hour", "min": "minute", "s": "second", "ms": "millisecond",
    "us": "microsecond", "ns": "nanosecond",
}  # fmt: skip


class DatetimeIndex(DateFields):
    """Labels that are dates, with or without a time zone.

    ``data`` has Python's, NumPy's or pandas' dates, texts of ISO 8601, or numbers of nanoseconds
    since 1970. Dates without a zone are times of the clocks of ``tz``. A ``freq`` is checked;
    'infer' finds it.

    >>> px.DatetimeIndex(["2026-01-31", "2026-02-28"]).month
    Index([1, 2], dtype='int32')
    """

    def __new__(
        cls, data: Any = None, freq: Any = None, tz: Any = None, dtype: Any = None,
        name: Hashable = None, **options: Any,
    ) -> Any:  # fmt: skip
        wanted = None if dtype is None else pandas_dtype(dtype)
        if isinstance(wanted, DatetimeTZDtype):
            tz = wanted.tz
        if data is None:
            raise TypeError(
                f"{cls.__name__}() must be called with a collection of some kind, None was passed"
            )
        found = above.index_of(data, name=name, tuples=False)
        made = _dates(found)
        if tz is not None:
            own = getattr(data, "dtype", None)
            if isinstance(own, DatetimeTZDtype) and zone_name(own.tz) != zone_name(zone_of(tz)):
                raise TypeError(
                    f"data is already tz-aware {zone_name(own.tz)}, unable to set specified tz: "
                    f"{zone_name(zone_of(tz))}; use tz_convert"
                )
            zoned = made.tz is not None
            made = made.tz_convert(tz) if zoned else made.tz_localize(tz, **options)
        if wanted is not None:
            made = made.as_unit(unit_of(wanted))
        if freq is not None:
            return made._with_freq(freq)
        return made

    # Time zone.

    @property
    def tz(self) -> Any:
        """The time zone, or None."""
        return getattr(self._column.dtype, "tz", None)

    tzinfo = tz

    def _wall(self) -> np.ndarray:
        if self.tz is None:
            return self._moments
        if "wall" not in self._known:
            self._known["wall"] = zones.to_wall(self._moments, self.tz)
        wall: np.ndarray = self._known["wall"]
        return wall

    def _column_of(self, values: np.ndarray) -> Column:
        array = px.asarray(np.ascontiguousarray(values))
        if self.tz is None:
            return NumberColumn(array)
        dtype = DatetimeTZDtype(np.datetime_data(values.dtype)[0], self.tz)
        return NumberColumn(array, None, dtype)

    def _of_wall(self, values: np.ndarray, *rules: Any) -> Any:
        """An index like this one of what clocks show."""
        if self.tz is None:
            return self._of_moments(values)
        return self._of_moments(zones.to_utc(values, self.tz, *rules))

    def _clock(self, freq: Frequency) -> tuple[np.ndarray, Any]:
        """Hours and less pass evenly in UTC, days and months by the clock."""
        if not freq.by_clock:
            return self._moments, self._of_moments
        return self._wall(), self._of_wall

    def _of_rounded(self, values: np.ndarray, ambiguous: Any, nonexistent: Any) -> Any:
        return self._of_wall(values, ambiguous, nonexistent)

    def tz_localize(self, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise") -> Any:
        """The moments at which the clocks of a zone show the labels; without a zone what they show.

        Raises TypeError where there is a zone already, ValueError for times that the clocks show
        twice or never unless ``ambiguous`` and ``nonexistent`` say what they are.
        """
        if tz is None:
            made = self._with(NumberColumn(px.asarray(self._wall())))
        elif self.tz is not None:
            raise TypeError("Already tz-aware, use tz_convert to convert.")
        else:
            zone = zone_of(tz)
            values = zones.to_utc(self._moments, zone, ambiguous, nonexistent)
            made = self._with(
                NumberColumn(px.asarray(values), None, DatetimeTZDtype(self.unit, zone))
            )
        # Hours are no longer as far apart by the clocks of a zone that changes them.
        fixed = tz is None or self._clock_is_utc(made)
        kept = self._freq is not None and (fixed or self._freq.by_clock)
        made._freq = self._freq if kept and made._has_frequency(self._freq) else None
        return made

    @staticmethod
    def _clock_is_utc(made: Any) -> bool:
        return made.tz is not None and zone_name(made.tz) == "UTC"

    def tz_convert(self, tz: Any) -> Any:
        """The same moments in another zone; with None in UTC, without a zone.

        Raises TypeError where there is no zone.
        """
        if self.tz is None:
            raise TypeError("Cannot convert tz-naive timestamps, use tz_localize to localize")
        values = px.asarray(self._moments)
        dtype = None if tz is None else DatetimeTZDtype(self.unit, zone_of(tz))
        made = self._with(NumberColumn(values, None, dtype))
        # Days and longer are as the clocks of their own zone have them.
        made._freq = None if self._freq is None or self._freq.by_clock else self._freq
        return made

    def to_period(self, freq: Any = None) -> Any:
        """The periods of a frequency that the labels are in, by the clocks of their zone.

        Raises ValueError where none is given and the labels have none.
        """
        return self._with(periods_of(self, freq))

    def normalize(self) -> Any:
        """Midnight of each label's day."""
        try:
            made = self._of_wall(in_unit(in_unit(self._wall(), "D"), self.unit))
        except OutOfBoundsDatetime:
            raise ValueError("Cannot normalize Timestamp without integer overflow") from None
        if self._freq is not None and made._has_frequency(self._freq):
            made._freq = self._freq
        return made

    @property
    def is_normalized(self) -> bool:
        """Returns whether every label is midnight."""
        wall = self._wall()
        return bool((wall.astype("M8[D]") == wall)[~np.isnat(wall)].all())

    def to_pydatetime(self) -> np.ndarray:
        """The labels as Python's dates."""
        if self.tz is not None:
            moments = [None if each is NaT else each.to_pydatetime() for each in self]
            return self._objects_of(moments)
        return self._objects_of(self._python(self._moments))

    def snap(self, freq: Any = "s") -> Any:
        """The nearest date of a frequency for each label."""
        found = frequency_of(freq)
        assert found is not None
        values = [_snapped(each, found) for each in self._wall()]
        return self._of_wall(np.array(values, self._moments.dtype))

    # Times of the day.

    def indexer_at_time(self, time: Any, asof: bool = False) -> np.ndarray:
        """The rows of labels with a time of the day, of its time zone where it has one.

        Raises ValueError for a text that says none, and for a zone where the labels have none.
        """
        if asof:
            raise NotImplementedError("'asof' argument is not supported")
        zone = getattr(time, "tzinfo", None)
        if zone is not None and self.tz is None:
            raise ValueError("Index must be timezone aware.")
        wall = self._wall() if zone is None else self.tz_convert(zone)._wall()
        within = (wall - wall.astype("M8[D]")).astype("m8[us]").view(np.int64)
        return np.flatnonzero(within == _of_midnight(time))

    def indexer_between_time(
        self, start_time: Any, end_time: Any, include_start: bool = True, include_end: bool = True
    ) -> np.ndarray:
        """The rows of labels between two times of the day, over midnight if they are so."""
        wall = self._wall()
        within = (wall - wall.astype("M8[D]")).astype("m8[us]").view(np.int64)
        start, end = _of_midnight(start_time), _of_midnight(end_time)
        after = within >= start if include_start else within > start
        before = within <= end if include_end else within < end
        return np.flatnonzero(after & before if start <= end else after | before)

    # Labels.

    def _meeting(self, item: Any) -> tuple[Any, Any]:
        """A moment of another zone comes into this one."""
        zoned = isinstance(item, datetime.datetime) and item.tzinfo is not None
        if zoned and self.tz is not None:
            item = Timestamp(item).tz_convert(self.tz)
        return super()._meeting(item)

    def _value_of(self, label: Any) -> Any:
        if isinstance(label, Moment):
            return label.value
        if isinstance(label, str):
            try:
                return self._bound_of(said(label), "left")
            except ValueError as error:
                raise LabelError(label) from error
        try:
            value, zoned = moment(label)
        except TypeError as error:
            raise LabelError(label) from error
        if zoned != (self.tz is not None) and not is_missing(value):
            raise LabelError(label)
        return value

    def _bound_of(self, found: Said, side: str) -> np.datetime64:
        """The first or last moment in UTC of what a text says."""
        value = found.value if side == "left" else found.last()
        if found.offset is not None:
            if self.tz is None:
                raise ValueError("an offset from UTC for an index without a time zone")
            return value - np.timedelta64(found.offset)
        if self.tz is None:
            return value
        return zones.to_utc(np.array([value]), self.tz)[0]  # type: ignore[no-any-return]

    @property
    def resolution(self) -> str:
        """The coarsest unit that all labels are whole numbers of: 'day' to 'nanosecond'."""
        return _NAMES[self._resolution()]

    def _resolution(self) -> str:
        if "resolution" not in self._known:
            self._known["resolution"] = _finest(self._wall())
        found: str = self._known["resolution"]
        return found

    def get_loc(self, key: Any) -> Any:
        """The row of a date; for a text less precise than the labels, the rows of all dates in it.

        Raises KeyError without such a label.
        """
        if not isinstance(key, str):
            if isinstance(key, (datetime.timedelta, np.timedelta64)):
                raise TypeError(f"Cannot index {type(self).__name__} with {type(key).__name__}")
            if isinstance(key, datetime.date) and not isinstance(key, datetime.datetime):
                raise LabelError(key)
            return super().get_loc(key)
        try:
            found = said(key)
            bounds = self._bound_of(found, "left"), self._bound_of(found, "right")
        except ValueError as error:
            raise LabelError(key) from error
        if RESOLUTIONS.index(found.resolution) < RESOLUTIONS.index(self._resolution()):
            return self._rows_between(bounds, key)
        try:
            return super().get_loc(self._in_utc(bounds[0]))
        except LabelError as error:
            raise LabelError(key) from error

    def _rows_between(self, bounds: tuple[Any, Any], key: str) -> Any:
        values = self._moments
        first, last = bounds
        if not self._is_monotonic(decreasing=False):
            if not self._is_monotonic(decreasing=True):
                return np.flatnonzero((values >= first) & (values <= last))
            rows = self._slice(slice(None, None, -1))._rows_between(bounds, key)
            return slice(len(self) - rows.stop, len(self) - rows.start)
        if len(values) and ((last < values[0]) or (first > values[-1])):
            raise LabelError(key)
        return slice(
            int(np.searchsorted(values, first, "left")), int(np.searchsorted(values, last, "right"))
        )

    def _slice_label(self, label: Any, side: str) -> Any:
        if isinstance(label, str):
            try:
                return self._in_utc(self._bound_of(said(label), side))
            except ValueError:
                self._refuse_slice(label)
        if (
            self.tz is None
            and isinstance(label, datetime.date)
            and not isinstance(label, datetime.datetime)
        ):
            return np.datetime64(label, "s")
        return super()._slice_label(label, side)

    def _in_utc(self, value: np.datetime64) -> Any:
        """A moment in UTC as a label: one of NumPy alone has no time zone."""
        return value if self.tz is None else Moment(value)

    def slice_indexer(self, start: Any = None, end: Any = None, step: int | None = None) -> Any:
        """The slice of rows for a slice of dates; of labels that are not sorted the rows between.

        Raises KeyError where these lack one of the dates.
        """
        texts = all(each is None or isinstance(each, str) for each in (start, end))
        if self._is_monotonic(decreasing=False) or not texts:
            return super().slice_indexer(start, end, step)
        mask, there = np.ones(len(self), bool), True
        for label, side in ((start, "left"), (end, "right")):
            if label is not None:
                bound = self._bound_of(said(label), side)
                values = self._moments
                mask &= values >= bound if side == "left" else values <= bound
                there &= bool((values == bound).any())
        if not there:
            raise KeyError(
                "Value based partial slicing on non-monotonic DatetimeIndexes with non-existing "
                "keys is not allowed."
            )
        rows = np.flatnonzero(mask)[::step]
        return slice(None) if len(rows) == len(self) else rows

    # Text.

    def _texts(self, part: slice) -> list[str]:
        wall = self._wall()[part]
        if self.tz is not None:
            offsets = zones.offsets_of(self._moments[part], self.tz)
            return [
                f"'{fields.text(each)}{_offset_text(offset)}'" if each == each else "'NaT'"
                for each, offset in zip(wall, offsets.tolist(), strict=True)
            ]
        if self.is_normalized:
            return [f"'{each}'" for each in wall.astype("M8[D]")]
        return [f"'{fields.text(each)}'" if each == each else "'NaT'" for each in wall]


def _offset_text(seconds: int) -> str:
    sign, size = "-" if seconds < 0 else "+", abs(seconds)
    text = f"{sign}{size // 3600:02}:{size // 60 % 60:02}"
    return f"{text}:{size % 60:02}" if size % 60 else text


def _of_midnight(time: Any) -> int:
    """Microseconds since midnight of a time of the day, or of a text such as '9:30' or '9:30pm'."""
    if isinstance(time, str):
        time = _time_of(time)
    if not isinstance(time, datetime.time):
        raise TypeError(f"Cannot convert arg {time!r} to a time; pass one such as '9:30'")
    seconds = (time.hour * 60 + time.minute) * 60 + time.second
    return int(seconds * 10**6 + time.microsecond)


_CLOCKS = ("%H:%M", "%H%M", "%I:%M%p", "%I%M%p", "%H:%M:%S", "%H%M%S", "%I:%M:%S%p", "%I%M%S%p")


def _time_of(text: str) -> datetime.time:
    for each in _CLOCKS:
        try:
            return datetime.datetime.strptime(text, each).time()
        except ValueError:
            continue
    raise ValueError(f"Cannot convert arg {text!r} to a time; pass one such as '9:30'")


def _snapped(value: np.datetime64, freq: Any) -> np.datetime64:
    before, after = freq.rolled(value, forward=False), freq.rolled(value, forward=True)
    return before if value - before < after - value else after  # type: ignore[no-any-return]


def _finest(wall: np.ndarray) -> str:
    """The coarsest resolution that all dates are whole numbers of."""
    values = wall[~np.isnat(wall)]
    counts = values.view(np.int64)
    one = NANOSECONDS[np.datetime_data(wall.dtype)[0]]
    for name in ("D", "h", "min", "s", "ms", "us"):
        step = NANOSECONDS[name] // one
        if step <= 1 or not (counts % step).any():
            return name
    return "ns"


def _dates(found: Any) -> Any:
    """An index of dates of one of other labels."""
    if isinstance(found, DatetimeIndex):
        return found._view()
    kind = found.dtype.kind
    if kind in "iuf":
        values = np.asarray(found)
        missing = np.isnan(values)
        counts = np.where(missing, 0, values).astype(np.int64).view("M8[ns]")
        made = np.where(missing, np.datetime64("NaT"), counts)
        return Labels._of(NumberColumn(px.asarray(made)), found.name)
    if kind != "O":
        raise TypeError(f"dtype {found.dtype} cannot be converted to datetime64[ns]")
    return _of_objects(found._objects(), found.name)


def _of_objects(objects: np.ndarray, name: Hashable) -> Any:
    """Dates of texts and of Python's dates: in UTC where texts have offsets."""
    read: list[Any] = []
    offsets: set[Any] = set()
    for each in objects:
        if isinstance(each, str):
            if each in ("NaT", "", "nan", "None"):
                read.append(np.datetime64("NaT", "us"))
                continue
            found = said(each)
            offsets.add(found.offset)
            value = found.value
            read.append(value if found.offset is None else value - np.timedelta64(found.offset))
        else:
            value, has_zone = moment(each)
            offsets.add(each.utcoffset() if has_zone else None)
            read.append(value)
    units = {np.datetime_data(each.dtype)[0] for each in read if not is_missing(each)}
    unit = max(units & set(UNITS), key=UNITS.index, default="s")
    values = px.asarray(np.array([each.astype(f"M8[{unit}]") for each in read], f"M8[{unit}]"))
    dtype = None
    if offsets - {None}:
        if len(offsets) > 1:
            raise ValueError("dates with several offsets from UTC: pass them all in UTC")
        dtype = DatetimeTZDtype(unit, datetime.timezone(offsets.pop()))
    return Labels._of(NumberColumn(values, None, dtype), name)
