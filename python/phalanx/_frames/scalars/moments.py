"""Texts and Python's dates as labels of dates: what is said, and how precisely."""

from __future__ import annotations

import datetime
from typing import Any, NamedTuple

import numpy as np

from ..missing import is_missing
from .date_texts import RESOLUTIONS as RESOLUTIONS
from .date_texts import read_date

_SPANS = {"Y": "M8[Y]", "M": "M8[M]", "D": "M8[D]", "h": "M8[h]", "min": "M8[m]", "s": "M8[s]"}


class Said(NamedTuple):
    """The first moment of the span of time that a text says, and the resolution of it."""

    value: np.datetime64
    resolution: str
    offset: datetime.timedelta | None

    def last(self) -> np.datetime64:
        """The last nanosecond of the span."""
        if self.resolution == "Q":
            after = self.value.astype("M8[M]") + 3
        elif self.resolution in _SPANS:
            after = self.value.astype(_SPANS[self.resolution]) + 1
        else:
            after = self.value.astype(f"M8[{self.resolution}]") + 1
        return after.astype("M8[ns]") - np.timedelta64(1, "ns")  # type: ignore[no-any-return]


def said(text: str) -> Said:
    """What a text says, as '2020', '2020-03', '2020Q1', '2020-03-05 12:30' or 'May 5, 2020'.

    Raises ValueError if it is no date.
    """
    found = read_date(text)
    value = np.datetime64(found.count(found.unit), found.unit)  # type: ignore[call-overload]
    offset = None if found.offset is None else datetime.timedelta(seconds=found.offset)
    return Said(value, found.resolution, offset)


def moment(label: Any) -> tuple[np.datetime64, bool]:
    """A date of Python, NumPy or pandas, and whether it is UTC of one with a time zone.

    Raises TypeError for what is no date.
    """
    if isinstance(label, np.datetime64):
        return label, False
    if is_missing(label):
        return np.datetime64("NaT", "ns"), False
    if not isinstance(label, datetime.date):
        raise TypeError(f"{label!r} is no date")
    own = getattr(label, "asm8", None)
    if own is not None:
        return own, label.tzinfo is not None  # type: ignore[attr-defined]
    if not isinstance(label, datetime.datetime):
        return np.datetime64(label, "s"), False
    unit = getattr(label, "unit", "us")
    zoned = label.tzinfo is not None
    extra = np.timedelta64(getattr(label, "nanosecond", 0), "ns")
    plain = label.astimezone(datetime.UTC).replace(tzinfo=None) if zoned else label
    fields = datetime.datetime(*plain.timetuple()[:6], plain.microsecond)
    return (np.datetime64(fields, "us") + extra).astype(f"M8[{unit}]"), zoned
