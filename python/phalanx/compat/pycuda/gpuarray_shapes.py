"""Methods of GPUArrays that look at the same memory in another way."""

from __future__ import annotations

import math
import operator
from typing import Any

import numpy as np

from ..._device.layout import complete_shape
from .gpuarray_memory import axes_by_stride, held_as, inverse, transposed

_SCATTERED = "only contiguous arrays may be used as arguments to this operation"


class ShapeMethods:
    """Reshaping, transposing, views of other dtypes, and where an index leads to."""

    shape: tuple[int, ...]
    dtype: np.dtype[Any]
    _array: Any
    _view: Any
    _memory: Any
    flags: Any

    def reshape(self, *shape: Any, order: str = "C") -> Any:
        """An array of the same memory with another shape, in C order or in Fortran's.

        The elements stay where they are in memory, whatever the order was. One extent may be -1.
        Raises `ValueError` where the number of elements differs, `RuntimeError` for an array with
        gaps between its elements.
        """
        given = tuple(shape[0]) if isinstance(shape[0], (tuple, list)) else shape
        extents = tuple(operator.index(n) for n in given)
        if order not in ("C", "F"):
            raise ValueError(f"invalid order: {order}")
        extents = complete_shape(extents, math.prod(self.shape))
        if extents == self.shape and self._memory.layout.is_packed(order):
            return self
        return self._view(self._shaped(self._flat(), extents, order))

    def _flat(self) -> Any:
        """The elements in their order of memory, as a view along one dimension."""
        layout = self._memory.layout
        array, tail = self._array, held_as(self.dtype)[1]
        if not layout.is_packed("C"):
            if not layout.is_packed("F"):
                raise RuntimeError(_SCATTERED)
            array = transposed(array, range(len(self.shape))[::-1], self.dtype)
        return array._reshape((math.prod(self.shape), *tail))

    def _shaped(self, flat: Any, shape: tuple[int, ...], order: str) -> Any:
        tail = held_as(self.dtype)[1]
        if order == "C":
            return flat._reshape((*shape, *tail))
        turned = flat._reshape((*shape[::-1], *tail))
        return transposed(turned, range(len(shape))[::-1], self.dtype)

    def ravel(self) -> Any:
        """The elements in their order of memory along one dimension; shares them."""
        return self.reshape(math.prod(self.shape))

    def view(self, dtype: Any = None) -> Any:
        """An array of the same bytes with another dtype, which changes the fastest dimension.

        Raises `ValueError` where its extent in bytes is no multiple of an element's.
        """
        wanted = self.dtype if dtype is None else np.dtype(dtype)
        if wanted == self.dtype:
            return self._view(self._array[...])
        axes = axes_by_stride(self._memory.layout.strides)
        extents = [self.shape[axis] for axis in axes]
        array = transposed(self._array, axes, self.dtype)
        before = self.dtype.itemsize
        if not axes or extents[-1] * before % wanted.itemsize:
            raise ValueError("new type not compatible with array")
        name, tail = held_as(wanted)
        if held_as(self.dtype)[1]:
            array = array._reshape((*extents[:-1], extents[-1] * before))
        made = array if np.dtype(array.dtype) == np.dtype(name) else array.view(name)
        if tail:
            made = made._reshape((*extents[:-1], extents[-1] * before // wanted.itemsize, *tail))
        return self._view(transposed(made, inverse(axes), wanted), wanted)

    def squeeze(self) -> Any:
        """The array without the dimensions of one element; shares its elements."""
        kept = [n for n in self.shape if n > 1]
        return self._view(self._array._reshape((*kept, *held_as(self.dtype)[1])))

    def transpose(self, axes: Any = None) -> Any:
        """The array with its dimensions reversed, or in the order of `axes`; shares its elements.

        Raises `ValueError` for another number of axes.
        """
        order = range(len(self.shape))[::-1] if axes is None else axes
        if len(order) != len(self.shape):
            raise ValueError("axes don't match array")
        return self._view(transposed(self._array, [int(axis) for axis in order], self.dtype))

    @property
    def T(self) -> Any:
        """The array with its dimensions reversed; shares its elements."""
        return self.transpose()

    def _elements_at(self, index: Any) -> Any:
        """The view of phalanx's array at an index.

        Ints are slices of one element first: an element by itself would not share its memory.
        """
        wanted = self._completed(index if isinstance(index, tuple) else (index,))
        axis, has_ints = 0, False
        slices: list[slice | None] = []
        kept: list[int] = []
        for each in wanted:
            if each is None:
                slices.append(None)
                kept.append(1)
                continue
            extent = self.shape[axis]
            if isinstance(each, slice):
                slices.append(each)
                kept.append(len(range(*each.indices(extent))))
            else:
                place = operator.index(each)
                if not -extent <= place < extent:
                    raise IndexError(f"subindex in axis {axis} out of range")
                slices.append(slice(place % extent, place % extent + 1))
                has_ints = True
            axis += 1
        found = self._array[(*slices, Ellipsis)]
        return found._reshape((*kept, *held_as(self.dtype)[1])) if has_ints else found

    def _completed(self, index: tuple[Any, ...]) -> list[Any]:
        """The index with an entry for each dimension, without an ellipsis."""
        for number, each in enumerate(index):
            is_plain = (
                each is None or each is Ellipsis or isinstance(each, (slice, int, np.integer))
            )
            if not is_plain:
                raise IndexError(f"invalid subindex in axis {number}")
        dots = [number for number, each in enumerate(index) if each is Ellipsis]
        if len(dots) > 1:
            raise IndexError("more than one ellipsis not allowed in index")
        missing = len(self.shape) - sum(each is not None and each is not Ellipsis for each in index)
        if missing < 0:
            raise IndexError("too many axes in index")
        place = dots[0] if dots else len(index)
        return [*index[:place], *[slice(None)] * missing, *index[place + 1 :]]
