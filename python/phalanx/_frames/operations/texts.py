"""Texts joined, repeated and compared."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..._texts.offsets import offsets_of
from .. import engine
from ..columns.column import Column
from ..columns.making import constant
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn
from ..dtypes import BOOLEAN, STR
from .operands import (
    Operand,
    Scalar,
    both_valid,
    family_of,
    has_na,
    length_of,
    missing_in,
    refuse,
    values_of,
)


def text_arithmetic(name: str, left: Operand, right: Operand) -> Column:
    """Two texts one after the other. The result has the left one's dtype."""
    if name != "add":
        refuse(name, left, right)
    rows = length_of(left, right)
    dtype = next(each.dtype for each in (left, right) if isinstance(each, StringColumn))
    operands = [_for_engine(each) for each in (left, right)]
    made = engine.of_texts("text_join", operands, rows, None)
    device = _device_of(left, right)
    offsets, text = (px.asarray(each, device=device) for each in made[:2])
    return StringColumn(offsets, text, both_valid(left, right), dtype)


def _device_of(*operands: Any) -> str:
    """Where the columns are."""
    return next(each.offsets.device for each in operands if isinstance(each, StringColumn))


def _for_engine(given: Any) -> Any:
    """A column, or the bytes of a text for all rows."""
    if isinstance(given, Scalar):
        return given.value.encode("utf-8", "surrogatepass")
    return given.key()


def _column(given: Any, rows: int) -> StringColumn:
    if isinstance(given, StringColumn):
        return given
    made = constant(given.value, rows, STR)
    assert isinstance(made, StringColumn)
    return made


def repeated(name: str, left: Operand, right: Operand) -> Column:
    """Texts as often as numbers say; less than once is the empty text."""
    text, count = (left, right) if family_of(left) == "text" else (right, left)
    if isinstance(text, Scalar):
        refuse(name, left, right)
    times = values_of(count)
    kind = times.dtype.kind if isinstance(times, ndarray) else np.min_scalar_type(times).kind
    if name != "mul" or kind not in "iu":
        refuse(name, left, right)
    rows = length_of(left, right)
    column = _column(text, rows)
    gone = missing_in(count, rows) | column.isna()
    often = px.where(gone, 0, px.maximum(times, 0)).astype(np.int64)
    ends = offsets_of(often)
    copies = column.take(px.repeat(px.arange(rows, device=column.offsets.device), often))
    dtype = column.dtype
    valid = ~gone if bool(gone.any()) else None
    return StringColumn(copies.offsets[ends], copies.text, valid, dtype)


def with_nothing(name: str, left: Operand, right: Operand) -> Column:
    """A missing scalar makes each text missing."""
    column = left if isinstance(right, Scalar) else right
    assert isinstance(column, Column)
    if name != "add":
        refuse(name, left, right)
    return column.missing(len(column))


def compare_texts(name: str, left: Operand, right: Operand) -> Column:
    """Compared by code points. A missing text is unequal to all; of `string` the result is NA."""
    rows = length_of(left, right)
    only_equal = name in ("eq", "ne")
    sides = (_for_engine(each) for each in (left, right))
    made = px.asarray(
        engine.of_texts("text_compare", *sides, rows, only_equal), device=_device_of(left, right)
    )
    found = made if name == "eq" else ~made if name == "ne" else getattr(operator, name)(made, 0)
    return compared(found, name, left, right)


def compared(found: Any, name: str, left: Operand, right: Operand) -> Column:
    """What a comparison has found, and what it is where a row is missing."""
    rows = length_of(left, right)
    gone = missing_in(left, rows) | missing_in(right, rows)
    if has_na(left) or has_na(right):
        return NumberColumn(found, ~gone, BOOLEAN)
    return NumberColumn(found | gone if name == "ne" else found & ~gone)
