"""Arrays in GPU memory that several processes share."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine
from ._bridge import to_engine
from ._device_array import DeviceNDArray, packed_strides


class IpcArrayHandle:
    """A device array for another process: pickle it there, and open it in a ``with`` block.

    handle = array.get_ipc_handle()     # in the process that owns the array, which it must keep
    with handle as shared:              # in the other one
        shared.copy_to_host()
    """

    def __init__(self, name: bytes, offset: int, layout: tuple[Any, ...], owner: Any) -> None:
        self._name = name
        self._offset = offset
        self._layout = layout  # shape, strides, dtype
        self._owner = owner  # kept while this process may hand the handle on
        self._opened: _OpenMemory | None = None

    def open(self) -> DeviceNDArray:
        """The array in this process; raises `ValueError` when it is open already."""
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = _OpenMemory(self._name)
        shape, strides, dtype = self._layout
        return self._opened.array(self._offset, shape, strides, dtype)

    def close(self) -> None:
        """Gives the memory up in this process; the array must not be used any more."""
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> DeviceNDArray:
        return self.open()

    def __exit__(self, *details: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return IpcArrayHandle, (self._name, self._offset, self._layout, None)


class _OpenMemory:
    """Memory of another process while it is open here."""

    def __init__(self, name: bytes) -> None:
        self._device = _engine.current_device()
        self._address = self._device.open_memory(name)

    def array(
        self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any
    ) -> DeviceNDArray:
        address = self._address + offset
        return DeviceNDArray(address, shape, strides, to_engine(dtype), self)

    def close(self) -> None:
        """Closes it, once the work that uses it is done."""
        self._device.synchronize()
        self._device.close_memory(self._address)


def handle_of(array: DeviceNDArray) -> IpcArrayHandle:
    """`DeviceNDArray.get_ipc_handle`."""
    name, _, offset = array.export()
    layout = (tuple(array.shape), tuple(array.strides), array.dtype)
    return IpcArrayHandle(name, offset, layout, array)


@contextlib.contextmanager
def open_ipc_array(
    handle: Any, shape: Any, dtype: Any, strides: Any = None, offset: int = 0
) -> Iterator[DeviceNDArray]:
    """Memory of another process as an array, for the length of a ``with`` block.

    `handle` are the 64 bytes that name it (``cudaIpcMemHandle_t``, or an object with them in
    ``.handle.reserved``). Raises `DeviceError` on the CPU device, and where the memory is gone.
    """
    import numpy as np

    name = getattr(getattr(handle, "handle", handle), "reserved", handle)
    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    dtype = np.dtype(dtype)
    if strides is None:
        strides = packed_strides(shape, dtype.itemsize, "C")
    memory = _OpenMemory(bytes(name))
    try:
        yield memory.array(offset, shape, tuple(strides), dtype)
    finally:
        memory.close()
