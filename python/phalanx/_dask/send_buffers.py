"""Memory from which a GPU's arrays are sent: other processes can map it.

The memory of arrays is the driver's pool's. That has none of the handles by which UCX lets another
process read it, so that it would go by way of the host. Buffers are of RMM, which UCX comes with.

They are used again: a process that receives keeps what it has mapped, and memory that is freed here
stays taken until it lets go.
"""

from __future__ import annotations

import atexit
import threading
import weakref
from collections import deque
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import Any

import phalanx as px

from .._arrays import interchange

_LEAST = 1 << 15  # bytes; less is no faster so
_SHARE = 16  # of a GPU's memory, what buffers may have that nothing is sent from


class InBuffer:
    """The first bytes of a buffer, as libraries of CUDA take memory."""

    def __init__(self, buffer: Any, nbytes: int) -> None:
        self._buffer = buffer
        self.nbytes = nbytes

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {**self._buffer.__cuda_array_interface__, "shape": (self.nbytes,)}


class SendBuffers:
    """Buffers that `allocate` gives, of which those that are free have `room` bytes at most."""

    def __init__(self, allocate: Callable[[int], Any], room: int) -> None:
        self._allocate, self._room = allocate, room
        self._free: list[Any] = []  # the one that came back last at the end
        # Buffers become free in any thread, while this one may hold the lock.
        self._returned: deque[Any] = deque()
        self._lock = threading.Lock()

    def filled(self, memory: Any) -> Any:
        """A buffer with the bytes of some memory; the memory where there is no room for a copy."""
        if memory.nbytes < _LEAST:
            return memory
        try:
            made = self._taken(memory.nbytes)
        except MemoryError:
            self.clear()
            return memory
        target = px.asarray(made)._share()
        target.copy_from(memory)
        target.device.default_stream.synchronize()
        return made

    def clear(self) -> None:
        """Give the memory of free buffers back."""
        with self._lock:
            self._returned.clear()
            self._free.clear()

    def _taken(self, nbytes: int) -> InBuffer:
        buffer = self._free_one(nbytes) or self._allocate(_rounded(nbytes))
        made = InBuffer(buffer, nbytes)
        weakref.finalize(made, self._returned.append, buffer).atexit = False
        return made

    def _free_one(self, nbytes: int) -> Any:
        """The smallest buffer that fits and is not more than twice as large."""
        with self._lock:
            while self._returned:
                self._free.append(self._returned.popleft())
            fitting = [each for each in self._free if nbytes <= each.nbytes <= 2 * nbytes]
            found = min(fitting, key=lambda each: each.nbytes, default=None)
            self._free = [each for each in self._free if each is not found]
            while sum(each.nbytes for each in self._free) > self._room:
                del self._free[0]
            return found


def _rounded(nbytes: int) -> int:
    """At most an eighth more, so that arrays of nearly the same size take the same buffers."""
    step = 1 << max(0, nbytes.bit_length() - 4)
    return -(-nbytes // step) * step


@cache
def _of_rmm() -> SendBuffers | None:
    if find_spec("rmm") is None:
        return None
    import rmm

    room = px.memory_info("cuda").device_bytes // _SHARE
    made = SendBuffers(lambda size: rmm.DeviceBuffer(size=size), room)
    atexit.register(made.clear)  # while there is a driver
    return made


def filled(array: Any) -> Any:
    """The bytes of a contiguous array on a GPU, in memory that other processes can map.

    Without RMM, or where the GPU is full, it is the array's own.
    """
    memory = interchange.handed_out(array.view("uint8"))
    buffers = _of_rmm()
    made = memory if buffers is None else buffers.filled(memory)
    # A transport waits for the default stream of the GPU at most, whatever stream the memory names.
    memory.stream.synchronize()
    return made
