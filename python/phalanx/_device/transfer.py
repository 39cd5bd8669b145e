"""Making device arrays, moving data, and memory of the host that devices reach quickly."""

from __future__ import annotations

import contextlib
import copyreg
import operator
from collections.abc import Iterator
from typing import Any

from .. import _engine
from .._core.config import flag, setting
from .._core.spread_arguments import refuse_spread_argument
from .._types.bridge import to_engine
from .arrays import DeviceNDArray, DeviceRecord, from_record_like
from .devices import current_context, current_manager
from .layout import packed_strides
from .streams import engine_stream, external_stream


def to_device(obj: Any, stream: Any = 0, copy: bool = True, to: Any = None) -> DeviceNDArray:
    """Copies a NumPy array, a scalar or a list to the device.

    `to` is an existing device array to fill; with ``copy=False`` nothing is copied. An array that
    is on the device already is returned as it is. Raises `ValueError` for arrays whose elements do
    not lie together in memory, `TypeError` for dtypes that kernels do not have.

    >>> x = cuda.to_device(np.arange(3.0))
    >>> x.copy_to_host()
    array([0., 1., 2.])
    """
    if to is None and isinstance(obj, DeviceNDArray):
        return obj
    if to is None and hasattr(obj, "__cuda_array_interface__"):
        return as_cuda_array(obj)
    import numpy as np

    if to is None and isinstance(obj, np.void) and obj.dtype.names is not None:
        return from_record_like(obj, stream) if copy else DeviceRecord(obj.dtype, stream)
    refuse_spread_argument(obj, "to_device")
    host = np.asarray(obj)
    if to is not None:
        if not hasattr(to, "copy_to_device"):
            raise TypeError(f"to= is a device array to fill, not {type(to).__name__}")
        if copy:
            to.copy_to_device(obj if isinstance(obj, DeviceNDArray) else host, stream)
        return to  # type: ignore[no-any-return]
    if 0 in host.strides and host.size:
        return _broadcast_to_device(host, stream, copy)
    _check_contiguous(host)
    device = device_array_like(host, stream)
    if copy:
        device.copy_to_device(host, stream)
    return device


def _reduced(array: DeviceNDArray) -> tuple[Any, ...]:
    return to_device, (array.copy_to_host(),)


copyreg.pickle(DeviceNDArray, _reduced)


def _broadcast_to_device(host: Any, stream: Any, copy: bool) -> DeviceNDArray:
    """A broadcast array: what is repeated is stored once there too."""
    core = host[tuple(slice(0, 1) if stride == 0 else slice(None) for stride in host.strides)]
    _check_contiguous(core)
    device = device_array_like(core, stream)
    if copy:
        device.copy_to_device(core, stream)
    strides = (
        0 if before == 0 else now for before, now in zip(host.strides, device.strides, strict=True)
    )
    return DeviceNDArray(device, host.shape, tuple(strides))


def _check_contiguous(host: Any) -> None:
    if not (host.flags.c_contiguous or host.flags.f_contiguous):
        raise ValueError(
            "Array contains non-contiguous buffer and cannot be transferred as a single memory "
            "region. Please ensure contiguous buffer with numpy.ascontiguousarray()"
        )


def device_array(
    shape: Any, dtype: Any = None, strides: Any = None, order: str = "C", stream: Any = 0
) -> DeviceNDArray:
    """A device array of undefined content; `dtype` is float64 if not given.

    >>> cuda.device_array((2, 3), np.float32).shape
    (2, 3)
    """
    shape = _shape_of(shape)
    element = to_engine("float64" if dtype is None else dtype)
    manager = current_manager()
    if manager is not None:
        return _managed_by(manager, shape, element, strides, order, engine_stream(stream))
    if strides is None:
        return DeviceNDArray(shape, element, order=order, stream=engine_stream(stream))
    strides = _shape_of(strides)
    first, extent = _reach(shape, strides, element.size)
    base = DeviceNDArray((extent,), to_engine("uint8"), stream=engine_stream(stream))
    return DeviceNDArray(base, shape, strides, first, element)


def _reach(shape: tuple[int, ...], strides: tuple[int, ...], size: int) -> tuple[int, int]:
    """Bytes that lie before the first element, and all that the elements reach over.

    Raises `ValueError` where there are more strides than dimensions, or fewer.
    """
    if len(shape) != len(strides):
        raise ValueError(f"strides {strides} do not fit a shape of {len(shape)} dimensions")
    if 0 in shape:
        return 0, 0
    steps = [(n - 1) * s for n, s in zip(shape, strides, strict=True)]
    before = -sum(step for step in steps if step < 0)
    return before, before + sum(step for step in steps if step > 0) + size


def _managed_by(
    manager: Any, shape: tuple[int, ...], element: Any, strides: Any, order: str, stream: Any
) -> DeviceNDArray:
    """An array in memory of a plug-in."""
    given = packed_strides(shape, element.size, order) if strides is None else _shape_of(strides)
    first, extent = _reach(shape, given, element.size)
    memory = manager.memalloc(extent)
    address = memory.device_pointer_value + first
    return DeviceNDArray(address, shape, given, element, memory, stream=stream)


def _shape_of(shape: Any) -> tuple[int, ...]:
    """A shape given as an int or a sequence of ints, as a tuple of Python ints."""
    try:
        return (operator.index(shape),)
    except TypeError:
        pass
    try:
        return tuple(operator.index(n) for n in shape)
    except TypeError:
        raise TypeError(f"a shape is an int or a tuple of ints, not {shape!r}") from None


def layout_like(array: Any) -> tuple[tuple[int, ...], Any, str, tuple[int, ...] | None]:
    """Shape, dtype, order and strides for a new array like another: its axes keep their order."""
    shape = tuple(int(n) for n in array.shape)
    dtype = array.dtype
    strides = getattr(array, "strides", None)
    itemsize = dtype.itemsize
    if strides is None or tuple(strides) == packed_strides(shape, itemsize, "C"):
        return shape, dtype, "C", None
    if tuple(strides) == packed_strides(shape, itemsize, "F"):
        return shape, dtype, "F", None
    ranks = sorted(range(len(shape)), key=lambda i: -abs(strides[i]))
    packed = packed_strides([shape[i] for i in ranks], itemsize, "C")
    kept = [0] * len(shape)
    for position, axis in enumerate(ranks):
        kept[axis] = packed[position]
    return shape, dtype, "C", tuple(kept)


def device_array_like(ary: Any, stream: Any = 0) -> DeviceNDArray:
    """A device array of undefined content with the shape, dtype and axis order of `ary`.

    >>> cuda.device_array_like(np.zeros(4, np.int16)).dtype
    dtype('int16')
    """
    shape, dtype, order, strides = layout_like(ary)
    return device_array(shape, dtype, strides, order, stream)


def host_array(kind: str, shape: Any, dtype: Any, strides: Any, order: Any, stream: Any = 0) -> Any:
    """A NumPy array in memory of the engine: "pinned", "mapped" or "managed"."""
    import numpy as np

    shape = _shape_of(shape)
    dtype = np.dtype(np.float64 if dtype is None else dtype)
    if dtype.hasobject:
        raise TypeError(f"{kind} memory holds numbers, not Python objects (dtype {dtype})")
    if order not in ("C", "F"):
        raise ValueError(f"an array's order is 'C' or 'F', not {order!r}")
    given = packed_strides(shape, dtype.itemsize, order) if strides is None else _shape_of(strides)
    first, extent = _reach(shape, given, dtype.itemsize)
    memory: Any = _engine.HostMemory(max(extent, 1), kind)
    if kind == "pinned":
        return np.ndarray(shape, dtype, memory, first, given)
    from .host_array import HostNDArray

    made = HostNDArray(shape, dtype, memory, first, given)
    made.hold(memory, stream)
    return made


def pinned_array(shape: Any, dtype: Any = None, strides: Any = None, order: str = "C") -> Any:
    """A NumPy array in page-locked memory, which devices copy from and to at full speed.

    >>> x = cuda.pinned_array(3, dtype=np.float32)
    >>> x[:] = 1
    >>> x
    array([1., 1., 1.], dtype=float32)
    """
    return host_array("pinned", shape, dtype, strides, order)


def pinned_array_like(ary: Any) -> Any:
    """A page-locked NumPy array with the shape, dtype and axis order of `ary`.

    >>> cuda.pinned_array_like(np.zeros((2, 3))).shape
    (2, 3)
    """
    shape, dtype, order, strides = layout_like(ary)
    return pinned_array(shape, dtype, strides, order)


@contextlib.contextmanager
def pinned(*arrays: Any) -> Iterator[None]:
    """Page-locks host arrays for the length of a ``with`` block.

    >>> x = np.zeros(3)
    >>> with cuda.pinned(x):
    ...     cuda.to_device(np.ones(3)).copy_to_host(x)
    array([1., 1., 1.])
    >>> x
    array([1., 1., 1.])
    """
    held = [_engine.pin(array) for array in arrays]
    try:
        yield
    finally:
        held.clear()


def defer_cleanup() -> Any:
    """A ``with`` block in which the memory of device arrays is not given back to the device.

    >>> with cuda.defer_cleanup():
    ...     x = cuda.to_device(np.ones(3))
    ...     del x
    """
    return current_context().defer_cleanup()


def is_cuda_array(obj: Any) -> bool:
    """Returns whether `obj` is an array in device memory, of any library.

    >>> cuda.is_cuda_array(cuda.to_device(np.ones(3))), cuda.is_cuda_array(np.ones(3))
    (True, False)
    """
    return isinstance(obj, DeviceNDArray) or hasattr(obj, "__cuda_array_interface__")


def as_cuda_array(obj: Any, sync: bool = True) -> DeviceNDArray:
    """Another library's device array as one of ours, without a copy.

    Where the array names a stream, that is the result's stream too, and with `sync` its work is
    done on return.

    Raises `TypeError` when `obj` has no ``__cuda_array_interface__``.

    >>> x = cuda.to_device(np.arange(3.0))
    >>> cuda.as_cuda_array(x).copy_to_host()
    array([0., 1., 2.])
    """
    if isinstance(obj, DeviceNDArray):
        return obj
    if not hasattr(obj, "__cuda_array_interface__"):
        raise TypeError("*obj* doesn't implement the cuda array interface.")
    array = _engine.from_cuda_array_interface(obj, sync=False)
    made = DeviceNDArray(array, tuple(array.shape), tuple(array.strides))
    handle = obj.__cuda_array_interface__.get("stream")
    if handle:
        queue = made._bound = external_stream(handle)
        if sync and _waits_for_producers():
            queue.synchronize()
    return made


def _waits_for_producers() -> bool:
    """``NUMBA_CUDA_ARRAY_INTERFACE_SYNC``: 0 leaves the order of streams to the caller."""
    default = flag("NUMBA_CUDA_ARRAY_INTERFACE_SYNC", 1)
    return bool(setting("CUDA_ARRAY_INTERFACE_SYNC", default))


def from_cuda_array_interface(
    desc: dict[str, Any], owner: Any = None, sync: bool = True
) -> DeviceNDArray:
    """A device array from a ``__cuda_array_interface__`` dictionary; `owner` is kept alive.

    It is of memory of a GPU, such as PyTorch's:

        tensor = torch.zeros(3, device="cuda")
        same = cuda.from_cuda_array_interface(tensor.__cuda_array_interface__, owner=tensor)

    Raises `TypeError` where the CPU device is the current one.
    """

    class _Described:
        __cuda_array_interface__ = desc

    described = _Described()
    described.owner = owner  # type: ignore[attr-defined]
    return as_cuda_array(described, sync)


def engine_device() -> _engine.Device:
    """The calling thread's device."""
    return _engine.current_device()
