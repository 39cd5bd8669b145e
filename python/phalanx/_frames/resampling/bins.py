"""Bins of time: their edges, their labels and the rows in each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import engine
from ..columns.numbers import NumberColumn
from ..dtypes import PeriodDtype
from ..indexes.date_ranges import date_range
from ..indexes.durations import duration_of
from ..indexes.labels import Labels
from ..indexes.times import Times
from ..offsets.frequencies import NANOSECONDS, Frequency, frequency_of
from ..scalars import zones
from ..scalars.moments import moment, said

ORIGINS = ("epoch", "start", "start_day", "end", "end_day")
# Rules of which a bin ends with the last moment of a day, and is called by that day.
_ENDS = ("ME", "W", "QE", "YE", "BME", "BQE", "BYE")
_DAY = NANOSECONDS["D"]


class Rule(NamedTuple):
    """What says how bins are cut."""

    freq: Frequency
    closed: str
    label: str
    origin: Any
    offset: np.timedelta64 | None


class Bins(NamedTuple):
    """Bins of sorted times.

    `ends` has for each bin the number of rows that are in it or before it; `edges` are the labels
    of all its bounds, one more than there are bins.
    """

    labels: Any
    ends: np.ndarray
    edges: Any

    def sizes(self) -> np.ndarray:
        """The number of rows of each bin."""
        return np.diff(self.ends, prepend=0)


def rule_of(
    freq: Any, closed: Any = None, label: Any = None, origin: Any = "start_day", offset: Any = None
) -> Rule:
    """A rule out of pandas' keywords. Raises ValueError for what none of them may be."""
    for name, given in (("label", label), ("closed", closed)):
        if given not in (None, "left", "right"):
            raise ValueError(f"Unsupported value {given} for `{name}`")
    found = frequency_of(freq)
    if found is None:
        raise TypeError("a frequency is needed, a text such as '2h' or 'ME'")
    if not found.prefix:
        raise NotImplementedError(f"bins of {found!r} are not supported; pass one such as 'ME'")
    if found.n == 0:
        raise ValueError(f"bins of {found!r} are of no length: pass another frequency")
    is_late = found.prefix in _ENDS or origin in ("end", "end_day")
    side = "right" if is_late else "left"
    if not (isinstance(origin, str) and origin in ORIGINS):
        origin = _moment_of(origin)
    length = None
    if offset is not None:
        try:
            length = duration_of(offset)
        except (ValueError, TypeError) as error:
            raise ValueError(
                f"'offset' should be a Timedelta convertible type. Got '{offset}' instead."
            ) from error
    return Rule(found, closed or side, label or side, origin, length)


def _moment_of(origin: Any) -> Any:
    """A moment, and whether it is of UTC."""
    try:
        if not isinstance(origin, str):
            return moment(origin)
        found = said(origin)
        shift = 0 if found.offset is None else np.timedelta64(found.offset)
        return found.value - shift, found.offset is not None
    except (ValueError, TypeError, KeyError) as error:
        raise ValueError(
            "'origin' should be equal to 'epoch', 'start', 'start_day', 'end', 'end_day' or "
            f"should be a Timestamp convertible type. Got '{origin}' instead."
        ) from error


def bins_of(axis: Any, rule: Rule) -> Bins:
    """The bins of an index of times that is sorted and misses none.

    Raises TypeError for another index, NotImplementedError for periods, ValueError for durations
    with a rule of the calendar.
    """
    times: Any = axis
    if isinstance(axis.dtype, PeriodDtype):
        raise NotImplementedError(
            "resample of a PeriodIndex is not supported: take times, index.to_timestamp()"
        )
    if not isinstance(times, Times):
        raise TypeError(
            "Only valid with DatetimeIndex, TimedeltaIndex or PeriodIndex, but got an instance of "
            f"'{type(axis).__name__}'"
        )
    if len(axis) == 0:
        labels = axis._view()
        labels._freq = rule.freq
        return Bins(labels, np.zeros(0, np.int64), labels)
    if axis.dtype.kind == "m":
        return _of_durations(axis, rule)
    is_even = rule.freq.is_span and not (rule.freq.by_clock and axis.tz is not None)
    ends = _ends(axis)
    edges = _even_edges(ends, rule) if is_even else _calendar_edges(ends, rule)
    bounds = edges
    if rule.freq.prefix in _ENDS:
        bounds = _ends_of_days(edges, rule.closed)
        if len(bounds) > 1 and bounds.asi8[-2] > ends.asi8[-1]:
            bounds, edges = bounds._slice(slice(0, -1)), edges._slice(slice(0, -1))
    return _cut(axis, edges, bounds.asi8, rule)


def _ends(axis: Any) -> Any:
    """The first and the last label: edges come from these, wherever all others are."""
    return axis._take(np.array([0, len(axis) - 1]))


def _rows_before(axis: Any, edges: np.ndarray, closed: str) -> np.ndarray:
    times = engine.placed(axis._column.values).view(np.int64)
    return engine.rows_before(times, np.ascontiguousarray(edges), closed == "right")


def _cut(axis: Any, edges: Any, bounds: np.ndarray, rule: Rule) -> Bins:
    if _ends(axis).asi8[0] < bounds[0]:
        raise ValueError("Values falls before first bin")
    ends = _rows_before(axis, bounds[1:], rule.closed)
    if ends[-1] < len(axis):
        raise ValueError("Values falls after last bin")
    part = slice(1, None) if rule.label == "right" else slice(0, -1)
    return Bins(edges._slice(part), ends, edges)


# Edges.


def _span(freq: Frequency, unit: str) -> int:
    span, rest = divmod(freq.nanos, NANOSECONDS[unit])
    if rest:
        raise ValueError(
            f"bins of {freq.freqstr} are finer than the index, which is in {unit}: call as_unit"
        )
    return span


def _even_edges(axis: Any, rule: Rule) -> Any:
    """Edges that are a span of time apart from an origin on."""
    span = _span(rule.freq, axis.unit)
    first, last = int(axis.asi8[0]), int(axis.asi8[-1])
    origin = _origin(axis, rule, span)
    if rule.origin in ("end", "end_day"):
        first = origin
    if rule.offset is not None:
        origin += int(rule.offset.astype(f"m8[{axis.unit}]").astype(np.int64))
    before, after = (first - origin) % span, (last - origin) % span
    if rule.closed == "right":
        start = first - (before or span)
        end = last + (span - after if after else 0)
    else:
        start, end = first - before, last + span - after
    values = np.arange(start, end + 1, span, dtype=np.int64)
    return _edges(axis, values.view(axis._moments.dtype), rule.freq)


def _origin(axis: Any, rule: Rule, span: int) -> int:
    """The moment that edges are counted from, in the index's unit in UTC."""
    origin, times = rule.origin, axis.asi8
    if origin == "epoch":
        return int(_utc(axis, np.zeros(1, "M8[s]")))
    if origin == "start":
        return int(times[0])
    if origin == "start_day":
        return int(_utc(axis, axis._wall()[:1].astype("M8[D]")))
    if origin in ("end", "end_day"):
        last = int(times[-1])
        if origin == "end_day":
            wall = axis._wall()[-1:]
            day = wall.astype("M8[D]")
            last = int(_utc(axis, day + (day != wall)))
        steps = (last - int(times[0])) // span + (rule.closed == "left")
        return last - steps * span
    value, is_zoned = origin
    if is_zoned != (axis.tz is not None):
        raise ValueError("The origin must have the same timezone as the index.")
    return int(value.astype(axis._moments.dtype).astype(np.int64))


def _utc(axis: Any, wall: np.ndarray) -> Any:
    """The count of the index's unit at a time of its clocks."""
    values = wall.astype(axis._moments.dtype)
    if axis.tz is not None:
        values = zones.to_utc(values, axis.tz, True, "shift_forward")
    return values.view(np.int64)[0]


def _calendar_edges(axis: Any, rule: Rule) -> Any:
    """Edges that are days of the calendar: around the days of the first and the last time."""
    days = axis._wall()[[0, -1]].astype("M8[D]").astype(axis._moments.dtype)
    if rule.closed == "left":
        first = rule.freq.rolled(days[0], forward=False)
    else:
        first = rule.freq.moved(days[:1], -1)[0]
    last = rule.freq.moved(days[1:], 1)[0]
    wall = date_range(first, last, freq=rule.freq, unit=axis.unit)._moments
    return _edges(axis, _moments(axis, wall), rule.freq)


def _moments(axis: Any, wall: np.ndarray) -> np.ndarray:
    if axis.tz is None:
        return wall
    return zones.to_utc(wall, axis.tz, True, "shift_forward")


def _edges(axis: Any, values: np.ndarray, freq: Frequency) -> Any:
    made = axis._of_moments(values)
    made._freq = freq
    return made


def _ends_of_days(edges: Any, closed: str) -> Any:
    """The last moments of the days, where what is on them belongs to the bin that they end."""
    if closed != "right":
        return edges
    dtype = edges._moments.dtype
    unit = np.datetime_data(dtype)[0]
    wall = edges._wall() + np.timedelta64(1, "D").astype(f"m8[{unit}]") - np.array(1, f"m8[{unit}]")
    return edges._of_moments(_moments(edges, wall.astype(dtype)))


def _of_durations(axis: Any, rule: Rule) -> Bins:
    if not rule.freq.is_span:
        raise ValueError(
            "Resampling on a TimedeltaIndex requires fixed-duration `freq`, e.g. '24h' or '3D', "
            f"not {rule.freq.freqstr}"
        )
    span = _span(rule.freq, axis.unit)
    start, end = map(int, _ends(axis).asi8)
    if rule.closed == "right":
        end += span
    values = np.arange(start, end + 1, span, dtype=np.int64)
    stops = values + span if rule.closed == "left" else values
    ends = _rows_before(axis, stops, rule.closed)
    labels = _edges(axis, values.view(axis._moments.dtype), rule.freq)
    edges = _edges(
        axis, np.append(values, values[-1] + span).view(labels._moments.dtype), rule.freq
    )
    if rule.offset is not None:
        moved = values + int(rule.offset.astype(f"m8[{axis.unit}]").astype(np.int64))
        labels = _edges(axis, moved.view(axis._moments.dtype), rule.freq)
    return Bins(labels, ends, edges)


def labels_of_rows(bins: Bins) -> NumberColumn:
    """The label of the bin of each row, of sorted rows."""
    places = np.repeat(np.arange(len(bins.ends)), bins.sizes())
    column: Any = Labels._of(bins.labels._column)._column.take(px.asarray(places))
    return column  # type: ignore[no-any-return]
