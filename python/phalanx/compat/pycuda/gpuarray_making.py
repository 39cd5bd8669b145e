"""Functions of `pycuda.gpuarray` that make arrays, and that join them."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from . import gpuarray_memory as memory_
from .gpuarray_array import GPUArray, from_host
from .gpuarray_operators import cast, made_of
from .memory import mem_alloc

empty = GPUArray


def to_gpu(ary: Any, allocator: Any = mem_alloc) -> GPUArray:
    """A copy of a NumPy array, with the dimensions in its order of memory."""
    return from_host(ary, allocator)


def to_gpu_async(ary: Any, allocator: Any = mem_alloc, stream: Any = None) -> GPUArray:
    """As `to_gpu`; the NumPy array may change afterwards."""
    return from_host(ary, allocator)


def zeros(
    shape: Any, dtype: Any = np.float64, allocator: Any = mem_alloc, order: str = "C"
) -> GPUArray:
    """An array of zeros."""
    return _filled(GPUArray(shape, dtype, allocator, order=order), np.zeros)


def ones(
    shape: Any, dtype: Any = np.float64, allocator: Any = mem_alloc, order: str = "C"
) -> GPUArray:
    """An array of ones."""
    return _filled(GPUArray(shape, dtype, allocator, order=order), np.ones)


def _filled(made: GPUArray, value: Any) -> GPUArray:
    return made.fill(value((), made.dtype)) if made.size else made


def empty_like(other_ary: Any, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of another one's shape, without values.

    Its order of memory is ``"C"``, ``"F"``, with ``"A"`` Fortran's if the other one's is that only,
    with ``"K"`` the other one's. Raises `ValueError` for other letters.
    """
    kind = other_ary.dtype if dtype is None else np.dtype(dtype)
    strides = None
    if order in ("A", "K"):
        flags = other_ary.flags
        if flags.c_contiguous or flags.f_contiguous or order == "A":
            order = "F" if flags.f_contiguous and not flags.c_contiguous else "C"
        else:
            steps = tuple(other_ary.strides)
            strides = memory_.packed_as(memory_.Layout(kind, other_ary.shape, steps))
    elif order not in ("C", "F"):
        raise ValueError(f"Unsupported order: {order!r}")
    allocator = getattr(other_ary, "allocator", mem_alloc)
    shape = other_ary.shape
    return GPUArray(
        shape, kind, allocator, strides=strides, order=order if strides is None else "C"
    )


def zeros_like(other_ary: Any, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of zeros of another one's shape; orders are those of `empty_like`."""
    return _filled(empty_like(other_ary, dtype, order), np.zeros)


def ones_like(other_ary: Any, dtype: Any = None, order: str = "K") -> GPUArray:
    """An array of ones of another one's shape; orders are those of `empty_like`."""
    return _filled(empty_like(other_ary, dtype, order), np.ones)


def arange(*args: Any, **kwargs: Any) -> GPUArray:
    """``arange([start,] stop[, step][, dtype], stream=None)``: numbers `step` apart before `stop`.

    Without a dtype it is the numbers' own, for which there is a warning unless it is float32.
    Raises `ValueError` without `stop` and for an argument that is given twice, `TypeError` for
    unknown ones.
    """
    start, stop, step, given = _limits(args, kwargs)
    if given is None:
        given = np.array([start, stop, step]).dtype
        if given != np.float32:
            warnings.warn(
                "behavior change: arange guessed dtype other than float32. "
                "suggest specifying explicit dtype.",
                stacklevel=2,
            )
    dtype = np.dtype(given)
    first, last, width = (dtype.type(each) for each in (start, stop, step))
    size = max(math.ceil((last.item() - first.item()) / width.item()), 0)
    # Indices in the dtype: of float32 beyond 2**24 they are rounded, as in a kernel of C.
    value = px.arange(size, dtype=dtype) * width + first
    return made_of(cast(value, dtype), dtype, (), mem_alloc)


_NAMES = ("start", "stop", "step", "dtype")


def _limits(args: Sequence[Any], kwargs: dict[str, Any]) -> tuple[Any, Any, Any, Any]:
    given: dict[str, Any] = {}
    if args and isinstance(args[-1], np.dtype):
        given["dtype"], args = args[-1], args[:-1]
    if len(args) > 3:
        raise ValueError("too many arguments")
    names = ("stop",) if len(args) == 1 else _NAMES
    given.update(zip(names, args, strict=False))
    for name, value in kwargs.items():
        if name not in (*_NAMES, "stream"):
            raise TypeError(f"unexpected keyword argument {name!r}")
        if given.get(name) is not None:
            raise ValueError(f"may not specify {name!r} by position and keyword")
        given[name] = value
    if given.get("stop") is None:
        raise ValueError("stop argument required")
    start, step = (given.get(name) for name in ("start", "step"))
    dtype = given.get("dtype")
    return 0 if start is None else start, given["stop"], 1 if step is None else step, dtype


def concatenate(arrays: Sequence[Any], axis: int = 0, allocator: Any = None) -> GPUArray:
    """Arrays one after the other along a dimension. Raises `ValueError` where they do not fit."""
    dtype = np.result_type(*(each.dtype for each in arrays))
    value = px.concatenate([each._array for each in arrays], axis)
    return made_of(value, dtype, tuple(arrays), allocator or arrays[0].allocator)


def stack(arrays: Sequence[Any], axis: int = 0, allocator: Any = None) -> GPUArray:
    """Arrays along a new dimension, in C order for the first dimension and else in Fortran's.

    Raises `ValueError` for no arrays, and for several shapes.
    """
    if not arrays:
        raise ValueError("need at least one array to stack")
    dtype = np.result_type(*(each.dtype for each in arrays))
    rank = arrays[0].ndim
    place = rank if axis == -1 else axis
    if not 0 <= place <= rank:
        raise ValueError("invalid axis")
    if any(each.shape != arrays[0].shape for each in arrays):
        raise ValueError("arrays must have the same shape")
    parts = [each._array for each in arrays]
    turned = parts if place == 0 else [each.T for each in parts]
    value = cast(px.stack(turned, 0 if place == 0 else rank - place), dtype)
    if place:
        value._evaluate()  # else the transposed array would be computed, in C order
        value = value.T
    return made_of(value, dtype, tuple(arrays), allocator or arrays[0].allocator)


def transpose(a: GPUArray, axes: Any = None) -> GPUArray:
    """The array with its dimensions reversed, or in the order of `axes`; shares its elements."""
    return a.transpose(axes)  # type: ignore[no-any-return]


def reshape(a: GPUArray, *shape: Any, **kwargs: Any) -> GPUArray:
    """As `GPUArray.reshape`."""
    return a.reshape(*shape, **kwargs)  # type: ignore[no-any-return]
