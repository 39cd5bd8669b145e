"""What functions that make arrays share: shapes, memory, numbers."""

from __future__ import annotations

import operator
from typing import Any

from .. import _engine
from . import coerce, placement


def extents(shape: Any) -> tuple[int, ...]:
    """A shape as NumPy takes it, an int or ints.

    Raises `ValueError` for negative ones, `TypeError` for what is neither.
    """
    given = (shape,) if hasattr(shape, "__index__") else shape
    if not hasattr(given, "__iter__"):
        raise TypeError(f"expected a sequence of integers or a single integer, got {shape!r}")
    made = tuple(operator.index(each) for each in given)
    if any(each < 0 for each in made):
        raise ValueError("negative dimensions are not allowed")
    return made


def uninitialized(shape: tuple[int, ...], dtype: str, device: _engine.Device | None = None) -> Any:
    """An array in memory, with elements of any value."""
    return _engine.array_empty(shape, dtype, device)


def filled(shape: tuple[int, ...], value: Any, dtype: str, device: Any, order: str) -> Any:
    """An array of a number, in memory of that order."""
    number = _engine.array_number(value, dtype)
    made = _engine.array_copy(number, shape, placement.of_new_array(device))
    return made if order == "C" else coerce.in_order(made, order)


def pinned(array: Any, device: Any) -> Any:
    """A recorded array, on that device if one is given or chosen."""
    place = placement.of_new_array(device)
    return array if place is None else _engine.array_copy(array, array.shape, place)
