"""Dask's engine for parquet, whose partitions are ours: no frame of pandas' on the way."""

from __future__ import annotations

from typing import Any

from dask._task_spec import Task
from dask.dataframe.dask_expr.io.io import FusedParquetIO
from dask.dataframe.dask_expr.io.parquet import ReadParquetPyarrowFS
from dask.dataframe.io.parquet.arrow import ArrowDatasetEngine

import phalanx as px

from ..._frames.interchange.arrow import arrow_table, frame_of_arrow


class Engine(ArrowDatasetEngine):  # type: ignore[misc]
    """pyarrow's data sets, read into and written from our columns."""

    @classmethod
    def _arrow_table_to_pandas(
        cls, arrow_table: Any, categories: Any, dtype_backend: Any = None, **kwargs: Any
    ) -> Any:
        """The frame of a table; columns named in `categories` get that dtype."""
        if dtype_backend is not None:
            raise NotImplementedError(f"read_parquet: dtype_backend={dtype_backend!r}")
        made = frame_of_arrow(arrow_table)
        wanted = {each: "category" for each in categories or () if each in made.columns}
        return made.astype(wanted) if wanted else made

    @classmethod
    def _pandas_to_arrow_table(
        cls, df: Any, preserve_index: Any = False, schema: Any = None
    ) -> Any:
        """The table of a frame, in the types of a schema if one is given."""
        made = arrow_table(df, preserve_index)
        if schema is None:
            return made
        # What pandas tells of labels and dtypes stays with the table.
        return made.select(schema.names).cast(schema.with_metadata(made.schema.metadata))


class ReadByArrow(ReadParquetPyarrowFS):  # type: ignore[misc]
    """Files that pyarrow's file systems read, where Dask asks for them: ``filesystem="arrow"``."""

    @property  # Dask keeps what it told; a cache beside that one would be pickled
    def _dataset_info(self) -> Any:
        told = super()._dataset_info
        if not isinstance(told["base_meta"], px.DataFrame):
            told["base_meta"] = frame_of_arrow(told["schema"].empty_table())
        return told

    def _filtered_task(self, name: Any, index: int) -> Task:
        task = super()._filtered_task(name, index)
        return Task(name, frame_of_table, *task.args, _data_producer=True, **task.kwargs)

    def _tune_up(self, parent: Any) -> Any:
        if self._fusion_compression_factor >= 1 or isinstance(parent, FusedParquetIO):
            return None
        return parent.substitute(self, FusedByArrow(self))


class FusedByArrow(FusedParquetIO):  # type: ignore[misc]
    """Several small files as one partition."""

    @staticmethod
    def _load_multiple_files(frag_filters: Any, columns: Any, schema: Any, **options: Any) -> Any:
        from pyarrow import concat_tables

        read = ReadParquetPyarrowFS._fragment_to_table
        tables = [read(fragment, rows, columns, schema) for fragment, rows in frag_filters]
        return frame_of_table(concat_tables(tables, promote_options="permissive"), **options)


def frame_of_table(table: Any, index_name: Any, **options: Any) -> Any:
    """The frame of a table, with the column of that name as its index."""
    made = frame_of_arrow(table.replace_schema_metadata(None))
    return made if index_name is None else made.set_index(index_name)


def by_arrow(filesystem: Any) -> bool:
    """If a file system is one of pyarrow's, for which Dask has an expression of its own."""
    if isinstance(filesystem, str):
        return filesystem.lower() in ("arrow", "pyarrow")
    return type(filesystem).__module__.partition(".")[0] == "pyarrow"


def read_by_arrow(collection: Any) -> Any:
    """The expression of Dask's that reads files by pyarrow's file systems, into our columns.

    Raises NotImplementedError for dtypes that are made by rules of pandas' alone.
    """
    theirs = collection.expr
    refused = {"arrow_to_pandas": theirs.arrow_to_pandas, **theirs.kwargs}
    for name in ("dtype_backend", "arrow_to_pandas"):
        if refused.get(name) is not None:
            raise NotImplementedError(f"read_parquet: {name}={refused[name]!r}")
    return ReadByArrow(*theirs.operands)
