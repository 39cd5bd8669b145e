"""Frames and series by Arrow's C interface, through pyarrow where it is installed."""

from __future__ import annotations

from typing import Any

from .. import above
from ..columns import arrow as columns_of_arrow
from ..columns.unread import read_together
from ..indexes.ranges import RangeIndex
from .pandas_metadata import Described, index_levels, label_text, metadata_of


def _pyarrow() -> Any:
    try:
        import pyarrow
    except ImportError:
        raise ImportError("Arrow's interface needs pyarrow: pip install pyarrow") from None
    return pyarrow


def frame_of_arrow(data: Any) -> Any:
    """A frame of a table, or of whatever hands out a stream of record batches.

    Labels, index and dtypes are those that pandas wrote beside the table, if it did.
    """
    arrow = _pyarrow()
    table = data if isinstance(data, arrow.Table) else arrow.table(data)
    told = Described(table.schema)
    parts = [told.column(table.column(i), each) for i, each in enumerate(table.column_names)]
    levels = {each for each in told.index_fields() if isinstance(each, str)}
    index = told.index(dict(zip(table.column_names, parts, strict=True)), table.num_rows)
    kept = [i for i, each in enumerate(table.column_names) if each not in levels]
    labels = told.labels([table.column_names[i] for i in kept])
    if not kept and not told.index_fields():
        labels = RangeIndex(0)
    return above.DataFrame._of([parts[i] for i in kept], index, labels)


def arrow_table(frame: Any, preserve_index: bool | None = None) -> Any:
    """The columns as a table, then the index, and what pandas tells of both beside them.

    An index of consecutive numbers is told of only, unless ``preserve_index`` is True; where it
    is False the index is left out. Raises ValueError for repeated labels, and Arrow's error, a
    ValueError or TypeError, for objects of no one type.
    """
    arrow = _pyarrow()
    names = [label_text(each) for each in frame.columns]
    if len(set(names)) != len(names):
        raise ValueError(f"Duplicate column names found: {list(frame.columns)}")
    levels = index_levels(frame.index, preserve_index, names)
    read_together(frame._parts)
    columns = [columns_of_arrow.to_arrow(each) for each in [*frame._parts, *levels.columns]]
    table = arrow.table(columns, names=[*names, *levels.names]) if columns else arrow.table({})
    told = metadata_of(frame, levels, table, arrow.__version__)
    return table.replace_schema_metadata({b"pandas": told})


def series_of_arrow(data: Any) -> Any:
    """A series of an array of Arrow's, or of whatever hands one out, under the name that it has."""
    _pyarrow()
    name = getattr(data, "name", None)
    return above.Series._of(columns_of_arrow.of_arrow(data), RangeIndex(len(data)), name)


def frame_of_interchange(data: Any) -> Any:
    """A frame of an object that has ``__dataframe__`` and nothing of Arrow's."""
    _pyarrow()
    from pyarrow.interchange import from_dataframe

    return frame_of_arrow(from_dataframe(data))


def series_array(series: Any) -> Any:
    """The values as an array of pyarrow's."""
    arrow = _pyarrow()
    made = columns_of_arrow.to_arrow(series._parts[0])
    return made.combine_chunks() if isinstance(made, arrow.ChunkedArray) else made


def frame_stream(frame: Any, schema: Any) -> Any:
    """The capsule of a stream of the columns."""
    return arrow_table(frame).__arrow_c_stream__(schema)


def series_stream(series: Any, schema: Any) -> Any:
    """The capsule of a stream of the values."""
    arrow = _pyarrow()
    made = columns_of_arrow.to_arrow(series._parts[0])
    chunked = made if isinstance(made, arrow.ChunkedArray) else arrow.chunked_array([made])
    return chunked.__arrow_c_stream__(schema)
