"""What becomes an array, and arrays as NumPy's."""

from __future__ import annotations

import math
from typing import Any

from .. import _engine
from . import dtypes

_NUMBERS = (bool, int, float, complex)


def from_numpy(
    host: Any, dtype: Any = None, copy: bool | None = None, is_shared: bool = True
) -> _engine.Array:
    """An array of a NumPy array's elements: of the same memory where the device reaches it.

    With `copy=True` always of its own memory; with False a copy raises `ValueError`. Where nobody
    else has that memory, `is_shared=False` lets assignments leave it.
    """
    import numpy as np

    from .._device.arrays import DeviceNDArray
    from .._types.bridge import to_engine

    wanted = host.dtype if dtype is None else np.dtype(dtype)
    name = dtypes.name_of(wanted)
    if host.dtype != wanted or not host.dtype.isnative:
        if copy is False:
            raise ValueError(f"a copy is needed to convert {host.dtype} to {wanted}")
        host, copy = host.astype(name), None
    device = _engine.current_device()
    is_aligned = host.flags.aligned
    if device.is_host and not copy and is_aligned:
        address, read_only = host.__array_interface__["data"]
        memory = DeviceNDArray(
            address,
            host.shape,
            host.strides,
            to_engine(host.dtype),
            host,
            read_only=read_only,
            device=device,
        )
        return _engine.array_of_memory(memory, is_shared)  # type: ignore[no-any-return]
    if copy is False:
        raise ValueError(f"a copy is needed to bring the array to {device.name}")
    memory = DeviceNDArray(host.shape, to_engine(host.dtype), device=device)
    if host.size:
        memory.copy_from_host(np.ascontiguousarray(host))
    return _engine.array_of_memory(memory, False)  # type: ignore[no-any-return]


def asarray(obj: Any, dtype: Any = None, copy: bool | None = None) -> _engine.Array:
    """`obj` as an array: an array as it is, other libraries' without a copy where that can be."""
    if isinstance(obj, _engine.Array):
        wanted = obj._dtype if dtype is None else dtypes.name_of(dtype)
        if wanted != obj._dtype:
            if copy is False:
                raise ValueError(f"a copy is needed to convert {obj._dtype} to {wanted}")
            return _engine.array_cast(obj, wanted)  # type: ignore[no-any-return]
        return _engine.array_apply("positive", obj) if copy else obj
    import numpy as np

    if isinstance(obj, np.ndarray):
        return from_numpy(obj, dtype, copy)
    if isinstance(obj, (list, tuple)):
        obj = _without_arrays(obj)
    if copy is False and not hasattr(obj, "__array_interface__"):
        raise ValueError("a list or a number cannot become an array without a copy")
    return from_numpy(np.asarray(obj, dtype=dtype), None)


def _without_arrays(items: Any) -> Any:
    """Nested lists with NumPy's arrays in the place of ours."""
    if isinstance(items, (list, tuple)):
        return [_without_arrays(each) for each in items]
    return to_numpy(items)[()] if isinstance(items, _engine.Array) else items


def operand(value: Any) -> Any:
    """What C++ takes as an operand in the place of `value`; None where it has its own operators."""
    import numpy as np

    if isinstance(value, (np.ndarray, np.generic, list, tuple)):
        return asarray(value)
    if isinstance(value, _NUMBERS):  # of a subclass, such as an enum's
        return next(kind(value) for kind in _NUMBERS if isinstance(value, kind))
    return None


def to_numpy(array: _engine.Array) -> Any:
    """The elements as a NumPy array: a view of memory that the host reaches, else a copy.

    It must not be written to.
    """
    import numpy as np

    memory = array._evaluate()
    if memory.device.is_host:
        memory.device.default_stream.synchronize()
        return np.asarray(_Exported(memory))
    host = np.empty(array.shape, dtypes.numpy_dtype(array._dtype))
    if math.prod(array.shape):
        memory.copy_to_host(host)
    return host


class _Exported:
    def __init__(self, memory: Any) -> None:
        self._memory = memory
        self.__array_interface__ = {
            "shape": tuple(memory.shape),
            "strides": tuple(memory.strides),
            "data": (memory.address, True),
            "typestr": memory.typestr,
            "version": 3,
        }
