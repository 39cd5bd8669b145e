"""Groups' keys as labels of rows and of columns, in the order that pivot tables have."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level, level_of
from ..indexes.orders import safe_order
from .unstacking import unstacked


class Ranks:
    """The labels of the levels of an index, each by its rank: missing ones are a label as others.

    Ranks are by the labels' order, missing ones last, or as `met` lists the labels of each level.
    """

    def __init__(self, index: Any, met: list[Any] | None) -> None:
        self.names = list(index.names)
        self.labels: list[Any] = []
        levels = []
        for i in range(index.nlevels):
            values = index._level_values(i)
            labels = _in_order(values) if met is None else met[i]
            used, codes = np.unique(labels.get_indexer(values), return_inverse=True)
            labels = labels._take(used)
            self.labels.append(labels)
            levels.append(Level(index_of(np.arange(len(labels))), codes))
        self.index = MultiIndex._of_levels(levels, [None] * index.nlevels)

    def level(self, number: int, ranks: Any) -> Level:
        """The labels of a level that some ranks are of."""
        found = level_of(self.labels[number])
        return Level(found.labels, found.codes[np.asarray(ranks)])

    def labelled(self, ranks: Any, numbers: list[int]) -> Index:
        """The labels of ranks of some levels, which are the last of an index."""
        parts = ranks._parts() if ranks.nlevels > 1 else [Level(ranks, np.arange(len(ranks)))]
        outer = parts[: len(parts) - len(numbers)]
        values = [np.asarray(each.labels.to_numpy())[each.codes] for each in parts[len(outer) :]]
        if len(parts) == 1:
            made: Index = self.labels[numbers[0]]._take(values[0])._named(self.names[numbers[0]])
            return made
        levels = [self.level(number, each) for number, each in zip(numbers, values, strict=True)]
        names = list(ranks.names)[: len(outer)] + [self.names[number] for number in numbers]
        return MultiIndex._of_levels([*outer, *levels], names)


def _in_order(labels: Any) -> Any:
    """Different labels in order, missing ones last."""
    made = labels.unique()
    return made._take(safe_order(made))


def arranged(found: Any, wanted: Any, met: list[Any] | None) -> Any:
    """Groups under the keys of rows, with those of columns as levels of the columns.

    `met` has the labels of each key in the order in which they come, or is None: they are sorted.
    """
    first, count = len(wanted.down), len(wanted.down) + len(wanted.across)
    across = list(range(first, count)) if first and count > 1 else []
    if count < 2:
        return _columns_in_order(found, wanted)
    ranks = Ranks(found.index, met)
    table = found._with(list(found._parts), ranks.index)
    if across:
        table = unstacked(table, across, wanted.fill_value, True)
    if not wanted.dropna:
        table = _all_combinations(table, wanted.fill_value)
    table = _columns_in_order(table, wanted)
    down = [i for i in range(count) if i not in across]
    made = table._with(list(table._parts), ranks.labelled(table.index, down))
    if across and made.ndim == 2:
        made.columns = ranks.labelled(table.columns, across)
    return made


def _columns_in_order(table: Any, wanted: Any) -> Any:
    return table.sort_index(axis=1) if wanted.sort and table.ndim == 2 else table


def _all_combinations(table: Any, fill_value: Any) -> Any:
    missing = np.nan if fill_value is None else fill_value
    for axis in range(table.ndim):
        labels = table.axes[axis]
        if labels.nlevels > 1:
            every = MultiIndex.from_product(labels.levels, names=labels.names)
            table = table.reindex(every, axis=axis, fill_value=missing)
    return table
