"""What the other operand is for each column, once the labels of both meet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import Pandas4Warning

from ..._arrays.ndarray import ndarray
from ..._core.warnings import say
from .. import above
from ..building.columns import column_from, is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.selected import Filter
from ..dtypes import NullableDtype
from ..indexes.index import Index
from ..indexes.joins import align
from ..indexes.sets import same_name
from ..missing import NA, is_missing
from ..operations.by_name import computed
from ..relabelling.reindexing import taken_or_filled
from ..values.missing_values import filled_column

COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
LOGIC = frozenset(("and_", "or_", "xor"))


@dataclass(frozen=True)
class Aligned:
    """Pairs of a column and its other operand, over the labels of both."""

    lefts: list[Any]
    rights: list[Any]
    index: Index | Filter
    columns: Index | None = None


def rows_taken(column: Column, rows: ndarray | None) -> Column:
    """The rows at positions, with missing ones at -1; all for None."""
    if rows is None:
        return column
    return column.take(rows, has_missing=bool((rows < 0).any()))


def filled_pair(left: Any, right: Any, fill_value: Any) -> tuple[Any, Any]:
    """Both operands with a value where one of them alone is missing."""
    if fill_value is None or is_missing(fill_value):
        return left, right
    gone = [
        px.asarray(each.isna()) if isinstance(each, Column) else is_missing(each)
        for each in (left, right)
    ]
    if gone[1] is True and isinstance(left, Column):
        return left, fill_value if not left.has_missing() else _filled_alone(
            left, right, fill_value
        )
    both = gone[0] & gone[1]
    made = []
    for each in (left, right):
        if isinstance(each, Column) and each.has_missing():
            whole = filled_column(each, fill_value)
            any_both = not isinstance(both, bool) and bool(both.any())
            each = whole.where(~both, each) if any_both and whole.dtype == each.dtype else whole  # type: ignore[arg-type]
        made.append(each)
    return made[0], made[1]


def _filled_alone(left: Column, right: Any, fill_value: Any) -> Column:
    """The fill value where the left operand has a value, else missing."""
    value = column_of([fill_value]).take(px.zeros(len(left), np.int64))
    return value.take(
        px.where(px.asarray(left.isna()), -1, px.arange(len(left), dtype=np.int64)),
        has_missing=True,
    )


# Series.


def warn_of_tuple(other: Any, text: str) -> None:
    """Tell, as pandas does, that its version 4 takes a tuple for one value."""
    if isinstance(other, tuple):
        say(text, Pandas4Warning)


def series_with(left: Any, other: Any, name: str, *, flexible: bool, fill_value: Any = None) -> Any:
    """What an operation gives for a series and a series, a list or one value.

    Raises ValueError for comparisons (unless ``flexible``) of different labels, and for lists of
    another length.
    """

    if is_series(other):
        pair = _series_pair(left, other, name, flexible)
        label = left.name if same_name(left.name, other.name) else None
    else:
        if name.removeprefix("r") in LOGIC and isinstance(other, (list, tuple)):
            raise TypeError(
                "Logical ops (and, or, xor) between Pandas objects and dtype-less sequences (e.g. "
                "list, tuple) are no longer supported: make them a Series or an array"
            )
        pair = Aligned([left._parts[0]], [_operand(other, left)], left._row_labels)
        label = left.name
        own = getattr(other, "name", label) if isinstance(other, Index) else label
        label = label if same_name(label, own) else None
    a, b = filled_pair(pair.lefts[0], pair.rights[0], fill_value)
    made = above.Series._of(computed(name, a, b), pair.index, label)
    return left._keep_attrs(made)


def _series_pair(left: Any, right: Any, name: str, flexible: bool) -> Aligned:
    if left._row_labels is right._row_labels:
        return Aligned([left._parts[0]], [right._parts[0]], left._row_labels)
    if name in COMPARISONS and not flexible:
        if left.index is not right.index and not left.index.equals(right.index):
            raise ValueError("Can only compare identically-labeled Series objects")
        return Aligned([left._parts[0]], [right._parts[0]], left.index)
    index, mine, theirs = align(left.index, right.index, "outer")
    if name.removeprefix("r") in LOGIC and _are_bools(left, right):
        # Rows that the left operand has not are False, whatever is right of them.
        parts = [_false_taken(x._parts[0], rows) for x, rows in ((left, mine), (right, theirs))]
        if mine is not None:
            parts[1] = computed("and_", parts[1], NumberColumn(mine >= 0))
        return Aligned(parts[:1], parts[1:], index)
    a, b = rows_taken(left._parts[0], mine), rows_taken(right._parts[0], theirs)
    return Aligned([a], [b], index)


def _are_bools(left: Any, right: Any) -> bool:
    return bool(left.dtype == np.dtype(bool)) and bool(right.dtype == np.dtype(bool))


def _false_taken(column: Column, rows: ndarray | None) -> Column:
    """In logic a bool that is not there is False."""
    if rows is None or column.dtype.kind != "b":
        return rows_taken(column, rows)
    return taken_or_filled(column, rows, False)


def _operand(other: Any, beside: Any) -> Any:
    """One value as it is, a list as a column of as many rows."""
    if not is_list_like(other) or isinstance(other, dict):
        return np.asarray(other)[()] if isinstance(other, (np.ndarray, ndarray)) else other
    column = column_from(other)
    if len(column) != len(beside):
        raise ValueError(f"Lengths must match: {len(beside)} rows and {len(column)} values")
    return column


# Frames.


def frame_pairs(left: Any, other: Any, name: str, axis: int, *, flexible: bool) -> Aligned:
    """The columns of a frame, each with its other operand.

    Raises ValueError for comparisons (unless ``flexible``) of different labels, and for lists of
    another length.
    """
    if is_frame(other):
        return _frame_pair(left, other, name, flexible)
    if is_series(other):
        if name in COMPARISONS and not flexible and not left.columns.equals(other.index):
            raise ValueError(
                "Operands are not aligned. Do `left, right = left.align(right, axis=1)` before "
                "operating."
            )
        return _series_along(left, other, axis)
    if is_list_like(other) and not isinstance(other, dict):
        return _list_along(left, other, axis)
    return Aligned(
        list(left._parts),
        [_operand(other, left)] * len(left._parts),
        left._row_labels,
        left.columns,
    )


def _frame_pair(left: Any, right: Any, name: str, flexible: bool) -> Aligned:
    same = left._row_labels is right._row_labels or _same(left.index, right.index)
    if same and _same(left.columns, right.columns):
        return Aligned(list(left._parts), list(right._parts), left._row_labels, left.columns)
    if name in COMPARISONS and not flexible:
        raise ValueError(
            "Can only compare identically-labeled (both index and columns) DataFrame objects"
        )
    index, mine, theirs = align(left.index, right.index, "outer")
    labels, ours_at, theirs_at = align(left.columns, right.columns, "outer")
    a = _spread(left._parts, ours_at, mine, len(index), len(labels))
    b = _spread(right._parts, theirs_at, theirs, len(index), len(labels))
    return Aligned(a, b, index, labels)


def _same(left: Index, right: Index) -> bool:
    return left is right or bool(left.equals(right))


def _spread(parts: list[Column], numbers: Any, rows: Any, count: int, width: int) -> list[Any]:
    """Columns in the order of labels, their rows in that of others; NaN for a column less."""
    where = range(width) if numbers is None else np.asarray(numbers).tolist()
    nothing = column_of([np.nan]).take(px.zeros(count, np.int64)) if numbers is not None else None
    return [nothing if i < 0 else rows_taken(parts[i], rows) for i in where]


def _series_along(left: Any, other: Any, axis: int) -> Aligned:
    if axis == 0:
        index, mine, theirs = align(left.index, other.index, "outer")
        right = rows_taken(other._parts[0], theirs)
        lefts = [rows_taken(each, mine) for each in left._parts]
        return Aligned(lefts, [right] * len(lefts), index, left.columns)
    labels, mine, theirs = align(left.columns, other.index, "outer")
    lefts = _spread(left._parts, mine, None, len(left.index), len(labels))
    values = rows_taken(other._parts[0], theirs)
    rights = [_element(values, i, len(left.index)) for i in range(len(values))]
    return Aligned(lefts, rights, left.index, labels)


def _element(values: Column, row: int, count: int) -> Any:
    """One value, or a column of it where NA by itself would not say of which dtype it is."""
    value = values.element(row)
    if value is NA and isinstance(values.dtype, NullableDtype):
        return values.slice(slice(row, row + 1)).take(px.zeros(count, np.int64))
    return value


def _list_along(left: Any, other: Any, axis: int) -> Aligned:
    rows, width = left.shape
    array = np.asarray(other) if not isinstance(other, (np.ndarray, ndarray)) else other
    if array.ndim == 2:
        if array.shape not in ((rows, width), (1, width), (rows, 1)):
            raise ValueError(
                f"Unable to coerce to DataFrame, shape must be {(rows, width)}: given {array.shape}"
            )
        columns = [column_of(array[:, i if array.shape[1] > 1 else 0]) for i in range(width)]
        if array.shape[0] == 1 and rows != 1:
            return Aligned(
                list(left._parts), [each.element(0) for each in columns], left.index, left.columns
            )
        return Aligned(list(left._parts), columns, left.index, left.columns)
    values = column_from(other)
    if len(values) != (rows if axis == 0 else width):
        raise ValueError(
            f"Unable to coerce to Series, length must be {rows if axis == 0 else width}: "
            f"given {len(values)}"
        )
    if axis == 0:
        return Aligned(list(left._parts), [values] * width, left.index, left.columns)
    return Aligned(list(left._parts), values.tolist(), left.index, left.columns)


def frame_with(
    left: Any,
    other: Any,
    name: str,
    axis: int = 1,
    *,
    flexible: bool = False,
    fill_value: Any = None,
) -> Any:
    """What an operation gives for a frame and a frame, a series, a list or one value."""

    pairs = frame_pairs(left, ours(other), name, axis, flexible=flexible)
    made = []
    for a, b in zip(pairs.lefts, pairs.rights, strict=True):
        a, b = filled_pair(a, b, fill_value)
        made.append(computed(name, a, b))
    columns = left.columns if pairs.columns is None else pairs.columns
    return left._keep_attrs(above.DataFrame._of(made, pairs.index, columns))
