"""Where an array is: the device's name, which is also a device as CuPy has them."""

from __future__ import annotations

from typing import Any

from .. import _engine
from .._device import device_attributes, devices
from ..errors import DeviceError
from . import placement


class ArrayDevice(str):
    """A device's name, ``"cpu"`` or ``"cuda:1"``, with what CuPy's devices have.

    It equals the name as a plain str. As a context manager it is the thread's current device.
    ``ArrayDevice(1)`` is the GPU of that number, and 0 the CPU device where no GPU is in use;
    without an argument it is the thread's current device. Its members raise `DeviceError` where
    there is no such device.
    """

    __slots__ = ()

    def __new__(cls, device: Any = None) -> ArrayDevice:
        if device is None:
            name = placement.name_of(_engine.current_device())
        elif isinstance(device, (str, placement.device)):
            name = str(device)
        else:
            number = int(getattr(device, "id", device))
            is_cpu = number == 0 and _engine.current_device().is_host
            name = "cpu" if is_cpu else f"cuda:{number}"
        return super().__new__(cls, name)

    def __init__(self, device: Any = None) -> None:
        """Nothing is kept beside the name."""

    @property
    def id(self) -> int:
        """The number of the GPU; 0 for the CPU device."""
        return int(self.partition(":")[2] or 0)

    def __int__(self) -> int:
        return self.id

    @property
    def _engines(self) -> _engine.Device:
        if self == placement.AUTO:
            return placement.home()
        try:
            found = placement.engine_device(str(self))
        except ValueError as error:
            raise DeviceError(str(error)) from None
        assert found is not None
        return found

    @property
    def _own(self) -> devices.Device:
        return devices.Device(self._engines)

    def use(self) -> ArrayDevice:
        """Makes it the thread's current device; gives itself."""
        _engine.set_current_device(self._engines)
        return self

    def __enter__(self) -> ArrayDevice:
        placement.remember_current()
        return self.use()

    def __exit__(self, *details: object) -> None:
        placement.go_back()

    def synchronize(self) -> None:
        """Waits for all work of the device."""
        self._engines.synchronize()

    @property
    def compute_capability(self) -> str:
        """The digits of the compute capability, such as "90"."""
        return "{}{}".format(*self._own.compute_capability)

    @property
    def mem_info(self) -> tuple[int, int]:
        """The free bytes, and all."""
        info = self._engines.memory_info()
        return info["free"], info["total"]

    @property
    def attributes(self) -> dict[str, int]:
        """The attributes of the device by CuPy's names, such as ``MultiProcessorCount``."""
        return device_attributes.by_cupys_names(self._own)

    @property
    def pci_bus_id(self) -> str:
        """Where it is on the bus."""
        found = self._own
        return f"{found.PCI_DOMAIN_ID:04X}:{found.PCI_BUS_ID:02X}:{found.PCI_DEVICE_ID:02X}.0"

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayDevice, (str(self),)
