"""What functions that make arrays share: shapes, memory, numbers."""

from __future__ import annotations

import operator
import sys
from typing import Any

from .. import _engine
from . import axes, coerce, placement


def extents(shape: Any) -> tuple[int, ...]:
    """A shape as NumPy takes it, an int or ints.

    Raises `ValueError` for negative and too large ones, `TypeError` for what is neither.
    """
    given = (shape,) if axes.is_index(shape) else shape
    if not hasattr(given, "__iter__"):
        raise TypeError(f"expected a sequence of integers or a single integer, got {shape!r}")
    made = tuple(operator.index(each) for each in given)
    if any(each < 0 for each in made):
        raise ValueError("negative dimensions are not allowed")
    return checked(made)


def checked(shape: tuple[int, ...]) -> tuple[int, ...]:
    """The shape. Raises `ValueError` for an extent that no array can have."""
    for axis, n in enumerate(shape):
        if n > sys.maxsize:
            raise ValueError(
                f"array is too big: it has {n} elements along axis {axis}, "
                f"at most {sys.maxsize} are possible"
            )
    return shape


def uninitialized(shape: tuple[int, ...], dtype: str, device: _engine.Device | None = None) -> Any:
    """An array in memory, with elements of any value."""
    return _engine.array_empty(shape, dtype, device)


# Each part is a kernel; of more it is not worth recording them.
MOST_PARTS = 4


def of_parts(shape: tuple[int, ...], dtype: str, parts: list[Any], device: Any) -> Any:
    """An array of arrays, each from that place on; of one value first where that is None.

    Few parts of one device are recorded, others are written at once.
    """
    if 0 < len(parts) <= MOST_PARTS and 0 not in shape:
        made = _engine.array_concatenation(shape, dtype, parts)
        if made is not None:
            return made
    made = uninitialized(shape, dtype, device)
    write_parts(made, parts)
    return made


def write_parts(array: Any, parts: list[Any]) -> None:
    """Assigns parts as `of_parts` takes them."""
    for part, start in parts:
        if start is None:
            array[...] = part
        else:
            array[tuple([slice(i, i + n) for i, n in zip(start, part.shape, strict=True)])] = part


def filled(shape: tuple[int, ...], value: Any, dtype: str, device: Any, order: str) -> Any:
    """An array of a number, in memory of that order."""
    number = _engine.array_number(value, dtype)
    made = _engine.array_copy(number, shape, placement.of_new_array(device))
    order = coerce.named_order(order, "C")
    return made if order == "C" else coerce.in_order(made, order)


def pinned(array: Any, device: Any) -> Any:
    """A recorded array, on that device if one is given or chosen."""
    place = placement.of_new_array(device)
    return array if place is None else _engine.array_copy(array, array.shape, place)
