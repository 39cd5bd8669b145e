"""Operations of columns by name: what series and frames ask for."""

from __future__ import annotations

from typing import Any

from ..columns import Column


def computed(name: str, left: Any, right: Any) -> Column:
    """A column of an operation of two, of which at least one is a column.

    Names with an ``r`` take the operands the other way round.
    """
    from .. import operations

    raise NotImplementedError(name)


def applied_to(name: str, column: Column) -> Column:
    """A column of an operation of one: neg, pos, abs, invert."""
    from .. import operations

    raise NotImplementedError(name)
