"""Shapes, strides and indices of arrays: where the elements of a view lie."""

from __future__ import annotations

import math
import operator
from collections.abc import Sequence
from typing import Any

from .. import _engine


def field_layout(
    array: Any, name: str
) -> tuple[int, _engine.Type, tuple[int, ...], tuple[int, ...]]:
    """Offset, element type, shape and strides of a field of the array's records.

    Raises `KeyError` where there is no such field.
    """
    if array.element.kind == "record":
        fields = zip(array.element.fields, array.element.field_shapes, strict=True)
        for (field, element, offset), shape in fields:
            if field == name:
                strides = packed_strides(shape, element.size, "C")
                return offset, element, tuple(shape), strides
    raise KeyError(f"no field {name!r} in elements of {array.dtype}")


def is_sequence(value: Any) -> bool:
    """Returns whether it is a tuple or a list."""
    return isinstance(value, (tuple, list))


def complete_shape(shape: tuple[int, ...], size: int) -> tuple[int, ...]:
    """The shape with a -1 worked out; raises `ValueError` when it cannot hold `size` elements."""
    known = math.prod(n for n in shape if n != -1)
    if shape.count(-1) > 1:
        raise ValueError("can only specify one unknown dimension")
    if -1 in shape:
        if known == 0 or size % known:
            raise ValueError(f"cannot infer valid shape for unknown dimension in {shape}")
        return tuple(size // known if n == -1 else n for n in shape)
    if known != size:
        raise ValueError(f"reshape changes the size of the array: {size} elements to {shape}")
    return shape


def packed_strides(shape: Sequence[int], itemsize: int, order: str) -> tuple[int, ...]:
    """Byte strides without gaps, last index fastest for ``"C"``, first for ``"F"``."""
    strides = [0] * len(shape)
    step = itemsize
    for i in range(len(shape)) if order == "F" else reversed(range(len(shape))):
        strides[i] = step
        step *= max(shape[i], 1)
    return tuple(strides)


def has_ellipsis(item: Any) -> bool:
    """Returns whether an index has an `Ellipsis`: it gives a view then, of one element too."""
    return item is Ellipsis or (isinstance(item, tuple) and any(each is Ellipsis for each in item))


def _expanded(array: _engine.DeviceArray, item: Any) -> list[Any]:
    """One index or slice a dimension, `Ellipsis` and what is missing filled in."""
    items = list(item) if isinstance(item, tuple) else [item]
    given = sum(1 for each in items if each is not Ellipsis and each is not None)
    if given > array.ndim:
        raise IndexError(f"too many indices: {given} for an array of {array.ndim} dimensions")
    fill = [slice(None)] * (array.ndim - given)
    found = [i for i, each in enumerate(items) if each is Ellipsis]
    if len(found) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    at = found[0] if found else len(items)
    return items[:at] + fill + items[at + len(found) :]


def indexed(array: _engine.DeviceArray, item: Any) -> tuple[tuple[int, ...], tuple[int, ...], int]:
    """Shape, strides and byte offset of the view ``array[item]``."""
    shape: list[int] = []
    strides: list[int] = []
    offset = 0
    dimension = 0
    for each in _expanded(array, item):
        if each is None:
            shape.append(1)
            strides.append(0)
            continue
        extent, stride = array.shape[dimension], array.strides[dimension]
        dimension += 1
        if isinstance(each, slice):
            start, stop, step = each.indices(extent)
            count = len(range(start, stop, step))
            shape.append(count)
            strides.append(stride * step)
            offset += stride * start if count else 0
            continue
        try:
            index = operator.index(each)
        except TypeError:
            raise TypeError(
                f"device arrays take integers and slices as indices, not {type(each).__name__}"
            ) from None
        if not -extent <= index < extent:
            raise IndexError(
                f"index {index} is out of bounds for axis {dimension - 1} with size {extent}"
            )
        offset += stride * (index % extent)
    return tuple(shape), tuple(strides), offset
