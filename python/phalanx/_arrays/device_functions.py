"""Functions that NumPy has in Python, made of recorded expressions for arrays of a GPU.

Each takes what NumPy's of the name takes, or returns None for what NumPy has to do on the host.
"""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import axes as axes_
from . import coerce, creation, joining, matrix_functions, selecting, shapes, sorting, ufuncs

_FLOATS = ("float16", "float32", "float64")
_NUMBERS = (*(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), *_FLOATS)


def _apply(name: str, *operands: Any) -> Any:
    return ufuncs.table()[name](*operands)


def _float64(x: Any) -> Any:
    return x if x._dtype == "float64" else _engine.array_cast(x, "float64")


# Differences


def ediff1d(ary: Any, to_end: Any = None, to_begin: Any = None) -> Any:
    """The differences of neighbours in the flat array."""
    flat = shapes.ravel(coerce.asarray(ary))
    if to_end is not None or to_begin is not None or flat._dtype == "bool":
        return None
    return flat[1:] - flat[:-1]


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: int = 1) -> Any:
    """The derivative by central differences along the axes, of one distance each."""
    array = coerce.asarray(f)
    places = tuple(range(array.ndim)) if axis is None else axes_.several(axis, array.ndim, "axis")
    steps = varargs or (1.0,) * len(places)
    steps = steps * len(places) if len(steps) == 1 else steps
    is_plain = len(steps) == len(places) and all(type(each) in (int, float) for each in steps)
    if not is_plain or array._dtype not in _NUMBERS or edge_order not in (1, 2):
        return None
    if any(array.shape[place] < edge_order + 1 for place in places):
        return None
    array = array if array._dtype in _FLOATS else _float64(array)
    made = [
        _along(array, place, step, edge_order) for place, step in zip(places, steps, strict=True)
    ]
    return made[0] if len(made) == 1 else tuple(made)


def _along(x: Any, axis: int, step: float, order: int) -> Any:
    def part(first: int, last: int | None) -> Any:
        return x[(*(slice(None),) * axis, slice(first, last))]

    inner = (part(2, None) - part(0, -2)) / (2.0 * step)
    if order == 1:
        begin = (part(1, 2) - part(0, 1)) / step
        end = (part(-1, None) - part(-2, -1)) / step
    else:
        a, b, c = -1.5 / step, 2.0 / step, -0.5 / step
        begin = a * part(0, 1) + b * part(1, 2) + c * part(2, 3)
        a, b, c = 0.5 / step, -2.0 / step, 1.5 / step
        end = a * part(-3, -2) + b * part(-2, -1) + c * part(-1, None)
    return joining.concatenate([begin, inner, end], axis)


def interp(
    x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None, period: Any = None
) -> Any:
    """The value at each x of the function that is linear between given points."""
    given = coerce.arrays(x, xp, fp)
    if period is not None or any(each._dtype not in _NUMBERS for each in given):
        return None
    where, points, values = (_float64(each) for each in given)
    if points.ndim != 1 or points.shape != values.shape or not points.size or not where.size:
        return None
    last = points.size - 1
    place = sorting.searchsorted(points, where, side="right") - 1
    low = _apply("minimum", _apply("maximum", place, 0), max(last - 1, 0))
    high = _apply("minimum", low + 1, last)
    first, second = values[low], values[high]
    begin = points[low]
    slope = (second - first) / (points[high] - begin)
    made = slope * (where - begin) + first
    # NumPy computes it from the other end where that gives no number.
    other = slope * (where - points[high]) + second
    made = selecting.where(_apply("isnan", made), other, made)
    made = selecting.where(_apply("isnan", made) & (first == second), first, made)
    made = selecting.where(where == points[-1], values[-1], made)
    is_known = where == begin
    made = selecting.where(is_known & (place >= 0), first, made)
    beyond = values[0] if left is None else left, values[-1] if right is None else right
    made = selecting.where(where < points[0], beyond[0], made)
    made = selecting.where(where > points[-1], beyond[1], made)
    made = selecting.where(_apply("isnan", where), where, made)
    return made if made.ndim else made._as_number()


# Statistics


def cov(
    m: Any, y: Any = None, rowvar: bool = True, bias: bool = False, ddof: Any = None, **rest: Any
) -> Any:
    """The covariances of variables, which are rows, without weights."""
    rows = coerce.arrays(m, *(() if y is None else (y,)))
    is_plain = all(each.ndim in (1, 2) and each._dtype in _NUMBERS for each in rows)
    if rest or not is_plain or not rows[0].size or (ddof is not None and ddof != int(ddof)):
        return None
    wide = [_float64(each if each.ndim == 2 else each[None, :]) for each in rows]
    if not rowvar and rows[0].ndim != 1:
        wide[0] = wide[0].T
    if not rowvar and len(wide) > 1 and wide[1].shape[0] != 1:
        wide[1] = wide[1].T
    rows = wide
    variables = joining.concatenate(rows, 0) if len(rows) > 1 else rows[0]
    count = variables.shape[1] - (int(not bias) if ddof is None else int(ddof))
    if count <= 0:
        return None  # NumPy warns
    variables = variables - variables.mean(axis=1, keepdims=True)
    made = _apply("matmul", variables, variables.T) * (1 / count)
    return shapes.squeeze(made)


def corrcoef(x: Any, y: Any = None, rowvar: bool = True, **rest: Any) -> Any:
    """The correlation coefficients of variables, which are rows."""
    made = cov(x, y, rowvar, **rest)
    if made is None or not made.ndim:
        return None
    spread = _apply("sqrt", shapes.diagonal(made))
    made = made / spread[:, None] / spread[None, :]
    return _apply("minimum", _apply("maximum", made, -1.0), 1.0)


def nanargmin(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The index of the least element that is not NaN."""
    return _extreme(a, axis, keepdims, math.inf)


def nanargmax(a: Any, axis: Any = None, *, keepdims: bool = False) -> Any:
    """The index of the greatest element that is not NaN."""
    return _extreme(a, axis, keepdims, -math.inf)


def _extreme(a: Any, axis: Any, keepdims: bool, instead: float) -> Any:
    array = coerce.asarray(a)
    if array._dtype not in _FLOATS:
        return None
    is_nan = _apply("isnan", array)
    if bool(is_nan.all(axis=axis).any()):
        raise ValueError("All-NaN slice encountered")
    filled = selecting.where(is_nan, instead, array)
    return getattr(filled, "argmin" if instead > 0 else "argmax")(axis=axis, keepdims=keepdims)


# Products and counts


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    return matrix_functions.kron(a, b)


def cross(a: Any, b: Any, axisa: int = -1, axisb: int = -1, axisc: int = -1, **rest: Any) -> Any:
    """The cross product of vectors of 3 elements."""
    first, second = coerce.arrays(a, b)
    if rest or not first.ndim or not second.ndim:
        return None
    first, second = shapes.moveaxis(first, axisa, -1), shapes.moveaxis(second, axisb, -1)
    if first.shape[-1] != 3 or second.shape[-1] != 3:
        return None
    return shapes.moveaxis(matrix_functions.cross(first, second), -1, axisc)


def sort_complex(a: Any) -> Any:
    """The sorted elements of a real array, as complex numbers."""
    array = coerce.asarray(a)
    if array._dtype not in _NUMBERS or not array.ndim:
        return None
    is_narrow = array._dtype in ("int8", "uint8", "int16", "uint16")
    return _engine.array_cast(sorting.sort(array), "complex64" if is_narrow else "complex128")


def unwrap(p: Any, discont: Any = None, axis: int = -1, *, period: float = 2 * math.pi) -> Any:
    """Angles in which no step is larger than half a period."""
    from . import scans

    array = coerce.asarray(p)
    if array._dtype not in _FLOATS or not array.ndim or type(period) is not float:
        return None
    place = axes_.one(axis, array.ndim)
    before = (slice(None),) * place
    steps = array[(*before, slice(1, None))] - array[(*before, slice(None, -1))]
    half = period / 2
    turned = (steps + half) % period - half
    turned = selecting.where((turned == -half) & (steps > 0), half, turned)
    least = half if discont is None else discont
    shift = selecting.where(_apply("absolute", steps) < least, 0, turned - steps)
    shift = _engine.array_cast(shift, array._dtype)
    none = creation.zeros(
        (*array.shape[:place], 1, *array.shape[place + 1 :]), array._dtype, device=array._device
    )
    return array + joining.concatenate([none, scans.cumsum(shift, axis=place)], place)
