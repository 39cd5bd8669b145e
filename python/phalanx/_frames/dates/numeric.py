"""`to_numeric`: texts and objects as numbers."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import column_from, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn, nullable
from ..columns.objects import ObjectColumn, object_array
from ..columns.strings import StringColumn
from ..dtypes import NullableDtype, family, nullable_of
from ..in_place import in_place
from ..indexes.labels import Labels
from ..missing import NA, is_missing
from ..shared.base import Labelled
from ..signatures import NO_DEFAULT

_WHOLE = re.compile(r"\s*[+-]?\d+\s*")
_DECIMAL = re.compile(r"\s*[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?|inf(?:inity)?)\s*", re.I)
_DOWNCASTS = (None, "integer", "signed", "unsigned", "float")


@in_place
def to_numeric(
    arg: Any, errors: str = "raise", downcast: str | None = None, dtype_backend: Any = NO_DEFAULT
) -> Any:
    """Numbers: a series of a series, an index of an index, one of one, else a NumPy array.

    ``downcast`` ('integer', 'signed', 'unsigned', 'float') makes the dtype the smallest one that
    holds the numbers. Raises ValueError for a text that is no number unless ``errors`` is 'coerce',
    which makes it NaN, and TypeError for other things.

    >>> px.to_numeric(px.Series(["1", "2"]))
    0    1
    1    2
    dtype: int64
    """
    if downcast not in _DOWNCASTS:
        raise ValueError("invalid downcasting method provided")
    if errors not in ("raise", "coerce"):
        raise ValueError("invalid error value specified")
    if dtype_backend is not NO_DEFAULT:
        raise NotImplementedError("to_numeric(dtype_backend=) is not supported: use astype")
    arg = ours(arg)
    if isinstance(arg, Labelled):
        if arg.ndim != 1:
            raise TypeError("arg must be a list, tuple, 1-d array, or Series")
        made = number_column(arg._parts[0], errors == "coerce", downcast)
        return above.Series._of(made, arg._index, arg._name)  # type: ignore[attr-defined]
    if isinstance(arg, Labels):
        made = number_column(arg._values_column(), errors == "coerce", downcast)
        return Labels._of(made, arg._name)
    if isinstance(arg, (str, bytes)) or not hasattr(arg, "__iter__"):
        return _of_one(arg, errors == "coerce", downcast)
    if not hasattr(arg, "dtype"):
        arg = list(arg)
        if any(isinstance(each, (list, tuple)) for each in arg):
            raise TypeError("arg must be a list, tuple, 1-d array, or Series")
    return number_column(column_from(arg), errors == "coerce", downcast).to_numpy()


def _of_one(value: Any, coerce: bool, downcast: str | None) -> Any:
    if isinstance(value, (int, float, np.number)) and downcast is None:
        return value
    if not isinstance(value, str) and not isinstance(value, (int, float, np.number)):
        raise TypeError("Invalid object type: pass a number, a text, a list or a series")
    return number_column(column_from([value]), coerce, downcast).element(0)


def number_column(column: Column, coerce: bool, downcast: str | None = None) -> Column:
    """A column as one of numbers; of objects where int64 and uint64 do not hold them."""
    if isinstance(column, CategoryColumn):
        column = column.values()
    if isinstance(column, StringColumn):
        made = _of_objects(column.to_numpy(), coerce)
        if column.dtype.na_value is NA and isinstance(made, NumberColumn):
            made = _with_mask(column, made)
    elif isinstance(column, ObjectColumn):
        made = _of_objects(column.objects, coerce)
    else:
        assert isinstance(column, NumberColumn)
        is_time = family(column.dtype) in ("datetime", "zoned", "timedelta")
        made = NumberColumn(column.values.view(np.int64)) if is_time else column
    return (
        made if downcast is None or not isinstance(made, NumberColumn) else _small(made, downcast)
    )


def _with_mask(column: StringColumn, made: NumberColumn) -> NumberColumn:
    """Texts with NA give nullable numbers: integers where all that are there are such."""
    values = np.asarray(made.values)
    if values.dtype.kind == "f" and (np.trunc(values) == values)[~np.isnan(values)].all():
        there = [each for each in column.tolist() if isinstance(each, str)]
        # What is no number is missing among integers; no text at all is a missing float.
        whole = [each != "" and bool(_WHOLE.fullmatch(each) or not _DECIMAL.fullmatch(each))
                 for each in there]  # fmt: skip
        gone = np.isnan(values)
        if all(whole):
            counts = np.where(gone, 0, values).astype(np.int64)
            return NumberColumn(px.asarray(counts), px.asarray(~gone), nullable_of(counts.dtype))
    return nullable(made.values, None)


def _of_objects(objects: np.ndarray, coerce: bool) -> Column:
    numbers = [_number(each, row, coerce) for row, each in enumerate(objects)]
    if any(isinstance(each, float) for each in numbers):
        return NumberColumn(px.asarray(np.array(numbers, np.float64)))
    return _of_integers(numbers)


def _of_integers(numbers: list[int]) -> Column:
    low, high = min(numbers, default=0), max(numbers, default=0)
    if low >= -(2**63) and high < 2**63:
        only_bools = numbers and all(isinstance(each, (bool, np.bool_)) for each in numbers)
        return NumberColumn(px.asarray(np.array(numbers, bool if only_bools else np.int64)))
    if low >= 0 and high < 2**64:
        return NumberColumn(px.asarray(np.array(numbers, np.uint64)))
    return ObjectColumn(object_array(numbers))


def _number(value: Any, row: int, coerce: bool) -> Any:
    """An int or a float of an object. Raises ValueError, TypeError for what is none."""
    if isinstance(value, str):
        if _WHOLE.fullmatch(value):
            return int(value)
        if _DECIMAL.fullmatch(value):
            return float(value)
        if value == "" or coerce:
            return np.nan
        raise ValueError(f"Unable to parse string {value!r} at position {row}")
    if is_missing(value):
        return np.nan
    if isinstance(value, (bool, np.bool_, int, np.integer)):
        return value if isinstance(value, (bool, np.bool_)) else int(value)
    if isinstance(value, (float, np.floating)):
        return float(value)
    if coerce:
        return np.nan
    raise TypeError(f"Invalid object type at position {row}: {type(value).__name__}")


_SIZES = {
    "integer": (np.int8, np.int16, np.int32, np.int64),
    "unsigned": (np.uint8, np.uint16, np.uint32, np.uint64),
    "float": (np.float32, np.float64),
}


def _small(column: NumberColumn, downcast: str) -> NumberColumn:
    """The smallest dtype of a kind that holds all numbers; the column itself where none does."""
    kind = "integer" if downcast == "signed" else downcast
    values = np.asarray(column.values)
    valid = None if column.valid is None else np.asarray(column.valid)
    there = values if valid is None else values[valid]
    if there.dtype.kind not in "iuf" or (kind == "unsigned" and (there < 0).any()):
        return column
    for size in _SIZES[kind]:
        if np.dtype(size).itemsize > values.dtype.itemsize:
            break
        if _holds(there, np.dtype(size)):
            made = px.asarray(values.astype(size))
            is_nullable = isinstance(column.dtype, NullableDtype)
            dtype = nullable_of(np.dtype(size)) if is_nullable else None
            return NumberColumn(made, column.valid, dtype)
    return column


def _holds(values: np.ndarray, dtype: np.dtype) -> bool:
    if dtype.kind == "f":
        with np.errstate(over="ignore"):
            return bool(np.allclose(values.astype(dtype), values, 5e-4, 0, equal_nan=True))
    if values.dtype.kind == "f" and not (np.trunc(values) == values).all():
        return False
    info = np.iinfo(dtype)
    return not len(values) or bool(values.min() >= info.min and values.max() <= info.max)
