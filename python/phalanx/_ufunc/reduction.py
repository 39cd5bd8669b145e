"""Reductions: all elements of an array, or those along an axis, combined by a function of two."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Generic, TypeVar, overload

from .. import _engine
from . import loops, operands
from .kernels import ItemKernel
from .operands import Site

BLOCK, TILE = _engine.reduction_block()

# For each multiprocessor or core. A GPU's blocks go through the array side by side: several waves
# of short ones end closer together than one wave does.
_BLOCKS, _BLOCKS_ON_HOST = 16, 8
_MANY = 1 << 17  # elements that are worth several cores


T = TypeVar("T")


class Reduce(Generic[T]):
    """Reduces a one-dimensional array by a function of two elements: ``cuda.reduce``.

        @cuda.reduce
        def add(a, b):
            return a + b

        add(array)                       # the sum
        add(array, size=100, init=1)     # of the first 100, and 1
        add(array, res=device_array)     # into res[0], without waiting

    The function must be associative and commutative: the order of the elements is not kept.

    >>> @cuda.reduce
    ... def greatest(a, b):
    ...     return max(a, b)
    >>> float(greatest(np.array([3.0, 9.0, 4.0])))
    9.0
    """

    def __init__(self, functor: Callable[[T, T], T]) -> None:
        self._functor = functor
        self.__name__: str = getattr(functor, "__name__", "reduce")
        self.__doc__ = getattr(functor, "__doc__", None) or self.__doc__
        self._core = loops.device_function(functor, None)
        self._kernels: dict[Any, Any] = {}

    def __repr__(self) -> str:
        return f"<phalanx reduction {self.__name__}>"

    @overload
    def __call__(
        self, arr: Any, size: int | None = None, res: None = None, init: Any = 0, stream: Any = 0
    ) -> T: ...
    @overload
    def __call__(
        self, arr: Any, size: int | None, res: Any, init: Any = 0, stream: Any = 0
    ) -> None: ...
    @overload
    def __call__(
        self, arr: Any, size: int | None = None, *, res: Any, init: Any = 0, stream: Any = 0
    ) -> None: ...
    def __call__(
        self, arr: Any, size: int | None = None, res: Any = None, init: Any = 0, stream: Any = 0
    ) -> Any:
        """The combination of the first `size` elements of `arr`, by default all, and `init`.

        With `res`, a device array, its first element is written and None returned. Raises
        `TypeError` for arrays of other than one dimension.
        """
        source = operands.read(arr)
        if len(source.shape) != 1:
            raise TypeError(
                f"only support 1D array: {self.__name__} got one of {len(source.shape)} dimensions"
            )
        array = source.value if size is None else source.value[:size]
        dtype = source.argument.dtype
        initial = dtype.type(init)
        site = operands.site_of("cuda", stream)
        if array.shape[0] == 0:
            if res is None:
                return initial
            res[:1] = initial
            return None
        kernel = self._kernels.get(dtype)
        if kernel is None:
            kernel = self._kernels[dtype] = _reducing(self._core)
        return _finish(kernel, array, initial, res, site)


def _finish(kernel: Any, array: Any, initial: Any, res: Any, site: Site) -> Any:
    """Runs the kernel over an array, and gives the result or puts it into `res`."""
    values = operands.to_site(array, site)
    if res is not None and _is_reached(res, site):
        reduce_into(kernel, values, res[:1], initial, site)
        return None
    out = _scratch(1, array.dtype, site)
    reduce_into(kernel, values, out, initial, site)
    host = out.copy_to_host(stream=site.stream)
    if site.stream is not None:
        site.stream.synchronize()
    if res is not None:
        res[:1] = host
        return None
    return host[0]


def _is_reached(array: Any, site: Site) -> bool:
    return site.on_host or operands.is_device_array(array)


def _scratch(count: int, dtype: Any, site: Site) -> Any:
    from .._device.arrays import DeviceNDArray
    from .._types.bridge import to_engine

    return DeviceNDArray((count,), to_engine(dtype), stream=site.stream, device=site.device)


def reduce_into(kernel: Any, values: Any, out: Any, initial: Any, site: Site) -> None:
    """``out[0]`` becomes the reduction of `values`, one-dimensional and not empty, and `initial`.

    `initial` None leaves it out. Nothing waits for the device.
    """
    count = values.shape[0]
    waves = _BLOCKS_ON_HOST if site.on_host else _BLOCKS
    most = waves * int(site.device.limits["multiprocessors"])
    tiles = -(-count // TILE)
    blocks = min(-(-tiles // 2), most)
    has_initial = initial is not None
    number = initial if has_initial else 0
    if blocks == 1:
        kernel[1, BLOCK, site.stream](values, count, TILE, out, number, has_initial)
        return
    partial = _scratch(blocks, out.dtype, site)
    if site.on_host:  # a core stays within its own part of the array
        length = -(-tiles // blocks) * TILE
        blocks = -(-count // length)
        layout = (length, TILE)
    else:
        layout = (TILE, blocks * TILE)
    kernel[blocks, BLOCK, site.stream](values, *layout, partial, number, False)
    kernel[1, BLOCK, site.stream](partial[:blocks], blocks, TILE, out, number, has_initial)


def is_worth_splitting(ufunc: Any, array: Any, axis: Any) -> bool:
    """Returns whether all elements of a host array are reduced, and suffice for several cores."""
    import numpy as np

    if type(array) is not np.ndarray or array.size < _MANY or ufunc.nin != 2:
        return False
    if axis is not None and array.ndim > 1:
        return False
    argument = loops.Argument(array.dtype, False, False)
    loop = ufunc._loop((argument, argument))
    is_closed = array.dtype.isnative and loop.output == array.dtype
    return is_closed and not ufunc.can_raise(loop)  # kernels have no exceptions


def reduce_with(
    ufunc: Any,
    array: Any,
    axis: int | None = 0,
    dtype: Any = None,
    out: Any = None,
    keepdims: bool = False,
    initial: Any = None,
    stream: Any = 0,
) -> Any:
    """``ufunc.reduce``: see `Ufunc.reduce`."""
    import numpy as np

    if ufunc.nin != 2:
        raise TypeError(f"reduce only supported for binary functions: {ufunc.__name__} is none")
    source = operands.read(array)
    site = operands.site_of(ufunc.target, stream)
    ndim = len(source.shape)
    if ndim == 0:
        raise TypeError("cannot reduce on a scalar")
    axes = _axes(axis, ndim)
    wanted = source.argument.dtype if dtype is None else np.dtype(dtype)
    argument = loops.Argument(wanted, False, False)
    loop = ufunc._loop((argument, argument))
    rows, shape = _as_rows(source.value, axes, site)
    kept = [1 if i in axes else n for i, n in enumerate(source.shape) if keepdims or i not in axes]
    if initial is None and ufunc.identity is not None:
        initial = ufunc.identity
    if shape[1] == 0:
        if initial is None:
            raise ValueError(
                f"zero-size array to reduction operation {ufunc.__name__} which has no identity"
            )
        result = np.full(kept, initial, loop.output)
        return _deliver(result, out, source.on_device, site)
    made = _scratch(max(shape[0], 1), loop.output, site)
    if shape[0] == 1:
        kernel = _kernel(ufunc, loop, "reduce", _reducing)
        reduce_into(kernel, rows.reshape(shape[1]), made, initial, site)
    elif shape[0]:
        kernel = _kernel(ufunc, loop, "reduce rows", lambda core: ItemKernel(core, "reduce rows"))
        kernel[-(-shape[0] // 128), 128, site.stream](rows, made)
        if initial is not None and initial != ufunc.identity:
            ufunc(made, loop.output.type(initial), out=made, stream=stream)
    return _deliver(made[: shape[0]].reshape(tuple(kept)), out, source.on_device, site)


def _reducing(core: Any) -> ItemKernel:
    kernel = ItemKernel(core, "reduce")
    kernel.set_advises(False)  # the last launch of a reduction has one block
    return kernel


def _kernel(ufunc: Any, loop: Any, form: str, make: Callable[[Any], Any]) -> Any:
    kernel = ufunc._kernels.get((id(loop), form))
    if kernel is None:
        kernel = ufunc._kernels[id(loop), form] = make(loop.core)
    return kernel


def _axes(axis: Any, ndim: int) -> tuple[int, ...]:
    """The axes to be reduced, from 0; raises `ValueError` for those that do not exist."""
    if axis is None:
        return tuple(range(ndim))
    given = axis if isinstance(axis, tuple) else (axis,)
    for each in given:
        if not -ndim <= each < ndim:
            raise ValueError(f"axis {each} is out of bounds for array of dimension {ndim}")
    return tuple(sorted(each % ndim for each in given))


def _as_rows(value: Any, axes: tuple[int, ...], site: Site) -> tuple[Any, tuple[int, int]]:
    """The array with two dimensions, the reduced axes as the second; copied where it must be."""
    array = operands.to_site(value, site)
    ndim = len(array.shape)
    order = [i for i in range(ndim) if i not in axes] + list(axes)
    outer = math.prod(array.shape[i] for i in order if i not in axes)
    inner = math.prod(array.shape[i] for i in axes)
    turned = array if order == list(range(ndim)) else array.transpose(order)
    if ndim == 2 and len(axes) == 1:
        return turned, (outer, inner)
    try:
        return turned.reshape(outer, inner), (outer, inner)
    except NotImplementedError:  # a device array whose elements would have to move
        from .._device.arrays import DeviceNDArray
        from .._types.bridge import to_engine

        packed = DeviceNDArray(
            tuple(turned.shape), to_engine(turned.dtype), stream=site.stream, device=site.device
        )
        packed.copy_from(turned, site.stream)
        return packed.reshape(outer, inner), (outer, inner)


def _deliver(result: Any, out: Any, on_device: bool, site: Site) -> Any:
    """The result where the caller wants it: in `out`, on the device, or on the host."""
    if out is not None:
        out[...] = result
        return out
    if operands.is_device_array(result) and (not on_device or not result.shape):
        result = result.copy_to_host(stream=site.stream)
        if site.stream is not None:
            site.stream.synchronize()
    return result[()] if not result.shape else result


__all__ = ["Reduce", "reduce_into", "reduce_with"]
