"""NumPy arrays in memory of the host that a GPU reaches as it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _engine
from .arrays import Address, DeviceNDArray
from .streams import Stream, engine_stream


class HostNDArray(np.ndarray):
    """A NumPy array in mapped or managed memory; views of it are such arrays too."""

    _memory: _engine.HostMemory | None = None
    _first: int = 0  # of the memory: its first byte, as the host sees it
    _stream: Any = 0

    def hold(self, memory: _engine.HostMemory, stream: Any) -> None:
        """Notes the memory that the array lies in, from its beginning, and its stream."""
        self._memory = memory
        octets = np.frombuffer(memoryview(memory), np.uint8)  # type: ignore[arg-type]
        self._first = int(octets.__array_interface__["data"][0])
        self._stream = stream

    def __array_finalize__(self, source: Any) -> None:
        if isinstance(source, HostNDArray):
            self._memory, self._first = source._memory, source._first
            self._stream = source._stream

    def _host_address(self) -> int:
        return int(self.__array_interface__["data"][0])

    def _offset(self) -> int | None:
        """Bytes from the memory's beginning, None for a copy, which lies elsewhere."""
        if self._memory is None:
            return None
        offset = self._host_address() - self._first
        return offset if 0 <= offset < max(self._memory.size, 1) else None

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Copies into `ary`, or into a new NumPy array, and returns it: first the device's work is
        waited for.

        Raises `ValueError` when `ary` has another shape.
        """
        self._wait(stream)
        if ary is None:
            return np.array(self, copy=True, subok=False)
        self._check_shape(ary)
        ary[...] = self
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copies `ary`, a host or a device array, here: first the device's work is waited for.

        Raises `ValueError` when `ary` has another shape.
        """
        self._wait(stream)
        self._check_shape(ary)
        self[...] = ary.copy_to_host() if isinstance(ary, DeviceNDArray) else ary

    def _check_shape(self, other: Any) -> None:
        if np.shape(other) != self.shape:
            raise ValueError(f"incompatible shape: {self.shape} vs. {np.shape(other)}")

    def _wait(self, stream: Any) -> None:
        given = engine_stream(stream or self._stream)
        (given or _engine.current_device()).synchronize()

    @property
    def stream(self) -> Any:
        """The stream that the array was made for, 0 for none."""
        return self._stream

    @property
    def gpu_data(self) -> Address:
        """The address of the first element, as the device sees it."""
        offset = self._offset()
        if offset is None or self._memory is None:
            raise AttributeError("this array is a copy, in memory that no device reaches")
        return Address(self._memory.address + offset)

    @property
    def device_ctypes_pointer(self) -> Any:
        """`gpu_data` as a `ctypes.c_void_p`."""
        return self.gpu_data.device_ctypes_pointer

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        on_cpu = _engine.current_device().is_host
        if on_cpu and not DeviceNDArray.has_interface_on_cpu:
            raise AttributeError("arrays of the CPU device have no __cuda_array_interface__")
        described = {
            "shape": self.shape,
            "strides": None if self.flags.c_contiguous else self.strides,
            "data": (int(self.gpu_data) if self.size else 0, not self.flags.writeable),
            "typestr": self.dtype.str,
            "descr": self.dtype.descr,
            "version": 3,
            "stream": self._stream.handle if isinstance(self._stream, Stream) else None,
        }
        return {**described, "phalanx_host": True} if on_cpu else described
