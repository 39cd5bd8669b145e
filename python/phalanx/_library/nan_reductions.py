"""Reductions that leave NaN out, of whole arrays or along an axis: np.nansum(a, axis=0) and so on.

Each is made for all elements, as a function of the array and of what its count is lessened by
(``ddof``, which variances alone are given); along an axis it is that of each vector.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .._types.objects import Array, Boolean, Complex, Float, Integer, Scalar
from .axes import axes_of, is_none, turned
from .elements import element_of
from .register import implements

Function = Callable[..., Any]
_NAN = float("nan")


def _is_number(value):
    return value == value


def _element_type(a: Any) -> Any:
    return np.dtype("bool" if isinstance(a.dtype, Boolean) else a.dtype.dtype_name)


# ---- Of all elements ----


def _folded(a: Any, first: int, combine: Function) -> Function:
    at: Any = element_of(a)
    start = _element_type(a).type(first)

    def impl(a, ddof):
        total = start
        for i in range(a.size):
            value = at(a, i)
            if _is_number(value):
                total = combine(total, value)
        return total

    return impl


def _sum(a: Any) -> Function:
    return _folded(a, 0, lambda total, value: total + value)


def _prod(a: Any) -> Function:
    return _folded(a, 1, lambda total, value: total * value)


def _extreme(a: Any, precedes: Function) -> Function | None:
    if isinstance(a.dtype, Complex):
        return None
    at: Any = element_of(a)
    nan = a.dtype(_NAN)

    def impl(a, ddof):
        if a.size == 0:
            raise ValueError("zero-size array to reduction operation which has no identity")
        chosen = nan
        for i in range(a.size):
            value = at(a, i)
            if precedes(value, chosen) or chosen != chosen:
                chosen = value
        return chosen

    return impl


def _min(a: Any) -> Function | None:
    return _extreme(a, lambda value, chosen: value < chosen)


def _max(a: Any) -> Function | None:
    return _extreme(a, lambda value, chosen: value > chosen)


def _mean(a: Any) -> Function:
    at: Any = element_of(a)
    zero = _element_type(a).type(0)

    def impl(a, ddof):
        total = zero
        count = 0
        for i in range(a.size):
            value = at(a, i)
            if _is_number(value):
                total += value
                count += 1
        return total / count

    return impl


def _var(a: Any) -> Function | None:
    if isinstance(a.dtype, Complex):
        return None
    at: Any = element_of(a)

    def impl(a, ddof):
        mean = np.nanmean(a)
        total = 0.0
        count = 0
        for i in range(a.size):
            value = at(a, i)
            if _is_number(value):
                total += (value - mean) * (value - mean)
                count += 1
        return total / (count - ddof) if count > ddof else _NAN

    return impl


def _std(a: Any) -> Function | None:
    if isinstance(a.dtype, Complex):
        return None
    return lambda a, ddof: math.sqrt(np.nanvar(a, ddof=ddof))


# ---- By name ----


def _of_whole_numbers(name: str) -> Function:
    """Integers have no NaN."""
    function = getattr(np, name)
    if name in ("var", "std"):
        return lambda a, ddof: function(a, ddof=ddof)
    return lambda a, ddof: function(a)


def _of_vector(name: str) -> Function:
    function = getattr(np, f"nan{name}")
    if name in ("var", "std"):
        return lambda vector, ddof: function(vector, ddof=ddof)
    return lambda vector, ddof: function(vector)


def _along(a: Any, axis: Any, name: str) -> Function | None:
    axes = axes_of(a, axis)
    if axes is None:
        return None
    of_vector = _of_vector(name)
    if a.ndim == 1:
        return of_vector
    there, _ = turned(a.ndim, axes[0], -1)
    dtype = getattr(np, name)(np.ones(1, _element_type(a))).dtype.type  # NumPy's

    def impl(a, ddof):
        vectors = there(a)
        out = np.empty(vectors.shape[:-1], dtype)
        for index in np.ndindex(out.shape):
            out[index] = of_vector(vectors[index], ddof)
        return out

    return impl


def _chosen(a: Any, axis: Any, name: str, whole: Function) -> Function | None:
    if not isinstance(a, Array) or not isinstance(a.dtype, Scalar):
        return None
    if not is_none(axis):
        return _along(a, axis, name)
    if isinstance(a.dtype, (Boolean, Integer)):
        return _of_whole_numbers(name)
    is_known = isinstance(a.dtype, (Float, Complex)) and element_of(a) is not None
    return whole(a) if is_known else None


def _register(name: str, whole: Function) -> None:
    @implements(f"numpy.nan{name}")
    def make(a: Any, axis: Any = None) -> Function | None:
        of = _chosen(a, axis, name, whole)
        return None if of is None else lambda a, axis=None: of(a, 0)


def _register_variance(name: str, whole: Function) -> None:
    @implements(f"numpy.nan{name}")
    def make(
        a: Any, axis: Any = None, dtype: Any = None, out: Any = None, ddof: Any = 0
    ) -> Function | None:
        of = _chosen(a, axis, name, whole)
        if of is None or not is_none(dtype) or not is_none(out):
            return None
        return lambda a, axis=None, dtype=None, out=None, ddof=0: of(a, ddof)


for _name, _whole in (
    ("sum", _sum), ("prod", _prod), ("min", _min), ("max", _max), ("mean", _mean),
):  # fmt: skip
    _register(_name, _whole)
for _name, _whole in (("var", _var), ("std", _std)):
    _register_variance(_name, _whole)
