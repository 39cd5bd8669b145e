"""Periods out of their parts: year, quarter, month, day and time of the day."""

from __future__ import annotations

import datetime
import re
from typing import Any

import numpy as np

from .frequency import PeriodFrequency

_PARTS = ("year", "month", "quarter", "day", "hour", "minute", "second")


_QUARTER = re.compile(r"(\d{4})-?[Qq]([1-4])")


def quarter_number(text: str, length: PeriodFrequency) -> int | None:
    """The number of a quarter such as '2020Q1', of the year that a frequency's anchor ends.

    None for other texts and frequencies.
    """
    found = _QUARTER.fullmatch(text) if length.base == "Q" else None
    return None if found is None else (int(found[1]) - 1970) * 4 + int(found[2]) - 1


def number_of_parts(
    parts: dict[str, Any], length: PeriodFrequency | None
) -> tuple[int, PeriodFrequency]:
    """The number of the period that has a day and a time, and its frequency.

    Raises ValueError without a frequency or a year.
    """
    unknown = set(parts) - set(_PARTS)
    if unknown:
        raise TypeError(f"Period() got an unexpected keyword argument {sorted(unknown)[0]!r}")
    if length is None:
        raise ValueError("If value is None, freq cannot be None")
    if parts.get("year") is None:
        raise ValueError("If value is None, year cannot be None: pass value, ordinal or year")
    given = {name: int(each) for name, each in parts.items() if each is not None}
    quarter = given.pop("quarter", None)
    if quarter is not None and length.base == "Q":
        return (given["year"] - 1970) * 4 + quarter - 1, length
    if quarter is not None:
        given["month"] = quarter * 3 - 2
    parts = {"month": 1, "day": 1} | given
    moment = datetime.datetime(**parts)  # type: ignore[arg-type]
    return int(length.numbers_of(np.array([moment], "M8[us]"))[0]), length
