"""The memory of GPUArrays: what `gpudata` is, and arrays over memory that is there."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

import phalanx as px

from ... import _engine
from ..._arrays.interchange import handed_out
from ..._device.arrays import DeviceNDArray
from ..._device.layout import packed_strides
from .addresses import DeviceAllocation
from .errors import LogicError, of_driver


@dataclass(frozen=True, slots=True)
class Layout:
    """Elements, extents, and the bytes from one element to the next along each dimension."""

    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def reach(self) -> tuple[int, int]:
        """Bytes before the first element, and all bytes that the elements lie in."""
        if 0 in self.shape:
            return 0, 0
        steps = [(n - 1) * step for n, step in zip(self.shape, self.strides, strict=True)]
        before = -sum(step for step in steps if step < 0)
        return before, before + sum(step for step in steps if step > 0) + self.dtype.itemsize

    def is_packed(self, order: str) -> bool:
        """Returns whether the elements lie together in that order, ``"C"`` or ``"F"``."""
        packed = packed_strides(self.shape, self.dtype.itemsize, order)
        triples = zip(self.shape, self.strides, packed, strict=True)
        return 0 in self.shape or all(n == 1 or own == best for n, own, best in triples)


def held_as(dtype: np.dtype[Any]) -> tuple[str, tuple[int, ...]]:
    """How elements are held: the dtype's name in phalanx's arrays, and the extents of each.

    Records, which those arrays have not, are held as bytes, along a last dimension.
    """
    if dtype.kind in "biufc" and dtype.char not in "gG":
        return dtype.name, ()
    return "uint8", (dtype.itemsize,)


def element_type(dtype: np.dtype[Any]) -> _engine.Type:
    """The engine's type of what an element is held as."""
    name = held_as(dtype)[0]
    return _engine.Type.scalar("boolean" if name == "bool" else name)


def axes_by_stride(strides: Sequence[int]) -> list[int]:
    """The dimensions from the slowest to the fastest."""
    return sorted(range(len(strides)), key=lambda axis: -abs(strides[axis]))


def packed_as(given: Any) -> tuple[int, ...]:
    """Strides without gaps for an array whose dimensions follow each other as those of `given`."""
    axes = axes_by_stride(given.strides)
    packed = packed_strides([given.shape[axis] for axis in axes], given.dtype.itemsize, "C")
    return tuple(packed[axes.index(axis)] for axis in range(len(axes)))


def transposed(array: Any, axes: Sequence[int], dtype: np.dtype[Any]) -> Any:
    """An array with its dimensions in another order; the bytes of records stay the last one."""
    tail = [len(axes)] if held_as(dtype)[1] else []
    return array._transpose([*axes, *tail])


def inverse(axes: Sequence[int]) -> list[int]:
    """The order of dimensions that undoes another one."""
    return sorted(range(len(axes)), key=axes.__getitem__)


def new_array(layout: Layout) -> Any:
    """An array with memory of its own, without values. Raises pycuda's `MemoryError`."""
    name, tail = held_as(layout.dtype)
    axes = axes_by_stride(layout.strides)
    turned = Layout(
        layout.dtype,
        tuple(layout.shape[axis] for axis in axes),
        tuple(layout.strides[axis] for axis in axes),
    )
    with of_driver("cuMemAlloc"):
        if turned.is_packed("C"):
            made = px.empty((*turned.shape, *tail), name)
            return made if axes == sorted(axes) else transposed(made, inverse(axes), layout.dtype)
        first, extent = layout.reach
        base = px.empty(extent, "uint8")
        return base._alias(_elements(base._share(), first, layout))


def _elements(memory: Any, first: int, layout: Layout) -> _engine.DeviceArray:
    tail = held_as(layout.dtype)[1]
    strides = (*layout.strides, 1) if tail else layout.strides
    shape = (*layout.shape, *tail)
    return _engine.DeviceArray(memory, shape, strides, first, element_type(layout.dtype))


def _elements_at(address: int, layout: Layout, owner: Any, device: Any) -> _engine.DeviceArray:
    tail = held_as(layout.dtype)[1]
    strides = (*layout.strides, 1) if tail else layout.strides
    shape = (*layout.shape, *tail)
    kind = element_type(layout.dtype)
    return _engine.DeviceArray(address, shape, strides, kind, owner, device=device)


class Exposure:
    """Says of a memory if its address is known: then others may write there at any time.

    Arrays that share elements share it, too. What is computed of such memory is computed at once.
    """

    __slots__ = ("is_known",)

    def __init__(self, is_known: bool = False) -> None:
        self.is_known = is_known


class ArrayMemory(DeviceAllocation):
    """The memory of a GPUArray: its address, which stays as long as somebody has the memory."""

    def __init__(self, array: Any, layout: tuple[np.dtype[Any], int], exposure: Exposure) -> None:
        self._array: Any = array
        self._dtype, self._ndim = layout
        self.exposure = exposure

    @property
    def array(self) -> Any:
        """The elements, as an array of phalanx's. Raises `LogicError` after `free`."""
        if self._array is None:
            raise LogicError("the memory was freed before, by free()")
        return self._array

    @property
    def layout(self) -> Layout:
        """How the elements lie; they are computed for it unless that is clear before."""
        array, dtype = self.array, self._dtype
        shape = tuple(array.shape[: self._ndim])
        if array._is_pending and array._comes_in_c_order:
            return Layout(dtype, shape, packed_strides(shape, dtype.itemsize, "C"))
        return Layout(dtype, shape, tuple(array._evaluate().strides[: self._ndim]))

    def get_pointer(self) -> int:
        """The address. Whoever has it may write there: values recorded before keep theirs."""
        return int(self._handed_out().address)

    def _handed_out(self) -> Any:
        """The elements in memory, for others. From here on launches take them without asking."""
        self.exposure.is_known = True
        memory = handed_out(self.array)
        self._held = self._array
        return memory

    def assign(self, value: Any) -> None:
        """Gives the elements a number's value, or those of an array of NumPy's or of phalanx's."""
        array = self.array
        if self._ndim > 1 and not (self.layout.is_packed("C") and _comes_in_c_order(value)):
            array._share()  # else it may become another one, in the order of what is assigned
        if isinstance(value, _engine.Array):
            array._assign(value)
        else:
            array[...] = value

    @property
    def memory(self) -> DeviceNDArray:
        """The bytes from the first element on. Raises `LogicError` after `free`."""
        memory = self._handed_out()
        before, extent = self.layout.reach
        shape, element = (extent - before,), _engine.Type.scalar("uint8")
        return DeviceNDArray(memory.address, shape, (1,), element, memory, device=memory.device)

    @property
    def size(self) -> int:
        """Its bytes from the first element on."""
        before, extent = self.layout.reach
        return extent - before

    def free(self) -> None:
        """Gives the memory back; the array can be used no more. Raises `LogicError` later on."""
        if self._array is None:
            raise LogicError("cuMemFree failed: the memory was freed before")
        self._array = self._held = None

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {'freed' if self._array is None else self._dtype}>"


def _comes_in_c_order(value: Any) -> bool:
    if getattr(value, "ndim", 0) < 2:
        return True
    if not isinstance(value, _engine.Array):
        return bool(value.flags.c_contiguous)
    if value._is_pending:
        return bool(value._comes_in_c_order)
    return bool(value._evaluate().is_c_contiguous)


def array_over(given: Any, layout: Layout, base: Any = None) -> tuple[Any, Exposure]:
    """An array of memory that is there, without a copy: of an allocation, or from an address on.

    Where it is known to be part of a GPUArray's memory, by `base`, the arrays know of each other.
    Raises `LogicError` for an allocation that has fewer bytes.
    """
    inner = base if isinstance(base, ArrayMemory) else getattr(base, "_memory", None)
    owner = given if isinstance(given, ArrayMemory) else inner
    if owner is not None:
        owner.exposure.is_known = True
        memory = handed_out(owner.array)
        made = _elements_at(int(given), layout, memory, memory.device)
        return owner.array._alias(made), owner.exposure
    if isinstance(given, DeviceAllocation):
        _check_reach(given, layout)
    # The memory is held beside its owner, whose free() would take it away.
    kept = (given, getattr(given, "memory", None), base)
    made = _elements_at(int(given), layout, kept, _engine.current_device())
    return _engine.array_of_memory(made, True), Exposure(is_known=True)


def _check_reach(given: DeviceAllocation, layout: Layout) -> None:
    before, extent = layout.reach
    if before or extent > given.size:
        raise LogicError(
            f"an array of {math.prod(layout.shape)} elements of {layout.dtype} with strides "
            f"{layout.strides} leaves the allocation of {given.size} bytes"
        )
