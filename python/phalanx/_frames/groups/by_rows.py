"""The row of each group that has what is asked for: the first, the least, the greatest."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx import _engine

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from .grouping import Grouping, ordered_key


def rows_of_first(grouping: Grouping, column: Column, name: str, *, skipna: bool) -> np.ndarray:
    """The first or the last row of each group, -1 of none; missing ones are skipped if asked."""
    there = None
    if skipna:
        there = np.ascontiguousarray(np.asarray(~column.isna()))
    return engine_rows(grouping, np.zeros(len(column), np.int8), there, f"{name}_row")


def engine_rows(grouping: Grouping, values: np.ndarray, mask: Any, kind: str) -> np.ndarray:
    """A row of each group as the engine's aggregation of a kind finds it."""
    ((found, valid),) = _engine.frames.aggregate(
        grouping.raw, grouping.count, [(values, mask, kind)]
    )
    rows = np.asarray(found)
    if valid is not None:
        rows = np.where(np.asarray(valid), rows, -1)
    return rows if grouping.order is None else rows[grouping.order]


def rows_of_extreme(
    grouping: Grouping, column: Column, *, least: bool, skipna: bool = True
) -> np.ndarray:
    """The first row of the least, or greatest, of each group; -1 where there is none.

    Without `skipna` groups with a missing row have none.
    """
    gone = np.asarray(column.isna())
    if isinstance(column, (NumberColumn, CategoryColumn)):
        values: Any = column.values if isinstance(column, NumberColumn) else column.codes
        rows = engine_rows(
            grouping,
            np.ascontiguousarray(np.asarray(values)),
            np.ascontiguousarray(~gone),
            "idxmin" if least else "idxmax",
        )
    else:
        rows = _by_order(grouping, column, gone, least=least)
    if not skipna and gone.any():
        codes = grouping.codes[gone]
        rows[codes[codes >= 0]] = -1
    return rows


def _by_order(grouping: Grouping, column: Column, gone: np.ndarray, *, least: bool) -> np.ndarray:
    codes = np.where(gone, -1, grouping.codes).astype(np.int64)
    keys = [("codes", codes, None), ordered_key(column)]
    order = np.asarray(_engine.frames.order_rows(keys, [False, not least]))
    sorted_codes = codes[order]
    first = np.ones(len(order), bool)
    first[1:] = sorted_codes[1:] != sorted_codes[:-1]
    first &= sorted_codes >= 0
    rows = np.full(grouping.count, -1, np.int64)
    rows[sorted_codes[first]] = order[first]
    return rows
