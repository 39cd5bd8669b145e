"""Dask's collections, in what they do by pandas' name alone."""

from __future__ import annotations

from typing import Any

from dask.dataframe import dask_expr
from dask.dataframe.dask_expr._indexing import LocIndexer

import phalanx as px

from .parquet import Engine


class Locations(LocIndexer):  # type: ignore[misc]
    """`loc`, where columns may be a slice, a mask or a function as of pandas' partitions."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, tuple) and len(key) == self.obj.ndim:
            picked = self.obj._meta.loc[:, key[1]]
            if isinstance(picked, px.DataFrame):
                key = key[0], list(picked.columns)
        return super().__getitem__(key)


class DataFrame(dask_expr.DataFrame):  # type: ignore[misc]
    """A frame of Dask's whose partitions are ours."""

    __module__ = dask_expr.DataFrame.__module__  # as which `info` shows it

    @property
    def loc(self) -> Locations:
        """Rows, and columns, by their labels."""
        return Locations(self)

    def __getitem__(self, other: Any) -> Any:
        return super().__getitem__(list(other) if isinstance(other, px.Index) else other)

    def to_parquet(self, path: Any, **kwargs: Any) -> Any:
        """As of Dask's frames, by an engine that takes our columns."""
        kwargs.setdefault("engine", Engine)
        return super().to_parquet(path, **kwargs)
