"""The order of labels, also of those that have none in Python."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..._core.warnings import say
from ..missing import is_missing
from .keys import stable_order


def safe_order(index: Any) -> np.ndarray:
    """Rows in the order of their labels; numbers come before texts, and missing labels last.

    Raises TypeError for labels that have no order.
    """
    try:
        rows: np.ndarray = index._ordered()
    except TypeError:
        found = _mixed_order(index)
        if found is None:
            raise
        return found
    return rows


def merged_rows(left: Any, right: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray] | None:
    """The labels of both in order, each once: rows of the first followed by the second, and of
    each of the two, -1 where it has no such label.

    None where labels are repeated, or are no numbers.
    """
    if left.nlevels > 1 or right.nlevels > 1 or not (left._unique() and right._unique()):
        return None
    positions, keys = left._meet(right)
    if positions.places is not None or len(positions.keys) != len(left):
        return None
    both = np.concatenate([positions.keys, keys])
    order = stable_order(both)
    in_order = both[order]
    # Of two equal labels the one of the first operand comes first.
    repeated = in_order[1:] == in_order[:-1]
    firsts = np.flatnonzero(np.concatenate([[True], ~repeated]))
    rows = order[firsts]
    partner = np.full(len(rows), -1, np.int64)
    paired = np.flatnonzero(np.append(repeated, False)[firsts])
    partner[paired] = order[firsts[paired] + 1] - len(left)
    mine = rows < len(left)
    return rows, np.where(mine, rows, -1), np.where(mine, partner, rows - len(left))


def try_sort(index: Any, sort: bool | None) -> Any:
    """The labels in order unless `sort` is False; None lets labels without an order be."""
    if sort is False:
        return index
    try:
        return index._take(safe_order(index))
    except TypeError as error:
        if sort is True:
            raise
        say(f"{error}, sort order is undefined for incomparable objects.", RuntimeWarning)
        return index


def _mixed_order(index: Any) -> np.ndarray | None:
    """Rows with numbers first, then texts, then missing ones; None where these have no order."""
    if index.nlevels > 1:
        return None
    labels = index._objects()
    kinds = [2 if is_missing(each) else 1 if isinstance(each, str) else 0 for each in labels]
    try:
        rows = sorted(
            range(len(labels)), key=lambda i: (kinds[i], 0 if kinds[i] == 2 else labels[i])
        )
    except TypeError:
        return None
    return np.array(rows, np.int64)
