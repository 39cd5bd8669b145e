"""``cupy.cuda.memory``: the pools of memory, and memory without an array."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import phalanx as px

from .._arrays.cupy_methods import MemoryPointer, UnownedMemory
from ..errors import OutOfMemoryError

__all__ = [
    "MemoryAsyncPool",
    "MemoryPointer",
    "MemoryPool",
    "OutOfMemoryError",
    "PinnedMemoryPool",
    "UnownedMemory",
    "alloc",
    "alloc_pinned_memory",
    "get_allocator",
    "set_allocator",
    "set_pinned_memory_allocator",
    "using_allocator",
]


def alloc(size: int) -> Any:
    """Memory of the current device, from the pool."""
    return px.empty(size, "uint8").data


def malloc_managed(size: int) -> Any:
    """Always raises `NotImplementedError`: arrays are in a device's own memory."""
    raise NotImplementedError(
        "arrays of phalanx have no managed memory: they leave the device by themselves where it "
        "is full, and phalanx.cuda.managed_array makes arrays of it for kernels"
    )


class MemoryPool(type(px.get_default_memory_pool())):  # type: ignore[misc]
    """The pool of the current device, which all arrays share, whichever object asks."""

    def __init__(self, allocator: Any = None) -> None:
        if allocator is not None and getattr(allocator, "__module__", __name__) != __name__:
            raise _own_allocator()

    def malloc(self, size: int) -> Any:
        """Memory from the pool."""
        return alloc(size)

    def free_all_free(self) -> None:
        """Gives back what the pool keeps."""
        self.free_all_blocks()

    def n_free_blocks(self) -> int:
        """1 where the pool keeps memory for the next arrays, else 0: it does not count blocks."""
        return int(self.free_bytes() > 0)

    def free_all_blocks(self, stream: Any = None) -> None:
        """Gives back what the pool keeps, of all streams."""
        super().free_all_blocks()


def get_default_memory_pool() -> MemoryPool:
    """The pool that all arrays are in."""
    return MemoryPool()


class MemoryAsyncPool(MemoryPool):
    """The same pool: that of GPUs is the driver's stream-ordered one."""

    def __init__(self, pool_handles: Any = "current") -> None:
        if pool_handles not in ("current", "default"):
            raise _own_allocator()


class PinnedMemoryPool:
    """Page-locked memory of the host, none of which is kept."""

    def n_free_blocks(self) -> int:
        """0: pinned memory that is let go is given back at once."""
        return 0

    def free_all_blocks(self) -> None:
        """There is nothing to give back."""

    def malloc(self, size: int) -> Any:
        """Page-locked memory."""
        return alloc_pinned_memory(size)


def alloc_pinned_memory(size: int) -> Any:
    """Page-locked memory of the host, as a buffer of bytes (a NumPy array of uint8)."""
    from .. import cuda

    return cuda.pinned_array(size, "uint8")


def get_allocator() -> Any:
    """The function that arrays get memory by: always that of the pool."""
    return MemoryPool().malloc


def set_allocator(allocator: Any = None) -> None:
    """Changes nothing for None or a pool's `malloc`: arrays are always in the pool.

    Raises `NotImplementedError` for other allocators.
    """
    if allocator is None or allocator is alloc:
        return
    if not isinstance(getattr(allocator, "__self__", None), type(px.get_default_memory_pool())):
        raise _own_allocator()


@contextlib.contextmanager
def using_allocator(allocator: Any = None) -> Iterator[None]:
    """As `set_allocator`, inside."""
    set_allocator(allocator)
    yield


def set_pinned_memory_allocator(allocator: Any = None) -> None:
    """Changes nothing for None or the pool's `malloc`; others raise `NotImplementedError`."""
    if allocator is None or allocator is alloc_pinned_memory:
        return
    if not isinstance(getattr(allocator, "__self__", None), PinnedMemoryPool):
        raise _own_allocator()


def _own_allocator() -> NotImplementedError:
    return NotImplementedError(
        "arrays of phalanx come from its own pool: px.set_memory_limit bounds it, and "
        "phalanx.cuda.set_memory_manager takes another one for kernels' arrays"
    )
