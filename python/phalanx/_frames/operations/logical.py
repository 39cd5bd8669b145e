"""And, or, exclusive or: of bits, of bools, and of bools that may be missing."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.column import Column
from ..columns.numbers import NumberColumn, nullable
from ..dtypes import BOOLEAN
from ..missing import NA
from .operands import Operand, Scalar, both_valid, family_of, refuse, valid_of, values_of

UFUNCS = {"and": px.bitwise_and, "or": px.bitwise_or, "xor": px.bitwise_xor}


def _kind(given: Operand) -> str:
    if isinstance(given, Scalar):
        return "f" if isinstance(given.value, float) else np.min_scalar_type(given.value).kind
    return str(values_of(given).dtype.kind)


def plain_logical(name: str, left: Operand, right: Operand) -> Column:
    """Bits of integers; bools where one side has bools. Floats are refused but beside bools."""
    kinds = _kind(left), _kind(right)
    if kinds[0] == "b" and kinds[1] == "f" and isinstance(right, NumberColumn):
        right = NumberColumn((right.values != 0) & ~px.isnan(right.values))
    elif not {*kinds} <= set("biu"):
        refuse(name, left, right)
    found = UFUNCS[name](values_of(left), values_of(right))
    return NumberColumn(found.astype(bool) if "b" in kinds else found)


def nullable_logical(name: str, left: Operand, right: Operand) -> Column:
    """Kleene's logic of bools; bits of integers, missing where one is."""
    kinds = _kind(left), _kind(right)
    mine = family_of(left) == "nullable" and kinds[0] == "b"
    counts = (
        mine and kinds[1] in "iu" and (isinstance(right, Scalar) or family_of(right) == "nullable")
    )
    if not {*kinds} <= set("biu") or counts:
        refuse(name, left, right)
    if mine or (kinds[1] == "b" and family_of(left) != "nullable"):
        return _kleene(name, _bools(left), valid_of(left), _bools(right), valid_of(right))
    found = UFUNCS[name](values_of(left), values_of(right))
    return nullable(found.astype(bool) if "b" in kinds else found, both_valid(left, right))


def _bools(given: Operand) -> Any:
    values = values_of(given)
    return values.astype(bool) if isinstance(values, ndarray) else bool(values)


def _kleene(name: str, left: Any, known: Any, right: Any, also_known: Any) -> Column:
    """A side that decides by itself makes the result known, whatever the other is."""
    found = UFUNCS[name](left, right)
    masks = [each for each in (known, also_known) if each is not None]
    if not masks:
        return NumberColumn(found, None, BOOLEAN)
    valid = masks[0] & masks[1] if len(masks) == 2 else masks[0]
    if name == "xor":
        return NumberColumn(found, valid, BOOLEAN)
    decides = name == "or"
    first = _decided(left, known, decides)
    second = _decided(right, also_known, decides)
    return NumberColumn(px.where(first | second, decides, found), valid | first | second, BOOLEAN)


def _decided(values: Any, known: Any, decides: bool) -> Any:
    sides = values == decides
    return sides if known is None else sides & known


def logical_with_nothing(name: str, left: Operand, right: Operand) -> Column:
    """NA may be either; of NumPy's bools, which cannot say so, all results are False."""
    column: Any = left if isinstance(left, Column) else right
    scalar: Any = right if column is left else left
    if scalar.value is not NA or family_of(column) == "number":
        refuse(name, left, right)
    if column.dtype == BOOLEAN:
        none = px.zeros_like(column.values)
        return _kleene(name, column.values, column.valid, none, none)
    if family_of(column) == "nullable":
        missing: Column = column.missing(len(column))
        return missing
    return NumberColumn(px.zeros_like(column.values))
