"""The row of each group that has what is asked for: the first, the least, the greatest."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import engine
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from .grouping import Grouping, ordered_key


def rows_of_first(grouping: Grouping, column: Column, name: str, *, skipna: bool) -> Any:
    """The first or the last row of each group, -1 of none; missing ones are skipped if asked."""
    there = None
    if skipna:
        there = engine.placed(~column.isna())
    return engine_rows(grouping, grouping.any_values, there, f"{name}_row")


def engine_rows(grouping: Grouping, values: Any, mask: Any, kind: str) -> Any:
    """A row of each group as the engine's aggregation of a kind finds it."""
    ((found, valid),) = grouping.aggregate([(values, mask, kind)])
    rows = found if valid is None else np.where(valid, found, -1)
    return rows if grouping.order is None else rows[grouping.order]


def rows_of_extreme(grouping: Grouping, column: Column, *, least: bool, skipna: bool = True) -> Any:
    """The first row of the least, or greatest, of each group; -1 where there is none.

    Without `skipna` groups with a missing row have none.
    """
    gone = engine.placed(column.isna())
    if isinstance(column, (NumberColumn, CategoryColumn)):
        values: Any = column.values if isinstance(column, NumberColumn) else column.codes
        kind = "idxmin" if least else "idxmax"
        rows = engine_rows(grouping, engine.placed(values), ~gone, kind)
    else:
        rows = _by_order(grouping, column, gone, least=least)
    if not skipna and gone.any():
        codes = grouping.placed_codes[gone]
        rows[codes[codes >= 0]] = -1
    return rows


def _by_order(grouping: Grouping, column: Column, gone: Any, *, least: bool) -> Any:
    codes = np.where(gone, -1, grouping.placed_codes).astype(np.int64)
    keys = [("codes", codes, None), ordered_key(column)]
    order = engine.order_rows(keys, [False, not least])
    sorted_codes = codes[order]
    first = np.ones_like(order, dtype=bool)
    first[1:] = sorted_codes[1:] != sorted_codes[:-1]
    first &= sorted_codes >= 0
    rows = np.full_like(order, -1, shape=grouping.count)
    rows[sorted_codes[first]] = order[first]
    return rows
