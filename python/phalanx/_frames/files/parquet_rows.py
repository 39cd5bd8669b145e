"""Rows of a parquet file that are read when somebody looks at them.

A frame of a file keeps it open. A new file in its place changes nothing; what is written into the
file itself is noticed: rows that were not read yet raise.
"""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx import _engine
from phalanx.errors import ChangedFileError

from ..._arrays import placement
from ..._core.progress_bar import ProgressBar
from .. import above
from ..columns import Column
from ..columns.unread import Rows, unread
from ..interchange.pandas_metadata import Described
from .pyarrow_modules import damage_named, pyarrow_module

ATTRS = b"PANDAS_ATTRS"  # where a table has the attributes of its frame

# Long reads show a bar; it is drawn that many times at most.
_LONG = 100 << 20
_STEPS = 50
# Integers that a float holds exactly.
_EXACT = 2**53


class ParquetSource:
    """A parquet file that stays open.

    Raises DamagedFileError for another file, OSError.
    """

    def __init__(self, path: str) -> None:
        parquet = pyarrow_module("pyarrow.parquet", "read_parquet")
        self.path = path
        self._opened = os.open(path, os.O_RDONLY)
        self._state = self._found()
        with damage_named(path, "parquet"):
            self.file = parquet.ParquetFile(path)
        self.schema = self.file.schema_arrow
        self.told = Described(self.schema)
        self.facts = self.file.metadata
        sizes = [self.facts.row_group(i).num_rows for i in range(self.facts.num_row_groups)]
        self.starts = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
        self._lock = threading.Lock()
        # Where columns come to whenever they are read; None: "auto" says then.
        self.device = None if _engine.is_automatic() else _engine.current_device()
        self._places = {self.facts.schema.column(i).path: i for i in range(self.facts.num_columns)}

    def __del__(self) -> None:
        if hasattr(self, "_opened"):
            os.close(self._opened)

    def _found(self) -> tuple[int, int]:
        found = os.fstat(self._opened)
        return found.st_size, found.st_mtime_ns

    def read(self, fields: Sequence[str], groups: list[int]) -> list[Column]:
        """Some columns of some row groups.

        Raises ChangedFileError where the file was written to, DamagedFileError, OSError.
        """
        names = list(dict.fromkeys(fields))
        with self._lock, damage_named(self.path, "parquet"):
            if self._found() != self._state:
                raise ChangedFileError(
                    f"{self.path!r} was written to after read_parquet: read it again"
                )
            table = self._table(names, groups)
        return [self.told.column(table.column(each), each) for each in fields]

    def _table(self, names: list[str], groups: list[int]) -> Any:
        size = sum(self.facts.row_group(i).total_byte_size for i in groups)
        bar = ProgressBar("read_parquet")
        if size < _LONG or not bar.is_terminal or len(groups) < 2:
            return self.file.read_row_groups(groups, columns=names)
        arrow = pyarrow_module("pyarrow", "read_parquet")
        parts, step = [], max(1, len(groups) // _STEPS)
        try:
            for first in range(0, len(groups), step):
                part = groups[first : first + step]
                parts.append(self.file.read_row_groups(part, columns=names))
                bar(size * (first + len(part)) // len(groups), size)
        finally:
            bar.close()
        return arrow.concat_tables(parts)

    def may_have(self, group: int, field: str, name: str, value: Any) -> bool:
        """False where the statistics of a row group rule out that a comparison holds."""
        place = self._places.get(field)
        if place is None:
            return True
        found = self.facts.row_group(group).column(place).statistics
        if found is None or not found.has_min_max:
            return True
        try:
            low, high = found.min, found.max
        except (UnicodeDecodeError, NotImplementedError):
            return True  # cut off within a letter
        if not _is_like(low, value) or not _is_like(high, value):
            return True
        if isinstance(low, int) and max(abs(low), abs(high)) > _EXACT:
            return True  # with missing ones they are floats in the frame
        return _holds(name, low, high, value)

    def has_missing(self, field: str) -> bool:
        """True unless the statistics say that no value is missing."""
        place = self._places.get(field)
        for i in range(self.facts.num_row_groups):
            found = None if place is None else self.facts.row_group(i).column(place).statistics
            if found is None or not found.has_null_count or found.null_count:
                return True
        return False


def _is_like(bound: Any, value: Any) -> bool:
    if isinstance(value, str):
        return isinstance(bound, str)
    return isinstance(bound, (int, float)) and not isinstance(bound, bool) and bound == bound


def _holds(name: str, low: Any, high: Any, value: Any) -> bool:
    if name in ("gt", "ge"):
        return bool(high > value if name == "gt" else high >= value)
    if name in ("lt", "le"):
        return bool(low < value if name == "lt" else low <= value)
    return bool(low <= value <= high)


class ParquetRows(Rows):
    """Rows of a parquet file: all, or those at some positions of the file."""

    def __init__(self, source: ParquetSource, positions: np.ndarray | None = None) -> None:
        self.source, self.positions = source, positions
        self._last: tuple[Any, ParquetRows] | None = None

    @property
    def device(self) -> Any:
        """Where the values come to."""
        return self.source.device

    def __len__(self) -> int:
        return int(self.source.starts[-1]) if self.positions is None else len(self.positions)

    def at(self, rows: Any) -> ParquetRows:
        """Rows of these, at positions or in a slice."""
        last = self._last
        if last is not None and (last[0] is rows or (isinstance(rows, slice) and last[0] == rows)):
            return last[1]
        if self.positions is None and isinstance(rows, slice):
            chosen = np.arange(len(self))[rows]
        else:
            numbers: Any = rows if isinstance(rows, slice) else np.asarray(rows)
            chosen = numbers if self.positions is None else self.positions[numbers]
            chosen = np.where(chosen < 0, chosen + self.source.starts[-1], chosen)
        made = ParquetRows(self.source, chosen)
        self._last = (rows, made)
        return made

    def _groups(self) -> list[int]:
        """The row groups that have one of the rows."""
        count = len(self.source.starts) - 1
        if self.positions is None:
            return list(range(count))
        numbers = np.searchsorted(self.source.starts, self.positions, side="right") - 1
        return np.flatnonzero(np.bincount(numbers, minlength=count)).tolist()

    def read(self, fields: Sequence[str]) -> list[Column]:
        """The values of some fields, of the row groups that have one of the rows."""
        if self.device is None or not placement.is_elsewhere(self.device):
            return self._read(fields)
        with placement.device(self.device):
            return self._read(fields)

    def _read(self, fields: Sequence[str]) -> list[Column]:
        import phalanx as px

        groups = self._groups()
        columns = self.source.read(fields, groups)
        if self.positions is None:
            return columns
        starts = self.source.starts
        skipped = np.zeros(len(starts), np.int64)
        chosen = np.zeros(len(starts) - 1, bool)
        chosen[groups] = True
        skipped[1:] = np.cumsum(np.where(chosen, 0, np.diff(starts)))
        numbers = np.searchsorted(starts, self.positions, side="right") - 1
        places = px.asarray(self.positions - skipped[numbers])
        return [each.take(places) for each in columns]

    def that_may(self, field: str, name: str, value: Any) -> np.ndarray | None:
        """Positions among these of rows in row groups whose statistics let a comparison through."""
        groups = self._groups()
        kept = [each for each in groups if self.source.may_have(each, field, name, value)]
        if len(kept) == len(groups):
            return None
        starts = self.source.starts
        if self.positions is None:
            parts = [np.arange(starts[each], starts[each + 1]) for each in kept]
            return np.concatenate([np.empty(0, np.int64), *parts])
        numbers = np.searchsorted(starts, self.positions, side="right") - 1
        return np.flatnonzero(np.isin(numbers, kept))

    def told(self) -> str:
        """What `explain` says of them."""
        groups, count = self._groups(), len(self.source.starts) - 1
        return (
            f"not read: {len(self)} of {self.source.starts[-1]} rows, {len(groups)} of {count} row "
            f"groups of {self.source.path!r}"
        )


def frame_of_file(path: str, columns: list[str] | None) -> Any:
    """A frame whose numbers and texts are read at first use; None where a field is not there.

    Columns of other kinds, those of the index, and integers and bools with missing values, whose
    dtype depends on these, are read at once.
    """
    source = ParquetSource(path)
    names = list(source.schema.names)
    levels = [each for each in source.told.index_fields() if isinstance(each, str)]
    wanted = names if columns is None else [*columns, *(x for x in levels if x not in columns)]
    if any(each not in names for each in wanted) or len(set(wanted)) != len(wanted):
        return None
    rows = ParquetRows(source)
    parts: dict[str, Column] = {}
    for each in wanted:
        column = None if each in levels else _unread(rows, each)
        if column is not None:
            parts[each] = column
    at_once = [each for each in wanted if each not in parts]
    if at_once:
        parts.update(zip(at_once, rows.read(at_once), strict=True))
    index = source.told.index(parts, len(rows))
    kept = [each for each in wanted if each not in levels]
    labels = source.told.labels(kept)
    made = above.DataFrame._of([parts[each] for each in kept], index, labels)
    return with_attrs(made, source.schema)


def with_attrs(made: Any, schema: Any) -> Any:
    """The frame with the attributes that were written beside it."""
    written = (schema.metadata or {}).get(ATTRS)
    if written is not None:
        made.attrs = json.loads(written)
    return made


def _unread(rows: ParquetRows, field: str) -> Column | None:
    source = rows.source
    empty = source.schema.field(field)
    arrow = pyarrow_module("pyarrow", "read_parquet")
    sample = source.told.column(arrow.chunked_array([], type=empty.type), field)
    is_whole = isinstance(sample.dtype, np.dtype) and sample.dtype.kind in "biu"
    if is_whole and source.has_missing(field):
        return None
    return unread(rows, field, sample)
