"""`sort_values`, `sort_index`, `nlargest` and the like."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import column_from, is_series
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..indexes.index import Index
from ..indexes.making import index_of
from ..relabelling.columns_as_index import level_column, level_numbers
from ..selection.rows import RowMethods
from ..signatures import in_place
from .by_parts import Order, sorted_by_parts
from .keys import ordered_rows, rows_by, sort_key

_KINDS = ("quicksort", "mergesort", "heapsort", "stable")


def check_sorting(na_position: str, kind: str | None = None) -> bool:
    """True if missing values are last. Raises ValueError for words that are neither."""
    if na_position not in ("first", "last"):
        raise ValueError(f"invalid na_position: {na_position}")
    if kind is not None and kind not in _KINDS:
        raise ValueError(f"sort kind must be one of {set(_KINDS)} (got '{kind}')")
    return na_position == "last"


def directions(ascending: Any, count: int) -> list[bool]:
    """For each key whether it goes up. Raises ValueError for another number of them."""
    given = list(ascending) if is_list_like(ascending) else [ascending] * count
    if len(given) != count:
        raise ValueError(f"Length of ascending ({len(given)}) != length of by ({count})")
    for each in given:
        if not isinstance(each, (bool, np.bool_, int)):
            raise ValueError(
                f'For argument "ascending" expected type bool, received type {type(each).__name__}.'
            )
    return [bool(each) for each in given]


def keyed(column: Column, key: Any, index: Index, name: Any) -> Column:
    """A column as a function of a series gives it back."""
    if key is None:
        return column

    made = key(above.Series._of(column, index, name))
    values = made._parts[0] if is_series(made) else column_from(made)
    if len(values) != len(column):
        raise ValueError("User-provided `key` function must not change the shape of the array.")
    return values


class Sorting(RowMethods):
    """`sort_index`, and what is done after each sort."""

    def _in_order(self, keys: list[Column], order: Order, ignore_index: bool) -> Any:
        """The rows in the order of some columns: by way of files where memory has no room."""
        made: Any = sorted_by_parts(self, keys, order, ignore_index)
        if made is None:
            made = self._at(order.rows(keys))
        return made.reset_index(drop=True) if ignore_index else made

    @in_place
    def sort_index(
        self,
        *,
        axis: Any = 0,
        level: Any = None,
        ascending: Any = True,
        kind: str = "quicksort",
        na_position: str = "last",
        sort_remaining: bool = True,
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """The rows, or columns, in the order of their labels, equal ones as they are.

        Raises TypeError for labels that have no order.
        """
        missing_last = check_sorting(na_position, kind)
        number = self._axis(axis)
        labels = self._labels_of(number)
        rows = _label_order(labels, level, ascending, missing_last, sort_remaining, key)
        made = self._along(number, rows)
        if not ignore_index:
            return made
        return (
            made.reset_index(drop=True)
            if number == 0
            else made.set_axis(range(len(labels)), axis=1)
        )


def _label_order(
    labels: Any, level: Any, ascending: Any, missing_last: bool, sort_remaining: bool, key: Any
) -> Any:
    numbers = level_numbers(labels, level)
    named = len(numbers)
    up = directions(ascending, named)
    if level is not None and sort_remaining and labels.nlevels > 1:
        rest = [each for each in range(labels.nlevels) if each not in numbers]
        numbers, up = numbers + rest, up + [up[-1] if named == 1 else True] * len(rest)
    columns = [_keyed_level(labels, each, key) for each in numbers]
    if level is not None and labels.nlevels > 1:
        for each in columns:
            if each.dtype == object:
                sorted(each.objects_of()[~np.asarray(each.isna())])  # Raises TypeError.
    return rows_by(columns, up, missing_last=missing_last)


def _keyed_level(labels: Any, number: int, key: Any) -> Column:
    if key is None:
        return level_column(labels, number)
    made = key(labels.get_level_values(number) if labels.nlevels > 1 else labels)
    column: Column = index_of(made)._values_column()
    return column


class SeriesSorting(Sorting):
    """`sort_values` of series, its least and greatest values."""

    _name: Any

    @in_place
    def sort_values(
        self,
        *,
        axis: Any = 0,
        ascending: Any = True,
        kind: str = "quicksort",
        na_position: str = "last",
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """The rows in the order of their values, equal ones as they are.

        Raises TypeError for values that have no order.
        """
        self._axis(axis)
        missing_last = check_sorting(na_position, kind)
        up = directions(ascending, 1)[0]
        column = keyed(self._parts[0], key, self._index, self._name)
        return self._in_order([column], Order([0], [up], missing_last), ignore_index)

    def argsort(
        self, axis: Any = 0, kind: str = "quicksort", order: None = None, stable: None = None
    ) -> Any:
        """The positions of the rows in the order of their values, missing ones last."""
        return self._with([NumberColumn(ordered_rows(self._parts[0]).astype(np.int64))])

    def nlargest(self, n: int = 5, keep: str = "first") -> Any:
        """The rows of the greatest values, from the greatest on."""
        return self._at(extreme_rows(self._parts, n, keep, largest=True))

    def nsmallest(self, n: int = 5, keep: str = "first") -> Any:
        """The rows of the least values, from the least on."""
        return self._at(extreme_rows(self._parts, n, keep, largest=False))

    @property
    def is_monotonic_increasing(self) -> bool:
        """True if no value is below the one before."""
        return bool(index_of(self._parts[0], tuples=False).is_monotonic_increasing)

    @property
    def is_monotonic_decreasing(self) -> bool:
        """True if no value is above the one before."""
        return bool(index_of(self._parts[0], tuples=False).is_monotonic_decreasing)

    def searchsorted(self, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """The positions at which values keep the order of the rows."""
        column = self._parts[0]
        if isinstance(column, CategoryColumn):
            found = index_of(column, tuples=False).searchsorted(value, side, sorter)
            return found if np.ndim(found) else np.int64(found)
        values = column.to_numpy()
        if values.dtype.kind in "mM":
            value = np.asarray(
                column_from(value if is_list_like(value) else [value])
                .astype(column.dtype)
                .to_numpy()
            )
            found = np.searchsorted(values, value, side=side, sorter=sorter)  # type: ignore[call-overload]
            return found if len(value) != 1 else found[0]
        return np.searchsorted(values, np.asarray(value), side=side, sorter=sorter)  # type: ignore[call-overload]


def extreme_rows(
    parts: list[Column], n: int, keep: str, *, largest: bool, labels: Sequence[Any] = ()
) -> Any:
    """The rows of the greatest, or least, values of the first column, ties by the others.

    Raises TypeError for texts, categories and objects, by the column's label if there are labels.
    """
    if not parts:
        return np.zeros(0, np.int64)
    if keep not in ("first", "last", "all"):
        raise ValueError('keep must be either "first", "last" or "all"')
    name = "nlargest" if largest else "nsmallest"
    for i, each in enumerate(parts):
        if each.dtype.kind not in "biufmM" and not isinstance(each, DecimalColumn):
            if labels:
                raise TypeError(
                    f"Column {labels[i]!r} has dtype {each.dtype}, cannot use method {name!r} with "
                    "this dtype"
                )
            raise TypeError(f"Cannot use method {name!r} with dtype {each.dtype}")
    n = max(n, 0)
    some = _candidates(parts, n, largest)
    if some is not None:
        parts = [each.take(some) for each in parts]
    count = len(parts[0])
    if keep == "last":
        turned = px.arange(count - 1, -1, -1, dtype=np.int64)
        rows = turned[rows_by([each.take(turned) for each in parts], [not largest] * len(parts))]
    else:
        rows = rows_by(parts, [not largest] * len(parts))
    if keep == "all" and 0 < n < count:
        n = _with_ties(parts, np.asarray(rows), n)
    return rows[:n] if some is None else some[rows[:n]]


def _candidates(parts: list[Column], n: int, largest: bool) -> Any:
    """The rows that are no worse than the n-th by the first column; None where all may be some."""
    first = parts[0]
    if not 0 < n < len(first) // 10 or first.has_missing():
        return None
    key = np.asarray(sort_key(first))
    bound = np.partition(key, len(key) - n if largest else n - 1)[
        len(key) - n if largest else n - 1
    ]
    return px.flatnonzero(px.asarray(key >= bound if largest else key <= bound))


def _with_ties(parts: list[Column], rows: np.ndarray, n: int) -> int:
    """The number of rows with those that are equal to the n-th."""
    keys = [np.asarray(sort_key(each)) for each in parts]
    gone = [np.asarray(each.isna()) for each in parts]

    def same(row: int, other: int) -> bool:
        return all(
            (lost[row] and lost[other]) or (lost[row] == lost[other] and key[row] == key[other])
            for key, lost in zip(keys, gone, strict=True)
        )

    while n < len(rows) and same(rows[n], rows[n - 1]):
        n += 1
    return n


class FrameSorting(Sorting):
    """`sort_values` of frames, rows of least and greatest values."""

    @in_place
    def sort_values(
        self,
        by: Any,
        *,
        axis: Any = 0,
        ascending: Any = True,
        kind: str = "quicksort",
        na_position: str = "last",
        ignore_index: bool = False,
        key: Any = None,
    ) -> Any:
        """The rows in the order of some columns or levels, equal ones as they are.

        Raises KeyError for columns that are not there, TypeError for values without an order.
        """
        missing_last = check_sorting(na_position, kind)
        labels = list(by) if is_list_like(by) and not isinstance(by, tuple) else [by]
        up = directions(ascending, len(labels))
        if self._axis(axis) == 1:
            made = self.T.sort_values(  # type: ignore[attr-defined]
                labels, ascending=up, kind=kind, na_position=na_position, key=key
            ).T
            return made.set_axis(range(made.shape[1]), axis=1) if ignore_index else made
        columns = [keyed(self._key_column(each), key, self._index, each) for each in labels]
        if not columns:
            return self.copy()
        order = Order([*range(len(columns))], up, missing_last)
        return self._in_order(columns, order, ignore_index)

    def _key_column(self, label: Any) -> Column:
        """A column, or a level of the index, by its label."""
        if label in self._labels_of(1):
            found = self[label]  # type: ignore[index]
            if found.ndim == 2:
                raise ValueError(f"The column label '{label}' is not unique.")
            if label is not None and label in self._index.names:
                raise ValueError(
                    f"'{label}' is both an index level and a column label, which is ambiguous."
                )
            column: Column = found._parts[0]
            return column
        if label in self._index.names:
            return level_column(self._index, self._index._level_number(label))
        raise KeyError(label)

    def nlargest(self, n: int, columns: Any, keep: str = "first") -> Any:
        """The rows with the greatest values in some columns."""
        return self._extreme(n, columns, keep, largest=True)

    def nsmallest(self, n: int, columns: Any, keep: str = "first") -> Any:
        """The rows with the least values in some columns."""
        return self._extreme(n, columns, keep, largest=False)

    def _extreme(self, n: int, columns: Any, keep: str, *, largest: bool) -> Any:
        labels = (
            list(columns) if is_list_like(columns) and not isinstance(columns, tuple) else [columns]
        )
        parts = [self._key_column(each) for each in labels]
        return self._at(extreme_rows(parts, n, keep, largest=largest, labels=labels))
