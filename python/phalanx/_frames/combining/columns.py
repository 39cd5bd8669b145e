"""Columns of different dtypes below each other."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from .. import dtypes
from ..columns import Column
from ..dtypes import CategoricalDtype, DatetimeTZDtype, Dtype, NullableDtype, StringDtype

OBJECT = np.dtype(object)
_UNITS = ("s", "ms", "us", "ns")


def common_dtype(given: Sequence[Dtype]) -> Dtype:
    """The dtype that holds the values of all: object where numbers, text or dates meet."""
    found = given[0]
    for each in given[1:]:
        if each is not found and each != found:
            found = _of_two(found, each)
    return found


def _of_two(left: Dtype, right: Dtype) -> Dtype:
    if isinstance(left, CategoricalDtype) or isinstance(right, CategoricalDtype):
        return _of_categories(left, right)
    if isinstance(left, StringDtype) and isinstance(right, StringDtype):
        return dtypes.STRING
    if OBJECT in (left, right) or isinstance(left, StringDtype) or isinstance(right, StringDtype):
        return OBJECT
    if isinstance(left, NullableDtype) or isinstance(right, NullableDtype):
        return _of_nullable(left, right)
    if isinstance(left, DatetimeTZDtype) or isinstance(right, DatetimeTZDtype):
        return OBJECT
    if left.kind in "mM" or right.kind in "mM":
        if left.kind != right.kind:
            return OBJECT
        units = [np.datetime_data(each)[0] for each in (left, right)]  # type: ignore[arg-type]
        return np.dtype(f"{left.kind}8[{max(units, key=_UNITS.index)}]")
    if (left.kind == "b") != (right.kind == "b"):
        return OBJECT
    return np.result_type(left, right)  # type: ignore[arg-type]


def _of_categories(left: Dtype, right: Dtype) -> Dtype:
    plain = [
        each.values.dtype if isinstance(each, CategoricalDtype) else each for each in (left, right)
    ]
    if OBJECT in plain or None in plain:
        return OBJECT
    return common_dtype(plain)


def _of_nullable(left: Dtype, right: Dtype) -> Dtype:
    plain = [
        each.numpy_dtype if isinstance(each, NullableDtype) else each for each in (left, right)
    ]
    if any(each.kind not in "biuf" for each in plain):
        return OBJECT
    if (plain[0].kind == "b") != (plain[1].kind == "b"):
        return OBJECT
    met = np.result_type(*plain)  # type: ignore[arg-type]
    return dtypes.nullable_of(np.dtype(np.float32) if met == np.float16 else met)


def joined_columns(columns: Sequence[Column]) -> Column:
    """Rows of columns one after the other, in the dtype that they have in common."""
    if len(columns) == 1:
        return columns[0]
    first, *others = brought_together(columns)
    return first.joined(others)


def brought_together(columns: Sequence[Column]) -> list[Column]:
    """Columns in the dtype that holds the values of all."""
    dtype = common_dtype([each.dtype for each in columns])
    return [
        each if each.dtype is dtype or each.dtype == dtype else each.astype(dtype)
        for each in columns
    ]
