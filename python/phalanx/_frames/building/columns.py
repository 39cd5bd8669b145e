"""Columns of one thing: a list, an array, a series, one value for all rows."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..columns import Column
from ..columns.making import column_of, refuse_spread_column
from ..columns.numbers import NumberColumn
from ..dtypes import OBJECT, Dtype, pandas_dtype
from ..indexes.index import Index
from ..shared.base import Labelled
from .kinds import is_arrow, is_list_like, is_pandas


def dtype_of(given: Any) -> Dtype | None:
    """The dtype that a keyword names; None where it is None."""
    return None if given is None else pandas_dtype(given)


def column_from(data: Any, dtype: Dtype | None = None) -> Column:
    """A column of anything with elements. Raises ValueError for more than one dimension."""
    if isinstance(data, Labelled) and data.ndim == 1:
        return cast(data._parts[0], dtype)
    if isinstance(data, Column):
        return cast(data, dtype)
    if isinstance(data, Index):
        return cast(data._values_column(), dtype)
    if isinstance(data, (np.ndarray, ndarray)) and data.ndim != 1:
        raise ValueError(f"Per-column arrays must each be 1-dimensional, not of shape {data.shape}")
    if isinstance(data, (set, frozenset)):
        raise TypeError(f"{type(data).__name__!r} type is unordered; pass sorted(data)")
    known = isinstance(data, (list, np.ndarray, ndarray)) or is_arrow(data)
    if not known and not hasattr(data, "dtype"):
        data = range_array(data) if isinstance(data, range) else list(data)
    return column_of(data, dtype)


def listed_column(data: Any, dtype: Dtype | None = None) -> Column:
    """`column_from` for a column of a frame, where a list of nothing is of float64 in pandas."""
    column = column_from(data, dtype)
    is_of_nothing = not len(column) and dtype is None
    if is_of_nothing and not hasattr(data, "dtype") and not isinstance(data, (range, Column)):
        return column.astype(np.dtype(np.float64))
    return column


def range_array(data: range) -> ndarray:
    """The numbers of a range as an array."""
    return px.arange(data.start, data.stop, data.step, dtype=np.int64)


def cast(column: Column, dtype: Dtype | None) -> Column:
    """The column, in another dtype if one is given."""
    return column if dtype is None else column.astype(dtype)


def repeated(value: Any, count: int, dtype: Dtype | None = None) -> Column:
    """One value in each row."""
    one = column_of([value], dtype)
    return one.take(px.zeros(count, np.int64)) if count != 1 else one


def missing_column(count: int, dtype: Dtype | None = None) -> Column:
    """Rows of missing values: of object as pandas has them, or of a dtype that can miss.

    Integers become floats where there are rows, bools True, as NumPy has it.
    """
    if isinstance(dtype, np.dtype) and dtype.kind in "iub":
        is_floating = count > 0 and dtype.kind != "b"
        return NumberColumn(px.full(count, np.nan) if is_floating else px.ones(count, dtype))
    return column_of([np.nan], OBJECT if dtype is None else dtype).take(px.zeros(count, np.int64))


def elements_of(data: Any) -> list[Any]:
    """What a list, an iterator or an array gives, as a list."""
    return data if isinstance(data, list) else list(data)


def as_mapping(data: Any) -> bool:
    """True for dicts and what behaves as one."""
    return isinstance(data, Mapping)


def is_series(data: Any) -> bool:
    """True for one of our series."""
    return isinstance(data, Labelled) and data.ndim == 1


def is_frame(data: Any) -> bool:
    """True for one of our frames."""
    return isinstance(data, Labelled) and data.ndim == 2


def ours(data: Any) -> Any:
    """Objects of pandas as ours; all else as it is, but spread arrays, which are refused."""
    refuse_spread_column(data)
    if is_pandas(data, "DataFrame", "Series", "Index"):
        return above.from_pandas(data)
    return data


def is_elements(data: Any) -> bool:
    """True for what gives the rows of a column: a list, an array, an index, an iterator."""
    return is_list_like(data) and not isinstance(data, Mapping)


def iterated(data: Iterable[Any]) -> Any:
    """What can be iterated once only, as a list."""
    if hasattr(data, "__len__") or isinstance(data, Labelled):
        return data
    return list(data)
