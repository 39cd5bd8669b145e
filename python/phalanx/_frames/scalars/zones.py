"""Wall clocks of time zones, and UTC."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from phalanx.errors import OutOfBoundsDatetime

from .counts import in_unit
from .units import PER_SECOND

_DAY = 86400
_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
# Zones are asked for moments that Python's dates have, with a day before and after.
_FIRST, _LAST = -62135510400, 253402214400


def _offset_at(tz: Any, seconds: int) -> int:
    within = min(max(seconds, _FIRST), _LAST)
    moment = (_EPOCH + datetime.timedelta(seconds=within)).astimezone(tz)
    offset = moment.utcoffset()
    assert offset is not None
    return round(offset.total_seconds())


def _changes(tz: Any, first: int, last: int) -> tuple[np.ndarray, np.ndarray]:
    """When a zone's offset changes between two moments, and its offsets: one more of these.

    All are seconds of UTC. Python's zones say only what the offset is at a moment: moments a week
    apart are compared, and where they differ the change is searched between them.
    """
    fixed = tz is datetime.UTC or isinstance(tz, datetime.timezone)
    offsets, times = [_offset_at(tz, first)], []
    before = first
    while not fixed and before < last:
        after = before + 7 * _DAY
        there = _offset_at(tz, after)
        if there != offsets[-1]:
            low, high = before, after
            while high - low > 1:
                middle = (low + high) // 2
                if _offset_at(tz, middle) == offsets[-1]:
                    low = middle
                else:
                    high = middle
            times.append(high)
            offsets.append(there)
        before = after
    return np.array(times, np.int64), np.array(offsets, np.int64)


def _seconds(values: np.ndarray) -> np.ndarray:
    return in_unit(values, "s").view(np.int64)


def offsets_of(values: np.ndarray, tz: Any) -> np.ndarray:
    """The zone's offset from UTC in seconds at moments of UTC; 0 for NaT."""
    missing = np.isnat(values)
    seconds = np.where(missing, 0, _seconds(values))
    there = seconds[~missing]
    if not len(there):
        return np.zeros(len(values), np.int64)
    times, offsets = _changes(tz, int(there.min()), int(there.max()))
    return np.where(missing, 0, offsets[np.searchsorted(times, seconds, "right")])


def to_wall(values: np.ndarray, tz: Any) -> np.ndarray:
    """What the clocks of a zone show at moments of UTC."""
    return _later(values, offsets_of(values, tz))


def _later(values: np.ndarray, seconds: Any) -> np.ndarray:
    """So many seconds later; beyond what the unit counts integers wrap, which NumPy 2.5's times
    do not, and `_check_range` tells. NaT stays."""
    counts = values.view(np.int64) + np.asarray(seconds) * PER_SECOND[_unit(values)]
    return np.where(np.isnat(values), values, counts.view(values.dtype))


def to_utc(
    values: np.ndarray, tz: Any, ambiguous: Any = "raise", nonexistent: Any = "raise"
) -> np.ndarray:
    """The moments at which the clocks of a zone show times.

    A time that is shown twice is what ``ambiguous`` says ('raise', 'NaT', 'infer' from the order of
    times, or a bool that is True for summer time), one that is never shown what ``nonexistent``
    says ('raise', 'NaT', 'shift_forward', 'shift_backward', or a duration that is added). Raises
    ValueError for such a time, and for another rule.
    """
    check_rules(ambiguous, nonexistent)
    early = _later(values, -offsets_of(_later(values, -_DAY), tz))
    late = _later(values, -offsets_of(_later(values, _DAY), tz))
    missing = np.isnat(values)
    _check_range(values, late, missing)
    early_fits = (to_wall(early, tz) == values) | missing
    late_fits = (to_wall(late, tz) == values) | missing
    found: np.ndarray = np.where(early_fits, early, late)
    twice = early_fits & late_fits & (early != late) & ~missing
    if twice.any():
        found = _chosen(values, twice, found, (early, late), ambiguous)
    never = ~early_fits & ~late_fits
    if never.any():
        found = _moved(values, never, found, (early, late), tz, nonexistent)
    return found


def _chosen(
    values: np.ndarray, twice: np.ndarray, found: np.ndarray, both: Any, ambiguous: Any
) -> np.ndarray:
    early, late = both
    if isinstance(ambiguous, str) and ambiguous == "NaT":
        return np.asarray(np.where(twice, np.datetime64("NaT"), found))
    if isinstance(ambiguous, str) and ambiguous == "infer":
        ambiguous = _inferred_summer(values, twice)
    if isinstance(ambiguous, str):
        raise ValueError(
            f"Cannot infer dst time from {values[twice][0]}, try using the 'ambiguous' argument"
        )
    summer = np.broadcast_to(np.asarray(ambiguous, bool), values.shape)
    return np.asarray(np.where(twice, np.where(summer, early, late), found))


def _check_range(values: np.ndarray, moments: np.ndarray, missing: np.ndarray) -> None:
    """Raise OutOfBoundsDatetime where a moment is beyond what the unit counts."""
    # What passes int64 comes back at its other end, nearly all of its range away.
    shift = moments.view(np.int64)[~missing] / 2 - values.view(np.int64)[~missing] / 2
    far = np.abs(shift) > _DAY * PER_SECOND[_unit(values)]
    if far.any():
        raise OutOfBoundsDatetime(
            f"Converting {values[~missing][far][0]} to UTC is beyond what its unit counts"
        )


def _unit(values: np.ndarray) -> str:
    return np.datetime_data(values.dtype)[0]


def check_rules(ambiguous: Any, nonexistent: Any) -> None:
    """Raise ValueError for rules of `tz_localize` that are none."""
    known = ("raise", "NaT", "shift_forward", "shift_backward")
    if nonexistent not in known and not isinstance(nonexistent, datetime.timedelta):
        raise ValueError(
            "The nonexistent argument must be one of 'raise', 'NaT', 'shift_forward', "
            "'shift_backward' or a timedelta object"
        )
    if isinstance(ambiguous, str) and ambiguous not in ("raise", "NaT", "infer"):
        raise ValueError(f"ambiguous={ambiguous!r}: 'raise', 'NaT', 'infer' or an array of bools")


def _inferred_summer(values: np.ndarray, twice: np.ndarray) -> np.ndarray:
    """Which times are of summer, where in each run of times shown twice the clock goes back once.

    Raises ValueError where it does not.
    """
    summer = np.zeros(len(values), bool)
    rows = np.flatnonzero(twice)
    for run in np.split(rows, np.flatnonzero(np.diff(rows) != 1) + 1):
        back = np.flatnonzero(np.diff(values[run]) < np.timedelta64(0))
        if len(run) == 1 or len(back) == 0:
            raise ValueError(
                f"Cannot infer dst time from {values[run][0]} as there are no repeated times"
            )
        if len(back) > 1:
            raise ValueError(f"There are {len(back)} dst switches when there should only be 1.")
        summer[run[: back[0] + 1]] = True
    return summer


def _moved(
    values: np.ndarray, never: np.ndarray, found: np.ndarray, both: Any, tz: Any, rule: Any
) -> np.ndarray:
    early, late = both
    if rule == "NaT":
        return np.where(never, np.datetime64("NaT"), found)
    if isinstance(rule, datetime.timedelta):
        shifted = values[never] + np.timedelta64(rule)
        there = found.copy()
        there[never] = to_utc(shifted, tz).astype(values.dtype)
        return there
    if rule == "raise":
        raise ValueError(
            f"{values[never][0]} does not exist in {tz}: pass nonexistent='shift_forward' or 'NaT'"
        )
    # The clocks skip from the change on: the first moment after it, or the last before.
    seconds = _seconds(np.minimum(early, late))[never]
    times, _ = _changes(tz, int(seconds.min()) - 2 * _DAY, int(seconds.max()) + 2 * _DAY)
    change = times[np.searchsorted(times, seconds, "right").clip(max=len(times) - 1)]
    moved = change.view("M8[s]").astype(values.dtype)
    if rule == "shift_backward":
        moved = (moved.view(np.int64) - 1).view(values.dtype)
    made = found.copy()
    made[never] = moved
    return made
