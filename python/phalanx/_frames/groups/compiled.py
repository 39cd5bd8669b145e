"""Users' functions of groups as compiled code; None where Python has to call them."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns.column import Column
from ..functions.compiled import UserFunction, is_wanted
from ..functions.slices import (
    FEWEST_SLICES,
    Slices,
    gives_rows,
    of_group_frames,
    of_groups,
    rows_of_groups,
)
from .calling import told


def is_worth(groups: Any) -> bool:
    """True if functions of these groups are compiled at all."""
    return is_wanted(groups._grouping.count, FEWEST_SLICES)


def numbers(groups: Any, column: Column, function: UserFunction) -> Column | None:
    """What a function of a series gives for the groups of a column: a number for each."""
    if not is_worth(groups):
        return None
    return of_groups(function, _taken(groups, column), _slices(groups, column, function))


def rows(groups: Any, column: Column, function: UserFunction) -> Column | None:
    """What a function of a series gives for the rows of each group, one group after the other."""
    if not is_worth(groups):
        return None
    return rows_of_groups(function, _taken(groups, column), _slices(groups, column, function))


def applied_rows(groups: Any, column: Column, function: UserFunction) -> Column | None:
    """`rows` for a function that gives a series; None, without a warning, for others."""
    if not is_worth(groups) or not gives_rows(function, column):
        return None
    return rows_of_groups(
        function, _taken(groups, column), _slices(groups, column, function), only_series=True
    )


def numbers_of_frames(groups: Any, frame: Any, function: UserFunction) -> Column | None:
    """What a function of a frame gives for each group: a number for each."""
    if not is_worth(groups):
        return None

    def call(number: int) -> Any:
        piece = frame._at(_rows_of(groups, number))
        piece.__dict__["name"] = groups._group_labels[number]
        with told(groups._group_labels[number]):
            return function(piece)

    bounds = groups._grouping.bounds
    slices = Slices(bounds[:-1], bounds[1:], call)
    return of_group_frames(function, frame, slices, take=lambda each: _taken(groups, each))


def _taken(groups: Any, column: Column) -> Column:
    return column.take(px.asarray(groups._grouping.rows))


def _rows_of(groups: Any, number: int) -> np.ndarray:
    first, end = groups._grouping.bounds[number : number + 2]
    found: np.ndarray = groups._grouping.rows[first:end]
    return found


def _slices(groups: Any, column: Column, function: UserFunction) -> Slices:
    def call(number: int) -> Any:
        series = above.Series._of(column, groups._of.index, groups._data_name())
        piece = series._at(_rows_of(groups, number))
        with told(groups._group_labels[number]):
            return function(piece)

    bounds = groups._grouping.bounds
    return Slices(bounds[:-1], bounds[1:], call)
