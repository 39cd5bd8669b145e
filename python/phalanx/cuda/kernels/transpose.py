"""``numba.cuda.kernels.transpose``."""

from __future__ import annotations

from typing import Any

from ..._device.arrays import DeviceNDArray
from ..._device.transfer import device_array


def transpose(a: Any, b: Any = None) -> Any:
    """Writes the transpose of the 2-d device array `a` into `b`, by default a new one; returns it.

    Raises `ValueError` for another number of dimensions or a `b` of another shape.
    """
    if a.ndim != 2:
        raise ValueError(f"transpose takes arrays of 2 dimensions, not {a.ndim}")
    if b is None:
        b = device_array(a.shape[::-1], a.dtype)
    b.copy_to_device(DeviceNDArray(a, a.shape[::-1], a.strides[::-1]))
    return b


__all__ = ["transpose"]
