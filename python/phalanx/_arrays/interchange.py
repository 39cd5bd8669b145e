"""How arrays leave: as buffers, by other libraries' protocols, pickled."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import array_device, coerce, config, dtypes, pickling, placement


def host_view(array: _engine.Array, is_writable: bool) -> Any:
    """A NumPy array of the elements without a copy; one to write to shares them from then on.

    Raises `BufferError` where the host does not reach the memory, or it is read-only.
    """
    if not coerce.is_on_host(array):
        raise BufferError(
            f"the array is on {array._device.name}, whose memory has no buffer: "
            "numpy.asarray(x) copies it"
        )
    if not is_writable:
        return kept_view(array)
    if array._is_read_only:
        raise BufferError("the array is read-only")
    return shared_view(array)


def handed_out(array: _engine.Array) -> Any:
    """The array's memory for others, who may write to it: what was recorded keeps its values."""
    if not array._is_read_only:
        array._open()
    return array._share()


def shared_view(array: _engine.Array) -> Any:
    """A NumPy array that shares the elements of one on the host, to write to."""
    memory = handed_out(array)
    memory.device.default_stream.synchronize()
    return coerce.exported(memory, array._is_read_only)


def kept_view(array: _engine.Array) -> Any:
    """A NumPy array that shows the elements of one on the host, as they are at any later time."""
    memory = array._share()
    memory.device.default_stream.synchronize()
    return coerce.exported(memory, True)


_HOST = (1, 0)  # DLPack's kDLCPU


class Interchange(_engine.Array):
    """The protocols of arrays."""

    __slots__ = ()

    @property
    def device(self) -> array_device.ArrayDevice:
        """The name of the device that the elements are on, as `device=` takes it.

        The name is also a device as CuPy has them. "auto" for what is recorded and may come to any
        device.
        """
        if self._place is None and self._known_device is None:
            return array_device.ArrayDevice(placement.AUTO)
        return array_device.ArrayDevice(placement.name_of(self._device))

    def to_device(self, device: Any, /, *, stream: Any = None) -> Any:
        """The array on that device: itself if it is there, else a copy."""
        return coerce.asarray(self, device=device)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        is_on_host = coerce.is_on_host(self)
        if copy is False and not is_on_host:
            raise ValueError(f"a copy is needed to bring the array from {self._device.name}")
        if not is_on_host:
            config.note_copy(self)
        is_kept = not copy and is_on_host  # as of NumPy's own: assignments are seen
        return np.array(kept_view(self) if is_kept else coerce.to_numpy(self), dtype, copy=copy)

    @property
    def __array_interface__(self) -> dict[str, Any]:
        # It has no word for bfloat16: NumPy takes __array__ then.
        if not coerce.is_on_host(self) or self._dtype == "bfloat16":
            raise AttributeError("__array_interface__")
        host = kept_view(self)
        return {**host.__array_interface__, "phalanx": host}  # which keeps the memory

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if coerce.is_on_host(self):
            raise AttributeError("__cuda_array_interface__")
        return dict(handed_out(self).__cuda_array_interface__)

    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: Any = None,
        dl_device: Any = None,
        copy: bool | None = None,
    ) -> Any:
        if dtypes.is_time(self._dtype):
            raise BufferError(f"DLPack has no {self._dtype}: x.view('int64') shares the counts")
        if dl_device is not None and tuple(dl_device) == _HOST != self.__dlpack_device__():
            if copy is False:
                raise BufferError(f"a copy is needed to bring the array from {self.device}")
            return self.to_device("cpu").__dlpack__(max_version=max_version)
        array = _engine.array_copy(self, self.shape) if copy else self
        memory = handed_out(array)
        if memory.device.is_host:
            memory.device.default_stream.synchronize()
        return memory.__dlpack__(stream=stream, max_version=max_version, dl_device=dl_device)

    def __dlpack_device__(self) -> tuple[int, int]:
        kind, number = self._evaluate().__dlpack_device__()
        return kind, number

    def __reduce__(self) -> tuple[Any, ...]:
        device = placement.AUTO if self._place is None else self.device
        return pickling.restored, (pickling.sent(self), device)

    def __copy__(self) -> Any:
        return _engine.array_copy(self, self.shape)

    def __deepcopy__(self, memo: Any) -> Any:
        return _engine.array_copy(self, self.shape)

    def tolist(self) -> Any:
        """The elements as numbers of Python's, in nested lists."""
        return coerce.to_readable(self).tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """The elements' bytes in C order, or Fortran's for ``"F"``."""
        return bytes(coerce.to_numpy(self).tobytes(order))

    def __bytes__(self) -> bytes:
        return self.tobytes()

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Writes the elements to a file: their bytes, or texts with `sep` between them."""
        coerce.to_numpy(self).tofile(fid, sep, format)

    def item(self, *args: Any) -> Any:
        """An element as a number of Python's: the only one, or that of an index."""
        found = None if args else _engine.array_item(self)
        return coerce.to_readable(self).item(*args) if found is None else found

    def __bool__(self) -> bool:
        found = _engine.array_item(self)
        return bool(coerce.to_readable(self) if found is None else found)

    def __int__(self) -> int:
        return int(self._number())

    def __float__(self) -> float:
        return float(self._number())

    def __complex__(self) -> complex:
        return complex(self._number())

    def _number(self) -> Any:
        """A number without dimensions; else what NumPy converts, or refuses."""
        found = None if self.shape else _engine.array_item(self)
        is_plain = found is not None and not isinstance(found, complex)
        return found if is_plain else coerce.to_readable(self)

    def __index__(self) -> int:
        import operator

        return operator.index(coerce.to_numpy(self))
