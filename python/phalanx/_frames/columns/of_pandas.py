"""Columns of pandas' objects, and the way back. pandas is imported where the user asks for it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .. import dtypes
from ..dtypes import CategoricalDtype, PeriodDtype, family, pandas_dtype
from ..missing import NA, is_missing
from ..scalars import NaT, Timedelta, Timestamp
from .arrow import of_arrow, to_arrow
from .categories import CategoryColumn
from .column import Column
from .from_objects import with_own_na
from .intervals import IntervalColumn
from .numbers import NumberColumn
from .objects import ObjectColumn
from .periods import PeriodColumn, of_numbers
from .strings import of_texts


def is_pandas(data: Any) -> bool:
    """Returns whether something is a Series, an Index or an array of pandas'."""
    return type(data).__module__.split(".")[0] == "pandas" and hasattr(data, "dtype")


def of_pandas(data: Any) -> Column:
    """A column of a Series, an Index or an array of pandas', of the same dtype."""
    array = getattr(data, "array", data)
    dtype = array.dtype
    if type(dtype).__name__ == "ArrowDtype":
        return of_arrow(array.__arrow_array__())
    if type(dtype).__name__ == "SparseDtype":
        array = array.to_dense()
        return NumberColumn(px.array(array))
    if type(dtype).__name__ == "IntervalDtype":
        return _intervals(array)
    if type(dtype).__name__ == "PeriodDtype":
        return of_numbers(array.asi8, PeriodDtype(str(dtype)).length)
    known = pandas_dtype(dtype)
    return _MAKERS[family(known)](array, known)


def _plain(array: Any, dtype: Any) -> Column:
    return NumberColumn(px.array(np.asarray(array)).astype(dtype))


def _nullable(array: Any, dtype: Any) -> Column:
    gone = np.asarray(array.isna())
    values = array.to_numpy(dtype.numpy_dtype, na_value=dtype.type(0))
    return NumberColumn(px.array(values), px.asarray(~gone) if gone.any() else None, dtype)


def _zoned(array: Any, dtype: Any) -> Column:
    return NumberColumn(px.array(array.asi8).view(dtype.numpy_dtype), None, dtype)


def _text(array: Any, dtype: Any) -> Column:
    objects = np.asarray(array, dtype=object)
    return of_texts(objects.tolist(), np.asarray(array.isna()), dtype)


def _category(array: Any, dtype: Any) -> Column:
    categories = of_pandas(array.categories)
    return CategoryColumn(px.array(array.codes), CategoricalDtype(categories, array.ordered))


def _intervals(array: Any) -> Column:
    left, right = of_pandas(array.left), of_pandas(array.right)
    assert isinstance(left, NumberColumn)
    assert isinstance(right, NumberColumn)
    return IntervalColumn(left, right, array.closed)


def _object(array: Any, dtype: Any) -> Column:
    return ObjectColumn(with_own_na(np.array(array, dtype=object)))


_MAKERS: dict[str, Callable[[Any, Any], Column]] = dict.fromkeys(
    ("bool", "number", "datetime", "timedelta"), _plain
) | {
    "nullable": _nullable,
    "zoned": _zoned,
    "text": _text,
    "category": _category,
    "object": _object,
}


def to_pandas(column: Column) -> Any:
    """A Series of pandas' with the same values and dtype. Raises ImportError without pandas."""
    return _SERIES[family(column.dtype)](importlib.import_module("pandas"), column)


def _plain_series(pd: Any, column: Any) -> Any:
    return pd.Series(np.array(column.values), copy=False)


def _nullable_series(pd: Any, column: Any) -> Any:
    values, gone = np.array(column.values), np.array(column.isna())
    arrays = {"b": pd.arrays.BooleanArray, "f": pd.arrays.FloatingArray}
    return pd.Series(arrays.get(values.dtype.kind, pd.arrays.IntegerArray)(values, gone))


def _zoned_series(pd: Any, column: Any) -> Any:
    naive = pd.Series(np.array(column.values))
    return naive.dt.tz_localize("UTC").dt.tz_convert(column.dtype.tz)


def _text_series(pd: Any, column: Any) -> Any:
    missing = np.nan if column.dtype is dtypes.STR or column.dtype == dtypes.STR else pd.NA
    objects = column.to_numpy()
    objects[np.asarray(column.isna())] = missing
    return pd.Series(objects, dtype=pd.StringDtype(na_value=missing))


def _category_series(pd: Any, column: Any) -> Any:
    categories = pd.Index(to_pandas(column.dtype.values))
    made = pd.Categorical.from_codes(np.array(column.codes), categories, column.dtype.ordered)
    return pd.Series(made)


def _arrow_series(pd: Any, column: Any) -> Any:
    return pd.Series(pd.arrays.ArrowExtensionArray(to_arrow(column)))


def _object_series(pd: Any, column: Any) -> Any:
    if isinstance(column, IntervalColumn):
        left, right = to_pandas(column.left), to_pandas(column.right)
        made = pd.arrays.IntervalArray.from_arrays(left, right, column.dtype.closed)
        return pd.Series(made)
    if isinstance(column, PeriodColumn):
        made = pd.PeriodIndex.from_ordinals(column.numbers, freq=column.dtype.length.freqstr)
        return pd.Series(made)
    objects = column.objects.copy()
    for i, each in enumerate(objects):
        objects[i] = _pandas_object(pd, each)
    return pd.Series(objects, dtype=object)


def _pandas_object(pd: Any, value: Any) -> Any:
    if value is NA:
        return pd.NA
    if type(value).__name__ == "Interval" and not type(value).__module__.startswith("pandas"):
        bounds = (_pandas_object(pd, each) for each in (value.left, value.right))
        return pd.Interval(*bounds, value.closed)
    if value is NaT:
        return pd.NaT
    if type(value).__name__ == "Period" and not type(value).__module__.startswith("pandas"):
        return pd.Period(ordinal=value.ordinal, freq=value.freqstr)
    if isinstance(value, Timestamp):
        plain = pd.Timestamp(value.asm8)
        return plain if value.tz is None else plain.tz_localize("UTC").tz_convert(value.tz)
    if isinstance(value, Timedelta):
        return pd.Timedelta(value.asm8)
    if isinstance(value, (np.datetime64, np.timedelta64)):
        if is_missing(value):
            return pd.NaT
        return pd.Timestamp(value) if isinstance(value, np.datetime64) else pd.Timedelta(value)
    return value


_SERIES: dict[str, Callable[[Any, Any], Any]] = (
    dict.fromkeys(("bool", "number", "datetime", "timedelta"), _plain_series)
    | {
        "nullable": _nullable_series,
        "zoned": _zoned_series,
        "text": _text_series,
        "category": _category_series,
        "object": _object_series,
    }
    | dict.fromkeys(("decimal", "list"), _arrow_series)
)
