"""What the arguments of `DataFrame` make."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..._arrays.ndarray import ndarray
from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import Dtype
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
    listed_column,
    missing_column,
    ours,
    repeated,
)
from .kinds import is_arrow, is_list_like
from .labels import union_of
from .records import records_of


@dataclass(frozen=True)
class Parts:
    """What a frame is made of."""

    columns: list[Column]
    index: Index
    labels: Index


def uncopied(data: Any) -> Any:
    """A dict of arrays as one of columns that share their memory, or their files; all else as it
    is. The arrays must not be written to any more.
    """
    if not isinstance(data, Mapping):
        return data
    return {
        label: column_of(each, copy=False)
        if isinstance(each, (np.ndarray, ndarray)) and each.ndim == 1
        else each
        for label, each in data.items()
    }


def frame_of(data: Any, index: Any, columns: Any, dtype: Any) -> Parts:
    """The columns, the index and the labels of a frame.

    Raises ValueError where lengths do not fit, and TypeError for what no frame is made of.
    """
    dtype = dtype_of(dtype)
    rows = None if index is None else labels_of(ours(index))
    labels = None if columns is None else labels_of(ours(columns))
    data = ours(data)
    if data is None or (isinstance(data, Mapping) and not data):
        return _empty(rows, labels, dtype)
    if is_frame(data):
        return _of_frame(data, rows, labels, dtype)
    if is_series(data):
        return _of_one_series(data, rows, labels, dtype)
    if isinstance(data, Mapping):
        return _of_mapping(data, rows, labels, dtype)
    if isinstance(data, np.ndarray) and data.dtype.names:
        return _of_mapping({name: data[name] for name in data.dtype.names}, rows, labels, dtype)
    if isinstance(data, (np.ndarray, ndarray)) and data.ndim:
        return _of_array(data, rows, labels, dtype)
    if is_arrow(data):
        return _of_frame(above.frame_of_arrow(data), rows, labels, dtype)
    if hasattr(data, "__dataframe__"):
        return _of_frame(above.frame_of_interchange(data), rows, labels, dtype)
    if is_list_like(data):
        return _of_list(iterated(data), rows, labels, dtype)
    return _of_scalar(data, rows, labels, dtype)


def _empty(rows: Index | None, labels: Index | None, dtype: Dtype | None) -> Parts:
    rows = RangeIndex(0) if rows is None else rows
    labels = RangeIndex(0) if labels is None else labels
    return Parts([missing_column(len(rows), dtype) for _ in range(len(labels))], rows, labels)


def _of_frame(data: Any, rows: Index | None, labels: Index | None, dtype: Dtype | None) -> Parts:
    if rows is not None or labels is not None:
        data = data.reindex(index=rows, columns=labels)
    return Parts([cast(each, dtype) for each in data._parts], data.index, data.columns)


def _of_one_series(
    data: Any, rows: Index | None, labels: Index | None, dtype: Dtype | None
) -> Parts:
    if rows is not None:
        data = data.reindex(rows)
    column, name = cast(data._parts[0], dtype), data.name
    if labels is None:
        return Parts([column], data.index, RangeIndex(1) if name is None else index_of([name]))
    if name is None:
        if len(labels) != 1:
            raise ValueError(
                f"Shape of passed values is ({len(column)}, 1), indices imply "
                f"({len(column)}, {len(labels)})"
            )
        return Parts([column], data.index, labels)
    return _of_mapping({name: data}, rows, labels, dtype)


def _of_scalar(value: Any, rows: Index | None, labels: Index | None, dtype: Dtype | None) -> Parts:
    if rows is None or labels is None:
        raise ValueError("DataFrame constructor not properly called!")
    return Parts([repeated(value, len(rows), dtype) for _ in range(len(labels))], rows, labels)


# Dicts of columns.


def _of_mapping(
    data: Mapping[Any, Any], rows: Index | None, labels: Index | None, dtype: Dtype | None
) -> Parts:
    if labels is not None:
        # Only what is asked for decides which rows there are.
        data = {key: value for key, value in data.items() if key in labels}
        if not data:
            return _empty(rows, labels, dtype)
    values = [ours(each) for each in data.values()]
    values = [iterated(each) if is_list_like(each) else each for each in values]
    names = index_of(list(data))
    rows = common_index(values) if rows is None else rows
    made = [_aligned(each, rows, dtype) for each in values]
    if labels is None:
        return Parts(made, rows, names)
    places = np.asarray(names.get_indexer_for(labels))
    chosen = [
        missing_column(len(rows), dtype) if place < 0 else made[place] for place in places.tolist()
    ]
    return Parts(chosen, rows, labels)


def common_index(values: list[Any]) -> Index:
    """The labels that columns of a dict have together: those of series and dicts, else numbers.

    Raises ValueError where lengths differ, or where all values are scalars.
    """
    labelled = [
        each.index if is_series(each) else index_of(list(each))
        for each in values
        if is_series(each) or isinstance(each, Mapping)
    ]
    lengths = {
        len(each)
        for each in values
        if is_list_like(each) and not is_series(each) and not isinstance(each, Mapping)
    }
    if not labelled and not lengths:
        raise ValueError("If using all scalar values, you must pass an index")
    if len(lengths) > 1:
        raise ValueError("All arrays must be of the same length")
    if not labelled:
        return RangeIndex(lengths.pop())
    index = union_of(labelled)
    if lengths and len(index) not in lengths:
        raise ValueError(f"array length {lengths.pop()} does not match index length {len(index)}")
    return index


def _aligned(value: Any, rows: Index, dtype: Dtype | None) -> Column:
    if isinstance(value, Mapping):
        value = above.Series(value)
    if is_series(value):
        if value.index is not rows and not value.index.equals(rows):
            value = value.reindex(rows)
        return cast(value._parts[0], dtype)
    if not is_list_like(value):
        return repeated(value, len(rows), dtype)
    column = listed_column(value, dtype)
    if len(column) == 1 != len(rows) and isinstance(value, list):
        return repeated(column.element(0), len(rows), column.dtype)
    if len(column) != len(rows):
        raise ValueError(
            f"Length of values ({len(column)}) does not match length of index ({len(rows)})"
        )
    return column


# Arrays and lists of rows.


def _of_array(data: Any, rows: Index | None, labels: Index | None, dtype: Dtype | None) -> Parts:
    if data.ndim > 2:
        raise ValueError(f"Must pass 2-d input. shape={data.shape}")
    if data.ndim == 1:
        data = data.reshape(-1, 1)
    made = [column_of(data[:, i], dtype) for i in range(data.shape[1])]
    return fitted(made, data.shape[0], rows, labels)


def fitted(made: list[Column], count: int, rows: Index | None, labels: Index | None) -> Parts:
    """Columns under labels. Raises ValueError with both shapes where these do not fit."""
    index = RangeIndex(count) if rows is None else rows
    names = RangeIndex(len(made)) if labels is None else labels
    if len(index) != count or len(names) != len(made):
        raise ValueError(
            f"Shape of passed values is ({count}, {len(made)}), indices imply "
            f"({len(index)}, {len(names)})"
        )
    return Parts(made, index, names)


def _of_list(data: Any, rows: Index | None, labels: Index | None, dtype: Dtype | None) -> Parts:
    if isinstance(data, (set, frozenset)):
        data = list(data)
    if isinstance(data, Index) or not len(data) or not _has_rows(data[0]):
        if not len(data):
            return _empty(rows, labels, dtype)
        column = column_from(data, dtype)
        if isinstance(data, Index) and data.name is not None:
            return _of_mapping({data.name: column}, rows, labels, dtype)
        return fitted([column], len(column), rows, labels)
    found = records_of(list(data), labels, dtype)
    return fitted(found.columns, len(data), found.index if rows is None else rows, found.labels)


def _has_rows(first: Any) -> bool:
    return is_list_like(first) or hasattr(first, "__dataclass_fields__")
