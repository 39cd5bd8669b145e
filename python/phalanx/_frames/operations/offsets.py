"""Dates moved by offsets of the calendar."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import DatetimeTZDtype, unit_of
from ..offsets.base import BaseOffset
from ..offsets.spans import Span
from ..scalars import zones
from . import times
from .operands import Operand, Scalar, family_of, refuse


def moved_by(name: str, left: Operand, right: Operand) -> Column:
    """Dates so many of a rule later or, subtracted, before; durations only by days."""
    swapped = isinstance(left, Scalar)
    column: Any = right if swapped else left
    offset: Any = left.value if isinstance(left, Scalar) else right.value  # type: ignore[union-attr]
    if name not in ("add", "sub") or (name == "sub" and swapped):
        refuse(name, left, right)
    if family_of(column) == "timedelta":
        return _with_days(name, column, offset, (left, right))
    values = np.asarray(column.values)
    moved = moved_dates(
        values, getattr(column.dtype, "tz", None), offset, -1 if name == "sub" else 1
    )
    dtype = column.dtype
    if isinstance(dtype, DatetimeTZDtype):
        return NumberColumn(
            px.asarray(moved), None, DatetimeTZDtype(unit_of(moved.dtype), dtype.tz)
        )
    return NumberColumn(px.asarray(moved))


def _with_days(name: str, column: Any, offset: Any, sides: Any) -> Column:
    if not isinstance(offset, Span):
        refuse(name, *sides)
    length = offset.duration().asm8
    return times.duration_arithmetic(name, column, Scalar("timedelta", length, length.dtype))


def moved_dates(values: np.ndarray, tz: Any, offset: BaseOffset, times_of_it: int) -> np.ndarray:
    """Dates, in UTC where there is a zone, so many times an offset later."""
    if tz is None or not offset.by_clock:
        return offset.moved(values, times_of_it)
    return zones.to_utc(offset.moved(zones.to_wall(values, tz), times_of_it), tz)
