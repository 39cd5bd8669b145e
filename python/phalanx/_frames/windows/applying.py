"""Functions of users for each window."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns import Column
from ..columns.numbers import NumberColumn
from ..functions.compiled import UserFunction
from ..functions.row_by_row import add_row
from ..functions.slices import Slices, of_windows
from .columns import floats


def applied(windows: Any, column: Column, given: tuple[Any, Any, Any], *, raw: bool) -> np.ndarray:
    """A function's result for each window of a column that has enough values."""
    func, args, keywords = given
    values = floats(column)
    values = np.where(np.isinf(values), np.nan, values)
    starts, ends = windows._edges(len(values))
    counts = np.concatenate([[0], np.cumsum(~np.isnan(values))])
    enough = counts[ends] - counts[starts] >= windows._min_periods()
    part = _arrays(values) if raw else _series(windows, values)
    places = np.flatnonzero(enough)
    function = UserFunction(func, args, keywords)

    def call(number: int) -> Any:
        row = int(places[number])
        try:
            return function(part(starts[row], ends[row]))
        except Exception as error:
            add_row(error, windows._index(len(starts)), row)
            raise

    results = np.full(len(starts), np.nan)
    slices = Slices(starts[enough], ends[enough], call)
    made: Any = of_windows(function, values, slices, raw=raw)
    if made is None:
        # An array of the standard library takes numbers only, where NumPy reads texts.
        made = array.array("d")
        for number in range(len(places)):
            made.append(call(number))
    results[enough] = made
    return results


def _arrays(values: np.ndarray) -> Callable[[int, int], Any]:
    return lambda start, end: values[start:end]


def _series(windows: Any, values: np.ndarray) -> Callable[[int, int], Any]:
    whole = above.Series._of(NumberColumn(px.asarray(values)), windows._rows_index())
    return lambda start, end: whole._at(slice(int(start), int(end)))
