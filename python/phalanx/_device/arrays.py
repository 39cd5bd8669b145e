"""Arrays in a device's memory."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

from .. import _engine
from .._core.cards import card, size
from .._types.aggregates import as_dtype
from .._types.bridge import from_engine, to_engine
from .layout import complete_shape, field_layout, has_ellipsis, indexed, is_sequence, packed_strides
from .streams import Stream, engine_stream


class Address(int):
    """An address in a device's memory, with the names that numba-cuda's pointers have."""

    array: DeviceNDArray | None = None  # whose first element it is

    @property
    def device_pointer(self) -> int:
        """The address."""
        return int(self)

    @property
    def device_ctypes_pointer(self) -> Any:
        """The address as a `ctypes.c_void_p`."""
        import ctypes

        return ctypes.c_void_p(int(self))


class DeviceNDArray(_engine.DeviceArray):
    """An array in device memory, as kernels take it.

    Indexing with slices gives views, a whole index the element itself (copied to the host);
    assigning copies to the device. Arithmetic is for kernels: `copy_to_host` gives a NumPy array.

    >>> x = cuda.to_device(np.arange(6.0).reshape(2, 3))
    >>> x.shape, x.dtype, x.is_c_contiguous()
    ((2, 3), dtype('float64'), True)
    >>> x[1].copy_to_host()
    array([3., 4., 5.])
    """

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of an element.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.dtype
        dtype('float64')
        """
        return _dtype_of(self.element)

    _bound: Any = None  # the stream of `bind`

    # True if arrays of the CPU device have a CUDA array interface: under ``phalanx run``, where
    # scripts count on it and no other library reads it for memory of a GPU.
    has_interface_on_cpu = False

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        if not self.device.is_host or not self.has_interface_on_cpu:
            return _engine.DeviceArray.__cuda_array_interface__.__get__(self)  # type: ignore[no-any-return]
        described = {"stream": self.stream.handle or None, "phalanx_host": True}
        if self.size:
            return {**self.__array_interface__, **described}
        return {
            "shape": tuple(self.shape),
            "strides": None,
            "data": (0, self.read_only),
            "typestr": self.typestr,
            "descr": self.descr,
            "version": 3,
            **described,
        }

    @property
    def __array_interface__(self) -> dict[str, Any]:
        if self.element.kind == "scalar" and self.element.dtype == "bfloat16":
            raise AttributeError("NumPy's array interface has no bfloat16")  # it takes __array__
        return _engine.DeviceArray.__array_interface__.__get__(self)  # type: ignore[no-any-return]

    @property
    def stream(self) -> Stream:  # type: ignore[override]
        """The stream that the array was made or bound for.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.stream
        <Default CUDA stream>
        """
        if isinstance(self._bound, Stream):
            return self._bound
        return Stream(_engine.DeviceArray.stream.__get__(self))

    @property
    def gpu_data(self) -> Address:
        """The address of the first element."""
        made = Address(self.address)
        made.array = self
        return made

    @property
    def device_ctypes_pointer(self) -> Any:
        """`gpu_data` as a `ctypes.c_void_p`."""
        import ctypes

        return ctypes.c_void_p(self.address)

    @property
    def _numba_type_(self) -> Any:
        return from_engine(self.type)

    @property
    def alloc_size(self) -> int:
        """Bytes of the elements.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.alloc_size
        48
        """
        return int(self.nbytes)

    def is_c_contiguous(self) -> bool:  # type: ignore[override]
        """Returns whether the last index is the fastest, without gaps.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.is_c_contiguous()
        True
        """
        return bool(_engine.DeviceArray.is_c_contiguous.__get__(self))

    def is_f_contiguous(self) -> bool:  # type: ignore[override]
        """Returns whether the first index is the fastest, without gaps.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.is_f_contiguous()
        False
        """
        return bool(_engine.DeviceArray.is_f_contiguous.__get__(self))

    @property
    def flags(self) -> dict[str, bool]:
        """``C_CONTIGUOUS`` and ``F_CONTIGUOUS``, as NumPy has them.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.flags["C_CONTIGUOUS"]
        True
        """
        return {"C_CONTIGUOUS": self.is_c_contiguous(), "F_CONTIGUOUS": self.is_f_contiguous()}

    @property
    def T(self) -> DeviceNDArray:
        """The view with its dimensions in reverse order.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.T.shape
        (3, 2)
        """
        return self.transpose()

    def transpose(self, axes: Sequence[int] | None = None) -> DeviceNDArray:
        """The view with its dimensions in the order of `axes`, by default reversed.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.transpose().copy_to_host()
        array([[0., 3.],
               [1., 4.],
               [2., 5.]])
        """
        order = tuple(range(self.ndim))[::-1] if axes is None else tuple(axes)
        if sorted(order) != list(range(self.ndim)):
            raise ValueError(f"invalid axes list {order}")
        return self._view(
            tuple(self.shape[i] for i in order), tuple(self.strides[i] for i in order)
        )

    def _view(
        self,
        shape: tuple[int, ...],
        strides: tuple[int, ...],
        offset: int = 0,
        element: _engine.Type | None = None,
    ) -> DeviceNDArray:
        view = DeviceNDArray(self, shape, strides, offset, element)
        if self._bound is not None:
            view._bound = self._bound
        return view

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Copies into `ary`, or into a new NumPy array, and returns it.

        With a stream the copy is queued there, and `ary` is to be read after synchronising it.
        Raises `ValueError` when `ary` has another shape, `TypeError` for another dtype.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.copy_to_host()
        array([[0., 1., 2.],
               [3., 4., 5.]])
        """
        import numpy as np

        if isinstance(ary, _engine.DeviceArray):
            raise TypeError(
                "copy_to_host() fills a NumPy array; to.copy_to_device(array) copies to another "
                "device array"
            )
        if ary is None:
            if _engine.is_recording():
                raise ValueError("a graph copies into an array that exists: copy_to_host(array)")
            is_f = self.is_f_contiguous() and not self.is_c_contiguous()
            ary = np.empty(self.shape, self.dtype, order="F" if is_f else "C")
        else:
            self._check_like(ary)
        if self.size:
            _engine.DeviceArray.copy_to_host(self, plain(ary), engine_stream(stream))
        return ary

    def copy_to_device(self, ary: Any, stream: Any = 0) -> None:
        """Copies `ary`, a host or a device array of the same shape and dtype, into this array.

        >>> a, b = cuda.device_array(3), cuda.to_device(np.arange(3.0))
        >>> a.copy_to_device(b)
        >>> a.copy_to_host()
        array([0., 1., 2.])
        """
        import numpy as np

        if self.read_only:
            raise ValueError("this device array is read-only")
        if isinstance(ary, _engine.DeviceArray):
            self._check_like(ary)
            self.copy_from(ary, engine_stream(stream))
            return
        source = np.asarray(ary)
        self._check_like(source)
        if 0 in self.strides and self.size:  # each element is written once
            core = tuple(0 if stride == 0 else slice(None) for stride in self.strides)
            self[core].copy_to_device(source[core], stream)
            return
        if not (source.flags.c_contiguous or source.flags.f_contiguous):
            if _engine.is_recording():
                raise ValueError("a graph copies host arrays whose elements lie together only")
            source = np.ascontiguousarray(source)
        if self.size:
            self.copy_from_host(plain(source), engine_stream(stream))

    def _check_like(self, other: Any) -> None:
        if not (hasattr(other, "dtype") and hasattr(other, "shape")):
            raise TypeError(f"expected a NumPy array, not {type(other).__name__}")
        if other.dtype != self.dtype:
            raise TypeError(f"incompatible dtype: {self.dtype} vs. {other.dtype}")
        if tuple(other.shape) != tuple(self.shape):
            raise ValueError(f"incompatible shape: {tuple(self.shape)} vs. {tuple(other.shape)}")

    def reshape(self, *newshape: Any, order: str = "C") -> DeviceNDArray:
        """The same elements under another shape; a dimension of -1 is worked out.

        Raises `ValueError` when the sizes differ, `NotImplementedError` when elements would have
        to move.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.reshape(3, 2).shape
        (3, 2)
        """
        shape = tuple(newshape[0]) if len(newshape) == 1 and is_sequence(newshape[0]) else newshape
        shape = complete_shape(tuple(operator.index(n) for n in shape), self.size)
        if order == "A":
            order = "F" if self.is_f_contiguous() and not self.is_c_contiguous() else "C"
        if order not in ("C", "F"):
            raise ValueError(f"order must be 'C', 'F' or 'A', not {order!r}")
        if tuple(shape) == tuple(self.shape):
            return self._view(shape, self.strides)
        contiguous = self.is_c_contiguous() if order == "C" else self.is_f_contiguous()
        if not contiguous:
            raise NotImplementedError("reshape would require copy")
        return self._view(shape, packed_strides(shape, self.itemsize, order))

    def ravel(self, order: str = "C", stream: Any = 0) -> DeviceNDArray:
        """The elements as one dimension.

        Raises `NotImplementedError` when elements would have to move.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.ravel().shape
        (6,)
        """
        if self.ndim == 1 and not self.is_c_contiguous():
            raise NotImplementedError("ravel would require copy")
        return self.reshape(self.size, order=order)

    def squeeze(self, axis: int | tuple[int, ...] | None = None, stream: Any = 0) -> DeviceNDArray:
        """The view without its dimensions of extent 1, or without those of `axis`.

        >>> cuda.to_device(np.ones((1, 3))).squeeze().shape
        (3,)
        """
        if axis is None:
            gone = {i for i, n in enumerate(self.shape) if n == 1}
        else:
            given = axis if isinstance(axis, tuple) else (axis,)
            for each in given:
                if not -self.ndim <= each < self.ndim:
                    raise ValueError(
                        f"axis {each} is out of bounds for array of dimension {self.ndim}"
                    )
            gone = {i % self.ndim for i in given}
            if any(self.shape[i] != 1 for i in gone):
                raise ValueError("cannot squeeze a dimension whose extent is not 1")
        kept = [i for i in range(self.ndim) if i not in gone]
        return self._view(tuple(self.shape[i] for i in kept), tuple(self.strides[i] for i in kept))

    def view(self, dtype: Any) -> DeviceNDArray:
        """The same bytes as elements of another dtype.

        Raises `ValueError` where the last dimension cannot be divided so.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.view(np.int64).dtype
        dtype('int64')
        """
        import numpy as np

        dtype = np.dtype(dtype)
        shape, strides = list(self.shape), list(self.strides)
        if dtype.itemsize != self.itemsize:
            if not shape or strides[-1] != self.itemsize:
                raise ValueError(
                    "To change to a dtype of a different size, the last axis must be contiguous"
                )
            length, rest = divmod(shape[-1] * self.itemsize, dtype.itemsize)
            if rest:
                raise ValueError(
                    "When changing to a larger dtype, its size must be a divisor of the total "
                    "size in bytes of the last axis of the array."
                )
            shape[-1], strides[-1] = length, dtype.itemsize
        return self._view(tuple(shape), tuple(strides), 0, to_engine(dtype))

    def split(self, section: int, stream: Any = 0) -> Iterator[DeviceNDArray]:
        """Views of `section` elements each of a 1-d array; the last may be shorter.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> [part.copy_to_host().tolist() for part in cuda.to_device(np.arange(4)).split(2)]
        [[0, 1], [2, 3]]
        """
        if self.ndim != 1:
            raise ValueError("split takes 1-d arrays")
        if section < 1:
            raise ValueError(f"split makes sections of at least one element, not {section}")
        for start in range(0, self.size, section):
            yield self[start : start + section]

    def get_ipc_handle(self) -> Any:
        """A handle with which another process opens this array: see `IpcArrayHandle`.

        Moves the array to memory that can be shared. Raises `ValueError` while views of it exist,
        `DeviceError` on the CPU device.
        """
        from .ipc import IpcArrayHandle

        name, _, offset = self.export()
        layout = (tuple(self.shape), tuple(self.strides), self.dtype)
        return IpcArrayHandle(DeviceNDArray, name, offset, layout, self)

    def bind(self, stream: Any = 0) -> DeviceNDArray:
        """The same memory, for use on a stream.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.bind().shape
        (2, 3)
        """
        view = self._view(self.shape, self.strides)
        view._bound = stream
        return view

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, item: Any) -> Any:
        if isinstance(item, str) and self.element.kind == "record":
            return self._field(item)
        shape, strides, offset = indexed(self, item)
        view = self._view(shape, strides, offset)
        if shape or has_ellipsis(item):
            return view
        if self.element.kind == "record":
            return DeviceRecord.at(view)
        return view.copy_to_host()[()]

    def _field(self, name: str) -> DeviceNDArray:
        """The view of one field of an array of records; raises `KeyError` where there is none."""
        offset, element, shape, strides = field_layout(self, name)
        return self._view((*self.shape, *shape), (*self.strides, *strides), offset, element)

    def getitem(self, item: Any, stream: Any = 0) -> Any:
        """``self[item]`` on a stream.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> float(a.getitem((1, 2)))
        5.0
        """
        return self[item]

    def __setitem__(self, item: Any, value: Any) -> None:
        self.setitem(item, value)

    def setitem(self, key: Any, value: Any, stream: Any = 0) -> None:
        """``self[key] = value`` on a stream; values broadcast and convert as in NumPy.

        A device array of another shape or dtype goes by way of the host.

        >>> a = cuda.to_device(np.arange(6.0).reshape(2, 3))
        >>> a.setitem((1, 2), 9.0)
        >>> a.copy_to_host()
        array([[0., 1., 2.],
               [3., 4., 9.]])
        """
        import numpy as np

        if self.read_only:
            raise ValueError("this device array is read-only")
        is_field = isinstance(key, str) and self.element.kind == "record"
        view = self._field(key) if is_field else self._view(*indexed(self, key))
        shape = tuple(view.shape)
        is_device = isinstance(value, _engine.DeviceArray)
        if is_device and tuple(value.shape) == shape and value.element == view.element:
            view.copy_from(value, engine_stream(stream))
            return
        host = value.copy_to_host() if isinstance(value, DeviceNDArray) else np.asarray(value)
        if host.ndim > len(shape):
            more = host.ndim - len(shape)
            if host.shape[:more].count(1) != more:
                raise ValueError(f"Can't assign {host.ndim}-D array to {len(shape)}-D self")
            host = host.reshape(host.shape[more:])
        try:
            spread = np.broadcast_to(host, shape)
        except ValueError:
            raise ValueError(
                f"could not broadcast input array from shape {host.shape} into shape {shape}"
            ) from None
        # Not ascontiguousarray: it makes a 0-d array 1-d.
        packed = np.array(spread, dtype=view.dtype, order="C")
        if packed.size:
            view.copy_from_host(plain(packed), engine_stream(stream))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("`copy=False` is not supported: the elements are on a device")
        host = self.copy_to_host()
        return host if dtype is None else host.astype(dtype)

    def __repr__(self) -> str:
        where = "CPU" if self.device.is_host else f"GPU {self.device.ordinal}"
        return f"<DeviceNDArray shape={tuple(self.shape)} dtype={self.dtype} on {where}>"

    def _repr_html_(self) -> str:
        rows = (
            ("bytes", size(self.nbytes)),
            ("strides", tuple(self.strides)),
            ("device", self.device.name),
            ("elements", "copy_to_host() brings them here"),
        )
        return card(f"DeviceNDArray {self.dtype} {tuple(self.shape)}", rows)


class DeviceRecord(DeviceNDArray):
    """One element of a structured dtype in device memory, as kernels take it.

    ``record["x"]`` is the field: a number is copied to the host, an array or a record inside is a
    view; assigning copies to the device. `copy_to_host` gives a NumPy record.
    """

    def __init__(self, dtype: Any, stream: Any = 0, *, base: DeviceNDArray | None = None) -> None:
        if base is None:
            super().__init__((), to_engine(dtype), stream=engine_stream(stream))
        else:
            super().__init__(base, (), (), 0, base.element)
        self.mark_as_record()

    @classmethod
    def at(cls, view: DeviceNDArray) -> DeviceRecord:
        """The record that an array without dimensions holds, in the same memory."""
        return cls(None, base=view)

    def copy_to_host(self, ary: Any = None, stream: Any = 0) -> Any:
        """Copies into the host record `ary`, or into a new one, and returns it."""
        import numpy as np

        if ary is None:
            return super().copy_to_host(stream=stream)[()]
        into = ary if isinstance(ary, np.ndarray) else _host_view(ary)
        super().copy_to_host(into, stream)
        return ary

    def __getitem__(self, item: Any) -> Any:
        if not isinstance(item, str):
            return super().__getitem__(item)
        field = self._field(item)
        if field.ndim:
            return field
        # Text is a record to the engine, and a string to the host.
        if field.element.kind == "record" and field.dtype.names is not None:
            return DeviceRecord.at(field)
        return field.copy_to_host()[()]

    def _field(self, name: str) -> DeviceNDArray:
        offset, element, shape, strides = field_layout(self, name)
        return self._view(shape, strides, offset, element)

    def __reduce__(self) -> tuple[Any, ...]:
        return from_record_like, (self.copy_to_host(),)

    def __repr__(self) -> str:
        where = "CPU" if self.device.is_host else f"GPU {self.device.ordinal}"
        return f"<DeviceRecord dtype={self.dtype} on {where}>"


def _host_view(record: Any) -> Any:
    """A host record as an array without dimensions over the same memory."""
    import numpy as np

    octets = np.frombuffer(record, dtype=np.uint8)
    address = octets.__array_interface__["data"][0]

    class _Memory:  # np.frombuffer is read-only for records, though they may be written to
        owner = record
        __array_interface__ = {  # noqa: RUF012
            "shape": (record.dtype.itemsize,),
            "typestr": "|u1",
            "data": (address, not record.flags.writeable),
            "version": 3,
        }

    return np.asarray(_Memory()).view(record.dtype)[0:1].reshape(())


def from_record_like(record: Any, stream: Any = 0) -> DeviceRecord:
    """A new device record with the content of `record`, a host or a device record."""
    made = DeviceRecord(record.dtype, stream)
    made.copy_to_device(record, stream)
    return made


_dtypes: dict[_engine.Type, Any] = {}


def _dtype_of(element: _engine.Type) -> Any:
    """The NumPy dtype of an engine type, remembered."""
    found = _dtypes.get(element)
    if found is None:
        found = _dtypes[element] = as_dtype(from_engine(element))
    return found


def plain(host: Any) -> Any:
    """The same memory with elements that the buffer protocol knows: it has no times."""
    return host.view(f"V{host.dtype.itemsize}") if host.dtype.kind in "mMV" else host
