"""A frame as CSV text: its header by Python, its rows by the engine."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from typing import Any

import numpy as np

from phalanx import _engine

from ..building.kinds import is_list_like
from .cells import cells_of, label_fields, level_cells
from .options import Options

_BATCH = 32 << 20  # bytes of text between two looks at signals


class CsvTable:
    """The header and the rows of a frame."""

    def __init__(self, frame: Any, options: Options, header: Any, index: bool, labels: Any) -> None:
        self._options = options
        index_labels = _index_labels(frame.index, labels)
        self.header = _header(frame, options, header, index_labels if index else None)
        columns = []
        if index:
            columns = _index_cells(frame.index, options)
        columns += [cells_of(each, options) for each in frame._parts]
        self._rows = len(frame)
        self.has_columns = bool(columns)
        self.has_surrogates = any(_may_have_surrogates(each) for each in columns)
        self._writer = _engine.CsvWriter(options.engine_dialect(), columns, self._rows)

    def _ranges(self) -> Iterator[tuple[int, int]]:
        step = self._writer.rows_of_bytes(_BATCH)
        for first in range(0, self._rows, step):
            yield first, min(first + step, self._rows)

    def pieces(self) -> Iterator[bytes]:
        """The text as UTF-8. Raises csv.Error for a field that cannot be written."""
        yield self.header
        for first, last in self._ranges():
            with _Failures():
                text = self._writer.text(first, last)
            yield text

    def write_to(self, descriptor: int, place: int) -> None:
        """Writes all to a file, from a place on; -1: wherever it is. Raises OSError too."""
        end = place
        for first, last in self._ranges():
            with _Failures():
                end = self._writer.write(descriptor, end if place >= 0 else -1, first, last)


def _index_cells(index: Any, options: Options) -> list[Any]:
    levels = [index.get_level_values(i)._values_column() for i in range(index.nlevels)]
    if len(levels) == 1:
        return [cells_of(levels[0], options, is_index=True)]
    return [level_cells(each, options) for each in levels]


class _Failures:
    """What the engine tells of fields is an error of Python's csv module."""

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, ValueError):
            raise csv.Error(str(error)) from None


def _may_have_surrogates(cells: tuple[Any, ...]) -> bool:
    """True if a text may have halves of surrogate pairs, which UTF-8 proper has not."""
    if cells[0] not in ("text", "codes"):
        return False
    return bool((cells[2 if cells[0] == "text" else 3] == 0xED).any())


def _index_labels(index: Any, given: Any) -> Any:
    if given is False:
        return False
    if given is None:
        return ["" if each is None else each for each in index.names]
    return list(given) if isinstance(given, (list, tuple, np.ndarray)) else [given]


def _header(frame: Any, options: Options, header: Any, index_labels: Any) -> bytes:
    aliases = list(header) if is_list_like(header) else None
    if aliases is None and not header:
        return b""
    columns = frame.columns
    file = io.StringIO()
    writer = options.writer(file)
    first = list(index_labels) if index_labels else []
    if aliases is not None:
        if len(aliases) != len(columns):
            raise ValueError(f"Writing {len(columns)} cols but got {len(aliases)} aliases")
        writer.writerow(first + aliases)
    elif columns.nlevels == 1:
        writer.writerow(first + label_fields(columns._values_column(), options))
    else:
        for row in _level_rows(columns, index_labels, first):
            writer.writerow(row)
    return file.getvalue().encode("utf-8", "surrogatepass")


def _level_rows(columns: Any, index_labels: Any, first: list[Any]) -> Iterator[list[Any]]:
    for i in range(columns.nlevels):
        row = [] if index_labels is None else [columns.names[i]]
        if isinstance(index_labels, list) and len(index_labels) > 1:
            row += [""] * (len(index_labels) - 1)
        yield row + list(columns.get_level_values(i))
    if first and set(first) != {""}:
        yield first + [""] * len(columns)
