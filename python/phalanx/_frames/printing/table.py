"""A frame as a table of text."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..dtypes import is_numeric
from ..options import get_option
from .cells import Style, column_cells, has_levels, label_cells, levels_cells
from .numbers import FloatFormat
from .things import adjoined, escaped, fixed_width, justified, name_text

if TYPE_CHECKING:
    from ..frame import DataFrame


@dataclass
class TableOptions:
    """What `to_string` and `to_html` are asked for, under pandas' names."""

    col_space: Any = None
    header: Any = True
    index: bool = True
    na_rep: str = "NaN"
    formatters: Any = None
    float_format: FloatFormat = None
    sparsify: bool | None = None
    index_names: bool = True
    justify: str | None = None
    max_rows: int | None = None
    max_cols: int | None = None
    show_dimensions: bool | str = False
    decimal: str = "."
    min_rows: int | None = None


class Table:
    """A frame with the rows and columns that are shown, and how each is written."""

    def __init__(self, frame: DataFrame, options: TableOptions) -> None:
        self.frame = frame
        self.options = options
        self.col_space = _spaces(frame, options.col_space)
        self.formatters = _formatters(frame, options.formatters)
        self.float_format = _float_format(options.float_format)
        self.justify = options.justify or get_option("display.colheader_justify")
        sparse = options.sparsify
        self.sparse = get_option("display.multi_sparse") if sparse is None else sparse
        self.max_columns = self._fitting_columns()
        self.max_rows = self._fitting_rows()
        self.cut_columns = bool(self.max_columns and frame.shape[1] > self.max_columns)
        self.cut_rows = bool(self.max_rows and len(frame) > self.max_rows)
        self.first_columns = self.first_rows = 0
        self.shown = self._cut()

    # What is shown.

    @property
    def _in_terminal(self) -> bool:
        return self.options.max_cols == 0 or self.options.max_rows == 0

    def _fitting_columns(self) -> int | None:
        most = self.options.max_cols
        width = shutil.get_terminal_size().columns
        return width if most == 0 and self.frame.shape[1] > width else most

    def _fitting_rows(self) -> int | None:
        most = self.options.max_rows
        if self._in_terminal:
            height = shutil.get_terminal_size().lines
            if most == 0:
                dimensions = 3 if self.options.show_dimensions else 0
                return height - 2 - dimensions - bool(self.options.header)
        if most and len(self.frame) > most and self.options.min_rows:
            return min(self.options.min_rows, most)
        return most

    def _cut(self) -> DataFrame:
        shown = self.frame
        if self.cut_columns:
            which, self.first_columns = _both_ends(shown.shape[1], self.max_columns or 0)
            shown = shown.iloc[:, which]
            if not isinstance(self.formatters, Mapping):
                self.formatters = [self.formatters[each] for each in which]
        if self.cut_rows:
            rows, self.first_rows = _both_ends(len(shown), self.max_rows or 0)
            shown = shown.iloc[rows]
        return shown

    @property
    def shows_dimensions(self) -> bool:
        """True if the numbers of rows and columns are written below."""
        wanted = self.options.show_dimensions
        return wanted is True or (wanted == "truncate" and (self.cut_columns or self.cut_rows))

    @property
    def shows_index_names(self) -> bool:
        """True if the names of the labels of rows are written."""
        named = any(name is not None for name in self.frame.index.names)
        return named and self.options.index and self.options.index_names

    @property
    def shows_column_names(self) -> bool:
        """True if the names of the labels of columns are written."""
        named = any(name is not None for name in self.frame.columns.names)
        return named and self.options.index_names and bool(self.options.header)

    # Cells.

    def formatter(self, number: int) -> Any:
        """The function that writes the cells of a column, or None."""
        if isinstance(self.formatters, Mapping):
            return self.formatters.get(self.shown.columns[number])
        return self.formatters[number]

    def index_formatter(self) -> Any:
        """The function that writes the labels of rows, or None."""
        return self.formatters.get("__index__") if isinstance(self.formatters, Mapping) else None

    def cells(self, number: int) -> list[str]:
        """The rows of a column that are shown."""
        style = Style(
            self.formatter(number),
            self.float_format,
            self.options.na_rep,
            self.options.index,
            self.options.decimal,
        )
        return column_cells(self.shown._parts[number], style)

    def header_cells(self) -> list[list[str]]:
        """The labels of the columns that are shown, each with a line for each level."""
        columns = self.shown.columns
        if isinstance(self.options.header, Sequence):
            if len(self.options.header) != self.frame.shape[1]:
                raise ValueError(
                    f"Writing {self.frame.shape[1]} cols but got {len(self.options.header)} aliases"
                )
            return [[each] for each in self.options.header]
        if has_levels(columns):
            levels = levels_cells(columns, with_names=False, sparse=self.sparse)
            return [list(each) for each in zip(*levels, strict=True)]
        numeric = [is_numeric(each.dtype) for each in self.frame._parts]
        return [
            [f" {text}" if numeric[i] and self.formatter(i) is None else text]
            for i, text in enumerate(label_cells(columns))
        ]

    def strips(self) -> list[list[str]]:
        """The table's columns of text, that of the index first."""
        strips = [self._strip(i) for i in range(self.shown.shape[1])]
        if self.options.header:
            headers = self.header_cells()
            if self.shows_index_names:
                headers = [[*each, ""] for each in headers]
            strips = [self._headed(i, head, strips[i]) for i, head in enumerate(headers)]
        if self.options.index:
            strips.insert(0, self._index_strip())
        return strips

    def _strip(self, number: int) -> list[str]:
        if self.options.header:
            return self.cells(number)
        least = int(self.col_space.get(self.shown.columns[number], 0))
        return fixed_width(self.cells(number), self.justify, least)[0]

    def _headed(self, number: int, head: list[str], cells: list[str]) -> list[str]:
        space = int(self.col_space.get(self.shown.columns[number], 0))
        least = max(space, *map(len, head))
        cells, width = fixed_width(cells, self.justify, least)
        return justified(head, max(width, least), self.justify) + cells

    def _index_strip(self) -> list[str]:
        index, formatter = self.shown.index, self.index_formatter()
        if has_levels(index):
            levels = levels_cells(
                index, formatter, with_names=self.shows_index_names, sparse=self.sparse
            )
        else:
            levels = [label_cells(index, formatter, with_name=self.shows_index_names)]
        least = int(self.col_space.get("", 0))
        levels = [fixed_width(each, "left", least)[0] for each in levels]
        lines = adjoined(1, *levels).split("\n") if levels else []
        if not self.options.header:
            return lines
        if self.shows_column_names:
            return [name_text(each) for each in self.frame.columns.names] + lines
        return [""] * self.frame.columns.nlevels + lines


def _both_ends(count: int, most: int) -> tuple[list[int], int]:
    """The first and the last of that many, and how many come before the gap."""
    if most < 2:
        return list(range(most)), most
    half = most // 2
    return [*range(half), *range(count - half, count)], half


def _spaces(frame: DataFrame, given: Any) -> dict[Any, Any]:
    if given is None:
        return {}
    if isinstance(given, (int, str)):
        return {"": given, **dict.fromkeys(frame.columns, given)}
    if isinstance(given, Mapping):
        for label in given:
            if label not in frame.columns and label != "":
                raise ValueError(f"Col_space is defined for an unknown column: {label}")
        return dict(given)
    if len(given) != frame.shape[1]:
        raise ValueError(
            f"Col_space length({len(given)}) should match "
            f"DataFrame number of columns({frame.shape[1]})"
        )
    return dict(zip(frame.columns, given, strict=True))


def _formatters(frame: DataFrame, given: Any) -> Any:
    if given is None:
        return {}
    if isinstance(given, Mapping) or len(given) == frame.shape[1]:
        return given
    raise ValueError(
        f"Formatters length({len(given)}) should match "
        f"DataFrame number of columns({frame.shape[1]})"
    )


def _float_format(given: Any) -> FloatFormat:
    if given is None or callable(given):
        return given  # type: ignore[no-any-return]
    if not isinstance(given, str):
        raise ValueError("float_format must be a string or callable")
    if "%" in given:
        return given
    try:
        given.format(1.0)
    except (ValueError, KeyError, IndexError) as error:
        raise ValueError(f"Invalid new-style format string {given!r}") from error
    return given.format


def empty_text(frame: DataFrame) -> str:
    """A frame without rows or without columns."""
    columns, index = (escaped(list(each)) for each in (frame.columns, frame.index))
    return f"Empty DataFrame\nColumns: {columns}\nIndex: {index}"
