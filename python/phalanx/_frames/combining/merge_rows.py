"""Which rows of two frames are put together, and under which labels."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import engine
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.objects import ObjectColumn
from ..dtypes import CategoricalDtype
from ..indexes.ranges import RangeIndex
from ..ordering.keys import ordered_rows, rows_by
from .merge_keys import Keys, Request, Sides, comparable


class Pairs(NamedTuple):
    """Rows of both sides, -1 where there is no partner: where the keys are."""

    left: engine.Array
    right: engine.Array

    def at(self, chosen: engine.Array) -> Pairs:
        """Some of the pairs."""
        return Pairs(self.left[chosen], self.right[chosen])


def all_pairs(left: int, right: int) -> Pairs:
    """Each left row with each right one."""
    return Pairs(np.repeat(np.arange(left), right), np.tile(np.arange(right), left))


def engine_keys(left: Column, right: Column) -> tuple[Any, Any]:
    """Two columns of one dtype as the engine takes them, equal values alike."""
    if not isinstance(left, (CategoryColumn, ObjectColumn)):
        return left.key(), right.key()
    # The numbers of such values mean the same within one column only.
    kind, codes, mask = left.joined([right]).key()
    count = len(left)
    return (kind, codes[:count], mask), (kind, codes[count:], mask)


def keys_for_engine(keys: Keys) -> tuple[list[Any], list[Any]]:
    """The keys of both sides. Raises ValueError where two are never equal."""
    left: list[Any] = []
    right: list[Any] = []
    for one, other, name in zip(keys.left, keys.right, keys.names, strict=True):
        for listed, key in zip(
            (left, right), engine_keys(*comparable(one, other, name)), strict=True
        ):
            listed.append(key)
    return left, right


def joined_rows(
    sides: Sides, keys: Keys, request: Request, how: str, sort: bool
) -> tuple[Any, Pairs]:
    """The index and the pairs of rows of a merge."""
    kind = how.removesuffix("_anti")
    if request.left_index and request.right_index:
        index, pairs = _by_indexes(sides, kind, sort)
    else:
        pairs = _by_keys(keys, kind)
        if sort and how != "outer":
            pairs = pairs.at(_order(keys, pairs, kind))
        index = joined_index(sides, pairs, request, kind)
    if how == kind:
        return index, pairs
    alone = np.flatnonzero((pairs.right if kind == "left" else pairs.left) < 0)
    return index._take(alone), pairs.at(alone)


def _by_indexes(sides: Sides, how: str, sort: bool) -> tuple[Any, Pairs]:
    index, left, right = sides[0].index.join(
        sides[1].index, how=how, return_indexers=True, sort=sort or how == "outer"
    )
    every = np.arange(len(index))
    if index.nlevels == sides[0].index.nlevels == sides[1].index.nlevels == 1:
        # Indexes that are joined lose names that differ; frames keep that of one side.
        index = index.rename(sides[how == "right"].index.name)
    return index, Pairs(
        every if left is None else np.asarray(left, np.int64),
        every if right is None else np.asarray(right, np.int64),
    )


def _by_keys(keys: Keys, how: str) -> Pairs:
    pairs = Pairs(*engine.join_rows(*keys_for_engine(keys), how))
    if how == "outer" and any(map(_begins_with_missing, keys.left, keys.right)):
        return pairs.at(_outer_order(keys, pairs))
    return pairs


def _begins_with_missing(one: Column, other: Column) -> bool:
    """True for keys that pandas orders as numbers of which the missing one is the least."""
    if one.dtype != other.dtype or not (one.has_missing() or other.has_missing()):
        return False
    return one.dtype.kind in "mM" or isinstance(one.dtype, CategoricalDtype)


def _outer_order(keys: Keys, pairs: Pairs) -> engine.Array:
    """The pairs of an outer join in the order of their keys, some with missing ones first."""
    rows = engine.numbers_like(pairs.left)
    for one, other, name in reversed(list(zip(keys.left, keys.right, keys.names, strict=True))):
        first, second = comparable(one, other, name)
        places = np.where(pairs.left < 0, pairs.right + len(one), pairs.left)[rows]
        met = first.joined([second]).take(px.asarray(places))
        last = not _begins_with_missing(one, other)
        rows = rows[engine.placed(ordered_rows(met, missing_last=last))]
    return rows


def _order(keys: Keys, pairs: Pairs, how: str) -> engine.Array:
    """The pairs in the order of their keys, equal ones as they are."""
    is_right = how == "right"
    rows = pairs.right if is_right else pairs.left
    columns = [each.take(px.asarray(rows)) for each in (keys.right if is_right else keys.left)]
    return engine.placed(rows_by(columns, [True] * len(columns)))


def joined_index(sides: Sides, pairs: Pairs, request: Request, how: str) -> Any:
    """The labels of the rows: of the side whose columns are keys, where the other has its index.

    Raises nothing; rows without a label of that side get a missing one.
    """
    left, right = (each.index for each in sides)
    if request.right_index:
        from_left = how == "left" or len(left)
        return _taken(left, pairs.left) if from_left else _taken(right, pairs.right)
    if request.left_index:
        from_right = how != "asof" and (how == "right" or len(right))
        return _taken(right, pairs.right) if from_right else _taken(left, pairs.left)
    return RangeIndex(len(pairs.left))


def _taken(index: Any, rows: engine.Array) -> Any:
    if engine.are_all_in_order(rows, len(index)):
        return index
    return index._take(rows, has_missing=bool((rows < 0).any()))
