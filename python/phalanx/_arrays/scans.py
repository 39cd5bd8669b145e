"""Running results along an axis: cumsum, cumprod, and `accumulate` of universal functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .. import _engine
from . import axes, coerce, dtypes, host, joining, outputs, reducing, statistics

if TYPE_CHECKING:
    from .ndarray import ndarray

# On the CPU device NumPy has gone through so few elements before a kernel is found.
_FEW = 32768

# The folds of the engine that are a ufunc's.
_FOLDS = {
    "add": "sum",
    "multiply": "prod",
    "minimum": "min",
    "maximum": "max",
    "logical_or": "any",
    "logical_and": "all",
    "bitwise_and": "bitwise_and",
    "bitwise_or": "bitwise_or",
    "bitwise_xor": "bitwise_xor",
}
_SUMS = {"add": "any", "multiply": "all"}  # and what they are of booleans


def accumulate(name: str, a: Any, axis: Any = 0, dtype: Any = None, out: Any = None) -> Any:
    """The results of the ufunc's fold of the first element along an axis, the first two, and so on.

    Raises `TypeError` for an array without dimensions, `numpy.exceptions.AxisError`.
    """
    import numpy as np

    array = coerce.as_operand(a)
    target = out[0] if isinstance(out, tuple) else out
    if dtype is None and not name.startswith("logical"):
        dtype = getattr(target, "dtype", None)
    made = None
    if hasattr(axis, "__index__") and array.ndim and pays(array):
        made = _scanned(name, array, axes.one(axis, array.ndim), dtype)
    if made is None:
        made = host.run(getattr(np, name).accumulate, array, axis=axis, dtype=dtype)
    return outputs.store_reduced(out, made, name)


def pays(array: Any) -> bool:
    """Returns whether a kernel scans it: on a GPU, in a graph, or more than a few elements."""
    is_elsewhere = not array._device.is_host or _engine.is_recording()
    return is_elsewhere or array._is_pending or array.size >= _FEW


def _scanned(name: str, array: Any, axis: int, dtype: Any) -> Any:
    """The scan, recorded; None where NumPy has to say what it is."""
    wanted = array._dtype if dtype is None else dtypes.name_of(dtype)
    fold = _FOLDS.get(name)
    if fold is None or dtypes.is_time(array._dtype) or dtypes.is_time(wanted):
        return None
    if name.startswith("logical"):
        if dtype is not None and wanted != "bool":
            return None
        return _engine.array_scan(reducing.truth(array), fold, axis)
    if name in _SUMS:
        wanted = reducing.dtype_of_sum(array, dtype)
        fold = _SUMS[name] if wanted == "bool" else fold
    is_order = name in ("minimum", "maximum")
    if (is_order and "complex" in wanted) or (
        fold.startswith("bitwise") and "int" not in wanted and wanted != "bool"
    ):
        return None
    if not dtypes.can_cast(array.dtype, dtypes.dtype_of(wanted), "unsafe"):
        return None
    return _engine.array_scan(_engine.array_cast(array, wanted), fold, axis)


def _flat(a: Any, axis: Any) -> tuple[Any, Any]:
    """The array and the axis, which is that of the flat array where there is none."""
    array = coerce.as_operand(a)
    if axis is None:
        return array._ravel(), 0
    return (array._ravel() if array.ndim == 0 else array), axis


def cumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """The sums of the first elements along an axis, or of the flat array.

    Integers are summed in 64 bits, floats in larger ones. Raises `numpy.exceptions.AxisError`.

    >>> px.cumsum(px.asarray([1, 2, 3]))
    array([1, 3, 6])
    """
    return accumulate("add", *_flat(a, axis), dtype, out)


def cumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """The products of the first elements along an axis, or of the flat array.

    Raises `numpy.exceptions.AxisError`.

    >>> px.cumprod(px.asarray([1, 2, 3]))
    array([1, 2, 6])
    """
    return accumulate("multiply", *_flat(a, axis), dtype, out)


def nancumsum(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """As `cumsum`, with NaN as 0.

    >>> px.nancumsum(px.asarray([2.0, np.nan, 3.0]))
    array([2., 2., 5.])
    """
    return cumsum(statistics.without_nan(coerce.asarray(a), 0), axis, dtype, out)


def nancumprod(a: Any, axis: Any = None, dtype: Any = None, out: Any = None) -> ndarray:
    """As `cumprod`, with NaN as 1.

    >>> px.nancumprod(px.asarray([2.0, np.nan, 3.0]))
    array([2., 2., 6.])
    """
    return cumprod(statistics.without_nan(coerce.asarray(a), 1), axis, dtype, out)


def cumulative_sum(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> ndarray:
    """The sums of the first elements along an axis; with `include_initial` 0 in front.

    Raises `ValueError` without `axis` where the array has not one dimension.

    >>> px.cumulative_sum(px.asarray([1, 2, 3]), include_initial=True)
    array([0, 1, 3, 6])
    """
    return _cumulative(x, axis, dtype, out, ("add", 0 if include_initial else None))


def cumulative_prod(
    x: Any,
    /,
    *,
    axis: int | None = None,
    dtype: Any = None,
    out: Any = None,
    include_initial: bool = False,
) -> ndarray:
    """The products of the first elements along an axis; with `include_initial` 1 in front.

    Raises `ValueError` without `axis` where the array has not one dimension.

    >>> px.cumulative_prod(px.asarray([1, 2, 3]))
    array([1, 2, 6])
    """
    return _cumulative(x, axis, dtype, out, ("multiply", 1 if include_initial else None))


def _cumulative(x: Any, axis: Any, dtype: Any, out: Any, fold: tuple[str, int | None]) -> Any:
    name, initial = fold
    array = coerce.as_operand(x)
    array = array._reshape(1) if array.ndim == 0 else array
    if axis is None:
        if array.ndim > 1:
            raise ValueError(
                "For arrays which have more than one dimension ``axis`` argument is required."
            )
        axis = 0
    if initial is None:
        return accumulate(name, array, axis, dtype, out)
    along = axes.one(axis, array.ndim)
    if dtype is None:
        target = out[0] if isinstance(out, tuple) else out
        dtype = getattr(target, "dtype", None)
    made = accumulate(name, array, along, dtype)
    shape = [1 if i == along else extent for i, extent in enumerate(array.shape)]
    first = _engine.array_copy(_engine.array_number(initial, made._dtype), shape)
    return outputs.store_reduced(out, joining.concatenate([first, made], along), name)
