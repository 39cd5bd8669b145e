"""Arithmetic of dates and durations, whose units are the finer of the operands'."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.numbers import NumberColumn, missing_number
from ..dtypes import DatetimeTZDtype, unit_of
from .operands import Operand, Scalar, family_of, is_nat, refuse, valid_of, values_of

_ZONED = ("datetime", "zoned")


def date_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """A date and a duration are a date; two dates are apart by a duration."""
    families = family_of(left), family_of(right)
    if families[0] in _ZONED and families[1] in _ZONED:
        if name != "sub":
            refuse(name, left, right)
        if families[0] != families[1]:
            raise TypeError(
                "Cannot subtract tz-naive and tz-aware datetime-like objects: "
                f"'{left.dtype}' and '{right.dtype}'"
            )
        return NumberColumn(values_of(left) - values_of(right))
    if name not in ("add", "sub") or (name == "sub" and families[0] == "timedelta"):
        refuse(name, left, right)
    a, b = values_of(left), values_of(right)
    values = a + b if name == "add" else a - b
    zoned: Any = left if families[0] in _ZONED else right
    return _dated(values, zoned.dtype)


def _dated(values: Any, dtype: Any) -> Column:
    if isinstance(dtype, DatetimeTZDtype):
        return NumberColumn(values, None, DatetimeTZDtype(unit_of(values.dtype), dtype.tz))
    return NumberColumn(values)


def duration_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """Of two durations."""
    a, b = values_of(left), values_of(right)
    if name in ("add", "sub"):
        return NumberColumn(a + b if name == "add" else a - b)
    if name == "truediv":
        return NumberColumn(a / b)
    if name == "mod":
        return NumberColumn(_rest(a, b))
    if name != "floordiv":
        refuse(name, left, right)
    quotients = a // b
    gone = px.isnat(a) | px.isnat(b)
    if bool(px.any(gone)):
        return NumberColumn(px.where(gone, np.nan, quotients.astype(np.float64)))
    return NumberColumn(quotients)


def duration_by_number(name: str, left: Operand, right: Operand) -> Column:
    """A duration times, or divided by, a number; NaN and NA give NaT."""
    if family_of(left) != "timedelta":
        if name != "mul":
            refuse(name, left, right)
        left, right = right, left
    if name not in _BY_NUMBER:
        refuse(name, left, right)
    number = _number(name, left, right)
    values = _BY_NUMBER[name](values_of(left), number)
    valid = valid_of(right)
    if valid is not None:
        values = px.where(valid, values, missing_number(values.dtype))
    return NumberColumn(values)


def _number(name: str, left: Operand, right: Operand) -> Any:
    number = values_of(right)
    kind = number.dtype.kind if hasattr(number, "dtype") else np.min_scalar_type(number).kind
    if kind == "b" or kind == "c":
        refuse(name, left, right)
    return number


def _rest(duration: Any, number: Any) -> Any:
    return duration - (duration // number) * number


_BY_NUMBER: dict[str, Callable[[Any, Any], Any]] = {
    "mul": px.multiply,
    "truediv": px.true_divide,
    "floordiv": px.floor_divide,
    "mod": _rest,
}


def with_nothing(name: str, left: Operand, right: Operand) -> Column:
    """NaT is a missing date or duration, NaN a number that durations are multiplied with."""
    column: Any = left if isinstance(right, Scalar) else right
    scalar: Any = right if column is left else left
    dates = family_of(column) != "timedelta"
    if isinstance(scalar.value, float) and not dates:
        number = Scalar("number", scalar.value, "float")
        return duration_by_number(name, *((left, number) if column is left else (number, right)))
    if name not in ("add", "sub") or not is_nat(scalar):
        refuse(name, left, right)
    unit: Any = unit_of(column.dtype)
    nothing = Scalar("timedelta", np.timedelta64("NaT", unit), np.dtype(f"m8[{unit}]"))
    if dates and name == "sub":
        nothing = Scalar(family_of(column), np.datetime64("NaT", unit), column.dtype)
    rule = date_arithmetic if dates else duration_arithmetic
    return rule(name, nothing, right) if column is right else rule(name, left, nothing)
