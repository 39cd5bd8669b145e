"""The package `cupyx`: what of it is about arrays."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import numpy as np

import phalanx as px

from . import _cupy_table
from .cupy_errors import errstate, geterr, seterr
from .cupyx_gufunc import GeneralizedUFunc

__all__ = [
    "DeviceSynchronized",
    "GeneralizedUFunc",
    "allow_synchronize",
    "empty_like_pinned",
    "empty_pinned",
    "errstate",
    "geterr",
    "rsqrt",
    "scatter_add",
    "scatter_max",
    "scatter_min",
    "seterr",
    "zeros_like_pinned",
    "zeros_pinned",
]


def scatter_add(a: Any, slices: Any, value: Any) -> None:
    """Adds the values to the elements at an index, each as often as it is named."""
    a.scatter_add(slices, value)


def scatter_max(a: Any, slices: Any, value: Any) -> None:
    """Gives the elements at an index the greater of them and the values."""
    a.scatter_max(slices, value)


def scatter_min(a: Any, slices: Any, value: Any) -> None:
    """Gives the elements at an index the lesser of them and the values."""
    a.scatter_min(slices, value)


def rsqrt(x: Any, out: Any = None) -> Any:
    """The reciprocal of the square root."""
    made = px.reciprocal(px.sqrt(x))
    if out is None:
        return made
    out[...] = made
    return out


def empty_pinned(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """An array of NumPy's in page-locked memory, without values yet."""
    return _pinned(shape, dtype, order)


def zeros_pinned(shape: Any, dtype: Any = float, order: str = "C") -> Any:
    """An array of NumPy's in page-locked memory, of zeros."""
    made = _pinned(shape, dtype, order)
    made[...] = 0
    return made


def empty_like_pinned(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> Any:
    """As `empty_pinned`, of another array's shape and dtype."""
    return _pinned(*_like(a, dtype, order, shape))


def zeros_like_pinned(
    a: Any, dtype: Any = None, order: str = "K", subok: Any = None, shape: Any = None
) -> Any:
    """As `zeros_pinned`, of another array's shape and dtype."""
    return zeros_pinned(*_like(a, dtype, order, shape))


def _like(a: Any, dtype: Any, order: str, shape: Any) -> tuple[Any, Any, str]:
    is_fortran = order == "F" or (order in "AK" and bool(a.flags.fnc))
    return a.shape if shape is None else shape, dtype or a.dtype, "F" if is_fortran else "C"


def _pinned(shape: Any, dtype: Any, order: str) -> Any:
    from .. import cuda

    return cuda.pinned_array(shape, np.dtype(dtype), order=order)


class DeviceSynchronized(RuntimeError):
    """Where a device is waited for, in CuPy; see `allow_synchronize`."""


@contextlib.contextmanager
def allow_synchronize(allow: bool) -> Iterator[None]:
    """With False, copies of a GPU's arrays to the host that are not asked for raise `TypeError`.

    It sets `phalanx.config.copies_to_host` inside; waiting for the device by itself is not refused.
    """
    before = px.config.copies_to_host
    px.config.copies_to_host = "allow" if allow else "error"
    try:
        yield
    finally:
        px.config.copies_to_host = before


def __getattr__(name: str) -> Any:
    if f"cupyx.{name}" in _cupy_table.TABLE:
        return importlib.import_module(f"cupyx.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupyx.{name}; {_cupy_table.remedy(f'cupyx.{name}')}"
    )
