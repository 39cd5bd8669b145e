"""Whole numbers between bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _engine
from .. import coerce, dtypes, reductions, ufuncs
from .sampling import Sampling, shape_of


def draw(source: Any, low: Any, high: Any, size: Any, dtype: Any, endpoint: bool) -> Any:
    """Uniform from `low` to below `high`, or to `high` itself with `endpoint`, in that dtype.

    Raises `ValueError` where there is no such number, or one is not of the dtype, `TypeError` for
    other dtypes than integers and bool.
    """
    name = dtypes.name_of(dtype)
    if np.dtype(name).kind not in "iub":
        raise TypeError(f"Unsupported dtype {np.dtype(name)!r} for integers")
    least, most = (0, 1) if name == "bool" else (np.iinfo(name).min, np.iinfo(name).max)
    if high is None:
        low, high = 0, low
    bounds = [_bound(each, name) for each in (low, high)]
    shape = shape_of(size, bounds)
    if all(isinstance(each, int) for each in bounds):
        first, last = bounds[0], bounds[1] - (not endpoint)
        is_empty = first > last and (shape is None or 0 not in shape)
        _check(first < least, last > most, is_empty, name, endpoint)
        span = (last - first + 1) % 2**64
        made = Sampling(source, shape).draw("integers", span, dtype="uint64")
        if shape is None:
            return np.dtype(name).type(first + made)
        return _moved(made, _engine.array_number(first, _wide(name)), name)
    first, last = (_array(each, name) for each in _closed(bounds, endpoint, name))
    _check(_any(first < least), _any(last > most), _any(first > last), name, endpoint)
    spans = _engine.array_cast(last - first, "uint64") + np.uint64(1)
    return _moved(Sampling(source, shape).draw("integers", spans, dtype="uint64"), first, name)


def _closed(bounds: list[Any], endpoint: bool, name: str) -> list[Any]:
    """The bounds with the upper one among the numbers, each within int64 or uint64."""
    low, high = bounds
    limits = np.iinfo(_wide(name))
    if not endpoint and isinstance(high, int):
        high -= 1
    elif not endpoint:
        if _any(high == limits.min):
            raise ValueError("low >= high")
        high = high - 1
    for text, each in (("low", low), ("high", high)):
        if isinstance(each, int) and not limits.min <= each <= limits.max:
            raise ValueError(f"{text} is out of bounds for {name}")
    return [low, high]


def _wide(name: str) -> str:
    return "uint64" if name == "uint64" else "int64"


def _bound(value: Any, name: str) -> Any:
    """An int, or an array of int64, of uint64 where the dtype is that."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    if hasattr(value, "__index__") and not isinstance(value, (_engine.Array, np.ndarray)):
        return value.__index__()
    array = coerce.as_operand(value)
    if array._is_number or array.ndim == 0:
        return int(array)
    wide = _wide(name)
    is_float = array._dtype.startswith("float")
    if is_float and not reductions.all(ufuncs.table()["isfinite"](array)):
        raise ValueError("a bound is no number")
    if array._dtype != "bool" and (is_float or array._dtype == "uint64" or wide == "uint64"):
        least, most = np.iinfo(wide).min, np.iinfo(wide).max
        if _any(array < least) or _any(array > most):
            raise ValueError(f"a bound is out of bounds for {name}")
    return array if array._dtype == wide else _engine.array_cast(array, wide)


def _array(bound: Any, name: str) -> Any:
    if isinstance(bound, _engine.Array):
        return bound
    return _engine.array_number(bound, _wide(name))


def _any(condition: Any) -> bool:
    return bool(reductions.any(condition))


def _check(is_below: Any, is_above: Any, is_empty: Any, name: str, endpoint: bool) -> None:
    if is_below:
        raise ValueError(f"low is out of bounds for {name}")
    if is_above:
        raise ValueError(f"high is out of bounds for {name}")
    if is_empty:
        raise ValueError("low > high" if endpoint else "low >= high")


def _moved(words: Any, first: Any, name: str) -> Any:
    wide = _wide(name)
    made = _engine.array_cast(words, wide) + first
    return made if made._dtype == name else _engine.array_cast(made, name)
