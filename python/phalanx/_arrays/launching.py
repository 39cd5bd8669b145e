"""How kernels in Python of the package are launched: on their arrays' device, in its order."""

from __future__ import annotations

from typing import Any

from .. import _engine


def launch(kernel: Any, blocks: Any, threads: int, device: Any, *args: Any) -> None:
    """Queues a kernel on the device's default stream; arrays come as `read` and `written` say."""
    kernel.set_advises(False)  # nobody can follow advice about small grids here
    kernel[blocks, threads, device.default_stream](*args)


def launch_alone(kernel: Any, blocks: Any, threads: int, device: Any, *args: Any) -> None:
    """The same of sorts, searches and sparse matrices, which no graph records.

    They need memory of their own on the way, and some look at what they have made. Raises
    `ValueError` while one is recorded.
    """
    if _engine.is_recording():
        raise ValueError(
            "a graph cannot call a library, as for products of matrices and sorts: do it before"
        )
    launch(kernel, blocks, threads, device, *args)


def read(array: Any) -> Any:
    """The memory of an array for a kernel that reads it, which nobody else learns of."""
    return array._evaluate()


def written(array: Any) -> Any:
    """The memory of an array for a kernel that writes to it."""
    return array._open()


def as_bits(memory: Any, dtype: str) -> Any:
    """The memory of a contiguous vector, with elements of another type of the same size.

    A view of the array, which shares its memory for good, would keep it where it is.
    """
    element = _engine.Type.scalar(dtype)
    return _engine.DeviceArray(memory, memory.shape, memory.strides, 0, element)


def stretch(memory: Any, first: int, count: int) -> Any:
    """The memory of some elements of a contiguous vector."""
    (stride,) = memory.strides
    return _engine.DeviceArray(memory, (count,), (stride,), first * stride)


def on_device(memory: Any, device: Any) -> Any:
    """The memory, or that of a device which this one reaches, for kernels of this one."""
    if memory.device == device:
        return memory
    given = memory.address, memory.shape, memory.strides, memory.element, memory
    return _engine.DeviceArray(*given, device=device)
