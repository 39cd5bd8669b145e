"""Medians and quantiles: by sorting on the device where kernels do that, else by NumPy.

A quantile is between two elements of the sorted ones: the methods say where. Hyndman and Fan,
"Sample quantiles in statistical packages", 1996, names nine of them.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes as axes_
from . import coerce, examples, host, hosted, joining, outputs, selecting, shapes, sorting, ufuncs

if TYPE_CHECKING:
    from .ndarray import ndarray

SORTED = (*(f"{sign}int{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)), "float16")
SORTED += ("float32", "float64")


def _apply(name: str, *operands: Any) -> Any:
    return ufuncs.table()[name](*operands)


def _floor(x: Any) -> Any:
    return _apply("floor", x) if isinstance(x, _engine.Array) else type(x)(math.floor(x))


def _where(condition: Any, x: Any, y: Any) -> Any:
    if isinstance(condition, _engine.Array):
        return selecting.where(condition, x, y)
    return x if condition else y


def _hazen_like(alpha: float, beta: float) -> Callable[[Any, float], Any]:
    return lambda n, q: n * q + (alpha + q * (1 - alpha - beta)) - 1


# Where between the elements a quantile is, of n elements; and which part of the step to the next
# element it takes, where that is not the fraction of the place.
_BETWEEN: dict[str, Callable[[Any, float], Any]] = {
    "linear": lambda n, q: (n - 1) * q,
    "averaged_inverted_cdf": lambda n, q: n * q - 1,
    "interpolated_inverted_cdf": _hazen_like(0, 1),
    "hazen": _hazen_like(0.5, 0.5),
    "weibull": _hazen_like(0, 0),
    "median_unbiased": _hazen_like(1 / 3.0, 1 / 3.0),
    "normal_unbiased": _hazen_like(3 / 8.0, 3 / 8.0),
    "midpoint": lambda n, q: 0.5 * (_floor((n - 1) * q) - _floor(-((n - 1) * q))),
}
_PARTS: dict[str, Callable[[Any, Any], Any]] = {
    "averaged_inverted_cdf": lambda part, place: _where(part == 0, 0.5, 1.0),
    "midpoint": lambda part, place: _where(place % 1 == 0, 0.0, 0.5),
}


def _even_or_next(place: Any) -> Any:
    """The whole number below an odd place, else the next one."""
    low = _floor(place)
    return _where((place == low) & (low % 2 == 1), low, low + 1)


def _round(x: Any) -> Any:
    return _apply("rint", x) if isinstance(x, _engine.Array) else type(x)(round(x))


# Those that are elements.
_AT: dict[str, Callable[[Any, float], Any]] = {
    "lower": lambda n, q: _floor((n - 1) * q),
    "higher": lambda n, q: -_floor(-((n - 1) * q)),
    "nearest": lambda n, q: _round((n - 1) * q),
    "inverted_cdf": lambda n, q: -_floor(-(n * q - 1)),
    "closest_observation": lambda n, q: _even_or_next(n * q - 1 - 0.5),
}


METHODS = frozenset((*_BETWEEN, *_AT))


def _at_least_0(place: Any) -> Any:
    return _apply("maximum", place, 0) if isinstance(place, _engine.Array) else max(place, 0)


def _element(rows: Any, place: Any) -> Any:
    """The element at a place of each sorted row; places may be of each row's own."""
    if not isinstance(place, _engine.Array):
        return rows[..., int(place)]
    index = _engine.array_cast(place, "int64")[..., None]
    return selecting.take_along_axis(rows, index, -1)[..., 0]


def _between(rows: Any, count: Any, q: float, method: str, kind: Any) -> Any:
    """The quantile of each sorted row with `count` elements; `kind` is q's dtype, if it has one."""
    place = _BETWEEN[method](count, q)
    low = _floor(place)
    high = low + 1
    is_above, is_below = place >= count - 1, place < 0
    last = count - 1
    low = _where(is_above, last, _where(is_below, 0, low))
    high = _where(is_above, last, _where(is_below, 0, high))
    part = place - _where(is_above, -1, low)  # NumPy writes the last place as -1
    part = _PARTS[method](part, place) if method in _PARTS else part
    first, second = _element(rows, low), _element(rows, high)
    step = second - first
    if kind is not None:
        part = coerce.asarray(part, kind, device=rows._device)
        return selecting.where(part >= 0.5, second - step * (1 - part), first + step * part)
    if isinstance(part, _engine.Array):
        narrow = step._dtype if "float" in step._dtype else "float64"
        part = _engine.array_cast(part, narrow)
    return _where(part >= 0.5, second - step * (1 - part), first + step * part)


def _one(rows: Any, count: Any, q: float, method: str, kind: Any) -> Any:
    if method in _AT:
        return _element(rows, _at_least_0(_AT[method](count, q)))
    return _between(rows, count, q, method, kind)


def _is_nan(x: Any) -> Any:
    return _apply("isnan", x) if "float" in x._dtype else None


def _sorted_rows(array: Any, axis: Any) -> tuple[Any, tuple[int, ...]]:
    """The elements along the axes, sorted, in the last dimension; and the shape with kept axes."""
    if axis is None:
        return sorting.sort(shapes.ravel(array)), (1,) * array.ndim
    places = axes_.several(axis, array.ndim, "axis")
    kept = [i for i in range(array.ndim) if i not in places]
    shape = tuple(1 if i in places else extent for i, extent in enumerate(array.shape))
    turned = shapes.transpose(array, kept + sorted(places))
    return sorting.sort(turned.reshape((*(array.shape[i] for i in kept), -1))), shape


def _counts(rows: Any, is_nan_left_out: bool) -> Any:
    is_nan = _is_nan(rows) if is_nan_left_out else None
    return rows.shape[-1] if is_nan is None else (~is_nan).sum(axis=-1)


def _with_nan(made: Any, rows: Any, count: Any) -> Any:
    """NaN for rows without elements that count, or, where all count, with a NaN among them."""
    if isinstance(count, _engine.Array):
        return selecting.where(count == 0, math.nan, made)
    last = rows[..., -1]
    is_nan = _is_nan(last)
    return made if is_nan is None else selecting.where(is_nan, last, made)


def _finished(made: Any, shape: tuple[int, ...], before: tuple[int, ...], options: Any) -> Any:
    out, keepdims = options
    made = made.reshape((*before, *shape)) if keepdims else made
    if out is not None:
        return outputs.store_reduced(out, made, "quantile", "unsafe")
    return made if made.ndim else made._as_number()


def _quantiles(array: Any, q: Any, axis: Any, is_nan_left_out: bool, options: Any) -> Any:
    method, is_weak, *rest = options
    rows, shape = _sorted_rows(array, axis)
    count = _counts(rows, is_nan_left_out)
    if isinstance(count, _engine.Array):  # places are computed in the type of q, as NumPy does
        count = _engine.array_cast(count, q.dtype.name)
    made = of_sorted(rows, count, q, method, is_weak)
    return _finished(coerce.asarray(made), shape, q.shape, rest)


def of_sorted(rows: Any, count: Any, q: Any, method: str, is_weak: bool) -> Any:
    """The quantiles of sorted rows, of which `count` elements count, for each of the shares."""
    kind = None if is_weak else q.dtype.name
    levels = [float(each) for each in q.flat] if is_weak else q.flat
    parts = [_with_nan(_one(rows, count, each, method, kind), rows, count) for each in levels]
    return parts[0] if q.ndim == 0 else joining.stack(parts).reshape((*q.shape, *parts[0].shape))


def checked(name: str, levels: Any, divisor: int, method: str) -> tuple[Any, str]:
    """The shares and the method. Raises ValueError for shares beyond 0 and 1."""
    if not ((levels >= 0) & (levels <= 1)).all():
        raise ValueError(f"{name}s must be in the range [0, {divisor}]".capitalize())
    if levels.dtype.kind in "biu":  # 0 and 1, at which NumPy takes the elements
        return levels.astype("float64"), "lower" if method == "linear" else method
    return levels, method


def _function(name: str, divisor: int, is_nan_left_out: bool, doc: str) -> Any:
    by_numpy = hosted.HostFunction(name, doc)

    def quantile(
        a: Any,
        q: Any,
        axis: Any = None,
        out: Any = None,
        overwrite_input: bool = False,
        method: str = "linear",
        keepdims: bool = False,
        *,
        weights: Any = None,
    ) -> Any:
        import numpy as np

        array = coerce.asarray_beside(a, coerce.place_of(a, q, weights))
        levels = np.asarray(host.as_host(q))
        levels = levels / divisor if divisor != 1 else levels
        is_known = method in METHODS
        is_plain = weights is None and is_known and levels.ndim < 2 and levels.size > 0
        is_plain &= levels.dtype.kind in "biuf"
        if is_plain and array._dtype in SORTED and sorting.by_kernels(array) is not None:
            levels, method = checked(name, levels, divisor, method)
            options = (method, type(q) in (int, float), out, keepdims)
            return _quantiles(array, levels, axis, is_nan_left_out, options)
        given = {"method": method, "keepdims": keepdims, "weights": weights}
        return by_numpy(array, q, axis, out=out, **given)

    quantile.__name__ = quantile.__qualname__ = name
    quantile.__doc__ = examples.documented(name, doc)
    return quantile


_NAN = "As `{}`, of the elements that are not NaN."
quantile = _function("quantile", 1, False, "The quantiles, with q in [0, 1], along the axes.")
percentile = _function("percentile", 100, False, "The q-th percentiles along the axes.")
nanquantile = _function("nanquantile", 1, True, _NAN.format("quantile"))
nanpercentile = _function("nanpercentile", 100, True, _NAN.format("percentile"))


def median(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> ndarray:
    """The middle of the sorted elements along the axes; the mean of the middle two.

    >>> px.median([3.0, 1.0, 2.0])
    array(2.)
    """
    array = coerce.asarray(a)
    if array._dtype not in SORTED or sorting.by_kernels(array) is None:
        return hosted.HostFunction("median", "")(array, axis, out=out, keepdims=keepdims)
    rows, shape = _sorted_rows(array, axis)
    count = rows.shape[-1]
    middle = rows[..., (count - 1) // 2 : count // 2 + 1].mean(axis=-1)
    return _finished(_with_nan(middle, rows, count), shape, (), (out, keepdims))


def nanmedian(
    a: Any, axis: Any = None, out: Any = None, overwrite_input: bool = False, keepdims: bool = False
) -> ndarray:
    """As `median`, of the elements that are not NaN.

    >>> px.nanmedian(px.asarray([1.0, np.nan, 3.0]))
    array(2.)
    """
    array = coerce.asarray(a)
    if "int" in array._dtype or array._dtype == "bool":  # which have no NaN
        return median(array, axis, out, overwrite_input, keepdims)
    if array._dtype not in SORTED or sorting.by_kernels(array) is None:
        return hosted.HostFunction("nanmedian", "")(array, axis, out=out, keepdims=keepdims)
    rows, shape = _sorted_rows(array, axis)
    count = _counts(rows, True)
    pair = [_element(rows, _at_least_0(each)) for each in ((count - 1) // 2, count // 2)]
    middle = joining.stack(pair).mean(axis=0)
    return _finished(_with_nan(middle, rows, count), shape, (), (out, keepdims))
