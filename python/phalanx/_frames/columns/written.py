"""Columns with single rows written, which go into the arrays at the first look at the whole.

A write is an entry of a log, and gives another column, as all that changes a column does: the one
before knows fewer of the entries. A loop of writes copies nothing until it ends.
"""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from .categories import CategoryColumn
from .column import Column
from .decimals import DecimalColumn
from .intervals import IntervalColumn
from .lists import ListColumn
from .making import column_of
from .numbers import NumberColumn
from .objects import ObjectColumn, object_array
from .periods import PeriodColumn
from .scattering import scattered
from .strings import StringColumn

# So many entries, at least, and as many as a 64th of the rows, are put into the arrays, and a new
# log begins: a log of more would need much more memory than the column, and save no more time.
_MOST_ENTRIES = 4096
_ROWS_FOR_ENTRY = 64
# A slice of so few rows is looked up in the log row by row.
_FEW_ROWS = 64


class _Log:
    """Rows that were written over a column, with their new elements, in the order of the writes.

    It only grows. A column over it has the first `count` entries, so that two columns over one log
    do not see each other's writes.
    """

    __slots__ = ("_latest", "_lock", "_previous", "base", "elements", "rows")

    def __init__(self, base: Column) -> None:
        self.base = base
        self.rows: list[int] = []
        self.elements: list[Any] = []
        self._previous: list[int] = []  # for each entry the one before of the same row
        self._latest: dict[int, int] = {}
        self._lock = threading.Lock()

    def add(self, row: int, element: Any, count: int) -> bool:
        """Add an entry after the first `count`; False where other columns have added theirs."""
        with self._lock:
            if count != len(self.rows):
                return False
            self._previous.append(self._latest.get(row, -1))
            self.elements.append(element)
            self.rows.append(row)
            self._latest[row] = count
        return True

    def find(self, row: int, count: int) -> int:
        """The last of the first `count` entries that is of a row; -1 where there is none."""
        found = self._latest.get(row, -1)
        while found >= count:
            found = self._previous[found]
        return found

    def applied(self, count: int) -> Column:
        """The column with the first entries."""
        last = dict(zip(self.rows[:count], self.elements[:count], strict=True))
        rows = np.fromiter(last, np.int64, len(last))
        return _with_elements(self.base, rows, list(last.values()))


def _with_elements(column: Column, rows: np.ndarray, elements: list[Any]) -> Column:
    return scattered(column, rows, column_of(object_array(elements), column.dtype))


class _Written:
    """What is the same for all kinds: `_log` is None once the arrays have been made."""

    __slots__ = ()
    _count: int
    _log: _Log | None
    _made: Any
    dtype: Any

    def __init__(self: Any, log: _Log, count: int) -> None:
        if not isinstance(log.base, ObjectColumn):  # which has it as a class
            self.dtype = log.base.dtype
        self._log, self._count, self._made = log, count, None

    def column(self: Any) -> Any:
        """The column without a log."""
        log = self._log
        if log is not None:
            # In this order, as another thread may be looking.
            self._made = log.applied(self._count)
            self._log = None
        return self._made

    def __len__(self) -> int:
        log = self._log
        return len(self._made if log is None else log.base)

    @property
    def device(self) -> Any:
        log = self._log
        return (self._made if log is None else log.base).device

    def element(self, row: int) -> Any:
        """One row, by the log where it has it."""
        log = self._log
        if log is None:
            return self._made.element(row)
        row += len(log.base) if row < 0 else 0
        found = log.find(row, self._count)
        return log.base.element(row) if found < 0 else log.elements[found]

    def slice(self, part: slice) -> Any:
        """Rows of a slice; few of them without a look at the whole."""
        log = self._log
        rows = range(*part.indices(len(self)))
        if log is None or len(rows) > _FEW_ROWS:
            return self.column().slice(part)
        found = [log.find(row, self._count) for row in rows]
        places = [i for i, each in enumerate(found) if each >= 0]
        made = log.base.slice(part)
        if not places:
            return made
        return _with_elements(made, np.array(places), [log.elements[found[i]] for i in places])

    def __reduce__(self) -> Any:
        return _itself, (self.column(),)


def _itself(column: Column) -> Column:
    return column


def _of_column(name: str) -> Any:
    """The array of a column of the kind, for which the log is applied."""
    return property(lambda self: getattr(self.column(), name))


class _WrittenNumbers(_Written, NumberColumn):
    __slots__ = ("_count", "_log", "_made")
    values = _of_column("values")
    valid = _of_column("valid")


class _WrittenTexts(_Written, StringColumn):
    __slots__ = ("_count", "_log", "_made")
    offsets = _of_column("offsets")
    text = _of_column("text")
    valid = _of_column("valid")


class _WrittenCategories(_Written, CategoryColumn):
    __slots__ = ("_count", "_log", "_made")
    codes = _of_column("codes")


class _WrittenObjects(_Written, ObjectColumn):
    __slots__ = ("_count", "_log", "_made")
    objects = _of_column("objects")


_KINDS: dict[type, Any] = {
    NumberColumn: _WrittenNumbers,
    StringColumn: _WrittenTexts,
    CategoryColumn: _WrittenCategories,
    ObjectColumn: _WrittenObjects,
}


def has_log(column: Column) -> bool:
    """True for kinds of columns that `written` takes, whose elements make a column again."""
    return not isinstance(column, (DecimalColumn, IntervalColumn, ListColumn, PeriodColumn))


def written(column: Column, row: int, element: Any) -> Column:
    """The column with another element in a row, which is one of its dtype.

    Nothing is copied, unless the column's log is full.
    """
    log = column._log if isinstance(column, _Written) else None
    if log is not None:
        count = column._count  # type: ignore[attr-defined]
        is_full = count >= max(_MOST_ENTRIES, len(log.base) // _ROWS_FOR_ENTRY)
        if not is_full and log.add(row, element, count):
            return type(column)(log, count + 1)  # type: ignore[call-arg]
    base = column.column() if isinstance(column, _Written) else column
    kind = next(_KINDS[each] for each in type(base).__mro__ if each in _KINDS)
    log = _Log(base)
    log.add(row, element, 0)
    return kind(log, 1)  # type: ignore[no-any-return]
