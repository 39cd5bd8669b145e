"""The arguments of a call: numbers, host arrays and device arrays, brought to where it runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from .. import _engine
from .._core.spread_arguments import refuse_spread_argument
from .loops import Argument, describe_number


class Operand(NamedTuple):
    """One argument: a NumPy array, a `DeviceNDArray`, or a number."""

    value: Any
    argument: Argument
    shape: tuple[int, ...]
    on_device: bool


class Site(NamedTuple):
    """Where a call runs."""

    device: _engine.Device
    stream: _engine.Stream | None  # None: the device's default stream

    @property
    def on_host(self) -> bool:
        """Returns whether the device reaches host memory, so that NumPy arrays need no copies."""
        return self.device.is_host


def site_of(target: str, stream: Any) -> Site:
    """The device of a target, and the engine's form of `stream`."""
    from .._device.streams import engine_stream

    if target == "cuda":
        return Site(_engine.current_device(), engine_stream(stream))
    device = _engine.device("cpu")
    return Site(device, engine_stream(stream) or device.default_stream)


def is_device_array(value: Any) -> bool:
    """Returns whether it is an array of the engine, on any device."""
    return isinstance(value, _engine.DeviceArray)


def is_on_device(value: Any) -> bool:
    """Returns whether it is an array of the engine, or of a library for GPUs."""
    return is_device_array(value) or hasattr(value, "__cuda_array_interface__")


def read(value: Any) -> Operand:
    """The operand that a value is; what is no array goes through `numpy.asarray`."""
    import numpy as np

    from .._device.arrays import DeviceNDArray
    from .._device.transfer import as_cuda_array

    if type(value) is DeviceNDArray:
        return Operand(value, Argument(value.dtype, False, False), tuple(value.shape), True)
    if not isinstance(value, np.ndarray):
        number = describe_number(value)
        if number is not None:
            return Operand(value, number, (), False)
        if is_device_array(value):
            value = value if isinstance(value, DeviceNDArray) else _as_ours(value)
            return Operand(value, Argument(value.dtype, False, False), tuple(value.shape), True)
        if hasattr(value, "__cuda_array_interface__"):
            return read(as_cuda_array(value))
        refuse_spread_argument(value, "a function of elements")
        value = np.asarray(value)
    if value.ndim == 0:
        number = Argument(value.dtype, True, False)
        return Operand(value[()], number, (), False)
    return Operand(value, Argument(value.dtype, False, False), value.shape, False)


def as_output(value: Any) -> Any:
    """Another library's device array as one of ours, which is written to and returned."""
    if is_device_array(value) or not hasattr(value, "__cuda_array_interface__"):
        return value
    from .._device.transfer import as_cuda_array

    return as_cuda_array(value)


def _as_ours(value: _engine.DeviceArray) -> Any:
    from .._device.arrays import DeviceNDArray

    return DeviceNDArray(value, tuple(value.shape), tuple(value.strides))


def broadcast(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """The shape that all shapes stretch to; raises `ValueError` in NumPy's words."""
    shape: tuple[int, ...] = _engine.broadcast_shapes(shapes)
    return shape


def new_as_numpy(values: Sequence[Any], shape: tuple[int, ...], dtype: Any) -> Any:
    """A new host array of their broadcast shape, with the axes in the order of theirs."""
    import numpy as np

    arrays = [value for value in values if isinstance(value, np.ndarray)]
    order = _engine.kept_order(shape, [stretched_strides(each, shape) for each in arrays])
    made = np.empty([shape[i] for i in order], dtype)
    return made.transpose(np.argsort(order)) if order else made


def to_site(value: Any, site: Site) -> Any:
    """A host array on the device, a device array as it is; on the CPU device nothing moves."""
    if site.on_host:
        if is_device_array(value) and value.device != site.device:
            return value.copy_to_host()
        return value
    if is_device_array(value):
        return value
    import numpy as np

    from .._device.transfer import to_device

    if not (value.flags.c_contiguous or value.flags.f_contiguous):
        value = np.ascontiguousarray(value)
    return to_device(value, site.stream)


def view(
    array: Any, shape: Sequence[int], strides: Sequence[int], site: Site, offset: int = 0
) -> Any:
    """The memory of an array, host or device, under another shape and other byte strides."""
    from .._device.arrays import DeviceNDArray

    if is_device_array(array):
        return DeviceNDArray(array, tuple(shape), tuple(strides), offset)
    from .._types.bridge import to_engine

    interface = array.__array_interface__
    address, read_only = interface["data"]
    return DeviceNDArray(
        address + offset,
        tuple(shape),
        tuple(strides),
        to_engine(array.dtype),
        array,
        read_only=read_only,
        device=site.device,
    )


def stretched_strides(array: Any, shape: tuple[int, ...], core: int = 0) -> list[int]:
    """Byte strides under which the array, but for `core` last dimensions, has `shape`."""
    kept = array.ndim - core
    strides: list[int] = _engine.stretched_strides(array.shape[:kept], array.strides[:kept], shape)
    return strides


def memory_of(array: Any) -> tuple[int, tuple[int, ...], tuple[int, ...], int]:
    """Where the elements of an array lie: address, shape, strides and itemsize."""
    address = array.address if is_device_array(array) else array.__array_interface__["data"][0]
    return address, tuple(array.shape), tuple(array.strides), array.itemsize


def is_overlapping(output: Any, other: Any) -> bool:
    """Returns whether writing an element of `output` may change another element of `other`."""
    return bool(_engine.may_change_memory(memory_of(output), memory_of(other)))
