"""Frames without rows, and with two made-up ones: what Dask learns dtypes from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from dask.dataframe import backends
from dask.dataframe.utils import UNKNOWN_CATEGORIES, _scalar_from_dtype
from dask.utils import is_arraylike

import phalanx as px

from ..._frames.dtypes import (
    CategoricalDtype,
    DatetimeTZDtype,
    IntervalDtype,
    PeriodDtype,
    StringDtype,
    family,
)


def without_rows(x: Any, index: Any = None) -> Any:
    """The labels and dtypes of a frame, a series or an index."""
    return x[:0] if isinstance(x, px.Index) else x.iloc[:0].copy()


def of_description(x: Any, index: Any = None) -> Any:
    """A frame of ``{name: dtype}`` or of pairs of both, a series of one pair, else a scalar.

    Raises ValueError for other iterables, TypeError for what is no description.
    """
    if is_arraylike(x) and x.shape:
        return x[:0]
    labels = None if index is None else without_rows(px.Index(index))
    if isinstance(x, tuple) and len(x) == 2:
        return _empty(*x, labels)
    pairs = list(x.items()) if isinstance(x, dict) else x
    if not isinstance(pairs, Iterable) or isinstance(pairs, str):
        return backends.make_meta_object(x)
    pairs = list(pairs)
    if not all(isinstance(each, tuple) and len(each) == 2 for each in pairs):
        raise ValueError(f"Expected iterable of tuples of (name, dtype), got {x}")
    made = {i: _empty(name, dtype, labels) for i, (name, dtype) in enumerate(pairs)}
    frame = px.DataFrame(made, index=labels)
    frame.columns = [name for name, _ in pairs]
    return frame


def _empty(name: Any, dtype: Any, index: Any) -> Any:
    if isinstance(dtype, str) and dtype == "category":
        dtype = px.CategoricalDtype([UNKNOWN_CATEGORIES])
    return px.Series([], dtype=dtype, name=name, index=index)


def with_rows(x: Any) -> Any:
    """Two made-up rows of the dtypes of a frame, a series or an index."""
    if isinstance(x, px.Index):
        return _index(x)
    index = _index(x.index)
    if isinstance(x, px.Series):
        made = _series(x, index)
    else:
        made = px.DataFrame(
            {i: _series(x.iloc[:, i], index) for i in range(x.shape[1])}, index=index
        )
        made.columns = x.columns
    made.attrs = dict(x.attrs)
    return made


def _series(x: Any, index: Any) -> Any:
    values = [x.iloc[0]] * 2 if len(x) else _values(x.dtype)
    return px.Series(values, dtype=x.dtype, name=x.name, index=index)


def _values(dtype: Any) -> list[Any]:
    """Two values that a column of a dtype can have."""
    if isinstance(dtype, CategoricalDtype):
        few = list(dtype.categories)[:1]
        return (few or [np.nan]) * 2
    if isinstance(dtype, StringDtype):
        return ["a", "b"]
    if isinstance(dtype, DatetimeTZDtype):
        return [px.Timestamp("1970-01-01", tz=dtype.tz)] * 2
    if isinstance(dtype, PeriodDtype):
        return [px.Period("1970-01-01", freq=dtype.freq)] * 2
    if isinstance(dtype, IntervalDtype):
        return [px.Interval(0, 1, closed=dtype.closed)] * 2
    if family(dtype) == "nullable":
        return [1, None]
    return [_scalar_from_dtype(np.dtype(dtype))] * 2


def _index(x: Any) -> Any:
    """Two labels of an index of the same kind, which differ."""
    if isinstance(x, px.RangeIndex):
        return px.RangeIndex(2, name=x.name)
    if isinstance(x, px.MultiIndex):
        levels = [_index(x.levels[i]) for i in range(x.nlevels)]
        return px.MultiIndex(levels=levels, codes=[[0, 0]] * x.nlevels, names=list(x.names))
    if isinstance(x, px.DatetimeIndex):
        made = px.date_range("1970-01-01", periods=2, freq=x.freq or "D", tz=x.tz, unit=x.unit)
        return px.DatetimeIndex(made, name=x.name, freq=x.freq)
    if isinstance(x, px.TimedeltaIndex):
        made = px.timedelta_range("1D", periods=2, freq=x.freq or "D", unit=x.unit)
        return px.TimedeltaIndex(made, name=x.name, freq=x.freq)
    if isinstance(x, px.PeriodIndex):
        return px.period_range("1970-01-01", periods=2, freq=x.freq, name=x.name)
    if isinstance(x.dtype, CategoricalDtype):
        few = list(x.dtype.categories)[:1]
        return px.CategoricalIndex([None, *(few or [None])], dtype=x.dtype, name=x.name)
    if isinstance(x.dtype, np.dtype) and x.dtype.kind in "iufc":
        return px.Index([1, 2], dtype=x.dtype, name=x.name)
    if isinstance(x.dtype, np.dtype) and x.dtype.kind == "b":
        return px.Index([True, False], dtype=x.dtype, name=x.name)
    values = ["a", "b"] if x.dtype == object else _values(x.dtype)
    return px.Index(values, dtype=x.dtype, name=x.name)
