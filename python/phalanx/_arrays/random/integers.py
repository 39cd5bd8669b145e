"""Whole numbers between bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _engine
from .. import coerce, dtypes, reductions
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
        _check(first < least, last > most, first > last, name, endpoint)
        span = (last - first + 1) % 2**64
        made = Sampling(source, shape).draw("integers", span, dtype="uint64")
        if shape is None:
            return _engine.array_number(first + made, name)._as_number()
        return _moved(made, _engine.array_number(first, _wide(name)), name)
    first, last = (_array(each, name) for each in bounds)
    # In NumPy, where no bound overflows: the elements as they are.
    _check(
        _any(first < least),
        _any(last > most if endpoint else last - 1 > most),
        _any(first > last if endpoint else first >= last),
        name,
        endpoint,
    )
    spans = _engine.array_cast(last - first, "uint64") + np.uint64(bool(endpoint))
    return _moved(Sampling(source, shape).draw("integers", spans, dtype="uint64"), first, name)


def _wide(name: str) -> str:
    return "uint64" if name == "uint64" else "int64"


def _bound(value: Any, name: str) -> Any:
    """An int, or an array of int64 or uint64."""
    if isinstance(value, (float, np.floating)) and float(value).is_integer():
        return int(value)
    if hasattr(value, "__index__") and not isinstance(value, (_engine.Array, np.ndarray)):
        return value.__index__()
    array = coerce.as_operand(value)
    if array._is_number or array.ndim == 0:
        return int(array)
    if array._dtype.startswith("float"):  # beyond int64 it is no bound of any dtype
        return _engine.array_cast(array, "int64")
    return array if array._dtype == "uint64" else _engine.array_cast(array, _wide(name))


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
