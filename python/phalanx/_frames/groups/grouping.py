"""Which group each row is in, and the groups' labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

import phalanx as px

from .. import engine
from ..columns.categories import CategoryColumn, code_dtype
from ..columns.column import Column
from ..columns.inference import infer
from ..columns.objects import ObjectColumn
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level, level_of
from .keys import Key


class Grouping:
    """The groups of the rows of some key columns.

    Groups are in the order of their keys, or, where they are not sorted, of their first rows.
    The engine numbers them as they are met: `raw` has these numbers for the rows, -1 for rows that
    are in no group as a key is missing, and `order` the number of each group, None where it is
    its place. So that results, of which there are fewer than rows, are what is put in order.
    These are arrays of NumPy, or of the GPU that has the keys; what needs them on the host asks
    for `codes`, `rows` and the like.
    """

    def __init__(self, keys: Sequence[Key], *, sort: bool, dropna: bool) -> None:
        self._begin(keys, sort=sort, dropna=dropna)
        self.order: engine.Array | None = None
        hidden = [each for each in keys if has_unobserved(each)]
        if hidden:
            self._group_all(hidden)
        else:
            self._group()

    def _begin(
        self, keys: Sequence[Key], *, sort: bool, dropna: bool, labels: list[Column] | None = None
    ) -> None:
        """What every kind of groups has, however it finds them."""
        self.keys = list(keys)
        self.names = [each.name for each in keys]
        self.sort = sort
        self.dropna = bool(dropna)  # None is no, as in pandas
        self._labels = labels

    def _group(self) -> None:
        columns = [each.column for each in self.keys]
        keys = [each.key() for each in columns]
        self.raw, self.count, self.firsts = engine.group_rows(keys, self.dropna)
        if self.sort and self.count > 1:
            order = sorted_rows([each.take(px.asarray(self.firsts)) for each in columns])
            if (order[1:] < order[:-1]).any():
                self.order = order
                self.firsts = self.firsts[order]

    def _group_all(self, hidden: list[Key]) -> None:
        """Also the groups that no row is in: all combinations with the categories."""
        seen = [each for each in self.keys if not has_unobserved(each)]
        numbers, count, parts = np.zeros(len(hidden[0].column), np.int64), 1, []
        labels: dict[int, Column] = {}
        if seen:
            inner = Grouping(seen, sort=self.sort, dropna=self.dropna)
            numbers, count = inner.codes.astype(np.int64), inner.count
            labels |= {id(key): each for key, each in zip(seen, inner.labels(), strict=True)}
        for key in hidden:
            codes, column = _categories(key.column, sort=self.sort, dropna=self.dropna)
            gone = (numbers < 0) | (codes < 0)
            numbers = np.where(gone, -1, numbers * len(column) + codes)
            parts.append((key, column))
            count *= len(column)
        rows = np.arange(count)
        for key, column in reversed(parts):
            labels[id(key)] = column.take(px.asarray(rows % len(column)))
            rows = rows // len(column)
        for key in seen:
            labels[id(key)] = labels[id(key)].take(px.asarray(rows))
        found = [labels[id(each)] for each in self.keys]
        order = np.arange(count)
        if self.sort or seen:
            order = self._order_of_all(numbers, count, found)
        places = np.empty(count + 1, np.int64)
        places[order], places[-1] = np.arange(count), -1
        self.raw, self.count = places[numbers], count
        self._labels = [each.take(px.asarray(order)) for each in found]

    def _order_of_all(self, numbers: np.ndarray, count: int, labels: list[Column]) -> Any:
        if self.sort:
            return sorted_rows(labels)
        _, _, firsts = engine.group_rows([("codes", numbers, None)], True)
        met = numbers[firsts]
        return np.concatenate([met, np.delete(np.arange(count), met)])

    def aggregated(self, wanted: list[Any]) -> list[Column] | None:
        """What is wanted of each group, of groups that are found part by part; else None."""
        return None

    def aggregate(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The engine's numbers for each group."""
        return engine.aggregate(self.raw, self.count, requests)

    @property
    def any_values(self) -> engine.Array:
        """Values as many as rows, for requests that do not look at them."""
        return self.raw

    # Rows.

    @cached_property
    def placed_codes(self) -> engine.Array:
        """The place of each row's group, -1 for rows that are in none, where the keys are."""
        if self.order is None:
            return self.raw
        return engine.places_of(self.order, self.raw.dtype)[self.raw]

    @cached_property
    def codes(self) -> np.ndarray:
        """The same on the host."""
        return np.asarray(self.placed_codes)

    @cached_property
    def has_dropped(self) -> bool:
        """True if a row is in no group."""
        return bool(len(self.raw)) and bool(self.raw.min() < 0)

    @cached_property
    def wide_codes(self) -> Any:
        """The codes as positions that columns take."""
        return px.asarray(self.placed_codes.astype(np.int64, copy=False))

    @cached_property
    def sizes(self) -> np.ndarray:
        """How many rows each group has."""
        return np.diff(self.bounds)

    @cached_property
    def _arranged(self) -> tuple[np.ndarray, np.ndarray]:
        rows, bounds = engine.rows_by_group(self.placed_codes, self.count)
        found = np.asarray(bounds)
        return np.asarray(rows)[: found[-1] if len(found) else 0], found

    @property
    def rows(self) -> np.ndarray:
        """The rows that are in groups, one group's after another's."""
        return self._arranged[0]

    @property
    def bounds(self) -> np.ndarray:
        """Where the groups begin in `rows`, and where the last one ends."""
        return self._arranged[1]

    # Results.

    def arrange(self, column: Column) -> Column:
        """Results of the engine's groups in the groups' order."""
        return column if self.order is None else column.take(px.asarray(self.order))

    def spread(self, column: Column) -> Column:
        """For each row what there is of its group; missing for rows that are in none."""
        return column.take(self.wide_codes, has_missing=self.has_dropped)

    def labels(self) -> list[Column]:
        """The keys of the groups, a column for each."""
        if self._labels is None:
            firsts = px.asarray(self.firsts)
            self._labels = [_labels_of(each.column, firsts) for each in self.keys]
        return self._labels

    @cached_property
    def index(self) -> Index:
        """The groups' labels: an index of them, of levels where there are several keys."""
        labels = self.labels()
        if len(labels) == 1:
            only: Index = index_of(labels[0], tuples=False).rename(self.names[0])
            return only
        return MultiIndex._of_levels([_level(each) for each in labels], self.names)


def _level(column: Column) -> Level:
    """A level of the labels of some rows: the engine finds which are different, and their order."""
    if isinstance(column, (CategoryColumn, ObjectColumn)):
        return level_of(index_of(column, tuples=False))
    codes, _, firsts = engine.group_rows([column.key()], True)
    different = column.take(px.asarray(firsts))
    order = sorted_rows([different])
    labels = index_of(different.take(px.asarray(order)), tuples=False)
    return Level(labels, np.asarray(engine.places_of(order, np.dtype(np.int64))[codes]))


def _labels_of(column: Column, rows: Any) -> Column:
    """The keys at some rows; objects in the dtype that fits all that there are, as in pandas."""
    labels = column.take(rows)
    if not isinstance(column, ObjectColumn):
        return labels
    dtype = infer(column.objects[~column.missing_rows()]).dtype
    found = infer(labels.to_numpy())
    return found if dtype.kind == "O" else found.astype(dtype)


def has_unobserved(key: Key) -> bool:
    """True for categories of which those that no row has make groups too."""
    return not key.observed and isinstance(key.column, CategoryColumn)


def _categories(column: Any, *, sort: bool, dropna: bool) -> tuple[np.ndarray, Column]:
    """The codes of the rows of categories, and a column of a row for each code.

    Without an order the categories that are met come first; a missing row is a category too where
    they are kept.
    """
    codes = np.asarray(column.codes).astype(np.int64)
    every = np.arange(len(column.dtype.values))
    if not dropna and (codes < 0).any():
        every = np.append(every, -1)
        codes = np.where(codes < 0, len(every) - 1, codes)
    if not sort:
        _, _, firsts = engine.group_rows([("codes", codes, None)], True)
        met = codes[firsts]
        order = np.concatenate([met, np.delete(np.arange(len(every)), met)])
        places = np.empty(len(every) + 1, np.int64)
        places[order], places[-1] = np.arange(len(every)), -1
        codes, every = places[codes], every[order]
    small = every.astype(code_dtype(len(every)))
    return codes, CategoryColumn(px.asarray(small), column.dtype)


def sorted_rows(columns: Sequence[Column]) -> engine.Array:
    """The rows of some columns in the order of their values, missing ones last."""
    return engine.order_rows([ordered_key(each) for each in columns])


def ordered_key(column: Column) -> Any:
    """The key of a column whose order is that of the values."""
    if not isinstance(column, ObjectColumn):
        return column.key()
    gone = column.missing_rows()
    values = [each for each, is_gone in zip(column.objects, gone, strict=True) if not is_gone]
    try:
        places = {value: place for place, value in enumerate(sorted(set(values)))}
    except TypeError:  # They have no order together: numbers are before texts, as in pandas.
        places = _places_of_mixed(values)
    codes = [
        -1 if is_gone else places[each] for each, is_gone in zip(column.objects, gone, strict=True)
    ]
    return "codes", np.array(codes, np.int64), None


def _places_of_mixed(values: list[Any]) -> dict[Any, int]:
    texts = sorted({each for each in values if isinstance(each, str)})
    others = [each for each in dict.fromkeys(values) if not isinstance(each, str)]
    try:
        others = sorted(others)
    except TypeError:
        return {value: place for place, value in enumerate(dict.fromkeys(values))}
    return {value: place for place, value in enumerate([*others, *texts])}
