"""Partitions as Arrow's tables, by which they are shuffled and written."""

from __future__ import annotations

from typing import Any

from ..._frames.dtypes import Dtype, family
from ..._frames.interchange.arrow import arrow_table, frame_of_arrow
from ..._frames.interchange.pandas_metadata import label_text
from ..._frames.operations.joined import common_dtype


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
    dtypes = {
        label: (made[label].dtype, told)
        for label, told in meta.dtypes.items()
        if label in made.columns
    }
    wanted = {label: _common(*both) for label, both in dtypes.items() if both[0] != both[1]}
    # Objects that are not of the dtype that Dask was told stay as they are.
    return made.astype(wanted, errors="ignore") if wanted else made


def _common(found: Dtype, told: Dtype) -> Dtype:
    """The dtype of a column in a table of which Dask was told another one."""
    families = family(found), family(told)
    if families == ("category", "category"):
        return found  # the empty partition need not know the categories
    if families == ("text", "text") or families[0] == "object":
        return told  # a table has one kind of texts, and objects where all are missing
    return common_dtype([found, told])
