"""What `info` prints of frames and series."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from ..columns import Column
from ..options import get_option
from .cells import label_cells
from .text import dtype_text
from .things import escaped

if TYPE_CHECKING:
    from ..frame import DataFrame
    from ..series import Series


def frame_info(
    frame: DataFrame,
    verbose: bool | None = None,
    max_cols: int | None = None,
    memory_usage: Any = None,
    show_counts: bool | None = None,
) -> str:
    """The text of ``frame.info()``."""
    lines = [f"{type(frame)}", index_summary(frame.index)]
    count = frame.shape[1]
    if not count:
        return "\n".join([*lines, "Empty DataFrame\n"])
    most = get_option("display.max_info_columns") if max_cols is None else max_cols
    if show_counts is None:
        show_counts = count <= most and len(frame) <= get_option("display.max_info_rows")
    if verbose or (verbose is None and count <= most):
        lines.append(f"Data columns (total {count} columns):")
        lines += _column_lines(frame, show_counts)
    else:
        lines.append(index_summary(frame.columns, "Columns"))
    lines.append(_dtype_line(frame._parts))
    lines += _memory_lines(
        int(np.sum(frame.memory_usage().to_numpy())), frame._parts, frame.index, memory_usage
    )
    return "\n".join(lines)


def series_info(
    series: Series,
    verbose: bool | None = None,
    memory_usage: Any = None,
    show_counts: bool | None = None,
) -> str:
    """The text of ``series.info()``."""
    lines = [f"{type(series)}", index_summary(series.index)]
    if verbose or verbose is None:
        lines.append(f"Series name: {series.name}")
        rows = [[dtype_text(series.dtype)]]
        heads = ["Dtype"]
        if show_counts is None or show_counts:
            rows[0].insert(0, f"{_present(series._parts[0])} non-null")
            heads.insert(0, "Non-Null Count")
        lines += _aligned(heads, rows)
    lines.append(_dtype_line(series._parts))
    lines += _memory_lines(series.memory_usage(), series._parts, series.index, memory_usage)
    return "\n".join(lines)


def index_summary(index: Any, name: str | None = None) -> str:
    """The number of labels with the first and the last."""
    kind = name or type(index).__name__
    ends = ""
    if len(index):
        first, last = (
            label_cells(index[[0, -1]])
            if index.nlevels == 1 and index.dtype.kind == "M"
            else map(_end, (index[0], index[-1]))
        )
        ends = f", {first} to {last}"
    text = f"{kind}: {len(index)} entries{ends}"
    if getattr(index, "freq", None) is not None and name is None:
        text += f"\nFreq: {index.freqstr}"
    return text


def _end(label: Any) -> str:
    return str(label) if isinstance(label, tuple) else escaped(label)


def _present(column: Column) -> int:
    return len(column) - int(column.isna().sum())


def _column_lines(frame: DataFrame, with_counts: bool) -> list[str]:
    rows = []
    for i, (label, column) in enumerate(zip(frame.columns, frame._parts, strict=True)):
        row = [f" {i}", escaped(label, {})]
        if with_counts:
            row.append(f"{_present(column)} non-null")
        rows.append([*row, dtype_text(column.dtype)])
    heads = [" # ", "Column", *(["Non-Null Count"] if with_counts else []), "Dtype"]
    return _aligned(heads, rows)


def _aligned(heads: list[str], rows: list[list[str]]) -> list[str]:
    widths = [max(map(len, each)) for each in zip(heads, *rows, strict=True)]
    table = [heads, ["-" * len(each) for each in heads], *rows]
    return [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        for row in table
    ]


def _dtype_line(parts: list[Column]) -> str:
    counts = Counter(dtype_text(each.dtype) for each in parts)
    return "dtypes: " + ", ".join(f"{name}({count})" for name, count in sorted(counts.items()))


def _memory_lines(size: int, parts: list[Column], index: Any, wanted: Any) -> list[str]:
    if wanted is None:
        wanted = get_option("display.memory_usage")
    if not wanted:
        return []
    has_objects = any(each.dtype == object for each in [*parts, index])
    mark = "+" if has_objects and wanted != "deep" else ""
    amount = float(size)
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if amount < 1024:
            return [f"memory usage: {amount:3.1f}{mark} {unit}\n"]
        amount /= 1024
    return [f"memory usage: {amount:3.1f}{mark} PB\n"]
