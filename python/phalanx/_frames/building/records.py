"""Columns of a list of rows: dicts, tuples, lists, series, dataclasses."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..columns import Column
from ..columns.making import column_of, refuse_spread_column
from ..dtypes import Dtype
from ..indexes.index import Index
from ..indexes.making import index_of, labels_of
from ..indexes.ranges import RangeIndex
from .columns import is_series
from .labels import union_of


@dataclass(frozen=True)
class Records:
    """Columns with their labels, and the index that the rows had, if any."""

    columns: list[Column]
    labels: Index | None
    index: Index | None


def records_of(rows: list[Any], labels: Index | None, dtype: Dtype | None) -> Records:
    """Columns of rows of one kind, which the first row decides."""
    first = rows[0]
    refuse_spread_column(first)
    if dataclasses.is_dataclass(first):
        rows = [dataclasses.asdict(each) for each in rows]
        return _of_mappings(rows, labels, dtype)
    if isinstance(first, Mapping):
        return _of_mappings(rows, labels, dtype)
    if is_series(first):
        return _of_series(rows, labels, dtype)
    names = getattr(first, "_fields", None)
    if labels is None and isinstance(first, tuple) and names is not None:
        labels = index_of(list(names))
    return _of_sequences(rows, labels, dtype)


def _of_mappings(rows: list[Any], labels: Index | None, dtype: Dtype | None) -> Records:
    if labels is None:
        names = list(dict.fromkeys(key for row in rows for key in row))
        labels = labels_of(names) if names else RangeIndex(0)
    made = [column_of([row.get(name, np.nan) for row in rows], dtype) for name in labels]
    return Records(made, labels, None)


def _of_series(rows: list[Any], labels: Index | None, dtype: Dtype | None) -> Records:
    if labels is None:
        labels = union_of([each.index for each in rows])
    aligned = [
        each._parts[0] if each.index is labels else each.reindex(labels)._parts[0] for each in rows
    ]
    table = [each.tolist() for each in aligned]
    dtype = dtype or _dtype_of_table([each.dtype for each in aligned])
    made = [column_of([row[i] for row in table], dtype) for i in range(len(labels))]
    index = None
    if any(each.name is not None for each in rows):
        index = index_of(_row_names(rows))
    return Records(made, labels, index)


def _dtype_of_table(dtypes: list[Dtype]) -> Dtype | None:
    """NumPy's for an array of rows that are numbers; None where values say what columns are."""
    plain = [each for each in dtypes if isinstance(each, np.dtype) and each.kind in "biuf"]
    return np.result_type(*plain) if len(plain) == len(dtypes) > 0 else None


def _row_names(rows: list[Any]) -> list[Any]:
    """Names of series; those without one are numbered."""
    names, number = [], 0
    for each in rows:
        names.append(f"Unnamed {number}" if each.name is None else each.name)
        number += each.name is None
    return names


def _of_sequences(rows: list[Any], labels: Index | None, dtype: Dtype | None) -> Records:
    table = [each.tolist() if hasattr(each, "tolist") else list(each) for each in rows]
    width = max(map(len, table))
    if labels is not None and len(labels) != width:
        raise ValueError(f"{len(labels)} columns passed, passed data had {width} columns")
    columns = []
    for i in range(width):
        cells = [row[i] if i < len(row) else None for row in table]
        columns.append(column_of(cells, dtype))
    return Records(columns, labels, None)
