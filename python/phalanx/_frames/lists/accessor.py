"""``Series.list``: lengths, elements and slices of lists."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.lists import ListColumn
from ..columns.numbers import NumberColumn
from ..dtypes import NULLABLE
from ..in_place import InPlace
from ..shared.base import Labelled


class ListAccessor(InPlace):
    """Lists of a series, row by row."""

    __module__ = "phalanx"

    _lies_with = "_series"

    def __init__(self, series: Any) -> None:
        self._series = series

    @property
    def _column(self) -> ListColumn:
        column: ListColumn = self._series._parts[0]
        return column

    def _with(self, column: Column) -> Any:
        return self._series._keep_attrs(self._series._with([column]))

    def _whole(self, values: np.ndarray, name: str) -> Any:
        mask = self._column.valid
        valid = None if mask is None else px.asarray(mask)
        numbers = px.asarray(values.astype(name.lower()))
        return self._with(NumberColumn(numbers, valid, NULLABLE[name]))

    def len(self) -> Any:
        """How many elements each list has (Int32), missing where the list is."""
        return self._whole(self._column.lengths(), "Int32")

    def flatten(self) -> Any:
        """The elements of all lists, each with the label of its row; missing lists have none."""
        elements, rows = self._column.flat()
        return self._series._with([elements], self._series._index._take(rows))

    def __getitem__(self, key: Any) -> Any:
        """The element at a place of each list, from the end if it is negative, or a slice of each.

        Raises IndexError where a list has no such element; ``get`` gives a missing one there.
        """
        if isinstance(key, slice):
            return self._slice(key)
        if isinstance(key, (bool, np.bool_)) or not isinstance(key, (int, np.integer)):
            raise ValueError(f"key must be an int or slice, got {type(key).__name__}")
        lengths = self._column.lengths()
        short = self._column.present() & ((lengths <= key) if key >= 0 else (lengths < -key))
        if short.any():
            size = int(lengths[np.flatnonzero(short)[0]])
            raise IndexError(
                f"Index {key} is out of bounds: should be in [0, {size}); .list.get({key}) gives "
                "a missing element where a list is shorter"
            )
        return self.get(int(key))

    def get(self, index: int, default: Any = None) -> Any:
        """The element at a place of each list, ``default`` or a missing one where there is none.

        pandas has it not, cuDF has.
        """
        column = self._column
        lengths = column.lengths()
        has_one = (lengths > index) if index >= 0 else (lengths >= -index)
        places = column.offsets[:-1] + (index if index >= 0 else lengths + index)
        rows = px.asarray(np.where(has_one, places, -1))
        found = self._with(column.elements.take(rows, has_missing=not bool(has_one.all())))
        if default is None:
            return found
        return found.mask(column.present() & ~has_one, default)

    def _slice(self, part: slice) -> Any:
        """A slice of each list. Raises ValueError for a step that is not positive."""
        column = self._column
        step = 1 if part.step is None else part.step
        if step < 1:
            raise ValueError(f"`step` must be greater than or equal to 1, got: {step}")
        lengths = column.lengths()
        first = _from_start(part.start, lengths, np.zeros_like(lengths))
        last = np.maximum(_from_start(part.stop, lengths, lengths), first)
        counts = (last - first + step - 1) // step
        return self._with(
            column.ranges(column.offsets[:-1] + first, counts, column.valid, int(step))
        )

    def __iter__(self) -> Any:
        raise TypeError(f"'{type(self).__name__}' object is not iterable")

    def __dir__(self) -> list[str]:
        return [each for each in super().__dir__() if not each.startswith("_")]


def _from_start(place: Any, lengths: np.ndarray, default: np.ndarray) -> np.ndarray:
    """Where a bound of a slice is in each list."""
    if place is None:
        return default
    found = lengths + place if place < 0 else np.full_like(lengths, place)
    return np.clip(found, 0, lengths)  # type: ignore[no-any-return]


class SeriesLists(Labelled):
    """`Series.list`."""

    @property
    def list(self) -> ListAccessor:
        """The elements of lists. Raises AttributeError for series of other dtypes."""
        if not isinstance(self._parts[0], ListColumn):
            raise AttributeError(
                "Can only use the '.list' accessor with 'list[pyarrow]' dtype, not "
                f"{self._parts[0].dtype}."
            )
        return ListAccessor(self)
