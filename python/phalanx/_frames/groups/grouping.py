"""Which group each row is in, and the groups' labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px
from phalanx import _engine

from ..building.columns import column_from, is_series
from ..building.kinds import is_list_like
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.objects import ObjectColumn
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex


class Grouping:
    """The groups of the rows of some key columns.

    `codes` has the number of each row's group, -1 for rows that are in none as a key is missing;
    `firsts` the first row of each group. Groups are in the order of their keys, or, where they are
    not sorted, of their first rows.
    """

    def __init__(
        self, keys: Sequence[Column], names: list[Any], *, sort: bool, dropna: bool
    ) -> None:
        self.keys = list(keys)
        self.names = names
        codes, count, firsts = _engine.frames.group_rows([each.key() for each in keys], dropna)
        self.count: int = count
        self.codes = np.asarray(codes)
        self.firsts = np.asarray(firsts)
        if sort and self.count > 1:
            self._sort()

    def _sort(self) -> None:
        firsts = px.asarray(self.firsts)
        order = np.asarray(
            _engine.frames.order_rows([_ordered(each.take(firsts)) for each in self.keys])
        )
        places = np.empty(self.count, self.codes.dtype)
        places[order] = np.arange(self.count, dtype=self.codes.dtype)
        self.codes = np.where(self.codes >= 0, places[self.codes], -1).astype(self.codes.dtype)
        self.firsts = self.firsts[order]

    def labels(self) -> list[Column]:
        """The keys of the groups, a column for each."""
        firsts = px.asarray(self.firsts)
        return [each.take(firsts) for each in self.keys]

    def index(self) -> Index:
        """The groups' labels: an index of them, of levels where there are several keys."""
        made = [index_of(each) for each in self.labels()]
        if len(made) == 1:
            only: Index = made[0].rename(self.names[0])
            return only
        return MultiIndex.from_arrays(made, names=self.names)


def _ordered(column: Column) -> Any:
    """The key of a column whose order is that of the values."""
    if not isinstance(column, ObjectColumn):
        return column.key()
    values = column.tolist()
    try:
        places = {value: place for place, value in enumerate(sorted(set(values)))}
    except TypeError:  # they have no order: that of the first rows
        return "values", np.arange(len(values)), None
    return "values", np.array([places[each] for each in values], np.int64), None


def keys_of(frame: Any, by: Any) -> tuple[list[Column], list[Any], list[Any]]:
    """The key columns that ``by`` names: columns, their names, and the labels of the frame's own.

    Raises KeyError for a label that is no column, ValueError for arrays of another length, and
    NotImplementedError for functions and dicts.
    """
    several = by if isinstance(by, list) else [by]
    if isinstance(by, np.ndarray) or is_series(by):
        several = [by]
    keys, names, own = [], [], []
    for each in several:
        if hasattr(each, "key_column"):  # a Grouper
            column, name, label = each.key_column(frame)
            keys.append(column)
            names.append(name)
            own.append(label)
            continue
        if callable(each) or isinstance(each, dict):
            raise NotImplementedError(
                f"groupby: {type(each).__name__} as keys; map() gives a column"
            )
        if is_series(each):
            keys.append(each.reindex(frame.index)._parts[0])
            names.append(each.name)
        elif is_list_like(each) and not isinstance(each, tuple):
            column = column_from(each)
            if len(column) != len(frame):
                raise ValueError(
                    f"Grouper and axis must be same length: {len(column)} keys, {len(frame)} rows"
                )
            keys.append(column)
            names.append(None)
        else:
            keys.append(frame[each]._parts[0])
            names.append(each)
            own.append(each)
    if not keys:
        raise ValueError("No group keys passed!")
    return keys, names, own


def refuse_unobserved(keys: Sequence[Column], observed: bool) -> None:
    """Raises NotImplementedError where groups without rows are wanted."""
    if not observed and any(isinstance(each, CategoryColumn) for each in keys):
        raise NotImplementedError("groupby: observed=False, groups of categories without rows")
