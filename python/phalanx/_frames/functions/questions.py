"""Questions about dtypes and values: `is_numeric_dtype` and its kin."""

from __future__ import annotations

import datetime
import decimal
import fractions
import numbers
import re
from collections.abc import Iterable
from typing import Any

import numpy as np

from ..building.columns import is_series
from ..building.kinds import is_hashable as is_hashable
from ..dtypes import (
    CategoricalDtype,
    DatetimeTZDtype,
    Dtype,
    IntervalDtype,
    NullableDtype,
    StringDtype,
    is_extension,
    pandas_dtype,
)
from ..indexes.making import index_of
from ..missing import NA
from ..scalars.interval import Interval


def _dtype_of(given: Any) -> Dtype | None:
    """The dtype of an array, a series, an index or of what names one; None for others."""
    if given is None:
        return None
    try:
        return pandas_dtype(given if isinstance(given, type) else getattr(given, "dtype", given))
    except (TypeError, KeyError, ValueError, AttributeError):
        return None


def _has_kind(given: Any, kinds: str) -> bool:
    dtype = _dtype_of(given)
    plain = isinstance(dtype, (np.dtype, NullableDtype))
    return plain and dtype.kind in kinds  # type: ignore[union-attr]


def is_numeric_dtype(arr_or_dtype: Any) -> bool:
    """True for numbers and bools, nullable ones too."""
    return _has_kind(arr_or_dtype, "biufc")


def is_any_real_numeric_dtype(arr_or_dtype: Any) -> bool:
    """True for integers and floats."""
    return _has_kind(arr_or_dtype, "iuf")


def is_bool_dtype(arr_or_dtype: Any) -> bool:
    """True for bools, nullable ones, and categories that are bools."""
    dtype = _dtype_of(arr_or_dtype)
    if isinstance(dtype, CategoricalDtype) and dtype.values is not None:
        return bool(dtype.values.dtype.kind == "b")
    return _has_kind(arr_or_dtype, "b")


def is_integer_dtype(arr_or_dtype: Any) -> bool:
    """True for integers."""
    return _has_kind(arr_or_dtype, "iu")


def is_signed_integer_dtype(arr_or_dtype: Any) -> bool:
    """True for integers with a sign."""
    return _has_kind(arr_or_dtype, "i")


def is_unsigned_integer_dtype(arr_or_dtype: Any) -> bool:
    """True for integers without a sign."""
    return _has_kind(arr_or_dtype, "u")


def is_float_dtype(arr_or_dtype: Any) -> bool:
    """True for floats."""
    return _has_kind(arr_or_dtype, "f")


def is_complex_dtype(arr_or_dtype: Any) -> bool:
    """True for complex numbers."""
    return _has_kind(arr_or_dtype, "c")


def is_object_dtype(arr_or_dtype: Any) -> bool:
    """True for Python's objects."""
    return _has_kind(arr_or_dtype, "O")


def is_string_dtype(arr_or_dtype: Any) -> bool:
    """True for text; of objects True if each is a text."""
    dtype = _dtype_of(arr_or_dtype)
    has_values = hasattr(arr_or_dtype, "dtype") and hasattr(arr_or_dtype, "__iter__")
    if isinstance(dtype, CategoricalDtype):
        return has_values and all(isinstance(each, str) for each in dtype.values.tolist())
    if isinstance(dtype, np.dtype) and dtype.kind == "O":
        return not has_values or all(isinstance(each, str) for each in arr_or_dtype)
    return isinstance(dtype, StringDtype) or (isinstance(dtype, np.dtype) and dtype.kind in "US")


def is_datetime64_any_dtype(arr_or_dtype: Any) -> bool:
    """True for dates, of a time zone or none."""
    return is_datetime64tz_dtype(arr_or_dtype) or is_datetime64_dtype(arr_or_dtype)


def is_datetime64_dtype(arr_or_dtype: Any) -> bool:
    """True for dates without a time zone."""
    return _has_kind(arr_or_dtype, "M")


def is_datetime64_ns_dtype(arr_or_dtype: Any) -> bool:
    """True for dates counted in nanoseconds."""
    dtype = _dtype_of(arr_or_dtype)
    if isinstance(dtype, DatetimeTZDtype):
        return bool(dtype.unit == "ns")
    return dtype == np.dtype("M8[ns]")


def is_datetime64tz_dtype(arr_or_dtype: Any) -> bool:
    """True for dates of a time zone."""
    return isinstance(_dtype_of(arr_or_dtype), DatetimeTZDtype)


def is_timedelta64_dtype(arr_or_dtype: Any) -> bool:
    """True for durations."""
    return _has_kind(arr_or_dtype, "m")


def is_categorical_dtype(arr_or_dtype: Any) -> bool:
    """True for categories."""
    return isinstance(_dtype_of(arr_or_dtype), CategoricalDtype)


def is_interval_dtype(arr_or_dtype: Any) -> bool:
    """True for intervals."""
    return isinstance(_dtype_of(arr_or_dtype), IntervalDtype)


def is_extension_array_dtype(arr_or_dtype: Any) -> bool:
    """True for dtypes that NumPy has not."""
    dtype = _dtype_of(arr_or_dtype)
    return dtype is not None and is_extension(dtype)


def is_dtype_equal(source: Any, target: Any) -> bool:
    """True if two dtypes, or those of two arrays, are the same."""
    left, right = _dtype_of(source), _dtype_of(target)
    return left is not None and right is not None and left == right


# Values.


def is_scalar(val: Any) -> bool:
    """True for one value: a number, a text, a date, a missing value."""
    kinds = (
        numbers.Number, str, bytes, np.generic, datetime.date, datetime.time, datetime.timedelta,
        decimal.Decimal, fractions.Fraction, Interval,
    )  # fmt: skip
    return val is None or val is NA or isinstance(val, kinds)


def is_list_like(obj: Any, allow_sets: bool = True) -> bool:
    """True for what has elements, but for texts, and sets if these are not allowed."""
    if isinstance(obj, (str, bytes, type)) or (isinstance(obj, np.ndarray) and obj.ndim == 0):
        return False
    return isinstance(obj, Iterable) and (allow_sets or not isinstance(obj, (set, frozenset)))


def is_array_like(obj: Any) -> bool:
    """True for what has elements and a dtype."""
    return is_list_like(obj) and hasattr(obj, "dtype")


def is_dict_like(obj: Any) -> bool:
    """True for what has keys and values by key."""
    names = ("__getitem__", "keys", "__contains__")
    return all(hasattr(obj, name) for name in names) and not isinstance(obj, type)


def is_number(obj: Any) -> bool:
    """True for numbers, bools among them."""
    return isinstance(obj, (numbers.Number, np.number))


def is_integer(obj: Any) -> bool:
    """True for integers, but for bools."""
    plain = isinstance(obj, (int, np.integer)) and not isinstance(obj, (bool, np.bool_))
    return plain and not isinstance(obj, np.timedelta64)


def is_float(obj: Any) -> bool:
    """True for floats."""
    return isinstance(obj, (float, np.floating))


def is_bool(obj: Any) -> bool:
    """True for bools."""
    return isinstance(obj, (bool, np.bool_))


def is_re(obj: Any) -> bool:
    """True for compiled regular expressions."""
    return isinstance(obj, re.Pattern)


def infer_dtype(value: Any, skipna: bool = True) -> str:
    """What values are, as pandas calls it: 'integer', 'string', 'mixed' and so on."""
    values = value._parts[0] if is_series(value) else value
    index = index_of(values if hasattr(values, "dtype") else list(values), tuples=False)
    return str((index.dropna() if skipna else index).inferred_type)
