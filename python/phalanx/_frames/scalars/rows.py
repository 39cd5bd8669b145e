"""Rows of NumPy's dates and durations as `Timestamp`, `Timedelta` and `NaT`."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from .errors import OutOfBoundsDatetime, OutOfBoundsTimedelta
from .nat import NaT
from .timedelta import of_count as duration_of_count
from .timestamp import of_count
from .units import DAY, NANOSECONDS, NAT_VALUE


def scalar_of(value: Any, tz: Any = None) -> Any:
    """One date, in UTC where there is a zone, or one duration of NumPy's.

    A date or a duration that is not of NumPy's comes back as it is.
    """
    if not isinstance(value, (np.datetime64, np.timedelta64)):
        return value
    unit = np.datetime_data(value.dtype)[0]
    count = int(value.view(np.int64))
    if count == NAT_VALUE:
        return NaT
    if unit not in ("s", "ms", "us", "ns"):
        return scalar_of(value.astype(f"{value.dtype.kind}8[s]"), tz)
    return duration_of_count(count, unit) if value.dtype.kind == "m" else of_count(count, unit, tz)


def scalars_of(values: np.ndarray, tz: Any = None) -> list[Any]:
    """All rows of an array of dates, in UTC where there is a zone, or of durations."""
    unit = np.datetime_data(values.dtype)[0]
    counts = values.view(np.int64).tolist()
    if values.dtype.kind == "m":
        return list(map(duration_of_count, counts, repeat(unit)))
    return list(map(of_count, counts, repeat(unit), repeat(tz)))


def in_unit(values: np.ndarray, unit: str) -> np.ndarray:
    """Dates or durations counted in another unit ('D' too), towards the past in a coarser one.

    NumPy's casts do the same, but overflow for the first counts of int64. Raises
    OutOfBoundsDatetime, OutOfBoundsTimedelta where int64 is too small for a finer unit.
    """
    own = np.datetime_data(values.dtype)[0]
    counts = values.view(np.int64)
    missing = counts == NAT_VALUE
    have, step = (DAY if each == "D" else NANOSECONDS[each] for each in (own, unit))
    if step >= have:
        made = np.where(missing, NAT_VALUE, counts // (step // have))
    else:
        factor = have // step
        most = (2**63 - 1) // factor
        if (((counts > most) | (counts < -most)) & ~missing).any():
            kind = OutOfBoundsDatetime if values.dtype.kind == "M" else OutOfBoundsTimedelta
            raise kind(f"Cannot convert {own} to {unit} without overflow: some are out of range")
        made = np.where(missing, NAT_VALUE, counts * factor)
    return made.view(f"{values.dtype.kind}8[{unit}]")
