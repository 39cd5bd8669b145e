"""Indexes of categories."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..columns.categories import CategoryColumn
from ..dtypes import CategoricalDtype, Dtype, NullableDtype, pandas_dtype
from .category_methods import CategoryMethods
from .forms import function_of
from .index import Index
from .kinds import common_dtype, plain_column
from .labels import Labels
from .lookups import LabelError
from .times import Times

MOST_CATEGORIES = 8


class CategoricalIndex(CategoryMethods, Index):
    """Labels out of a list of categories, kept as their positions in it.

    Labels are found by their values. They are ordered as the categories are listed.

    >>> px.CategoricalIndex(["a", "b", "a"]).codes
    array([0, 1, 0], dtype=int8)
    """

    _column: CategoryColumn

    def __new__(
        cls,
        data: Any = None,
        categories: Any = None,
        ordered: bool | None = None,
        dtype: Any = None,
        copy: bool = False,
        name: Hashable = None,
    ) -> Any:
        wanted = pandas_dtype("category" if dtype is None else dtype)
        if not isinstance(wanted, CategoricalDtype):
            raise TypeError(f"a CategoricalIndex has dtype category, not {wanted}")
        if categories is not None or ordered is not None:
            wanted = CategoricalDtype(categories, bool(ordered))
        found = above.index_of(data if data is not None else [], name=name, tuples=False)
        own = found.dtype
        if isinstance(own, CategoricalDtype) and wanted.categories is None:
            kept = own.ordered if ordered is None else ordered
            wanted = CategoricalDtype(own.categories, kept)
        return found._to_dtype(wanted)

    @property
    def codes(self) -> np.ndarray:
        """The position of each label's category, -1 for missing labels."""
        return np.asarray(self._column.codes)

    # Other categories.

    def _category_column(self) -> CategoryColumn:
        return self._column

    def _of_column(self, column: CategoryColumn) -> Any:
        return self._with(column)

    def _recoded(self, categories: Any, codes: np.ndarray) -> Any:
        dtype = CategoricalDtype(categories, self.ordered)
        return self._with(CategoryColumn(px.asarray(codes), dtype))

    def map(self, mapper: Any, na_action: str | None = None) -> Any:
        """What a function or a dict has for each category: categories where all differ."""
        values = self.categories.map(mapper)
        missing = self._has_missing()
        own = function_of(mapper)(np.nan) if missing and na_action != "ignore" else np.nan
        is_nan = isinstance(own, float) and own != own
        if values.nlevels == 1 and values.is_unique and not values.hasnans and is_nan:
            return self._recoded(values, self.codes)
        if is_nan:
            made = values.to_flat_index()
            return made._take(self.codes.astype(np.int64), has_missing=missing)._named(self._name)
        found = above.index_of([*values.to_flat_index(), own], tuples=False)
        # The last one is what -1, a missing label, finds.
        return found[self.codes.astype(np.int64)]._named(self._name)

    # Labels.

    def _plain(self) -> Any:
        """The labels as an index of the categories' dtype."""
        return Labels._of(plain_column(self._column), self._name)

    def _sort_keys(self) -> np.ndarray:
        return self.codes.astype(np.int64)

    def _to_dtype(self, dtype: Dtype) -> Any:
        if dtype == self._column.dtype:
            return self
        if isinstance(dtype, CategoricalDtype) and dtype.categories is None:
            return self
        return super()._to_dtype(dtype)

    def get_loc(self, key: Any) -> Any:
        """The row or rows of a label. Raises KeyError where no row has it."""
        try:
            return super().get_loc(key)
        except LabelError as error:
            raise LabelError(key, self) from error

    def unique(self, level: Any = None) -> Any:
        """Each label once, in the order of their first rows."""
        return super().unique(level)

    def _meeting(self, item: Any) -> tuple[Any, Any]:
        if item in self.categories:
            return self, self._of_one(item)
        return super()._meeting(item)

    def _of_one(self, item: Any) -> Any:
        code = self.categories.get_loc(item)
        return self._with(
            CategoryColumn(px.asarray(np.array([code], self.codes.dtype)), self._column.dtype)
        )

    def _concatenated(self, others: Sequence[Any]) -> Any:
        """Others of the same categories keep them."""
        if all(each.dtype == self.dtype for each in others):
            return self._joined(others)
        plain = self._plain()
        dtype = plain.dtype
        for each in others:
            dtype = common_dtype(dtype, each.dtype)
        return plain._to_dtype(dtype)._joined([each._to_dtype(dtype) for each in others])

    def _bound(self, choose: Any, skipna: bool) -> Any:
        if not self.ordered:
            raise TypeError(
                f"Categorical is not ordered for operation {choose.__name__[3:]}\n"
                "you can use .as_ordered() to change the Categorical to an ordered one\n"
            )
        return super()._bound(choose, skipna)

    def get_indexer(
        self,
        target: Any,
        method: str | None = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> np.ndarray:
        """The row of each label, -1 for labels that are not here. There are no methods."""
        self._check_method(method, limit, tolerance)
        if method is not None:
            raise NotImplementedError(
                f"method {method!r} is not implemented for CategoricalIndex: use the categories"
            )
        return super().get_indexer(target)

    def searchsorted(self, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where labels would be put by the order of their categories. TypeError for others."""
        single = isinstance(value, str) or not np.iterable(value)
        codes = self.categories.get_indexer([value] if single else list(value))
        if (codes < 0).any():
            raise TypeError("Cannot setitem on a Categorical with a new category")
        found = np.searchsorted(self.codes, codes.astype(self.codes.dtype), side, sorter)  # type: ignore[call-overload]
        return int(found[0]) if single else found

    # Text.

    def _texts(self, part: slice) -> list[str]:
        labels: Any = Labels._of(plain_column(self._column.slice(part)))
        texts = labels._texts(slice(None))
        if not isinstance(labels.dtype, NullableDtype):
            return texts  # type: ignore[no-any-return]
        gone = labels._missing_mask()
        return ["nan" if each else text for each, text in zip(gone, texts, strict=True)]

    def _is_text(self) -> bool:
        return bool(self.categories._column.dtype.kind == "O")

    def _attributes(self) -> list[tuple[str, Any]]:
        count = len(self.categories)
        if count > MOST_CATEGORIES:
            half = MOST_CATEGORIES // 2
            head = self.categories._texts(slice(0, half))
            texts = [*head, "...", *self.categories._texts(slice(count - half, count))]
        else:
            texts = self.categories._texts(slice(0, count))
        if isinstance(self.categories, Times):
            texts = [each.strip("'") for each in texts]
        return [
            ("categories", f"[{', '.join(texts)}]"),
            ("ordered", self.ordered),
            *super()._attributes(),
        ]
