"""Parts of spread arrays by numbers, slices and masks."""

from __future__ import annotations

import operator
from typing import Any, NamedTuple

from ... import _engine
from .core import Core
from .elementwise import assign, shape_of


class Key(NamedTuple):
    """An index of the whole array: what each part is asked, and where the split axis goes.

    `axis` is None where one element along the split axis is asked for, which `part` has.
    """

    keys: list[tuple[Any, ...]]
    axis: int | None
    part: int


def _refuse(each: Any) -> Any:
    raise NotImplementedError(
        f"spread arrays are indexed by numbers, slices with a positive step, and masks of their "
        f"shape that are spread alike, not by {type(each).__name__}: x.gather() has the whole "
        "array on one device"
    )


def is_mask(x: Core, key: Any) -> bool:
    """Returns whether the key is a spread mask; it has the array's first axes and layout.

    Raises IndexError where its shape is another, NotImplementedError for a split axis beyond it.
    """
    if not isinstance(key, Core):
        return False
    if key.dtype.kind != "b":
        _refuse(key)
    if key.shape != x.shape[: key.ndim]:
        raise IndexError(f"the mask has the shape {key.shape}, and the array {x.shape}")
    if x.axis != 0:
        raise NotImplementedError(
            "a mask selects from arrays that are split along their first axis: x.respread(axis=0)"
        )
    return True


def of_mask(x: Core, mask: Core) -> Core:
    """The elements at which a spread mask is true: each device keeps its own."""
    masks = mask.placed(x.group, x.layout).parts
    return x.like([part[own] for part, own in zip(x.parts, masks, strict=True)], 0)


def resolved(x: Core, key: Any) -> Key:
    """What a key of numbers and slices asks of each part.

    Raises IndexError for too many axes and numbers beyond the extent.
    """
    entries = list(key) if isinstance(key, tuple) else [key]
    used = sum(each is not None and each is not Ellipsis for each in entries)
    if used > x.ndim:
        raise IndexError(f"too many indices: {used} of an array of {x.ndim} dimensions")
    if sum(each is Ellipsis for each in entries) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    if not any(each is Ellipsis for each in entries):
        entries.append(Ellipsis)
    full: list[Any] = []
    for each in entries:
        full += [slice(None)] * (x.ndim - used) if each is Ellipsis else [each]
    return _of_full(x, full)


def _of_full(x: Core, full: list[Any]) -> Key:
    source = made = 0
    for place, each in enumerate(full):
        if each is None:
            made += 1
            continue
        if source == x.axis:
            return _split(x, full, place, made)
        source += 1
        made += not hasattr(_checked(each), "__index__")
    raise AssertionError("a full key has the split axis")


def _checked(each: Any) -> Any:
    is_number = hasattr(each, "__index__") and not isinstance(each, bool)
    if not is_number and not isinstance(each, slice):
        _refuse(each)
    if getattr(each, "ndim", 0):
        _refuse(each)
    return each


def _split(x: Core, full: list[Any], place: int, made: int) -> Key:
    own = _checked(full[place])
    for each in full[place + 1 :]:
        if each is not None:
            _checked(each)
    extent = x.shape[x.axis]
    if not isinstance(own, slice):
        index = operator.index(own)
        if not -extent <= index < extent:
            raise IndexError(f"index {index} is out of bounds for axis {x.axis} of size {extent}")
        index %= extent
        part = next(i for i, (_, last) in enumerate(x.layout.bounds) if index < last)
        local = index - x.layout.bounds[part][0]
        return Key([(*full[:place], local, *full[place + 1 :])], None, part)
    first, stop, step = own.indices(extent)
    if step < 0:
        _refuse(own)
    keys = []
    for low, high in x.layout.bounds:
        start = first if first >= low else first + -(-(low - first) // step) * step
        begin, end = max(start - low, 0), max(min(stop, high) - low, 0)
        keys.append((*full[:place], slice(min(begin, end), end, step), *full[place + 1 :]))
    return Key(keys, made, -1)


def get(x: Core, key: Any) -> Any:
    """`x[key]`: an array of one device where one element along the split axis is asked for."""
    if is_mask(x, key):
        return of_mask(x, key)
    found = resolved(x, key)
    if found.axis is None:
        return x.parts[found.part][found.keys[0]]
    return x.like([p[k] for p, k in zip(x.parts, found.keys, strict=True)], found.axis)


def put(x: Core, key: Any, value: Any) -> None:
    """`x[key] = value`: broadcast; with a mask one number."""
    if is_mask(x, key):
        if shape_of(value):
            raise NotImplementedError(
                "one number is assigned where a mask of a spread array is true: use "
                "np.where(mask, values, x)"
            )
        for part, own in zip(x.parts, key.placed(x.group, x.layout).parts, strict=True):
            part[own] = value
        return
    found = resolved(x, key)
    if found.axis is None:
        part = x.parts[found.part]
        if isinstance(value, Core):
            value = value.gather()
        if isinstance(value, _engine.Array):
            value = value.to_device(part.device)
        part[found.keys[0]] = value
        return
    views = [p[k] for p, k in zip(x.parts, found.keys, strict=True)]
    assign(x.like(views, found.axis), value)
