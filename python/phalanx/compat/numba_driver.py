"""``numba.cuda.cudadrv.driver``: its classes and errors, which here have other homes."""

from __future__ import annotations

from typing import Any

from .. import _engine
from .._device.devices import Context, Device, is_available, served_gpus
from .._device.ipc_memory import GetIpcHandleMixin, IpcHandle
from .._device.memory_manager import (
    BaseCUDAMemoryManager,
    HostOnlyCUDAMemoryManager,
    MemoryPointer,
    set_memory_manager,
)
from .._device.profiling import profile_start, profile_stop, profiling
from .._device.streams import Event, Stream, engine_stream, event_elapsed_time
from ..errors import DeviceError
from ._placeholders import names_of
from .numba_runtime import runtime

CudaAPIError = DeviceError
LinkerError = DeviceError


class Driver:
    """What scripts ask the driver itself."""

    @property
    def is_available(self) -> bool:
        """Returns whether kernels can run on a GPU, or on the CPU device that serves as one."""
        return is_available()

    def get_device_count(self) -> int:
        """How many GPUs there are, or 1 where the CPU device serves as one."""
        return len(served_gpus)

    def get_device(self, devnum: int = 0) -> Device:
        """One of them; raises `IndexError` where there is none of that number."""
        return served_gpus[devnum]

    def get_version(self) -> tuple[int, int]:
        """(major, minor) of the CUDA that the driver serves, as `runtime.get_version`."""
        return runtime.get_version()


driver = Driver()


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
    "Driver",
    "Event",
    "GetIpcHandleMixin",
    "HostOnlyCUDAMemoryManager",
    "IpcHandle",
    "LinkerError",
    "MemoryPointer",
    "Stream",
    "device_to_host",
    "driver",
    "event_elapsed_time",
    "host_to_device",
    "profile_start",
    "profile_stop",
    "profiling",
    "set_memory_manager",
]

__getattr__ = names_of("numba.cuda.cudadrv.driver")
