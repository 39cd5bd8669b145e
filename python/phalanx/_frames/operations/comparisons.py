"""Comparisons of numbers, times, categories and objects."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import phalanx as px

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import BOOLEAN, STRING
from ..missing import NA, is_missing
from .operands import (
    SIGNS,
    Operand,
    Scalar,
    both_valid,
    family_of,
    has_na,
    is_nat,
    length_of,
    missing_in,
    rows_of,
    values_of,
)
from .periods import counts_to_compare, has_periods, unlike

UFUNCS = {
    "eq": px.equal,
    "ne": px.not_equal,
    "lt": px.less,
    "le": px.less_equal,
    "gt": px.greater,
    "ge": px.greater_equal,
}


def compare_values(name: str, left: Operand, right: Operand) -> Column:
    """Numbers with numbers, times with times. NaN and NaT are unequal to all."""
    return NumberColumn(UFUNCS[name](values_of(left), values_of(right)))


def compare_nullable(name: str, left: Operand, right: Operand) -> Column:
    """Where at least one operand is nullable: with a missing value the result is missing."""
    found = UFUNCS[name](values_of(left), values_of(right))
    valid = both_valid(left, right)
    for each in (left, right):
        if isinstance(each, Column) and family_of(each) == "number" and each.dtype.kind in "fc":
            there = ~each.isna()  # NaN is NA beside a nullable dtype.
            valid = there if valid is None else valid & there
    return NumberColumn(found, valid, BOOLEAN)


def compare_unlike(name: str, left: Operand, right: Operand) -> Column:
    """Values that cannot be equal are unequal, and have no order."""
    if name not in ("eq", "ne"):
        raise TypeError(
            f"Invalid comparison '{SIGNS[name]}' between dtype={left.dtype} and {right.dtype}"
        )
    rows = length_of(left, right)
    found = px.full(rows, name == "ne")
    if family_of(left) == "nullable":
        return NumberColumn(found, ~(missing_in(left, rows) | missing_in(right, rows)), BOOLEAN)
    numbers = family_of(left) in ("bool", "number")
    if left.dtype != STRING and not (
        right.dtype == STRING and (numbers or isinstance(left, Scalar))
    ):
        return NumberColumn(found)
    # Beside a scalar missing texts are missing, beside a column they are unlike all.
    scalars = [each for each in (left, right) if isinstance(each, Scalar)]
    valid = ~(missing_in(left, rows) | missing_in(right, rows)) if scalars else None
    return NumberColumn(found, valid, BOOLEAN)


def compare_with_nothing(name: str, left: Operand, right: Operand) -> Column:
    """With a missing scalar: NA where the dtype has it or the scalar is it, else unequal."""
    column: Any = left if isinstance(left, Column) else right
    scalar: Any = right if column is left else left
    rows = len(column)
    times = family_of(column) in ("datetime", "zoned", "timedelta")
    numbers = family_of(column) in ("bool", "number", "nullable")
    unlike = family_of(column) == "category" or (times if not is_nat(scalar) else numbers)
    if name not in ("eq", "ne") and unlike:
        return compare_unlike(name, left, right)
    if has_na(column):
        if scalar.value is NA or column.dtype == STRING:
            return NumberColumn(px.zeros(rows, bool), px.zeros(rows, bool), BOOLEAN)
        if scalar.value is None and name not in ("eq", "ne"):
            return compare_unlike(name, left, right)
        return NumberColumn(px.full(rows, name == "ne"), ~column.isna(), BOOLEAN)
    return NumberColumn(px.full(rows, name == "ne"))


def compare_categories(name: str, left: Any, right: Any) -> Column:
    """Of two columns of one list of categories, by the order of the list if it is ordered."""
    if left.dtype != right.dtype:
        raise TypeError("Categoricals can only be compared if 'categories' are the same.")
    _check_order(name, left)
    return _by_codes(name, left, right, left.recoded(right).codes)


def compare_category(name: str, left: Any, right: Any) -> Column:
    """A category with a scalar: one of the categories, or unequal to all."""
    if isinstance(left, Scalar):
        return compare_category(_TURNED[name], right, left)
    labels = left.dtype.values.tolist()
    if right.value not in labels:
        return compare_unlike(name, left, right)
    _check_order(name, left)
    return _by_codes(name, left, right, labels.index(right.value))


def _check_order(name: str, column: CategoryColumn) -> None:
    if name not in ("eq", "ne") and not column.dtype.ordered:
        raise TypeError("Unordered Categoricals can only compare equality or not")


def _by_codes(name: str, left: Any, right: Any, codes: Any) -> Column:
    rows = length_of(left, right)
    gone = missing_in(left, rows) | missing_in(right, rows)
    found = UFUNCS[name](left.codes.astype(np.int64), codes)
    return NumberColumn(found | gone if name == "ne" else found & ~gone)


_TURNED = {"eq": "eq", "ne": "ne", "lt": "gt", "gt": "lt", "le": "ge", "ge": "le"}


def compare_objects(name: str, left: Operand, right: Operand) -> Column:
    """Row by row, as Python compares. Missing values are unequal to all."""
    rows = length_of(left, right)
    if has_periods(left, right):
        counts = counts_to_compare(name, left, right)
        return unlike(name, rows) if counts is None else compare_values(name, *counts)
    compare = getattr(operator, name)
    # None has no order beside a column of numbers, and else is passed over, as in pandas.
    ordered = name not in ("eq", "ne") and isinstance(left, Column) and left.dtype != object
    found = np.full(rows, name == "ne")
    pairs = zip(rows_of(left, rows), rows_of(right, rows), strict=True)
    for i, (a, b) in enumerate(pairs):
        if not (is_missing(a) or is_missing(b)) or (ordered and (a is None or b is None)):
            found[i] = bool(compare(a, b))
    if has_na(left) or has_na(right):
        gone = missing_in(left, rows) | missing_in(right, rows)
        return NumberColumn(px.asarray(found), ~gone, BOOLEAN)
    return NumberColumn(px.asarray(found))
