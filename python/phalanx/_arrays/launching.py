"""How kernels in Python of the package are launched: on their arrays' device, in its order."""

from __future__ import annotations

from typing import Any


def launch(kernel: Any, blocks: int, threads: int, device: Any, *args: Any) -> None:
    """Queues a kernel on the device's default stream; arrays come as `read` and `written` say."""
    kernel[blocks, threads, device.default_stream](*args)


def read(array: Any) -> Any:
    """The memory of an array for a kernel that reads it, which nobody else learns of."""
    return array._evaluate()


def written(array: Any) -> Any:
    """The memory of an array for a kernel that writes to it."""
    return array._open()
