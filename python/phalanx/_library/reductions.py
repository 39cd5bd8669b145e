"""Reductions of whole arrays by one thread: np.sum(a), a.sum() and so on."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._type_objects import Array, Boolean, Complex, Float, Integer, Number, Scalar
from .elements import element_of
from .register import Make, implements

_NAN = float("nan")


def _names(name: str, *more: str) -> Callable[[Make], Make]:
    return implements(f"numpy.{name}", f"method.{name}", *more)


def _element(a: Any, *kinds: type) -> Callable[[Any, Any], Any] | None:
    """How to get at the elements, for an array of such numbers."""
    if not isinstance(a, Array) or not isinstance(a.dtype, kinds):
        return None
    return element_of(a)


def _number(dtype: Scalar, value: int) -> Any:
    return np.dtype("bool" if isinstance(dtype, Boolean) else dtype.dtype_name).type(value)


def _total(dtype: Scalar, value: int) -> Any:
    """Zero or one in the type of a sum: integers are added in 64 bits."""
    if isinstance(dtype, Boolean):
        return np.int64(value)
    if isinstance(dtype, Integer):
        return np.int64(value) if dtype.signed else np.uint64(value)
    return _number(dtype, value)


def _combined(
    a: Any, first: int, combine: Callable[[Any, Any], Any], *kinds: type
) -> Callable[[Any], Any] | None:
    """`combine` over all elements, from `first` on, for an array of such numbers."""
    at = _element(a, *kinds)
    if at is None:
        return None
    start = _total(a.dtype, first)

    def impl(a):
        total = start
        for i in range(a.size):
            total = combine(total, at(a, i))
        return total

    return impl


def _plus(total, value):
    return total + value


def _times(total, value):
    return total * value


@_names("sum")
def _sum(a: Any) -> Any:
    return _combined(a, 0, _plus, Boolean, Number)


@_names("prod")
def _prod(a: Any) -> Any:
    return _combined(a, 1, _times, Boolean, Number)


@_names("mean")
def _mean(a: Any) -> Any:
    at = _element(a, Boolean, Number)
    if at is None:
        return None
    if isinstance(a.dtype, (Boolean, Integer)):

        def impl_whole(a):
            total = 0.0  # whole numbers would wrap around
            for i in range(a.size):
                total += at(a, i)
            return total / a.size

        return impl_whole

    if isinstance(a.dtype, Float) and a.dtype.bitwidth == 16:

        def impl_half(a):
            total = np.float32(0)  # a sum of many would overflow
            for i in range(a.size):
                total += at(a, i)
            return total / np.float32(a.size)

        return impl_half

    def impl(a):
        return np.sum(a) / a.size

    return impl


@_names("var")
def _var(a: Any) -> Any:
    at = _element(a, Boolean, Number)
    if at is None:
        return None
    if isinstance(a.dtype, Complex):

        def impl_complex(a):
            mean = np.mean(a)
            total = 0.0
            for i in range(a.size):
                difference = at(a, i) - mean
                total += difference.real * difference.real + difference.imag * difference.imag
            return total / a.size

        return impl_complex

    def impl(a):
        mean = np.mean(a)
        total = 0.0
        for i in range(a.size):
            difference = at(a, i) - mean
            total += difference * difference
        return total / a.size

    return impl


@_names("std")
def _std(a: Any) -> Any:
    if _element(a, Boolean, Number) is None:
        return None

    def impl(a):
        return math.sqrt(np.var(a))

    return impl


def _extreme(a: Any, precedes: Callable[[Any, Any], Any], with_position: bool) -> Any:
    """The value, or the position, that precedes all others; NaN precedes everything."""
    at = _element(a, Boolean, Integer, Float)
    if at is None:
        return None
    is_float = isinstance(a.dtype, Float)
    zero = _number(a.dtype, 0)

    def impl(a):
        chosen = zero
        position = 0
        if a.size > 0:
            chosen = at(a, 0)
        for i in range(1, a.size):
            value = at(a, i)
            if precedes(value, chosen) or (is_float and value != value and chosen == chosen):
                chosen = value
                position = i
        if with_position:
            return position
        return chosen

    return impl


def _less(a, b):
    return a < b


def _greater(a, b):
    return a > b


@_names("min", "numpy.amin")
def _min(a: Any) -> Any:
    return _extreme(a, _less, False)


@_names("max", "numpy.amax")
def _max(a: Any) -> Any:
    return _extreme(a, _greater, False)


@_names("argmin")
def _argmin(a: Any) -> Any:
    return _extreme(a, _less, True)


@_names("argmax")
def _argmax(a: Any) -> Any:
    return _extreme(a, _greater, True)


@_names("ptp")
def _ptp(a: Any) -> Any:
    if _element(a, Integer, Float) is None:
        return None

    def impl(a):
        return np.subtract(np.max(a), np.min(a))  # in the type of the elements

    return impl


@_names("all")
def _all(a: Any) -> Any:
    at = _element(a, Boolean, Number)
    if at is None:
        return None

    def impl(a):
        for i in range(a.size):
            if not at(a, i):
                return False
        return True

    return impl


@_names("any")
def _any(a: Any) -> Any:
    at = _element(a, Boolean, Number)
    if at is None:
        return None

    def impl(a):
        for i in range(a.size):
            if at(a, i):
                return True
        return False

    return impl


@implements("numpy.count_nonzero")
def _count_nonzero(a: Any) -> Any:
    at = _element(a, Boolean, Number)
    if at is None:
        return None

    def impl(a):
        count = 0
        for i in range(a.size):
            if at(a, i):
                count += 1
        return count

    return impl
