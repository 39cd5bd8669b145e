"""Pools of memory, which keep what is freed for later allocations of about the same size."""

from __future__ import annotations

import builtins
import contextlib
import gc
import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from .addresses import DeviceAllocation
from .context import Context
from .errors import LogicError, MemoryError
from .host_memory import HostPointer, pagelocked_empty
from .memory import mem_alloc

__all__ = [
    "DeviceMemoryPool", "PageLockedAllocator", "PageLockedMemoryPool", "PooledDeviceAllocation",
    "PooledHostAllocation", "bitlog2",
]  # fmt: skip

_MANTISSA_BITS = 4  # of a size, that blocks of one bin have in common: at most 1/16 is wasted


def bitlog2(n: int) -> int:
    """The position of the highest bit that is set, 0 for 0."""
    return max(int(n).bit_length() - 1, 0)


class _Pool:
    """Blocks by bins: those of a bin have one size."""

    def __init__(self) -> None:
        self._bins: dict[int, list[Any]] = {}
        self._is_holding = True
        self._active_blocks = self._active_bytes = self._managed_bytes = 0
        # Reentrant: the garbage collector may free a block while the pool's own code runs.
        self._lock = threading.RLock()

    @property
    def held_blocks(self) -> int:
        """How many blocks are free, and held."""
        with self._lock:
            return sum(map(len, self._bins.values()))

    @property
    def active_blocks(self) -> int:
        """How many blocks are in use."""
        return self._active_blocks

    @property
    def managed_bytes(self) -> int:
        """The bytes of all blocks: those in use and those that are held."""
        return self._managed_bytes

    @property
    def active_bytes(self) -> int:
        """The bytes that were asked for, of blocks in use."""
        return self._active_bytes

    def bin_number(self, size: int) -> int:
        """The bin of blocks for that many bytes: the exponent, and the next bits of the size."""
        exponent = bitlog2(size)
        shift = exponent - _MANTISSA_BITS
        head = size >> shift if shift >= 0 else size << -shift
        return exponent << _MANTISSA_BITS | head & (1 << _MANTISSA_BITS) - 1

    def alloc_size(self, bin_nr: int) -> int:
        """The bytes of the blocks of a bin: the most that fall into it."""
        exponent, mantissa = divmod(bin_nr, 1 << _MANTISSA_BITS)
        head = (1 << _MANTISSA_BITS) + mantissa
        shift = exponent - _MANTISSA_BITS
        return ((head + 1) << shift) - 1 if shift >= 0 else head >> -shift

    def free_held(self) -> None:
        """Gives back the memory of all blocks that are held."""
        with self._lock:
            for number, blocks in self._bins.items():
                self._managed_bytes -= self.alloc_size(number) * len(blocks)
                blocks.clear()

    def stop_holding(self) -> None:
        """Gives back what is held, and from now on every block as soon as it is free."""
        self._is_holding = False
        self.free_held()

    def _take(self, size: int, allocate: Callable[[int], Any]) -> Any:
        """A block for that many bytes. Raises `MemoryError` when nothing is left to give back."""
        if size < 0:
            raise LogicError(f"a pool has no block of {size} bytes")
        with self._lock:
            number = self.bin_number(size)
            block = self._held_or_made(number, allocate)
            self._active_blocks += 1
            self._active_bytes += size
        return block

    def _held_or_made(self, number: int, allocate: Callable[[int], Any]) -> Any:
        blocks = self._bins.setdefault(number, [])
        if blocks:
            return blocks.pop()
        size = self.alloc_size(number)
        for make_room in (lambda: None, gc.collect, self.free_held):
            make_room()
            if blocks:
                return blocks.pop()
            with contextlib.suppress(builtins.MemoryError):
                block = allocate(size)
                self._managed_bytes += size
                return block
        raise MemoryError(
            f"memory_pool::allocate failed: out of memory - {size} bytes, with "
            f"{self.active_blocks} blocks of {self.active_bytes} bytes in use and none held"
        )

    def _give_back(self, block: Any, size: int) -> None:
        with self._lock:
            number = self.bin_number(size)
            self._active_blocks -= 1
            self._active_bytes -= size
            if self._is_holding:
                self._bins.setdefault(number, []).append(block)
            else:
                self._managed_bytes -= self.alloc_size(number)


class PooledDeviceAllocation(DeviceAllocation):
    """Memory of a pool. It goes back there by `free`, or when nobody has the object any more."""

    def __init__(self, pool: DeviceMemoryPool, block: Any, size: int) -> None:
        super().__init__(block)
        self._pool, self._size = pool, size

    @property
    def size(self) -> int:
        """The bytes that were asked for."""
        return self._size

    def __len__(self) -> int:
        return self._size

    def __bool__(self) -> bool:
        return True  # by its length, one of no bytes would be false

    def free(self) -> None:
        """Gives the memory back to the pool. Raises `LogicError` the second time."""
        block = self._held
        super().free()
        self._pool._give_back(block, self._size)

    def __del__(self) -> None:
        if self._held is not None:
            self.free()


class DeviceMemoryPool(_Pool):
    """A pool of memory of the device that is current when it is made."""

    def __init__(self) -> None:
        super().__init__()
        self._device = Context.get_device()

    def allocate(self, size: int) -> PooledDeviceAllocation:
        """A block of at least that many bytes.

        What is held is given back where memory is short; raises `MemoryError` where that is not
        enough.
        """
        return PooledDeviceAllocation(self, self._take(int(size), self._make), int(size))

    __call__ = allocate

    def _make(self, size: int) -> Any:
        with self._device._own:
            return mem_alloc(size).memory


class PageLockedAllocator:
    """How a `PageLockedMemoryPool` allocates: with flags of `pycuda.driver.host_alloc_flags`."""

    def __init__(self, flags: int = 0) -> None:
        self.flags = int(flags)


class PooledHostAllocation(HostPointer):
    """Page-locked memory of a pool: the ``base`` of the arrays that the pool allocates."""

    _block: Any = None

    def __init__(self, pool: PageLockedMemoryPool, block: Any, array: Any) -> None:
        super().__init__(array)
        self._pool, self._block = pool, block

    def __len__(self) -> int:
        return int(self._array.nbytes)

    def __bool__(self) -> bool:
        return True

    def free(self) -> None:
        """Gives the memory back to the pool, before the array is gone.

        Raises `LogicError` the second time.
        """
        block, self._block = self._block, None
        if block is None:
            raise LogicError("the memory was given back to the pool before, by free()")
        self._pool._give_back(block, len(self))

    def __del__(self) -> None:
        if self._block is not None:
            self.free()


class PageLockedMemoryPool(_Pool):
    """A pool of page-locked memory of the host."""

    def __init__(self, allocator: PageLockedAllocator | None = None) -> None:
        super().__init__()
        self._allocator = allocator or PageLockedAllocator()

    def allocate(self, shape: Any, dtype: Any, order: Any = "C") -> np.ndarray[Any, Any]:
        """A NumPy array, whose elements are not set. Raises `MemoryError`."""
        dtype = np.dtype(dtype)
        extents = (shape,) if isinstance(shape, (int, np.integer)) else tuple(shape)
        size = int(np.prod(extents, dtype=np.int64)) * dtype.itemsize
        block = self._take(size, self._make)
        array = np.ndarray(extents, dtype, block[:size].data, order=order)
        return np.asarray(PooledHostAllocation(self, block, array))

    def _make(self, size: int) -> Any:
        return pagelocked_empty((size,), np.uint8, mem_flags=self._allocator.flags)
