"""Memory and copies of `pycuda.driver`."""

from __future__ import annotations

import operator
import pickle
from typing import Any

import numpy as np

from ... import cuda
from .addresses import (
    DeviceAllocation,
    PointerHolderBase,
    address_of,
    bytes_on_device,
    bytes_on_host,
    check_room,
)
from .context import Context, Stream, queue_of
from .errors import LogicError, MemoryError, of_driver

__all__ = [
    "DeviceAllocation",
    "IPCMemoryHandle",
    "PointerHolderBase",
    "from_device",
    "from_device_like",
    "mem_alloc",
    "mem_alloc_like",
    "mem_alloc_pitch",
    "mem_get_address_range",
    "mem_get_ipc_handle",
    "memcpy_dtod",
    "memcpy_dtod_async",
    "memcpy_dtoh",
    "memcpy_dtoh_async",
    "memcpy_htod",
    "memcpy_htod_async",
    "memcpy_peer",
    "memcpy_peer_async",
    "memset_d2d8",
    "memset_d2d8_async",
    "memset_d2d16",
    "memset_d2d16_async",
    "memset_d2d32",
    "memset_d2d32_async",
    "memset_d8",
    "memset_d8_async",
    "memset_d16",
    "memset_d16_async",
    "memset_d32",
    "memset_d32_async",
    "to_device",
]  # fmt: skip

_PITCH = 512  # bytes that rows of mem_alloc_pitch begin at multiples of


def mem_alloc(bytes: int) -> DeviceAllocation:
    """Memory of the current device. Raises `MemoryError` and `LogicError` (no bytes)."""
    size = operator.index(bytes)
    if size <= 0:
        raise LogicError(f"cuMemAlloc failed: invalid value - {size} bytes")
    if size >= 1 << 63:
        raise MemoryError(f"cuMemAlloc failed: out of memory - {size} bytes are more than 2^63")
    with of_driver("cuMemAlloc"):
        return DeviceAllocation(cuda.device_array(size, np.uint8))


def mem_alloc_like(ary: Any) -> DeviceAllocation:
    """Memory for as many bytes as the array has."""
    return mem_alloc(ary.nbytes)


def mem_alloc_pitch(width: int, height: int, access_size: int) -> tuple[DeviceAllocation, int]:
    """Memory for rows of `width` bytes, and how many bytes apart they are."""
    if access_size not in (4, 8, 16):
        raise LogicError(
            f"cuMemAllocPitch failed: invalid value - an access of {access_size} bytes"
        )
    pitch = -(-int(width) // _PITCH) * _PITCH
    return mem_alloc(pitch * int(height)), pitch


def mem_get_address_range(pointer: Any) -> tuple[int, int]:
    """Address and bytes of an allocation."""
    if not isinstance(pointer, DeviceAllocation):
        raise LogicError("cuMemGetAddressRange failed: only of what mem_alloc gave")
    return int(pointer), pointer.size


def memcpy_htod(dest: Any, src: Any) -> None:
    """Copies a buffer of the host to a device."""
    memcpy_htod_async(dest, src)


def memcpy_htod_async(dest: Any, src: Any, stream: Stream | None = None) -> None:
    """The same on a stream: the buffer must stay as it is until the copy is done."""
    host = bytes_on_host(src)
    if host.size:
        with of_driver("cuMemcpyHtoD"):
            there = bytes_on_device(dest, host.shape, None, "cuMemcpyHtoD")
            there.copy_to_device(host, queue_of(stream))


def memcpy_dtoh(dest: Any, src: Any) -> None:
    """Copies memory of a device to a buffer of the host, as many bytes as that has."""
    memcpy_dtoh_async(dest, src)


def memcpy_dtoh_async(dest: Any, src: Any, stream: Stream | None = None) -> None:
    """The same on a stream: the elements are there when the copy is done."""
    host = bytes_on_host(dest, is_written=True)
    if host.size:
        with of_driver("cuMemcpyDtoH"):
            there = bytes_on_device(src, host.shape, None, "cuMemcpyDtoH")
            there.copy_to_host(host, queue_of(stream))


def memcpy_dtod(dest: Any, src: Any, size: int) -> None:
    """Copies `size` bytes within the device."""
    memcpy_dtod_async(dest, src, size)


def memcpy_dtod_async(dest: Any, src: Any, size: int, stream: Stream | None = None) -> None:
    """The same on a stream."""
    size = _count(size, "cuMemcpyDtoD")
    if size:
        with of_driver("cuMemcpyDtoD"):
            source = bytes_on_device(src, (size,), None, "cuMemcpyDtoD")
            there = bytes_on_device(dest, (size,), None, "cuMemcpyDtoD")
            there.copy_to_device(source, queue_of(stream))


def memcpy_peer(
    dest: Any,
    src: Any,
    size: int,
    dest_context: Context | None = None,
    src_context: Context | None = None,
) -> None:
    """Copies `size` bytes between the devices of two contexts, by default of the current one."""
    memcpy_peer_async(dest, src, size, dest_context, src_context)


def memcpy_peer_async(
    dest: Any,
    src: Any,
    size: int,
    dest_context: Context | None = None,
    src_context: Context | None = None,
    stream: Stream | None = None,
) -> None:
    """The same on a stream."""
    size = _count(size, "cuMemcpyPeer")
    if not size:
        return
    with of_driver("cuMemcpyPeer"):
        source = _bytes_in(src_context, src, size)
        _bytes_in(dest_context, dest, size).copy_to_device(source, queue_of(stream))


def _bytes_in(context: Context | None, pointer: Any, size: int) -> Any:
    if context is None:
        return bytes_on_device(pointer, (int(size),), None, "cuMemcpyPeer")
    with context._device._own:
        return bytes_on_device(pointer, (int(size),), None, "cuMemcpyPeer")


def _count(given: Any, call: str) -> int:
    """A number of bytes or elements. Raises `LogicError` for one below zero."""
    count = operator.index(given)
    if count < 0:
        raise LogicError(f"{call} failed: invalid value - {count}, where a size belongs")
    return count


def _filled(dest: Any, pattern: bytes, count: int, stream: Stream | None) -> None:
    size = len(pattern) * _count(count, "cuMemset")
    queue = queue_of(stream)
    if size:
        with of_driver("cuMemset"):
            there = bytes_on_device(dest, (size,), None, "cuMemset")
            if there.device_ctypes_pointer.value % len(pattern):
                raise LogicError(
                    f"cuMemset failed: invalid value - an address that is no multiple of "
                    f"{len(pattern)} bytes"
                )
            typed = there.view(f"uint{8 * len(pattern)}") if len(pattern) > 1 else there
            typed.fill(pattern, None if stream is None else queue._open())


def _filled_rows(
    dest: Any, pitch: int, pattern: bytes, extent: tuple[int, int], stream: Stream | None
) -> None:
    width, height = (_count(each, "cuMemsetD2D") for each in extent)
    pitch, size = _count(pitch, "cuMemsetD2D"), len(pattern) * width
    if size > pitch and height > 1:
        raise LogicError(
            f"cuMemsetD2D failed: invalid value - rows of {size} bytes, {pitch} bytes apart"
        )
    if size and height:
        check_room(dest, 0, (height - 1) * pitch + size, "cuMemsetD2D")
    for row in range(height):
        _filled(address_of(dest) + row * pitch, pattern, width, stream)


def _pattern(value: int, size: int) -> bytes:
    return (operator.index(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")


def memset_d8(dest: Any, data: int, count: int) -> None:
    """Gives `count` bytes one value."""
    _filled(dest, _pattern(data, 1), count, None)


def memset_d16(dest: Any, data: int, count: int) -> None:
    """Gives `count` words of 16 bits one value."""
    _filled(dest, _pattern(data, 2), count, None)


def memset_d32(dest: Any, data: int, count: int) -> None:
    """Gives `count` words of 32 bits one value."""
    _filled(dest, _pattern(data, 4), count, None)


def memset_d8_async(dest: Any, data: int, count: int, stream: Stream | None = None) -> None:
    """As `memset_d8`, on a stream."""
    _filled(dest, _pattern(data, 1), count, stream)


def memset_d16_async(dest: Any, data: int, count: int, stream: Stream | None = None) -> None:
    """As `memset_d16`, on a stream."""
    _filled(dest, _pattern(data, 2), count, stream)


def memset_d32_async(dest: Any, data: int, count: int, stream: Stream | None = None) -> None:
    """As `memset_d32`, on a stream."""
    _filled(dest, _pattern(data, 4), count, stream)


def memset_d2d8(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """The first `width` bytes of rows that are `pitch` bytes apart."""
    _filled_rows(dest, pitch, _pattern(data, 1), (width, height), None)


def memset_d2d16(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """The first `width` words of 16 bits of rows that are `pitch` bytes apart."""
    _filled_rows(dest, pitch, _pattern(data, 2), (width, height), None)


def memset_d2d32(dest: Any, pitch: int, data: int, width: int, height: int) -> None:
    """The first `width` words of 32 bits of rows that are `pitch` bytes apart."""
    _filled_rows(dest, pitch, _pattern(data, 4), (width, height), None)


def memset_d2d8_async(
    dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None
) -> None:
    """As `memset_d2d8`, on a stream."""
    _filled_rows(dest, pitch, _pattern(data, 1), (width, height), stream)


def memset_d2d16_async(
    dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None
) -> None:
    """As `memset_d2d16`, on a stream."""
    _filled_rows(dest, pitch, _pattern(data, 2), (width, height), stream)


def memset_d2d32_async(
    dest: Any, pitch: int, data: int, width: int, height: int, stream: Stream | None = None
) -> None:
    """As `memset_d2d32`, on a stream."""
    _filled_rows(dest, pitch, _pattern(data, 4), (width, height), stream)


def to_device(bf_obj: Any) -> DeviceAllocation:
    """A copy of a buffer of the host: its bytes as they lie, without gaps between elements."""
    host = bf_obj
    if isinstance(bf_obj, np.ndarray) and not bf_obj.flags.forc:
        host = np.ascontiguousarray(bf_obj)
    made = mem_alloc(bytes_on_host(host).size)
    memcpy_htod(made, host)
    return made


def from_device(devptr: Any, shape: Any, dtype: Any, order: Any = "C") -> Any:
    """A NumPy array of what is in memory of a device."""
    made = np.empty(shape, dtype, order)
    memcpy_dtoh(made, devptr)
    return made


def from_device_like(devptr: Any, other_ary: Any) -> Any:
    """A NumPy array of the other one's shape, dtype and order, of what is in memory of a device."""
    made = np.empty_like(other_ary)
    memcpy_dtoh(made, devptr)
    return made


def mem_get_ipc_handle(devptr: DeviceAllocation) -> bytes:
    """What another process opens by `IPCMemoryHandle`."""
    with of_driver("cuIpcGetMemHandle"):
        return pickle.dumps(devptr.memory.get_ipc_handle())


class IPCMemoryHandle(PointerHolderBase):
    """Memory of another process, by what `mem_get_ipc_handle` gave there; until `close`."""

    def __init__(self, handle: bytes, flags: int = 1) -> None:
        with of_driver("cuIpcOpenMemHandle"):
            self._handle = pickle.loads(handle)
            self._memory = self._handle.open()

    def get_pointer(self) -> int:
        """The address in this process."""
        return address_of(self._memory)

    def close(self) -> None:
        """Ends the use of the memory."""
        self._handle.close()
