"""Other categories for the same rows: of indexes, of `Categorical` and of ``Series.cat``."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns.categories import CategoryColumn, code_dtype
from ..columns.column import Column
from ..dtypes import CategoricalDtype
from ..in_place import InPlace


def is_list(value: Any) -> bool:
    """True for what has elements, but for texts."""
    return not isinstance(value, str) and np.iterable(value)


class CategoryMethods(InPlace):
    """Methods that give the same rows other categories, or another order of them."""

    def _category_column(self) -> CategoryColumn:
        raise NotImplementedError

    def _of_column(self, column: CategoryColumn) -> Any:
        """What such a method gives, of a column."""
        raise NotImplementedError

    @property
    def categories(self) -> Any:
        """The list of values that the rows may have, as an index."""
        return self._category_column().dtype.categories

    @property
    def ordered(self) -> bool:
        """Returns whether the categories have an order."""
        return bool(self._category_column().dtype.ordered)

    def rename_categories(self, new_categories: Any) -> Any:
        """Other values for the categories: a list, a dict or a function.

        Raises ValueError for another number of them.
        """
        if hasattr(new_categories, "get") and hasattr(new_categories, "__getitem__"):
            new_categories = [new_categories.get(each, each) for each in self.categories]
        elif callable(new_categories):
            new_categories = [new_categories(each) for each in self.categories]
        return self._renamed_categories(new_categories, self.ordered)

    def _renamed_categories(self, new_categories: Any, ordered: bool) -> Any:
        column = self._category_column()
        dtype = CategoricalDtype(new_categories, ordered)
        if len(dtype.values) != len(self.categories):
            raise ValueError(
                "new categories need to have the same number of items as the old categories!"
            )
        return self._of_column(CategoryColumn(column.codes, dtype))

    def set_categories(
        self, new_categories: Any, ordered: bool | None = None, rename: bool = False
    ) -> Any:
        """The rows with another list of categories; those that it lacks become missing.

        With ``rename`` the list has new values for those that there are, one by one.
        """
        column = self._category_column()
        dtype = CategoricalDtype(new_categories, self.ordered if ordered is None else ordered)
        if not rename:
            return self._of_column(column.with_dtype(dtype))
        count = len(dtype.values)
        codes = column.codes.astype(np.int64)
        codes = px.where(codes < count, codes, -1).astype(code_dtype(count))
        return self._of_column(CategoryColumn(codes, dtype))

    def reorder_categories(self, new_categories: Any, ordered: bool | None = None) -> Any:
        """The same categories in another order. Raises ValueError for others."""
        new = list(new_categories)
        if len(self.categories) != len(new) or not self.categories.difference(new).empty:
            raise ValueError("items in new_categories are not the same as in old categories")
        return self.set_categories(new_categories, ordered)

    def add_categories(self, new_categories: Any) -> Any:
        """More categories, after those that are there. Raises ValueError for known ones."""
        more = list(new_categories) if is_list(new_categories) else [new_categories]
        known = set(more) & set(self.categories)
        if known:
            raise ValueError(f"new categories must not include old categories: {known}")
        column = self._category_column()
        every: Column = column.dtype.values
        if more:
            labels = above.index_of([*every.tolist(), *more], tuples=False)
            own = getattr(new_categories, "dtype", None)
            every = labels._column if own is None else self._joined_with(new_categories)
        dtype = CategoricalDtype(every, self.ordered)
        return self._of_column(
            CategoryColumn(column.codes.astype(code_dtype(len(dtype.values))), dtype)
        )

    def _joined_with(self, more: Any) -> Column:
        """The categories and others that have a dtype, in the one that holds both."""
        joined = self.categories._concatenated([above.index_of(more, tuples=False)])
        column: Column = joined._column
        return column

    def remove_categories(self, removals: Any) -> Any:
        """Without some categories: their rows become missing. Raises ValueError for others."""
        given = list(removals) if is_list(removals) else [removals]
        gone = above.index_of(given, tuples=False).unique().dropna()
        unknown = gone.difference(self.categories)
        if len(unknown):
            raise ValueError(f"removals must all be in old categories: {set(unknown)}")
        rest = self.categories.difference(gone, sort=False if self.ordered else None)
        return self.set_categories(rest)

    def remove_unused_categories(self) -> Any:
        """Without the categories that no row has."""
        column = self._category_column()
        count = len(column.dtype.values)
        codes = column.codes.astype(np.int64)
        rows = np.asarray(px.bincount(codes[codes >= 0], minlength=count))
        used = np.flatnonzero(rows[:count])
        few = column.dtype.values.take(px.asarray(used))
        return self._of_column(column.with_dtype(CategoricalDtype(few, self.ordered)))

    def as_ordered(self) -> Any:
        """With an order: that of the categories."""
        return self._renamed_categories(self._category_column().dtype.values, True)

    def as_unordered(self) -> Any:
        """Without an order."""
        return self._renamed_categories(self._category_column().dtype.values, False)
