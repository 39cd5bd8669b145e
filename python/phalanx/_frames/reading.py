"""`read_csv`: frames of text."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np

import phalanx as px

from .columns.categories import CategoryColumn
from .columns.column import Column
from .columns.making import column_of
from .columns.numbers import NumberColumn, nullable
from .columns.strings import StringColumn
from .csv_columns import Columns, CsvChunks, read_csv_columns
from .csv_types import CsvColumn
from .dtypes import CategoricalDtype
from .frame import DataFrame
from .indexes.making import index_of
from .indexes.multi import MultiIndex
from .indexes.ranges import RangeIndex
from .progress import ProgressBar


def read_csv(
    filepath_or_buffer: Any, *, device: Any = None, **keywords: Any
) -> DataFrame | CsvFrames:
    """A frame of CSV text: a path, bytes, or an open file, with pandas' keyword arguments.

    ``chunksize`` and ``iterator`` give `CsvFrames`, an iterator of frames. Floats are rounded
    correctly, as with pandas' ``float_precision="round_trip"``. Columns of ``parse_dates`` become
    dates where all their texts are of ISO 8601 in one form. On a terminal a bar shows how far a
    long read is.

    ``device`` is where the columns are made, ``"cuda"`` for example; without it that is the current
    device. A GPU reads a long text itself.

    Raises NotImplementedError for a keyword that pandas has and Phalanx has not, TypeError for one
    that pandas has not either, ParserError with the line for what is no table, EmptyDataError for
    text without columns, ValueError for what does not fit a dtype asked for, and OSError.
    """
    labels = keywords.pop("index_col", None)
    if labels is False:
        keywords["index_col"] = False
    bar = ProgressBar("read_csv")
    with _current(device):
        made = read_csv_columns(filepath_or_buffer, progress=bar, **keywords)
        if isinstance(made, CsvChunks):
            return CsvFrames(made, labels, device)
        try:
            return _frame_of(made, labels, 0)
        finally:
            bar.close()


def _current(device: Any) -> AbstractContextManager[Any]:
    """Makes a device that is given the current one."""
    return nullcontext() if device is None else px.device(device)


class CsvFrames:
    """Frames of the next rows of a text, again and again; it is closed at the text's end."""

    def __init__(self, chunks: CsvChunks, labels: Any, device: Any = None) -> None:
        self._chunks = chunks
        self._labels = labels
        self._device = device
        self._rows = 0

    def get_chunk(self, size: int | None = None) -> DataFrame:
        """The next `size` rows, or `chunksize`. Raises StopIteration where there are none."""
        return self._next(lambda: self._chunks.get_chunk(size))

    def _next(self, read: Callable[[], Columns]) -> DataFrame:
        with _current(self._device):
            made = _frame_of(read(), self._labels, self._rows)
        self._rows += len(made)
        return made

    def __iter__(self) -> Iterator[DataFrame]:
        return self

    def __next__(self) -> DataFrame:
        return self._next(lambda: next(self._chunks))

    def close(self) -> None:
        """Closes the file, as far as it was opened here."""
        self._chunks.close()

    def __enter__(self) -> CsvFrames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _frame_of(made: Columns, labels: Any, first: int) -> DataFrame:
    """The frame of columns; those without a name are the labels of the rows."""
    parts = [_column_of(part) for _, part in made]
    of_rows = sum(name is None for name, _ in made)
    count = len(parts[0]) if parts else 0
    if of_rows == 1:
        index = index_of(parts[0])
    elif of_rows > 1:
        index = MultiIndex.from_arrays([index_of(each) for each in parts[:of_rows]])
    else:
        index = RangeIndex(first, first + count)
    names = [name for name, _ in made[of_rows:]]
    frame = DataFrame._of(parts[of_rows:], index, index_of(names))
    if labels is None or labels is False:
        return frame
    several = list(labels) if isinstance(labels, (list, tuple)) else [labels]
    keys = [frame.columns[each] if _is_place(each, names) else each for each in several]
    return frame.set_index(keys if isinstance(labels, (list, tuple)) else keys[0])


def _is_place(label: Any, names: list[object]) -> bool:
    return isinstance(label, int) and not isinstance(label, bool) and label not in names


def _column_of(part: CsvColumn) -> Column:
    if part.kind in ("string", "category"):
        valid = None if part.valid is None or part.kind == "category" else px.asarray(part.valid)
        words = StringColumn(px.asarray(part.offsets), px.asarray(part.bytes), valid)
        if part.kind == "string":
            return words
        return CategoryColumn(px.asarray(part.values), CategoricalDtype(index_of(words)))
    if part.kind == "empty":
        return column_of([], np.dtype(object))
    values = part.values
    if part.kind.startswith("datetime64"):
        # What is missing is NaT by its number already.
        return NumberColumn(px.asarray(values.view(part.kind.replace("datetime64", "M8"))))
    if part.nullable:
        return nullable(px.asarray(values), None if part.valid is None else px.asarray(part.valid))
    if part.valid is not None and values.dtype.kind == "b":
        mixed = np.asarray(values).astype(object)
        mixed[~np.asarray(part.valid)] = np.nan
        return column_of(mixed, np.dtype(object))
    return NumberColumn(px.asarray(values))
