"""What every index is built on: its labels, its names and what is known of them."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from .. import above
from ..columns import string_rows
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn
from ..in_place import InPlace
from ..missing import is_missing
from ..scalars.rows import scalar_of
from .keys import Positions, dictionary_of, number_keys
from .kinds import common_dtype, may_equal, numbers_of, objects_of, only_texts, plain_column

if TYPE_CHECKING:
    from ..dtypes import Dtype


# Names of columns, mostly, which are asked for one by one: their texts are kept.
_FEW_TEXTS = 1000


class Labels(InPlace):
    """A column with a name. What is computed of the labels is kept in `_known`, which views of
    the same labels under other names share.
    """

    _are_labels = True  # which come to where the rows are

    _column: Column
    _name: Hashable = None
    _known: dict[str, Any]
    _freq: Any = None

    @classmethod
    def _of(cls, column: Column, name: Hashable = None) -> Any:
        """An index of a column, of the class that its dtype has."""
        made: Any = object.__new__(above.class_of(column.dtype))
        made._column = column
        made._name = name
        made._known = {}
        return made

    def _with(self, column: Column) -> Any:
        """An index of other labels under this one's name."""
        return Labels._of(column, self._name)

    def _view(self) -> Any:
        """The same labels, what is known of them included, as another object."""
        made = object.__new__(type(self))
        made.__dict__.update(self.__dict__)
        return made

    def _lies_on(self) -> Any:
        column = self.__dict__.get("_column")
        return None if column is None else column.device

    def __len__(self) -> int:
        return len(self._column)

    def _values_column(self) -> Column:
        return self._column

    # Rows: what a MultiIndex does level by level.

    def _take(self, rows: Any, *, has_missing: bool = False) -> Any:
        return self._with(self._column.take(px.asarray(rows), has_missing=has_missing))

    def _slice(self, part: slice) -> Any:
        return self._with(self._column.slice(part))

    def _label(self, row: int) -> Any:
        host = self._known.get("host")
        if host is None:
            column = self._column
            if isinstance(column, StringColumn) and len(column) < _FEW_TEXTS:
                texts = self._known.get("texts")
                if texts is None:
                    texts = self._known["texts"] = column.tolist()
                return texts[row]
            if not isinstance(column, NumberColumn) or not isinstance(column.dtype, np.dtype):
                return column.element(row)
            host = self._known["host"] = np.asarray(column.values)
        return scalar_of(host[row])

    def _joined(self, others: Sequence[Any]) -> Any:
        """The labels of this and then of others of the same dtype."""
        return self._with(self._column.joined([each._column for each in others]))

    def _to_dtype(self, dtype: Dtype) -> Any:
        if dtype == self._column.dtype:
            return self
        return self._with(self._column.astype(dtype))

    def _missing_mask(self) -> np.ndarray:
        if "isna" not in self._known:
            self._known["isna"] = np.asarray(self._column.isna())
        mask: np.ndarray = self._known["isna"]
        return mask

    def _objects(self) -> np.ndarray:
        """The labels as Python's objects, in the host's memory."""
        if "objects" not in self._known:
            self._known["objects"] = objects_of(self._column)
        objects: np.ndarray = self._known["objects"]
        return objects

    def __iter__(self) -> Iterator[Any]:
        return iter(self._column)

    # Keys: equal labels have equal ones.

    def _positions(self) -> Positions:
        """The rows of the labels by their keys."""
        if "positions" not in self._known:
            numbers = numbers_of(plain_column(self._column))
            if numbers is None:
                self._known["positions"] = self._object_positions()
            else:
                self._known["positions"] = Positions(number_keys(numbers))
        positions: Positions = self._known["positions"]
        return positions

    def _object_positions(self) -> Positions:
        if "object positions" not in self._known:
            column = plain_column(self._column)
            places, codes = dictionary_of(objects_of(column), texts=only_texts(column))
            self._known["object positions"] = Positions(codes, places)
        positions: Positions = self._known["object positions"]
        return positions

    def _meet(self, other: Any) -> tuple[Positions, np.ndarray]:
        """The positions of these labels, and the keys there of another index's labels."""
        left, right = plain_column(self._column), plain_column(other._column)
        if not may_equal(left.dtype, right.dtype):
            return Positions(np.empty(0, np.int64)), np.full(len(right), -1, np.int64)
        dtype = common_dtype(left.dtype, right.dtype)
        mine, theirs = (
            numbers_of(each, dtype) if dtype.kind in "biufmM" else None for each in (left, right)
        )
        if mine is None or theirs is None:
            found = self._object_positions()
            return found, found.keys_of(objects_of(right), texts=only_texts(right))
        if mine.dtype == _array_dtype(left):
            return self._positions(), number_keys(theirs)
        return Positions(number_keys(mine)), number_keys(theirs)

    def _of_join(self, found: Any, other: Any, how: str) -> Any:
        """The index of a join with another, with what it keeps of both."""
        return found

    # Order.

    def _sort_keys(self) -> np.ndarray:
        """int64 keys in the order of the labels. Raises TypeError where they have none."""
        if "sort keys" not in self._known:
            numbers = numbers_of(self._column)
            if numbers is not None:
                self._known["sort keys"] = number_keys(numbers)
            else:
                self._known["sort keys"] = self._ranks()
        keys: np.ndarray = self._known["sort keys"]
        return keys

    def _ranks(self) -> np.ndarray:
        """The place of each label among the different ones, sorted; missing ones are last."""
        if isinstance(self._column, DecimalColumn):
            return self._column.ranks()
        parts = getattr(self._column, "parts", None)  # what columns of texts have
        if parts is not None:
            return string_rows.ranks(parts)
        positions = self._object_positions()
        rows = positions.first(np.arange(len(positions.places or ())))
        firsts = self._objects()[rows]
        there = [i for i, each in enumerate(firsts) if not is_missing(each)]
        there.sort(key=lambda i: firsts[i])
        ranks = np.full(len(firsts), len(there), np.int64)
        ranks[there] = np.arange(len(there))
        return np.asarray(ranks[positions.keys])

    def _is_monotonic(self, *, decreasing: bool) -> bool:
        name = "decreasing" if decreasing else "increasing"
        if name not in self._known:
            self._known[name] = self._find_monotonic(decreasing)
        return bool(self._known[name])

    def _find_monotonic(self, decreasing: bool) -> bool:
        if self._has_missing():
            return False
        try:
            keys = self._sort_keys()
        except TypeError:
            return False
        return bool((keys[1:] <= keys[:-1]).all() if decreasing else (keys[1:] >= keys[:-1]).all())

    def _has_missing(self) -> bool:
        return bool(self._missing_mask().any())


def _array_dtype(column: Column) -> np.dtype | None:
    numbers = numbers_of(column)
    return None if numbers is None else numbers.dtype
