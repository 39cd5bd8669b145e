"""Sums, extremes and the like: of each part on its device, then of the parts' results on one."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from .. import coerce, dtypes, joining, reductions, scans, selecting, statistics, ufuncs
from ..axes import one
from ..reducing import axes_of
from .core import Core, flat, start


class Folding(NamedTuple):
    """The function of a part, and the one of the results of parts."""

    of_part: Callable[..., Any]
    of_results: Callable[..., Any]


FOLDINGS = {
    "sum": Folding(reductions.sum, reductions.sum),
    "prod": Folding(reductions.prod, reductions.prod),
    "min": Folding(reductions.min, reductions.min),
    "max": Folding(reductions.max, reductions.max),
    "any": Folding(reductions.any, reductions.any),
    "all": Folding(reductions.all, reductions.all),
    "count_nonzero": Folding(reductions.count_nonzero, reductions.sum),
    "nansum": Folding(statistics.nansum, reductions.sum),
    "nanprod": Folding(statistics.nanprod, reductions.prod),
    "nanmin": Folding(statistics.nanmin, statistics.nanmin),
    "nanmax": Folding(statistics.nanmax, statistics.nanmax),
}
_SUMS = ("sum", "prod", "nansum", "nanprod")  # which take a dtype


def _left(x: Core, reduced: tuple[int, ...], keepdims: bool) -> int:
    """Where the split axis is in the result, which is not reduced."""
    return x.axis if keepdims else x.axis - sum(axis < x.axis for axis in reduced)


def met(x: Core, of_part: Callable[..., Any]) -> Any:
    """What a function makes of the parts that are not empty, along a new first axis, on one
    device; all begin before one is waited for."""
    there = [part for part in x.parts if part.size] or [x.parts[0]]
    found = start([of_part(part) for part in there])
    return joining.stack([each.to_device(x.group[0]) for each in found])


def fold(name: str, x: Core, axis: Any = None, *, keepdims: bool = False, dtype: Any = None) -> Any:
    """A reduction by NumPy's rules: an array of one device where the split axis is reduced.

    `dtype` is taken by sums and products. Raises `numpy.exceptions.AxisError`; ValueError for
    extremes of no elements.
    """
    folding = FOLDINGS[name]
    reduced = axes_of(axis, x.ndim)
    options = _of_dtype(x.parts[0], dtype)

    def of_part(part: Any) -> Any:
        return folding.of_part(part, axis=reduced, keepdims=keepdims, **options)

    if x.axis not in reduced:
        return x.each(of_part, _left(x, reduced, keepdims))
    results = met(x, of_part)
    # Else sums of small integers would be of 64 bits.
    told = results.dtype if name in _SUMS else None
    return folding.of_results(results, axis=0, **_of_dtype(results, told))


def _of_dtype(part: Any, dtype: Any) -> dict[str, Any]:
    """The dtype of a sum as an option: none for times, whose own NumPy does not take."""
    is_own = dtype is None or (dtypes.is_time(part._dtype) and part.dtype == dtype)
    return {} if is_own else {"dtype": dtype}


def _of_parts(
    function: Any, x: Core, reduced: tuple[int, ...], dtype: Any, keepdims: bool, **options: Any
) -> Core:
    """What each device makes of its own part, where the spread axis is none of `reduced`."""

    def of_part(part: Any) -> Any:
        return function(part, reduced, dtype, keepdims=keepdims, **options)

    return x.each(of_part, _left(x, reduced, keepdims))


def _count(x: Core, reduced: tuple[int, ...]) -> int:
    return math.prod(x.shape[axis] for axis in reduced)


def mean(x: Core, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The mean by `phalanx.mean`'s rules of dtypes."""
    reduced = axes_of(axis, x.ndim)
    if x.axis not in reduced:
        return _of_parts(statistics.mean, x, reduced, dtype, keepdims)
    computed, result = statistics._types_of_mean(x.parts[0], dtype)
    total = fold("sum", x, reduced, keepdims=keepdims, dtype=computed)
    return statistics._divided(total, _count(x, reduced)).astype(result)


def var(
    x: Core, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The variance, from those of the parts and the distances of their means (Chan, Golub and
    LeVeque 1979, "Updating formulae and a pairwise algorithm for computing sample variances")."""
    reduced = axes_of(axis, x.ndim)
    if x.axis not in reduced:
        return _of_parts(statistics.var, x, reduced, dtype, keepdims, ddof=ddof)
    computed, result = statistics._types_of_mean(x.parts[0], dtype)
    own_result = dtypes.dtype_of(result)
    inner = met(x, lambda part: statistics.var(part, reduced, computed, keepdims=keepdims))
    means = met(x, lambda part: statistics.mean(part, reduced, computed, keepdims=keepdims))
    sizes = [part.size for part in x.parts if part.size] or [0]
    share = _weights(sizes, means)
    middle = reductions.sum(means * share, axis=0)
    distance = abs(means - middle) if means.dtype.kind == "c" else means - middle
    total = reductions.sum((inner + distance * distance) * share, axis=0)
    count = _count(x, reduced)
    made = total * (count / (count - ddof) if count > ddof else math.inf)
    real = own_result.type(0).real.dtype
    return made.astype(real)


def _weights(sizes: list[int], means: Any) -> Any:
    """The parts' shares of the elements, for a first axis."""
    total = sum(sizes) or 1
    real = means.dtype.type(0).real.dtype
    shares = np.asarray([size / total for size in sizes], real)
    return coerce.asarray(shares.reshape(-1, *(1,) * (means.ndim - 1)), device=means.device)


def std(
    x: Core, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The standard deviation: the root of `var`."""
    return _root(var(x, axis, dtype, ddof, keepdims))


def _root(made: Any) -> Any:
    root = ufuncs.table()["sqrt"]
    return made.each(root) if isinstance(made, Core) else root(made)


def nanmean(x: Core, axis: Any = None, dtype: Any = None, keepdims: bool = False) -> Any:
    """The mean of the elements that are not NaN."""
    reduced = axes_of(axis, x.ndim)
    if x.axis not in reduced:
        return _of_parts(statistics.nanmean, x, reduced, dtype, keepdims)
    computed, result = statistics._types_of_mean(x.parts[0], dtype)
    total = fold("nansum", x, reduced, keepdims=keepdims, dtype=computed)
    number = fold("sum", _is_number(x), reduced, keepdims=keepdims)
    return statistics._divided(total, number).astype(result)


def nanvar(
    x: Core, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The variance of the elements that are not NaN, of their distances from the mean."""
    reduced = axes_of(axis, x.ndim)
    if x.axis not in reduced:
        return _of_parts(statistics.nanvar, x, reduced, dtype, keepdims, ddof=ddof)
    computed, result = statistics._types_of_mean(x.parts[0], dtype)
    middle = nanmean(x, reduced, computed, keepdims=True)

    def squares(part: Any) -> Any:
        distance = abs(part.astype(computed) - middle.to_device(part.device))
        return statistics.without_nan(distance * distance, 0)

    total = fold("sum", x.each(squares), reduced, keepdims=keepdims)
    number = fold("sum", _is_number(x), reduced, keepdims=keepdims) - ddof
    made = total / selecting.where(number > 0, number, math.nan)
    return made.astype(dtypes.dtype_of(result).type(0).real.dtype)


def _is_number(x: Core) -> Core:
    return x.each(lambda part: part == part)


def nanstd(
    x: Core, axis: Any = None, dtype: Any = None, ddof: float = 0, keepdims: bool = False
) -> Any:
    """The root of `nanvar`."""
    return _root(nanvar(x, axis, dtype, ddof, keepdims))


def ptp(x: Core, axis: Any = None, keepdims: bool = False) -> Any:
    """The range of the elements."""
    greatest, least = (fold(name, x, axis, keepdims=keepdims) for name in ("max", "min"))
    return greatest - least


def position(name: str, x: Core, axis: int | None = None, keepdims: bool = False) -> Any:
    """`argmin` or `argmax`: the first position of the extreme, by NumPy's rule for NaN.

    Raises ValueError for no elements.
    """
    find = getattr(reductions, name)
    extreme = FOLDINGS["min" if name == "argmin" else "max"].of_part
    if axis is None:
        made = position(name, flat(x), 0)
        return made.reshape((1,) * x.ndim) if keepdims else made
    along = one(axis, x.ndim)
    if along != x.axis:
        left = _left(x, (along,), keepdims)
        return x.each(lambda part: find(part, axis=along, keepdims=keepdims), left)
    values = met(x, lambda part: extreme(part, axis=along, keepdims=keepdims))
    places = met(x, lambda part: find(part, axis=along, keepdims=keepdims))
    firsts = np.asarray([first for first, last in x.layout.bounds if first < last] or [0])
    shifts = coerce.asarray(firsts.reshape(-1, *(1,) * (places.ndim - 1)), device=places.device)
    which = find(values, axis=0, keepdims=True)
    return selecting.take_along_axis(places + shifts, which, axis=0)[0]


def nanposition(name: str, x: Core, axis: int | None = None, keepdims: bool = False) -> Any:
    """`nanargmin` or `nanargmax`: as `position`, of the elements that are not NaN.

    Raises ValueError where there is none.
    """
    find = name.removeprefix("nan")
    if not statistics.has_nan(x.parts[0]):
        return position(find, x, axis, keepdims)
    if not np.all(fold("any", _is_number(x), axis)):
        raise ValueError("All-NaN slice encountered")
    worst = math.inf if find == "argmin" else -math.inf
    return position(find, x.each(lambda p: statistics.without_nan(p, worst)), axis, keepdims)


# The reduction whose result a part begins with, and the operator that joins both.
_CARRIES = {"cumsum": ("sum", operator.add), "cumprod": ("prod", operator.mul)}


def scan(name: str, x: Core, axis: int | None = None, dtype: Any = None) -> Any:
    """`cumsum` or `cumprod`: each part goes on from what those before it come to."""
    run = getattr(scans, name)
    x, along = (flat(x), 0) if axis is None else (x, one(axis, x.ndim))
    made = x.each(lambda part: run(part, axis=along, dtype=dtype))
    if along != x.axis:
        return made
    folding, join = _CARRIES[name]
    start(made.parts)
    parts, carry = [], None
    for part, own in zip(made.parts, x.parts, strict=True):
        told = _of_dtype(own, part.dtype)
        total = FOLDINGS[folding].of_part(own, axis=along, keepdims=True, **told)
        if carry is not None:
            here = carry.to_device(part.device)
            part, total = join(part, here), join(total, here)
        parts.append(part)
        carry = total
    return made.like(parts)


def nanscan(name: str, x: Core, axis: int | None = None, dtype: Any = None) -> Any:
    """`nancumsum` or `nancumprod`: as `scan`, with NaN as what changes nothing."""
    run, neutral = {"nancumsum": ("cumsum", 0), "nancumprod": ("cumprod", 1)}[name]
    return scan(run, x.each(lambda part: statistics.without_nan(part, neutral)), axis, dtype)
