"""``cupy.cuda``: devices, streams and memory."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

import phalanx as px

from . import _cupy_table, cupy_memory, cupy_runtime, cupy_streams
from .cupy_function import Function, Module
from .cupy_memory import (
    MemoryAsyncPool,
    MemoryPointer,
    MemoryPool,
    PinnedMemoryPool,
    UnownedMemory,
    alloc,
    alloc_pinned_memory,
    get_allocator,
    malloc_managed,
    set_allocator,
    set_pinned_memory_allocator,
    using_allocator,
)
from .cupy_streams import (
    Event,
    ExternalStream,
    Graph,
    Stream,
    get_current_stream,
    get_elapsed_time,
)

runtime, memory, pinned_memory, stream = cupy_runtime, cupy_memory, cupy_memory, cupy_streams


# The class of `x.device` too: a device's name that has the members of CuPy's devices.
Device = type(px.empty(0).device)


def get_device_id() -> int:
    """The number of the thread's current device."""
    return runtime.getDevice()


def get_compute_capability() -> str:
    """The digits of the current device's compute capability."""
    return str(Device().compute_capability)


def is_available() -> bool:
    """Returns whether there is a device."""
    return runtime.is_usable()


def get_local_runtime_version() -> int:
    """The version of CUDA that the driver serves."""
    return runtime.runtimeGetVersion()


def get_cuda_path() -> None:
    """None: no toolkit is used."""


get_nvcc_path = get_rocm_path = get_hipcc_path = get_cuda_path


@contextlib.contextmanager
def profile() -> Iterator[None]:
    """Profilers see what runs inside."""
    from .. import cuda

    with cuda.profiling():
        yield


def __getattr__(name: str) -> Any:
    if f"cupy.cuda.{name}" in _cupy_table.TABLE:
        return importlib.import_module(f"cupy.cuda.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupy.cuda.{name}; {_cupy_table.remedy('cupy.cuda')}"
    )


__all__ = [
    "Device",
    "Event",
    "ExternalStream",
    "Function",
    "Graph",
    "MemoryAsyncPool",
    "MemoryPointer",
    "MemoryPool",
    "Module",
    "PinnedMemoryPool",
    "Stream",
    "UnownedMemory",
    "alloc",
    "alloc_pinned_memory",
    "get_allocator",
    "get_compute_capability",
    "get_current_stream",
    "get_device_id",
    "get_elapsed_time",
    "get_local_runtime_version",
    "is_available",
    "malloc_managed",
    "memory",
    "pinned_memory",
    "profile",
    "runtime",
    "set_allocator",
    "set_pinned_memory_allocator",
    "stream",
    "using_allocator",
]
