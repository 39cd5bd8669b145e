"""Partitions as Arrow's tables, by which they are shuffled and written."""

from __future__ import annotations

from typing import Any

from ..._frames.dtypes import CategoricalDtype
from ..._frames.interchange.arrow import arrow_table, frame_of_arrow
from ..._frames.interchange.pandas_metadata import label_text


def table_of(obj: Any, preserve_index: bool | None = None, **options: Any) -> Any:
    """The table of a frame."""
    return arrow_table(obj, preserve_index)


def schema_of(obj: Any, preserve_index: bool | None = None) -> Any:
    """The schema of that table."""
    return arrow_table(obj.iloc[:0], preserve_index).schema


def frame_of(meta: Any, table: Any, **options: Any) -> Any:
    """The frame of a table, with the labels and dtypes of `meta` where the table has them not.

    A table tells of one type of labels, texts where they are mixed.
    """
    made = frame_of_arrow(table)
    of_text = {label_text(each): each for each in meta.columns}
    labels = [of_text.get(each, each) for each in made.columns]
    if labels != list(made.columns):
        made.columns = labels
    wanted = {
        label: dtype
        for label, dtype in meta.dtypes.items()
        if label in made.columns and not _is_kept(made[label].dtype, dtype)
    }
    # Where Dask was told other dtypes than there are, what is there stays.
    return made.astype(wanted, errors="ignore") if wanted else made


def _is_kept(dtype: Any, wanted: Any) -> bool:
    """If a dtype is what is wanted: categories are those of the table, `wanted` need not know them.

    Dask has categories without rows before it has seen them.
    """
    both = isinstance(dtype, CategoricalDtype) and isinstance(wanted, CategoricalDtype)
    return both or bool(dtype == wanted)
