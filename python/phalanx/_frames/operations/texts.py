"""Texts joined, repeated and compared."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns import string_rows
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
    engine = _engine_of(left, right)
    if engine is not None:
        offsets, text, _ = engine.text_join(
            [_for_engine(each) for each in (left, right)], rows, None
        )
        return StringColumn(px.asarray(offsets), px.asarray(text), both_valid(left, right), dtype)
    first, second = (_column(each, rows) for each in (left, right))
    numbers = px.arange(rows, device=first.offsets.device)
    # Each text of the left is followed by its own of the right; every other end is one of a row.
    pairs = px.stack([numbers, numbers + rows], axis=1).reshape(2 * rows)
    both = first.joined([second]).take(pairs)
    valid = both_valid(first, second)
    return StringColumn(both.offsets[::2], both.text, valid, dtype)


def _engine_of(*operands: Any) -> Any:
    """What the engine has for rows of columns on the host, or None."""
    arrays = (each.offsets for each in operands if isinstance(each, StringColumn))
    return string_rows.engine_of(*arrays)


def _for_engine(given: Any) -> Any:
    """A column, or the bytes of a text for all rows."""
    if isinstance(given, Scalar):
        return given.value.encode("utf-8", "surrogatepass")
    return string_rows.key_of(given.parts)


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
    ends = string_rows.offsets_of(often)
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
    found = _equal(left, right) if name in ("eq", "ne") else _ordered(name, left, right, rows)
    if name == "ne":
        found = ~found
    return compared(found, name, left, right)


def compared(found: Any, name: str, left: Operand, right: Operand) -> Column:
    """What a comparison has found, and what it is where a row is missing."""
    rows = length_of(left, right)
    gone = missing_in(left, rows) | missing_in(right, rows)
    if has_na(left) or has_na(right):
        return NumberColumn(found, ~gone, BOOLEAN)
    return NumberColumn(found | gone if name == "ne" else found & ~gone)


def _equal(left: Any, right: Any) -> Any:
    engine = _engine_of(left, right)
    if engine is not None:
        rows = length_of(left, right)
        return px.asarray(engine.text_compare(_for_engine(left), _for_engine(right), rows, True))
    if isinstance(left, Scalar):
        left, right = right, left
    if isinstance(right, Scalar):
        wanted = right.value.encode("utf-8", "surrogatepass")
        starts, lengths, text = left.runs()
        return string_rows.equal_to(starts, lengths, text, wanted)
    return string_rows.equal(left.runs(), right.runs())


def _ordered(name: str, left: Operand, right: Operand, rows: int) -> Any:
    """Which is first; on a device it is found by Python's texts on the host."""
    engine = _engine_of(left, right)
    if engine is not None:
        order = engine.text_compare(_for_engine(left), _for_engine(right), rows, False)
        return px.asarray(getattr(operator, name)(order, 0))
    texts = [_texts(each, rows) for each in (left, right)]
    return px.asarray(getattr(operator, name)(*texts).astype(bool))


def _texts(given: Any, rows: int) -> np.ndarray:
    if isinstance(given, Scalar):
        return np.full(rows, given.value, object)
    texts: np.ndarray = given.to_numpy()
    texts[np.asarray(given.isna())] = ""
    return texts
