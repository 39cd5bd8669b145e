"""Rows and columns of a frame by ``[]``, `loc` and `iloc`, and columns that it gets and loses."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px
from phalanx.errors import InvalidIndexError

from ..._core.warnings import say
from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_hashable, is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..indexes.index import Index
from ..indexes.making import index_of
from ..operations.joined import common_dtype
from ..shared.base import Labelled
from ..shared.chaining import warn_of_item
from ..shared.deferred import Expression, applied
from . import assignment
from .filtering import filtered
from .indexers import At, IAt, ILoc, Loc
from .labels import Found, label_or_positions, of_labels
from .selectors import is_mask, labels_taken, mask_of, positions, rows_of_mask, taken

if TYPE_CHECKING:
    from ..frame import DataFrame
    from ..series import Series

# Rows are turned into series in blocks: enough that a block costs little for each row.
_TURNED_AT_ONCE = 1024


class FrameSelection(Labelled):
    """``frame[key]`` and assignment to it."""

    _columns: Index

    @property
    def loc(self) -> Loc:
        """Rows and columns by their labels."""
        return Loc(self)

    @property
    def iloc(self) -> ILoc:
        """Rows and columns by their positions."""
        return ILoc(self)

    @property
    def at(self) -> At:
        """One element by its labels."""
        return At(self)

    @property
    def iat(self) -> IAt:
        """One element by its positions."""
        return IAt(self)

    # Parts: what `loc` and `iloc` are made of.

    def _column_series(self, number: int) -> Series:

        made = above.Series._of(self._parts[number], self._row_labels, self._columns._label(number))
        return self._keep_attrs(made)  # type: ignore[no-any-return]

    def _some_columns(self, found: Found) -> DataFrame:
        """A frame of some columns, in the order of the selector."""
        numbers = positions(found.selector, len(self._columns)).tolist()
        labels = found.labels
        if labels is None:
            labels = labels_taken(self._columns, found.selector)
        made = above.DataFrame._of([self._parts[i] for i in numbers], self._row_labels, labels)
        return self._keep_attrs(made)  # type: ignore[no-any-return]

    def _selected(self, found: Found) -> Any:
        """The rows that were found: a series of the columns' elements for one."""
        if isinstance(found.selector, int):
            return self._row_series(found.selector)
        index = found.labels
        if index is None:
            index = labels_taken(self._index, found.selector)
        parts = [taken(each, found.selector) for each in self._parts]
        return self._keep_attrs(self._with(parts, index))

    def _rows_as_series(self) -> Iterator[Series]:
        """Each row as `_row_series` gives it."""
        for label, column in zip(self._index, self._row_columns(), strict=True):
            yield self._keep_attrs(above.Series._of(column, self._columns, label))

    def _row_series(self, row: int) -> Series:
        return self._keep_attrs(  # type: ignore[no-any-return]
            above.Series._of(self._row_column(row), self._columns, self._index._label(row))
        )

    def _row_columns(self) -> Iterator[Column]:
        """Each row as a column of the columns' common dtype; blocks of rows are turned at once."""
        width, count = len(self._parts), len(self._index)
        if not width:
            yield from (self._row_column(row) for row in range(count))
            return
        dtype = common_dtype([each.dtype for each in self._parts])
        for start in range(0, count, _TURNED_AT_ONCE):
            rows = slice(start, min(start + _TURNED_AT_ONCE, count))
            first, *others = [each.slice(rows).astype(dtype) for each in self._parts]
            height = rows.stop - start
            order = np.arange(width * height).reshape(width, height).T.ravel()
            turned = (first.joined(others) if others else first).take(px.asarray(order))
            for place in range(0, width * height, width):
                yield turned.slice(slice(place, place + width))

    def _row_column(self, row: int) -> Column:
        if not self._parts:
            return column_of([], np.dtype(object))
        dtype = common_dtype([each.dtype for each in self._parts])
        if dtype == np.dtype(object):
            objects = np.empty(len(self._parts), object)
            for place, each in enumerate(self._parts):
                objects[place] = each.element(row)
            return column_of(objects, dtype)
        first, *others = [each.slice(slice(row, row + 1)).astype(dtype) for each in self._parts]
        return first.joined(others) if others else first

    # Reading.

    def __getitem__(self, key: Any) -> Any:
        key = ours(applied(key, self))
        if isinstance(key, slice):
            return self._selected(Found(label_or_positions(self._index, key)))
        if is_frame(key):
            return self.where(key)  # type: ignore[attr-defined]
        if is_mask(key):
            return self._masked(key)
        if is_list_like(key) and not isinstance(key, tuple):
            return self._some_columns(of_labels(self._columns, key, "columns"))
        return self._by_label(key)

    def _by_label(self, key: Any) -> Any:
        if not is_hashable(key):
            raise InvalidIndexError(key)
        if self._columns.nlevels > 1:
            where, rest = self._columns.get_loc_level(key)  # type: ignore[attr-defined]
            if isinstance(where, (int, np.integer)):
                return self._column_series(int(where))
            return self._outer_columns(where, rest)
        where = self._columns.get_loc(key)
        if isinstance(where, (int, np.integer)):
            return self._column_series(int(where))
        numbers = np.flatnonzero(where) if isinstance(where, np.ndarray) else where
        return self._some_columns(Found(numbers))

    def _outer_columns(self, where: Any, rest: Index) -> Any:
        numbers = np.flatnonzero(where) if isinstance(where, np.ndarray) else where
        made = self._some_columns(Found(numbers, rest))
        if len(rest) == 1 and rest.nlevels == 1 and rest[0] == "":
            return made._column_series(0).rename(None)
        return made

    def _masked(self, key: Any) -> Any:
        if is_series(key) and key._row_labels is self._row_labels:
            return filtered(self, key)
        if is_series(key) and key.index is not self._index and not key.index.equals(self._index):
            say("Boolean Series key will be reindexed to match DataFrame index.", UserWarning)
        elif not is_series(key) and len(key) != len(self):
            raise ValueError(f"Item wrong length {len(key)} instead of {len(self)}.")
        return filtered(self, key)

    def get(self, key: Any, default: Any = None) -> Any:
        """``self[key]``, or the default where a column is not there."""
        try:
            return self[key]
        except (KeyError, ValueError, IndexError):
            return default

    def __contains__(self, key: Any) -> bool:
        return is_hashable(key) and key in self._columns

    def __iter__(self) -> Iterator[Any]:
        return iter(self._columns)

    def keys(self) -> Index:
        """The labels of the columns."""
        return self._columns

    # Writing.

    def __setitem__(self, key: Any, value: Any) -> None:
        warn_of_item(sys.getrefcount(self), self)
        key = ours(applied(key, self))
        if isinstance(key, slice):
            assignment.set_frame(self, label_or_positions(self._index, key), slice(None), value)
        elif is_frame(key):
            self._set_where(key, value)
        elif is_mask(key):
            rows = rows_of_mask(mask_of(key, self._index))
            assignment.set_frame(self, rows, slice(None), value)
        elif is_list_like(key) and not isinstance(key, tuple):
            self._set_columns(list(key), value)
        else:
            self._set_labelled(key, value)

    def _set_labelled(self, key: Any, value: Any) -> None:
        value = ours(value)
        if is_frame(value) and key in self._columns and value.shape[1] > 1:
            where = self._columns.get_loc(key)
            numbers = np.arange(len(self._columns))[
                where if not isinstance(where, int) else [where]
            ]
            if len(numbers) != value.shape[1]:
                raise ValueError("Columns must be same length as key")
            for i, number in enumerate(numbers.tolist()):
                self._parts[number] = assignment.whole_column(self, value._column_series(i))
            return
        if not len(self._index) and is_list_like(value) and not isinstance(value, str):
            self._take_index_of(value)
        self._set_column(key, assignment.whole_column(self, value))

    def _take_index_of(self, value: Any) -> None:
        """A frame without rows gets those of the first column that it is given."""
        index = value.index if is_series(value) else index_of(range(len(value)))
        if len(index):
            self._become(self.reindex(index))  # type: ignore[attr-defined]

    def _set_column(self, key: Any, column: Column) -> None:
        """Put a column under a label, at the end if no column has it."""
        if key not in self._columns:
            self._insert(len(self._columns), key, column)
            return
        where = self._columns.get_loc(key)
        parts = list(self._parts)
        for number in np.arange(len(parts))[where if not isinstance(where, int) else [where]]:
            parts[int(number)] = column
        self._parts = parts

    def _insert(self, place: int, key: Any, column: Column) -> None:
        columns = self._columns
        if not len(columns) and columns.nlevels == 1:
            columns = index_of([key], name=columns.name)
        else:
            columns = columns.insert(place, key)
        parts = list(self._parts)
        parts.insert(place, column)
        self._columns, self._parts = columns, parts

    def _set_columns(self, keys: list[Any], value: Any) -> None:
        value = ours(value)
        if is_frame(value) or (hasattr(value, "ndim") and value.ndim == 2):
            if value.shape[1] != len(keys):
                raise ValueError("Columns must be same length as key")
            for i, key in enumerate(keys):
                self[key] = value._column_series(i) if is_frame(value) else value[:, i]
        elif is_list_like(value) and not is_series(value):
            items = list(value)
            if items and is_list_like(items[0]) and len(items) == len(self):
                columns = list(zip(*items, strict=True))
                items = [list(each) for each in columns]
            if len(items) != len(keys):
                raise ValueError("Columns must be same length as key")
            for key, item in zip(keys, items, strict=True):
                self[key] = item
        else:
            for key in keys:
                self[key] = value

    def _set_where(self, key: Any, value: Any) -> None:
        self._become(self.mask(key, value))  # type: ignore[attr-defined]

    def __delitem__(self, key: Any) -> None:
        where = self._columns.get_loc(key)
        gone = np.zeros(len(self._columns), bool)
        gone[where] = True
        kept = np.flatnonzero(~gone)
        self._parts = [self._parts[i] for i in kept.tolist()]
        self._columns = self._columns._take(kept)

    def pop(self, item: Any) -> Series:
        """A column, which is then no more in the frame. Raises KeyError where it is not there."""
        found: Series = self[item]
        del self[item]
        return found

    def insert(self, loc: int, column: Any, value: Any, allow_duplicates: bool = False) -> None:
        """Put a column at a position.

        Raises ValueError for a label that is there already, unless ``allow_duplicates``.
        """
        if not allow_duplicates and column in self._columns:
            raise ValueError(f"cannot insert {column}, already exists")
        if not isinstance(loc, (int, np.integer)):
            raise TypeError("loc must be int")
        if loc < 0:
            raise ValueError("unbounded slice")
        if loc > len(self._columns):
            raise IndexError(
                f"index {loc} is out of bounds for axis 0 with size {len(self._columns)}"
            )
        self._insert(int(loc), column, assignment.whole_column(self, value))

    def isetitem(self, loc: Any, value: Any) -> None:
        """Put another column at a position, or one at each of several."""
        parts = list(self._parts)
        if isinstance(loc, (int, np.integer)):
            parts[int(loc)] = assignment.whole_column(self, value)
        else:
            for i, number in enumerate(loc):
                part = value._column_series(i) if is_frame(value) else np.asarray(value)[:, i]
                parts[int(number)] = assignment.whole_column(self, part)
        self._parts = parts

    def assign(self, **kwargs: Any) -> DataFrame:
        """A frame with more columns; functions get the frame with those that come before."""
        made: DataFrame = self.copy()  # type: ignore[assignment]
        for name, value in kwargs.items():
            made[name] = applied(value, made)
        return made

    def select(self, /, *args: Any, **kwargs: Any) -> DataFrame:
        """A frame of some columns, by labels and expressions (`col`), and of computed ones.

        Keywords are as those of `assign`; what comes later may use them. One list may hold all
        labels. Raises KeyError for a label that is not there, ValueError for an expression that
        gives a series without a name, TypeError for one that gives no series.
        """
        if len(args) == 1 and is_list_like(args[0]) and not isinstance(args[0], tuple):
            args = tuple(args[0])
        made: Any = self.copy()
        parts = [_selected_part(made, each) for each in args]
        for name, value in kwargs.items():
            made[name] = applied(value, made)
            parts.append(made[[name]])
        selected: DataFrame = above.concat(parts, axis=1) if parts else made.iloc[:, :0]
        return selected


def _selected_part(frame: Any, item: Any) -> Any:
    """A frame of what a label or an expression of `select` means."""
    if not isinstance(item, Expression):
        return frame[[item]]
    found = applied(item, frame)
    if not is_series(found):
        raise TypeError(f"{item!r} gives no series; name it by a keyword: select(name={item!r})")
    if found.name is None:
        raise ValueError(f"{item!r} gives a series without a name: call .rename(...)")
    return found.to_frame()
