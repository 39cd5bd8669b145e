"""Results that are written piece by piece and stay in files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from .room import Work
from .tables import form_of


class Output:
    """Results that are written piece by piece, and in the end mapped: they take no memory that the
    system could not take back.
    """

    def __init__(self, work: Work, likes: Sequence[Column]) -> None:
        self._work = work
        self._likes = list(likes)
        self._columns = [_Growing(work, each) for each in likes]

    def add(self, columns: Sequence[Column]) -> None:
        """Writes some more rows. Raises SpillError."""
        for growing, column in zip(self._columns, columns, strict=True):
            self._work.moved(growing.add(column))

    def columns(self) -> list[Column]:
        """All rows."""
        return [each.column() for each in self._columns]


class _Growing:
    """A column of an output: a file for each of its arrays, for a mask where a row is missing."""

    def __init__(self, work: Work, like: Column) -> None:
        self._work = work
        self._like = like
        self._form = form_of(like)
        self._kept: list[Column] = []  # Python's objects
        self._rows = 0
        self._base = 0  # bytes of texts so far
        arrays = self._apart(like)
        self._dtypes = [np.dtype(bool) if each is None else each.dtype for each in arrays]
        mask = None if self._form is None else self._form.mask
        self._files = [None if i == mask else work.new_file() for i in range(len(self._dtypes))]
        if self._form is not None and self._form.offsets:
            self._append(0, np.zeros(1, np.int64))

    def _apart(self, column: Column) -> list[Any]:
        if self._form is None:
            return []
        return [None if each is None else np.asarray(each) for each in self._form.apart(column)]

    def _append(self, number: int, array: np.ndarray | None) -> int:
        """Writes to a file; that of a mask begins with the first row that is missing."""
        file = self._files[number]
        if file is None:
            if array is None:
                return 0
            file = self._files[number] = self._work.new_file()
            file.append(np.ones(self._rows, bool))
        assert array is not None
        return file.append(array).nbytes

    def add(self, column: Column) -> int:
        column = column if column.dtype == self._like.dtype else column.astype(self._like.dtype)
        if self._form is None:
            self._kept.append(column)
            return 0
        if isinstance(column, CategoryColumn):
            like: Any = self._like
            column = like.recoded(column)
        arrays = self._apart(column)
        if self._form.offsets:
            arrays[0] = arrays[0][1:] + self._base
            self._base += len(arrays[1])
        mask = self._form.mask
        if mask is not None and arrays[mask] is None and self._files[mask] is not None:
            arrays[mask] = np.ones(len(column), bool)
        written = sum(self._append(i, each) for i, each in enumerate(arrays))
        self._rows += len(column)
        return written

    def column(self) -> Column:
        if self._form is None:
            first, *others = self._kept or [self._like]
            return first.joined(others) if others else first
        arrays = [
            None if file is None else px.asarray(file.mapped(dtype))
            for file, dtype in zip(self._files, self._dtypes, strict=True)
        ]
        return self._form.together(self._like, tuple(arrays))
