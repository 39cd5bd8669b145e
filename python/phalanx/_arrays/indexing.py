"""Indices with arrays; those of numbers, slices, None and an ellipsis are read in C++."""

from __future__ import annotations

import operator
from typing import Any

from .. import _engine
from . import coerce, dtypes, gathering, host, scattering


def get(array: Any, key: Any) -> Any:
    """`array[key]`."""
    plain = _plain(key)
    if plain is not None:
        return array[plain]
    return gathering.get(array, key)


def set(array: Any, key: Any, value: Any) -> None:
    """`array[key] = value`."""
    # C++ takes arrays and these; what is of their subclasses is one of NumPy's numbers, or such.
    is_plain = type(value) in (bool, int, float, complex) and not dtypes.is_time(array._dtype)
    if not isinstance(value, _engine.Array) and not is_plain:
        value = _as_value(array, value)
    is_complex = isinstance(value, _engine.Array) and value._dtype.startswith("complex")
    if is_complex and not array._dtype.startswith("complex"):
        dtypes.warn_of_imaginary_parts(value._dtype, array._dtype)
        value = _engine.array_cast(value, array._dtype)
    plain = _plain(key)
    if plain is not None:
        array[plain] = value
        return
    mask = _mask(array, key)
    # What is the same for all elements, or rows, that the mask may select needs no count of them.
    if mask is not None and getattr(value, "ndim", 0) <= array.ndim - key.ndim:
        assign_where(array, mask, value)
    else:
        scattering.set(array, key, value)


def _as_value(array: Any, value: Any) -> Any:
    if not dtypes.is_time(array._dtype):
        return coerce.as_operand(value, device=array._place)
    import numpy as np

    made = np.asarray(host.as_host(value), array.dtype)
    return coerce.as_operand(made, device=array._place)


def assign_where(array: Any, mask: Any, value: Any) -> None:
    """Gives the elements at which the mask is true those of a value, without computing it yet."""
    if not isinstance(value, _engine.Array):
        value = _engine.array_number(value, array._dtype)
    elif value._dtype != array._dtype:
        value = _engine.array_cast(value, array._dtype)
    array._assign(_engine.array_where(mask, value, array))


def _mask(array: Any, key: Any) -> Any:
    """The key as a mask of all dimensions, where it is one of the first ones."""
    import numpy as np

    if isinstance(key, np.ndarray) and key.dtype == bool:
        key = coerce.as_operand(key, device=array._place)
    if not isinstance(key, _engine.Array) or key._dtype != "bool" or key.ndim == 0:
        return None
    if key.shape != array.shape[: key.ndim]:
        return None  # NumPy says what does not fit
    return key._reshape(key.shape + (1,) * (array.ndim - key.ndim))


def _plain(key: Any) -> Any:
    """The key with Python's numbers in the place of all others; None if it has arrays."""
    items = key if isinstance(key, tuple) else (key,)
    plain: list[Any] = []
    for item in items:
        if item is Ellipsis or item is None or isinstance(item, slice) or type(item) is int:
            plain.append(item)
        elif isinstance(item, bool) or not _is_index(item):
            return None
        else:
            plain.append(operator.index(item))
    return tuple(plain)


def _is_index(item: Any) -> bool:
    if getattr(item, "ndim", 0) != 0 or not hasattr(item, "__index__"):
        return False
    return not hasattr(item, "dtype") or item.dtype.kind in "iu"
