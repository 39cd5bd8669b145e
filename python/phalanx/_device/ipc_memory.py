"""Memory of a device that several processes share, by the driver's handles."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine
from .._types.bridge import to_engine
from .arrays import DeviceNDArray
from .ipc import OpenMemory
from .layout import packed_strides
from .memory_manager import MemoryPointer


class IpcName(bytes):
    """The 64 bytes by which other processes open memory."""

    @property
    def reserved(self) -> bytes:
        """The bytes, under the name that the driver's structure gives them."""
        return bytes(self)


class IpcHandle:
    """Memory for other processes: pickle it there, and open it.

    `handle` names the memory, `size` are its bytes from `offset` on, `source_info` is the number
    of its device, and `base` what holds it in the process that made it, None elsewhere.

    Handles are of a GPU's memory:

        handle = cuda.current_context().get_ipc_handle(array)  # in the process that owns it
        queue.put(handle)

        handle = queue.get()  # in the other one
        shared = handle.open_array(cuda.current_context(), shape=(100,), dtype=np.float32)
        host = shared.copy_to_host()
        handle.close()
    """

    def __init__(
        self, base: Any, handle: Any, size: int, source_info: Any = None, offset: int = 0
    ) -> None:
        self.base = base
        self.handle = handle
        self.size = size
        self.source_info = source_info
        self.offset = offset
        self._opened: Any = None

    def open(self, context: Any) -> int:
        """The address in this process, on the context's device; copied there if it is another's.

        Raises `ValueError` when it is open already. It is used until `close`:

            address = handle.open(cuda.current_context())
            other_library.use(address, handle.size)
            handle.close()
        """
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = open_memory(self, context)
        return int(self._opened.address)

    open_direct = open_staged = open

    def open_array(self, context: Any, shape: Any, dtype: Any, strides: Any = None) -> Any:
        """The memory as an array.

        It is used until `close`:

            shared = handle.open_array(cuda.current_context(), shape=(100,), dtype=np.float32)
            host = shared.copy_to_host()
            handle.close()
        """
        self.open(context)
        return self._opened.array(0, *layout_of(shape, dtype, strides))

    def close(self) -> None:
        """Gives the memory up in this process; raises `ValueError` when it is not open.

        >>> cuda.IpcHandle(None, bytes(64), 24).close()
        Traceback (most recent call last):
            ...
        ValueError: IpcHandle not opened
        """
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        self._opened.close()
        self._opened = None

    def __reduce__(self) -> tuple[Any, ...]:
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class GetIpcHandleMixin:
    """`get_ipc_handle` for plug-ins whose memory the driver can share as it is.

    It stands before the base of a plug-in:

        class Plugin(cuda.GetIpcHandleMixin, cuda.HostOnlyCUDAMemoryManager):
            interface_version = 1

            def memalloc(self, size):
                address = library.allocate(size)
                free = lambda: library.free(address)
                return cuda.MemoryPointer(self.context, address, size, finalizer=free)
    """

    def get_ipc_handle(self, memory: MemoryPointer) -> IpcHandle:
        """The driver's handle; raises `DeviceError` for memory that cannot be shared.

        It goes to other processes as it is:

            memory = plugin.memalloc(1000)
            handle = plugin.get_ipc_handle(memory)
        """
        device = _engine.current_device()
        name = IpcName(device.export_memory(memory.device_pointer_value))
        return IpcHandle(memory, name, memory.size, device.ordinal)


class _StagedMemory:
    """A copy of memory of another process, on another device than the memory's."""

    def __init__(self, opened: OpenMemory, size: int, device: _engine.Device) -> None:
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


def open_memory(handle: IpcHandle, context: Any) -> OpenMemory | _StagedMemory:
    """What a handle names, on the context's device."""
    wanted = context.device._device
    source = wanted if handle.source_info is None else _engine.device("cuda", handle.source_info)
    opened = OpenMemory(DeviceNDArray, bytes(handle.handle), source, handle.offset)
    return opened if source == wanted else _StagedMemory(opened, handle.size, wanted)


def handle_of_memory(memory: Any) -> IpcHandle:
    """`Context.get_ipc_handle`, of an array, its `gpu_data`, or what `memalloc` gave."""
    array = getattr(memory, "array", None) or getattr(memory, "owner", memory)
    if not isinstance(array, _engine.DeviceArray):
        raise TypeError("a handle is of a device array, of its gpu_data, or of memory of memalloc")
    name, _, offset = array.export()
    return IpcHandle(array, IpcName(name), array.nbytes, array.device.ordinal, offset)


def layout_of(shape: Any, dtype: Any, strides: Any) -> tuple[Any, ...]:
    """Shape, strides and dtype as `OpenMemory.array` takes them."""
    import numpy as np

    shape = (shape,) if hasattr(shape, "__index__") else tuple(shape)
    dtype = np.dtype(dtype)
    if strides is None:
        strides = packed_strides(shape, dtype.itemsize, "C")
    return shape, tuple(strides), dtype


@contextlib.contextmanager
def open_ipc_array(
    handle: Any, shape: Any, dtype: Any, strides: Any = None, offset: int = 0
) -> Iterator[DeviceNDArray]:
    """Memory of another process as an array, for the length of a ``with`` block.

    `handle` are the 64 bytes that name it (``cudaIpcMemHandle_t``, or an object with them in
    ``.handle.reserved``). Raises `DeviceError` on the CPU device, and where the memory is gone.

        name = handle_of_another_library()  # its 64 bytes came from the other process
        with cuda.open_ipc_array(name, shape=(100,), dtype=np.float32) as shared:
            host = shared.copy_to_host()
    """
    name = getattr(getattr(handle, "handle", handle), "reserved", handle)
    memory = OpenMemory(DeviceNDArray, bytes(name))
    try:
        yield memory.array(offset, *layout_of(shape, dtype, strides))
    finally:
        memory.close()
