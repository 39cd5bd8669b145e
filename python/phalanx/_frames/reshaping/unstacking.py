"""`unstack`: labels of a level of the rows become labels of columns."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import OBJECT, NullableDtype
from ..indexes.index import Index
from ..indexes.level_keys import combined
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level
from ..missing import is_missing
from ..relabelling.reindexing import taken_or_filled
from ..selection.placing import held
from .stacking import no_values, values_below


def numbered(keys: np.ndarray, *, sort: bool) -> tuple[np.ndarray, np.ndarray]:
    """The number of each key among the different ones, and the first row of each of these.

    They are numbered by size, or in the order in which they are met.
    """
    codes, count, firsts = engine.group_rows([("values", keys, None)], False)
    codes, firsts = np.asarray(codes), np.asarray(firsts)
    if not sort or count < 2:
        return codes.astype(np.int64), firsts
    order = np.argsort(keys[firsts], kind="stable")
    if (order[1:] > order[:-1]).all():
        return codes.astype(np.int64), firsts
    places = np.empty(count, np.int64)
    places[order] = np.arange(count)
    return places[codes], firsts[order]


class Unstacker:
    """Where the rows of an index of levels go if one level becomes columns.

    Rows of the result are the different labels of the other levels, columns those of the level,
    missing ones first. Raises ValueError where two rows would go to one place.
    """

    def __init__(self, index: Any, number: int, *, sort: bool) -> None:
        self.full = index._levels[number]
        index = index.remove_unused_levels()
        self.name = index._names[number]
        self.rest = index._of_numbers([i for i in range(index.nlevels) if i != number])
        self.sort = sort
        codes = index._codes[number]
        self.labels = index._levels[number]
        self.has_missing = bool((codes < 0).any())
        self.missing_place = 0
        self.columns = self._columns_of(codes)
        self.width = len(self.labels) + self.has_missing
        self.rows, self.firsts = self._rows_of()
        self.height = len(self.rest._levels[0]) if self.firsts is None else len(self.firsts)
        self._check()

    def _rows_of(self) -> tuple[np.ndarray, np.ndarray | None]:
        """The row of each entry, and the first entry of each row: None where rows are labels."""
        codes = self.rest._codes
        if self.sort and len(codes) == 1 and len(codes[0]) and codes[0].min() >= 0:
            return codes[0], None
        return numbered(combined([each + 1 for each in codes], self.rest._sizes()), sort=self.sort)

    def _columns_of(self, codes: np.ndarray) -> np.ndarray:
        """The column of each row; `labels` are those of the columns then."""
        if self.sort:
            return codes + self.has_missing
        columns, firsts = numbered(codes, sort=False)
        met = codes[firsts]
        if self.has_missing:
            self.missing_place = int(np.flatnonzero(met < 0)[0])
        self.labels = self.labels._take(met[met >= 0])
        self.full = self.labels
        return columns

    def _check(self) -> None:
        count = len(self.columns)
        if count > self.width * self.height or not (
            self._step or (self.places.reshape(-1)[self.selector] == np.arange(count)).all()
        ):
            raise ValueError("Index contains duplicate entries, cannot reshape")

    @cached_property
    def selector(self) -> np.ndarray:
        """The place of each row in the result, column after column."""
        return np.asarray(self.columns * self.height + self.rows)

    @cached_property
    def is_full(self) -> bool:
        """True if each place of the result has a row."""
        return len(self.columns) == self.height * self.width

    @cached_property
    def places(self) -> np.ndarray:
        """For each column of the result its rows, -1 where there is none."""
        made = np.full(self.height * self.width, -1, np.int64)
        made[self.selector] = np.arange(len(self.selector))
        return made.reshape(self.width, self.height)

    @cached_property
    def _step(self) -> int:
        """1 or more where each column is every `width`-th row, from its number on; else 0."""
        if not self.is_full or not len(self.columns):
            return 0
        shape = self.height, self.width
        across = (self.columns.reshape(shape) == np.arange(self.width)).all()
        down = across and (self.rows.reshape(shape) == np.arange(self.height)[:, None]).all()
        return self.width if down else 0

    def values(self, column: Column, fill_value: Any) -> list[Column]:
        """The columns that a column becomes."""
        step = self._step
        if step:
            return [column.slice(slice(i, None, step)) for i in range(self.width)]
        if self.is_full and self.width:
            return [column.take(px.asarray(each)) for each in self.places]
        column, fill = promoted(column, fill_value)
        return [taken_or_filled(column, each, fill) for each in self.places]

    def index(self) -> Index:
        """The labels of the rows of the result."""
        if self.firsts is None:
            return self.rest._levels[0]._named(self.rest._names[0])  # type: ignore[no-any-return]
        made: Any = self.rest._take(self.firsts)
        return made if made.nlevels > 1 else made._level_values(0)  # type: ignore[no-any-return]

    def column_labels(self) -> Index:
        """The labels of the level as those of columns."""
        labels = self.labels
        if self.has_missing:
            labels = labels.insert(self.missing_place, labels._no_bound())
        return labels._named(self.name)  # type: ignore[no-any-return]

    def labels_below(self, columns: Any) -> Index:
        """The labels of columns, and below each those of the level."""
        count = len(columns)
        if columns.nlevels > 1:
            outer, names = columns._parts(), list(columns.names)
        else:
            outer, names = [Level(columns, np.arange(count))], [columns.name]
        outer = [Level(each.labels, np.repeat(each.codes, self.width)) for each in outer]
        codes = self.full.get_indexer(self.labels)
        if self.has_missing:
            codes = np.insert(codes, self.missing_place, -1)
        inner = Level(self.full, np.tile(codes, count))
        return MultiIndex._of_levels([*outer, inner], [*names, self.name])


def promoted(column: Column, fill: Any) -> tuple[Column, Any]:
    """A column that can have a value in rows that are not there, and the value in its dtype."""
    dtype: Any = column.dtype
    if is_missing(fill):
        plain = isinstance(column, NumberColumn)
        return (column._able_to_miss() if plain else column), np.nan  # type: ignore[attr-defined]
    if isinstance(dtype, NullableDtype):
        return column, _in_nullable(dtype, fill)
    if not isinstance(column, NumberColumn):
        return column, fill
    if dtype.kind in "iuf" and isinstance(fill, (int, float, np.number)) and fill is not True:
        if _holds(dtype, fill):
            return column, dtype.type(fill)
        return column.astype(np.promote_types(dtype, np.min_scalar_type(fill))), fill
    if column_of([fill]).dtype.kind == dtype.kind:
        return column, fill
    if dtype.kind in "mM":
        raise TypeError(f"fill_value {fill!r} is no value of dtype {dtype}")
    return column.astype(OBJECT), fill


def _in_nullable(dtype: NullableDtype, fill: Any) -> Any:
    one = column_of([fill])
    if dtype.kind == "b" and one.dtype.kind in "iu" and fill in (0, 1):
        return bool(fill)
    return held(dtype, one, fill).element(0)


def _holds(dtype: np.dtype, value: Any) -> bool:
    if dtype.kind == "f":
        return True
    bounds = np.iinfo(dtype)
    return bool(value == value // 1 and bounds.min <= value <= bounds.max)


def unstacked_frame(frame: Any, number: int, fill_value: Any, *, sort: bool) -> Any:
    """A frame in which a level of the rows is the last level of the columns."""
    made = Unstacker(frame.index, number, sort=sort)
    parts = [each for column in frame._parts for each in made.values(column, fill_value)]
    return above.DataFrame._of(parts, made.index(), made.labels_below(frame.columns))


def unstacked_series(series: Any, number: int, fill_value: Any, *, sort: bool) -> Any:
    """A frame whose columns are the labels of a level."""
    made = Unstacker(series.index, number, sort=sort)
    parts = made.values(series._parts[0], fill_value)
    return above.DataFrame._of(parts, made.index(), made.column_labels())


def unstacked(obj: Any, level: Any, fill_value: Any, sort: bool) -> Any:
    """What ``unstack`` gives. Raises KeyError, IndexError for levels that are not there."""
    index = obj.index
    if isinstance(level, (list, tuple)) and level not in list(index.names):
        if len(level) != 1:
            return _several(obj, list(level), fill_value, sort)
        level = level[0]
    number = index._level_number(level)
    if obj.ndim == 1:
        if index.nlevels == 1:
            raise ValueError(f"index must be a MultiIndex to unstack, {type(index)} was passed")
        return unstacked_series(obj, number, fill_value, sort=sort)
    if index.nlevels == 1:
        return _all_below(obj)
    return unstacked_frame(obj, number, fill_value, sort=sort)


def _all_below(frame: Any) -> Any:
    """The columns one after another: what a frame is if its only level of rows is unstacked."""
    columns, index = frame.columns, frame.index
    if columns.nlevels > 1:
        outer, names = columns._parts(), list(columns.names)
    else:
        codes, labels = columns.factorize(use_na_sentinel=False)
        outer, names = [Level(labels, codes)], [columns.name]
    if not index.is_unique:
        raise ValueError("Columns with duplicate values are not supported in stack")
    codes, labels = index.factorize(use_na_sentinel=False)
    count, height = len(columns), len(index)
    levels = [Level(each.labels, np.repeat(each.codes, height)) for each in outer]
    levels.append(Level(labels, np.tile(codes, count)))
    made = MultiIndex._of_levels(levels, [*names, index.name])
    # pandas stacks the frame turned round, which of no rows has no columns and so no dtypes.
    values = values_below(frame._parts) if height else no_values([])
    return above.Series._of(values, made, None)


def _several(obj: Any, level: list[Any], fill_value: Any, sort: bool) -> Any:
    """Several levels together: their combinations come in the order in which they are met."""
    index = obj.index
    if not level:
        return obj
    numbers = [index._level_number(each) for each in level]
    if obj.ndim == 2 and obj.columns.nlevels > 1:
        return _one_by_one(obj, numbers, fill_value, sort)
    chosen = index._of_numbers(numbers)
    codes, firsts = numbered(combined([e + 1 for e in chosen._codes], chosen._sizes()), sort=False)
    met = chosen._take(firsts)
    rest = [i for i in range(index.nlevels) if i not in numbers]
    if not rest:
        return _all_levels(obj, codes, met)
    levels = [Level(index._levels[i], index._codes[i]) for i in rest]
    levels.append(Level(index_of(np.arange(len(firsts))), codes))
    names = [*(index._names[i] for i in rest), None]
    dummy = obj._with(list(obj._parts), MultiIndex._of_levels(levels, names))
    if obj.ndim == 1:
        made = unstacked_series(dummy, len(rest), fill_value, sort=sort)
        made.columns = met._take(made.columns.to_numpy())
        return made
    made = unstacked_frame(dummy, len(rest), fill_value, sort=sort)
    outer, inner = made.columns._parts()
    rows = inner.labels.to_numpy()[inner.codes]
    parts = [Level(each.labels, each.codes[rows]) for each in met._parts()]
    made.columns = MultiIndex._of_levels([outer, *parts], [obj.columns.name, *met.names])
    return made


def _all_levels(obj: Any, codes: np.ndarray, met: Any) -> Any:
    """All levels become columns: one row of them, which is a series."""
    if obj.ndim == 1:
        raise ValueError(f"index must be a MultiIndex to unstack, {Index} was passed")
    if len(met) < len(codes):
        raise ValueError("Index contains duplicate entries, cannot reshape")
    made = _all_below(obj._with(list(obj._parts), index_of(codes)))
    outer, inner = made.index._parts()
    rows = inner.labels.to_numpy()[inner.codes]
    parts = [Level(each.labels, each.codes[rows]) for each in met._parts()]
    made.index = MultiIndex._of_levels([outer, *parts], [obj.columns.name, *met.names])
    return made


def _one_by_one(frame: Any, numbers: list[int], fill_value: Any, sort: bool) -> Any:
    while numbers:
        number = numbers.pop(0)
        frame = unstacked(frame, number, fill_value, sort)
        numbers = [each if each < number else each - 1 for each in numbers]
    return frame
