"""Levels and codes of tuples, arrays and products."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import above
from ..dtypes import CategoricalDtype
from .labels import Labels
from .orders import try_sort


class Level(NamedTuple):
    """The different labels of a level, and for each row the position of its label: -1 where it
    is missing.
    """

    labels: Any
    codes: np.ndarray


def level_of(data: Any) -> Level:
    """A level of the labels of all rows: those that are there, in order if they have one."""
    index = above.index_of(data, tuples=False)
    if isinstance(index.dtype, CategoricalDtype):
        categories = Labels._of(index._column).categories
        every = above.index_of(categories)._to_dtype(CategoricalDtype(categories, index.ordered))
        return Level(every._named(index.name), index.codes.astype(np.int64))
    labels = try_sort(index.drop_duplicates().dropna(), None)
    positions, keys = labels._meet(index)
    return Level(labels._named(index.name), positions.first(keys))


def levels_of_tuples(tuples: Sequence[tuple[Any, ...]]) -> list[Level]:
    """The levels of rows given as tuples; short ones miss their last labels."""
    count = max(map(len, tuples))
    if all(len(each) == count for each in tuples):
        columns = list(zip(*tuples, strict=True))
    else:
        columns = list(
            zip(*(tuple(each) + (np.nan,) * (count - len(each)) for each in tuples), strict=True)
        )
    return [level_of(list(each)) for each in columns]


def product(levels: Sequence[Level]) -> list[np.ndarray]:
    """The codes of all combinations of the rows of some levels, the last changing fastest."""
    counts = [len(each.codes) for each in levels]
    total = int(np.prod(counts, dtype=np.int64))
    made, before = [], 1
    for level, count in zip(levels, counts, strict=True):
        after = total // (before * count) if total else 0
        made.append(np.tile(np.repeat(level.codes, after), before))
        before *= count
    return made


def code_dtype(count: int) -> np.dtype:
    """The dtype that pandas shows codes of that many labels in."""
    for bits in (8, 16, 32):
        if count < 2 ** (bits - 1):
            return np.dtype(f"int{bits}")
    return np.dtype(np.int64)


def merged(parts: Sequence[Level]) -> Level:
    """One level for the rows of several, one after the other."""
    labels = parts[0].labels
    for each in parts[1:]:
        if labels is not each.labels and not labels.equals(each.labels):
            mine, theirs = labels._met(each.labels)
            known, keys = mine._meet(theirs)
            labels = mine._joined([theirs._take(np.flatnonzero(known.first(keys) < 0))])
    codes = []
    for each in parts:
        if each.labels is labels:
            codes.append(each.codes)
            continue
        positions, keys = labels._meet(each.labels)
        # The last element is what -1 finds.
        codes.append(np.append(positions.first(keys), -1)[each.codes])
    return Level(labels, np.concatenate(codes))
