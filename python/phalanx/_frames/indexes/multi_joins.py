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
    shared = [each for each in left.names if each in right.names]
    if not shared:
        raise ValueError("cannot join with no overlapping index names")
    if left.nlevels > 1 and right.nlevels > 1:
        return _on_shared(left, right, how, shared)
    if left.nlevels > 1:
        return joined_on_level(left, right, left.names.index(shared[0]), how)
    return joined_on_level(left, right, right.names.index(shared[0]), how)


def _on_shared(left: Any, right: Any, how: str, shared: list[Any]) -> Joined:
    own = [i for i, name in enumerate(left.names) if name not in shared]
    others = [i for i, name in enumerate(right.names) if name not in shared]
    mine = left.droplevel(own) if own else left
    theirs = right.droplevel(others) if others else right
    if theirs.nlevels > 1 and list(mine.names) != list(theirs.names):
        theirs = theirs.reorder_levels(mine.names)
    index, rows, other_rows = joined(mine, theirs, how, None, False)
    parts = {name: index.get_level_values(name) for name in shared}
    mine_only = [_taken(left._level_values(i), rows) for i in own]
    theirs_only = [_taken(right._level_values(i), other_rows) for i in others]
    if how == "right":
        rest = iter(theirs_only)
        arrays = [parts[name] if name in parts else next(rest) for name in right.names]
        arrays += mine_only
    else:
        rest = iter(mine_only)
        arrays = [parts[name] if name in parts else next(rest) for name in left.names]
        arrays += theirs_only
    return left.from_arrays(arrays), rows, other_rows


def _taken(values: Any, rows: np.ndarray | None) -> Any:
    if rows is None:
        return values
    return values._take(rows, has_missing=bool((rows < 0).any()))
