"""Columns as windows take them: float64, in which what is missing is NaN."""

from __future__ import annotations

import numpy as np

import phalanx as px
from phalanx.errors import DataError

from .. import engine
from ..columns import Column
from ..columns.numbers import NumberColumn


def floats(column: Column) -> np.ndarray:
    """The rows as float64. Raises DataError for what is no number."""
    try:
        return np.ascontiguousarray(_floats(column))
    except (TypeError, ValueError) as error:
        raise DataError(f"Cannot aggregate non-numeric type: {column.dtype}") from error


def _floats(column: Column) -> np.ndarray:
    if column.dtype.kind in "mMc":
        raise TypeError("dates, durations and complex numbers are no floats")
    if not isinstance(column, NumberColumn):
        return column.to_numpy().astype(np.float64)
    values = np.asarray(column.values)
    made = values if values.dtype == np.float64 else values.astype(np.float64)
    if column.valid is None:
        return made
    return np.where(np.asarray(column.valid), made, np.nan)


def placed_floats(column: Column) -> engine.Array:
    """The same where the column is: in a GPU's memory, if it has numbers there."""
    if (
        not isinstance(column, NumberColumn)
        or column.values.dtype.kind not in "biuf"
        or not engine.is_on_gpu(column.values)
    ):
        return floats(column)
    made = column.values.astype(np.float64)
    return made if column.valid is None else px.where(column.valid, made, np.nan)


def presence(column: Column) -> engine.Array:
    """1 for rows that are there and 0 for those that are missing, of any dtype."""
    return engine.placed(~column.isna()).astype(np.float64)


def is_number(column: Column) -> bool:
    """True for columns of numbers and bools, nullable ones too."""
    return isinstance(column, NumberColumn) and column.values.dtype.kind in "biufc"
