"""Operands of user kernels: their layouts, and what is passed of them to a function in C."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

import phalanx as px

from .. import _engine
from .._arrays import launching, placement
from .cupy_kernel_params import Number, Parameter

Shape: TypeAlias = tuple[int, ...]
_NARROW = 1 << 31  # bytes that indices of 32 bits reach
_BYTE = _engine.Type.scalar("uint8")


@dataclass(frozen=True)
class Layout:
    """What the text in CUDA C depends on: an operand's kind and how its elements lie."""

    param: Parameter
    dtype: Any
    strides: tuple[int | None, ...] | None  # None for one that is passed; of a number None
    is_contiguous: bool = True
    is_narrow: bool = True

    @property
    def is_array(self) -> bool:
        """Returns whether it is an array, not a number."""
        return self.strides is not None


class Operand:
    """An operand of a call: a number, or an array's shape and strides in bytes."""

    def __init__(self, param: Parameter, dtype: Any, memory: Any) -> None:
        self.param = param
        self.dtype = dtype
        self.is_array = memory is not None
        self.shape: Shape = tuple(memory.shape) if self.is_array else ()
        self.strides: Shape = tuple(memory.strides) if self.is_array else ()

    @property
    def is_looped(self) -> bool:
        """Returns whether the loop's index goes along its elements."""
        return self.is_array and not self.param.raw

    def broadcast(self, shape: Shape) -> None:
        """Gives an array that shape, with strides of 0 where its elements repeat."""
        missing = len(shape) - len(self.shape)
        own = (*(0,) * missing, *self.strides)
        extents = (*(1,) * missing, *self.shape)
        self.strides = tuple(
            0 if extent == 1 and wanted != 1 else stride
            for extent, wanted, stride in zip(extents, shape, own, strict=True)
        )
        self.shape = shape

    def permute(self, order: Shape) -> None:
        """Puts the dimensions into another order."""
        self.shape = tuple(self.shape[k] for k in order)
        self.strides = tuple(self.strides[k] for k in order)

    def layout(self) -> Layout:
        """What the text depends on."""
        if not self.is_array:
            return Layout(self.param, self.dtype, None)
        size = self.dtype.itemsize
        reach = size + sum(
            abs(stride) * (extent - 1)
            for extent, stride in zip(self.shape, self.strides, strict=True)
        )
        strides: tuple[int | None, ...] = (None,) * len(self.shape)
        is_contiguous = self.strides == contiguous_strides(self.shape, size)
        if not is_contiguous and not self.param.raw:
            strides = tuple(s if s in (0, size) else None for s in self.strides)
        return Layout(self.param, self.dtype, strides, is_contiguous, reach < _NARROW)

    def numbers(self, layout: Layout) -> Shape | None:
        """What is passed beside the pointer to an array; None for a number."""
        if not self.is_array:
            return None
        if self.param.raw:
            return (*self.shape, *self.strides)
        if layout.is_contiguous:
            return ()
        return tuple(
            stride
            for stride, known in zip(self.strides, layout.strides or (), strict=True)
            if known is None
        )


def contiguous_strides(shape: Shape, item_size: int) -> Shape:
    """The strides in bytes of elements that lie together, the last index fastest."""
    return tuple(item_size * math.prod(shape[k + 1 :]) for k in range(len(shape)))


def placed(array: Any, param: Parameter, device: Any) -> Any:
    """An array's memory on the device; None for a number.

    Raises `ValueError` for an output on another device.
    """
    if isinstance(array, Number):
        return None
    memory = launching.read(array) if param.is_const else launching.written(array)
    if memory.device is device or placement.is_same(memory.device, device):
        return memory
    name = placement.name_of(device)
    if param.is_const:
        return launching.read(array.to_device(name))
    raise ValueError(
        f"{param.name} is on {placement.name_of(memory.device)}, and the kernel runs on {name}: "
        f"bring the arrays together with x.to_device({name!r})"
    )


def pointer(memory: Any) -> Any:
    """The bytes around an array's first element that it reaches, as an argument of a launch.

    Check mode holds indices against them. Negative strides lead to bytes before the first element.
    """
    span, before = memory.nbytes, 0
    if span and not memory.is_c_contiguous:
        steps = [(n - 1) * step for n, step in zip(memory.shape, memory.strides, strict=True)]
        span = memory.itemsize + sum(step for step in steps if step > 0)
        before = -sum(step for step in steps if step < 0)
    if before:
        return _engine.DeviceArray(memory, (span, before + 1), (1, -1), 0, _BYTE)
    return _engine.DeviceArray(memory, (span,), (1,), 0, _BYTE)


def device_of(given: Sequence[Any]) -> Any:
    """The device that a kernel of these arrays runs on: theirs, or the current one.

    Raises `ValueError` for arrays of several devices.
    """
    found = None
    for each in given:
        place = None if isinstance(each, Number) else each._place
        if place is None or place is found:
            continue
        if found is not None and not placement.is_same(place, found):
            names = sorted((placement.name_of(place), placement.name_of(found)))
            raise ValueError(
                f"the arrays of one kernel are on {' and '.join(names)}: bring them together with "
                f"x.to_device({names[0]!r})"
            )
        found = place
    return placement.home() if found is None else found


def loop_shape(params: tuple[Parameter, ...], args: list[Any], size: int | None) -> Shape:
    """The shape that the loop goes over: that of the arrays' broadcast, or `size`.

    Raises `ValueError` where both decide it, where neither does, and for shapes that do not fit.
    """
    shapes = [
        each.shape
        for param, each in zip(params, args, strict=False)
        if isinstance(each, px.ndarray) and not param.raw
    ]
    if size is not None:
        if shapes:
            raise ValueError(
                "Specified 'size' can be used only if all of the ndarray are 'raw'. Leave size= "
                "out: the arrays' shape decides it"
            )
        return (size,)
    if not shapes:
        raise ValueError(
            "Loop size is undecided. Pass size=, or an array whose parameter is not raw"
        )
    try:
        return tuple(np.broadcast_shapes(*shapes))
    except ValueError:
        texts = ", ".join(map(str, dict.fromkeys(shapes)))
        raise ValueError(
            f"operands could not be broadcast together with shapes {texts}: make them of one "
            "shape, or of 1 where elements repeat"
        ) from None


def merged(operands: Sequence[Any], shape: Shape) -> Shape:
    """Makes one dimension of neighbours that all operands go along evenly; gives the new shape."""
    groups: list[list[int]] = []
    for k in (k for k, extent in enumerate(shape) if extent != 1):
        follows = bool(groups) and all(
            each.strides[groups[-1][-1]] == each.strides[k] * shape[k] for each in operands
        )
        if follows:
            groups[-1].append(k)
        else:
            groups.append([k])
    made = tuple(math.prod(shape[k] for k in group) for group in groups) or (1,)
    for each in operands:
        strides = tuple(each.strides[group[-1]] for group in groups)
        each.shape, each.strides = made, strides or (each.dtype.itemsize,)
    return made
