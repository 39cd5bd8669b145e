"""Functions of package `cupy` that NumPy has not: where an array is, and how it gets there."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

import phalanx as px

from .cupy_memory import PinnedMemoryPool
from .cupy_runtime import is_usable


def asnumpy(
    a: Any, stream: Any = None, order: str = "C", out: Any = None, *, blocking: bool = True
) -> Any:
    """The array on the host, with memory of its own; what is on the host already as it is."""
    if isinstance(a, px.ndarray):
        return a.get(order=order, out=out)
    if hasattr(a, "__cuda_array_interface__"):
        return px.asarray(a).get(order=order, out=out)
    made = np.asarray(a, order=order if order in ("C", "F") else "K")  # type: ignore[call-overload]
    if out is None:
        return made
    out[...] = made
    return out


def array(
    obj: Any,
    dtype: Any = None,
    copy: bool | None = True,
    order: str | None = "K",
    subok: bool = False,
    ndmin: int = 0,
    *,
    blocking: bool = False,
) -> Any:
    """As `phalanx.array`; from the host it has always copied when it returns (`blocking`)."""
    return px.array(obj, dtype, copy=copy, order=order, subok=_refused(subok), ndmin=ndmin)


def asarray(
    a: Any,
    dtype: Any = None,
    order: str | None = None,
    *,
    copy: bool | None = None,
    blocking: bool = False,
) -> Any:
    """As `phalanx.asarray`; from the host it has always copied when it returns (`blocking`)."""
    return px.asarray(a, dtype, order, copy=copy)


asanyarray = asarray


def _refused(subok: bool) -> bool:
    if subok:
        raise NotImplementedError("there are no classes below phalanx.ndarray: leave out subok")
    return subok


def get_array_module(*args: Any) -> Any:
    """`cupy` if one of the arguments is an array of ours, else `numpy`."""
    ours = any(isinstance(each, px.ndarray) for each in args)
    return importlib.import_module("cupy") if ours else np


def fromDlpack(dltensor: Any) -> Any:
    """An array of a capsule of DLPack, CuPy's older name for `from_dlpack`."""
    return px.from_dlpack(dltensor)


def is_available() -> bool:
    """Returns whether arrays have a GPU, or the CPU device that serves as one."""
    return is_usable()


def get_default_pinned_memory_pool() -> PinnedMemoryPool:
    """The pool of host memory that a GPU reads."""
    return PinnedMemoryPool()


def show_config(*, _full: bool = False) -> None:
    """Prints the version and the devices."""
    from .._device import devices

    print(f"phalanx {px.__version__}")
    for each in devices.list_devices():
        print(each)
