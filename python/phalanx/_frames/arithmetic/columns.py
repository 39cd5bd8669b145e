"""Operations of columns by name: what series and frames ask for."""

from __future__ import annotations

from typing import Any

from ..columns import Column
from ..columns.making import column_of
from ..operations import unary
from ..operations.binary import arithmetic, compare, logical_operation

_COMPARISONS = frozenset(("eq", "ne", "lt", "le", "gt", "ge"))
_LOGIC = {"and_": "and", "or_": "or", "xor": "xor"}


def computed(name: str, left: Any, right: Any) -> Column:
    """A column of an operation of two, of which at least one is a column.

    Names with an ``r`` take the operands the other way round. Raises TypeError for dtypes that
    have no such operation.
    """
    if not isinstance(left, Column) and not isinstance(right, Column):
        left = column_of([left])
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
    return column if name == "invert" and not len(column) else _UNARY[name](column)
