"""The least and the largest value, and where they are."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .rows import Rows, filled, is_time, scalar_of, time_of


def bound_of(dtype: np.dtype, name: str) -> Any:
    """The value that no other is beyond: the largest for "min", the least for "max"."""
    if dtype.kind == "b":
        return np.bool_(name == "min")
    if dtype.kind == "f":
        return dtype.type(np.inf if name == "min" else -np.inf)
    info = np.iinfo(dtype)
    return dtype.type(info.max if name == "min" else info.min)


def extreme(rows: Rows, name: str) -> Any:
    """The least ("min") or largest ("max") number, None of no rows."""
    function = px.min if name == "min" else px.max
    if len(rows) == 0:
        return None
    if rows.there is None or rows.values.dtype.kind == "c":
        present = rows.present()
        return scalar_of(function(present)) if len(present) else None
    bound = bound_of(rows.values.dtype, name)
    found = scalar_of(function(filled(rows, bound)))
    return None if found == bound and rows.count() == 0 else found


def least(rows: Rows) -> Any:
    """The least value, of dates a date."""
    return _dated(rows, extreme(rows, "min"))


def largest(rows: Rows) -> Any:
    """The largest value, of dates a date."""
    return _dated(rows, extreme(rows, "max"))


def _dated(rows: Rows, found: Any) -> Any:
    if found is None or not is_time(rows.dtype):
        return found
    return time_of(rows.dtype, int(found))


def position(rows: Rows, name: str) -> int:
    """The first row with the least ("min") or largest ("max") number; -1 of no rows."""
    function = px.argmin if name == "min" else px.argmax
    if len(rows) == 0:
        return -1
    if rows.there is None or rows.values.dtype.kind == "c":
        return int(function(rows.values))
    found = int(function(filled(rows, bound_of(rows.values.dtype, name))))
    if bool(rows.there[found]):
        return found
    # A missing row was first among values that are the bound themselves.
    return int(px.argmax(rows.there)) if rows.count() else -1
