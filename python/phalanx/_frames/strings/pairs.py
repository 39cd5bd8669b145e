"""Texts of rows with what each row has of its own: another text, bounds, parts, a number.

As in `engine.py`, functions of one column give None where the column is not on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import engine as operators
from ..columns.string_rows import key_of
from ..columns.strings import StringColumn, of_texts
from ..dtypes import STR, StringDtype
from .characters import as_bytes, spaces
from .rows import Whole

# A column, or one text for all rows.
Operand = StringColumn | str


def part_each(first: np.ndarray | None, last: np.ndarray | None) -> Whole:
    """The characters of a slice with bounds (int64) of each row; None leaves a bound out."""

    def whole(column: StringColumn) -> Any:
        if operators.is_on_gpu(column.offsets):
            return None
        offsets, text, _ = operators.of_texts("text_slice_each", key_of(column.parts), first, last)
        return StringColumn(px.asarray(offsets), px.asarray(text), column.valid, column.dtype)

    return whole


def all_parts(separator: str | None, most: int, *, from_end: bool) -> Whole:
    """How many parts each text has (int64), and the column of all of them, row after row."""

    def whole(column: StringColumn) -> Any:
        if operators.is_on_gpu(column.offsets):
            return None
        blank = spaces() if separator is None else None
        counts, _, (offsets, text, _) = operators.of_texts(
            "text_split", key_of(column.parts), as_bytes(separator or ""), blank, most, from_end
        )
        return counts, StringColumn(px.asarray(offsets), px.asarray(text), None, column.dtype)

    return whole


def count(wanted: str) -> Whole:
    """How often each text contains one (int64)."""

    def whole(column: StringColumn) -> Any:
        if operators.is_on_gpu(column.offsets):
            return None
        return operators.of_texts("text_occurrences", key_of(column.parts), as_bytes(wanted))

    return whole


def numbers(dtype: Any) -> Whole:
    """The numbers that texts are read as, and the rows of which the engine does not know it."""

    def whole(column: StringColumn) -> Any:
        if operators.is_on_gpu(column.offsets):
            return None
        return operators.of_texts("read_numbers", key_of(column.parts), np.empty(0, dtype))

    return whole


def written(values: np.ndarray) -> StringColumn:
    """Ints, floats and bools as Python writes them; NaN is a text, too."""
    offsets, text, _ = operators.of_texts("write_numbers", np.ascontiguousarray(values), None)
    return StringColumn(px.asarray(offsets), px.asarray(text), None, STR)


def positions_each(texts: Operand, wanted: Operand, rows: int) -> Any:
    """The character at which each text first contains that of another (int64), else -1."""
    if not _on_host(texts, wanted):
        return None
    return operators.of_texts("text_positions_each", _given(texts), _given(wanted), rows)


def compared(left: Operand, right: Operand, rows: int, *, equal: bool) -> Any:
    """Which texts are equal; else -1, 0 or 1 (int8) by their code points."""
    if not _on_host(left, right):
        return None
    return operators.of_texts("text_compare", _given(left), _given(right), rows, equal)


def joined_texts(parts: list[Operand], rows: int) -> StringColumn | None:
    """The texts of each row one after the other; missing where one is."""
    if not _on_host(*parts):
        return None
    offsets, text, _ = operators.of_texts("text_join", [_given(each) for each in parts], rows, None)
    valid = None
    for each in parts:
        if isinstance(each, StringColumn) and each.valid is not None:
            valid = each.valid if valid is None else valid & each.valid
    return StringColumn(px.asarray(offsets), px.asarray(text), valid, STR)


def texts_at(columns: list[Operand], numbers: np.ndarray, dtype: StringDtype) -> StringColumn:
    """The texts that rows have in the columns of some numbers; of number -1 they are missing."""
    places = np.full(len(numbers), -1)
    kept: list[StringColumn] = []
    first = 0
    for number, column in enumerate(columns):
        rows = np.flatnonzero(numbers == number)
        if isinstance(column, str):
            places[rows] = first
            kept.append(of_texts([column], None, dtype))
        else:
            places[rows] = first + rows
            kept.append(StringColumn(*column.parts, dtype))
        first += len(kept[-1])
    if not kept:
        return of_texts([], None, dtype).missing(len(numbers))
    whole = kept[0].joined(kept[1:]) if len(kept) > 1 else kept[0]
    return whole.take(px.asarray(places), has_missing=bool((numbers < 0).any()))


def _on_host(*operands: Operand) -> bool:
    return not any(
        operators.is_on_gpu(each.offsets) for each in operands if isinstance(each, StringColumn)
    )


def _given(operand: Operand) -> Any:
    """A text or a column as the engine takes them."""
    return as_bytes(operand) if isinstance(operand, str) else key_of(operand.parts)
