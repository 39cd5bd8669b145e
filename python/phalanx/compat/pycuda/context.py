"""Devices, contexts, streams and events of `pycuda.driver`."""

from __future__ import annotations

import atexit
import contextlib
import operator
import threading
import time
import warnings
import weakref
from typing import Any

from ... import _engine, cuda
from ..._device import devices
from . import flags
from .errors import LogicError, of_driver

__all__ = [
    "Context", "Device", "Event", "Stream", "get_driver_version", "get_version", "init",
    "mem_get_info", "start_profiler", "stop_profiler",
]  # fmt: skip

_VERSION = (13, 0, 0)  # of CUDA, whose interface this is


def init(flags: int = 0) -> None:
    """Raises `RuntimeError` where no device can be used; else there is nothing to do."""
    with of_driver("cuInit"):
        _engine.current_device()


def get_version() -> tuple[int, int, int]:
    """The version of CUDA whose interface this is."""
    return _VERSION


def get_driver_version() -> int:
    """The version of CUDA that the driver serves, such as 13000; of the CPU device the same."""
    from .. import cupy_runtime

    if _engine.current_device().is_host:
        return 1000 * _VERSION[0] + 10 * _VERSION[1]
    return int(cupy_runtime.driverGetVersion())


def mem_get_info() -> tuple[int, int]:
    """Free and all bytes of the current device's memory."""
    with of_driver("cuMemGetInfo"):
        free, total = devices.current_context().get_memory_info()
    return int(free), int(total)


def start_profiler() -> None:
    """Profilers record from here on."""
    cuda.profile_start()


def stop_profiler() -> None:
    """Profilers record no more."""
    cuda.profile_stop()


class Device:
    """A device by its number, or by the text that `pci_bus_id` gives.

    Attributes of the driver are attributes in lower case: ``device.warp_size``. Raises
    `LogicError` for one that is not there.
    """

    def __init__(self, number: int | str) -> None:
        every = _devices()
        if isinstance(number, str):
            found = [each for each in every if _bus_id(each) == number]
            if not found:
                raise LogicError(f"cuDeviceGetByPCIBusId failed: no device {number}")
            self._own = found[0]
        elif 0 <= operator.index(number) < len(every):
            self._own = every[number]
        else:
            raise LogicError(
                f"cuDeviceGet failed: invalid device ordinal - {number}; there are {len(every)}"
            )

    @classmethod
    def _of(cls, own: devices.Device) -> Device:
        made = object.__new__(cls)
        made._own = own
        return made

    @staticmethod
    def count() -> int:
        """How many devices there are: GPUs, or the CPU device alone."""
        return len(_devices())

    def name(self) -> str:
        """The model."""
        return self._own.name.decode()

    def pci_bus_id(self) -> str:
        """``domain:bus:device.function`` in hexadecimal digits."""
        return _bus_id(self._own)

    def compute_capability(self) -> tuple[int, int]:
        """(major, minor)."""
        return self._own.compute_capability

    def total_memory(self) -> int:
        """Bytes of the device's memory."""
        with self._own:
            return mem_get_info()[1]

    def get_attribute(self, attribute: int) -> int:
        """The value of a `device_attribute`."""
        try:
            return int(getattr(self._own, flags.device_attribute(attribute).name))
        except ValueError:
            raise LogicError(f"cuDeviceGetAttribute failed: no attribute {attribute}") from None

    def get_attributes(self) -> dict[Any, int]:
        """All attributes, by `device_attribute`."""
        return {each: self.get_attribute(each) for each in flags.device_attribute}

    def __getattr__(self, name: str) -> int:
        try:
            attribute = flags.device_attribute[name.upper()]
        except KeyError:
            raise AttributeError(f"devices have no attribute {name!r}") from None
        return self.get_attribute(attribute)

    def make_context(self, flags: int = 0) -> Context:
        """The device's context, on the top of the thread's stack."""
        made = Context(self)
        made.push()
        return made

    def retain_primary_context(self) -> Context:
        """The device's context; `push` makes it the current one."""
        return Context(self)

    def can_access_peer(self, other: Device) -> bool:
        """Returns whether kernels of the device reach the other one's memory."""
        return self == other

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._own == other._own

    def __hash__(self) -> int:
        return hash(self._own)

    def __repr__(self) -> str:
        return f"<Device {self._own.id} {self.name()}>"


def _devices() -> list[devices.Device]:
    """All GPUs; where the current device is the CPU device, that alone."""
    with of_driver("cuDeviceGetCount"):
        current = devices.get_current_device()
    return [current] if current._device.is_host else list(devices.list_devices())


def _bus_id(own: devices.Device) -> str:
    domain, bus, number = own.PCI_DOMAIN_ID, own.PCI_BUS_ID, own.PCI_DEVICE_ID
    return f"{domain:04X}:{bus:02X}:{number:02X}.0"


class _Local(threading.local):
    def __init__(self) -> None:
        self.stack: list[Context] = []


_local = _Local()
_used: set[Device] = set()  # those that had a context or a module


def note_use() -> None:
    """The current device's work is finished at the end of the process."""
    _used.add(Context.get_device())


@atexit.register
def _finish_work() -> None:
    """What kernels have printed is shown, as where CUDA ends a context."""
    for device in _used:
        with contextlib.suppress(Exception), device._own:
            cuda.synchronize()


class Context:
    """Where a thread's work goes: a device. All contexts of a device share its memory."""

    def __init__(self, device: Device) -> None:
        _used.add(device)
        self._device = device
        self._is_gone = False
        self._functions: weakref.WeakSet[_engine.KernelCaller] = weakref.WeakSet()
        self._chosen: dict[int, int] = {}

    @staticmethod
    def get_current() -> Context | None:
        """The context at the top of the thread's stack, or None."""
        return _local.stack[-1] if _local.stack else None

    @staticmethod
    def get_device() -> Device:
        """The current device."""
        current = Context.get_current()
        return Device._of(devices.get_current_device()) if current is None else current._device

    @staticmethod
    def synchronize() -> None:
        """Waits for all work of the current device."""
        with of_driver("cuCtxSynchronize"):
            cuda.synchronize()

    def push(self) -> None:
        """Makes it the thread's current context. Raises `LogicError` for one that is detached."""
        self._check("cuCtxPushCurrent")
        self._device._own.__enter__()
        _local.stack.append(self)

    @staticmethod
    def pop() -> None:
        """Makes the context before the current one. Raises `LogicError` where there is none."""
        if not _local.stack:
            raise LogicError("cuCtxPopCurrent failed: the thread's stack of contexts is empty")
        _local.stack.pop()._device._own.__exit__()

    def detach(self) -> None:
        """Ends the use of the context: what was made in it raises `LogicError` from here on."""
        self._check("cuCtxDetach")
        if self in _local.stack:
            while Context.get_current() is not self:
                Context.pop()
            Context.pop()
        self._is_gone = True
        for each in list(self._functions):
            each._forget_configuration()  # else it would launch without asking

    def _check(self, call: str) -> None:
        if self._is_gone:
            raise LogicError(f"{call} failed: context is destroyed - it was detached before")

    def get_api_version(self) -> int:
        """The version of the interface."""
        return 3020

    @staticmethod
    def get_limit(limit: int) -> int:
        """What `set_limit` has set, 0 before."""
        current = Context.get_current()
        return 0 if current is None else current._chosen.get(int(limit), 0)

    @staticmethod
    def set_limit(limit: int, value: int) -> None:
        """Is kept, and changes nothing: the engine sets stacks and buffers itself."""
        current = Context.get_current()
        if current is None:
            raise LogicError("cuCtxSetLimit failed: invalid context - there is no current one")
        current._chosen[int(limit)] = int(value)

    @staticmethod
    def get_cache_config() -> Any:
        """Always `PREFER_NONE`."""
        return flags.func_cache.PREFER_NONE

    @staticmethod
    def set_cache_config(config: int) -> None:
        """Changes nothing: it is a hint, which GPUs of today do not take."""

    get_shared_config = staticmethod(lambda: flags.shared_config.DEFAULT_BANK_SIZE)
    set_shared_config = set_cache_config

    def enable_peer_access(self, peer: Context, flags: int = 0) -> None:
        """Raises `LogicError`: memory of another device is copied, by `memcpy_peer`."""
        raise LogicError("cuCtxEnablePeerAccess failed: copy with memcpy_peer instead")

    def disable_peer_access(self, peer: Context) -> None:
        """There is nothing to disable."""

    def __repr__(self) -> str:
        return f"<Context of {self._device!r}>"


class Stream:
    """A queue of work: what is given to it is done in order."""

    def __init__(self, flags: int = 0) -> None:
        with of_driver("cuStreamCreate"):
            self._own = cuda.stream()

    @property
    def handle(self) -> int:
        """The driver's handle."""
        return int(self._own.handle)

    def synchronize(self) -> None:
        """Waits until all its work is done."""
        with of_driver("cuStreamSynchronize"):
            self._own.synchronize()

    def is_done(self) -> bool:
        """Returns whether all its work is done."""
        return Event(flags.event_flags.DISABLE_TIMING).record(self).query()

    def wait_for_event(self, event: Event) -> None:
        """Makes later work wait for the event."""
        if not isinstance(event, Event):
            raise TypeError(f"a pycuda.driver.Event is waited for, not {type(event).__name__}")
        event._own.wait(self._own)

    def __repr__(self) -> str:
        return f"<Stream {self.handle}>"


def queue_of(stream: Stream | None) -> Any:
    """The engine's queue. Raises `TypeError` for what is no stream."""
    if stream is None:
        return 0
    if not isinstance(stream, Stream):
        raise TypeError(f"stream is a pycuda.driver.Stream or None, not {type(stream).__name__}")
    return stream._own


class Event:
    """A point in a stream's queue, with its time."""

    def __init__(self, flags: int = 0) -> None:
        with of_driver("cuEventCreate"):
            self._own = cuda.event(timing=not int(flags) & 2)

    def record(self, stream: Stream | None = None) -> Event:
        """Marks where the stream is now; gives itself."""
        with of_driver("cuEventRecord"):
            self._own.record(queue_of(stream))
        return self

    def synchronize(self) -> Event:
        """Waits until what was before it is done; gives itself."""
        with of_driver("cuEventSynchronize"):
            self._own.synchronize()
        return self

    def query(self) -> bool:
        """Returns whether what was before it is done."""
        with of_driver("cuEventQuery"):
            return bool(self._own.query())

    def time_since(self, event: Event) -> float:
        """Milliseconds from the other event to this one.

        Raises `LogicError` before both were recorded, and for an event without timing.
        """
        with of_driver("cuEventElapsedTime"):
            try:
                return float(event._own.elapsed_time(self._own))
            except ValueError as error:
                raise LogicError(f"cuEventElapsedTime failed: invalid handle - {error}") from None

    def time_till(self, event: Event) -> float:
        """Milliseconds from this event to the other one."""
        return event.time_since(self)

    def ipc_handle(self) -> bytes:
        """Raises `LogicError`: events are not shared between processes."""
        raise LogicError("cuIpcGetEventHandle failed: share memory, and wait by other means")


def seconds_of(launch: Any) -> float:
    """How long a launch takes, from an idle device to the end."""
    Context.synchronize()
    start = time.perf_counter()
    launch()
    Context.synchronize()
    return time.perf_counter() - start


def warn_once(text: str) -> None:
    """A warning at the caller's line."""
    warnings.warn(text, DeprecationWarning, stacklevel=3)
