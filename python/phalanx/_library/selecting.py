"""Elements chosen by masks and by arrays of positions, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types.objects import Array, Boolean, Integer
from .axes import product
from .register import implements, refuse, written


def _count(mask):
    flags = mask.ravel()
    count = 0
    for i in range(len(flags)):
        if flags[i]:
            count += 1
    return count


@written("numpy.flatnonzero")
def flatnonzero(a):
    """`np.flatnonzero`."""
    flags = a.ravel()
    found = np.empty(_count(a), np.int64)
    at = 0
    for i in range(len(flags)):
        if flags[i]:
            found[at] = i
            at += 1
    return found


def _unravelled(flat, shape):
    """The indices of elements by their numbers in C order."""
    if len(shape) == 1:
        return (flat,)
    inner = product(shape[1:])
    return (flat // inner, *_unravelled(flat % inner, shape[1:]))


@written("numpy.nonzero", "method.nonzero")
def nonzero(a):
    """`np.nonzero`."""
    if np.ndim(a) == 0:
        refuse("nonzero takes arrays of at least one dimension")
    return _unravelled(flatnonzero(a), a.shape)


@written("numpy.where")
def where(condition):
    """`np.where` without values to choose from."""
    return nonzero(condition)


@written("numpy.argwhere")
def argwhere(a):
    """`np.argwhere`."""
    positions = flatnonzero(a)
    found = np.empty((len(positions), a.ndim), np.int64)
    if a.ndim > 0:
        for axis, indices in enumerate(_unravelled(positions, a.shape)):
            found[:, axis] = indices
    return found


@written("numpy.extract")
def extract(condition, arr):
    """`np.extract`."""
    values = arr.ravel()
    positions = flatnonzero(condition)
    found = np.empty(len(positions), arr.dtype)
    for i in range(len(positions)):
        found[i] = values[_inside(positions[i], len(values))]
    return found


@written("numpy.take", "method.take")
def take(a, indices):
    """`np.take` from the flattened array: of one position, or an array, list or tuple of them."""
    values = a.ravel()
    if isinstance(indices, (list, tuple)):
        return _rows_at(values, np.asarray(indices))
    if np.ndim(indices) == 0:
        return values[_inside(indices, len(values))]
    return _rows_at(values, indices)


# ---- a[positions] and a[mask] ----


def _inside(position, extent):
    """The position counted from the begin."""
    at = position + extent if position < 0 else position
    if at < 0 or at >= extent:
        raise IndexError("index is out of bounds")
    return at


def _rows_at(a, indices):
    if a.ndim == 1:
        found = np.empty(indices.shape, a.dtype)
        targets = found.ravel()
        positions = indices.ravel()
        for i in range(len(positions)):
            targets[i] = a[_inside(positions[i], len(a))]
        return found
    rows = np.empty((len(indices), *a.shape[1:]), a.dtype)
    for i in range(len(indices)):
        rows[i] = a[_inside(indices[i], len(a))]
    return rows


def _where_true(a, mask):
    if a.shape[: mask.ndim] != mask.shape:
        raise IndexError("boolean index did not match the indexed array")
    if a.ndim == mask.ndim:
        return extract(mask, a)
    return _rows_at(a, flatnonzero(mask))


def _set_rows(a, indices, value):
    for i in range(len(indices)):
        at = _inside(indices[i], len(a))
        if np.ndim(value) < a.ndim:
            a[at] = value
        else:
            a[at] = value[i] if len(value) != 1 else value[0]


def _set_elements(a, mask, value):
    """The elements of an array of one dimension or two for which the mask is true."""
    if a.shape != mask.shape:
        raise IndexError("boolean index did not match the indexed array")
    at = 0
    if a.ndim == 1:
        for i in range(len(a)):
            if mask[i]:
                a[i] = value if np.ndim(value) == 0 else value[at]
                at += 1
    else:
        for i in range(a.shape[0]):
            for j in range(a.shape[1]):
                if mask[i, j]:
                    a[i, j] = value if np.ndim(value) == 0 else value[at]
                    at += 1


def _set_true(a, mask, value):
    if np.ndim(value) == 1 and len(value) != 1 and len(value) != _count(mask):
        raise ValueError("cannot assign that many values to the elements where the mask is true")
    if a.ndim == mask.ndim:
        _set_elements(a, mask, value)
    else:
        _set_rows(a, flatnonzero(mask), value)


def _takes(a: Any, index: Any) -> str:
    """ "mask", "positions", or nothing."""
    if not isinstance(a, Array) or not isinstance(index, Array) or a.ndim == 0:
        return ""
    if isinstance(index.dtype, Boolean) and 1 <= index.ndim <= min(a.ndim, 2):
        return "mask" if index.ndim in (a.ndim, 1) else ""
    if isinstance(index.dtype, Integer) and (index.ndim == 1 or (index.ndim > 1 and a.ndim == 1)):
        return "positions"
    return ""


@implements("index.get")
def _get(a: Any, index: Any) -> Any:
    return {"mask": _where_true, "positions": _rows_at}.get(_takes(a, index))


@implements("index.set")
def _set(a: Any, index: Any, value: Any) -> Any:
    if isinstance(value, Array) and value.ndim > a.ndim:
        return None
    return {"mask": _set_true, "positions": _set_rows}.get(_takes(a, index))
