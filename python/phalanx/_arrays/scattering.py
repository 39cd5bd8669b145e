"""Writes at arrays of indices and masks: advanced assignment, ``ufunc.at`` and their like."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, dtypes, gathering, host
from .gathering import Places


def set(array: _engine.Array, key: Any, value: Any) -> None:
    """`array[key] = value` of an array or a number of Python's; raises as NumPy does.

    Of an element that is met twice the last value counts.
    """
    host.check_writable(array)
    items = _items(array, key)
    if items is None or all(each.kind != "array" for each in items):
        host.assign_indexed(array, key, value)
        return
    if not isinstance(value, _engine.Array):
        value = _engine.array_number(value, array._dtype)
    if value.ndim > 1 and gathering.mask_of(array, key) is not None:
        raise TypeError(
            "NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input "
            f"has {value.ndim} dimensions"
        )
    places = gathering.places_of(array, items)
    _engine.array_scatter(array, places, _fitting(value, places))


def update(name: str, array: _engine.Array, key: Any, *operand: _engine.Array) -> bool:
    """The ufunc of that name of `array[key]` and the operand, in place.

    Returns whether kernels have done it; what is left to NumPy is as it was.
    """
    items = _items(array, key)
    if items is None:
        return False
    places = gathering.places_of(array, items)
    try:
        _engine.array_update_at(array, places, name, *operand)
    except TypeError:  # a loop that only NumPy has
        return False
    return True


def _items(array: _engine.Array, key: Any) -> list[gathering.Item] | None:
    """What the key has for each dimension; None for a key that is left to NumPy."""
    items = key if isinstance(key, tuple) else (key,)
    if array._device.is_host and gathering.is_small(array, items):
        return None
    return gathering.expanded(array, items)


def _fitting(value: _engine.Array, places: Places) -> Any:
    """The value without leading dimensions of one element that the places do not have."""
    extra = value.ndim - len(places.shape)
    if extra > 0 and value.shape[:extra] == (1,) * extra:
        return value._reshape(value.shape[extra:])
    return value


def pays(array: _engine.Array) -> bool:
    """Returns whether kernels write to it: on a GPU, or more than a few elements."""
    return not array._device.is_host or array.size >= gathering._FEW


def _repeated(values: Any, count: int) -> Any:
    """So many elements: those of the flat array again and again."""
    flat = values._reshape((-1,))
    if flat.size == 1:
        return flat
    if flat.size >= count:
        return flat[:count]
    positions = _engine.array_positions((count,), 0, 0, 1) % flat.size
    return _engine.array_gather(flat, (count,), [(-1, 0, 0)], [(0, positions, True)])


def _converted(values: Any, array: _engine.Array) -> Any:
    """Values that are no array yet as one of the array's dtype; raises where it has no such."""
    is_array = hasattr(values, "dtype")
    return coerce.as_operand(values, None if is_array else array.dtype, device=array._device)


def put(array: _engine.Array, indices: Any, values: Any, mode: str) -> bool:
    """`numpy.put`; returns False where NumPy has to do it."""
    index = coerce.as_operand(indices, device=array._device)
    value = _converted(values, array)
    is_ours = pays(index) and "int" in index._dtype and array.size and value.size
    if not is_ours or mode not in ("raise", "wrap", "clip"):
        return False
    if not array._evaluate().is_c_contiguous:
        return False
    index = gathering.within(index._reshape((-1,)), array.size, mode)
    places = Places((index.size,), [(-1, 0, 0)], [(0, index, mode != "raise")])
    _engine.array_scatter(array._reshape((-1,)), places, _repeated(value, index.size))
    return True


def put_along_axis(array: _engine.Array, indices: Any, values: Any, axis: int | None) -> bool:
    """`numpy.put_along_axis`; returns False where NumPy has to do it."""
    index = coerce.as_operand(indices, device=array._device)
    is_given = axis is not None and -array.ndim <= axis < array.ndim
    if not is_given or index.ndim != array.ndim or not gathering.pays(array, index, axis):
        return False
    assert axis is not None
    places = gathering.places_along(array, index, axis % array.ndim)
    _engine.array_scatter(array, places, _fitting(_converted(values, array), places))
    return True


def place(array: _engine.Array, mask: Any, values: Any) -> bool:
    """`numpy.place`; returns False where NumPy has to do it."""
    chosen = coerce.as_operand(mask, device=array._device)
    value = coerce.as_operand(values, device=array._device)
    if not pays(array) or chosen.shape != array.shape or not array.ndim or not value.size:
        return False
    if not _is_safe(value, array):
        return False
    found = gathering.nonzero(chosen)
    count = found[0].size
    places = Places(
        (count,),
        [(-1, 0, 0)] * array.ndim,
        [(dimension, each, True) for dimension, each in enumerate(found)],
        True,
    )
    _engine.array_scatter(array, places, _repeated(value, count))
    return True


def putmask(array: _engine.Array, mask: Any, values: Any) -> bool:
    """`numpy.putmask`, recorded; returns False where NumPy has to do it."""
    chosen = coerce.as_operand(mask, device=array._device)
    value = coerce.as_operand(values, device=array._device)
    if not pays(array) or chosen.shape != array.shape or not value.size:
        return False
    if not _is_safe(value, array):
        return False
    value = _engine.array_cast(value, array._dtype)
    if value.size > 1 and value.shape != array.shape:
        value = _repeated(value, array.size)._reshape(array.shape)
    elif value.size == 1:
        value = value._reshape(())
    chosen = _engine.array_cast(chosen, "bool")
    array._assign(_engine.array_where(chosen, value, array))
    return True


def _is_safe(value: _engine.Array, array: _engine.Array) -> bool:
    return bool(dtypes.can_cast(value.dtype, array.dtype, "safe"))
