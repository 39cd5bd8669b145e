"""Reads by arrays of indices and masks, recorded: NumPy's advanced indexing."""

from __future__ import annotations

import math
import operator
from typing import Any, NamedTuple

from .. import _engine
from . import coerce, host, shapes

# On the CPU device NumPy has read so few elements before a kernel is found.
_FEW = 32768


class Item(NamedTuple):
    """What a key has for one dimension of the array, or for a new one (``None``)."""

    # "slice", "new", "array", "int": one index beside arrays, or "gap": an ellipsis for no
    # dimension, which stands between arrays all the same.
    kind: str
    value: Any
    is_within: bool = False  # all indices of the array are known to be in range


def get(array: _engine.Array, key: Any) -> Any:
    """`array[key]` for keys with arrays; raises `IndexError` as NumPy does."""
    items = key if isinstance(key, tuple) else (key,)
    if array._device.is_host and is_small(array, items):
        return host.indexed(array, key)
    if len(items) == 1 and (mask := mask_of(array, items[0])) is not None:
        return _engine.array_compact(array, mask)
    each_dimension = expanded(array, items)
    if each_dimension is None or all(
        each.kind != "array" for each in each_dimension
    ):  # what NumPy reads otherwise, or refuses
        return host.indexed(array, key)
    return _gathered(array, each_dimension)


def mask_of(array: _engine.Array, item: Any) -> _engine.Array | None:
    """The item as a mask of all elements; None for others."""
    if str(getattr(item, "dtype", "")) != "bool" or not array.shape or item.shape != array.shape:
        return None
    return coerce.beside(item, array._place)


def is_small(array: _engine.Array, items: Any) -> bool:
    """Returns whether few elements are read, and all is in memory."""
    arrays = [array, *(each for each in items if isinstance(each, _engine.Array))]
    if any(each._is_pending for each in arrays):
        return False
    sizes = [getattr(each, "size", None) or _length(each) for each in items]
    row = array.size // max(array.shape[0] if array.shape else 1, 1)
    return max(row, 1) * max(sizes, default=0) < _FEW


def _length(item: Any) -> int:
    return len(item) if isinstance(item, (list, tuple)) else 1


def expanded(array: _engine.Array, items: Any) -> list[Item] | None:
    """An item for each dimension; None for a key that is left to NumPy."""
    items = [_without_lists(array, item) for item in items]
    covered = array.ndim - sum(map(_dimensions_of, items))  # by an ellipsis
    if covered < 0:
        return None
    made: list[Item] = []
    rest = None
    used = 0  # dimensions of the array before the item
    for item in items:
        if item is Ellipsis:
            if rest is not None:
                return None
            rest = len(made)
            used += covered
        elif item is None:
            made.append(Item("new", None))
        elif isinstance(item, slice):
            made.append(Item("slice", item))
            used += 1
        else:
            arrays = _arrays_of(array, item, used)
            if arrays is None:
                return None
            made.extend(arrays)
            used += len(arrays)
    at = len(made) if rest is None else rest
    is_gap = rest is not None and covered == 0
    made[at:at] = [Item("gap", None)] if is_gap else [Item("slice", slice(None))] * covered
    return _with_checked_numbers(array, made)


def _without_lists(array: _engine.Array, item: Any) -> Any:
    if not isinstance(item, (list, tuple)):
        return item
    return coerce.beside(item if item else _none(), array._place)


def _dimensions_of(item: Any) -> int:
    """How many dimensions of the array the item is of: those of a mask, else one."""
    if item is None or item is Ellipsis or isinstance(item, bool):
        return 0
    return item.ndim if str(getattr(item, "dtype", "")) == "bool" else 1


def _with_checked_numbers(array: _engine.Array, items: list[Item]) -> list[Item]:
    """The items with numbers from 0; raises `IndexError` for one that no element has."""
    made: list[Item] = []
    axis = 0
    for item in items:
        if item.kind == "int":
            item = Item("int", _checked(item.value, axis, array.shape[axis]))
        axis += item.kind not in ("new", "gap")
        made.append(item)
    return made


def _arrays_of(array: _engine.Array, item: Any, used: int) -> list[Item] | None:
    """The index of one item: an int, an array of ints, or those of a mask, one for a dimension."""
    is_number = not isinstance(item, (bool, _engine.Array)) and getattr(item, "ndim", 0) == 0
    if is_number and hasattr(item, "__index__") and str(getattr(item, "dtype", "")) != "bool":
        return [Item("int", operator.index(item))]
    if isinstance(item, bool) or not hasattr(item, "dtype"):
        return None
    index = coerce.beside(item, array._place)
    if index._dtype == "bool":
        if index.ndim == 0 or index.shape != array.shape[used : used + index.ndim]:
            return None
        return [Item("array", each, is_within=True) for each in nonzero(index)]
    if "int" not in index._dtype:
        return None
    return [Item("array", index)]


def _none() -> Any:
    import numpy as np

    return np.empty(0, np.int64)


class Places(NamedTuple):
    """Which elements of an array a key has, as the engine takes it."""

    shape: tuple[int, ...]
    rows: list[tuple[int, int, int]]
    indices: list[tuple[int, Any, bool]]
    are_distinct: bool = False  # no element is met twice


def _gathered(array: _engine.Array, items: list[Item]) -> Any:
    places = places_of(array, items)
    return _engine.array_gather(array, places.shape, places.rows, places.indices)


def places_of(array: _engine.Array, items: list[Item]) -> Places:
    """The elements that items have, one for each dimension of the array.

    Where arrays follow each other their dimensions are in their place, else the first ones.
    """
    arrays = [item for item in items if item.kind == "array"]
    common = common_shape(*(each.value.shape for each in arrays))
    numbers = [i for i, item in enumerate(items) if item.kind in ("array", "int")]
    is_together = bool(numbers) and numbers[-1] - numbers[0] == len(numbers) - 1
    first = numbers[0] if is_together else 0
    shape: list[int] = []
    rows: list[tuple[int, int, int]] = []
    given: list[tuple[int, Any, bool]] = []
    before = 0  # dimensions of the result before those of the indices
    for number, item in enumerate(items):
        if number == first:
            before = len(shape)
            shape.extend(common)
        if item.kind in ("new", "gap"):
            shape.extend([1] if item.kind == "new" else [])
            continue
        if item.kind == "slice":
            start, stop, step = item.value.indices(array.shape[len(rows)])
            rows.append((len(shape), start, step))
            shape.append(len(range(start, stop, step)))
        elif item.kind == "int":
            rows.append((-1, item.value, 0))
        else:
            given.append((len(rows), item.value, item.is_within))
            rows.append((-1, 0, 0))
    after = len(shape) - before - len(common)
    placed = [(dimension, _placed(index, after), known) for dimension, index, known in given]
    # Of arrays only those of masks are known to have each of their places once.
    is_of_mask = any(each.is_within and each.value.shape == common for each in arrays)
    are_distinct = is_of_mask or math.prod(common) <= 1
    return Places(tuple(shape), rows, placed, are_distinct)


def common_shape(*extents: tuple[int, ...]) -> tuple[int, ...]:
    """The shape that indices of these shapes broadcast to; raises `IndexError` for none."""
    try:
        return shapes.broadcast_shapes(*extents)
    except ValueError:
        text = " ".join(str(each).replace(" ", "") for each in extents)
        raise IndexError(
            f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} "
        ) from None


def _placed(index: Any, after: int) -> Any:
    """The index with dimensions of 1 for those of the result that follow its own."""
    return index._reshape((*index.shape, *(1,) * after)) if after else index


def _checked(index: int, axis: int, extent: int) -> int:
    if not -extent <= index < extent:
        raise IndexError(f"index {index} is out of bounds for axis {axis} with size {extent}")
    return index % extent


def take(array: _engine.Array, indices: Any, axis: int, mode: str) -> Any:
    """The elements at those indices of an axis; "wrap" and "clip" bring all into the range."""
    indices = within(indices, array.shape[axis], mode)
    items = expanded(array, (*(slice(None),) * axis, indices))
    assert items is not None
    if mode != "raise" and array.shape[axis]:
        items[axis] = items[axis]._replace(is_within=True)
    return _gathered(array, items)


def within(indices: Any, extent: int, mode: str) -> Any:
    """The indices brought into the range by ``"wrap"`` or ``"clip"``; by others as they are."""
    if mode != "raise":  # in int64: a small type need not hold the extent
        indices = _engine.array_cast(indices, "int64")
    if mode == "wrap" and extent:
        return indices % extent
    if mode == "clip" and extent:
        least = _engine.array_apply("maximum", indices, 0)
        return _engine.array_apply("minimum", least, extent - 1)
    return indices


def along_axis(array: _engine.Array, indices: Any, axis: int) -> Any:
    """The elements at indices of an axis, which an array of as many dimensions has."""
    places = places_along(array, indices, axis)
    return _engine.array_gather(array, places.shape, places.rows, places.indices)


def places_along(array: _engine.Array, indices: Any, axis: int) -> Places:
    """The elements that `along_axis` reads."""
    shape = common_shape(indices.shape, (*array.shape[:axis], 1, *array.shape[axis + 1 :]))
    rows = [
        (-1, 0, 0) if i == axis or array.shape[i] == 1 else (i, 0, 1) for i in range(array.ndim)
    ]
    return Places(shape, rows, [(axis, indices, False)])


def nonzero(array: _engine.Array) -> tuple[Any, ...]:
    """The indices of all elements that are not 0: an array for each dimension, at least one."""
    if array._device.is_host and array.size < _FEW:
        import numpy as np

        return tuple(
            coerce.beside(each, array._place) for each in np.nonzero(coerce.to_numpy(array))
        )
    return _engine.array_nonzero(array)


def pays(array: _engine.Array, indices: _engine.Array, axis: int | None) -> bool:
    """Returns whether a kernel reads them: on a GPU, in a graph, or more than a few elements."""
    if "int" not in indices._dtype or array.size == 0 or not array.shape:
        return False  # which NumPy refuses, converts, or reads by rules of their own
    if not array._device.is_host or _engine.is_recording():
        return True
    row = 1 if axis is None else math.prod(array.shape) // max(array.shape[axis], 1)
    return row * indices.size >= _FEW
