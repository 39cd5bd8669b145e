"""Dates as indexes show them."""

from __future__ import annotations

import numpy as np


def _nanoseconds(dates: np.ndarray) -> np.ndarray:
    """Nanoseconds of the day."""
    return np.asarray((dates - dates.astype("M8[D]")).astype("m8[ns]")).view(np.int64)


def text(date: np.datetime64) -> str:
    """A date as pandas prints one: with as many digits of a second as it needs."""
    count = int(_nanoseconds(np.array([date]))[0])
    written = str(date.astype("M8[s]")).replace("T", " ")
    fraction = count % 10**9
    if fraction == 0:
        return written
    return f"{written}.{fraction:09}" if fraction % 1000 else f"{written}.{fraction // 1000:06}"
