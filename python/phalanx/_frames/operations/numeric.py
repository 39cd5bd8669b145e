"""Arithmetic of numbers and bools, NumPy's and nullable ones."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.column import Column
from ..columns.numbers import NumberColumn, nullable
from ..missing import NA
from .operands import Operand, Scalar, both_valid, family_of, is_nat, refuse, valid_of, values_of

UFUNCS = {
    "add": px.add,
    "sub": px.subtract,
    "mul": px.multiply,
    "truediv": px.true_divide,
    "floordiv": px.floor_divide,
    "mod": px.remainder,
    "pow": px.power,
}
_NOT_OF_BOOLS = ("truediv", "floordiv", "pow")


def plain_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """Of NumPy's dtypes."""
    return NumberColumn(computed(name, values_of(left), values_of(right)))


def computed(name: str, left: Any, right: Any) -> ndarray:
    """Values of an operation, of which the divisions by zero are as pandas has them.

    `left` and `right` are arrays or Python's numbers. Raises TypeError and NotImplementedError for
    operations that bools have not, ValueError for integers to negative powers.
    """
    kinds = _kind(left), _kind(right)
    if kinds == ("b", "b"):
        _check_bools(name)
    if name == "pow" and kinds[0] in "biu" and kinds[1] == "i" and isinstance(right, ndarray):
        _check_powers(left, right)
    result: ndarray = UFUNCS[name](left, right)
    if name == "floordiv" and result.dtype != np.float64 and result.dtype.kind in "biuf":
        return _with_infinities(left, right, result)
    if name == "mod" and kinds[1] in "iu" and result.dtype.kind in "iu":
        return _with_nans(right, result)
    return result


def _kind(value: Any) -> str:
    dtype = getattr(value, "dtype", None)
    return (
        str(dtype.kind) if dtype is not None else np.min_scalar_type(value).kind.replace("u", "i")
    )


def _check_bools(name: str) -> None:
    if name in _NOT_OF_BOOLS:
        raise NotImplementedError(f"operator '{name}' not implemented for bool dtypes")
    if name == "sub":
        raise TypeError(
            "numpy boolean subtract, the `-` operator, is not supported, use the bitwise_xor, the "
            "`^` operator, or the logical_xor function instead."
        )


def _check_powers(bases: Any, exponents: ndarray) -> None:
    """Look at the exponents; of a scalar the power itself says whether it is negative."""
    floats = getattr(bases, "dtype", None) == np.uint64  # which with int64 are float64
    if not floats and bool((exponents < 0).any()):
        raise ValueError("Integers to negative integer powers are not allowed.")


def _zeros(divisors: Any) -> Any:
    """Where divisors are zero, or None where none is: looks at them."""
    zeros = divisors == 0
    return zeros if bool(px.any(zeros)) else None


def _with_infinities(left: Any, right: Any, result: ndarray) -> ndarray:
    """Whole quotients by zero are those of floats, infinite or NaN, and then all are floats."""
    zeros = _zeros(right)
    if zeros is None:
        return result
    if isinstance(left, ndarray) and left.dtype.kind == "f":
        zeros = zeros & ~px.isnan(left)
        if not bool(zeros.any()):
            return result
    exact = px.true_divide(px.asarray(left).astype(np.float64), right)
    quotients: ndarray = px.where(zeros, exact, result.astype(np.float64))
    return quotients


def _with_nans(right: Any, result: ndarray) -> ndarray:
    """The rest of a division of integers by zero is NaN, and then all are floats."""
    zeros = _zeros(right)
    if zeros is None:
        return result
    rests: ndarray = px.where(zeros, np.nan, result.astype(np.float64))
    return rests


def nullable_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """Where at least one operand is nullable: rows that are missing in one are missing."""
    for given in (left, right):
        if isinstance(given, Scalar) and given.family == "missing":
            return _with_missing(name, left, right, given)
    a, b = values_of(left), values_of(right)
    if _divides_as_numpy(name, left, a) and _kind(b) in "biu":
        result = UFUNCS[name](a, b)
    else:
        result = computed(name, a, b)
    valid = both_valid(left, right)
    if name == "pow" and valid is not None:
        valid = valid | _powers_of_missing(left, right)
    return nullable(result, valid)


def _divides_as_numpy(name: str, left: Operand, values: Any) -> bool:
    """Whole quotients and rests by zero of nullable integers are 0, as pandas leaves them."""
    return (
        name in ("floordiv", "mod") and family_of(left) == "nullable" and values.dtype.kind in "iu"
    )


def _powers_of_missing(left: Operand, right: Operand) -> Any:
    """1 to whatever power and whatever to the power of 0 are 1."""
    a, b = values_of(left), values_of(right)
    ones, zeros = a == 1, b == 0
    for given, mask in ((left, "ones"), (right, "zeros")):
        valid = valid_of(given)
        if valid is not None and mask == "ones":
            ones = ones & valid
        elif valid is not None:
            zeros = zeros & valid
    return ones | zeros


def _with_missing(name: str, left: Operand, right: Operand, scalar: Scalar) -> Column:
    """NaN is a float; NA makes each row missing, but for powers that are 1 whatever they are of."""
    column: Any = right if scalar is left else left
    if scalar.value is None or is_nat(scalar):
        refuse(name, left, right)
    if scalar.value is not NA:
        number = Scalar("number", float("nan"), "float")
        pair = (number, column) if scalar is left else (column, number)
        return nullable_arithmetic(name, *pair)
    if column.values.dtype.kind == "b" and name in _NOT_OF_BOOLS:
        _check_bools(name)
    result = computed(name if name in ("truediv", "mod") else "mul", column.values, column.values)
    valid = px.zeros_like(column.values, dtype=bool)
    if name == "pow":
        # What NA is raised to, or raises, is 1 where the row is 0 or 1.
        valid = (column.values == (0 if scalar is left else 1)) & column.present()
        result = px.ones_like(result)
    return nullable(result, valid)
