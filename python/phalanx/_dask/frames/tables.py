"""Partitions as Arrow's tables, by which they are shuffled and written."""

from __future__ import annotations

from typing import Any

from ..._frames.interchange.arrow import arrow_table, frame_of_arrow


def table_of(obj: Any, preserve_index: bool | None = None, **options: Any) -> Any:
    """The table of a frame."""
    return arrow_table(obj, preserve_index)


def schema_of(obj: Any, preserve_index: bool | None = None) -> Any:
    """The schema of that table."""
    return arrow_table(obj.iloc[:0], preserve_index).schema


def frame_of(meta: Any, table: Any, **options: Any) -> Any:
    """The frame of a table, with the dtypes of `meta` where the table does not tell them."""
    made = frame_of_arrow(table)
    wanted = {
        label: dtype
        for label, dtype in meta.dtypes.items()
        if label in made.columns and made[label].dtype != dtype
    }
    return made.astype(wanted) if wanted else made
