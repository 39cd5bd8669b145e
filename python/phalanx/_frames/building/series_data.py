"""What the arguments of `Series` make."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..._arrays.ndarray import ndarray
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import OBJECT, Dtype
from ..indexes.index import Index
from ..indexes.making import index_of, labels_of
from ..indexes.ranges import RangeIndex
from .columns import (
    cast,
    column_from,
    dtype_of,
    is_frame,
    is_series,
    iterated,
    missing_column,
    ours,
    repeated,
)
from .kinds import is_list_like


def series_of(data: Any, index: Any, dtype: Any) -> tuple[Column, Index]:
    """The column and the index of a series. Raises ValueError where lengths do not fit."""
    dtype = dtype_of(dtype)
    labels = None if index is None else labels_of(ours(index))
    data = ours(data)
    if is_frame(data):
        raise ValueError("a Series is of one dimension; take a column of the DataFrame, df[label]")
    if is_series(data):
        return _of_series(data, labels, dtype)
    if isinstance(data, Mapping):
        return _of_mapping(data, labels, dtype)
    if data is None:
        return _nothing(labels, dtype)
    if isinstance(data, (np.ndarray, ndarray)) and data.ndim == 0:
        data = np.asarray(data)[()]
    if is_list_like(data):
        return _of_elements(iterated(data), labels, dtype)
    count = 1 if labels is None else len(labels)
    return repeated(data, count, dtype), _default(labels, count)


def _default(labels: Index | None, count: int) -> Index:
    return RangeIndex(count) if labels is None else labels


def _nothing(labels: Index | None, dtype: Dtype | None) -> tuple[Column, Index]:
    """Missing values for all labels: floats, or objects where there are no labels either."""
    count = 0 if labels is None else len(labels)
    if dtype is None and count:
        dtype = np.dtype(np.float64)
    return missing_column(count, dtype), _default(labels, count)


def _of_series(data: Any, labels: Index | None, dtype: Dtype | None) -> tuple[Column, Index]:
    if labels is not None and labels is not data.index:
        data = data.reindex(labels)
    return cast(data._parts[0], dtype), data.index if labels is None else labels


def _of_mapping(
    data: Mapping[Any, Any], labels: Index | None, dtype: Dtype | None
) -> tuple[Column, Index]:
    if not data:
        return _nothing(labels, dtype)
    keys = index_of(list(data))
    column = column_of(list(data.values()), None if labels is not None else dtype)
    if labels is None:
        return column, keys
    rows = keys.get_indexer_for(labels)
    if (np.asarray(rows) < 0).any():
        return cast(column.take(rows, has_missing=True), dtype), labels
    return cast(column.take(rows), dtype), labels


def _of_elements(data: Any, labels: Index | None, dtype: Dtype | None) -> tuple[Column, Index]:
    if isinstance(data, (np.ndarray, ndarray)) and data.ndim > 1:
        raise ValueError(f"Data must be 1-dimensional, got ndarray of shape {data.shape} instead")
    if dtype is None and isinstance(data, (list, tuple)) and not len(data):
        dtype = OBJECT
    column = column_from(data, dtype)
    if labels is None:
        return column, RangeIndex(len(column))
    if len(column) != len(labels):
        if len(column) == 1 and not hasattr(data, "dtype"):
            return repeated(column.element(0), len(labels), column.dtype), labels
        raise ValueError(
            f"Length of values ({len(column)}) does not match length of index ({len(labels)})"
        )
    return column, labels
