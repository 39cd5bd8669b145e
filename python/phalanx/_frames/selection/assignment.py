"""Values for rows and columns that keys name, and labels that a frame gets by them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ..._arrays.ndarray import ndarray
from .. import above
from ..building.columns import (
    column_from,
    is_frame,
    is_series,
    listed_column,
    missing_column,
    ours,
    repeated,
)
from ..building.kinds import is_hashable, is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.objects import ObjectColumn
from ..dtypes import StringDtype
from ..indexes.making import index_of
from ..missing import is_missing
from ..operations.joined import joined_columns
from ..scalars import NaT
from .labels import of_label
from .placing import check_length, held, one_object, placed, unchanged, widened, with_element
from .selectors import (
    Selector,
    is_mask,
    labels_taken,
    positions,
    selected_count,
)

# Series.


# Of a column that gets NaT alone, as in pandas.
_NO_DATES = np.dtype("M8[ns]")


def set_series(series: Any, selector: Selector, value: Any) -> None:
    """Put values into rows; a series is aligned by its labels. Raises ValueError for a list of
    another length than there are rows, also for one of one value.
    """
    if isinstance(selector, int) and not is_list_like(value):
        set_element(series, selector, 0, value)
        return
    value = _for_rows(value, series.index, selector)
    check_length(series._parts[0], selector, value)
    series._parts = [placed(widened(series._parts[0], value), selector, value)]


def _for_rows(value: Any, index: Any, selector: Selector) -> Any:
    """The value for rows: a series by their labels, one row of it for a single row."""
    value = ours(value)
    if not is_series(value):
        return value
    if isinstance(selector, int):
        return value
    labels = labels_taken(index, selector)
    return value if value.index is labels or value.index.equals(labels) else value.reindex(labels)


def set_series_labels(series: Any, key: Any, value: Any) -> None:
    """``series.loc[key] = value``: a label that is not there becomes a new row."""
    selector = _rows_or_new(series, key)
    if selector is None:
        series._become(_with_row(series, key, value))
    else:
        set_series(series, selector, value)


def _rows_or_new(of: Any, key: Any) -> Selector | None:
    """The rows of a key, None for one label that is not there."""
    try:
        return of_label(of.index, key).selector
    except (KeyError, TypeError):
        if isinstance(key, slice) or (is_list_like(key) and not isinstance(key, tuple)):
            raise
        if not is_hashable(key):
            raise
        return None


def _with_row(series: Any, label: Any, value: Any) -> Any:
    index = extended(series.index, label)
    row = one_object(value) if is_list_like(value) else column_of([value])
    column = series._parts[0]
    if not is_list_like(value) and is_missing(value) and len(column):
        return series._with(
            [joined_columns([column.astype(column.missing(1).dtype), column.missing(1)])], index
        )
    if len(column) == 0:
        return series._with([row], index)
    return series._with([joined_columns([column, row])], index)


def extended(index: Any, label: Any) -> Any:
    """The labels and one more."""
    if not len(index) and index.nlevels == 1:
        return index_of([label], name=index.name)
    return index.insert(len(index), label)


# Frames.


def set_frame_labels(frame: Any, rows: Any, columns: Any, value: Any) -> None:
    """``frame.loc[rows, columns] = value``: labels that are not there become rows and columns."""
    value = ours(value)
    selector = _rows_or_new(frame, rows)
    names = _new_columns(frame, columns)
    if selector is None:
        frame._become(_with_frame_row(frame, rows, columns, value))
        return
    # What fails leaves the frame without the new columns.
    made = frame.copy() if names else frame
    if names:
        if not len(frame.index) and not is_list_like(value):
            raise ValueError("cannot set a frame with no defined index and a scalar")
        _add_missing(made, names, value)
    chosen = of_label(made.columns, columns, "columns").selector
    whole = isinstance(rows, slice) and rows == slice(None)
    if whole and names and len(names) == selected_count(chosen, len(made.columns)):
        _set_new(made, names, value)
    elif is_mask(rows) and not selected_count(selector, len(made.index)):
        parts = list(made._parts)
        for number in positions(chosen, len(parts)).tolist():
            parts[number] = unchanged(parts[number], value)
        made._parts = parts
    else:
        set_frame(made, selector, chosen, value)
    if names:
        frame._become(made)


def _new_columns(frame: Any, key: Any) -> list[Any]:
    if isinstance(key, slice) or is_mask(key):
        return []
    if is_list_like(key) and not isinstance(key, tuple):
        return [each for each in key if each not in frame.columns]
    return [] if key in frame.columns else [key]


def _add_missing(frame: Any, names: list[Any], value: Any) -> None:
    """Put missing columns at the end, of dtypes that the values to come fit in."""
    for name in names:
        part = value
        if is_frame(value) or isinstance(value, Mapping):
            part = value.get(name, np.nan)
        frame._set_column(name, _missing_like(part, len(frame.index)))


def _missing_like(value: Any, count: int) -> Column:
    """A column of missing rows, of the dtype of a value or of values that has them."""
    if value is None:
        return ObjectColumn(np.full(count, np.nan, object))
    if hasattr(value, "dtype") and is_list_like(value):
        return column_from(value).missing(count)
    if not is_list_like(value):
        if value is NaT:
            return missing_column(count, _NO_DATES)
        one = column_of([value])
        if one.dtype.kind == "b" and isinstance(one.dtype, np.dtype):
            return ObjectColumn(np.full(count, np.nan, object))
        return one.missing(count)
    return column_of(list(value)).missing(count)


def _set_new(frame: Any, names: list[Any], value: Any) -> None:
    for i, name in enumerate(names):
        part = value
        if is_frame(value):
            part = value[name]
        elif _width(value) == len(names) and (len(names) > 1 or np.ndim(value) == 2):
            part = _column_of_value(value, i, len(names), one_row=False)
        frame[name] = part


def _width(value: Any) -> int:
    if is_frame(value) or (isinstance(value, (np.ndarray, ndarray)) and value.ndim == 2):
        return int(value.shape[1])
    return len(value) if is_list_like(value) and hasattr(value, "__len__") else -1


def set_frame(frame: Any, selector: Selector, columns: Selector, value: Any) -> None:
    """Put values into rows of some columns; all or none of them change."""
    value = ours(value)
    one_row = isinstance(selector, int)
    if isinstance(selector, int) and isinstance(columns, int) and not is_list_like(value):
        set_element(frame, selector, columns, value)
        return
    chosen = positions(columns, len(frame.columns)).tolist()
    made: list[Column] = list(frame._parts)
    labels = labels_taken(frame.columns, columns) if not isinstance(columns, int) else None
    for i, number in enumerate(chosen):
        if is_frame(value):
            part = _frame_part(frame, selector, number, value)
        elif is_series(value) and one_row and labels is not None:
            part = _label_part(value, labels, i)
        elif isinstance(value, Mapping):
            part = value[frame.columns[number]]
        elif is_series(value):
            part = _for_rows(value, frame.index, selector)
        elif isinstance(columns, int):
            part = _flat(value)
        else:
            part = _column_of_value(value, i, len(chosen), one_row=one_row)
        made[number] = placed(made[number], selector, part)
    frame._parts = made


def set_element(of: Any, row: int, number: int, value: Any) -> None:
    """Put one value into a row of a column."""
    made = list(of._parts)
    made[number] = with_element(made[number], row, value)
    of._parts = made


def _flat(value: Any) -> Any:
    if isinstance(value, (np.ndarray, ndarray)) and value.ndim == 2 and 1 in value.shape:
        return value.reshape(-1)
    return value


def _frame_part(frame: Any, selector: Selector, number: int, value: Any) -> Any:
    label = frame.columns[number]
    rows = labels_taken(frame.index, selector if not isinstance(selector, int) else [selector])  # type: ignore[arg-type]
    aligned = value.reindex(rows) if not value.index.equals(rows) else value
    if label not in value.columns:
        return np.nan
    return aligned[label]


def _label_part(value: Any, labels: Any, number: int) -> Any:
    if value.index.equals(labels):
        return value.iloc[number]
    return value.get(labels[number], np.nan)


def _column_of_value(value: Any, number: int, count: int, *, one_row: bool) -> Any:
    """What a value has for one of several columns: of two dimensions its column, of one a cell."""
    if not is_list_like(value):
        return value
    if isinstance(value, (np.ndarray, ndarray)) and value.ndim == 2:
        if value.shape[1] not in (1, count):
            raise ValueError(
                f"Must have equal len keys and value when setting with an ndarray: {count} "
                f"columns, values of shape {value.shape}"
            )
        return value[:, number if value.shape[1] > 1 else 0]
    items = value if isinstance(value, (np.ndarray, ndarray)) else list(value)
    if len(items) and is_list_like(items[0]) and not one_row:
        return [row[number] for row in items]
    if len(items) != count:
        raise ValueError("Must have equal len keys and value when setting with an iterable")
    return items[number]


def _with_frame_row(frame: Any, label: Any, columns: Any, value: Any) -> Any:
    """The frame with a row more: a value for each column, missing where there is none."""
    names = _new_columns(frame, columns)
    if names:
        frame = frame.copy()
        _add_missing(frame, names, np.nan)
    chosen = of_label(frame.columns, columns, "columns").selector
    numbers = positions(chosen, len(frame.columns)).tolist()
    cells = dict(zip(numbers, _cells(frame, numbers, value), strict=True))
    index = index_of([label]) if not len(frame.index) else extended(frame.index, label)
    made = []
    for i, column in enumerate(frame._parts):
        row = _row_cell(cells[i]) if i in cells else column.missing(1)
        if i in cells and _is_missing_in(column, cells[i]):
            row = column.missing(1)
        if is_series(value):
            row = _held_or_same(column, row)
        empty = len(column) == 0 and column.dtype == object
        made.append(row if empty else joined_columns([column, row]))
    return frame._with(made, index)


def _held_or_same(column: Column, row: Column) -> Column:
    """A cell in the column's dtype where that holds it: a series has one dtype for all cells."""
    try:
        return held(column.dtype, row)
    except TypeError:
        return row


def _is_missing_in(column: Column, value: Any) -> bool:
    """True for one missing value that the column has a form for; numbers have none for NaT."""
    if is_list_like(value) or not is_missing(value):
        return False
    kind = "" if isinstance(column.dtype, StringDtype) else column.dtype.kind
    return kind != "b" and column.dtype != object and not (value is NaT and kind in "iuf")


def _row_cell(value: Any) -> Column:
    return one_object(value) if is_list_like(value) else column_of([value])


def _cells(frame: Any, numbers: list[int], value: Any) -> list[Any]:
    if is_series(value):
        return [value.get(frame.columns[i], np.nan) for i in numbers]
    if isinstance(value, Mapping):
        return [value.get(frame.columns[i], np.nan) for i in numbers]
    if not is_list_like(value):
        return [value] * len(numbers)
    items = column_from(value).tolist() if hasattr(value, "dtype") else list(value)
    if len(items) != len(numbers):
        raise ValueError("cannot set a row with mismatched columns")
    return items


def whole_column(frame: Any, value: Any) -> Column:
    """The column of ``frame[label] = value``: aligned if it has labels, repeated if it is one."""
    value = ours(value)
    index = frame.index
    if isinstance(value, Mapping):
        value = above.Series(value)
    if is_frame(value):
        if value.shape[1] != 1:
            raise ValueError("Cannot set a DataFrame with multiple columns to the single column")
        value = value._column_series(0)
    if is_series(value):
        if value.index is not index and not value.index.equals(index):
            if not value.index.is_unique:
                raise ValueError("cannot reindex on an axis with duplicate labels")
            value = value.reindex(index)
        column: Column = value._parts[0]
        return column
    if value is NaT:
        return missing_column(len(index), _NO_DATES)
    if not is_list_like(value):
        return repeated(value, len(index))
    column = listed_column(value)
    if len(column) != len(index):
        raise ValueError(
            f"Length of values ({len(column)}) does not match length of index ({len(index)})"
        )
    return column
