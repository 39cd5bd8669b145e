"""Arithmetic of Python's objects, row by row."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..missing import NA, is_missing
from ..scalars import NaT
from .operands import Operand, Scalar, family_of, has_na, is_nat, length_of, refuse, rows_of
from .periods import has_periods, period_result

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    name: getattr(operator, name)
    for name in ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "xor")
} | {"and": operator.and_, "or": operator.or_}


def object_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """What Python gives for each row; where one is missing NaN, or NA where a side has it.

    Raises what the objects raise. Where one side has texts the result has their dtype.
    """
    for each in (left, right):
        if isinstance(each, Scalar) and (is_nat(each) or each.value is None):
            refuse(name, left, right)
    if has_periods(left, right):
        return period_result(left, right, ObjectColumn(_each(name, left, right, NaT)))
    missing = NA if has_na(left) or has_na(right) else np.nan
    column = ObjectColumn(_each(name, left, right, missing))
    for each in (left, right):
        if isinstance(each, Column) and family_of(each) == "text":
            return column.astype(each.dtype)
    return column


def object_logic(name: str, left: Operand, right: Operand) -> Column:
    """Python's operators of bits as bools, False where one side is missing."""
    return NumberColumn(px.asarray(_each(name, left, right, False).astype(bool)))


def _each(name: str, left: Operand, right: Operand, missing: Any) -> np.ndarray:
    rows = length_of(left, right)
    function = FUNCTIONS[name]
    made = np.full(rows, missing, object)
    pairs = zip(rows_of(left, rows), rows_of(right, rows), strict=True)
    for i, (a, b) in enumerate(pairs):
        na = (a is NA or b is NA) and missing is not False
        if na or not (is_missing(a) or is_missing(b)):
            made[i] = function(a, b)
        elif name in ("add", "sub") and (a is NaT or b is NaT):
            made[i] = NaT
    return made


def each_of(function: Callable[[Any], Any], column: Column) -> np.ndarray:
    """A function's results for the objects of a column; missing ones stay as they are."""
    made = np.empty(len(column), object)
    for i, value in enumerate(column.tolist()):
        made[i] = value if is_missing(value) else function(value)
    return made
