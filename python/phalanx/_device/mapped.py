"""Arrays in host memory that devices reach without a copy: mapped and managed memory.

They are NumPy arrays that kernels use in place: a launch does not copy them and does not wait, so
synchronise before reading what a kernel wrote.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from .. import _engine
from .transfer import host_array, layout_like


def mapped_array(
    shape: Any,
    dtype: Any = None,
    strides: Any = None,
    order: str = "C",
    stream: Any = 0,
    portable: bool = False,
    wc: bool = False,
) -> Any:
    """A NumPy array in page-locked memory that is mapped into the device's address space.

    >>> x = cuda.mapped_array(3, dtype=np.float32)
    >>> x[:] = 2
    >>> x
    HostNDArray([2., 2., 2.], dtype=float32)
    """
    return host_array("mapped", shape, dtype, strides, order, stream)


def mapped_array_like(ary: Any, stream: Any = 0, portable: bool = False, wc: bool = False) -> Any:
    """A mapped array with the shape, dtype and axis order of `ary`.

    >>> cuda.mapped_array_like(np.zeros((2, 3))).shape
    (2, 3)
    """
    shape, dtype, order, strides = layout_like(ary)
    return mapped_array(shape, dtype, strides, order, stream, portable, wc)


def managed_array(
    shape: Any,
    dtype: Any = None,
    strides: Any = None,
    order: str = "C",
    stream: Any = 0,
    attach_global: bool = True,
) -> Any:
    """A NumPy array in memory that moves between host and device on demand.

    >>> x = cuda.managed_array(3, dtype=np.float32)
    >>> x[:] = 2
    >>> x
    HostNDArray([2., 2., 2.], dtype=float32)
    """
    return host_array("managed", shape, dtype, strides, order, stream)


@contextlib.contextmanager
def mapped(*arrays: Any, **options: Any) -> Iterator[Any]:
    """Maps host arrays for the length of a ``with`` block, and gives them, one or a list.

    >>> x = np.ones(3)
    >>> with cuda.mapped(x) as on_device:
    ...     print(on_device.shape)
    (3,)
    """
    held = [_engine.pin(array, mapped=True) for array in arrays]
    try:
        yield arrays[0] if len(arrays) == 1 else list(arrays)
    finally:
        held.clear()
