"""Columns of a file whose values are read at first use, and comparisons of them.

Such a column knows its dtype and its length. Rows that are taken of it stay in the file: what is
read in the end are the parts of the file that have one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..dtypes import Dtype, StringDtype
from .column import Column
from .numbers import NumberColumn
from .strings import StringColumn


class Rows(Protocol):
    """Some rows of a file."""

    @property
    def device(self) -> Any:
        """The engine's, to which they are read; None: the current one."""

    def __len__(self) -> int: ...

    def read(self, fields: Sequence[str]) -> list[Column]:
        """The values of some fields. Raises DamagedFileError, and OSError."""

    def at(self, rows: Any) -> Rows:
        """Rows of these: positions, or a slice. Equal objects of positions give one object."""

    def told(self) -> str:
        """What `explain` says of them."""

    def that_may(self, field: str, name: str, value: Any) -> np.ndarray | None:
        """The positions of rows for which the file does not rule out that a comparison holds; None
        for all.
        """


class _Unread:
    """What is the same for all kinds: `rows` is None once the values are read."""

    __slots__ = ()
    rows: Rows | None
    field: str
    dtype: Any
    _read: Any

    def column(self) -> Any:
        """The values, as a column in memory."""
        if self.rows is not None:
            read_together([self])
        return self._read

    def __len__(self) -> int:
        return len(self._read if self.rows is None else self.rows)

    @property
    def device(self) -> Any:
        """Where its values are, or will be."""
        return (self._read if self.rows is None else self.rows).device

    def _at(self, rows: Any) -> Column | None:
        if self.rows is None:
            return None
        return type(self)(self.rows.at(rows), self.field, self.dtype)  # type: ignore[call-arg, return-value]


class UnreadNumbers(_Unread, NumberColumn):
    """A `NumberColumn` of a file."""

    __slots__ = ("_read", "field", "rows")

    def __init__(self, rows: Rows, field: str, dtype: Dtype) -> None:
        self.rows, self.field, self.dtype, self._read = rows, field, dtype, None

    @property
    def values(self) -> ndarray:  # type: ignore[override]
        """The elements, which are read now if they were not before."""
        return self.column().values  # type: ignore[no-any-return]

    @property
    def valid(self) -> ndarray | None:  # type: ignore[override]
        """Which of them are there."""
        return self.column().valid  # type: ignore[no-any-return]

    def take(self, rows: ndarray, *, has_missing: bool = False) -> Column:
        """The rows at some positions, which stay in the file where this is there."""
        found = None if has_missing else self._at(rows)
        return super().take(rows, has_missing=has_missing) if found is None else found

    def slice(self, part: slice) -> Any:
        """The rows of a slice, which stay in the file where this is there."""
        found = self._at(part)
        return super().slice(part) if found is None else found

    def __reduce__(self) -> Any:
        return NumberColumn, (self.values, self.valid, self.dtype)


class UnreadTexts(_Unread, StringColumn):
    """A `StringColumn` of a file."""

    __slots__ = ("_read", "field", "rows")

    def __init__(self, rows: Rows, field: str, dtype: StringDtype) -> None:
        self.rows, self.field, self.dtype, self._read = rows, field, dtype, None

    @property
    def offsets(self) -> ndarray:  # type: ignore[override]
        """Where each text begins; all is read now if it was not before."""
        return self.column().offsets  # type: ignore[no-any-return]

    @property
    def text(self) -> ndarray:  # type: ignore[override]
        """The bytes."""
        return self.column().text  # type: ignore[no-any-return]

    @property
    def valid(self) -> ndarray | None:  # type: ignore[override]
        """Which texts are there."""
        return self.column().valid  # type: ignore[no-any-return]

    def take(self, rows: ndarray, *, has_missing: bool = False) -> Any:
        """The rows at some positions, which stay in the file where this is there."""
        found = None if has_missing else self._at(rows)
        return super().take(rows, has_missing=has_missing) if found is None else found

    def slice(self, part: slice) -> Any:
        """The rows of a slice, which stay in the file where this is there."""
        found = self._at(part)
        return super().slice(part) if found is None else found

    def __reduce__(self) -> Any:
        return StringColumn, (self.offsets, self.text, self.valid, self.dtype)


def unread(rows: Rows, field: str, sample: Column) -> Column | None:
    """A column of a file like one without rows; None for kinds that are read at once."""
    if type(sample) is NumberColumn:
        return UnreadNumbers(rows, field, sample.dtype)
    return UnreadTexts(rows, field, sample.dtype) if type(sample) is StringColumn else None


def rows_of(column: Any) -> Rows | None:
    """The rows of a file that a column has and that are not read."""
    return column.rows if isinstance(column, _Unread) else None


def read_together(columns: Sequence[Any]) -> None:
    """Read what is not read of some columns, those of the same rows at once."""
    waiting: dict[int, list[Any]] = {}
    for each in columns:
        if rows_of(each) is not None and not isinstance(each, UnreadMask):
            waiting.setdefault(id(each.rows), []).append(each)
    for group in waiting.values():
        rows = group[0].rows
        if rows is None:
            continue
        for each, made in zip(group, rows.read([each.field for each in group]), strict=True):
            each._read = made if made.dtype == each.dtype else made.astype(each.dtype)
            each.rows = None


# Comparisons.

Compare = Callable[[str, Column, Any], Column]
_ORDERS = {"eq", "lt", "le", "gt", "ge"}
_SWAPPED = {"lt": "gt", "le": "ge", "gt": "lt", "ge": "le", "eq": "eq"}


class UnreadMask(_Unread, NumberColumn):
    """Where comparisons of columns of a file hold. They are done at first use.

    A filter asks the file first which of its parts can have such rows: `positions`.
    """

    __slots__ = ("_compare", "_read", "conditions", "field", "rows")

    def __init__(
        self, rows: Rows, conditions: list[tuple[Any, str, Any]], compare: Compare
    ) -> None:
        self.rows, self.conditions, self._compare = rows, conditions, compare
        self.dtype, self._read, self.field = np.dtype(bool), None, ""

    def column(self) -> Any:
        """The mask, in memory."""
        if self.rows is not None:
            self._read = NumberColumn(self._all(self.conditions))
            self.rows = None
        return self._read

    def _all(self, conditions: list[tuple[Any, str, Any]]) -> ndarray:
        read_together([each for each, _, _ in conditions])
        made: Any = None
        for column, name, value in conditions:
            found = self._compare(name, column, value).values  # type: ignore[attr-defined]
            made = found if made is None else made & found
        return made  # type: ignore[no-any-return]

    @property
    def values(self) -> ndarray:  # type: ignore[override]
        """The elements."""
        return self.column().values  # type: ignore[no-any-return]

    @property
    def valid(self) -> None:  # type: ignore[override]
        """None: all are there."""
        return

    def positions(self) -> ndarray | None:
        """The rows where all conditions hold, of which only some parts of the file are read; None
        where the file rules out no row, or the columns are read already.
        """
        rows = self.rows
        if rows is None or any(rows_of(each) is not rows for each, _, _ in self.conditions):
            return None
        kept: np.ndarray | None = None
        for column, name, value in self.conditions:
            found = rows.that_may(column.field, name, value)
            if found is not None:
                kept = found if kept is None else np.intersect1d(kept, found, assume_unique=True)
        if kept is None:
            return None
        places = px.asarray(kept)
        if not len(kept):
            return places
        few = [(each.take(places), name, value) for each, name, value in self.conditions]
        return places[self._all(few)]

    def take(self, rows: ndarray, *, has_missing: bool = False) -> Column:
        """The mask of the rows at some positions."""
        return NumberColumn.take(self.column(), rows, has_missing=has_missing)

    def slice(self, part: slice) -> Any:
        """The mask of a slice's rows."""
        return NumberColumn.slice(self.column(), part)

    def __reduce__(self) -> Any:
        return NumberColumn, (self.values,)


def compared(name: str, left: Any, right: Any, compare: Compare) -> UnreadMask | None:
    """A comparison of a column of a file with one value, or two of them that are both to hold.

    None where the operation is another, or looks at dtypes that have reasons to raise.
    """
    if name == "and_" and isinstance(left, UnreadMask) and isinstance(right, UnreadMask):
        if left.rows is not None and left.rows is right.rows:
            return UnreadMask(left.rows, [*left.conditions, *right.conditions], compare)
        return None
    if name not in _ORDERS:
        return None
    if isinstance(right, Column):
        left, right, name = right, left, _SWAPPED[name]
    rows = rows_of(left)
    if rows is None or isinstance(left, UnreadMask) or not _are_alike(left, right):
        return None
    return UnreadMask(rows, [(left, name, right)], compare)


def _are_alike(column: Column, value: Any) -> bool:
    if isinstance(column, StringColumn):
        return isinstance(value, str) and isinstance(column.dtype.na_value, float)
    if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iuf":
        return False
    return isinstance(value, (int, float, np.integer, np.floating)) and not isinstance(value, bool)
