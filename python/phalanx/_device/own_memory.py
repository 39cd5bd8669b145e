"""Phalanx's own memory manager, as `Context.memory_manager` shows it where there is no plug-in."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine
from .memory_manager import MemoryPointer


class Deallocations:
    """Memory of arrays that nobody uses any more, and that is not given back yet.

    By default nothing waits. ``NUMBA_CUDA_MAX_PENDING_DEALLOCS_COUNT`` and ``..._RATIO`` let as
    many arrays wait, of as large a part of the device's memory, under ``phalanx run``; inside of
    `defer_cleanup` all of it waits.
    """

    def __init__(self, device: _engine.Device) -> None:
        self._pending = _engine.pending_memory(device)

    def clear(self) -> None:
        """Gives all of it back; does nothing inside of `defer_cleanup`."""
        self._pending.clear()

    @contextlib.contextmanager
    def disable(self) -> Iterator[None]:
        """A ``with`` block in which nothing is given back; blocks may be nested."""
        self._pending.hold()
        try:
            yield
        finally:
            self._pending.release()

    def __len__(self) -> int:
        return len(self._pending)

    @property
    def _size(self) -> int:
        """Bytes that wait."""
        return int(self._pending.nbytes)

    @property
    def _max_pending_bytes(self) -> int:
        """Bytes that may wait."""
        return int(self._pending.max_bytes)


class OwnMemoryManager:
    """The memory of one device. Raises `OutOfMemoryError` where there is not enough."""

    interface_version = 1

    def __init__(self, context: Any) -> None:
        self.context = context
        self._device = context.device._device
        self.deallocations = Deallocations(self._device)

    def memalloc(self, size: int) -> MemoryPointer:
        """`size` bytes of device memory."""
        array = _engine.DeviceArray((size,), _engine.Type.scalar("uint8"), device=self._device)
        return MemoryPointer(self.context, array.address, size, array)

    def memallocmanaged(self, size: int, attach_global: bool = True) -> Any:
        """Memory that moves between host and device on demand, as a buffer."""
        return _engine.HostMemory(size, "managed", self._device)

    def memhostalloc(
        self, size: int, mapped: bool = False, portable: bool = False, wc: bool = False
    ) -> Any:
        """Page-locked memory of the host, as a buffer."""
        return _engine.HostMemory(size, "mapped" if mapped else "pinned", self._device)

    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool = False) -> Any:
        """Page-locks the memory of `owner` while what is returned lives."""
        return _engine.pin(owner, mapped=mapped, device=self._device)

    def get_memory_info(self) -> Any:
        """Bytes of the device's memory: free and in all."""
        return self.context.get_memory_info()

    def defer_cleanup(self) -> Any:
        """A ``with`` block in which no memory is given back."""
        return self.deallocations.disable()

    def reset(self) -> None:
        """Gives back what waits."""
        self.deallocations.clear()
