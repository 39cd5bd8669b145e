"""Columns of intervals: two columns of bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..dtypes import IntervalDtype
from ..scalars.interval import Interval
from .column import Column
from .numbers import NumberColumn
from .objects import ObjectColumn, object_array


class IntervalColumn(ObjectColumn, Column):
    """The bounds of each row's interval, missing in both where it is missing.

    What has no rule for intervals takes them as Python's objects: such a column has these too.
    """

    __slots__ = ("dtype", "left", "right")
    dtype: Any

    def __init__(self, left: NumberColumn, right: NumberColumn, closed: str) -> None:
        self.left = left
        self.right = right
        self.dtype = IntervalDtype(left.dtype, closed)

    def __reduce__(self) -> Any:
        return IntervalColumn, (self.left, self.right, self.dtype.closed)

    @property
    def objects(self) -> np.ndarray:  # type: ignore[override]
        """The intervals as Python's objects."""
        closed = self.dtype.closed
        gone = np.asarray(self.left.isna()).tolist()
        lists = (np.asarray(each.values) for each in (self.left, self.right))
        if self.left.dtype.kind not in "mM":
            lists = (each.tolist() for each in lists)
        return object_array(
            [
                np.nan if missing else Interval(a, b, closed)
                for a, b, missing in zip(*lists, gone, strict=True)
            ]
        )

    def __len__(self) -> int:
        return len(self.left)

    @property
    def device(self) -> Any:
        return self.left.device

    def _like(self, left: Any, right: Any) -> IntervalColumn:
        return IntervalColumn(left, right, self.dtype.closed)

    def _each(self, function: Any) -> IntervalColumn:
        return self._like(function(self.left), function(self.right))

    def take(self, rows: ndarray, *, has_missing: bool = False) -> IntervalColumn:
        return self._each(lambda each: each.take(px.asarray(rows), has_missing=has_missing))

    def filter(self, mask: ndarray) -> IntervalColumn:
        return self._each(lambda each: each.filter(px.asarray(mask)))

    def slice(self, part: slice) -> IntervalColumn:
        return self._each(lambda each: each.slice(part))

    def element(self, row: int) -> Any:
        count = len(self)
        first = row % count if count else 0
        return self.slice(slice(first, first + 1)).objects[0]

    def joined(self, others: Sequence[Column]) -> ObjectColumn:
        if not all(isinstance(each, IntervalColumn) for each in others):
            return super().joined(others)
        bounds: list[Any] = list(others)
        return self._like(
            self.left.joined([each.left for each in bounds]),
            self.right.joined([each.right for each in bounds]),
        )

    def where(self, mask: ndarray, other: Column) -> ObjectColumn:
        if not isinstance(other, IntervalColumn):
            return super().where(mask, other)
        return self._like(self.left.where(mask, other.left), self.right.where(mask, other.right))

    def isna(self) -> ndarray:
        return self.left.isna()

    def missing_rows(self) -> np.ndarray:
        """The mask that ``isna`` gives, as an array of NumPy's."""
        return np.asarray(self.left.isna())

    def has_missing(self) -> bool:
        return self.left.has_missing()

    def missing(self, count: int) -> IntervalColumn:
        return self._each(lambda each: each.missing(count))

    def to_numpy(self) -> np.ndarray:
        return self.objects

    def objects_of(self) -> np.ndarray:
        return self.objects

    def tolist(self) -> list[Any]:
        return list(self.objects)

    def key(self) -> tuple[Any, ...]:
        """The place of each row among the different ones by their bounds, -1 if it is missing."""
        left, right = np.asarray(self.left.values), np.asarray(self.right.values)
        order = np.lexsort((right, left))
        new = np.ones(len(order), np.int64)
        if len(order):
            a, b = left[order], right[order]
            new[1:] = (a[1:] != a[:-1]) | (b[1:] != b[:-1])
        codes = np.empty(len(order), np.int64)
        codes[order] = np.cumsum(new) - 1
        codes[self.missing_rows()] = -1
        return "codes", codes, None

    @property
    def nbytes(self) -> int:
        return self.left.nbytes + self.right.nbytes
