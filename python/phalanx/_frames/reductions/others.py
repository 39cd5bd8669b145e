"""Reductions of texts, categories and objects, by Python on the host."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.inference import infer
from ..columns.numbers import NumberColumn
from ..columns.objects import object_array
from ..dtypes import STRING, IntervalDtype
from ..missing import is_missing
from .rows import missing_of, refuse


def of_texts(name: str, column: Column, skipna: bool) -> Any:
    """Texts have a sum, one after the other, a first and a last one, and truth: not empty."""
    if name not in _OF_TEXTS or (name in ("any", "all") and column.dtype == STRING):
        return refuse(name, column)
    present = [each for each in column if not is_missing(each)]
    gone = len(present) < len(column)
    if name in ("any", "all"):
        found = any(map(bool, present)) if name == "any" else all(map(bool, present))
        return np.bool_(found or (name == "any" and gone and not skipna))
    if gone and not skipna:
        return missing_of(column.dtype)
    if name == "sum":
        return "".join(present)
    return (min if name == "min" else max)(present, default=missing_of(column.dtype))


def of_categories(name: str, column: CategoryColumn, skipna: bool) -> Any:
    """Ordered categories have a least and a largest."""
    if name not in ("min", "max"):
        return refuse(name, column)
    if not column.dtype.ordered:
        raise TypeError(
            f"Categorical is not ordered for operation {name}: make it so with as_ordered()"
        )
    codes = np.asarray(column.codes)
    present = codes[codes >= 0]
    if len(present) == 0 or (len(present) < len(codes) and not skipna):
        return np.nan
    return column.dtype.values.element(int(present.min() if name == "min" else present.max()))


def of_objects(name: str, column: Column, skipna: bool, reduce: Callable[..., Any]) -> Any:
    """Objects that are numbers by `reduce` of a column of numbers, else by what Python has."""
    if isinstance(column.dtype, IntervalDtype) and name not in ("min", "max"):
        return refuse(name, column)
    present = [each for each in column if not is_missing(each)]
    if name in ("any", "all"):
        rows = present if skipna else list(column)
        return np.bool_(any(map(bool, rows)) if name == "any" else all(map(bool, rows)))
    if len(present) < len(column) and not skipna:
        return np.nan
    found = infer(object_array(present))
    if isinstance(found, NumberColumn):
        return reduce(found, name)
    if not present:
        return 0 if name == "sum" else 1 if name == "prod" else np.nan
    if name not in _OF_OBJECTS:
        return refuse(name, column)
    return _OF_OBJECTS[name](present)


_OF_TEXTS = ("sum", "min", "max", "any", "all")
_OF_OBJECTS: dict[str, Any] = {
    "sum": lambda objects: functools.reduce(operator.add, objects),
    "prod": lambda objects: functools.reduce(operator.mul, objects),
    "min": min,
    "max": max,
}
