"""Arithmetic, comparisons, signs and rounding of decimals, by Arrow's rules of digits."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import DecimalOverflowError

from ..arrow_dtypes import MOST_DIGITS, DecimalDtype
from ..columns import decimal_rows
from ..columns.column import Column
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..dtypes import BOOLEAN
from .comparisons import compare_nullable, compare_objects
from .numeric import nullable_arithmetic
from .object_arithmetic import object_arithmetic
from .operands import SIGNS, Scalar, family_of, length_of, missing_in, operand, refuse

# What Arrow takes an integer of that many bytes for: the digits of the largest.
_DIGITS = {"i": {1: 3, 2: 5, 4: 10, 8: 19}, "u": {1: 3, 2: 5, 4: 10, 8: 20}}
_LEAST_SCALE_OF_QUOTIENTS = 4


def decimal_arithmetic(name: str, left: Any, right: Any) -> Column:
    """Where at least one operand is a column of decimals.

    Of decimals and integers the result is decimals, with the digits that Arrow gives them, but 38
    where it would have more; floats make it Float64, as powers are. Raises DecimalOverflowError
    where a row has more digits than 38, DecimalDivisionError, and TypeError for other operands.
    """
    if name == "mod":
        raise NotImplementedError(
            "mod of decimals is not supported, by pandas neither: a - (a // b) * b has it"
        )
    if _are_objects(left, right):
        return object_arithmetic(name, left, right)
    if name == "pow" or any(map(_is_float, (left, right))):
        return _of_floats(name, left, right)
    one, other = (_as_decimals(name, left, right, i) for i in (0, 1))
    dtype, shifts = _RULES[name](one.dtype, other.dtype)
    valid = _both_there(one, other)
    words = decimal_rows.compute(_ENGINE.get(name, name), one.numbers, other.numbers, shifts)
    if name == "floordiv":
        words, _ = decimal_rows.scale((words, valid), -dtype.scale, rounding="floor")
        words, failed = decimal_rows.scale((words, valid), dtype.scale)
        if failed >= 0:
            raise DecimalOverflowError(f"row {failed} of floordiv does not fit into {dtype}")
    return DecimalColumn(words, valid, dtype)


def _of_floats(name: str, left: Any, right: Any) -> Column:
    """The result of the nearest floats; missing where one side is, also where it is 1 or to 0."""
    made: Any = nullable_arithmetic(name, *(_as_floats(name, left, right, i) for i in (0, 1)))
    if name != "pow":
        return made  # type: ignore[no-any-return]
    rows = len(made)
    there = ~(made.isna() | missing_in(left, rows) | missing_in(right, rows))
    return NumberColumn(made.values, there, made.dtype)


_ENGINE = {"truediv": "div", "floordiv": "div"}


def _both_there(left: DecimalColumn, right: DecimalColumn) -> np.ndarray | None:
    masks = [each.valid for each in (left, right) if each.valid is not None]
    if not masks:
        return None
    rows = max(len(left), len(right)) if min(len(left), len(right)) else 0
    return np.broadcast_to(np.logical_and.reduce(np.broadcast_arrays(*masks)), (rows,)).copy()


def _are_objects(left: Any, right: Any) -> bool:
    """True where one side is a column of objects, whose rows are computed with one by one."""
    return any(isinstance(each, Column) and family_of(each) == "object" for each in (left, right))


def _is_float(given: Any) -> bool:
    if isinstance(given, Scalar):
        return isinstance(given.value, float) and given.family == "number"
    return isinstance(given, NumberColumn) and given.values.dtype.kind == "f"


def _as_floats(name: str, left: Any, right: Any, side: int) -> Any:
    """An operand as floats, or as the number that it is."""
    given = (left, right)[side]
    if isinstance(given, DecimalColumn):
        return floats_of(given)
    if isinstance(given, Scalar) and isinstance(given.value, decimal.Decimal):
        return operand(float(given.value))
    if _is_float(given):
        return given
    made: Any = _as_decimals(name, left, right, side)
    return floats_of(made) if isinstance(given, Column) else operand(float(made.as_floats()[0]))


def _as_decimals(name: str, left: Any, right: Any, side: int) -> DecimalColumn:
    """An operand as decimals; of a scalar there is one row. Raises TypeError for what is none."""
    given, other = (left, right) if side == 0 else (right, left)
    made = decimals_of(given, like=other)
    if made is None:
        refuse(name, left, right)
    return made


def decimals_of(given: Any, like: Any = None) -> DecimalColumn | None:
    """Decimals, integers and missing values as decimals, None for others."""
    if isinstance(given, DecimalColumn):
        return given
    if isinstance(given, NumberColumn) and given.values.dtype.kind in "iu":
        kind, size = given.values.dtype.kind, given.values.dtype.itemsize
        valid = np.asarray(~given.isna()) if given.has_missing() else None
        words = decimal_rows.of_integers(np.asarray(given.values))
        return DecimalColumn(words, valid, DecimalDtype(_DIGITS[kind][size], 0))
    if not isinstance(given, Scalar):
        return None
    if given.family == "missing" and isinstance(like, DecimalColumn):
        return like.missing(1)
    value: Any = given.value
    if isinstance(value, decimal.Decimal):
        return _of_python(value)
    if given.family != "number" or not isinstance(value, int):
        return None
    digits = max(_DIGITS["i"][8], len(str(abs(value))))
    _check_digits(digits, value)
    return DecimalColumn(decimal_rows.of_integer(value), None, DecimalDtype(digits, 0))


def _of_python(value: decimal.Decimal) -> DecimalColumn:
    """Python's decimal with the digits that it is written with."""
    _, digits, exponent = value.as_tuple()
    assert isinstance(exponent, int)
    scale = max(0, -exponent)
    precision = max(len(digits) + max(exponent, 0), scale, 1)
    _check_digits(precision, value)
    whole = int(value.scaleb(scale, decimal.Context(prec=2 * MOST_DIGITS)))
    return DecimalColumn(decimal_rows.of_integer(whole), None, DecimalDtype(precision, scale))


def _check_digits(digits: int, value: Any) -> None:
    if digits > MOST_DIGITS:
        raise DecimalOverflowError(f"{value} has more digits than the {MOST_DIGITS} of a decimal")


# What dtype a result has, and the powers of ten that operands are multiplied by before.

_Rule = tuple[DecimalDtype, tuple[int, int]]


def _dtype(precision: int, scale: int) -> DecimalDtype:
    """The dtype of a result; where Arrow has none of that many digits each row is looked at."""
    if scale > MOST_DIGITS:
        raise DecimalOverflowError(
            f"a result of {scale} digits after the point: decimals have {MOST_DIGITS}; cast an "
            "operand to a smaller scale, or to float64"
        )
    return DecimalDtype(min(precision, MOST_DIGITS), scale)


def _sum_rule(left: DecimalDtype, right: DecimalDtype) -> _Rule:
    scale = max(left.scale, right.scale)
    whole = max(left.precision - left.scale, right.precision - right.scale)
    return _dtype(whole + scale + 1, scale), (scale - left.scale, scale - right.scale)


def _product_rule(left: DecimalDtype, right: DecimalDtype) -> _Rule:
    return _dtype(left.precision + right.precision + 1, left.scale + right.scale), (0, 0)


def _quotient_rule(left: DecimalDtype, right: DecimalDtype) -> _Rule:
    scale = max(_LEAST_SCALE_OF_QUOTIENTS, left.scale + right.precision - right.scale + 1)
    precision = left.precision - left.scale + right.scale + scale
    return _dtype(precision, scale), (scale - left.scale + right.scale, 0)


_RULES: dict[str, Any] = {
    "add": _sum_rule,
    "sub": _sum_rule,
    "mul": _product_rule,
    "truediv": _quotient_rule,
    "floordiv": _quotient_rule,
}


# Comparisons.


def compare_decimals(name: str, left: Any, right: Any) -> Column:
    """Of decimals with decimals, numbers and truths: boolean, missing where one side is.

    Other values are unequal. Raises TypeError for an order with these.
    """
    if _are_objects(left, right):
        return compare_objects(name, left, right)
    if any(map(_is_float, (left, right))):
        return compare_nullable(name, *(_as_floats(name, left, right, i) for i in (0, 1)))
    one, other = (
        decimals_of(_truth_as_number(a), like=b) for a, b in ((left, right), (right, left))
    )
    rows = length_of(left, right)
    if one is None or other is None:
        return _unlike(name, left, right, rows)
    valid = _both_there(one, other)
    sides = _of_one_scale(one, other)
    found = np.broadcast_to(decimal_rows.compared(name, *sides), (rows,))
    mask = None if valid is None else px.asarray(valid)
    return NumberColumn(px.asarray(np.ascontiguousarray(found)), mask, BOOLEAN)


def _truth_as_number(given: Any) -> Any:
    if isinstance(given, Scalar) and given.family == "bool":
        return operand(int(given.value))
    return given


def _of_one_scale(left: DecimalColumn, right: DecimalColumn) -> list[np.ndarray]:
    scale = max(left.dtype.scale, right.dtype.scale)
    made = []
    for each in (left, right):
        words, failed = decimal_rows.scale(each.numbers, scale - each.dtype.scale)
        if failed >= 0:
            raise DecimalOverflowError(
                f"{each.element(failed)} with {scale} digits after the point, to compare it with "
                f"{left.dtype if each is right else right.dtype}, has more digits than "
                f"{MOST_DIGITS}: cast to a smaller scale before"
            )
        made.append(words)
    return made


def _unlike(name: str, left: Any, right: Any, rows: int) -> Column:
    if name not in ("eq", "ne"):
        raise TypeError(
            f"Invalid comparison '{SIGNS[name]}' between dtype={left.dtype} and {right.dtype}"
        )
    there = ~(missing_in(left, rows) | missing_in(right, rows))
    return NumberColumn(px.full(rows, name == "ne"), there, BOOLEAN)


def of_one_dtype(left: Column, right: Column) -> tuple[Column, Column]:
    """Decimals, or decimals and integers, in a dtype that has both; others as they are."""
    one, other = decimals_of(left), decimals_of(right)
    if one is None or other is None:
        return left, right
    scale = max(one.dtype.scale, other.dtype.scale)
    whole = max(one.dtype.precision - one.dtype.scale, other.dtype.precision - other.dtype.scale)
    dtype = _dtype(whole + scale, scale)
    return one.astype(dtype), other.astype(dtype)


# Of one column.


def unary_decimals(name: str, column: DecimalColumn) -> DecimalColumn:
    """neg, pos or abs. Raises TypeError for others."""
    if name == "pos":
        return column
    if name == "invert":
        raise TypeError(f"bad operand type for {name}: a column of dtype '{column.dtype}'")
    words = decimal_rows.compute("sub", (decimal_rows.of_integer(0), None), column.numbers)
    if name == "abs":
        words = np.where(column.words[:, 1:] < 0, words, column.words)
    return DecimalColumn(words, column.valid, column.dtype)


def rounded_decimals(column: DecimalColumn, decimals: int) -> DecimalColumn:
    """Decimals to so many digits after the point, of two nearest the even one; the same dtype.

    Raises DecimalOverflowError where the dtype has not enough digits.
    """
    cut = column.dtype.scale - decimals
    if cut <= 0:
        return column
    words, _ = decimal_rows.scale(column.numbers, -cut, rounding="half_even")
    if cut > MOST_DIGITS:
        return DecimalColumn(words, column.valid, column.dtype)
    words, failed = decimal_rows.scale((words, column.valid), cut, column.dtype.precision)
    if failed >= 0:
        raise DecimalOverflowError(
            f"Rounded value of {column.element(failed)} does not fit into {column.dtype}: cast to "
            "a dtype of more digits before"
        )
    return DecimalColumn(words, column.valid, column.dtype)
