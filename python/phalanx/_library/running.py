"""Running sums and products, and differences of neighbours, in CPU functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._types.objects import Array, Boolean, Complex, Float
from .axes import axes_of, is_none, turned
from .register import implements, refuse, written


def _cumsum(a):
    values = a.ravel()
    total = np.sum(values[:0])
    sums = np.empty(len(values), np.result_type(total, total))
    for i in range(len(values)):
        total += values[i]
        sums[i] = total
    return sums


def _cumprod(a):
    values = a.ravel()
    total = np.prod(values[:0])
    products = np.empty(len(values), np.result_type(total, total))
    for i in range(len(values)):
        total *= values[i]
        products[i] = total
    return products


def _cumsum_down(a):
    start = np.sum(a.ravel()[:0])
    out = np.empty(a.shape, np.result_type(start, start))
    out[...] = a
    for i in range(1, out.shape[0]):
        out[i] += out[i - 1]
    return out


def _cumprod_down(a):
    start = np.prod(a.ravel()[:0])
    out = np.empty(a.shape, np.result_type(start, start))
    out[...] = a
    for i in range(1, out.shape[0]):
        out[i] *= out[i - 1]
    return out


Running = Callable[[Any], Any]


def _running(a: Any, axis: Any, whole: Running, down: Running) -> Any:
    """A running sum or product of all elements, or along an axis."""
    if not isinstance(a, Array):
        return None
    if is_none(axis):
        return lambda a, axis=None: whole(a)
    axes = axes_of(a, axis)
    if axes is None:
        return None
    if a.ndim == 1:
        return lambda a, axis=None: whole(a)
    there, back = turned(a.ndim, axes[0], 0)
    return lambda a, axis=None: np.ascontiguousarray(back(down(there(a))))


@implements("numpy.cumsum", "method.cumsum")
def _cumsum_of(a: Any, axis: Any = None) -> Any:
    return _running(a, axis, _cumsum, _cumsum_down)


@implements("numpy.cumprod", "method.cumprod")
def _cumprod_of(a: Any, axis: Any = None) -> Any:
    return _running(a, axis, _cumprod, _cumprod_down)


def _without_nan(a: Any, axis: Any, instead: int, running: Callable[..., Any]) -> Any:
    """The same with another number instead of NaN, which only floats have."""
    if not isinstance(a, Array) or not isinstance(a.dtype, (Float, Complex)):
        return running(a, axis)
    function = running(a.copy(layout="C"), axis)
    if function is None:
        return None

    def impl(a, axis=None):
        cleaned = a.copy()
        cleaned[...] = np.where(np.isnan(a), a.dtype(instead), a)
        return function(cleaned)

    return impl


@implements("numpy.nancumsum")
def _nancumsum(a: Any, axis: Any = None) -> Any:
    return _without_nan(a, axis, 0, _cumsum_of)


@implements("numpy.nancumprod")
def _nancumprod(a: Any, axis: Any = None) -> Any:
    return _without_nan(a, axis, 1, _cumprod_of)


def _steps(a):
    return a[..., 1:] - a[..., :-1]


def _changes(a):
    return a[..., 1:] != a[..., :-1]


@implements("numpy.diff")
def _diff(a: Any, n: Any = 1, axis: Any = -1) -> Any:
    axes = axes_of(a, axis)
    if axes is None:
        return None
    there, back = turned(a.ndim, axes[0], -1)
    step = _changes if isinstance(a.dtype, Boolean) else _steps

    def impl(a, n=1, axis=-1):
        if n < 0:
            raise ValueError("order must be non-negative")
        steps = there(a).copy()
        for _ in range(n):
            steps = step(steps)
        return np.ascontiguousarray(back(steps))

    return impl


@implements("numpy.ediff1d")
def _ediff1d(ary: Any) -> Any:
    if not isinstance(ary, Array) or isinstance(ary.dtype, Boolean):
        return None
    return lambda ary: _steps(ary.ravel())


@written("numpy.trapezoid", "numpy.trapz")
def trapezoid(y, x=None, dx=1.0):
    """`np.trapezoid` along the last axis."""
    if y.ndim == 0:
        refuse("trapezoid takes arrays of at least one dimension")
    sums = y[..., 1:] + y[..., :-1]
    if x is None:
        return np.sum(dx * sums / 2.0, axis=-1)
    if x.ndim != 1:
        refuse("trapezoid takes a vector of coordinates x")
    return np.sum((x[1:] - x[:-1]) * sums / 2.0, axis=-1)
