"""``Series.cat``: the categories of a series."""

from __future__ import annotations

from typing import Any

from .. import above
from ..columns.categories import CategoryColumn
from ..columns.numbers import NumberColumn
from ..indexes.category_methods import CategoryMethods
from ..shared.base import Labelled


class CategoryAccessor(CategoryMethods):
    """Categories of a series, and the series with others."""

    __module__ = "phalanx"

    _lies_with = "_series"

    def __init__(self, series: Any) -> None:
        self._series = series

    def _category_column(self) -> CategoryColumn:
        column: CategoryColumn = self._series._parts[0]
        return column

    def _of_column(self, column: CategoryColumn) -> Any:
        return self._series._keep_attrs(self._series._with([column]))

    @property
    def codes(self) -> Any:
        """The position of each row's category, -1 for missing ones: a series."""
        codes = self._category_column().codes
        return above.Series._of(NumberColumn(codes), self._series.index, None)

    def __dir__(self) -> list[str]:
        return [each for each in super().__dir__() if not each.startswith("_")]


class SeriesCategories(Labelled):
    """`Series.cat`."""

    @property
    def cat(self) -> CategoryAccessor:
        """The categories of the rows. Raises AttributeError for series of other dtypes."""
        if not isinstance(self._parts[0], CategoryColumn):
            raise AttributeError("Can only use .cat accessor with a 'category' dtype")
        return CategoryAccessor(self)
