"""Functions of users for each window."""

from __future__ import annotations

import array
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.numbers import NumberColumn
from ..shared import classes
from .columns import floats

# What may compute all windows of an array at once: called with the function, its arguments, the
# values and the windows' starts and ends, it gives a float64 array, or None for a function that it
# does not compile. Windows with too few values are left out of its result afterwards.
Compiled = Callable[[Any, tuple[Any, ...], np.ndarray, np.ndarray, np.ndarray], np.ndarray | None]
compilers: list[Compiled] = []


def applied(windows: Any, column: Column, call: tuple[Any, Any, Any], *, raw: bool) -> np.ndarray:
    """A function's result for each window of a column that has enough values."""
    func, args, keywords = call
    values = floats(column)
    values = np.where(np.isinf(values), np.nan, values)
    starts, ends = windows._edges(len(values))
    counts = np.concatenate([[0], np.cumsum(~np.isnan(values))])
    enough = counts[ends] - counts[starts] >= windows._min_periods()
    if raw and not keywords:
        for compiler in compilers:
            found = compiler(func, args, values, starts, ends)
            if found is not None:
                return np.where(enough, found, np.nan)
    part = _arrays(values) if raw else _series(windows, values)
    # An array of the standard library takes numbers only, where NumPy reads texts.
    made = array.array("d")
    for i in np.flatnonzero(enough):
        made.append(func(part(starts[i], ends[i]), *args, **keywords))
    results = np.full(len(starts), np.nan)
    results[enough] = made
    return results


def _arrays(values: np.ndarray) -> Callable[[int, int], Any]:
    return lambda start, end: values[start:end]


def _series(windows: Any, values: np.ndarray) -> Callable[[int, int], Any]:
    whole = classes.Series._of(NumberColumn(px.asarray(values)), windows._rows_index())
    return lambda start, end: whole._at(slice(int(start), int(end)))
