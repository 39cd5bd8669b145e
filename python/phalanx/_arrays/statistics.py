"""Means and variances, and the reductions that pass over NaN: recorded, made of sums."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from .. import _engine
from .._core.warnings import say
from . import coerce, dtypes, host, outputs, reducing
from .reducing import NO_VALUE

if TYPE_CHECKING:
    from .ndarray import ndarray


def _apply(name: str, *operands: Any) -> Any:
    return _engine.array_apply(name, *operands)


def _types_of_mean(array: Any, dtype: Any) -> tuple[str, str]:
    """What a mean is computed in, and what it has then."""
    own = array._dtype
    if dtype is not None:
        result = dtypes.name_of(dtype)
        dtypes.warn_of_imaginary_parts(own, result)
    else:
        result = "float64" if own == "bool" or "int" in own else own
    return dtypes.computed_in(result), result


def _number_of(array: Any, reduced: tuple[int, ...], mask: Any, keepdims: bool) -> Any:
    """The number of elements that take part: an int, or with a mask an array."""
    if mask is None:
        return math.prod(array.shape[i] for i in reduced)
    whole = mask._broadcast(array.shape)
    return reducing.plain(whole, "sum", "int64", reduced, keepdims)


def _sum(array: Any, dtype: str, reduced: tuple[int, ...], keepdims: bool, mask: Any) -> Any:
    array = _engine.array_cast(array, dtype)
    if mask is not None:
        array = _engine.array_where(mask, array, _engine.array_number(0, dtype))
    return reducing.plain(array, "sum", dtype, reduced, keepdims)


def _divided(total: Any, number: Any) -> Any:
    """The quotient in the dtype of the sum."""
    if isinstance(number, _engine.Array) and not dtypes.is_time(total._dtype):
        number = _engine.array_cast(number, total._dtype)
    return _engine.array_cast(_apply("true_divide", total, number), total._dtype)


def mean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> ndarray:
    """The mean of the elements along the axes, by default of all.

    Of integers in float64; of float16 computed in float32. NaN of no elements.

    >>> px.mean(px.asarray([[1.0, 2.0], [3.0, 4.0]]), axis=0)
    array([2., 3.])
    """
    array, mask = outputs.with_mask(a, where)
    made = _mean(array, reducing.axes_of(axis, array.ndim), dtype, bool(keepdims), mask)
    return outputs.store_reduced(out, made, "mean", "unsafe")


def _mean(array: Any, reduced: tuple[int, ...], dtype: Any, keepdims: bool, mask: Any) -> Any:
    computed, result = _types_of_mean(array, dtype)
    number = _number_of(array, reduced, mask, keepdims)
    if mask is None and number == 0:
        say("Mean of empty slice.", RuntimeWarning)
    total = _sum(array, computed, reduced, keepdims, mask)
    return _engine.array_cast(_divided(total, number), result)


def _squared(x: Any) -> Any:
    if not x._dtype.startswith("complex"):
        return _apply("square", x)
    parts = [
        _apply("square", _engine.array_part(x, is_imaginary)) for is_imaginary in (False, True)
    ]
    return _apply("add", *parts)


class _Along(NamedTuple):
    axes: tuple[int, ...]
    keepdims: bool
    mask: Any


def _variance(array: Any, along: _Along, dtype: Any, ddof: float, means: Any) -> Any:
    reduced, keepdims, mask = along
    computed, result = _types_of_mean(array, dtype)
    number = _number_of(array, reduced, mask, True)
    if mask is None and number - ddof <= 0:
        say("Degrees of freedom <= 0 for slice.", RuntimeWarning)
    array = _engine.array_cast(array, computed)
    if means is None and mask is None and computed in ("float32", "float64"):
        # In one pass, and in float64: the sum's error is a few of its elements' at the worst.
        total = reducing.plain(array, "squares", "float64", reduced, keepdims)
        total = _engine.array_cast(total, computed)
        return _of_squares(total, max(number - ddof, 0), dtype, result)
    if means is None:
        means = _divided(_sum(array, computed, reduced, True, mask), number)
    squares = _squared(_apply("subtract", array, coerce.beside(means, coerce.place_of(array))))
    total = _sum(squares, squares._dtype, reduced, keepdims, mask)
    if mask is None:
        degrees = max(number - ddof, 0)
    else:
        number = _number_of(array, reduced, mask, keepdims)
        degrees = _apply("maximum", _apply("subtract", number, ddof), 0)
    return _of_squares(total, degrees, dtype, result)


def _of_squares(total: Any, degrees: Any, dtype: Any, result: str) -> Any:
    """The variance of a sum of squared distances from the mean."""
    made = _divided(total, degrees)
    real = {"complex64": "float32", "complex128": "float64"}
    return _engine.array_cast(made, real.get(result, result) if dtype is None else result)


def _root(variance: Any) -> Any:
    if "int" in variance._dtype:
        raise TypeError(f"the square root of a variance is no {variance._dtype}: ask for a float")
    return _apply("sqrt", variance)


def _nan_axes(array: Any, axis: Any, dtype: Any = None) -> tuple[int, ...]:
    if dtype is not None and has_nan(array) and "int" in dtypes.name_of(dtype):
        raise TypeError("If a is inexact, then dtype must be inexact")
    if array.ndim == 0 and has_nan(array) and axis in (0, -1):
        return ()  # as NumPy has it for ufuncs
    return reducing.axes_of(axis, array.ndim)


def _correction(ddof: Any, correction: Any) -> Any:
    if correction is NO_VALUE:
        return ddof
    if ddof != 0:
        raise ValueError("ddof and correction can't be provided simultaneously.")
    return correction


def var(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> ndarray:
    """The mean of the squared distances from the mean, along the axes; dtypes as of `mean`.

    The sum is divided by the number of elements less `ddof`, which `correction` is too. Raises
    `ValueError` where both are given.

    >>> px.var(px.asarray([1.0, 3.0]))
    array(1.)
    """
    array, mask = outputs.with_mask(a, where, mean)
    along = _Along(reducing.axes_of(axis, array.ndim), bool(keepdims), mask)
    less = _correction(ddof, correction)
    means = None if mean is NO_VALUE else mean
    made = _variance(array, along, dtype, less, means)
    return outputs.store_reduced(out, made, "var", "unsafe")


def std(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> ndarray:
    """The square root of `var`.

    >>> px.std(px.asarray([1.0, 3.0]))
    array(1.)
    """
    made = var(a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction)
    return outputs.store_reduced(out, _root(made), "std")


def average(
    a: Any,
    axis: Any = None,
    weights: Any = None,
    returned: bool = False,
    *,
    keepdims: bool = False,
) -> Any:
    """The mean with weights: the sum of the products divided by that of the weights.

    With `returned` the sum of the weights, too. Raises `ZeroDivisionError` where it is 0.

    >>> px.average(px.asarray([1.0, 2.0, 4.0]), weights=[1, 1, 2])
    array(2.75)
    """
    import numpy as np

    place = coerce.place_of(a, weights)
    array = coerce.beside(a, place)
    reduced = reducing.axes_of(axis, array.ndim)
    if weights is None:
        made = _mean(array, reduced, None, keepdims, None)
        number = _engine.array_number(_number_of(array, reduced, None, keepdims), made._dtype)
        if not returned:
            return made
        return made, _engine.array_copy(number._broadcast(made.shape), made.shape)
    factors = coerce.beside(weights, place)
    if factors.shape != array.shape:
        return host.run(
            np.average, array, axis=axis, weights=factors, returned=returned, keepdims=keepdims
        )
    is_whole = array._dtype == "bool" or "int" in array._dtype
    result = dtypes.result_type(array.dtype, factors.dtype, *(("f8",) if is_whole else ()))
    total = _sum(factors, result, reduced, keepdims, None)
    if bool(np.any(coerce.to_numpy(total) == 0)):
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    products = _apply("multiply", array, _engine.array_cast(factors, result))
    made = _apply("true_divide", _sum(products, result, reduced, keepdims, None), total)
    return (made, total) if returned else made


def has_nan(array: Any) -> bool:
    """Returns whether the dtype has a NaN."""
    return dtypes.is_floating(array._dtype) or array._dtype.startswith("complex")


def without_nan(array: Any, value: float) -> Any:
    """The elements with a number in the place of NaN."""
    if not has_nan(array):
        return array
    number = _engine.array_number(value, array._dtype)
    return _engine.array_where(_apply("isnan", array), number, array)


def nansum(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """As `sum`, of the elements that are not NaN; 0 of none.

    >>> px.nansum(px.asarray([1.0, np.nan, 3.0]))
    array(4.)
    """
    array = without_nan(coerce.as_operand(a), 0)
    return reducing.reduce("sum", array, axis, dtype, out, keepdims, initial, where)


def nanprod(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """As `prod`, of the elements that are not NaN; 1 of none.

    >>> px.nanprod(px.asarray([2.0, np.nan, 3.0]))
    array(6.)
    """
    array = without_nan(coerce.as_operand(a), 1)
    return reducing.reduce("prod", array, axis, dtype, out, keepdims, initial, where)


def nanmin(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """As `min`, of the elements that are not NaN; NaN where all are.

    >>> px.nanmin(px.asarray([1.0, np.nan, 3.0]))
    array(1.)
    """
    return _nan_extreme("min", math.inf, a, axis, out, keepdims, initial, where)


def nanmax(
    a: Any,
    axis: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = NO_VALUE,
    where: Any = True,
) -> ndarray:
    """As `max`, of the elements that are not NaN; NaN where all are.

    >>> px.nanmax(px.asarray([1.0, np.nan, 3.0]))
    array(3.)
    """
    return _nan_extreme("max", -math.inf, a, axis, out, keepdims, initial, where)


def _nan_extreme(name: str, neutral: float, a: Any, *options: Any) -> Any:
    axis, out, keepdims, initial, where = options
    array = coerce.as_operand(a)
    if not dtypes.is_floating(array._dtype):
        if array._dtype.startswith("complex") or dtypes.is_time(array._dtype):
            import numpy as np

            made = host.run(getattr(np, f"nan{name}"), array, axis, keepdims=keepdims)
            return outputs.store_reduced(out, made, name)
        return reducing.reduce(name, array, axis, None, out, keepdims, initial, where)
    made = reducing.reduce(
        name, without_nan(array, neutral), axis, None, None, keepdims, initial, where
    )
    if initial is NO_VALUE:
        is_none = reducing.reduce("all", _apply("isnan", array), axis, None, None, keepdims)
        nan = _engine.array_number(math.nan, made._dtype)
        made = _engine.array_where(is_none, nan, made)
    return outputs.store_reduced(out, made, name)


def _where_no_nan(a: Any, where: Any, *others: Any) -> tuple[Any, Any]:
    array, mask = outputs.with_mask(a, where, *others)
    if not has_nan(array):
        return array, mask
    is_number = _apply("logical_not", _apply("isnan", array))
    return array, is_number if mask is None else _apply("logical_and", is_number, mask)


def _casting_of(array: Any) -> str:
    """How NumPy brings means of what may have NaNs to `out`: those of whole numbers anyhow."""
    return "unsafe" if array.dtype.kind in "biu" else "same_kind"


def nanmean(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    *,
    where: Any = True,
) -> ndarray:
    """As `mean`, of the elements that are not NaN; NaN of none.

    >>> px.nanmean(px.asarray([1.0, np.nan, 3.0]))
    array(2.)
    """
    array, mask = _where_no_nan(a, where)
    made = _mean(array, _nan_axes(array, axis, dtype), dtype, bool(keepdims), mask)
    return outputs.store_reduced(out, made, "nanmean", _casting_of(array))


def nanvar(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> ndarray:
    """As `var`, of the elements that are not NaN; NaN where they are no more than `ddof`.

    What has no NaN gives what `var` gives there.

    >>> px.nanvar(px.asarray([1.0, np.nan, 3.0]))
    array(1.)
    """
    array, mask = _where_no_nan(a, where, mean)
    less = _correction(ddof, correction)
    along = _Along(_nan_axes(array, axis, dtype), bool(keepdims), mask)
    means = None if mean is NO_VALUE else mean
    made = _variance(array, along, dtype, less, means)
    if has_nan(array):  # 0 / 0 is NaN; what is left of x / 0 is no number, either
        number = _number_of(array, along.axes, mask, bool(keepdims))
        nan = _engine.array_number(math.nan, made._dtype)
        made = _engine.array_where(_apply("less_equal", number, less), nan, made)
    return outputs.store_reduced(out, made, "nanvar", _casting_of(array))


def nanstd(
    a: Any,
    axis: Any = None,
    dtype: Any = None,
    out: Any = None,
    ddof: float = 0,
    keepdims: bool = False,
    *,
    where: Any = True,
    mean: Any = NO_VALUE,
    correction: Any = NO_VALUE,
) -> ndarray:
    """The square root of `nanvar`.

    >>> px.nanstd(px.asarray([1.0, np.nan, 3.0]))
    array(1.)
    """
    made = nanvar(
        a, axis, dtype, None, ddof, keepdims, where=where, mean=mean, correction=correction
    )
    return outputs.store_reduced(out, _root(made), "nanstd")
