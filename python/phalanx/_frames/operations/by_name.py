"""Operations of columns by name: what series and frames ask for."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ..columns import Column
from ..columns.making import column_of
from ..columns.selected import filter_of, over_all_rows
from ..columns.unread import compared
from . import unary
from .binary import arithmetic, compare, logical_operation

_COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_LOGIC = {"and_": "and", "or_": "or", "xor": "xor"}


def computed(name: str, left: Any, right: Any) -> Column:
    """A column of an operation of two, of which at least one is a column.

    Names with an ``r`` take the operands the other way round. Raises TypeError for dtypes that
    have no such operation.
    """
    if not isinstance(left, Column) and not isinstance(right, Column):
        left = column_of([left])
    waiting = compared(name, left, right, compare)
    if waiting is not None:
        return waiting
    chosen = filter_of((left, right))
    if chosen is not None and _is_of_elements(name, left, right):
        made = over_all_rows(functools.partial(_computed, name), (left, right), chosen)
        if made is not None:
            return made
    return _computed(name, left, right)


# Operations whose dtype and errors come from the dtypes alone, whatever the values are.
_OF_DTYPES = _COMPARISONS | {"add", "sub", "mul", "truediv", *_LOGIC}


def _is_of_elements(name: str, left: Any, right: Any) -> bool:
    """True if an operation of numbers and bools does not look at values."""
    dtypes = [each.dtype for each in (left, right) if isinstance(each, Column)]
    others = [each for each in (left, right) if not isinstance(each, Column)]
    if any(each.kind not in "biuf" for each in dtypes):
        return False
    if not all(isinstance(each, (bool, int, float, np.number, np.bool_)) for each in others):
        return False
    plain = name if name in _LOGIC else name.removeprefix("r")
    # Whole quotients by zero, and negative powers, of integers have other results, or none.
    return plain in _OF_DTYPES or np.dtype(np.float64) in dtypes


def _computed(name: str, left: Any, right: Any) -> Column:
    if name in _COMPARISONS:
        return compare(name, left, right)
    if name in _LOGIC or name[1:] in _LOGIC:
        swapped = name not in _LOGIC
        name = _LOGIC[name[1:] if swapped else name]
        return logical_operation(name, *((right, left) if swapped else (left, right)))
    if name[0] == "r":
        return arithmetic(name[1:], right, left)
    return arithmetic(name, left, right)


_UNARY = {
    "neg": unary.negative,
    "pos": unary.positive,
    "abs": unary.absolute,
    "invert": unary.invert,
}


def applied_to(name: str, column: Column) -> Column:
    """A column of an operation of one: neg, pos, abs, invert. Raises TypeError as `computed`."""
    if name == "neg" and column.dtype.kind == "b":
        name = "invert"  # As pandas has it, NumPy has no negative of bools.
    chosen = filter_of((column,))
    if chosen is not None and column.dtype.kind in "biuf":
        made = over_all_rows(_UNARY[name], (column,), chosen)
        if made is not None:
            return made
    return column if name == "invert" and not len(column) else _UNARY[name](column)
