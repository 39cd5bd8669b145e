"""How much memory arrays may take on a device, and what becomes of it."""

from __future__ import annotations

import operator
from dataclasses import dataclass

from .. import _engine
from . import placement


@dataclass(slots=True)
class SpillCounts:
    """What tables larger than memory wrote to files, of the whole process: who does it counts."""

    operations: int = 0
    nbytes: int = 0

    def add(self, nbytes: int) -> None:
        """One more operation went through files, which took that many bytes."""
        self.operations += 1
        self.nbytes += nbytes


FILES = SpillCounts()


@dataclass(frozen=True, slots=True)
class MemoryInfo:
    """The memory of one device, in bytes, as `memory_info` found it."""

    device: str
    limit: int | None  # as `set_memory_limit` was told
    used_bytes: int  # of live arrays, those of `phalanx.cuda` among them
    peak_bytes: int  # the most that was ever used
    cached_bytes: int  # kept by the pool for the next arrays
    free_bytes: int  # of the device, for anybody
    device_bytes: int  # of the device in all
    spilled_bytes: int  # of arrays of any device that are on the host to make room
    spills: int  # how often an array was moved there, so far
    restores: int  # how often one came back
    file_spills: int  # operations on data frames that went through files for lack of memory
    file_bytes: int  # what they wrote there, in all

    @property
    def total_bytes(self) -> int:
        """What the pool has from the device: used and cached."""
        return self.used_bytes + self.cached_bytes


def _place(device: object) -> _engine.Device:
    return placement.engine_device(device) or _engine.current_device()


def set_memory_limit(limit: int | None, device: object = None) -> None:
    """The most bytes that arrays may take on a device, by default the current one.

    Without a limit (None) they take what the device has. What the pool keeps for the next arrays
    counts, and is given back first; then arrays of a GPU that are not in use are moved to the
    host's memory, from where they come back by themselves. An array for which there is no room
    then raises `OutOfMemoryError`, a `MemoryError`. Arrays that are there stay.

    Raises `TypeError` for a limit that is no int, `ValueError` for a negative one and for a device
    that is not there.

    >>> px.set_memory_limit(1 << 30)
    >>> px.set_memory_limit(None)
    """
    if limit is not None and not hasattr(limit, "__index__"):
        raise TypeError(
            f"a memory limit is a number of bytes, an int such as 1 << 30, or None; not {limit!r}"
        )
    bytes_ = None if limit is None else operator.index(limit)
    if bytes_ is not None and bytes_ < 0:
        raise ValueError(f"a memory limit is a number of bytes from 0 on, or None; not {limit}")
    _place(device).set_memory_limit(bytes_)


def memory_info(device: object = None) -> MemoryInfo:
    """What the memory of a device is used for, by default of the current one.

    >>> px.memory_info().used_bytes >= 0
    True
    """
    place = _place(device)
    found = place.memory_info()
    spilled = _engine.array_spill_statistics()
    return MemoryInfo(
        device=placement.name_of(place),
        limit=found["limit"],
        used_bytes=found["used"],
        peak_bytes=found["peak"],
        cached_bytes=found["cached_here"],
        free_bytes=found["free"],
        device_bytes=found["total"],
        spilled_bytes=spilled["spilled_bytes"],
        spills=spilled["spills"],
        restores=spilled["restores"],
        file_spills=FILES.operations,
        file_bytes=FILES.nbytes,
    )


def free_all_blocks(device: object = None) -> None:
    """Gives the memory that a device's pool keeps for the next arrays back to the system.

    >>> px.free_all_blocks()
    """
    _place(device).trim_pool()


class MemoryPool:
    """The pool of the current device, with the methods that CuPy's has."""

    def used_bytes(self) -> int:
        """The bytes of live arrays."""
        return memory_info().used_bytes

    def free_bytes(self) -> int:
        """The bytes that the pool keeps for the next arrays."""
        return memory_info().cached_bytes

    def total_bytes(self) -> int:
        """Both together."""
        return memory_info().total_bytes

    def free_all_blocks(self) -> None:
        """Gives back what the pool keeps."""
        free_all_blocks()

    def set_limit(self, size: int | None = None, fraction: float | None = None) -> None:
        """As `set_memory_limit`; 0 is no limit, and `fraction` is of the device's memory."""
        if size is not None and fraction is not None:
            raise ValueError("a limit is a size or a fraction, not both")
        if fraction is not None:
            if not 0 <= fraction <= 1:
                raise ValueError(f"a fraction is from 0 to 1, not {fraction}")
            size = int(fraction * memory_info().device_bytes)
        set_memory_limit(size or None)

    def get_limit(self) -> int:
        """The limit in bytes; 0: none."""
        return memory_info().limit or 0


def get_default_memory_pool() -> MemoryPool:
    """The pool that arrays are in, for programs that ask CuPy's for its figures.

    >>> px.get_default_memory_pool().used_bytes() >= 0
    True
    """
    return MemoryPool()
