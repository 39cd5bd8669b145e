"""Dask's collections, in what they do by pandas' name alone."""

from __future__ import annotations

from typing import Any

from dask.dataframe import dask_expr
from dask.dataframe.accessor import CachedAccessor
from dask.dataframe.dask_expr import new_collection
from dask.dataframe.dask_expr._indexing import LocIndexer
from dask.dataframe.dask_expr._str_accessor import CatBlockwise, StringAccessor

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


class Texts(StringAccessor):  # type: ignore[misc]
    """`str` of a series of Dask's, whose methods take series of ours beside Dask's."""

    def cat(self, others: Any = None, sep: Any = None, na_rep: Any = None) -> Any:
        """As of Dask's series."""
        given = others if isinstance(others, (list, tuple)) else [others]
        if any(isinstance(each, (px.Series, px.Index)) for each in given):
            return new_collection(CatBlockwise(self._series, sep, na_rep, *given))
        return super().cat(others, sep, na_rep)


class Series(dask_expr.Series):  # type: ignore[misc]
    """A series of Dask's whose partitions are ours."""

    __module__ = dask_expr.Series.__module__
    str = CachedAccessor("str", Texts)


class Index(dask_expr.Index):  # type: ignore[misc]
    """An index of Dask's whose partitions are ours."""

    __module__ = dask_expr.Index.__module__
    str = CachedAccessor("str", Texts)
