"""Device memory from somebody else: the plug-in interface of numba.cuda (RMM, CuPy and others)."""

from __future__ import annotations

import contextlib
import ctypes
import weakref
from abc import ABCMeta, abstractmethod
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .. import _engine
from .managers import managers

if TYPE_CHECKING:
    from .devices import MemoryInfo

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
    managers.set_factory(mm_plugin)


def set_allocator(allocate: int | None, deallocate: int | None = None) -> None:
    """Lets the current device take its memory from two C functions, given by their addresses.

    They are ``void* allocate(ssize_t bytes, int device, cudaStream_t stream)`` and ``void
    deallocate(void* memory, ssize_t bytes, int device, cudaStream_t stream)``, as PyTorch's
    pluggable allocators and RMM have them. They make the device current themselves, and are not
    unloaded while an array of theirs lives. All device memory comes from them, of arrays and of
    launches; memory of the host does not. None goes back to Phalanx's own pool. What waits to be
    given back goes back first, unless it is held by `defer_cleanup`.

    Raises `ValueError` when one of the two is missing; where `allocate` returns null,
    `OutOfMemoryError` comes from what asked for memory.
    """
    _engine.current_device().set_allocator(allocate or 0, deallocate or 0)


def load(name: str) -> None:
    """Uses the plug-in that a module offers (``NUMBA_CUDA_MEMORY_MANAGER``)."""
    import importlib

    set_memory_manager(importlib.import_module(name)._numba_memory_manager)
