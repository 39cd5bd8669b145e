"""Columns with other values in some rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .column import Column
from .numbers import NumberColumn


def scattered(column: Column, where: Any, values: Column) -> Column:
    """The column with values of its dtype in some rows; of a row that is named twice, the last.

    `where` is a position, a slice or an array of positions; `values` has one row, or one for each.
    """
    if isinstance(column, NumberColumn) and isinstance(values, NumberColumn):
        return _scattered_numbers(column, where, values)
    places = np.arange(len(column))
    some = len(column) + (np.arange(len(values)) if len(values) > 1 else 0)
    places[where if isinstance(where, (int, slice)) else np.asarray(where)] = some
    return column.joined([values]).take(px.asarray(places))


def _scattered_numbers(column: NumberColumn, where: Any, values: NumberColumn) -> Column:
    if not isinstance(where, (int, slice)):
        where = px.asarray(where)
    one = len(values) == 1
    made = column.values.copy()
    made[where] = values.values[0] if one else values.values
    valid = column.valid
    if column.valid is not None or values.valid is not None:
        valid = column.present().copy()
        valid[where] = values.present()[0] if one else values.present()
    return NumberColumn(made, valid, column.dtype)
