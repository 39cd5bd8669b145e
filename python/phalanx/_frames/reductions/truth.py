"""Truth of all rows in one value."""

from __future__ import annotations

from typing import Any

import phalanx as px

from ..missing import NA
from .rows import Rows, scalar_of


def any_true(rows: Rows) -> Any:
    """Returns whether one row at least is not zero."""
    return scalar_of(px.any(_truth(rows), **rows.where))


def all_true(rows: Rows) -> Any:
    """Returns whether no row is zero."""
    return scalar_of(px.all(_truth(rows), **rows.where))


def _truth(rows: Rows) -> Any:
    return rows.values if rows.values.dtype.kind == "b" else rows.values != 0


def with_unknown(name: str, rows: Rows) -> Any:
    """The same where missing rows may be either: NA unless the others decide."""
    found = any_true(rows) if name == "any" else all_true(rows)
    decided = bool(found) == (name == "any")
    return found if decided or rows.count() == len(rows) else NA
