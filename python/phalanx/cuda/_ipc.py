"""Arrays in GPU memory that several processes share."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine
from ._bridge import to_engine
from ._device_array import DeviceNDArray, packed_strides
from ._memory_manager import IpcHandle, IpcName


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

    def __init__(self, name: bytes, device: _engine.Device | None = None, offset: int = 0) -> None:
        self._device = _engine.current_device() if device is None else device
        self._base = self._device.open_memory(name)
        self.address = self._base + offset

    def array(
        self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any
    ) -> DeviceNDArray:
        address = self.address + offset
        return DeviceNDArray(address, shape, strides, to_engine(dtype), self, device=self._device)

    def close(self) -> None:
        """Closes it, once the work that uses it is done."""
        self._device.synchronize()
        self._device.close_memory(self._base)


class _StagedMemory:
    """A copy of memory of another process, on another device than the memory's."""

    def __init__(self, opened: _OpenMemory, size: int, device: _engine.Device) -> None:
        import numpy as np

        layout = ((size,), (1,), np.dtype(np.uint8))
        host = opened.array(0, *layout).copy_to_host()
        opened.close()
        self._copy = DeviceNDArray((size,), to_engine(layout[2]), device=device)
        self._copy.copy_from_host(host)
        self.address = self._copy.address

    def array(
        self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any
    ) -> DeviceNDArray:
        return DeviceNDArray(self._copy, shape, strides, offset, to_engine(dtype))

    def close(self) -> None:
        """Gives the copy up."""
        del self._copy


def open_memory(handle: IpcHandle, context: Any) -> _OpenMemory | _StagedMemory:
    """What a handle names, on the context's device."""
    wanted = context.device._device
    source = wanted if handle.source_info is None else _engine.device("cuda", handle.source_info)
    opened = _OpenMemory(bytes(handle.handle), source, handle.offset)
    return opened if source == wanted else _StagedMemory(opened, handle.size, wanted)


def handle_of_memory(memory: Any) -> IpcHandle:
    """`Context.get_ipc_handle`, of an array, its `gpu_data`, or what `memalloc` gave."""
    array = getattr(memory, "array", None) or getattr(memory, "owner", memory)
    if not isinstance(array, _engine.DeviceArray):
        raise TypeError("a handle is of a device array, of its gpu_data, or of memory of memalloc")
    name, _, offset = array.export()
    return IpcHandle(array, IpcName(name), array.nbytes, array.device.ordinal, offset)


def layout_of(shape: Any, dtype: Any, strides: Any) -> tuple[Any, ...]:
    """Shape, strides and dtype as `_OpenMemory.array` takes them."""
    import numpy as np

    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    dtype = np.dtype(dtype)
    if strides is None:
        strides = packed_strides(shape, dtype.itemsize, "C")
    return shape, tuple(strides), dtype


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
    name = getattr(getattr(handle, "handle", handle), "reserved", handle)
    memory = _OpenMemory(bytes(name))
    try:
        yield memory.array(offset, *layout_of(shape, dtype, strides))
    finally:
        memory.close()
