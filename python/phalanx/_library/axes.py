"""Axes that a call names, and views of an array with its axes in another order.

What is done along one axis is written for the first one or the last one; `turned` brings the axis
there and back, so that no function counts dimensions.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._types.literals import Literal
from .._types.objects import Array, NoneType

View = Callable[[Any], Any]


def known(number: Any) -> int | None:
    """The value of a whole number that is known when the function is compiled."""
    value = number.literal_value if isinstance(number, Literal) else number
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def is_none(axis: Any) -> bool:
    """Returns whether no axis is given."""
    return axis is None or isinstance(axis, NoneType)


def axis_among(ndim: int, axis: Any) -> int | None:
    """The axis counted from the first of `ndim`; None where it is not known or there is none."""
    value = known(axis)
    return None if value is None or not -ndim <= value < ndim else value % ndim


def axes_of(a: Any, *axes: Any) -> list[int] | None:
    """The array's axes counted from the first; None where one is not known or too large."""
    if not isinstance(a, Array):
        return None
    found = [axis_among(a.ndim, axis) for axis in axes]
    return None if None in found else found  # type: ignore[return-value]


def _ordered(order: tuple[int, ...]) -> View:
    if order == tuple(range(len(order))):
        return lambda a: a

    def view(a):
        return a.transpose(order)

    return view


def turned(ndim: int, axis: int, to: int) -> tuple[View, View]:
    """Views of an array with `axis` moved to the position `to`, and of such a view as it was."""
    order = [each for each in range(ndim) if each != axis]
    order.insert(to % ndim, axis)
    back = tuple(order.index(each) for each in range(ndim))
    return _ordered(tuple(order)), _ordered(back)


def backward(ndim: int, axes: list[int]) -> View:
    """A view of an array that counts these axes from the end."""
    if not axes:
        return lambda a: a
    there, back = turned(ndim, axes[0], 0)
    rest = backward(ndim, axes[1:])

    def view(a):
        return rest(back(there(a)[::-1]))

    return view


def with_axis(ndim: int, axis: int) -> View:
    """A view of an array of `ndim` dimensions with one more, of one element, at `axis`."""
    if axis == 0:
        return lambda a: a[np.newaxis]
    if axis == ndim:
        return lambda a: a[..., np.newaxis]
    there, _ = turned(ndim + 1, ndim, axis)

    def view(a):
        return there(a[..., np.newaxis])

    return view


def product(extents):
    """The number of elements of a shape."""
    total = 1
    for extent in extents:
        total *= extent
    return total
