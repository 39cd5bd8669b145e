"""``cupy.cuda``: devices, streams and memory."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from typing import Any

from .._device import devices
from . import _cupy_table, cupy_memory, cupy_runtime, cupy_streams
from .cupy_memory import (
    MemoryAsyncPool,
    MemoryPointer,
    MemoryPool,
    PinnedMemoryPool,
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


class Device:
    """A GPU by its number, or the CPU device as number 0; as a context manager the current one."""

    def __init__(self, device: Any = None) -> None:
        number = runtime.getDevice() if device is None else getattr(device, "id", device)
        self.id = int(number)
        self._before: list[int] = []

    def __int__(self) -> int:
        return self.id

    @property
    def _own(self) -> devices.Device:
        return runtime._numbered(self.id)

    def use(self) -> Device:
        """Makes it the thread's current device; gives itself."""
        runtime._numbered(self.id)
        runtime.setDevice(self.id)
        return self

    def __enter__(self) -> Device:
        self._before.append(runtime.getDevice())
        return self.use()

    def __exit__(self, *details: object) -> None:
        runtime.setDevice(self._before.pop())

    def synchronize(self) -> None:
        """Waits for all work of the device."""
        self._own._device.synchronize()

    @property
    def compute_capability(self) -> str:
        """The digits of the compute capability, such as "90"."""
        return "{}{}".format(*self._own.compute_capability)

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free bytes, and all."""
        info = self._own._device.memory_info()
        return info["free"], info["total"]

    @property
    def attributes(self) -> dict[str, Any]:
        """The attributes of the device by CuPy's names, such as ``MultiProcessorCount``."""
        return runtime.attributes_of(self.id)

    @property
    def pci_bus_id(self) -> str:
        """Where it is on the bus."""
        found = self._own
        return f"{found.PCI_DOMAIN_ID:04X}:{found.PCI_BUS_ID:02X}:{found.PCI_DEVICE_ID:02X}.0"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self.id == other.id

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<CUDA Device {self.id}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return Device, (self.id,)


def get_device_id() -> int:
    """The number of the thread's current device."""
    return runtime.getDevice()


def get_compute_capability() -> str:
    """The digits of the current device's compute capability."""
    return Device().compute_capability


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
    "Graph",
    "MemoryAsyncPool",
    "MemoryPointer",
    "MemoryPool",
    "PinnedMemoryPool",
    "Stream",
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
