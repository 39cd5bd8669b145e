"""Sums, products, extremes and truths of the elements along axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from . import axes as axes_
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

    >>> px.sum(px.asarray([[1, 2], [3, 4]]), axis=0)
    array([4, 6])
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

    >>> px.prod(px.asarray([[1, 2], [3, 4]]), axis=0)
    array([3, 8])
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

    >>> px.min(px.asarray([[1, 5], [7, 2]]), axis=1)
    array([1, 2])
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

    >>> px.max(px.asarray([[1, 5], [7, 2]]), axis=1)
    array([5, 7])
    """
    return reduce("max", a, axis, None, out, keepdims, initial, where)


amin, amax = min, max


def any(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> ndarray:
    """Returns whether an element along the axes is true; False of none.

    >>> px.any(px.asarray([0, 0, 3]))
    array(True)
    """
    return reduce("any", a, axis, None, out, keepdims, NO_VALUE, where)


def all(
    a: Any, axis: Any = None, out: Any = None, keepdims: bool = False, *, where: Any = True
) -> ndarray:
    """Returns whether all elements along the axes are true; True of none.

    >>> px.all(px.asarray([[True, False], [True, True]]), axis=0)
    array([ True, False])
    """
    return reduce("all", a, axis, None, out, keepdims, NO_VALUE, where)


def argmin(a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> ndarray:
    """The index (int64) of the first least element along an axis, or in the flat array.

    A NaN counts as the least. Raises `ValueError` for no elements, `numpy.exceptions.AxisError`.

    >>> px.argmin(px.asarray([3, 9, 4]))
    array(0)
    """
    return position("argmin", a, axis, out, keepdims)


def argmax(a: Any, axis: int | None = None, out: Any = None, *, keepdims: bool = False) -> ndarray:
    """The index (int64) of the first greatest element along an axis, or in the flat array.

    A NaN counts as the greatest. Raises `ValueError` for no elements, `numpy.exceptions.AxisError`.

    >>> px.argmax(px.asarray([3, 9, 4]))
    array(1)
    """
    return position("argmax", a, axis, out, keepdims)


def ptp(a: Any, axis: Any = None, out: Any = None, keepdims: bool = False) -> ndarray:
    """The greatest element along the axes minus the least.

    >>> px.ptp(px.asarray([3, 9, 4]))
    array(6)
    """
    array = coerce.as_operand(a)
    made = max(array, axis, None, keepdims) - min(array, axis, None, keepdims)
    return outputs.store_reduced(out, made, "ptp")


def apply_over_axes(func: Any, a: Any, axes: Any) -> ndarray:
    """What `func(array, axis)` makes of the array, along one axis after the other.

    Axes that it takes away come back with an extent of 1. Raises `ValueError` for results of other
    dimensions.

    >>> px.apply_over_axes(px.sum, px.ones((2, 3, 4)), [0, 2])
    array([[[8.],
            [8.],
            [8.]]])
    """
    array = coerce.as_operand(a)
    for each in (axes,) if axes_.is_index(axes) else axes:
        axis = each + array.ndim if each < 0 else each  # `func` knows which ones there are
        made = func(array, axis)
        if made.ndim == array.ndim - 1:
            made = shapes.expand_dims(made, axis)
        if made.ndim != array.ndim:
            raise ValueError("function is not returning an array of the correct shape")
        array = made
    return array


def count_nonzero(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The number (int64) of elements along the axes that are not 0.

    >>> px.count_nonzero(px.asarray([0, 3, 0, 4]))
    array(2)
    """
    return reduce("sum", truth(coerce.as_operand(a)), axis, "int64", None, keepdims)
