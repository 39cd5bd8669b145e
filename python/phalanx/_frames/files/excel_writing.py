"""`to_excel` and `ExcelWriter`: workbooks, through openpyxl."""

from __future__ import annotations

import datetime
import importlib
import math
from os import PathLike
from pathlib import PurePath
from typing import Any

import numpy as np

from ..missing import is_missing
from ..scalars import Timedelta, Timestamp
from ..shared.base import Labelled
from ..storage.input import refuse
from .excel_reading import openpyxl_module
from .parquet import opened

_MOST_ROWS, _MOST_COLUMNS = 2**20, 2**14


class ExcelWriter:
    """A workbook to which several frames are written; it is saved when it is closed.

    The file appears when it is whole. Raises ImportError without openpyxl, OSError, and
    NotImplementedError for other engines and for ``mode="a"``.

    >>> with px.ExcelWriter("t.xlsx") as writer:
    ...     px.DataFrame({"a": [1]}).to_excel(writer, sheet_name="one")
    >>> px.ExcelFile("t.xlsx").sheet_names
    ['one']
    """

    def __init__(self, path: Any, engine: str | None = None, *, mode: str = "w") -> None:
        if engine not in (None, "openpyxl"):
            raise NotImplementedError(f"ExcelWriter: engine={engine!r}; 'openpyxl' is there")
        if mode != "w":
            raise NotImplementedError(f"ExcelWriter: mode={mode!r}")
        ending = PurePath(path).suffix if isinstance(path, (str, PathLike)) else ".xlsx"
        if ending not in (".xlsx", ".xlsm"):
            raise ValueError(f"No engine for filetype: {ending[1:]!r}; '.xlsx' is there")
        self._openpyxl = openpyxl_module("to_excel")
        self._path = path
        self.book = self._openpyxl.Workbook()
        self.book.remove(self.book.active)
        self._is_open = True

    @property
    def sheets(self) -> dict[str, Any]:
        """The sheets by their names."""
        return {each.title: each for each in self.book.worksheets}

    def _sheet(self, name: str) -> Any:
        return self.sheets.get(name) or self.book.create_sheet(name)

    def close(self) -> None:
        """Writes the file."""
        if not self._is_open:
            return
        self._is_open = False
        if not self.book.worksheets:
            raise IndexError("At least one sheet must be visible")
        with opened(self._path, "to_excel") as file:
            self.book.save(file)

    def __enter__(self) -> ExcelWriter:
        return self

    def __exit__(self, kind: Any, *_: object) -> None:
        if kind is None:
            self.close()


class ExcelWriting(Labelled):
    """`to_excel` of frames and series."""

    def to_excel(
        self,
        excel_writer: Any,
        *,
        sheet_name: str = "Sheet1",
        na_rep: str = "",
        float_format: str | None = None,
        columns: Any = None,
        header: Any = True,
        index: bool = True,
        index_label: Any = None,
        startrow: int = 0,
        startcol: int = 0,
        engine: str | None = None,
        merge_cells: bool = True,
        inf_rep: str = "inf",
        freeze_panes: tuple[int, int] | None = None,
        storage_options: Any = None,
        engine_kwargs: Any = None,
        autofilter: bool = False,
    ) -> None:
        """A sheet of a workbook: of a path, an open file, or an `ExcelWriter` with several sheets.

        Names are in bold. Labels of several levels are written in each row where ``merge_cells`` is
        False, else once for a run. Raises ValueError for more rows or columns than a sheet has, and
        for dates of time zones; ImportError without openpyxl (`pip install openpyxl`), OSError,
        NotImplementedError for columns of several levels.
        """
        refuse("to_excel", storage_options=storage_options, engine_kwargs=engine_kwargs)
        frame: Any = self if self.ndim == 2 else self.to_frame()  # type: ignore[attr-defined]
        if columns is not None:
            frame = frame[list(columns)]
        if frame.columns.nlevels > 1:
            raise NotImplementedError(
                "to_excel: columns of several levels; join their labels first"
            )
        if len(frame) >= _MOST_ROWS or frame.shape[1] > _MOST_COLUMNS:
            raise ValueError(
                f"This sheet is too large! Your sheet size is: {len(frame)}, {frame.shape[1]} Max "
                f"sheet size is: {_MOST_ROWS}, {_MOST_COLUMNS}"
            )
        cells = _Cells(na_rep, inf_rep, float_format)
        rows = _table(frame, cells, header, index, index_label)
        own = not isinstance(excel_writer, ExcelWriter)
        writer = ExcelWriter(excel_writer, engine) if own else excel_writer
        sheet = writer._sheet(sheet_name)
        _fill(sheet, rows, (startrow, startcol), header is not False)
        if index and merge_cells and frame.index.nlevels > 1:
            _merge(sheet, frame.index, startrow + (header is not False) + 1, startcol)
        if freeze_panes is not None:
            sheet.freeze_panes = sheet.cell(freeze_panes[0] + 1, freeze_panes[1] + 1)
        if autofilter and rows:
            sheet.auto_filter.ref = sheet.dimensions
        if own:
            writer.close()


class _Cells:
    """Values as cells have them."""

    def __init__(self, missing: str, infinite: str, form: str | None) -> None:
        self._missing, self._infinite, self._form = missing, infinite, form

    def value(self, value: Any) -> Any:
        """A value as openpyxl takes it."""
        if is_missing(value):
            return self._missing or None
        if isinstance(value, Timestamp):
            if value.tzinfo is not None:
                raise ValueError(
                    "Excel does not support datetimes with timezones. Please ensure that datetimes "
                    "are timezone unaware before writing to Excel."
                )
            return value.to_pydatetime()
        if isinstance(value, Timedelta):
            return value.total_seconds() / 86400
        value = value.item() if isinstance(value, np.generic) else value
        if isinstance(value, float):
            if math.isinf(value):
                return self._infinite if value > 0 else f"-{self._infinite}"
            return float(self._form % value) if self._form else value
        if isinstance(value, (bool, int, str, datetime.date, datetime.time)):
            return value
        return str(value)


def _table(frame: Any, cells: _Cells, header: Any, index: bool, label: Any) -> list[list[Any]]:
    """The rows of the sheet: the names, and for each row its labels and its values."""
    parts = [[cells.value(each) for each in part.tolist()] for part in frame._parts]
    titles = list(frame.columns) if isinstance(header, bool) else list(header)
    if len(titles) != len(parts):
        raise ValueError(f"Writing {len(parts)} cols but got {len(titles)} aliases")
    labels = frame.index
    if index:
        count = labels.nlevels
        levels = [labels.get_level_values(i)._values_column().tolist() for i in range(count)]
        parts = [[cells.value(each) for each in level] for level in levels] + parts
        given = label if isinstance(label, (list, tuple)) else [label] * (label is not None)
        titles = [*(given or labels.names), *titles]
    rows = [list(row) for row in zip(*parts, strict=True)] if parts else []
    return rows if header is False else [[_title(each, cells) for each in titles], *rows]


def _title(label: Any, cells: _Cells) -> Any:
    return None if label is None else cells.value(label)


def _fill(sheet: Any, rows: list[list[Any]], start: tuple[int, int], has_titles: bool) -> None:
    bold = importlib.import_module("openpyxl.styles").Font(bold=True)
    for i, row in enumerate(rows, start[0] + 1):
        for j, value in enumerate(row, start[1] + 1):
            if value is None:
                continue
            cell = sheet.cell(i, j)
            cell.value = value
            if isinstance(value, str) and cell.data_type == "f":
                cell.data_type = "s"  # a text that begins like a formula is a text
            if has_titles and i == start[0] + 1:
                cell.font = bold


def _merge(sheet: Any, index: Any, first: int, left: int) -> None:
    """One cell for a run of equal labels of the outer levels."""
    rows = [tuple(each) for each in index]
    for level in range(index.nlevels - 1):
        start = 0
        for i in range(1, len(rows) + 1):
            if i < len(rows) and rows[i][: level + 1] == rows[start][: level + 1]:
                continue
            if i - start > 1:
                sheet.merge_cells(
                    start_row=first + start, end_row=first + i - 1,
                    start_column=left + level + 1, end_column=left + level + 1,
                )  # fmt: skip
            start = i
