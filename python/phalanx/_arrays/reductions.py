"""Sums, products, extremes and truths of the elements along axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import coerce, outputs, shapes
from .reducing import NO_VALUE, position, reduce, truth

if TYPE_CHECKING:
    from .ndarray import ndarray


def sum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """The sum of the elements along the axes, by default of all; of booleans their number.

    Integers are summed in 64 bits, float16 in float32. Raises `numpy.exceptions.AxisError`.
    """
    return reduce("sum", a, axis, dtype, out, keepdims, initial, where)


def prod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """The product of the elements along the axes, by default of all; dtypes as of `sum`.

    Raises `numpy.exceptions.AxisError`.
    """
    return reduce("prod", a, axis, dtype, out, keepdims, initial, where)


def min(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """The least element along the axes, by default of all; NaN where one is.

    Raises `ValueError` for no elements without `initial`, `numpy.exceptions.AxisError`.
    """
    return reduce("min", a, axis, None, out, keepdims, initial, where)


def max(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """The greatest element along the axes, by default of all; NaN where one is.

    Raises `ValueError` for no elements without `initial`, `numpy.exceptions.AxisError`.
    """
    return reduce("max", a, axis, None, out, keepdims, initial, where)


amin, amax = min, max


def any(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> ndarray:
    """Returns whether an element along the axes is true; False of none."""
    return reduce("any", a, axis, None, out, keepdims, NO_VALUE, where)


def all(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> ndarray:
    """Returns whether all elements along the axes are true; True of none."""
    return reduce("all", a, axis, None, out, keepdims, NO_VALUE, where)


def argmin(a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> ndarray:
    """The index (int64) of the first least element along an axis, or in the flat array.

    A NaN counts as the least. Raises `ValueError` for no elements, `numpy.exceptions.AxisError`.
    """
    return position("argmin", a, axis, out, keepdims)


def argmax(a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> ndarray:
    """The index (int64) of the first greatest element along an axis, or in the flat array.

    A NaN counts as the greatest. Raises `ValueError` for no elements, `numpy.exceptions.AxisError`.
    """
    return position("argmax", a, axis, out, keepdims)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """The greatest element along the axes minus the least."""
    array = coerce.as_operand(a)
    made = max(array, axis, None, keepdims) - min(array, axis, None, keepdims)
    return outputs.store_reduced(out, made, "ptp")


def apply_over_axes(func: Any, a: Any, axes: Any) -> ndarray:
    """What `func(array, axis)` makes of the array, along one axis after the other.

    Axes that it takes away come back with an extent of 1. Raises `ValueError` for results of other
    dimensions.
    """
    array = coerce.as_operand(a)
    for each in (axes,) if hasattr(axes, "__index__") else axes:
        axis = each + array.ndim if each < 0 else each  # `func` knows which ones there are
        made = func(array, axis)
        if made.ndim == array.ndim - 1:
            made = shapes.expand_dims(made, axis)
        if made.ndim != array.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        array = made
    return array


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number (int64) of elements along the axes that are not 0."""
    return reduce("sum", truth(coerce.as_operand(a)), axis, "int64", None, keepdims)
