"""Rows that go to other partitions."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
from dask.dataframe.backends import ShuffleGroupResult

import phalanx as px

from ..._frames.dtypes import CategoricalDtype, is_numeric
from ..._frames.hashing import hash_pandas_object
from .joining import concat


def split(df: Any, c: Any, k: int, ignore_index: bool = False) -> Any:
    """The rows by the number of their partition, 0 to `k` - 1, each in the order that they had."""
    codes = px.asarray(np.asarray(c.values if isinstance(c, px.Series) else c).astype(np.int64))
    order = px.argsort(codes, kind="stable")
    sorted_rows = df.take(order)
    ends = np.cumsum(np.bincount(np.asarray(codes), minlength=k))
    starts = np.append(0, ends[:-1])
    parts = (sorted_rows.iloc[a:b] for a, b in zip(starts.tolist(), ends.tolist(), strict=True))
    made = (each.reset_index(drop=True) for each in parts) if ignore_index else parts
    return ShuffleGroupResult(zip(range(k), made, strict=True))


def hashes(obj: Any, index: bool = True, **options: Any) -> Any:
    """A number for each row, the same on each worker and as of pandas' rows."""
    return hash_pandas_object(_numbers_of_categories(obj), index=index)


def _numbers_of_categories(obj: Any) -> Any:
    """Categories that are numbers as floats, as Dask makes of numbers that it compares with them.

    Dask does it itself for pandas' dtype alone.
    """
    if isinstance(obj, px.DataFrame):
        wanted = {label: np.float64 for label, dtype in obj.dtypes.items() if _has_numbers(dtype)}
        return obj.astype(wanted) if wanted else obj
    return obj.astype(np.float64) if _has_numbers(obj.dtype) else obj


def _has_numbers(dtype: Any) -> bool:
    return isinstance(dtype, CategoricalDtype) and is_numeric(dtype.categories.dtype)


def encode(_: Any) -> Any:
    """The class of the stores on disk that have partitions between the halves of a shuffle."""
    from partd.encode import Encode

    return functools.partial(Encode, _dumped, pickle.loads, _together)


_dumped = functools.partial(pickle.dumps, protocol=5)


def _together(parts: list[Any]) -> Any:
    if not parts:
        return px.DataFrame()
    return concat(parts) if len(parts) > 1 else parts[0]
