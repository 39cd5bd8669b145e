"""Functions of package `cupy` that NumPy has not: where an array is, and how it gets there."""

from __future__ import annotations

import functools
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
    """As `phalanx.asarray`; from the host it has always copied when it returns (`blocking`).

    What has gaps on the host has none here, also on the CPU device: kernels in CUDA C walk over
    the memory.
    """
    if copy is None and isinstance(a, np.ndarray):
        copy = None if a.flags.c_contiguous or a.flags.f_contiguous else True
    return px.asarray(a, dtype, order, copy=copy)


asanyarray = asarray


def allclose(a: Any, b: Any, rtol: Any = 1e-5, atol: Any = 1e-8, equal_nan: bool = False) -> Any:
    """True where all elements are close, as a 0-d array of bool."""
    return px.all(px.isclose(a, b, rtol=rtol, atol=atol, equal_nan=equal_nan))


def argmax(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """The index of the greatest element along an axis, the first one of several, in that dtype."""
    return _index(px.argmax, a, axis, dtype, out, keepdims)


def argmin(
    a: Any, axis: Any = None, dtype: Any = None, out: Any = None, keepdims: bool = False
) -> Any:
    """The index of the least element along an axis, the first one of several, in that dtype."""
    return _index(px.argmin, a, axis, dtype, out, keepdims)


def _index(function: Any, a: Any, axis: Any, dtype: Any, out: Any, keepdims: bool) -> Any:
    if isinstance(dtype, px.ndarray):  # of NumPy's order of the parameters
        dtype, out = None, dtype
    made = function(a, axis=axis, keepdims=keepdims, **({} if dtype else {"out": out}))
    if dtype is None:
        return made
    made = made.astype(dtype)
    if out is None:
        return made
    out[...] = made
    return out


def _method(name: str) -> Any:
    """A function that is a method of CuPy's arrays: of NumPy's arrays it is theirs."""
    function = getattr(px, name)

    @functools.wraps(function)
    def run(a: Any, *args: Any, **options: Any) -> Any:
        if isinstance(a, np.ndarray):
            return getattr(a, {"amax": "max", "amin": "min"}.get(name, name))(*args, **options)
        return function(a, *args, **options)

    return run


sum, prod, max, min, amax, amin = map(_method, ("sum", "prod", "max", "min", "amax", "amin"))


def percentile(a: Any, q: Any, *args: Any, interpolation: Any = None, **options: Any) -> Any:
    """As `phalanx.percentile`; `interpolation` is an older name of `method`."""
    return px.percentile(a, q, *args, **_with_method(interpolation, options))


def quantile(a: Any, q: Any, *args: Any, interpolation: Any = None, **options: Any) -> Any:
    """As `phalanx.quantile`; `interpolation` is an older name of `method`."""
    return px.quantile(a, q, *args, **_with_method(interpolation, options))


def _with_method(interpolation: Any, options: dict[str, Any]) -> dict[str, Any]:
    return options if interpolation is None else {**options, "method": interpolation}


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
