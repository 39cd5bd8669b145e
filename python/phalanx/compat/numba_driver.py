"""``numba.cuda.cudadrv.driver``: its classes and errors, which here have other homes."""

from __future__ import annotations

from typing import Any

from .. import _engine
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
from ..cuda._streams import Event, Stream, engine_stream, event_elapsed_time
from ..errors import DeviceError

CudaAPIError = DeviceError
LinkerError = DeviceError


def device_to_host(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copies bytes of device memory, by address, into a host array."""
    _bytes_at(src, size).copy_to_host(_bytes_of(dst, size), engine_stream(stream))


def host_to_device(dst: Any, src: Any, size: int, stream: Any = 0) -> None:
    """Copies bytes of a host array into device memory, by address."""
    _bytes_at(dst, size).copy_from_host(_bytes_of(src, size), engine_stream(stream))


def _bytes_at(memory: Any, size: int) -> _engine.DeviceArray:
    address = int(getattr(memory, "device_pointer_value", memory))
    return _engine.DeviceArray(address, (size,), (1,), _engine.Type.scalar("uint8"), memory)


def _bytes_of(array: Any, size: int) -> Any:
    return memoryview(array).cast("B")[:size]


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
    "device_to_host",
    "event_elapsed_time",
    "host_to_device",
    "profile_start",
    "profile_stop",
    "profiling",
    "set_memory_manager",
]
