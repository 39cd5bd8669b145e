"""Dask's collections, in what they do by pandas' name alone."""

from __future__ import annotations

from typing import Any

from dask.dataframe import dask_expr

import phalanx as px

from .parquet import Engine


class DataFrame(dask_expr.DataFrame):  # type: ignore[misc]
    """A frame of Dask's whose partitions are ours."""

    __module__ = dask_expr.DataFrame.__module__  # as which `info` shows it

    def __getitem__(self, other: Any) -> Any:
        return super().__getitem__(list(other) if isinstance(other, px.Index) else other)

    def to_parquet(self, path: Any, **kwargs: Any) -> Any:
        """As of Dask's frames, by an engine that takes our columns."""
        kwargs.setdefault("engine", Engine)
        return super().to_parquet(path, **kwargs)
