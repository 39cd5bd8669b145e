"""Columns of categories: positions in a list of values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine
from ..dtypes import CategoricalDtype
from .column import Column


def code_dtype(count: int) -> np.dtype:
    """The smallest integers that number so many categories, as pandas has them."""
    for bits in (8, 16, 32):
        if count <= 2 ** (bits - 1) - 1:
            return np.dtype(f"int{bits}")
    return np.dtype(np.int64)


class CategoryColumn(Column):
    """A code for each row, -1 where it is missing, and a dtype that has the categories."""

    __slots__ = ("codes", "dtype")
    dtype: CategoricalDtype

    def __init__(self, codes: ndarray, dtype: CategoricalDtype) -> None:
        self.codes = codes
        self.dtype = dtype

    def __len__(self) -> int:
        return len(self.codes)

    def _like(self, codes: ndarray) -> CategoryColumn:
        return CategoryColumn(codes, self.dtype)

    # Rows.

    def take(self, rows: ndarray, *, has_missing: bool = False) -> CategoryColumn:
        if not has_missing:
            return self._like(self.codes[rows])
        rows = px.asarray(rows)
        if len(self) == 0:
            return self.missing(rows.shape[0])
        there = rows >= 0
        return self._like(
            px.where(there, self.codes[px.where(there, rows, 0)], self.codes.dtype.type(-1))
        )

    def filter(self, mask: ndarray) -> CategoryColumn:
        return self._like(self.codes[mask])

    def slice(self, part: slice) -> CategoryColumn:
        return self._like(self.codes[part])

    def element(self, row: int) -> Any:
        code = int(self.codes[row])
        return np.nan if code < 0 else self.dtype.values.element(code)

    def joined(self, others: Sequence[Column]) -> CategoryColumn:
        parts = [self, *(self.recoded(each) for each in others)]
        return self._like(px.concatenate([each.codes for each in parts]))

    def where(self, mask: ndarray, other: Column) -> CategoryColumn:
        return self._like(px.where(mask, self.codes, self.recoded(other).codes))

    def recoded(self, other: Any) -> CategoryColumn:
        """Another column of the same categories, in this one's order of them."""
        made: CategoryColumn = other
        return made if self.dtype.same_list(made.dtype) else made.with_dtype(self.dtype)

    def with_dtype(self, dtype: CategoricalDtype) -> CategoryColumn:
        """The same values out of another list of categories; missing where it has them not."""
        places = dtype.places
        small = code_dtype(len(places))
        # The last element is what -1 finds.
        found = [places.get(each, -1) for each in self.dtype.values.tolist()] + [-1]
        table = px.asarray(np.array(found, small), device=self.codes.device)
        return CategoryColumn(table[self.codes], dtype)

    def values(self) -> Column:
        """The categories of the rows as a column of their dtype, or of one that can miss."""
        values: Column = self.dtype.values
        return values.take(self.codes.astype(np.int64), has_missing=self.has_missing())

    # Missing values.

    def isna(self) -> ndarray:
        gone: ndarray = self.codes < 0
        return gone

    def missing(self, count: int) -> CategoryColumn:
        return self._like(px.full_like(self.codes, -1, shape=(count,)))

    # Other forms.

    def to_numpy(self) -> np.ndarray:
        return self.values().to_numpy()

    def objects_of(self) -> np.ndarray:
        return self.values().objects_of()

    def key(self) -> tuple[Any, ...]:
        return "codes", engine.placed(self.codes.astype(np.int64)), None

    @property
    def device(self) -> Any:
        return engine.device_of(self.codes)

    @property
    def is_on_gpu(self) -> bool:
        return engine.is_on_gpu(self.codes)

    @property
    def nbytes(self) -> int:
        return int(self.codes.nbytes + self.dtype.values.nbytes)
