"""Frames and series by Arrow's C interface, through pyarrow where it is installed."""

from __future__ import annotations

from typing import Any

from ..columns import arrow as columns_of_arrow
from ..columns.making import column_of
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..shared import classes


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("Arrow's interface needs pyarrow: pip install pyarrow") from None
    return pyarrow


def frame_of_arrow(data: Any) -> Any:
    """A frame of a table, or of whatever hands out a stream of record batches."""

    arrow = _pyarrow()
    table = data if isinstance(data, arrow.Table) else arrow.table(data)
    parts = [column_of(table.column(i)) for i in range(table.num_columns)]
    names = index_of(list(table.column_names)) if parts else RangeIndex(0)
    return classes.DataFrame._of(parts, RangeIndex(table.num_rows), names)


def arrow_table(frame: Any) -> Any:
    """The columns as a table; labels of rows are left out unless they are more than numbers."""
    arrow = _pyarrow()
    names = [str(each) for each in frame.columns]
    columns = [columns_of_arrow.to_arrow(each) for each in frame._parts]
    if not isinstance(frame.index, RangeIndex):
        for i in range(frame.index.nlevels):
            name = frame.index.names[i]
            names.append(f"__index_level_{i}__" if name is None else str(name))
            columns.append(
                columns_of_arrow.to_arrow(frame.index.get_level_values(i)._values_column())
            )
    return arrow.table(columns, names=names) if columns else arrow.table({})


def frame_stream(frame: Any, schema: Any) -> Any:
    """The capsule of a stream of the columns."""
    return arrow_table(frame).__arrow_c_stream__(schema)


def series_stream(series: Any, schema: Any) -> Any:
    """The capsule of a stream of the values."""
    arrow = _pyarrow()
    made = columns_of_arrow.to_arrow(series._parts[0])
    chunked = made if isinstance(made, arrow.ChunkedArray) else arrow.chunked_array([made])
    return chunked.__arrow_c_stream__(schema)
