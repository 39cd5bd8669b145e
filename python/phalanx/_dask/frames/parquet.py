"""Dask's engine for parquet, whose partitions are ours: no frame of pandas' on the way."""

from __future__ import annotations

from typing import Any

from dask.dataframe.io.parquet.arrow import ArrowDatasetEngine

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
