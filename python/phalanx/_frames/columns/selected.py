"""Columns of the rows that a filter keeps, which are not gathered before somebody looks.

What is computed of such columns row by row is recorded over all rows, and a reduction of it takes
the filter as its ``where``: a filter, a chain of operations and a sum are one kernel.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine
from .column import Column
from .numbers import NumberColumn, has_own_missing


class Filter:
    """The rows at which a mask is True. What is asked of them is found out once."""

    def __init__(self, mask: ndarray) -> None:
        self.mask = mask

    @functools.cached_property
    def rows(self) -> ndarray:
        """Their positions."""
        found: ndarray = px.flatnonzero(self.mask)
        return found

    @functools.cached_property
    def count(self) -> int:
        """How many there are."""
        return len(self.rows) if "rows" in self.__dict__ else int(self.mask.sum())


class SelectedColumn(NumberColumn):
    """Rows of an array that a filter keeps: as a `NumberColumn`, whose values are made if needed.

    `whole` has the elements of all rows; None once those of the filter are gathered.
    """

    __slots__ = ("_gathered", "chosen", "whole")

    def __init__(self, whole: ndarray, chosen: Filter) -> None:
        self.dtype = whole.dtype
        self.whole: ndarray | None = whole
        self.chosen = chosen

    @property
    def values(self) -> ndarray:  # type: ignore[override]
        """The elements that the filter keeps."""
        if self.whole is not None:
            self._gathered: ndarray = self.whole[self.chosen.rows]
            self.whole = None  # the rows that are not kept may go
        return self._gathered

    @property
    def valid(self) -> None:  # type: ignore[override]
        """None: dtypes with a mask of their own are gathered at once."""
        return

    @property
    def device(self) -> Any:
        """Where the elements are, gathered or not."""
        return engine.device_of(self._gathered if self.whole is None else self.whole)

    def __len__(self) -> int:
        return self.chosen.count

    def __reduce__(self) -> Any:
        return NumberColumn, (self.values,)


def selected(column: Column, chosen: Filter) -> Column:
    """The rows of a column that a filter keeps."""
    if type(column) is NumberColumn and column.valid is None and isinstance(column.dtype, np.dtype):
        return SelectedColumn(column.values, chosen)
    return column.take(chosen.rows)


def filter_of(operands: tuple[Any, ...]) -> Filter | None:
    """The filter of all columns among some operands; None where they differ or have none."""
    columns = [each for each in operands if isinstance(each, Column)]
    if not all(isinstance(each, SelectedColumn) and each.whole is not None for each in columns):
        return None
    filters = {id(each.chosen): each.chosen for each in columns}  # type: ignore[attr-defined]
    return filters.popitem()[1] if len(filters) == 1 else None


def over_all_rows(
    function: Callable[..., Any], operands: tuple[Any, ...], chosen: Filter
) -> Column | None:
    """What a function of columns gives for all rows, of which the filter keeps some.

    The function must not look at values: those of rows that are left out would count. None where
    it gives no plain column.
    """
    made = function(*(_whole(each) for each in operands))
    if type(made) is NumberColumn and made.valid is None and isinstance(made.dtype, np.dtype):
        return SelectedColumn(made.values, chosen)
    return None


def _whole(operand: Any) -> Any:
    if not isinstance(operand, SelectedColumn):
        return operand
    assert operand.whole is not None
    return NumberColumn(operand.whole)


def present(column: SelectedColumn) -> ndarray:
    """Which of all rows the filter keeps and have a value."""
    assert column.whole is not None
    mask = column.chosen.mask
    if not has_own_missing(column.whole.dtype):
        return mask
    there: ndarray = mask & ~NumberColumn(column.whole).isna()
    return there
