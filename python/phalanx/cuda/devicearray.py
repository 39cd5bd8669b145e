"""``numba.cuda.devicearray``: device arrays by their module's older name."""

from __future__ import annotations

from typing import Any

from .._device.arrays import DeviceNDArray, DeviceRecord, from_record_like
from .._device.transfer import as_cuda_array, device_array_like, is_cuda_array, to_device

is_cuda_ndarray = is_cuda_array


def __getattr__(name: str) -> Any:
    if name in ("MappedNDArray", "ManagedNDArray"):
        from .._device.host_array import HostNDArray  # needs NumPy

        return HostNDArray
    raise AttributeError(f"module 'phalanx.cuda.devicearray' has no attribute {name!r}")


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


errmsg_contiguous_buffer = (
    "Array contains non-contiguous buffer and cannot be transferred as a single memory region. "
    "Please ensure contiguous buffer with numpy.ascontiguousarray()"
)


def array_core(ary: Any) -> Any:
    """The array without the repetitions of dimensions that are broadcast."""
    if not ary.strides or not ary.size:
        return ary
    return ary[tuple(0 if stride == 0 else slice(None) for stride in ary.strides)]


def is_contiguous(ary: Any) -> bool:
    """Returns whether the elements, repetitions aside, lie in C order without gaps."""
    step = ary.dtype.itemsize
    for extent, stride in zip(reversed(ary.shape), reversed(ary.strides), strict=True):
        if extent > 1 and stride != 0:
            if stride != step:
                return False
            step *= extent
    return True


def from_array_like(ary: Any, stream: Any = 0, gpu_data: Any = None) -> DeviceNDArray:
    """A device array of undefined content like `ary`; `gpu_data` is not taken."""
    if gpu_data is not None:
        raise NotImplementedError("memory of one's own is given to from_cuda_array_interface")
    return device_array_like(ary, stream)


def verify_cuda_ndarray_interface(obj: Any) -> None:
    """Raises `TypeError` for what is no device array."""
    if not is_cuda_ndarray(obj):
        raise TypeError("must be a device array")


__all__ = [
    "DeviceNDArray",
    "DeviceRecord",
    "array_core",
    "auto_device",
    "errmsg_contiguous_buffer",
    "from_array_like",
    "from_record_like",
    "is_contiguous",
    "is_cuda_ndarray",
    "verify_cuda_ndarray_interface",
]
