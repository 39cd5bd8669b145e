"""``numba.cuda.cudadrv.driver``: its classes and errors, which here have other homes."""

from __future__ import annotations

from ..cuda._devices import Context, Device
from ..cuda._memory_manager import (
    BaseCUDAMemoryManager,
    GetIpcHandleMixin,
    HostOnlyCUDAMemoryManager,
    IpcHandle,
    MemoryPointer,
    set_memory_manager,
)
from ..cuda._profiling import profile_start, profile_stop, profiling
from ..cuda._streams import Event, Stream, event_elapsed_time
from ..errors import DeviceError

CudaAPIError = DeviceError
LinkerError = DeviceError

__all__ = [
    "BaseCUDAMemoryManager",
    "Context",
    "CudaAPIError",
    "Device",
    "Event",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "IpcHandle",
    "LinkerError",
    "MemoryPointer",
    "Stream",
    "event_elapsed_time",
    "profile_start",
    "profile_stop",
    "profiling",
    "set_memory_manager",
]
