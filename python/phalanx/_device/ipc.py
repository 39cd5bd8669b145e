"""Arrays in GPU memory that several processes share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .. import _engine
from .._types.bridge import to_engine

Make = Callable[..., Any]  # of an array: its class


class IpcArrayHandle:
    """A device array for another process: pickle it there, and open it in a ``with`` block.

    Handles are of a GPU's memory:

        handle = array.get_ipc_handle()  # in the process that owns the array, which it must keep
        queue.put(handle)

        with queue.get() as shared:  # in the other one
            host = shared.copy_to_host()
    """

    def __init__(
        self, make: Make, name: bytes, offset: int, layout: tuple[Any, ...], owner: Any
    ) -> None:
        self._make = make
        self._name = name
        self._offset = offset
        self._layout = layout  # shape, strides, dtype
        self._owner = owner  # kept while this process may hand the handle on
        self._opened: OpenMemory | None = None

    def open(self) -> Any:
        """The array in this process; raises `ValueError` when it is open already.

        It is used until `close`:

            shared = handle.open()
            host = shared.copy_to_host()
            handle.close()
        """
        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = OpenMemory(self._make, self._name)
        shape, strides, dtype = self._layout
        return self._opened.array(self._offset, shape, strides, dtype)

    def close(self) -> None:
        """Gives the memory up in this process; the array must not be used any more.

        It has been used before:

            shared = handle.open()
            host = shared.copy_to_host()
            handle.close()
        """
        if self._opened is not None:
            self._opened.close()
            self._opened = None

    def __enter__(self) -> Any:
        return self.open()

    def __exit__(self, *details: object) -> None:
        self.close()

    def __reduce__(self) -> tuple[Any, ...]:
        return IpcArrayHandle, (self._make, self._name, self._offset, self._layout, None)


class OpenMemory:
    """Memory of another process while it is open here."""

    def __init__(
        self, make: Make, name: bytes, device: _engine.Device | None = None, offset: int = 0
    ) -> None:
        self._make = make
        self._device = _engine.current_device() if device is None else device
        self._base = self._device.open_memory(name)
        self.address = self._base + offset

    def array(
        self, offset: int, shape: tuple[int, ...], strides: tuple[int, ...], dtype: Any
    ) -> Any:
        """An array in it, from `offset` bytes on."""
        address = self.address + offset
        return self._make(address, shape, strides, to_engine(dtype), self, device=self._device)

    def close(self) -> None:
        """Closes it, once the work that uses it is done."""
        self._device.synchronize()
        self._device.close_memory(self._base)
