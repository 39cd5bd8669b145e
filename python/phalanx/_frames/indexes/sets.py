"""Indexes as sets of labels."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from ..missing import is_missing
from .kinds import common_dtype, may_equal
from .labels import Above, Labels

if TYPE_CHECKING:
    from .index import Index


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
    """Whether two names are equal; a missing one is equal to a missing one."""
    return left is right or bool(left == right) or (is_missing(left) and is_missing(right))


def try_sort(index: Any, sort: bool | None) -> Any:
    """The labels in order unless `sort` is False; None lets labels without an order be."""
    if sort is False:
        return index
    try:
        return index._take(index._ordered())
    except TypeError as error:
        rows = _mixed_order(index)
        if rows is not None:
            return index._take(rows)
        if sort is True:
            raise
        warnings.warn(
            f"{error}, sort order is undefined for incomparable objects.",
            RuntimeWarning,
            stacklevel=4,
        )
        return index


def _mixed_order(index: Any) -> np.ndarray | None:
    """Rows with numbers first, then texts, then missing ones; None where there is something else."""
    if index.nlevels > 1:
        return None
    labels = index._objects()
    kinds = [2 if is_missing(each) else 1 if isinstance(each, str) else 0 for each in labels]
    if any(kind == 0 and isinstance(each, tuple) for kind, each in zip(kinds, labels, strict=True)):
        return None
    try:
        rows = sorted(
            range(len(labels)), key=lambda i: (kinds[i], 0 if kinds[i] == 2 else labels[i])
        )
    except TypeError:
        return None
    return np.array(rows, np.int64)


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
        return Above.index_of(other, name=self._name)

    def _met(self, other: Any) -> tuple[Any, Any]:
        """Both in the dtype that holds the labels of both."""
        if self.nlevels > 1 or other.nlevels > 1:  # type: ignore[attr-defined]
            return self, other
        dtype = common_dtype(self._column.dtype, other._column.dtype)
        return self._to_dtype(dtype), other._to_dtype(dtype)

    def _comparable(self, other: Any) -> bool:
        mine, theirs = self.nlevels, other.nlevels  # type: ignore[attr-defined]
        if mine > 1 or theirs > 1:
            return bool(mine == theirs)
        return may_equal(self._column.dtype, other._column.dtype)

    def union(self, other: Any, sort: bool | None = None) -> Index:
        """Labels that one of both has; a label that one has twice is there twice."""
        other = self._other(other, sort)
        name = common_name(self, other)
        left, right = self._met(other)
        if len(right) == 0 or left.equals(right):
            made = left if sort is not True else left.sort_values()
        elif len(left) == 0:
            made = right if sort is not True else right.sort_values()
        else:
            made = _union(left, right, sort)
        return made._named(name)  # type: ignore[no-any-return]

    def intersection(self, other: Any, sort: bool | None = False) -> Index:
        """Labels that both have, each once."""
        other = self._other(other, sort)
        name = common_name(self, other)
        left, right = self._met(other)
        if left._column is self._column and left.equals(right):
            made = left.drop_duplicates()
            return (made.sort_values() if sort is True else made)._named(name)  # type: ignore[no-any-return]
        if not self._comparable(other):
            empty = left if self.nlevels > 1 else _empty()  # type: ignore[attr-defined]
            return empty._slice(slice(0, 0))._named(name)  # type: ignore[no-any-return]
        both = left.drop_duplicates()
        positions, keys = right._meet(both)
        made = both._take(np.flatnonzero(positions.first(keys) >= 0))
        return try_sort(made, sort)._named(name)  # type: ignore[no-any-return]

    def difference(self, other: Any, sort: bool | None = None) -> Index:
        """Labels of this that another index has not, each once."""
        other = self._other(other, sort)
        name = common_name(self, other)
        if self.equals(other):  # type: ignore[attr-defined]
            return self._slice(slice(0, 0))._named(name)  # type: ignore[attr-defined, no-any-return]
        mine: Any = self.drop_duplicates()  # type: ignore[attr-defined]
        if len(other) == 0 or not self._comparable(other):
            return (mine.sort_values() if sort is True else mine)._named(name)  # type: ignore[no-any-return]
        positions, keys = other._meet(mine)
        made = mine._take(np.flatnonzero(positions.first(keys) < 0))
        return try_sort(made, sort)._named(name)  # type: ignore[no-any-return]

    def symmetric_difference(
        self, other: Any, result_name: Any = None, sort: bool | None = None
    ) -> Index:
        """Labels that one of both has and the other has not, each once."""
        other = self._other(other, sort)
        name = common_name(self, other) if result_name is None else result_name
        if not self._comparable(other):
            return self.union(other, sort)._named(name)  # type: ignore[no-any-return]
        left, right = (each.drop_duplicates() for each in self._met(other))
        rows = right._positions_of(left), left._positions_of(right)
        alone = left._take(np.flatnonzero(rows[0] < 0))
        made = alone._joined([right._take(np.flatnonzero(rows[1] < 0))])
        return try_sort(made, sort)._named(name)  # type: ignore[no-any-return]

    def _positions_of(self, other: Any) -> np.ndarray:
        positions, keys = self._meet(other)
        return positions.first(keys)


def _empty() -> Any:
    return Above.index_of([], dtype=np.dtype(object))


def _union(left: Any, right: Any, sort: bool | None) -> Any:
    """The union of two indexes of one dtype, neither empty, which differ."""
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
