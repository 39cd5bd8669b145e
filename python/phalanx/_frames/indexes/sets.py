"""Indexes as sets of labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from .. import above
from ..dtypes import OBJECT
from ..missing import is_missing
from .kinds import common_dtype, comparable
from .labels import Labels
from .orders import merged_rows, try_sort

if TYPE_CHECKING:
    pass


def _is_default(index: Any) -> bool:
    """True for what an empty constructor makes: a range, or objects, without labels."""
    return len(index) == 0 and (index._column.dtype == OBJECT or hasattr(index, "_range"))


def common_name(left: Any, right: Any) -> Any:
    """The name of both, None where they differ; for a MultiIndex, names."""
    if left.nlevels == right.nlevels == 1:
        return left.name if same_name(left.name, right.name) else None
    if left.nlevels != right.nlevels:
        return None
    return [
        mine if same_name(mine, theirs) else None
        for mine, theirs in zip(left.names, right.names, strict=True)
    ]


def same_name(left: Any, right: Any) -> bool:
    """Returns whether two names are equal; a missing one is equal to one of its kind."""
    if is_missing(left) or is_missing(right):
        return left is right or (
            is_missing(left) and isinstance(left, float) and isinstance(right, float)
        )
    return left is right or bool(left == right)


class Sets(Labels):
    """Union, intersection and differences, with pandas' rules of when they sort.

    ``sort=None`` sorts what can be sorted, False leaves labels in the order of their first rows,
    True raises TypeError for labels without an order.
    """

    def _other(self, other: Any, sort: Any) -> Any:
        """The other operand as an index. Raises TypeError, ValueError for wrong arguments."""
        if sort not in (None, False, True):
            raise ValueError(
                "The 'sort' keyword only takes the values of None, True, or False; "
                f"{sort} was passed."
            )
        if isinstance(other, str) or not np.iterable(other):
            raise TypeError("Input must be Index or array-like")
        if isinstance(other, Labels):
            return other
        made = above.index_of(other)
        return made._like_named(self) if made.nlevels == self.nlevels else made  # type: ignore[attr-defined]

    def _met(self, other: Any) -> Any:
        """Both in the dtype that holds the labels of both."""
        if self.nlevels > 1 and other.nlevels > 1:  # type: ignore[attr-defined]
            return self, other
        if self.nlevels > 1 and not len(other):  # type: ignore[attr-defined]
            return self, self._slice(slice(0, 0))
        if other.nlevels > 1 and not len(self):
            return other._slice(slice(0, 0)), other
        mine = self.to_flat_index()  # type: ignore[attr-defined]
        return mine._met_flat(other.to_flat_index())

    def _met_flat(self, other: Any) -> tuple[Any, Any]:
        dtype = self._met_dtype(other)
        return self._to_dtype(dtype), other._to_dtype(dtype)

    def _met_dtype(self, other: Any) -> Any:
        """The dtype of both, or of the one that has one said by somebody."""
        mine, theirs = self._column.dtype, other._column.dtype
        if _is_default(self):
            return theirs
        if _is_default(other):
            return mine
        return common_dtype(mine, theirs)

    def _comparable(self, other: Any) -> bool:
        mine, theirs = self.nlevels, other.nlevels  # type: ignore[attr-defined]
        if mine > 1 or theirs > 1:
            return bool(mine == theirs)
        return comparable(self._column.dtype, other._column.dtype)

    def union(self, other: Any, sort: bool | None = None) -> Any:
        """Labels that one of both has; a label that one has twice is there twice."""
        other = self._other(other, sort)
        name = common_name(self, other)
        if self.nlevels > 1 and other.nlevels == 1 and len(other):  # type: ignore[attr-defined]
            raise NotImplementedError(
                "Can only union MultiIndex with MultiIndex or Index of tuples, try "
                "mi.to_flat_index().union(other) instead."
            )
        left, right = self._met(other)
        if len(right) == 0 or left.equals(right):
            made = left if sort is not True else left.sort_values()
        elif len(left) == 0:
            made = right if sort is not True else right.sort_values()
        else:
            made = _union(left, right, sort)
        return made._named(name)

    def intersection(self, other: Any, sort: bool | None = False) -> Any:
        """Labels that both have, each once."""
        other = self._other(other, sort)
        name = common_name(self, other)
        left, right = self._met(other)
        if left._column is self._column and left.equals(right):
            made = left.drop_duplicates()
            return (made.sort_values() if sort is True else made)._named(name)
        if not len(left) or not len(right):
            return self._no_labels(left, other, name)
        if not self._comparable(other):
            empty = self if self.nlevels > 1 else _empty()  # type: ignore[attr-defined]
            return empty._slice(slice(0, 0))._named(name)
        both = left.drop_duplicates()
        positions, keys = right._meet(both)
        made = both._take(np.flatnonzero(positions.first(keys) >= 0))
        return try_sort(made, sort)._named(name)

    def _no_labels(self, left: Any, right: Any, name: Any) -> Any:
        """The intersection with an index without labels."""
        kept = left if left.nlevels > 1 or not len(self) else right
        dtype = common_dtype(self.dtype, right.dtype)  # type: ignore[attr-defined]
        if kept.nlevels == 1 and dtype != self.dtype:  # type: ignore[attr-defined]
            kept = Labels._of(left._column.slice(slice(0, 0)).astype(dtype))
        return kept._slice(slice(0, 0))._named(name)

    def difference(self, other: Any, sort: bool | None = None) -> Any:
        """Labels of this that another index has not, each once."""
        other = self._other(other, sort)
        name = common_name(self, other)
        if self.equals(other):  # type: ignore[attr-defined]
            return self._slice(slice(0, 0))._named(name)
        mine: Any = self.drop_duplicates()  # type: ignore[attr-defined]
        if len(other) == 0 or not (self.nlevels > 1 or self._comparable(other)):  # type: ignore[attr-defined]
            return (mine.sort_values() if sort is True else mine)._named(name)
        positions, keys = other._meet(mine)
        made = mine._take(np.flatnonzero(positions.first(keys) < 0))
        return try_sort(made, sort)._named(name)

    def symmetric_difference(
        self, other: Any, result_name: Any = None, sort: bool | None = None
    ) -> Any:
        """Labels that one of both has and the other has not, each once."""
        other = self._other(other, sort)
        name = common_name(self, other) if result_name is None else result_name
        if not self._comparable(other):
            return self.union(other, sort)._named(name)
        left, right = (each.drop_duplicates() for each in self._met(other))
        rows = right._positions_of(left), left._positions_of(right)
        alone = left._take(np.flatnonzero(rows[0] < 0))
        made = alone.append(right._take(np.flatnonzero(rows[1] < 0)))
        return try_sort(made, sort)._named(name)

    def _positions_of(self, other: Any) -> np.ndarray:
        positions, keys = self._meet(other)
        return positions.first(keys)


def _empty() -> Any:
    return above.index_of([], dtype=OBJECT)


def _union(left: Any, right: Any, sort: bool | None) -> Any:
    """The union of two indexes of one dtype, neither empty, which differ."""
    if sort is not False and not left._has_missing() and not right._has_missing():
        merged = merged_rows(left, right)
        if merged is not None:
            return left._joined([right])._take(merged[0])
    rows = left._positions_of(right)
    if right._unique():
        made = left._joined([right._take(np.flatnonzero(rows < 0))])
    else:
        made = _most_often(left, right)
    monotonic = left._is_monotonic(decreasing=False) and right._is_monotonic(decreasing=False)
    if sort is None and monotonic and not _orderable(made):
        return made
    return try_sort(made, sort)


def _orderable(index: Any) -> bool:
    try:
        index._sort_keys()
    except TypeError:
        return False
    return True


def _most_often(left: Any, right: Any) -> Any:
    """Each label as often as the index has it that has it more often."""
    both = left._joined([right])
    keys = both._positions().keys
    firsts = np.flatnonzero(~both.duplicated())
    counts = [
        np.searchsorted(part, keys[firsts], "right") - np.searchsorted(part, keys[firsts], "left")
        for part in (np.sort(keys[: len(left)]), np.sort(keys[len(left) :]))
    ]
    return both._take(np.repeat(firsts, np.maximum(*counts)))
