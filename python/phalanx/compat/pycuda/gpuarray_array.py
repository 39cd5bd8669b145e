"""`pycuda.gpuarray.GPUArray`."""

from __future__ import annotations

import functools
import math
import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..._arrays import coerce
from ..._device.layout import packed_strides
from . import gpuarray_memory as memory_
from .context import Context, Device
from .errors import LogicError
from .gpuarray_memory import ArrayMemory, Exposure, Layout
from .gpuarray_operators import Operators
from .gpuarray_shapes import ShapeMethods
from .host_memory import pagelocked_empty
from .memory import mem_alloc

_ALIASES = {"c": "C", "f": "F"}


class ArrayFlags:
    """How an array lies in memory."""

    __slots__ = ("_layout",)

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def c_contiguous(self) -> bool:
        """Returns whether the last index is the fastest, without gaps."""
        return self._layout.is_packed("C")

    @property
    def f_contiguous(self) -> bool:
        """Returns whether the first index is the fastest, without gaps."""
        return self._layout.is_packed("F")

    @property
    def forc(self) -> bool:
        """Returns whether the elements lie together in either order."""
        return self.c_contiguous or self.f_contiguous


class GPUArray(ShapeMethods, Operators):
    """An array in a device's memory: NumPy's operators, on elements.

    `allocator` is called with a number of bytes for the memory of the array and of what is computed
    of it. With `gpudata`, an allocation or an address, the array is of that memory, without a copy;
    `base` is kept as long. `strides`, in bytes, go before `order`, ``"C"`` or ``"F"``.

    Arithmetic is recorded, and runs in one kernel with what follows when somebody looks; of memory
    whose address is known elsewhere it runs at once.

    Raises `ValueError` for another order and for a base without `gpudata`, pycuda's `MemoryError`
    where the memory is full, and `LogicError` for an allocation that has fewer bytes.
    """

    __array_priority__ = 100
    __array_ufunc__ = None  # NumPy's arrays and numbers leave operators to this class

    def __init__(
        self,
        shape: Any,
        dtype: Any,
        allocator: Callable[[int], Any] | None = mem_alloc,
        base: Any = None,
        gpudata: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> None:
        layout = _layout(shape, np.dtype(dtype), strides, order)
        nbytes = math.prod(layout.shape) * layout.dtype.itemsize
        if gpudata is None and base is not None:
            raise ValueError("base= is for an array of memory that is there: give gpudata=, too")
        if gpudata is None and allocator not in (None, mem_alloc) and nbytes:
            gpudata = allocator(max(nbytes, layout.reach[1]))
        if gpudata is None or not nbytes:
            array, exposure = memory_.new_array(layout), Exposure()
        else:
            array, exposure = memory_.array_over(gpudata, layout, base)
        self._set_up(array, layout.dtype, exposure, allocator, (base, gpudata))

    def _set_up(
        self,
        array: Any,
        dtype: np.dtype[Any],
        exposure: Exposure,
        allocator: Any,
        given: tuple[Any, Any] = (None, None),
    ) -> None:
        ndim = array.ndim - len(memory_.held_as(dtype)[1])
        self._memory = ArrayMemory(array, (dtype, ndim), exposure)
        self.base, gpudata = given
        self.allocator = mem_alloc if allocator is None else allocator
        self.dtype, self.itemsize = dtype, dtype.itemsize
        self.shape: tuple[int, ...] = tuple(array.shape[:ndim])
        self.size = self.mem_size = math.prod(self.shape)
        self.nbytes = self.size * dtype.itemsize
        self._gpudata = None if not self.size else self._memory if gpudata is None else gpudata

    @classmethod
    def _of(
        cls, array: Any, dtype: Any = None, exposure: Exposure | None = None, allocator: Any = None
    ) -> GPUArray:
        """The GPUArray of an array of phalanx's."""
        made = cls.__new__(cls)
        if array._is_number:
            array = array._as_array()  # which operators write to
        kind = np.dtype(array.dtype if dtype is None else dtype)
        made._set_up(array, kind, exposure or Exposure(), allocator)
        return made

    @property
    def _array(self) -> Any:
        """The elements, as an array of phalanx's."""
        return self._memory.array

    def _view(self, array: Any, dtype: Any = None) -> GPUArray:
        """An array of elements of this one."""
        made = GPUArray._of(array, dtype or self.dtype, self._memory.exposure, self.allocator)
        made.base = self
        return made

    @property
    def ndim(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    @property
    def strides(self) -> tuple[int, ...]:
        """The bytes from one element to the next along each dimension."""
        layout: Layout = self._memory.layout
        return layout.strides

    @property
    def flags(self) -> ArrayFlags:
        """How the elements lie: `c_contiguous`, `f_contiguous`, and `forc` for one of both."""
        return ArrayFlags(self._memory.layout)

    # Read by no function of Python's: programs ask for it at each launch.
    gpudata = property(
        operator.attrgetter("_gpudata"),
        doc="The memory, as kernels and copies take it; None for an array without elements.",
    )

    @property
    def ptr(self) -> int:
        """The address of the first element."""
        return int(self._memory)

    @property
    def _grid(self) -> tuple[int, int]:
        return splay(self.size)[0]

    @property
    def _block(self) -> tuple[int, int, int]:
        return splay(self.size)[1]

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        described = {
            "shape": self.shape,
            "strides": self.strides,
            "data": (self.ptr if self.size else 0, False),
            "typestr": self.dtype.str,
            "stream": None,
            "version": 3,
        }
        if self._array._device.is_host:
            described["phalanx_host"] = True  # the address is of the host's memory
        return described

    def set(self, ary: Any, async_: bool = False, stream: Any = None) -> None:
        """Copies a NumPy array here; it may change afterwards, also with `async_`.

        Raises `ValueError` for another size or dtype. Another shape of that size warns.
        """
        if ary.size != self.size:
            raise ValueError("ary and self must be the same size")
        if ary.shape != self.shape:
            warnings.warn("Setting array from one with different shape.", stacklevel=2)
            ary = ary.reshape(self.shape)
        if ary.dtype != self.dtype:
            raise ValueError("ary and self must have the same dtype")
        if self.size:
            self._memory.assign(_as_held(ary, self.dtype))

    def set_async(self, ary: Any, stream: Any = None) -> None:
        """As `set`."""
        self.set(ary, async_=True, stream=stream)

    def get(
        self,
        ary: Any = None,
        pagelocked: bool = False,
        async_: bool = False,
        stream: Any = None,
    ) -> Any:
        """The elements as a NumPy array, in `ary` or a new one; they are there on return.

        A new one has the dimensions in this array's order of memory, `pagelocked` in page-locked
        memory. Raises `ValueError` for an `ary` of another size, `TypeError` for another dtype.
        """
        host = self._host()
        if ary is None and not pagelocked:
            return host
        if ary is None:
            ary = pagelocked_empty(self.shape, self.dtype)
        elif ary.size != self.size:
            raise ValueError("self and ary must be the same size")
        elif ary.dtype != self.dtype:
            raise TypeError("self and ary must have the same dtype")
        if ary.shape == self.shape:
            ary[...] = host
        else:
            warnings.warn(
                "get() between arrays of different shape is deprecated",
                DeprecationWarning,
                stacklevel=2,
            )
            ary.reshape(self.shape)[...] = host
        return ary

    def get_async(self, stream: Any = None, ary: Any = None) -> Any:
        """As `get`, which waits."""
        return self.get(ary=ary, async_=True, stream=stream)

    def _host(self) -> Any:
        """A NumPy array of its own memory, whose dimensions follow each other as here."""
        array = self._array
        axes = coerce.layout(array) if self.ndim > 1 else None
        if axes is not None:
            array = array._transpose(axes)
        made = np.array(coerce.to_numpy(array), order="C")
        if axes is not None:
            made = made.transpose(memory_.inverse(axes))
        return made if self.dtype == made.dtype else made.view(self.dtype)[..., 0]

    def fill(self, value: Any, stream: Any = None) -> GPUArray:
        """Gives all elements one value; gives itself."""
        if memory_.held_as(self.dtype)[1]:
            self._memory.assign(_as_held(np.array(value, self.dtype), self.dtype))
        else:
            self._memory.assign(value[()] if isinstance(value, np.ndarray) else value)
        return self

    def copy(self) -> GPUArray:
        """An array of the same elements, in the same order of memory."""
        return self._new_like(coerce.copied(self._array), self.dtype)  # type: ignore[no-any-return]

    def __getitem__(self, index: Any) -> GPUArray:
        """The array of the elements at ints, slices, ``...`` and None: it shares their memory.

        Raises `IndexError` for other indices, and for those outside.
        """
        return self._view(self._elements_at(index))

    def __setitem__(self, index: Any, value: Any) -> None:
        """Gives the elements at an index one value, or those of an array of the same shape.

        Raises `ValueError` for another shape, `TypeError` for another dtype or other objects.
        """
        target = self[index]
        if np.isscalar(value) or isinstance(value, np.void):
            target.fill(value)
            return
        if not isinstance(value, (GPUArray, np.ndarray)):
            raise TypeError("src must be GPUArray or ndarray")
        if value.shape != target.shape:
            raise ValueError("src and dst must be same shape")
        if value.dtype != target.dtype:
            raise TypeError("src and dst must have same dtype")
        if isinstance(value, GPUArray):
            target._assign(value._array, value)
        elif value.size:
            target._memory.assign(_as_held(value, self.dtype))

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("len() of unsized object")
        return self.shape[0]

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. "
                "Use a.any() or a.all()"
            )
        return bool(self.get())

    def __str__(self) -> str:
        return str(self.get())

    def __repr__(self) -> str:
        return repr(self.get())

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.get(),)

    def bind_to_texref(self, texref: Any, allow_offset: bool = False) -> Any:
        """Raises `LogicError`: texture references are gone from CUDA."""
        raise LogicError("texture references: CUDA 12 has removed them; read from an array")

    bind_to_texref_ext = bind_to_texref


def _layout(shape: Any, dtype: np.dtype[Any], strides: Any, order: str) -> Layout:
    given = shape.tolist() if isinstance(shape, np.ndarray) else shape
    try:
        extents = tuple(operator.index(n) for n in given)
    except TypeError:
        extents = (operator.index(given),)
    if strides is not None:
        return Layout(dtype, extents, tuple(int(step) for step in strides))
    order = _ALIASES.get(order, order)
    if order not in ("C", "F"):
        raise ValueError(f"invalid order: {order}")
    return Layout(dtype, extents, packed_strides(extents, dtype.itemsize, order))


def _as_held(host: Any, dtype: np.dtype[Any]) -> Any:
    """A NumPy array's elements as an array of that dtype holds them."""
    if not memory_.held_as(dtype)[1]:
        return host if host.dtype.isnative else host.astype(dtype.newbyteorder("="))
    return np.ascontiguousarray(host)[..., np.newaxis].view(np.uint8).reshape(*host.shape, -1)


def from_host(ary: Any, allocator: Any) -> GPUArray:
    """A copy of a NumPy array, with the dimensions in its order of memory."""
    strides = memory_.packed_as(ary)
    made = GPUArray(ary.shape, ary.dtype, allocator, strides=strides)
    made.set(ary)
    return made


def _restored(host: Any) -> GPUArray:
    return from_host(host, mem_alloc)


def splay(n: int, dev: Device | None = None) -> tuple[tuple[int, int], tuple[int, int, int]]:
    """A grid and a block for a kernel that goes over `n` elements in strides of all threads."""
    return _splayed(n, Context.get_device() if dev is None else dev)


_WARP = 32
_MOST_THREADS = 128
_BLOCKS_OF_PROCESSOR = 32  # so that each processor has others to run where some wait


@functools.lru_cache(maxsize=1024)
def _splayed(n: int, device: Device) -> tuple[tuple[int, int], tuple[int, int, int]]:
    most = _BLOCKS_OF_PROCESSOR * device.MULTIPROCESSOR_COUNT
    warps = max(-(-n // _WARP), 1)
    threads = min(-(-warps // most) * _WARP, _MOST_THREADS)
    return (min(warps, most), 1), (threads, 1, 1)


Operators.array_class = GPUArray
