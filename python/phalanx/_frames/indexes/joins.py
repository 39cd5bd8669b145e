"""Joins of indexes: rows of both for the labels of a result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from .. import above
from ..dtypes import CategoricalDtype, DatetimeTZDtype
from .kinds import common_dtype, family
from .labels import Labels
from .orders import merged_rows, safe_order

if TYPE_CHECKING:
    from ..._arrays.ndarray import ndarray

Joined = tuple[Any, np.ndarray | None, np.ndarray | None]


class Joins(Labels):
    """Joins with other indexes."""

    def join(
        self,
        other: Any,
        *,
        how: str = "left",
        level: Any = None,
        return_indexers: bool = False,
        sort: bool = False,
    ) -> Any:
        """The labels of a join, and with ``return_indexers`` the rows of both: None for all rows
        as they are, -1 where a label is not there.
        """
        found = joined(self, above.index_of(other), how, level, sort)
        return found if return_indexers else found[0]

    def reindex(
        self,
        target: Any,
        method: str | None = None,
        level: Any = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> tuple[Any, np.ndarray | None]:
        """The labels of ``target`` as an index, and their rows here: None where they are these.

        Raises ValueError where labels are repeated.
        """
        named = hasattr(target, "name")
        if not isinstance(target, Labels):
            target = list(target) if not hasattr(target, "__len__") else target
        if not named and len(target) == 0:
            made: Any = self._slice(slice(0, 0))
        else:
            made = above.index_of(target)
        if level is not None and (self.nlevels > 1 or made.nlevels > 1):  # type: ignore[attr-defined]
            made, rows, _ = joined(self, made, "right", level, False)
            return made, rows
        if self.equals(made):  # type: ignore[attr-defined]
            return (made if named else made._like_named(self)), None
        if not self._unique():  # type: ignore[attr-defined]
            if method is not None or limit is not None:
                raise ValueError("cannot reindex a non-unique index with a method or limit")
            raise ValueError("cannot reindex on an axis with duplicate labels")
        rows = self.get_indexer(made, method, limit, tolerance)  # type: ignore[attr-defined]
        if not named and made.nlevels == self.nlevels:  # type: ignore[attr-defined]
            made = made._like_named(self)
        return made, rows


def align(left: Any, right: Any, how: str = "outer") -> tuple[Any, ndarray | None, ndarray | None]:
    """The index that two operands meet in, and the rows of each for it: int64, -1 where it has no
    such label, None where it stays as it is.

    `how` is 'outer', 'inner', 'left' or 'right'. Rows are arrays of the library.
    """
    if left is right or left.equals(right):
        return (right if how == "right" else left), None, None
    index, rows, others = joined(left, right, how, None, False)
    return index, _array(rows), _array(others)


def _array(rows: np.ndarray | None) -> ndarray | None:
    return None if rows is None else px.asarray(np.ascontiguousarray(rows, np.int64))


def joined(left: Any, right: Any, how: str, level: Any, sort: bool) -> Joined:
    """The index of a join and the rows of both. Raises ValueError for another ``how``."""
    if how not in ("left", "right", "inner", "outer"):
        raise ValueError(f"do not recognize join method {how}")
    if {family(left.dtype), family(right.dtype)} == {"M", "tz"}:
        raise TypeError("Cannot join tz-naive with tz-aware DatetimeIndex")
    if left.nlevels > 1 or right.nlevels > 1:
        multi = left if left.nlevels > 1 else right
        if level is not None:
            return multi._join_on_level(left, right, level, how)  # type: ignore[no-any-return]
        if list(left.names) != list(right.names):
            return multi._join_on_names(left, right, how)  # type: ignore[no-any-return]
    return _joined(left, right, how, sort or how == "outer")


def _joined(left: Any, right: Any, how: str, sort: bool) -> Joined:
    if not len(left) or not len(right):
        return _with_empty(left, right, how, sort)
    if left.nlevels == right.nlevels == 1 and left.dtype != right.dtype:
        return _of_dtypes(left, right, how)
    unique = left._unique() or right._unique()
    if left.equals(right) and unique and (not sort or left._is_monotonic(decreasing=False)):
        return (right if how == "right" else left), None, None
    index, rows, others = (_unsorted if how != "outer" else _outer)(left, right, how)
    if sort and how != "outer":
        index, rows, others = _sorted(index, rows, others)
    return left._of_join(index, right, how), rows, others


def _with_empty(left: Any, right: Any, how: str, sort: bool) -> Joined:
    if len(right):
        index, others, rows = _with_empty(
            right, left, {"left": "right", "right": "left"}.get(how, how), sort
        )
        return index, rows, others
    if how not in ("left", "outer"):
        return right._view(), np.empty(0, np.intp), None
    rows = None
    if sort and not left._is_monotonic(decreasing=False):
        rows = safe_order(left)
    index = left._view() if rows is None else left._take(rows)
    return index, rows, np.full(len(index), -1, np.intp)


def _of_dtypes(left: Any, right: Any, how: str) -> Joined:
    dtype = common_dtype(left.dtype, right.dtype)
    index, rows, others = _joined(
        left._to_dtype(dtype), right._to_dtype(dtype), how, how == "outer"
    )
    if how == "left":
        index = left if rows is None else left._take(rows)
    elif how == "right":
        index = right if others is None else right._take(others)
    return index, rows, others


def _every(left: Any, right: Any) -> tuple[np.ndarray | None, np.ndarray]:
    """Rows of the left labels, and of the right ones equal to them: -1 for those without."""
    positions, keys = right._meet(left)
    if positions.is_unique:
        return None, positions.first(keys)
    others, rows = positions.every(keys)
    return (None if len(rows) == len(left) else rows), others


def _unsorted(left: Any, right: Any, how: str) -> Joined:
    if how == "right":
        index, others, rows = _unsorted(right, left, "left")
        return index, rows, others
    rows, others = _every(left, right)
    if how == "inner":
        kept = np.flatnonzero(others >= 0)
        if len(kept) < len(others):
            rows, others = kept if rows is None else rows[kept], others[kept]
        both = None if _is_range(others, len(right)) else others
        return (left if rows is None else left._take(rows)), rows, both
    return (left if rows is None else left._take(rows)), rows, others


def _is_range(rows: np.ndarray, count: int) -> bool:
    return len(rows) == count and bool((rows == np.arange(count)).all())


def _outer(left: Any, right: Any, how: str) -> Joined:
    if not left._has_missing() and not right._has_missing():
        merged = merged_rows(left, right)
        if merged is not None:
            index = left._joined([right])._take(merged[0])
            return (
                index,
                None if _is_range(merged[1], len(left)) else merged[1],
                None if _is_range(merged[2], len(right)) else merged[2],
            )
    rows, others = _every(left, right)
    rows = np.arange(len(left)) if rows is None else rows
    alone = np.ones(len(right), bool)
    alone[others[others >= 0]] = False
    more = np.flatnonzero(alone)
    rows = np.concatenate([rows, np.full(len(more), -1, np.intp)])
    others = np.concatenate([others, more])
    both = left._joined([right])
    index = both._take(np.where(rows < 0, others + len(left), rows))
    if not (left._unique() and right._unique()) and _counts_missing(index):
        first = np.argsort(~index._missing_mask(), kind="stable")
        order = first[_order_of_rest(index._take(first))]
        index, rows_in_order, others_in_order = index._take(order), rows[order], others[order]
    else:
        index, rows_in_order, others_in_order = _sorted(index, rows, others)
    assert rows_in_order is not None and others_in_order is not None
    return (
        index,
        None if _is_range(rows_in_order, len(left)) else rows_in_order,
        None if _is_range(others_in_order, len(right)) else others_in_order,
    )


def _counts_missing(index: Any) -> bool:
    """True for labels that pandas has as numbers of which the missing one is the least."""
    kinds = (CategoricalDtype, DatetimeTZDtype)
    return (isinstance(index.dtype, kinds) or index.dtype.kind in "mM") and index._has_missing()


def _order_of_rest(index: Any) -> np.ndarray:
    """The rows in order, of labels whose first ones are missing, and stay first."""
    count = int(index._missing_mask().sum())
    order = safe_order(index)
    return np.concatenate([np.arange(count), order[order >= count]])


def _sorted(index: Any, rows: np.ndarray | None, others: np.ndarray | None) -> Joined:
    """A join in the order of its labels, or as it is where they have none."""
    try:
        order = safe_order(index)
    except TypeError:
        return index, rows, others
    if (order[1:] > order[:-1]).all():
        return index, rows, others
    return (
        index._take(order),
        order if rows is None else rows[order],
        order if others is None else others[order],
    )
