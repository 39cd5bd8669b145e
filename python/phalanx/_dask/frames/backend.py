"""The back end "phalanx" of Dask's frames: `dask.config.set({"dataframe.backend": "phalanx"})`."""

from __future__ import annotations

from typing import Any

import dask.dataframe as dd
from dask import config
from dask.dataframe.backends import DataFrameBackendEntrypoint
from dask.dataframe.dask_expr import new_collection
from dask.dataframe.dask_expr._expr import ToBackend
from dask.dataframe.io.csv import make_reader
from dask.utils import Dispatch

import phalanx as px

# Before the registry: the end of this import is when it is imported and called.
from ..._frames import frame as _frame  # noqa: F401
from . import registry
from .parquet import Engine, by_arrow, read_by_arrow


class ToPhalanx(ToBackend):  # type: ignore[misc]
    """The expression that makes partitions ours."""

    @staticmethod
    def operation(df: Any, options: dict[str, Any]) -> Any:
        """A partition as ours."""
        return registry.to_phalanx_dispatch(df, **options)

    def _simplify_down(self) -> Any:
        is_ours = isinstance(self.frame._meta, (px.DataFrame, px.Series, px.Index))
        return self.frame if is_ours else None


class Backend(DataFrameBackendEntrypoint):  # type: ignore[misc]
    """Creates Dask's frames with partitions of ours, and brings others' partitions to ours."""

    def __init__(self) -> None:
        registry.register()

    @classmethod
    def to_backend_dispatch(cls) -> Dispatch:
        """The function that makes a partition of ours of another one."""
        return registry.to_phalanx_dispatch

    @classmethod
    def to_backend(cls, data: Any, **kwargs: Any) -> Any:
        """The collection with partitions of ours."""
        return new_collection(ToPhalanx(data, kwargs))

    @staticmethod
    def from_dict(data: Any, npartitions: int, *args: Any, **kwargs: Any) -> Any:
        """As `dask.dataframe.from_dict`."""
        kwargs.setdefault("constructor", px.DataFrame)
        with config.set({"dataframe.backend": "pandas"}):
            return dd.from_dict(data, npartitions, *args, **kwargs)

    @staticmethod
    def read_csv(urlpath: Any, **kwargs: Any) -> Any:
        """As `dask.dataframe.read_csv`; blocks of files are read by our reader."""
        return make_reader(px.read_csv, "read_csv", "CSV")(urlpath, **kwargs)

    @staticmethod
    def read_parquet(path: Any, **kwargs: Any) -> Any:
        """As `dask.dataframe.read_parquet`, into our columns."""
        with config.set({"dataframe.backend": "pandas"}):
            if not by_arrow(kwargs.get("filesystem")):
                return dd.read_parquet(path, **{"engine": Engine, **kwargs})
            return new_collection(read_by_arrow(dd.read_parquet(path, **kwargs)))

    @staticmethod
    def read_orc(path: Any, **kwargs: Any) -> Any:
        """As `dask.dataframe.read_orc`, whose partitions become ours."""
        with config.set({"dataframe.backend": "pandas"}):
            return Backend.to_backend(dd.read_orc(path, **kwargs))
