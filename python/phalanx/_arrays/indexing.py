"""Indices: what they select as a view, and what elements by number or by truth."""

from __future__ import annotations

import operator
from typing import Any

from .. import _engine
from . import coerce, host


def get(array: Any, key: Any) -> _engine.Array:
    """`array[key]`."""
    parts = _parts(key, array.ndim)
    if parts is None:
        return host.indexed(array, key)
    return _view(array, parts)


def set(array: Any, key: Any, value: Any) -> None:
    """`array[key] = value`."""
    parts = _parts(key, array.ndim)
    if not isinstance(value, _engine.Array):
        value = coerce.asarray(value)
    if parts is None:
        host.assign_indexed(array, key, value)
        return
    target = _view(array, parts)
    while value.ndim > target.ndim and value.shape[0] == 1:  # as NumPy assigns
        value = value[0]
    target._assign(value)


def _parts(key: Any, ndim: int) -> list[Any] | None:
    """The key as one int or slice for each dimension, with None for new ones; None if it has arrays."""
    items = list(key) if isinstance(key, tuple) else [key]
    parts: list[Any] = []
    rest = None  # where the ellipsis is
    for item in items:
        if item is Ellipsis:
            if rest is not None:
                raise IndexError("an index can only have a single ellipsis ('...')")
            rest = len(parts)
        elif item is None or isinstance(item, slice):
            parts.append(item)
        elif isinstance(item, bool) or not hasattr(item, "__index__"):
            return None
        elif isinstance(item, _engine.Array) or getattr(item, "ndim", 0) != 0:
            return None
        else:
            parts.append(operator.index(item))
    used = sum(item is not None for item in parts)
    if used > ndim:
        raise IndexError(
            f"too many indices for array: array is {ndim}-dimensional, but {used} were indexed"
        )
    fill = [slice(None)] * (ndim - used)
    where = len(parts) if rest is None else rest
    return parts[:where] + fill + parts[where:]


def _view(array: Any, parts: list[Any]) -> _engine.Array:
    shape: list[int] = []
    axes: list[tuple[int, int, int]] = []
    for part in parts:
        if part is None:
            shape.append(1)
            continue
        extent = array.shape[len(axes)]
        if isinstance(part, slice):
            start, stop, step = part.indices(extent)
            axes.append((len(shape), start, step))
            shape.append(len(range(start, stop, step)))
        else:
            if not -extent <= part < extent:
                raise IndexError(
                    f"index {part} is out of bounds for axis {len(axes)} with size {extent}"
                )
            axes.append((-1, part % extent if extent else 0, 0))
    return array._view(shape, axes)  # type: ignore[no-any-return]
