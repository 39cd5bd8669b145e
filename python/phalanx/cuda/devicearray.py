"""``numba.cuda.devicearray``: device arrays by their module's older name."""

from __future__ import annotations

from typing import Any

from ._device_array import DeviceNDArray
from ._device_record import DeviceRecord, from_record_like
from ._transfer import as_cuda_array, is_cuda_array, to_device

is_cuda_ndarray = is_cuda_array


def auto_device(
    obj: Any, stream: Any = 0, copy: bool = True, user_explicit: bool = False
) -> tuple[DeviceNDArray, bool]:
    """The object on the device, and whether it was put there by this call.

    Raises `ValueError` for host arrays whose elements do not lie together in memory.
    """
    if isinstance(obj, DeviceNDArray):
        return obj, False
    if hasattr(obj, "__cuda_array_interface__"):
        return as_cuda_array(obj), False
    return to_device(obj, stream, copy=copy), True


def verify_cuda_ndarray_interface(obj: Any) -> None:
    """Raises `TypeError` for what is no device array."""
    if not is_cuda_ndarray(obj):
        raise TypeError("must be a device array")


__all__ = [
    "DeviceNDArray",
    "DeviceRecord",
    "auto_device",
    "from_record_like",
    "is_cuda_ndarray",
    "verify_cuda_ndarray_interface",
]
