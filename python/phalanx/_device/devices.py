"""Devices and contexts: which GPU, how much memory, what there is."""

from __future__ import annotations

import contextlib
import functools
import itertools
import threading
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .. import _engine
from .._core.cards import card, size
from ..errors import DeviceError
from . import device_attributes
from .managers import managers
from .streams import Event, Stream

_serve_cpu = False

# Called before a device is reset.
before_reset: list[Callable[[], None]] = []


def serve_cpu_as_cuda() -> None:
    """Makes `is_available` true on the CPU device too: scripts under ``phalanx run`` ask it."""
    global _serve_cpu
    _serve_cpu = True


def _cpu_is_served() -> bool:
    if not _serve_cpu:
        return False
    try:
        return _engine.current_device().is_host
    except DeviceError:  # devices are disabled
        return False


class Device:
    """One device; attributes such as ``MULTIPROCESSOR_COUNT`` are the driver's."""

    def __init__(self, engine_device: _engine.Device) -> None:
        self._device = engine_device

    @property
    def id(self) -> int:
        """Number of the device, from 0."""
        return int(self._device.ordinal)

    @property
    def name(self) -> bytes:
        """Name of the model, as bytes like numba.cuda's."""
        return str(self._device.name).encode()

    @property
    def uuid(self) -> str:
        """``GPU-xxxxxxxx-xxxx-...``, as nvidia-smi prints it; ``CPU-...`` for the CPU device."""
        digits = bytes(self._device.uuid).hex()
        cuts = (0, 8, 12, 16, 20, 32)
        parts = [digits[a:b] for a, b in itertools.pairwise(cuts)]
        return f"{'GPU' if self._device.kind == 'cuda' else 'CPU'}-{'-'.join(parts)}"

    @property
    def compute_capability(self) -> tuple[int, int]:
        """(major, minor). The CPU device has that of the features its kernels may use."""
        return self._device.compute_capability or device_attributes.CPU_COMPUTE_CAPABILITY

    @property
    def supports_float16(self) -> bool:
        """Returns whether kernels may use float16 arithmetic."""
        return self.compute_capability >= (5, 3)

    @property
    def supports_bfloat16(self) -> bool:
        """Returns whether kernels may use bfloat16 arithmetic."""
        return self.compute_capability >= (8, 0)

    @property
    def supports_fp8(self) -> bool:
        """False: Phalanx has no types of eight bits."""
        return False

    def get_primary_context(self) -> Context:
        """The context that all users of the device share."""
        return Context(self)

    def reset(self) -> None:
        """Waits for the device's work and gives cached memory back.

        Modules of linked code with callbacks are unloaded, which calls their teardown callbacks.
        """
        self._device.synchronize()
        for call in before_reset:
            call()
        self._device.trim_pool()

    def __getattr__(self, name: str) -> int:
        number = device_attributes.NUMBERS.get(name)
        if number is None:
            raise AttributeError(f"devices have no attribute {name!r}")
        value = self._device.attribute(number)
        if value is None:
            limit = device_attributes.CPU_LIMITS.get(name, 0)
            value = self._device.limits[limit] if isinstance(limit, str) else limit
        return int(value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Device) and self._device == other._device

    def __hash__(self) -> int:
        return hash(self._device)

    def __repr__(self) -> str:
        return f"<CUDA device {self.id} {self.name.decode()!r}>"

    def _repr_html_(self) -> str:
        memory = self._device.memory_info()
        rows = (
            ("kind", "host" if self._device.is_host else "GPU"),
            ("compute capability", ".".join(map(str, self.compute_capability))),
            ("multiprocessors or cores", self._device.limits["multiprocessors"]),
            ("memory", f"{size(memory['free'])} free of {size(memory['total'])}"),
            ("UUID", self.uuid),
        )
        return card(f"device {self.id}: {self.name.decode()}", rows)

    def __enter__(self) -> Device:
        if getattr(_local, "is_required", False) and _engine.current_device() != self._device:
            raise RuntimeError(
                "Cannot switch CUDA-context. A function with @cuda.require_context keeps its "
                "caller's device: switch before calling it"
            )
        _stack().append(_engine.current_device())
        _engine.set_current_device(self._device)
        return self

    def __exit__(self, *details: object) -> None:
        _engine.set_current_device(_stack().pop())


_local = threading.local()


def _stack() -> list[_engine.Device]:
    if not hasattr(_local, "devices"):
        _local.devices = []
    return _local.devices  # type: ignore[no-any-return]


class MemoryInfo(NamedTuple):
    """Bytes free for anybody and bytes in all.

    >>> info = cuda.current_context().get_memory_info()
    >>> info.free <= info.total
    True
    """

    free: int
    total: int


class Context:
    """A device as numba.cuda's contexts show it; all users of a device share one.

    >>> context = cuda.current_context()
    >>> context.synchronize()
    >>> context.device.id
    0
    """

    def __init__(self, device: Device) -> None:
        self.device = device

    @property
    def memory_manager(self) -> Any:
        """What gives device arrays their memory: a plug-in, or Phalanx's own."""
        return self._plugin or self._own_memory

    @memory_manager.setter
    def memory_manager(self, manager: Any) -> None:
        managers.set(self.device._device, manager)

    @property
    def _plugin(self) -> Any:
        return managers.get(self.device._device, self)

    @functools.cached_property
    def _own_memory(self) -> Any:
        from .own_memory import OwnMemoryManager

        return OwnMemoryManager(self)

    @property
    def deallocations(self) -> Any:
        """Memory that nobody uses any more and that is not given back yet; `clear` does so."""
        return self.memory_manager.deallocations

    def get_memory_info(self) -> MemoryInfo:
        """Bytes of the device's memory: free and in all."""
        if self._plugin is not None:
            with contextlib.suppress(NotImplementedError):
                return self._plugin.get_memory_info()  # type: ignore[no-any-return]
        info = self.device._device.memory_info()
        return MemoryInfo(info["free"], info["total"])

    def memalloc(self, bytesize: int) -> Any:
        """Bytes of device memory; `device_pointer_value` of the result is the address."""
        return self.memory_manager.memalloc(bytesize)

    def memallocmanaged(self, bytesize: int, attach_global: bool = True) -> Any:
        """Memory that moves between host and device on demand, as a buffer."""
        return self.memory_manager.memallocmanaged(bytesize, attach_global)

    def memhostalloc(
        self, bytesize: int, mapped: bool = False, portable: bool = False, wc: bool = False
    ) -> Any:
        """Page-locked memory of the host, as a buffer; kernels reach it where it is `mapped`."""
        return self.memory_manager.memhostalloc(bytesize, mapped, portable, wc)

    def mempin(self, owner: Any, pointer: Any, size: int, mapped: bool = False) -> Any:
        """Page-locks the memory of `owner` while what is returned lives."""
        return self.memory_manager.mempin(owner, pointer, size, mapped)

    def defer_cleanup(self) -> contextlib.AbstractContextManager[None]:
        """A ``with`` block in which the memory of device arrays is not given back."""
        return self.memory_manager.defer_cleanup()  # type: ignore[no-any-return]

    def get_ipc_handle(self, memory: Any) -> Any:
        """A handle by which other processes open memory: of an array, or of its `gpu_data`.

        Moves the array to memory that can be shared. Raises `ValueError` while views of it exist,
        `DeviceError` on the CPU device.
        """
        from .ipc_memory import handle_of_memory

        return handle_of_memory(memory)

    def create_stream(self) -> Any:
        """A new stream of the device."""
        return Stream(self.device._device.stream())

    def create_external_stream(self, ptr: int) -> Any:
        """A stream made elsewhere, by the driver's handle."""
        return Stream(self.device._device.external_stream(ptr), ptr)

    def get_default_stream(self) -> Any:
        """The stream that work without a stream goes to."""
        return Stream(self.device._device.default_stream)

    get_legacy_default_stream = get_default_stream

    def get_per_thread_default_stream(self) -> Any:
        """The calling thread's own default stream."""
        return Stream(self.device._device.stream("per_thread_default"))

    def create_event(self, timing: bool = True) -> Any:
        """A new event, with its time unless `timing` is false."""
        with self:
            return Event(timing)

    def synchronize(self) -> None:
        """Waits for all work of the device; raises the first error of it."""
        self.device._device.synchronize()

    def reset(self) -> None:
        """Gives memory that waits or is cached back to the system."""
        self.memory_manager.reset()
        self.device.reset()

    def push(self) -> None:
        """Makes the device current."""
        self.device.__enter__()

    def pop(self) -> None:
        """Makes the device current that was before `push`."""
        self.device.__exit__()

    @property
    def id(self) -> int:
        """Number of the device."""
        return self.device.id

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Context) and self.device == other.device

    def __hash__(self) -> int:
        return hash(self.device)

    def __repr__(self) -> str:
        return f"<CUDA context of device {self.id}>"

    def __enter__(self) -> Context:
        self.push()
        return self

    def __exit__(self, *details: object) -> None:
        self.pop()


class _Gpus:
    """The GPUs of this machine: a sequence, empty where there is none."""

    def __init__(self, serves_cpu: bool) -> None:
        self._serves_cpu = serves_cpu

    @property
    def lst(self) -> list[Device]:
        """All GPUs, in the driver's order."""
        if self._serves_cpu and _cpu_is_served():
            return [get_current_device()]
        if not _engine.driver_info()["usable"]:
            return []
        return [Device(each) for each in _engine.devices() if not each.is_host]

    @property
    def current(self) -> Device:
        """The calling thread's device."""
        return get_current_device()

    def __len__(self) -> int:
        return len(self.lst)

    def __iter__(self) -> Iterator[Device]:
        return iter(self.lst)

    def __getitem__(self, number: int) -> Device:
        found = self.lst
        if not -len(found) <= number < len(found):
            why = "" if found else f" ({cuda_error() or 'none was found'}); kernels run on the CPU"
            raise IndexError(f"there is no GPU {number}: this machine has {len(found)}{why}")
        return found[number]

    def __repr__(self) -> str:
        return f"<Managed Device List: {self.lst}>"

    def _repr_html_(self) -> str:
        found = self.lst
        title = f"GPUs: {len(found)}" if found else "no GPU: kernels run on the CPU device"
        return card(title, [(f"device {each.id}", each.name.decode()) for each in found])


gpus = _Gpus(serves_cpu=False)
served_gpus = _Gpus(serves_cpu=True)  # the CPU device under `phalanx run`, where it serves as a GPU


def list_devices() -> _Gpus:
    """The GPUs of this machine.

    >>> len(cuda.list_devices()) == len(cuda.gpus)
    True
    """
    return gpus


def get_current_device() -> Device:
    """The calling thread's device: a GPU, or the CPU device.

    >>> device = cuda.get_current_device()
    >>> device.id
    0
    """
    return Device(_engine.current_device())


def current_context(devnum: int | None = None) -> Context:
    """The context of a device, by default the calling thread's.

    >>> free, total = cuda.current_context().get_memory_info()
    >>> free <= total
    True
    """
    return Context(get_current_device() if devnum is None else _numbered(devnum))


def current_manager() -> Any:
    """The memory manager of the calling thread's device, None for Phalanx's own."""
    return current_context()._plugin if managers.are_used else None


def _numbered(number: int) -> Device:
    current = _engine.current_device()
    if current.is_host:
        if number != 0:
            raise ValueError(f"the CPU device is number 0; there is no device {number}")
        return Device(current)
    return Device(_engine.device("cuda", number))


def select_device(device_id: int) -> Context:
    """Makes a device the calling thread's and returns its context.

    Raises `DeviceError` when there is no such device. On the CPU device only 0 exists.
    """
    device = _numbered(device_id)
    _engine.set_current_device(device._device)
    return Context(device)


def close() -> None:
    """Waits for the work of the calling thread's device and gives cached memory back."""
    get_current_device().reset()


def synchronize() -> None:
    """Waits for all work of the calling thread's device; raises the first error of it.

    >>> cuda.synchronize()
    """
    _engine.current_device().synchronize()


def is_available() -> bool:
    """Returns whether kernels can run on a GPU; true on the CPU device under ``phalanx run``.

    >>> cuda.is_available() == (len(cuda.gpus) > 0)
    True
    """
    if _cpu_is_served():
        return True
    info = _engine.driver_info()
    return bool(info["usable"] and info["device_count"] > 0)


def is_supported_version() -> bool:
    """Returns whether the driver, if there is one, is new enough.

    >>> isinstance(cuda.is_supported_version(), bool)
    True
    """
    return _cpu_is_served() or bool(_engine.driver_info()["usable"])


def cuda_error() -> str | None:
    """Why no GPU can be used, ``None`` when one can or the CPU device serves as it.

    >>> isinstance(cuda.cuda_error(), str | None)
    True
    """
    if _cpu_is_served():
        return None
    try:
        _engine.current_device()
    except DeviceError as error:
        return str(error)
    return _engine.driver_info()["problem"] or None


def detect() -> bool:
    """Prints the devices of this machine; true when there is a GPU.

    Under ``phalanx run`` the CPU device is among them where it serves as a GPU.
    """
    found = served_gpus.lst
    print(f"Found {len(found)} CUDA devices")
    for device in found:
        major, minor = device.compute_capability
        print(f"id {device.id}    {device.name!r:>40}    [SUPPORTED]")
        print(f"{'Compute Capability':>40}: {major}.{minor}")
        print(f"{'UUID':>40}: {device.uuid}")
    if not found:
        print(f"    {cuda_error() or 'no GPU'}; kernels run on the CPU device")
    print(f"Summary:\n\t{len(found)}/{len(found)} devices are supported")
    return bool(found)


def require_context(function: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator: the function runs on its caller's device, and cannot switch to another one.

    >>> @cuda.require_context
    ... def copied(x):
    ...     return cuda.to_device(x).copy_to_host()
    >>> copied(np.arange(3.0))
    array([0., 1., 2.])
    """

    @functools.wraps(function)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        before = getattr(_local, "is_required", False)
        _local.is_required = True
        try:
            return function(*args, **kwargs)
        finally:
            _local.is_required = before

    return wrapper
