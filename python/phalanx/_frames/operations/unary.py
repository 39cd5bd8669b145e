"""Operations of one column: signs, absolute values, bits, rounding."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import phalanx as px

from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..dtypes import Dtype, family, nullable_of
from .decimals import rounded_decimals, unary_decimals
from .object_arithmetic import each_of


def negative(column: Column) -> Column:
    """Numbers and durations with the other sign. Raises TypeError for bools and other dtypes."""
    return _apply("neg", column)


def positive(column: Column) -> Column:
    """Numbers and durations as they are. Raises TypeError for what has no sign."""
    return _apply("pos", column)


def absolute(column: Column) -> Column:
    """Numbers and durations without a sign, and complex numbers' lengths. Raises TypeError."""
    return _apply("abs", column)


def invert(column: Column) -> Column:
    """Bools turned round, and the bits of integers. Raises TypeError for other dtypes."""
    return _apply("invert", column)


# What each takes: the kinds of NumPy's dtypes, the function, Python's own for objects.
_UNARY: dict[str, tuple[str, Callable[[Any], Any], Callable[[Any], Any]]] = {
    "neg": ("iufcm", px.negative, lambda value: -value),
    "pos": ("biufcm", px.positive, lambda value: +value),
    "abs": ("biufcm", px.abs, abs),
    "invert": ("biu", px.invert, lambda value: ~value),
}


def _apply(name: str, column: Column) -> Column:
    kinds, function, of_object = _UNARY[name]
    if isinstance(column, ObjectColumn):
        return ObjectColumn(each_of(of_object, column))
    if isinstance(column, DecimalColumn):
        return unary_decimals(name, column)
    if not isinstance(column, NumberColumn) or column.values.dtype.kind not in kinds:
        raise TypeError(f"bad operand type for {name}: a column of dtype '{column.dtype}'")
    if name == "pos" and column.values.dtype.kind == "b":
        return column
    return _with_values(column, function(column.values))


def _with_values(column: NumberColumn, values: Any) -> NumberColumn:
    """Other values in the same rows, in their nullable dtype if the column's is nullable."""
    dtype: Dtype | None = None
    if family(column.dtype) == "nullable":
        dtype = nullable_of(values.dtype)
    return NumberColumn(values, column.valid, dtype)


def rounded(column: Column, decimals: int = 0) -> Column:
    """Numbers to so many decimals; a negative number rounds before the point.

    Half-way numbers go to the even digit, as NumPy's do. Bools and other dtypes stay as they are.
    Raises TypeError for objects that cannot be rounded.
    """
    if isinstance(column, ObjectColumn):
        return ObjectColumn(each_of(lambda value: round(value, decimals), column))
    if isinstance(column, DecimalColumn):
        return rounded_decimals(column, decimals)
    if not isinstance(column, NumberColumn) or column.values.dtype.kind not in "iufc":
        return column
    if column.values.dtype.kind in "iu" and decimals >= 0:
        return column
    return _with_values(column, px.round(column.values, decimals))
