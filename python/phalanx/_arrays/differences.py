"""Differences and areas."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes, coerce, host, reducing

if TYPE_CHECKING:
    from .ndarray import ndarray


def _part(array: Any, axis: int, start: int, length: int) -> Any:
    """The view of some elements along an axis."""
    shape = list(array.shape)
    shape[axis] = length
    return array._view(shape, [(i, start if i == axis else 0, 1) for i in range(array.ndim)])


def diff(
    a: Any,
    n: int = 1,
    axis: int = -1,
    prepend: Any = reducing.NO_VALUE,
    append: Any = reducing.NO_VALUE,
) -> ndarray:
    """The differences of neighbours along an axis, n times; of booleans where they differ.

    Raises `ValueError` for a negative n and for an array without dimensions.

    >>> px.diff(px.asarray([1, 4, 9]))
    array([3, 5])
    """
    import numpy as np

    array = coerce.beside(a, coerce.place_of(a, prepend, append))
    given = {"prepend": prepend, "append": append}
    more = {name: value for name, value in given.items() if value is not reducing.NO_VALUE}
    if n < 0 or array.ndim == 0 or more:
        return host.run(np.diff, array, n, axis, **more)
    along = axes.one(axis, array.ndim)
    name = "not_equal" if array._dtype == "bool" else "subtract"
    for _ in range(n):
        length = max(array.shape[along] - 1, 0)
        start = min(1, array.shape[along])
        later, earlier = _part(array, along, start, length), _part(array, along, 0, length)
        array = _engine.array_apply(name, later, earlier)
    return array if n else _engine.array_apply("positive", array)


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: int = -1) -> ndarray:
    """The area below the points y along an axis, by the trapezoidal rule.

    >>> px.trapezoid([1.0, 2.0, 3.0], dx=0.5)
    array(2.)
    """
    place = coerce.place_of(y, x, dx)
    array = coerce.beside(y, place)
    along = axes.one(axis, array.ndim)
    length = max(array.shape[along] - 1, 0)
    start = min(1, array.shape[along])
    if x is None:
        width = dx if isinstance(dx, (int, float)) else coerce.beside(dx, place)
    else:
        places = coerce.beside(x, place)
        width = diff(places, axis=along if places.ndim > 1 else -1)
        if places.ndim == 1:
            shape = [1] * array.ndim
            shape[along] = width.shape[0]
            width = width._view(shape, [(along, 0, 1)])
    later, earlier = _part(array, along, start, length), _part(array, along, 0, length)
    areas = width * (later + earlier) / 2.0
    return reducing.reduce("sum", areas, along)
