"""Rounded numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

import phalanx as px

from ..building.columns import is_series, ours
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..shared.rows import RowMethods


def rounded(column: Column, decimals: int) -> Column:
    """Numbers to so many decimals, other columns as they are."""
    if not isinstance(column, NumberColumn) or column.values.dtype.kind not in "iufc":
        return column
    if column.values.dtype.kind in "iu" and decimals >= 0:
        return column
    return NumberColumn(px.round(column.values, decimals), column.valid, column.dtype)


class SeriesRounding(RowMethods):
    """`round` of series."""

    def round(self, decimals: int = 0, *args: Any, **kwargs: Any) -> Self:
        """The values to so many decimals; halves go to the even neighbour."""
        column = self._parts[0]
        if column.dtype == object:
            made: Column = column_of(
                np.array([round(each, decimals) for each in column.tolist()], object), object
            )
            return self._keep_attrs(self._with([made]))  # type: ignore[no-any-return]
        return self._keep_attrs(self._with([rounded(column, int(decimals))]))  # type: ignore[no-any-return]

    def __round__(self, decimals: int = 0) -> Self:
        return self.round(decimals)


class FrameRounding(RowMethods):
    """`round` of frames."""

    def round(self, decimals: Any = 0, *args: Any, **kwargs: Any) -> Self:
        """The numbers to so many decimals, which a dict or a series has by column."""
        decimals = ours(decimals)
        if is_series(decimals) or isinstance(decimals, Mapping):
            table = dict(decimals.items())
            made = [
                rounded(each, int(table[label])) if label in table else each
                for label, each in zip(self._labels_of(1), self._parts, strict=True)
            ]
            return self._keep_attrs(self._with(made))  # type: ignore[no-any-return]
        if not isinstance(decimals, (int, np.integer)):
            raise TypeError("decimals must be an integer, a dict-like or a Series")
        return self._keep_attrs(self._each(lambda each: rounded(each, int(decimals))))  # type: ignore[no-any-return]

    def __round__(self, decimals: int = 0) -> Self:
        return self.round(decimals)
