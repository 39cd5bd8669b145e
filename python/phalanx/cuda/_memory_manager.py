"""Device memory from somebody else: the plug-in interface of numba.cuda (RMM, CuPy and others)."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any

from .. import _engine
from ._devices import Context, MemoryInfo, get_current_device, use_managers

_INTERFACE_VERSION = 1


class MemoryPointer:
    """Device memory that a memory manager gave out; `finalizer` runs when it is no longer used."""

    def __init__(
        self,
        context: Any,
        pointer: Any,
        size: int,
        owner: Any = None,
        finalizer: Callable[[], Any] | None = None,
    ) -> None:
        self.context = context
        self.device_pointer = pointer
        self.size = self._cuda_memsize_ = size
        self._owner = owner  # not itself: a cycle would keep the memory until a collection
        self._finalizer = None if finalizer is None else weakref.finalize(self, finalizer)

    @property
    def owner(self) -> Any:
        """Whose memory it is: its own unless another owner was given."""
        return self if self._owner is None else self._owner

    @property
    def device_pointer_value(self) -> int:
        """The address as a number; 0 for none."""
        value = getattr(self.device_pointer, "value", self.device_pointer)
        return int(value or 0)

    @property
    def device_ctypes_pointer(self) -> Any:
        """The address as a `ctypes.c_void_p`."""
        return ctypes.c_void_p(self.device_pointer_value)

    def own(self) -> MemoryPointer:
        """Itself: memory lives as long as a reference to it."""
        return self

    def free(self) -> None:
        """Runs the finalizer now."""
        if self._finalizer is not None:
            self._finalizer()


AutoFreePointer = MemoryPointer


class BaseCUDAMemoryManager(metaclass=ABCMeta):
    """What a plug-in implements that brings all kinds of memory itself.

    Phalanx asks it for the memory of device arrays. Pinned, mapped and managed memory, and what a
    launch needs for a moment, are its own.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if "context" not in kwargs:
            raise RuntimeError("Memory manager requires a context")
        self.context = kwargs.pop("context")

    @abstractmethod
    def memalloc(self, size: int) -> MemoryPointer:
        """`size` bytes of device memory."""

    @abstractmethod
    def memhostalloc(self, size: int, mapped: bool, portable: bool, wc: bool) -> Any:
        """`size` bytes of page-locked memory of the host."""

    @abstractmethod
    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool) -> Any:
        """Page-locks memory of the host."""

    @abstractmethod
    def initialize(self) -> None:
        """Called once, before the first allocation."""

    @abstractmethod
    def get_ipc_handle(self, memory: MemoryPointer) -> Any:
        """A handle with which other processes open the memory."""

    @abstractmethod
    def get_memory_info(self) -> MemoryInfo:
        """Bytes free and in all."""

    @abstractmethod
    def reset(self) -> None:
        """The context is given up: so is all memory."""

    @abstractmethod
    def defer_cleanup(self) -> Any:
        """A context manager in which nothing is given back that waits for the device."""

    @property
    @abstractmethod
    def interface_version(self) -> int:
        """The version of this interface that the plug-in is written for: 1."""


class HostOnlyCUDAMemoryManager(BaseCUDAMemoryManager):
    """The base of plug-ins for device memory: memory of the host is Phalanx's."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.allocations: dict[Any, Any] = {}
        self.deallocations: list[Any] = []

    def memhostalloc(
        self, size: int, mapped: bool = False, portable: bool = False, wc: bool = False
    ) -> Any:
        """Page-locked memory as a buffer."""
        return _engine.HostMemory(size, "mapped" if mapped else "pinned")

    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool = False) -> Any:
        """Page-locks the memory of `owner` while what is returned lives."""
        return _engine.pin(owner, mapped=mapped)

    def memallocmanaged(self, size: int, attach_global: bool) -> Any:
        """Memory that moves between host and device, as a buffer."""
        return _engine.HostMemory(size, "managed")

    def reset(self) -> None:
        """Forgets what was allocated."""
        self.allocations.clear()
        self.deallocations.clear()

    @contextlib.contextmanager
    def defer_cleanup(self) -> Iterator[None]:
        """Nothing waits for the device here."""
        yield


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

        Raises `ValueError` when it is open already.
        """
        from ._ipc import open_memory

        if self._opened is not None:
            raise ValueError("IpcHandle is already opened")
        self._opened = open_memory(self, context)
        return int(self._opened.address)

    open_direct = open_staged = open

    def open_array(self, context: Any, shape: Any, dtype: Any, strides: Any = None) -> Any:
        """The memory as an array."""
        from ._ipc import layout_of

        self.open(context)
        return self._opened.array(0, *layout_of(shape, dtype, strides))

    def close(self) -> None:
        """Gives the memory up in this process; raises `ValueError` when it is not open."""
        if self._opened is None:
            raise ValueError("IpcHandle not opened")
        self._opened.close()
        self._opened = None

    def __reduce__(self) -> tuple[Any, ...]:
        return IpcHandle, (None, self.handle, self.size, self.source_info, self.offset)


class GetIpcHandleMixin:
    """`get_ipc_handle` for plug-ins whose memory the driver can share as it is."""

    def get_ipc_handle(self, memory: MemoryPointer) -> IpcHandle:
        """The driver's handle; raises `DeviceError` for memory that cannot be shared."""
        device = _engine.current_device()
        name = IpcName(device.export_memory(memory.device_pointer_value))
        return IpcHandle(memory, name, memory.size, device.ordinal)


class _Managers:
    """The memory manager of each device, made when it is needed first."""

    def __init__(self) -> None:
        self._factory: type[BaseCUDAMemoryManager] | None = None
        self._made: dict[_engine.Device, BaseCUDAMemoryManager | None] = {}

    def set_factory(self, factory: type[BaseCUDAMemoryManager] | None) -> None:
        self._factory = factory
        self._made.clear()

    def get(self, device: _engine.Device, context: Context) -> BaseCUDAMemoryManager | None:
        if device not in self._made and self._factory is not None:
            self.set(device, self._factory(context=context))
        return self._made.get(device)

    def set(self, device: _engine.Device, manager: BaseCUDAMemoryManager | None) -> None:
        self._made[device] = manager
        if manager is not None:
            manager.initialize()


_managers = _Managers()
use_managers(_managers)


def set_memory_manager(mm_plugin: type[BaseCUDAMemoryManager] | None) -> None:
    """Lets device arrays made from now on get their memory from a plug-in, None: from Phalanx.

    Raises `RuntimeError` for a plug-in of another version of the interface.
    """
    if mm_plugin is not None:
        version = mm_plugin(context=None).interface_version
        if version != _INTERFACE_VERSION:
            raise RuntimeError(
                f"EMM Plugin interface has version {version} - version {_INTERFACE_VERSION} "
                "required"
            )
    _managers.set_factory(mm_plugin)


def current_manager() -> BaseCUDAMemoryManager | None:
    """The memory manager of the calling thread's device."""
    device = get_current_device()
    return _managers.get(device._device, device.get_primary_context())


def load(name: str) -> None:
    """Uses the plug-in that a module offers (``NUMBA_CUDA_MEMORY_MANAGER``)."""
    import importlib

    set_memory_manager(importlib.import_module(name)._numba_memory_manager)
