"""What CuPy's arrays have and NumPy's have not: how elements come from the host and go there."""

from __future__ import annotations

import ctypes
import math
import pathlib
import pickle
import types
from typing import TYPE_CHECKING, Any

from . import coerce, creation, dtypes, host, making, math_methods, placement, shapes, ufuncs
from .interchange import handed_out

if TYPE_CHECKING:
    from .ndarray import ndarray


class MemoryPointer:
    """An address in a device's memory, which stays while somebody has the pointer.

    `mem` is an array or an `UnownedMemory`, `offset` the bytes before the address in it.
    """

    def __init__(self, mem: Any, offset: int = 0) -> None:
        array = mem._array if isinstance(mem, UnownedMemory) else mem
        self.mem = mem if isinstance(mem, UnownedMemory) else self
        self._array = array  # whose first element is there
        if offset:
            size = self.size
            if not 0 <= offset <= size:
                raise ValueError(f"the offset {offset} is not within the memory's {size} bytes")
            self._array = self.of_bytes[offset:]

    @property
    def ptr(self) -> int:
        """The address. The array stays there: assignments write to it, nothing moves it.

        Who has it may write there: what was recorded of the array before keeps its values.
        """
        return int(handed_out(self._array).address) if self._array.size else 0

    @property
    def of_bytes(self) -> Any:
        """The memory from here on as uint8. Raises `ValueError` where the array has gaps."""
        if not self._array.flags.c_contiguous:
            raise ValueError("memory with gaps between its elements is not one run of bytes")
        return self._array.reshape(-1).view("uint8")

    @property
    def size(self) -> int:
        """The bytes of the elements from here on."""
        return int(self._array.nbytes)

    @property
    def device_id(self) -> int:
        """The number of the device."""
        return int(self._array._device.ordinal)

    def memset(self, value: int, size: int) -> None:
        """Gives the first bytes one value."""
        self.of_bytes[:size] = value

    memset_async = memset

    def copy_from_device(self, src: MemoryPointer, size: int) -> None:
        """Copies bytes of another memory of a device."""
        self.of_bytes[:size] = src.of_bytes[:size]

    def copy_from_host(self, mem: Any, size: int) -> None:
        """Copies bytes of the host: an address (an int or a `ctypes.c_void_p`), or a buffer."""
        self.of_bytes[:size] = coerce.asarray(_host_bytes(mem, size))

    def copy_to_host(self, mem: Any, size: int) -> None:
        """Copies bytes to the host's memory."""
        _host_bytes(mem, size)[:] = self.of_bytes[:size].get()

    def copy_from(self, mem: Any, size: int) -> None:
        """Copies bytes of a device or of the host."""
        copy = self.copy_from_device if isinstance(mem, MemoryPointer) else self.copy_from_host
        copy(mem, size)

    # The stream, a further argument, makes no difference: copies are in order with the arrays.
    def copy_from_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As `copy_from`."""
        self.copy_from(mem, size)

    def copy_from_device_async(self, src: MemoryPointer, size: int, stream: Any = None) -> None:
        """As `copy_from_device`."""
        self.copy_from_device(src, size)

    def copy_from_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As `copy_from_host`."""
        self.copy_from_host(mem, size)

    def copy_to_host_async(self, mem: Any, size: int, stream: Any = None) -> None:
        """As `copy_to_host`."""
        self.copy_to_host(mem, size)

    def __add__(self, offset: int) -> MemoryPointer:
        return MemoryPointer(self._array, offset)

    def __int__(self) -> int:
        return self.ptr

    def __repr__(self) -> str:
        return f"<MemoryPointer 0x{self.ptr:x}>"


class UnownedMemory:
    """Memory of the current device that somebody else has allocated, as uint8.

    `ptr` is its address, `size` its bytes; `owner` is kept while the memory is in use. Nothing
    checks them. `device_id` is that of the current device, or -1.
    """

    def __init__(self, ptr: int, size: int, owner: Any, device_id: int = -1) -> None:
        device = placement.home()
        if device_id not in (-1, device.ordinal):
            raise ValueError(f"device {device_id} is not the current one, {device.ordinal}")
        self.ptr, self.size, self.device_id = int(ptr), int(size), int(device.ordinal)
        self._owner = owner
        self._array = coerce.asarray(_Described(self, device.is_host), copy=False)


def _host_bytes(memory: Any, size: int) -> Any:
    """Bytes of the host at an address, or of a buffer, as NumPy's uint8."""
    import numpy as np

    address = getattr(memory, "value", memory)  # of a ctypes.c_void_p
    if isinstance(address, int):
        memory = (ctypes.c_uint8 * size).from_address(address)
    return np.frombuffer(memory, np.uint8, size)


class _Described:
    """Memory as `asarray` takes it."""

    def __init__(self, memory: UnownedMemory, is_host: bool) -> None:
        self._memory = memory
        described = {
            "shape": (memory.size,),
            "typestr": "|u1",
            "data": (memory.ptr, False),
            "version": 3,
        }
        setattr(self, f"__{'' if is_host else 'cuda_'}array_interface__", described)


class CuPyMethods(math_methods.MathMethods):
    """The constructor `ndarray(shape)`, and the methods that only CuPy's arrays have."""

    __slots__ = ()

    def __new__(
        cls,
        shape: Any,
        dtype: Any = float,
        memptr: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> Any:
        """An array whose elements have no values yet, or of memory that is there.

        `memptr` is what `cupy.cuda.alloc` gives, or a buffer, as NumPy's third argument.
        Raises `ValueError` for strides of another number than the extents, or negative ones.
        """
        if memptr is None and strides is None:
            return creation.empty(shape, dtype, order)
        extents, size = making.extents(shape), dtypes.engine_type(dtypes.name_of(dtype)).size
        if strides is None:
            flat = _elements(memptr, dtype)[: math.prod(extents)]
            return flat.reshape(extents, order=order)
        if len(strides) != len(extents) or min(strides, default=0) < 0:
            raise ValueError(f"the strides {strides} do not fit the shape {extents}")
        if memptr is None:
            spans = [(n - 1) * stride for n, stride in zip(extents, strides, strict=True)]
            count = 0 if 0 in extents else sum(spans) // size + 1
            return shapes.as_strided(creation.empty(count, dtype), extents, strides)
        return shapes.as_strided(_elements(memptr, dtype), extents, strides)

    def __init__(self, *args: Any, **options: Any) -> None:
        """Everything is done by `__new__`: arrays come from the engine."""

    @property
    def data(self) -> MemoryPointer:
        """The address of the first element, as `data.ptr`; the array is computed for it."""
        return MemoryPointer(self)

    def get(
        self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> Any:
        """The elements in an array of NumPy's with memory of its own, or in `out`.

        Raises `TypeError` for an `out` that is not NumPy's, `ValueError` for one of another shape.
        """
        import numpy as np

        if out is None:
            return np.array(coerce.to_numpy(self), order=order if order in ("C", "F") else "K")  # type: ignore[call-overload]
        if not isinstance(out, np.ndarray):
            raise TypeError(f"Only numpy.ndarray can be obtained from phalanx arrays, not {out!r}")
        if out.shape != self.shape or out.dtype != self.dtype:
            raise ValueError(
                f"out has shape {out.shape} and dtype {out.dtype}, the array {self.shape} and "
                f"{self.dtype}"
            )
        out[...] = coerce.to_numpy(self)
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Gives the array the elements of one of NumPy's, of the same shape and dtype.

        Raises `TypeError` for another dtype or what is no array of NumPy's, `ValueError` for
        another shape.
        """
        import numpy as np

        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to a phalanx array")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        self[...] = arr

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Adds the values to the elements at an index, each as often as it is named."""
        ufuncs.table()["add"].at(self, slices, value)

    def scatter_max(self, slices: Any, value: Any) -> None:
        """The greater of each element at an index and its values."""
        ufuncs.table()["maximum"].at(self, slices, value)

    def scatter_min(self, slices: Any, value: Any) -> None:
        """The lesser of each element at an index and its values."""
        ufuncs.table()["minimum"].at(self, slices, value)

    __class_getitem__: Any = classmethod(types.GenericAlias)

    def byteswap(self, inplace: bool = False) -> ndarray:
        """The elements with their bytes in the other order; `inplace`, in this array."""
        if inplace:
            host.update(lambda own: own.byteswap(inplace=True), self)
            return self  # type: ignore[return-value]
        return host.run(lambda own: own.byteswap(), self)

    def dump(self, file: Any) -> None:
        """Writes the array's pickle to a file, by its name or an open one."""
        if hasattr(file, "write"):
            pickle.dump(self, file)
        else:
            pathlib.Path(file).write_bytes(self.dumps())

    def dumps(self) -> bytes:
        """The array's pickle."""
        return pickle.dumps(self)

    def toDlpack(self) -> Any:
        """The capsule of DLPack, CuPy's older name for `__dlpack__`."""
        return self.__dlpack__()


def _elements(memory: Any, dtype: Any) -> Any:
    """The elements of a pointer's memory, or of a buffer's."""
    if isinstance(memory, MemoryPointer):
        of_bytes = memory.of_bytes
        size = dtypes.engine_type(dtypes.name_of(dtype)).size
        return of_bytes[: of_bytes.size // size * size].view(dtype)
    return creation.frombuffer(memory, dtype)
