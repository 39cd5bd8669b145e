"""Comparisons of columns of lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.lists import ListColumn, offsets_of, positions
from ..columns.numbers import NumberColumn
from ..dtypes import BOOLEAN
from .comparisons import compare_objects
from .operands import SIGNS, Scalar, family_of, length_of, missing_in


def compare_lists(name: str, left: Any, right: Any, compare: Callable[..., Any]) -> Column:
    """Equality of lists row by row: boolean, missing where one side is; what is no list is unequal.

    `compare` is what compares columns of elements. Missing elements are equal to each other. Raises
    TypeError for an order.
    """
    if any(isinstance(each, Column) and family_of(each) == "object" for each in (left, right)):
        return compare_objects(name, left, right)
    if name not in ("eq", "ne"):
        raise TypeError(
            f"Invalid comparison '{SIGNS[name]}' between dtype={left.dtype} and {right.dtype}: "
            "lists have no order"
        )
    rows = length_of(left, right)
    same = np.zeros(rows, bool)
    if isinstance(left, ListColumn) and isinstance(right, ListColumn):
        same = _same(left, right, compare)
    elif isinstance(left, Scalar) or isinstance(right, Scalar):
        same = _same_as(left, right)
    there = ~np.asarray(missing_in(left, rows) | missing_in(right, rows))
    return NumberColumn(px.asarray(same == (name == "eq")), px.asarray(there), BOOLEAN)


def _same(left: ListColumn, right: ListColumn, compare: Callable[..., Any]) -> np.ndarray:
    """Which rows have equal elements, of two columns without regard to missing rows."""
    lengths = np.where(left.lengths() == right.lengths(), left.lengths(), 0)
    mine, others = (
        each.elements.take(px.asarray(positions(each.offsets[:-1], lengths)))
        for each in (left, right)
    )
    gone = [np.asarray(each.isna()) for each in (mine, others)]
    unequal = np.asarray(compare("ne", mine, others).values) & ~gone[0] & ~gone[1]
    different = (unequal | (gone[0] != gone[1])).astype(np.int64)
    counts = offsets_of(different)[offsets_of(lengths)]
    found: np.ndarray = (counts[1:] == counts[:-1]) & (left.lengths() == right.lengths())
    return found


def _same_as(left: Any, right: Any) -> np.ndarray:
    """Which rows are one list of Python's."""
    column, value = (left, right.value) if isinstance(right, Scalar) else (right, left.value)
    wanted = list(value) if isinstance(value, (list, tuple, np.ndarray)) else None
    return np.fromiter((each == wanted for each in column.tolist()), bool, len(column))
