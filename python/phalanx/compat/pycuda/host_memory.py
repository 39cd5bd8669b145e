"""Memory of the host that devices reach or copy fast: page-locked, managed, aligned."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from ... import _engine, cuda
from .context import Stream
from .errors import of_driver
from .flags import host_alloc_flags, mem_attach_flags

__all__ = [
    "AlignedHostAllocation", "HostPointer", "ManagedAllocation", "PagelockedHostAllocation",
    "RegisteredHostMemory", "aligned_empty", "aligned_empty_like", "aligned_zeros",
    "aligned_zeros_like", "managed_empty", "managed_empty_like", "managed_zeros",
    "managed_zeros_like", "pagelocked_empty", "pagelocked_empty_like", "pagelocked_zeros",
    "pagelocked_zeros_like", "register_host_memory",
]  # fmt: skip


class HostPointer:
    """The memory of an array of the host: its ``base``."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self.__array_interface__ = array.__array_interface__

    def get_device_pointer(self) -> int:
        """The address by which kernels reach it."""
        return int(self._array.ctypes.data)

    def __int__(self) -> int:
        return self.get_device_pointer()

    __index__ = __int__


class PagelockedHostAllocation(HostPointer):
    """Page-locked memory, which is given back when nobody has the array any more."""

    def free(self) -> None:
        """Changes nothing: the memory is given back with the array."""

    def get_flags(self) -> int:
        """What it was allocated with."""
        return 0


class ManagedAllocation(HostPointer):
    """Memory that moves between host and device."""

    def free(self) -> None:
        """Changes nothing: the memory is given back with the array."""

    def attach(self, flags: int, stream: Stream | None = None) -> None:
        """Changes nothing: the driver moves pages when they are touched."""


class AlignedHostAllocation(HostPointer):
    """Memory at a multiple of an alignment."""


class RegisteredHostMemory(HostPointer):
    """Page-locked memory of an array that there was; until `unregister`."""

    _pinned: Any = None

    def unregister(self) -> None:
        """Ends the page-locking."""
        self._pinned = None


def pointer_of(array: Any) -> HostPointer | None:
    """The memory that an array, or what it is a view of, is in; None for other arrays."""
    while isinstance(array, np.ndarray):
        array = array.base
    return array if isinstance(array, HostPointer) else None


def _check_shape(shape: Any) -> None:
    extents = np.atleast_1d(np.asarray(shape, dtype=object))
    if any(operator.index(each) < 0 for each in extents):
        raise ValueError(f"negative dimensions are not allowed: {shape}")


def pagelocked_empty(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Any:
    """A NumPy array in page-locked memory; with the flag DEVICEMAP kernels reach it."""
    _check_shape(shape)
    make = cuda.mapped_array if mem_flags & host_alloc_flags["DEVICEMAP"] else cuda.pinned_array
    with of_driver("cuMemHostAlloc"):
        return np.asarray(PagelockedHostAllocation(make(shape, np.dtype(dtype), order=order)))


def managed_empty(
    shape: Any, dtype: Any, order: str = "C", mem_flags: int = mem_attach_flags["GLOBAL"]
) -> Any:
    """A NumPy array in managed memory, which kernels take as it is."""
    _check_shape(shape)
    with of_driver("cuMemAllocManaged"):
        made = cuda.managed_array(shape, np.dtype(dtype), order=order)
    return np.asarray(ManagedAllocation(made))


def aligned_empty(shape: Any, dtype: Any, order: str = "C", alignment: int = 4096) -> Any:
    """A NumPy array that begins at a multiple of `alignment` bytes."""
    _check_shape(shape)
    if alignment < 1:
        raise ValueError(f"an alignment of {alignment} bytes: it is 1 or more")
    dtype = np.dtype(dtype)
    size = int(np.prod(shape, dtype=np.int64)) * dtype.itemsize
    memory = np.empty(size + alignment, np.uint8)
    start = -memory.ctypes.data % alignment
    kind: Any = order
    array = np.ndarray(shape, dtype, memory[start : start + size].data, order=kind)
    return np.asarray(AlignedHostAllocation(array))


def register_host_memory(ary: Any, flags: int = 0) -> Any:
    """Page-locks an array's memory; the result's ``base`` has ``unregister()``."""
    if not isinstance(ary, np.ndarray):
        raise TypeError(f"memory of a NumPy array is registered, not {type(ary).__name__}")
    with of_driver("cuMemHostRegister"):
        held = RegisteredHostMemory(ary)
        held._pinned = _engine.pin(ary, mapped=bool(flags & 2))
    return np.asarray(held)


def _order_of(array: Any) -> str:
    if array.flags.c_contiguous:
        return "C"
    if array.flags.f_contiguous:
        return "F"
    raise ValueError("could not detect array order")


def pagelocked_zeros(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 0) -> Any:
    """The same, of zeros."""
    made = pagelocked_empty(shape, dtype, order, mem_flags)
    made.fill(0)
    return made


def pagelocked_empty_like(array: Any, mem_flags: int = 0) -> Any:
    """The same with another array's shape, dtype and order."""
    return pagelocked_empty(array.shape, array.dtype, _order_of(array), mem_flags)


def pagelocked_zeros_like(array: Any, mem_flags: int = 0) -> Any:
    """The same with another array's shape, dtype and order, of zeros."""
    return pagelocked_zeros(array.shape, array.dtype, _order_of(array), mem_flags)


def managed_zeros(shape: Any, dtype: Any, order: str = "C", mem_flags: int = 1) -> Any:
    """The same, of zeros."""
    made = managed_empty(shape, dtype, order, mem_flags)
    made.fill(0)
    return made


def managed_empty_like(array: Any, mem_flags: int = 1) -> Any:
    """The same with another array's shape, dtype and order."""
    return managed_empty(array.shape, array.dtype, _order_of(array), mem_flags)


def managed_zeros_like(array: Any, mem_flags: int = 1) -> Any:
    """The same with another array's shape, dtype and order, of zeros."""
    return managed_zeros(array.shape, array.dtype, _order_of(array), mem_flags)


def aligned_zeros(shape: Any, dtype: Any, order: str = "C", alignment: int = 4096) -> Any:
    """The same, of zeros."""
    made = aligned_empty(shape, dtype, order, alignment)
    made.fill(0)
    return made


def aligned_empty_like(array: Any, alignment: int = 4096) -> Any:
    """The same with another array's shape, dtype and order."""
    return aligned_empty(array.shape, array.dtype, _order_of(array), alignment)


def aligned_zeros_like(array: Any, alignment: int = 4096) -> Any:
    """The same with another array's shape, dtype and order, of zeros."""
    return aligned_zeros(array.shape, array.dtype, _order_of(array), alignment)
