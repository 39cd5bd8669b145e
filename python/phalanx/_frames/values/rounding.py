"""Rounded numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from ..building.columns import is_series, ours
from ..columns import Column
from ..operations.unary import rounded
from ..selection.rows import RowMethods


class SeriesRounding(RowMethods):
    """`round` of series."""

    def round(self, decimals: int = 0, *args: Any, **kwargs: Any) -> Self:
        """The values to so many decimals; halves go to the even neighbour."""
        return self._keep_attrs(self._with([rounded(self._parts[0], int(decimals))]))  # type: ignore[no-any-return]

    def __round__(self, decimals: int = 0) -> Self:
        return self.round(decimals)


def _rounded(column: Column, decimals: int) -> Column:
    """Numbers of a frame are rounded, objects are not."""
    return column if column.dtype == object else rounded(column, decimals)


class FrameRounding(RowMethods):
    """`round` of frames."""

    def round(self, decimals: Any = 0, *args: Any, **kwargs: Any) -> Self:
        """The numbers to so many decimals, which a dict or a series has by column."""
        decimals = ours(decimals)
        if is_series(decimals) or isinstance(decimals, Mapping):
            table = dict(decimals.items())
            made = [
                _rounded(each, int(table[label])) if label in table else each
                for label, each in zip(self._labels_of(1), self._parts, strict=True)
            ]
            return self._keep_attrs(self._with(made))  # type: ignore[no-any-return]
        if not isinstance(decimals, (int, np.integer)):
            raise TypeError("decimals must be an integer, a dict-like or a Series")
        return self._keep_attrs(self._each(lambda each: _rounded(each, int(decimals))))  # type: ignore[no-any-return]

    def __round__(self, decimals: int = 0) -> Self:
        return self.round(decimals)
