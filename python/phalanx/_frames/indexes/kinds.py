"""Which labels can be equal to which, and in what dtype two indexes' labels meet."""

from __future__ import annotations

import numpy as np

from .. import dtypes
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn, storage_of
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import (
    OBJECT,
    CategoricalDtype,
    DatetimeTZDtype,
    Dtype,
    NullableDtype,
    StringDtype,
    finer_unit,
)
from ..operations import common
from .keys import Moment


def family(dtype: Dtype) -> str:
    """Dtypes of one family are compared by value; 'O' is compared with all as objects."""
    if isinstance(dtype, CategoricalDtype):
        return family(dtype.categories.dtype)
    if isinstance(dtype, (StringDtype, DatetimeTZDtype)):
        return "str" if isinstance(dtype, StringDtype) else "tz"
    return "n" if dtype.kind in "iuf" else dtype.kind


def may_equal(left: Dtype, right: Dtype) -> bool:
    """Returns whether a label of one dtype can be equal to one of the other."""
    families = {family(left), family(right)}
    return len(families) == 1 or "O" in families


def is_nullable(dtype: Dtype) -> bool:
    """Returns whether a mask says which labels are missing."""
    return isinstance(dtype, NullableDtype)


def comparable(left: Dtype, right: Dtype) -> bool:
    """Returns whether pandas compares labels of the first dtype with those of the second at all."""
    return family(left) in ("O", "str") or family(right) == "str" or may_equal(left, right)


def common_dtype(left: Dtype, right: Dtype) -> Dtype:
    """The dtype that holds labels of both: that of the values of categories, UTC for two zones."""
    if left == right:
        return left
    plain = [
        each.categories.dtype if isinstance(each, CategoricalDtype) else each
        for each in (left, right)
    ]
    if plain != [left, right]:
        return common_dtype(*plain)
    if isinstance(left, DatetimeTZDtype) and isinstance(right, DatetimeTZDtype):
        same = dtypes.zone_name(left.tz) == dtypes.zone_name(right.tz)
        return DatetimeTZDtype(finer_unit(left.unit, right.unit), left.tz if same else "UTC")
    # Bools are no numbers among labels, nullable ones neither.
    return common.common_dtype(left, right) if family(left) == family(right) else OBJECT


def appended_dtype(left: Dtype, right: Dtype) -> Dtype:
    """The dtype that holds labels of both as they are shown: objects for two zones."""
    zoned = isinstance(left, DatetimeTZDtype) and isinstance(right, DatetimeTZDtype)
    return common.common_dtype(left, right) if zoned else common_dtype(left, right)


def plain_column(column: Column) -> Column:
    """Labels themselves: those of categories at their codes."""
    if isinstance(column, CategoryColumn):
        return column.values()
    return column


def numbers_of(column: Column, dtype: Dtype | None = None) -> np.ndarray | None:
    """The NumPy array of a column of numbers, dates or durations; None for other columns.

    A nullable one with a missing row is other, too: its labels are looked up as objects.
    """
    if not isinstance(column, NumberColumn) or column.values.dtype.kind == "c":
        return None
    if isinstance(column.dtype, NullableDtype) and column.has_missing():
        return None
    values = np.asarray(column.values)
    return values if dtype is None else values.astype(storage_of(dtype), copy=False)


def only_texts(column: Column) -> bool:
    """Returns whether every label is a text."""
    return isinstance(column.dtype, StringDtype) and not column.has_missing()


def objects_of(column: Column) -> np.ndarray:
    """An array of Python's objects: the labels as `hashable` takes them."""
    if isinstance(column, ObjectColumn):
        return column.objects
    if isinstance(column, NumberColumn) and isinstance(column.dtype, DatetimeTZDtype):
        values = np.asarray(column.values)
        return object_array([Moment(each) for each in values])
    return column.objects_of()
