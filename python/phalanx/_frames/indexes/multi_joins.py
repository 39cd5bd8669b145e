"""Joins of indexes of several levels with others, on a level or on the names they share."""

from __future__ import annotations

from typing import Any

import numpy as np

from .joins import Joined, joined
from .multi_making import Level

_FLIPPED = {"left": "right", "right": "left"}


def joined_on_level(left: Any, right: Any, level: Any, how: str) -> Joined:
    """The rows of a MultiIndex joined with an index of labels of one of its levels.

    Raises TypeError where both have levels, NotImplementedError where labels are repeated.
    """
    if left.nlevels > 1 and right.nlevels > 1:
        raise TypeError("Join on level between two MultiIndex objects is ambiguous")
    if left.nlevels == 1:
        index, others, rows = joined_on_level(right, left, level, _FLIPPED.get(how, how))
        return index, rows, others
    if not right.is_unique:
        raise NotImplementedError("Index._join_level on non-unique index is not implemented")
    number = left._level_number(level)
    labels, mine, theirs = joined(left._levels[number], right, how, None, False)
    if mine is None:
        index, rows = left, None
    else:
        places = np.full(len(left._levels[number]) + 1, -1, np.int64)
        places[mine[mine >= 0]] = np.flatnonzero(mine >= 0)
        codes = places[left._codes[number]]
        kept = np.flatnonzero(codes >= 0)
        parts = left._take(kept)._parts()
        parts[number] = Level(labels, codes[kept])
        index, rows = left._like(parts), kept
    codes = index._codes[number]
    others = codes if theirs is None else np.append(theirs, -1)[codes]
    return index, rows, others


def joined_on_names(left: Any, right: Any, how: str) -> Joined:
    """The join of indexes whose levels have different names, on the names that both have.

    Raises ValueError where there is none.
    """
    shared = [each for each in left.names if each in right.names and each is not None]
    if not shared:
        raise ValueError("cannot join with no overlapping index names")
    if left.nlevels > 1 and right.nlevels > 1:
        return _on_shared(left, right, how, shared)
    if left.nlevels > 1:
        return joined_on_level(left, right, left.names.index(shared[0]), how)
    return joined_on_level(left, right, right.names.index(shared[0]), how)


def _on_shared(left: Any, right: Any, how: str, shared: list[Any]) -> Joined:
    own = [each for each in left.names if each not in shared]
    others = [each for each in right.names if each not in shared]
    mine = left.droplevel(own) if own else left
    theirs = right.droplevel(others) if others else right
    if theirs.nlevels > 1 and list(mine.names) != list(theirs.names):
        theirs = theirs.reorder_levels(mine.names)
    index, rows, other_rows = joined(mine, theirs, how, None, False)
    parts = {}
    for i, name in enumerate(index.names):
        values = index._level_values(i) if index.nlevels > 1 else index
        parts[name] = values
    for side, names, taken in ((left, own, rows), (right, others, other_rows)):
        for name in names:
            values = side.get_level_values(name)
            parts[name] = (
                values
                if taken is None
                else values._take(taken, has_missing=bool((taken < 0).any()))
            )
    order = [*right.names, *own] if how == "right" else [*left.names, *others]
    multi = left if left.nlevels > 1 else right
    return multi.from_arrays([parts[name] for name in order], names=order), rows, other_rows
