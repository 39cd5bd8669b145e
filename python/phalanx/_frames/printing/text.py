"""Frames and series as lines of text."""

from __future__ import annotations

import shutil
from typing import TYPE_CHECKING, Any

import numpy as np

from ..dtypes import CategoricalDtype, IntervalDtype
from ..options import console_width, get_option
from .cells import Style, column_cells, index_block, label_cells
from .table import Table, TableOptions, empty_text
from .things import adjoined, justified, name_text

if TYPE_CHECKING:
    from ..frame import DataFrame
    from ..series import Series


def frame_text(frame: DataFrame, options: TableOptions, line_width: int | None = None) -> str:
    """A frame as pandas' ``to_string`` writes it."""
    table = Table(frame, options)
    text = empty_text(frame) if 0 in frame.shape else _body(table, line_width)
    if table.shows_dimensions:
        text += f"\n\n[{frame.shape[0]} rows x {frame.shape[1]} columns]"
    return text


def _body(table: Table, line_width: int | None) -> str:
    strips = table.strips()
    if table.cut_columns:
        strips.insert(table.first_columns + table.options.index, [" ..."] * len(strips[0]))
    if table.cut_rows:
        _dot_row(table, strips)
    if line_width is None:
        return adjoined(1, *strips)
    if table.options.max_cols is None or table.options.max_cols > 0:
        return _wrapped(strips, line_width, table.options.index)
    return _fitted(table, strips)


def _dot_row(table: Table, strips: list[list[str]]) -> None:
    row = table.first_rows
    headers = len(strips[0]) - len(table.shown)
    dots_at = table.first_columns + table.options.index if table.cut_columns else -1
    for i, strip in enumerate(strips):
        width = 4 if i == dots_at else len(strip[row])
        dots = "..." if width > 3 or i == dots_at else ".."
        mode = "left" if i == 0 and table.options.index else "right"
        strip.insert(row + headers, justified([dots], width, mode)[0])


def _wrapped(strips: list[list[str]], line_width: int, has_index: bool) -> str:
    """Tables below each other, none of which is wider than a line."""
    index = strips[0] if has_index else []
    strips = strips[has_index:]
    room = line_width - (max(map(len, index)) + 1 if has_index else 0)
    ends = _bins([max(map(len, each), default=0) for each in strips], room)
    parts, start = [], 0
    for i, end in enumerate(ends):
        part = ([index] if has_index else []) + strips[start:end]
        if len(ends) > 1:
            rows = len(part[-1])
            last = i == len(ends) - 1
            part.append([" "] * rows if last else [" \\"] + ["  "] * (rows - 1))
        parts.append(adjoined(1, *part))
        start = end
    return "\n\n".join(parts)


def _bins(widths: list[int], room: int) -> list[int]:
    ends, used = [], 0
    for i, width in enumerate(widths):
        used += width + 1
        margin = 1 if i == len(widths) - 1 else 2
        if used + margin > room and i > 0:
            ends.append(i)
            used = width + 1
    return [*ends, len(widths)]


def _fitted(table: Table, strips: list[list[str]]) -> str:
    """The table without as many of its middle columns as are too many for the terminal."""
    has_index = table.options.index
    widths = [max(map(len, each), default=0) for each in strips]
    over = sum(widths) + len(widths) - shutil.get_terminal_size().columns
    if over <= 0:
        return adjoined(1, *strips)
    over += 5
    while over > 0 and len(widths) > 1:
        over -= widths.pop(round(len(widths) / 2)) + 1
    count = max(len(widths) - has_index, 2)
    table.cut_columns = table.frame.shape[1] > count
    if count >= len(strips) - has_index:
        return adjoined(1, *strips)
    half = count // 2
    kept = strips[: half + has_index] + strips[-half:]
    kept.insert(half + has_index, [" ..."] * len(kept[0]))
    return adjoined(1, *kept)


def frame_repr(frame: DataFrame) -> str:
    """A frame as it shows itself, by the options of display."""
    options = TableOptions(
        max_rows=get_option("display.max_rows"),
        min_rows=get_option("display.min_rows"),
        max_cols=get_option("display.max_columns"),
        show_dimensions=get_option("display.show_dimensions"),
    )
    width = console_width() if get_option("display.expand_frame_repr") else None
    return frame_text(frame, options, width)


# Series.


def series_repr(series: Series) -> str:
    """A series as it shows itself, by the options of display."""
    most = get_option("display.max_rows")
    least = get_option("display.min_rows")
    if most == 0:
        most = least = shutil.get_terminal_size().lines
    options = TableOptions(max_rows=most, min_rows=least)
    length = get_option("display.show_dimensions")
    return series_text(series, options, name=True, dtype=True, length=length)


def series_text(
    series: Series, options: TableOptions, *, name: bool, dtype: bool, length: bool | str
) -> str:
    """A series as pandas' ``to_string`` writes it."""
    most = options.max_rows
    cut = bool(most) and len(series) > most  # type: ignore[operator]
    shown, half = _cut(series, most, options.min_rows) if cut else (series, 0)
    footer = _footer(series, name=name, length=length is True or (cut and length == "truncate"))
    footer = _with_dtype(series, footer, dtype)
    if len(series) == 0:
        return f"Series([], {footer})"
    style = Style(
        float_format=options.float_format, na_rep=options.na_rep, leading_space=options.index
    )
    cells = column_cells(shown._parts[0], style)
    labels = index_block(shown.index, with_names=True, sparse=get_option("display.multi_sparse"))
    if cut:
        width = len(cells[half - 1])
        cells.insert(half, justified(["..." if width > 3 else ".."], width, "center")[0])
        labels.insert(half + 1, "")
    text = adjoined(3, labels[1:], cells) if options.index else adjoined(3, cells)
    if options.header and any(each is not None for each in series.index.names):
        text = f"{labels[0]}\n{text}"
    return f"{text}\n{footer}" if footer else text


def _cut(series: Series, most: Any, least: int | None) -> tuple[Series, int]:
    most = min(least, most) if least else most
    if most == 1:
        return series.iloc[:1], 1
    half = most // 2
    rows = np.r_[0:half, len(series) - half : len(series)]
    return series.iloc[rows], half


def _footer(series: Series, *, name: bool, length: bool) -> str:
    parts = []
    if getattr(series.index, "freq", None) is not None:
        parts.append(f"Freq: {series.index.freqstr}")  # type: ignore[attr-defined]
    if name and series.name is not None:
        parts.append(f"Name: {name_text(series.name)}")
    if length:
        parts.append(f"Length: {len(series)}")
    return ", ".join(parts)


def _with_dtype(series: Series, footer: str, shown: bool) -> str:
    """The footer with the dtype, if asked for, and the categories, if there are some."""
    if shown:
        footer += f"{', ' if footer else ''}dtype: {dtype_text(series.dtype)}"
    if isinstance(series.dtype, CategoricalDtype):
        footer += ("\n" if footer else "") + categories_line(series.dtype)
    return footer


def dtype_text(dtype: Any) -> str:
    """A dtype as columns of dtypes show it."""
    return dtype.name if isinstance(dtype, (np.dtype, IntervalDtype)) else str(dtype)


def categories_line(dtype: CategoricalDtype) -> str:
    """The categories of a dtype on lines of the console's width."""
    categories = dtype.categories
    count = len(categories)
    textual = categories.dtype.kind == "O" and not isinstance(categories.dtype, IntervalDtype)
    cells = [repr(each) for each in categories] if textual else label_cells(categories)
    quoted = [each.strip() for each in cells]
    most = get_option("display.max_categories") or 10
    if count > most:
        half = most // 2
        quoted = [*quoted[:half], "...", *quoted[count - half :]]
    kind = dtype_text(categories.dtype)
    if isinstance(categories.dtype, IntervalDtype):
        kind = str(categories.dtype)
    head = f"Categories ({count}, {kind}): "
    return f"{head}[{flowed(quoted, len(head), ' < ' if dtype.ordered else ', ')}]"


def flowed(items: list[str], start: int, separator: str) -> str:
    """Items with a separator, on a new line where one would go past the console."""
    width = console_width() or 80
    text, used = "", start
    for i, item in enumerate(items):
        if used + len(separator) + len(item) > width:
            text += separator.rstrip() + "\n" + " " * (start + 1)
            used = start + 1
        elif i:
            text += separator
            used += len(separator)
        text += item
        used += len(item)
    return text.replace(" < ... < ", " ... ")
