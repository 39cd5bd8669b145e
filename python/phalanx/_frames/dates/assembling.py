"""Dates of frames whose columns are years, months, days and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..scalars.units import LONGER, NANOSECONDS
from .numeric import to_numeric

_NAMES = {
    "year": "year", "years": "year", "month": "month", "months": "month", "day": "day",
    "days": "day", "hour": "h", "hours": "h", "minute": "m", "minutes": "m", "second": "s",
    "seconds": "s", "ms": "ms", "millisecond": "ms", "milliseconds": "ms", "us": "us",
    "microsecond": "us", "microseconds": "us", "ns": "ns", "nanosecond": "ns", "nanoseconds": "ns",
}  # fmt: skip
_PARTS = LONGER | NANOSECONDS


def assembled(frame: Any, *, coerce: bool) -> Column:
    """A column of dates. Raises ValueError for columns that are missing or no part of a date, and
    for parts that make no date, which `coerce` makes NaT.
    """
    parts = _parts(frame)
    numbers = {
        name: np.asarray(to_numeric(values, errors="coerce" if coerce else "raise"), np.float64)
        for name, values in parts.items()
    }
    days, good = _days(numbers)
    missing = np.isnan(numbers["year"] + numbers["month"] + numbers["day"])
    bad = ~good & ~missing
    if bad.any() and not coerce:
        row = int(np.argmax(bad))
        text = "-".join(f"{int(numbers[name][row])}" for name in ("year", "month", "day"))
        raise ValueError(
            f'cannot assemble the datetimes: invalid or out-of-bounds date "{text}"; with '
            "errors='coerce' it is NaT"
        )
    return _with_clock(days, missing | bad, numbers)


def _parts(frame: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    extra = []
    for label in frame.columns:
        name = _NAMES.get(str(label).lower())
        if name is None:
            extra.append(str(label))
        else:
            found[name] = frame[label]
    lacking = [name for name in ("year", "month", "day") if name not in found]
    if lacking:
        raise ValueError(
            "to assemble mappings requires at least that [year, month, day] be specified: "
            f"[{','.join(sorted(lacking))}] is missing"
        )
    if extra:
        raise ValueError(
            f"extra keys have been passed to the datetime assemblage: [{', '.join(sorted(extra))}]"
        )
    return found


def _days(numbers: dict[str, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Days since 1970, and which rows are a day of the calendar."""
    year, month, day = (np.nan_to_num(numbers[name]) for name in ("year", "month", "day"))
    good = (year >= 1) & (year <= 9999) & (month >= 1) & (month <= 12)
    months = np.where(good, (year - 1970) * 12 + month - 1, 0).astype(np.int64).view("M8[M]")
    first = months.astype("M8[D]")
    length = ((months + 1).astype("M8[D]") - first).astype(np.int64)
    good &= (day >= 1) & (day <= length)
    good &= (np.trunc(year) == year) & (np.trunc(month) == month) & (np.trunc(day) == day)
    return first.astype(np.int64) + day.astype(np.int64) - 1, np.asarray(good)


def _with_clock(days: np.ndarray, gone: np.ndarray, numbers: dict[str, np.ndarray]) -> Column:
    clock = {name: each for name, each in numbers.items() if name in _PARTS}
    gone = gone | np.isnan(sum(clock.values(), np.zeros(len(days))))
    whole = all((np.trunc(each) == each)[~gone].all() for each in clock.values())
    unit = "us" if whole and "ns" not in clock else "ns"
    counts = days * (LONGER["D"] // NANOSECONDS[unit])
    for name, each in clock.items():
        step = _PARTS[name] // NANOSECONDS[unit]
        counts = counts + np.round(np.where(gone, 0, each) * step).astype(np.int64)
    made = np.where(gone, np.datetime64("NaT", unit), counts.view(f"M8[{unit}]"))  # type: ignore[call-overload]
    return NumberColumn(px.asarray(made))
