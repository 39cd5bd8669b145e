"""Columns that become labels, and labels that become columns: `set_index`, `reset_index`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ..building.columns import column_from, is_series, ours
from ..building.kinds import is_array, is_hashable
from ..columns import Column
from ..columns.making import column_of
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from ..shared.base import Labelled
from ..signatures import NO_DEFAULT, in_place

if TYPE_CHECKING:
    from ..frame import DataFrame


def index_of_columns(columns: list[Column], names: list[Any]) -> Index:
    """An index of one level, or of a level for each column."""
    if len(columns) == 1:
        found = _range_of(columns[0], names[0])
        return index_of(columns[0], name=names[0]) if found is None else found
    return MultiIndex.from_arrays([index_of(each) for each in columns], names=names)


def _range_of(column: Column, name: Any) -> Index | None:
    """The range that a column of integers is, as pandas has it; None for others."""
    if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iu":
        return None
    count = len(column)
    if count == 0:
        return RangeIndex(0, name=name)
    if count < 2:
        return None
    values = column.to_numpy()
    step = int(values[1]) - int(values[0])
    if not step or int(values[-1]) != int(values[0]) + step * (count - 1):
        return None
    start = int(values[0])
    made = RangeIndex(start, start + step * count, step, name=name)
    return made if (values == np.arange(start, start + step * count, step)).all() else None


def level_numbers(index: Any, level: Any) -> list[int]:
    """The numbers of levels that a keyword names; all for None."""
    if level is None:
        return list(range(index.nlevels))
    given = level if isinstance(level, (list, tuple)) else [level]
    return [index._level_number(each) for each in given]


def level_column(index: Any, number: int) -> Column:
    """A level's labels as a column."""
    column: Column = index.get_level_values(number)._values_column()
    return column


class SeriesIndexColumns(Labelled):
    """`reset_index` of series."""

    name: Any

    @in_place
    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        name: Any = NO_DEFAULT,
        allow_duplicates: bool = False,
    ) -> Any:
        """A frame of the labels and the values, or with ``drop`` the series under numbers."""
        if drop:
            return self._with(self._parts, _rest_of(self._index, level_numbers(self._index, level)))
        if name is NO_DEFAULT:
            name = 0 if self.name is None else self.name
        frame = self.to_frame(name)  # type: ignore[attr-defined]
        return frame.reset_index(level, allow_duplicates=allow_duplicates)


def _rest_of(index: Any, gone: list[int]) -> Index:
    """The labels without some levels: numbers where no level is left."""
    if len(gone) == index.nlevels:
        return RangeIndex(len(index))
    rest: Index = index.droplevel(gone)
    return rest


class FrameIndexColumns(Labelled):
    """`set_index` and `reset_index` of frames."""

    _columns: Index

    @in_place
    def set_index(
        self,
        keys: Any,
        *,
        drop: bool = True,
        append: bool = False,
        verify_integrity: bool = False,
    ) -> DataFrame:
        """Columns, or arrays, as labels of the rows.

        Raises KeyError for columns that are not there, ValueError for repeated labels if
        ``verify_integrity``.
        """
        keys = keys if isinstance(keys, list) else [keys]
        _check_keys(self, keys)
        columns, names, used = [], [], []
        if append:
            columns = [level_column(self._index, i) for i in range(self._index.nlevels)]
            names = list(self._index.names)
        for key in map(ours, keys):
            column, name = _key_column(self, key)
            if any(len(each) != len(self._index) for each in column):
                raise ValueError(
                    f"Length mismatch: Expected {len(self._index)} rows, received array of length "
                    f"{len(column[0])}"
                )
            columns += column
            names += name
            if not isinstance(key, (Index, Iterator)) and not is_series(key) and is_hashable(key):
                used.append(key)
        index = index_of_columns(columns, names)
        if verify_integrity and not index.is_unique:
            raise ValueError(f"Index has duplicate keys: {index[index.duplicated()].unique()!r}")
        made: Any = self._with(list(self._parts), index)
        return made.drop(columns=used) if drop and used else made  # type: ignore[no-any-return]

    @in_place
    def reset_index(
        self,
        level: Any = None,
        *,
        drop: bool = False,
        col_level: Any = 0,
        col_fill: Any = "",
        allow_duplicates: bool = False,
        names: Any = None,
    ) -> DataFrame:
        """Labels as the first columns, and numbers as labels; with ``drop`` only the latter."""
        index: Any = self._index
        numbers = level_numbers(index, level)
        made: Any = self._with(list(self._parts), _rest_of(index, numbers))
        if drop:
            return made  # type: ignore[no-any-return]
        titles = _titles(self, index, names)
        for number in sorted(numbers, reverse=True):
            title = _full_title(self._columns, titles[number], col_level, col_fill)
            if not allow_duplicates and title in made.columns:
                raise ValueError(f"cannot insert {title}, already exists")
            column = level_column(index, number)
            if column.dtype == object:
                column = column_of(column.tolist())  # pandas looks what the objects are
            made._insert(0, title, column)
        return made  # type: ignore[no-any-return]


def _check_keys(frame: Any, keys: list[Any]) -> None:
    missing = []
    for key in keys:
        if (
            isinstance(key, Index)
            or is_series(key)
            or is_array(key)
            or isinstance(key, (list, range))
        ):
            continue
        if hasattr(key, "__next__"):
            continue
        if not is_hashable(key):
            raise TypeError(
                'The parameter "keys" may be a column key, one-dimensional array, or a list '
                "containing only valid column keys and one-dimensional arrays. Received "
                f"{type(key)}"
            )
        if key not in frame.columns:
            missing.append(key)
    if missing:
        raise KeyError(f"None of {missing} are in the columns")


def _key_column(frame: Any, key: Any) -> tuple[list[Column], list[Any]]:
    if isinstance(key, Index):
        numbers = range(key.nlevels)
        return [level_column(key, i) for i in numbers], list(key.names)
    if is_series(key):
        return [key._parts[0]], [key.name]
    if isinstance(key, np.generic):
        key = key.item() if key.item() in frame.columns else key
    elif is_array(key) or isinstance(key, (list, range)) or hasattr(key, "__next__"):
        return [column_from(key)], [None]
    found = frame[key]
    if found.ndim == 2:
        raise ValueError(f"set_index: the column label {key!r} is not unique")
    return [found._parts[0]], [key]


def _titles(frame: Any, index: Any, names: Any) -> list[Any]:
    if names is not None:
        return list(names) if isinstance(names, (list, tuple)) else [names]
    if index.nlevels > 1:
        return [f"level_{i}" if each is None else each for i, each in enumerate(index.names)]
    if index.name is not None:
        return [index.name]
    return ["level_0" if "index" in frame.columns else "index"]


def _full_title(columns: Any, title: Any, level: Any, fill: Any) -> Any:
    if columns.nlevels == 1:
        return title
    row = [fill] * columns.nlevels
    parts = title if isinstance(title, tuple) else (title,)
    start = columns._level_number(level)
    row[start : start + len(parts)] = parts
    return tuple(row[: columns.nlevels])
