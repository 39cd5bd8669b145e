"""What becomes an array, and arrays as NumPy's."""

from __future__ import annotations

import datetime
import math
import os
import reprlib
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import dtypes, placement, sources
from .one_device import refuse_spread

if TYPE_CHECKING:
    from .ndarray import ndarray

_NUMBERS = (bool, int, float, complex)


def from_numpy(
    host: Any,
    dtype: Any = None,
    copy: bool | None = None,
    is_shared: bool = True,
    device: _engine.Device | None = None,
) -> Any:
    """An array of a NumPy array's elements: of the same memory where the device reaches it.

    With `copy=True` always of its own memory; with False a copy raises `ValueError`. Where nobody
    else has that memory, `is_shared=False` lets assignments leave it.
    """
    name = dtypes.name_of(host.dtype)
    wanted = name if dtype is None else dtypes.adapted(dtypes.name_of(dtype), name)
    if name != wanted or not host.dtype.isnative:
        if copy is False:
            raise ValueError(f"a copy is needed to convert {host.dtype} to {wanted}")
        if wanted == "bfloat16":
            made = from_numpy(host, None, None, is_shared, device)
            return _engine.array_cast(made, wanted)
        host, copy, is_shared = host.astype(dtypes.numpy_dtype(wanted)), None, False
        name = wanted
    is_movable = device is None and _engine.is_automatic()
    device = device or placement.home()
    is_aligned = host.flags.aligned
    if device.is_host and not copy and is_aligned:
        address, read_only = host.__array_interface__["data"]
        memory = _engine.DeviceArray(
            address,
            host.shape,
            host.strides,
            dtypes.engine_type(name),
            host,
            read_only=read_only,
            device=device,
        )
        made = _engine.array_of_memory(memory, is_shared, is_movable)
        if read_only:
            made._set_read_only(True)
        return made
    if copy is False:
        why = f"bring the array to {device.name}" if is_aligned else "align the elements"
        raise ValueError(f"a copy is needed to {why}")
    if host.flags.fnc:
        return from_numpy(host.T, dtype, copy, is_shared, None if is_movable else device).T
    if not device.is_host and not copy and sources.is_map(host):
        return sources.of_map(host, name, device)
    return _copied(host, name, device, is_movable)


def _copied(host: Any, dtype: str, device: _engine.Device, is_movable: bool) -> Any:
    """A copy on the device, or on the host for a GPU without room; made now, also in a graph."""
    with _engine.NotRecorded():
        return _copied_now(host, dtype, device, is_movable)


def _copied_now(host: Any, dtype: str, device: _engine.Device, is_movable: bool) -> Any:
    import numpy as np

    try:
        memory = _engine.DeviceArray(host.shape, dtypes.engine_type(dtype), device=device)
    except MemoryError:
        made = None if device.is_host else sources.on_host(host, dtype, device)
        if made is None:
            raise
        return made
    if host.size:
        from .._device.arrays import plain

        memory.copy_from_host(plain(np.ascontiguousarray(host).reshape(host.shape)))
    return _engine.array_of_memory(memory, False, is_movable)


def asarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
    like: Any = None,
) -> ndarray:
    """`a` as an array: an array as it is, other libraries' without a copy where that can be.

    With `device`, there; with `copy=True` always of its own memory. Raises `ValueError` with
    `copy=False` where a copy is needed, `TypeError` for elements that arrays do not have.

    >>> px.asarray([[1, 2], [3, 4]], dtype=px.float32)
    array([[1., 2.],
           [3., 4.]], dtype=float32)
    """
    if dtype is None and device is None and order is None:
        made = _engine.array_of_numpy(a, bool(copy))
        if made is not None:
            return made
    place = placement.engine_device(device)
    if isinstance(a, _engine.Array):
        made = _converted(a, dtype, place, copy)
    else:
        made = _from_others(a, dtype, place, copy)
    order = named_order(order, "K")
    if order in ("K", "A"):
        return made
    placed = in_order(made, order)
    if copy is False and placed is not made:
        raise ValueError(f"a copy is needed to bring the array to the order {order!r} of memory")
    return placed


def as_operand(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    device: Any = None,
    copy: bool | None = None,
) -> Any:
    """As `asarray`, for what is recorded now and read later: others' memory is copied.

    Who gives a NumPy array to an operation may change it on the next line.
    """
    if isinstance(a, _engine.Array) and dtype is None and order is None and device is None:
        return _converted(a, None, None, copy)
    is_others = not isinstance(a, (_engine.Array, list, tuple, *_NUMBERS))
    return asarray(a, dtype, order, device=device, copy=True if is_others else copy)


def _converted(
    array: _engine.Array, dtype: Any, device: _engine.Device | None, copy: bool | None
) -> Any:
    own = array._dtype
    wanted = own if dtype is None else dtypes.adapted(dtypes.name_of(dtype), own)
    if wanted != array._dtype:
        if copy is False:
            raise ValueError(f"a copy is needed to convert {array._dtype} to {wanted}")
        dtypes.warn_of_imaginary_parts(array._dtype, wanted)
        array, copy = _engine.array_cast(array, wanted), None
    if array._is_number:
        array = array._as_array()
    if device is not None and array._place is None:
        if copy is False and not placement.is_same(device, array._device):
            raise ValueError(f"a copy is needed to bring the array to {device.name}")
        return array if copy is False else _engine.array_copy(array, array.shape, device)
    if device is not None and not placement.is_same(device, array._device):
        if copy is False:
            raise ValueError(f"a copy is needed to bring the array to {device.name}")
        if device.kind == array._device.kind:
            return _copied_to_peer(array, device)
        return from_numpy(to_numpy(array), is_shared=False, device=device)
    return _engine.array_copy(array, array.shape) if copy else array


def _copied_to_peer(array: _engine.Array, device: _engine.Device) -> Any:
    """A copy on another device of the kind: GPUs copy from one to the other, where they can."""
    source = array._evaluate()
    with _engine.NotRecorded():
        memory = _engine.DeviceArray(source.shape, source.element, device=device)
        memory.copy_from(source)
    return _engine.array_of_memory(memory, False, False)


def _from_others(a: Any, dtype: Any, device: _engine.Device | None, copy: bool | None) -> Any:
    import numpy as np

    if isinstance(a, np.ndarray):
        return from_numpy(a, dtype, copy, device=device)
    refuse_spread(a)
    if hasattr(a, "__cupy_get_ndarray__"):
        return asarray(a.__cupy_get_ndarray__(), dtype, device=device, copy=copy)
    if hasattr(a, "__cuda_array_interface__"):
        return _converted(_of_cuda_interface(a), dtype, device, copy)
    if sources.has_rows(a):
        made = sources.of_rows(a, device or placement.home())
        if made is not None:
            return _converted(made, dtype, device, None)
    if isinstance(a, (list, tuple)):
        device = device or common_device([a])
        a = _without_arrays(a)
    if copy is False and not hasattr(a, "__array_interface__"):
        raise ValueError("a list or a number cannot become an array without a copy")
    is_new = isinstance(a, (list, tuple, *_NUMBERS))
    is_cast = dtype is not None and dtypes.name_of(dtype) == "bfloat16"  # which NumPy may lack
    host = np.asarray(a, dtype=None if is_cast else dtype)
    if host.dtype.kind in "OSU":
        raise TypeError(
            f"{reprlib.repr(a)} would be of dtype {host.dtype}: arrays of it are not supported, "
            f"only {dtypes.SUPPORTED}"
        )
    return from_numpy(host, dtype if is_cast else None, copy, is_shared=not is_new, device=device)


def _of_cuda_interface(a: Any) -> Any:
    """The array over another library's memory of a GPU."""
    from .._device.transfer import as_cuda_array

    interface = a.__cuda_array_interface__
    text = interface.get("typestr", "")
    if interface.get("mask") is not None:
        raise ValueError(
            "phalanx does not support masked arrays: pass the data and the mask as two arrays"
        )
    if text[:1] == ">":
        raise ValueError(f"the elements are big-endian ({text}): phalanx has none in that order")
    made = _engine.array_of_memory(as_cuda_array(a), True, _engine.is_automatic())
    return made.view(text) if text[1:2] in ("m", "M") else made


def named_order(order: Any, default: str) -> str:
    """``"C"``, ``"F"``, ``"A"`` or ``"K"``, which NumPy takes in small letters too."""
    if order is None:
        return default
    name = str(order).upper()
    if name not in ("C", "F", "A", "K"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    return name


def layout(array: Any) -> list[int] | None:
    """The dimensions from the slowest to the fastest; None where that is their own order.

    What is recorded comes to memory in its own order.
    """
    if array.ndim < 2 or (isinstance(array, _engine.Array) and array._is_pending):
        return None
    steps = [abs(step) for step in array.strides]
    axes = sorted(range(array.ndim), key=lambda i: -steps[i])
    return None if axes == [*range(array.ndim)] else axes


def visited(array: Any) -> list[int]:
    """The dimensions from the slowest to the fastest as NumPy's iterators visit them.

    As in memory; those along which elements are repeated stay where they are.
    """
    steps = [abs(step) for step in array.strides]
    axes: list[int] = []  # from the fastest on
    for axis in reversed(range(array.ndim)):
        place = len(axes)
        for before in reversed(range(len(axes))):
            if steps[axis] == 0 or steps[axes[before]] == 0:
                continue
            if steps[axes[before]] <= steps[axis]:
                break
            place = before
        axes.insert(place, axis)
    return axes[::-1]


def transposed_back(array: Any, axes: list[int]) -> Any:
    """The array whose dimensions are in the order of `axes`, with them in their own."""
    return array._transpose(sorted(range(len(axes)), key=axes.__getitem__))


def copied(array: Any, order: str = "K") -> Any:
    """A copy in an order of memory: ``"K"`` keeps that of the array.

    What is recorded and will lie in C order, and what lies so, is copied when it is needed.
    """
    made = _engine.array_copy(array, array.shape)
    if array.ndim < 2:
        return made
    if array._is_pending and (order == "K" or (order != "F" and array._comes_in_c_order)):
        return made
    memory = array._evaluate()
    if order == "A":
        order = "F" if memory.is_f_contiguous and not memory.is_c_contiguous else "C"
    if order != "F" and memory.is_c_contiguous:
        return made
    axes = layout(array) if order == "K" else None
    if axes is None:
        return in_order(made, "F" if order == "F" else "C")
    turned = array._transpose(axes)
    return transposed_back(in_order(_engine.array_copy(turned, turned.shape), "C"), axes)


def in_order(array: Any, order: str) -> Any:
    """The array where its memory is in that order, ``"C"`` or ``"F"``; else a copy that is."""
    if order == "F":
        turned = array.T
        made = in_order(turned, "C")
        return array if made is turned else made.T
    if order != "C":
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{order}')")
    if array._evaluate().is_c_contiguous:
        return array
    made = _engine.array_copy(array, array.shape)._reshape(-1)._reshape(array.shape)
    made._evaluate()  # views of what is in memory keep the order
    return made


def _without_arrays(items: Any) -> Any:
    """Nested lists with NumPy's arrays in the place of ours."""
    if isinstance(items, (list, tuple)):
        return items if _are_numbers(items) else [_without_arrays(each) for each in items]
    refuse_spread(items)
    if not isinstance(items, _NUMBERS) and hasattr(items, "__cuda_array_interface__"):
        items = asarray(items)
    return to_numpy(items)[()] if isinstance(items, _engine.Array) else items


def _are_numbers(items: Any) -> bool:
    """Returns whether a list has Python's numbers only, as most do: it need not be gone through."""
    return {*map(type, items)} <= {*_NUMBERS}


# Where the first array among the values is tied to; None for the thread's current device.
place_of = _engine.array_place_of
# The one device that arrays among the values, and in lists, are tied to; None without any.
common_device = _engine.array_common_device


def beside(value: Any, place: _engine.Device | None) -> Any:
    """As `as_operand`; what is no array of ours comes to that device, which ours do not leave."""
    return as_operand(value, device=None if isinstance(value, _engine.Array) else place)


def asarray_beside(value: Any, place: _engine.Device | None) -> Any:
    """As `beside`, for what is read before the function returns: as `asarray`."""
    return asarray(value, device=None if isinstance(value, _engine.Array) else place)


def operands(*values: Any) -> list[Any]:
    """As `as_operand`, of each; those that are no arrays of ours come to the device of ours."""
    place = place_of(*values)
    if place is None:
        return [as_operand(each) for each in values]
    return [beside(each, place) for each in values]


def arrays(*values: Any) -> list[Any]:
    """As `operands`, for what is read before the function returns: as `asarray`, of each."""
    place = place_of(*values)
    return [asarray_beside(each, place) for each in values]


def operand(value: Any, place: _engine.Device | None = None) -> Any:
    """What C++ takes as an operand in the place of `value`; None where it has its own operators.

    `place` is the other operand's device, where that is not the thread's current one.
    """
    import numpy as np

    if isinstance(value, (np.ndarray, np.generic, list, tuple)):
        return beside_others(value, place)
    if isinstance(value, (datetime.date, datetime.timedelta)):
        is_span = isinstance(value, datetime.timedelta)
        return asarray(np.timedelta64(value) if is_span else np.datetime64(value), device=place)
    if isinstance(value, _NUMBERS):  # of a subclass, such as an enum's
        plain: tuple[Any, ...] = _NUMBERS
        return next(kind(value) for kind in plain if isinstance(value, kind))
    return None


def beside_others(value: Any, place: _engine.Device | None = None) -> Any:
    """As `beside`, but for NumPy's numbers, which meet arrays of any device."""
    if isinstance(value, _engine.Array):
        return as_operand(value)
    import numpy as np

    is_number = isinstance(value, np.generic) and value.dtype.kind in "biufc"
    if is_number and value.dtype.char not in "gG":
        return _engine.array_number(value.item(), value.dtype.name)
    return beside(value, place)


def to_numpy(array: _engine.Array) -> Any:
    """The elements as a NumPy array: a view of memory that the host reaches, else a copy.

    It must not be written to. Raises `TypeError` for bfloat16 without the package ml_dtypes.
    """
    import numpy as np

    try:
        memory = array._evaluate(True)
    except MemoryError:
        if array._device.is_host:
            raise
        host = np.empty(array.shape, dtypes.numpy_dtype(array._dtype))
        _engine.array_read(array, host.ctypes.data)  # which needs no room on the device
        return host
    if memory.device.is_host:
        memory.device.default_stream.synchronize()
        return exported(memory, True)
    host = np.empty(array.shape, dtypes.numpy_dtype(array._dtype))
    if math.prod(array.shape):
        from .._device.arrays import plain

        memory.copy_to_host(plain(host))
    return host


def is_on_host(array: _engine.Array) -> bool:
    """Returns whether the host reaches the elements; what may come to any device is computed."""
    if array._place is None and array._is_pending:
        array._evaluate(True)
    return bool(array._device.is_host)


def is_tied_to_gpu(array: _engine.Array) -> bool:
    """Returns whether all that is made of the array is on one GPU."""
    return array._place is not None and not array._place.is_host


def has_gpu_kernels(array: _engine.Array) -> bool:
    """Returns whether the array is tied to a device that runs a GPU's kernels.

    Those that may be on any device are not: what is made of them has to stay so. With
    PHALANX_ARRAY_KERNELS=gpu the CPU device has them too, so that tests run them without a GPU.
    """
    place = array._place
    if place is None:
        return False
    return not place.is_host or os.environ.get("PHALANX_ARRAY_KERNELS") == "gpu"


def to_readable(array: _engine.Array) -> Any:
    """As `to_numpy`, for somebody who prints them: bfloat16 that NumPy does not know in float32."""
    if not dtypes.has_numpys(array._dtype):
        array = _engine.array_cast(array, "float32")
    return to_numpy(array)


def shared_memory(array: _engine.Array) -> Any:
    """The array's memory, which later writes go to, as one of device arrays with their methods."""
    from .._device.arrays import DeviceNDArray

    memory = array._share()
    return DeviceNDArray(memory, tuple(memory.shape), tuple(memory.strides))


def opened(array: Any) -> Any:
    """The array's memory, which the host reaches, as a NumPy array to write to now."""
    memory = array._open()
    memory.device.default_stream.synchronize()
    return exported(memory, False)


def exported(memory: Any, is_read_only: bool) -> Any:
    """Memory of the host as a NumPy array."""
    import numpy as np

    made = np.asarray(Exported(memory, is_read_only))
    # The array interface has no word for bfloat16.
    return made.view(dtypes.numpy_dtype("bfloat16")) if made.dtype.kind == "V" else made


class Exported:
    """Memory of the host, as NumPy takes it."""

    def __init__(self, memory: Any, is_read_only: bool) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "shape": tuple(memory.shape),
            "strides": tuple(memory.strides),
            "data": (memory.address, is_read_only),
            "typestr": memory.typestr,
            "version": 3,
        }
