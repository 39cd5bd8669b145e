"""dask_cudf: Dask's frames with partitions of ours. The functions are `dask.dataframe`'s.

What is read by these names has partitions of ours; `dask.dataframe`'s own readers have them by
`dask.config.set({"dataframe.backend": "phalanx"})`.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

try:
    import dask.dataframe as _frames
    from dask import config as _config
except ModuleNotFoundError as _error:
    raise ModuleNotFoundError(
        "dask_cudf needs the package dask: pip install 'dask[dataframe]'", name=_error.name
    ) from _error

import phalanx as _px

DataFrame = _frames.DataFrame
Series = _frames.Series
Index = _frames.Index
concat = _frames.concat
from_delayed = _frames.from_delayed
from_map = _frames.from_map

__all__ = [
    "DataFrame",
    "Index",
    "Series",
    "concat",
    "from_cudf",
    "from_delayed",
    "from_map",
    "read_csv",
    "read_json",
    "read_orc",
    "read_parquet",
    "read_text",
    "to_orc",
]


def _reader(name: str) -> Callable[..., Any]:
    """`dask.dataframe`'s function of that name, with partitions of ours."""
    original = getattr(_frames, name)

    @functools.wraps(original)
    def read(*arguments: Any, **options: Any) -> Any:
        with _config.set({"dataframe.backend": "phalanx"}):
            return original(*arguments, **options)

    return read


read_csv = _reader("read_csv")
read_json = _reader("read_json")
read_orc = _reader("read_orc")
read_parquet = _reader("read_parquet")
to_orc = _frames.to_orc


def read_text(*arguments: Any, **options: Any) -> Any:
    """Raise NotImplementedError: texts of lines are `dask.bag.read_text`'s."""
    raise NotImplementedError(
        "dask_cudf.read_text is not provided by phalanx: dask.bag.read_text(...).to_dataframe()"
    )


def from_cudf(
    data: Any,
    npartitions: int | None = None,
    chunksize: int | None = None,
    sort: bool = True,
    name: str | None = None,
) -> Any:
    """Split a frame or a series of ours into partitions.

    Raises TypeError for what is neither, and NotImplementedError for an index of several levels.
    """
    if not isinstance(data, (_px.DataFrame, _px.Series)):
        raise TypeError(
            f"from_cudf takes a DataFrame or a Series of cudf's, not {type(data).__name__}; "
            "dask.dataframe.from_pandas takes those of pandas"
        )
    if isinstance(data.index, _px.MultiIndex):
        raise NotImplementedError("dask_cudf does not support MultiIndex Dataframes.")
    if name is not None:
        raise NotImplementedError("from_cudf(name=...) is not supported: leave it away")
    return _frames.from_pandas(data, npartitions=npartitions, chunksize=chunksize, sort=sort)
