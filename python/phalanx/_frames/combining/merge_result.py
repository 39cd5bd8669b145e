"""The frame that a merge makes of pairs of rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px
from phalanx.errors import MergeError

from .. import above
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..dtypes import CategoricalDtype
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..operations.common import in_common, in_zone_of
from .merge_keys import Keys, Sides
from .merge_rows import Pairs

INDICATOR = ("left_only", "right_only", "both")


class Joined(NamedTuple):
    """What is put together: both sides, their keys, the labels and the rows of the result.

    ``filled`` are the rows that columns come from, where it is not the pairs themselves.
    """

    sides: Sides
    keys: Keys
    index: Any
    pairs: Pairs
    filled: Pairs | None = None


class Table:
    """Labels and columns of the result, whose keys are filled in one after the other."""

    def __init__(self, joined: Joined, suffixes: Sequence[str | None]) -> None:
        self.joined = joined
        self.index = joined.index
        rows = joined.filled or joined.pairs
        dropped = set(joined.keys.dropped())
        sides = [list(zip(each.columns, each._parts, strict=True)) for each in joined.sides]
        sides[1] = [(label, part) for label, part in sides[1] if label not in dropped]
        self.own = [dict(each) for each in sides]
        left, right = ([label for label, _ in each] for each in sides)
        self.labels = suffixed(left, right, suffixes)
        self.columns = []
        for own, of_side in zip(sides, rows, strict=True):
            places, gone = px.asarray(of_side), bool((of_side < 0).any())
            self.columns += [part.take(places, has_missing=gone) for _, part in own]

    def fill_keys(self) -> None:
        """Keys become columns with a value in each row, of whichever side has it."""
        keys = self.joined.keys
        for i, (name, one, other) in enumerate(
            zip(keys.names, keys.left_on, keys.right_on, strict=True)
        ):
            if not (isinstance(one, str) and isinstance(other, str)) or one == other:
                self._fill(i, name)

    def _fill(self, number: int, name: Any) -> None:
        keys, pairs = self.joined.keys, self.joined.pairs
        left, right = keys.left[number], keys.right[number]
        if name in self.labels:
            where = self.labels.index(name)
            if name in self.own[0]:
                if (pairs.left < 0).any() or _are_other_units(left, right):
                    self.columns[where] = shared(self.own[0][name], right, pairs)
            elif name in self.own[1] and ((pairs.right < 0).any() or _are_other_units(left, right)):
                self.columns[where] = shared(left, self.own[1][name], pairs)
            return
        made = shared(left, right, pairs)
        if name is not None and name in list(self.index.names):
            self._replace_level(name, made)
        else:
            self.labels.insert(number, name or f"key_{number}")
            self.columns.insert(number, made)

    def _replace_level(self, name: Any, made: Column) -> None:
        if self.index.nlevels == 1:
            self.index = index_of(made).rename(name)
            return
        names = list(self.index.names)
        levels = [
            index_of(made) if each == name else self.index.get_level_values(i)
            for i, each in enumerate(names)
        ]
        self.index = MultiIndex.from_arrays(levels, names=names)

    def restore_levels(self) -> None:
        """Levels of both indexes that were keys are the index of the result."""
        keys = self.joined.keys
        names = [
            name
            for name, one, other in zip(keys.names, keys.left_on, keys.right_on, strict=True)
            if one is not None
            and one == other
            and all(_is_level(each, one) for each in self.joined.sides)
            and name not in list(self.index.names)
        ]
        if not names:
            return
        parts = []
        for name in names:
            where = self.labels.index(name)
            parts.append(index_of(self.columns.pop(where)).rename(name))
            self.labels.pop(where)
        self.index = parts[0] if len(parts) == 1 else MultiIndex.from_arrays(parts, names=names)

    def frame(self) -> Any:
        """The frame of it all."""
        left, right = self.joined.sides
        labels = index_of(self.labels) if self.labels else left.columns._slice(slice(0, 0))
        if list(left.columns.names) == list(right.columns.names) == list(labels.names):
            pass
        elif list(left.columns.names) == list(right.columns.names):
            labels = labels.set_names(list(left.columns.names))
        made = above.DataFrame._of(self.columns, self.index, labels)
        if left.attrs and left.attrs == right.attrs:
            made.attrs = dict(left.attrs)
        return made


def _is_level(frame: Any, label: Any) -> bool:
    return label in list(frame.index.names) and label not in frame.columns


def _are_other_units(left: Column, right: Column) -> bool:
    return left.dtype.kind == right.dtype.kind == "M" and left.dtype != right.dtype


def taken(column: Column, rows: Any) -> Column:
    """The rows of a column, a missing one for -1."""
    return column.take(px.asarray(rows), has_missing=bool((rows < 0).any()))


def shared(left: Column, right: Column, pairs: Pairs) -> Column:
    """A key's column: of the left side where it has the row, else of the right side."""
    is_left = pairs.left >= 0
    alone = len(is_left) and bool((pairs.right < 0).all())
    if alone or (is_left.all() and not _are_other_units(left, right)):
        return taken(left, pairs.left)
    if not is_left.any() and len(is_left):
        return taken(right, pairs.right)
    one, other = in_common([left, in_zone_of(right, left)])
    both = one.joined([other])
    return taken(both, np.where(is_left, pairs.left, pairs.right + len(left)))


def suffixed(left: list[Any], right: list[Any], suffixes: Sequence[str | None]) -> list[Any]:
    """The labels of both sides, told apart. Raises ValueError, MergeError where they are not."""
    if not isinstance(suffixes, (list, tuple)):
        raise TypeError(f"Passing 'suffixes' as a {type(suffixes)}, is not supported: a pair")
    overlap = set(left) & set(right)
    if not overlap:
        return left + right
    if len(suffixes) != 2:
        raise ValueError(f"suffixes are two, not {len(suffixes)}")
    if not suffixes[0] and not suffixes[1]:
        raise ValueError(f"columns overlap but no suffix specified: {sorted(overlap, key=str)}")
    made = [
        [f"{each}{suffix}" if each in overlap and suffix is not None else each for each in labels]
        for labels, suffix in zip((left, right), suffixes, strict=True)
    ]
    wrong: set[Any] = set()
    for labels, before, other in ((made[0], left, right), (made[1], right, left)):
        wrong |= {each for each in labels if labels.count(each) > before.count(each) > 0} - {
            each for each in before if before.count(each) > 1
        }
        wrong |= {
            each for each in labels if each not in before and labels.count(each) > 1
        } - overlap
        wrong |= {each for each in labels if each in other and each not in overlap}
    repeated = {each for labels in (left, right) for each in labels if labels.count(each) > 1}
    wrong -= {f"{each}{suffix}" for each in repeated for suffix in suffixes}
    if wrong:
        raise MergeError(
            f"Passing 'suffixes' which cause duplicate columns {wrong} is not allowed."
        )
    return made[0] + made[1]


def indicator_label(indicator: Any, sides: Sides) -> str | None:
    """The label of the indicator, None without one. Raises ValueError where it is a column."""
    if not isinstance(indicator, (bool, str)):
        raise ValueError("indicator option can only accept boolean or string arguments")
    if not indicator:
        return None
    label = indicator if isinstance(indicator, str) else "_merge"
    labels = {*sides[0].columns, *sides[1].columns}
    if label in labels:
        raise ValueError("Cannot use name of an existing column for indicator column")
    for each in ("_left_indicator", "_right_indicator"):
        if each in labels:
            raise ValueError(
                f"Cannot use `indicator=True` option when data contains a column named {each}"
            )
    return label


def indicator_column(pairs: Pairs) -> Column:
    """Which side a row is from, as categories."""
    codes = np.where(pairs.right < 0, 0, np.where(pairs.left < 0, 1, 2)).astype(np.int8)
    return CategoryColumn(px.asarray(codes), CategoricalDtype(column_of(list(INDICATOR))))
