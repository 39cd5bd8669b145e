"""Rows of NumPy's dates and durations as `Timestamp`, `Timedelta` and `NaT`."""

from __future__ import annotations

from itertools import repeat
from typing import Any

import numpy as np

from .nat import NaT
from .timedelta import of_count as duration_of_count
from .timestamp import of_count
from .units import NAT_VALUE


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
