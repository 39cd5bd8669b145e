"""Addresses in a device's memory, and bytes there and on the host as arrays."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from phalanx import ndarray

from ... import _engine
from ..._device.arrays import DeviceNDArray
from ..._device.transfer import from_cuda_array_interface
from .errors import LogicError


class PointerHolderBase:
    """What has an address in a device's memory: subclasses define ``get_pointer()``."""

    _room: int | None = None  # the bytes from there on, where it is known

    def get_pointer(self) -> int:
        """The address."""
        raise NotImplementedError

    def __int__(self) -> int:
        return self.get_pointer()

    def __index__(self) -> int:
        return self.get_pointer()

    def as_buffer(self, size: int, offset: int = 0) -> Any:
        """`size` bytes from `offset` on, as NumPy's uint8.

        Raises `LogicError` on a GPU, whose memory the host does not read, and beyond the memory.
        """
        import ctypes

        if not _engine.current_device().is_host:
            raise LogicError("the host does not read a GPU's memory: copy it by memcpy_dtoh")
        room = room_of(self)
        if offset < 0 or size < 0 or (room is not None and offset + size > room):
            raise LogicError(
                f"invalid value - {size} bytes from byte {offset} on of {room} are no buffer"
            )
        address = self.get_pointer() + offset
        memory: Any = (ctypes.c_uint8 * size).from_address(address)
        return np.frombuffer(memory, np.uint8)


class DeviceAllocation(_engine.HeldMemory, PointerHolderBase):
    """Memory of a device. It is freed by `free`, or when nobody has the object any more."""

    def __init__(self, memory: DeviceNDArray) -> None:
        self._held = memory  # of bytes
        self._address = int(memory.device_ctypes_pointer.value or 0)

    @property
    def memory(self) -> DeviceNDArray:
        """The bytes. Raises `LogicError` for memory that was freed."""
        held: DeviceNDArray | None = self._held
        if held is None:
            raise LogicError("the memory was freed before, by free()")
        return held

    def get_pointer(self) -> int:
        """The address."""
        if self._held is None:
            raise LogicError("the memory was freed before, by free()")
        return self._address

    def free(self) -> None:
        """Gives the memory back. Raises `LogicError` the second time."""
        if self._held is None:
            raise LogicError("cuMemFree failed: the memory was freed before")
        self._held = None

    @property
    def size(self) -> int:
        """Its bytes."""
        return int(self.memory.size)

    def __repr__(self) -> str:
        state = "freed" if self._held is None else f"{self.size} bytes at 0x{self._address:x}"
        return f"<{type(self).__name__} {state}>"


def room_of(given: Any) -> int | None:
    """How many bytes there are from an address on; None where nobody knows."""
    owner = getattr(given, "gpudata", given)
    if isinstance(owner, DeviceAllocation):
        return owner.size
    if isinstance(given, (ndarray, DeviceNDArray)):
        return int(given.nbytes)
    return given._room if isinstance(given, PointerHolderBase) else None


def address_of(given: Any) -> int:
    """The address that somebody passes for memory of a device.

    Raises `TypeError` for arrays of the host and for what has none.
    """
    if isinstance(given, (str, bytes, bool, float, np.floating, np.bool_)):
        raise TypeError(f"{type(given).__name__} is no memory of a device")
    if isinstance(given, ndarray):
        return int(given.data.ptr)
    if isinstance(given, np.ndarray):
        raise TypeError(
            "an array of the host is no memory of a device: drv.to_device(a) copies it there, "
            "drv.In(a), drv.Out(a) and drv.InOut(a) do so for a call"
        )
    if isinstance(given, DeviceNDArray):
        return int(given.device_ctypes_pointer.value or 0)
    interface = getattr(given, "__cuda_array_interface__", None)
    if interface is not None:
        return int(interface["data"][0])
    inner = getattr(given, "gpudata", None)
    try:
        return int(given if inner is None else inner)
    except TypeError:
        raise TypeError(f"{type(given).__name__} is no memory of a device") from None


def bytes_on_device(
    given: Any, shape: Sequence[int], strides: Sequence[int] | None = None, call: str = "memcpy"
) -> DeviceNDArray:
    """Bytes from an address on, as an array of uint8.

    Raises `LogicError` beyond an allocation, and where there is no memory at the address.
    """
    end = shape[0] if strides is None else span_of(shape, strides)
    check_room(given, 0, end, call)
    if isinstance(given, DeviceAllocation) and strides is None:
        whole: DeviceNDArray = given.memory[: shape[0]]
        return whole
    address, device = address_of(given), _engine.current_device()
    if not device.may_reach(address, end):
        raise LogicError(
            f"{call} failed: invalid argument - no memory of the device is at {address:#x}: pass "
            "what mem_alloc gave, or an array's gpudata"
        )
    described = {
        "shape": tuple(shape),
        "typestr": "|u1",
        "data": (address, False),
        "strides": None if strides is None else tuple(strides),
        "version": 3,
        "stream": None,
    }
    if device.is_host:
        described["phalanx_host"] = True
    return from_cuda_array_interface(described, given)


def span_of(shape: Sequence[int], strides: Sequence[int]) -> int:
    """The bytes from the first one to the last, of bytes with strides."""
    return sum((n - 1) * step for n, step in zip(shape, strides, strict=True)) + 1


def check_room(given: Any, begin: int, end: int, call: str) -> None:
    """Raises `LogicError` where bytes are not all within an allocation whose size is known."""
    room = room_of(given)
    if room is not None and not 0 <= begin <= end <= room:
        start = f" from byte {begin} on" if begin else ""
        raise LogicError(
            f"{call} failed: invalid value - {end - begin} bytes{start} of an allocation of {room}"
        )


def bytes_on_host(buffer: Any, is_written: bool = False) -> np.ndarray[Any, Any]:
    """The bytes of a buffer.

    Raises `ValueError` for an array with gaps or a read-only one, and `TypeError` for memory of a
    device and for arrays of Python's objects.
    """
    if isinstance(buffer, (PointerHolderBase, ndarray, DeviceNDArray)) or hasattr(
        buffer, "gpudata"
    ):
        raise TypeError(
            f"{type(buffer).__name__} is memory of a device, where an array of the host or bytes "
            "belong: the order is memcpy_htod(device, host), memcpy_dtoh(host, device)"
        )
    array = buffer if isinstance(buffer, np.ndarray) else np.frombuffer(buffer, np.uint8)
    if array.dtype.hasobject:
        raise TypeError(f"elements of {array.dtype} are Python's objects, which stay on the host")
    if is_written and not array.flags.writeable:
        raise ValueError("the array of the host that is copied to is read-only")
    if not array.flags.forc:
        raise ValueError(
            "an array of the host with gaps between its elements: numpy.ascontiguousarray(a)"
        )
    return np.ndarray(array.nbytes, np.uint8, buffer=array.reshape(-1, order="A").data)
