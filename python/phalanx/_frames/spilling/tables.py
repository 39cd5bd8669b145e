"""Columns in files: tables of pieces that come and go, and results that stay."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn
from ..operations.common import common_dtype, in_common
from .files import Extent, SpillFile
from .room import Work

Arrays = tuple[Any, ...]  # what a column is made of; None for a mask where no row is missing


class Form(NamedTuple):
    """How a kind of columns is taken apart and put together.

    The arrays begin with those that must be there; `mask` is the place of the one that need not,
    None without one, and `offsets` tells that the first array counts bytes of the second.
    """

    apart: Callable[[Any], Arrays]
    together: Callable[[Any, Arrays], Column]
    mask: int | None = None
    offsets: bool = False


def _of_texts(column: Any) -> Arrays:
    offsets = np.asarray(column.offsets)
    first, last = int(offsets[0]), int(offsets[-1])
    return offsets - first, np.asarray(column.text)[first:last], column.valid


def _of_decimals(column: DecimalColumn) -> tuple[Any, ...]:
    """Both words of a row as one element of 16 bytes, whose value nobody looks at."""
    whole = np.ascontiguousarray(column.words).view(np.complex128).reshape(-1)
    return whole, column.valid


def _decimals(like: Any, arrays: tuple[Any, ...]) -> DecimalColumn:
    words = np.asarray(arrays[0]).view(np.int64).reshape(-1, 2)
    valid = None if arrays[1] is None else np.asarray(arrays[1])
    return DecimalColumn(words, valid, like.dtype)


FORMS: dict[type, Form] = {
    DecimalColumn: Form(_of_decimals, _decimals, mask=1),
    NumberColumn: Form(
        lambda column: (column.values, column.valid),
        lambda like, arrays: NumberColumn(arrays[0], arrays[1], like.dtype),
        mask=1,
    ),
    StringColumn: Form(
        _of_texts,
        lambda like, arrays: StringColumn(arrays[0], arrays[1], arrays[2], like.dtype),
        mask=2,
        offsets=True,
    ),
    CategoryColumn: Form(
        lambda column: (column.codes,), lambda like, arrays: CategoryColumn(arrays[0], like.dtype)
    ),
}


def form_of(column: Column) -> Form | None:
    """How a column is kept in files; None for Python's objects, which are not.

    Columns that are filtered, written to or not read yet are computed for it: they are subclasses.
    """
    return next((FORMS[kind] for kind in type(column).__mro__ if kind in FORMS), None)


class Stored(NamedTuple):
    """A column in a file: one of no rows that it is like, its rows and its arrays."""

    like: Column
    rows: int
    extents: tuple[Extent | None, ...]


# Python's objects, which are in memory whatever is done, stay there.
Cell = Stored | Column


def settled(columns: Sequence[Column], rows: Any) -> list[Column]:
    """Rows of some columns, computed: what is cut of them takes no memory of its own."""
    places = px.asarray(rows)
    return [_settled(each.take(places)) for each in columns]


def _settled(column: Column) -> Column:
    form = form_of(column)
    if form is None:
        return column
    arrays = (None if each is None else px.asarray(np.asarray(each)) for each in form.apart(column))
    return form.together(column, tuple(arrays))


def _stored(file: SpillFile, column: Column) -> Cell:
    form = form_of(column)
    if form is None:
        return column
    arrays = [None if each is None else np.asarray(each) for each in form.apart(column)]
    extents = tuple(None if each is None else file.append(each) for each in arrays)
    # A slice of no rows would keep the memory of all.
    empty = [None if each is None else px.asarray(np.zeros(0, each.dtype)) for each in arrays]
    if form.offsets:
        empty[0] = px.asarray(np.zeros(1, np.int64))
    return Stored(form.together(column, tuple(empty)), len(column), extents)


def is_alike(columns: Sequence[Column]) -> bool:
    """True for columns whose arrays can be put one after the other as they are."""
    first, dtype = columns[0], columns[0].dtype
    if any(type(each) is not type(first) or each.dtype != dtype for each in columns):
        return False
    if not isinstance(first, CategoryColumn):
        return True
    others: Sequence[Any] = columns
    return all(first.dtype.same_list(each.dtype) for each in others)


def _read(file: SpillFile, cells: Sequence[Stored]) -> Column:
    """The rows of some columns that are alike."""
    like = cells[0].like
    form = form_of(like)
    assert form is not None
    arrays: list[Any] = []
    for i in range(len(cells[0].extents)):
        extents = [each.extents[i] for each in cells]
        if i == form.mask:
            arrays.append(_read_mask(file, cells, extents))
            continue
        known = [each for each in extents if each is not None]
        found = file.read(known, known[0].dtype)
        arrays.append(_offsets(found, cells) if i == 0 and form.offsets else found)
    return form.together(like, tuple(None if each is None else px.asarray(each) for each in arrays))


def _read_mask(file: SpillFile, cells: Sequence[Stored], extents: list[Any]) -> Any:
    if all(each is None for each in extents):
        return None
    parts = [
        np.ones(cell.rows, bool) if extent is None else file.read([extent], extent.dtype)
        for cell, extent in zip(cells, extents, strict=True)
    ]
    return np.concatenate(parts)


def _offsets(found: np.ndarray, cells: Sequence[Stored]) -> np.ndarray:
    """The offsets of texts of which each piece counts from 0 on."""
    sizes = np.array([each.rows + 1 for each in cells])
    ends = np.cumsum(sizes)
    lengths = np.diff(found)
    keep = np.ones(len(lengths), bool)
    keep[ends[:-1] - 1] = False
    made = np.zeros(int(sizes.sum()) - len(cells) + 1, np.int64)
    np.cumsum(lengths[keep], out=made[1:])
    return made


class Table:
    """Rows in a file, piece by piece."""

    def __init__(self, file: SpillFile) -> None:
        self._file = file
        self._pieces: list[list[Cell]] = []
        self.rows = 0
        self.nbytes = 0

    def add(self, columns: Sequence[Column]) -> None:
        """Writes some more rows. Raises SpillError."""
        before = self._file.size
        self._pieces.append([_stored(self._file, each) for each in columns])
        self.rows += len(columns[0])
        self.nbytes += self._file.size - before

    def likes(self) -> list[Column]:
        """Columns of no rows, of dtypes that hold the values of all pieces."""
        return [self._like(list(each)) for each in zip(*self._filled(), strict=True)]

    def _filled(self) -> list[list[Cell]]:
        """The pieces that have rows, or the first one: what has none tells little of dtypes."""
        some = [each for each in self._pieces if _rows_of(each[0])]
        return some or self._pieces[:1]

    @staticmethod
    def _like(cells: list[Cell]) -> Column:
        likes = [each.like if isinstance(each, Stored) else each for each in cells]
        dtype = likes[0].dtype
        for each in likes[1:]:
            dtype = common_dtype(dtype, each.dtype)
        return likes[0].slice(slice(0, 0)).astype(dtype)

    def pieces(self, chosen: Sequence[int] | None = None) -> Iterator[list[Column]]:
        """The pieces one after the other, or some columns of them."""
        for piece in self._filled():
            yield [self._joined([piece[i]]) for i in _chosen(chosen, len(piece))]

    def read(self) -> list[Column]:
        """All rows, in memory."""
        return [self._joined(list(cells)) for cells in zip(*self._filled(), strict=True)]

    def _joined(self, cells: list[Cell]) -> Column:
        if all(isinstance(each, Stored) for each in cells):
            stored: list[Any] = cells
            if is_alike([each.like for each in stored]):
                return _read(self._file, stored)
        columns = [_read(self._file, [c]) if isinstance(c, Stored) else c for c in cells]
        first, *others = in_common(columns)
        return first.joined(others) if others else first


def _rows_of(cell: Cell) -> int:
    return cell.rows if isinstance(cell, Stored) else len(cell)


def _chosen(chosen: Sequence[int] | None, count: int) -> Sequence[int]:
    return range(count) if chosen is None else [each % count for each in chosen]


class Rows:
    """Columns that are somewhere else, cut into pieces as a table is."""

    def __init__(self, columns: Sequence[Column], rows_of_piece: int, index: Any = None) -> None:
        self._columns = list(columns)
        self._index = index
        self.rows = len(columns[0]) if columns else len(index)
        self.nbytes = sum(each.nbytes for each in columns) + (8 * self.rows)
        self._step = rows_of_piece

    def likes(self) -> list[Column]:
        """Columns of no rows."""
        return self._cut(slice(0, 0), None)

    def pieces(self, chosen: Sequence[int] | None = None) -> Iterator[list[Column]]:
        """The pieces one after the other, or some columns of them."""
        for first in range(0, self.rows, self._step):
            yield self._cut(slice(first, min(first + self._step, self.rows)), chosen)

    def _cut(self, part: slice, chosen: Sequence[int] | None) -> list[Column]:
        """The columns, then those of the index, if there is one, and the rows' numbers."""
        found = [each.slice(part) for each in self._columns]
        if self._index is not None:
            found += index_columns(self._index._slice(part))
        found.append(NumberColumn(px.asarray(np.arange(part.start, part.stop))))
        return [found[i] for i in _chosen(chosen, len(found))]


def index_columns(index: Any) -> list[Column]:
    """The labels as columns: codes where they have several levels."""
    if index.nlevels > 1:
        return [NumberColumn(px.asarray(np.asarray(each))) for each in index._codes]
    return [index._values_column()]


def index_of_columns(index: Any, columns: Sequence[Column]) -> Any:
    """An index like another one of columns that `index_columns` gave."""
    if index.nlevels == 1:
        return index._with(columns[0])
    levels = zip(index._parts(), columns, strict=True)
    return index._like([each._replace(codes=np.asarray(codes.values)) for each, codes in levels])  # type: ignore[attr-defined]


# The rows of a piece part by part, and where the parts begin and the last one ends.
Arrange = Callable[[list[Column]], tuple[np.ndarray, np.ndarray]]


def divided(work: Work, source: Table | Rows, arrange: Arrange, count: int) -> list[Table]:
    """The rows of a table in parts, in their order in each. Raises SpillError."""
    file = work.new_file()
    parts = [Table(file) for _ in range(count)]
    for columns in source.pieces():
        before = file.size
        rows, bounds = arrange(columns)
        moved = settled(columns, rows)
        for part, (first, last) in zip(parts, pairwise(bounds.tolist()), strict=True):
            if last > first:
                part.add([each.slice(slice(first, last)) for each in moved])
        work.moved(file.size - before)
    return parts
