"""Arrays made of others: joined, cut, repeated, in CPU functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .._types.aggregates import BaseTuple
from .._types.objects import Array
from .axes import axis_among, turned
from .register import implements, refuse, written
from .shaping import _numpy_dtype


def _is_arrays(given: Any, *ndims: int) -> bool:
    return (
        isinstance(given, BaseTuple)
        and len(given) > 0
        and all(isinstance(each, Array) and each.ndim in ndims for each in given)
    )


def _common(arrays: Any) -> Any:
    return np.result_type(*(_numpy_dtype(each) for each in arrays))


def _joined(ndim: int, axis: int, kind: Any) -> Any:
    """What joins a tuple of arrays along an axis."""
    there, _ = turned(ndim, axis, 0)

    def impl(arrays, axis=0):
        first = there(arrays[0])
        total = 0
        for a in arrays:
            part = there(a)
            if part.shape[1:] != first.shape[1:]:
                raise ValueError("all the input array dimensions but one must be the same")
            total += len(part)
        out = empty(arrays[0].shape, total)
        target = there(out)
        at = 0
        for a in arrays:
            part = there(a)
            target[at : at + len(part)] = part
            at += len(part)
        return out

    def empty(shape, total):
        return np.empty((*shape[:axis], total, *shape[axis + 1 :]), kind)

    return impl


def _joined_columns(kind: Any) -> Any:
    """Matrices beside each other: row by row, which is how they lie in memory."""

    def impl(arrays, axis=1):
        total = 0
        for a in arrays:
            if a.shape[0] != arrays[0].shape[0]:
                raise ValueError("all the input array dimensions but one must be the same")
            total += a.shape[1]
        out = np.empty((arrays[0].shape[0], total), kind)
        at = 0
        for a in arrays:
            out[:, at : at + a.shape[1]] = a
            at += a.shape[1]
        return out

    return impl


def _join(arrays: Any, axis: Any) -> Any:
    if not _is_arrays(arrays, *range(1, 9)) or any(a.ndim != arrays[0].ndim for a in arrays):
        return None
    ndim = arrays[0].ndim
    along = axis_among(ndim, axis)
    if along is None:
        return None
    if (ndim, along) == (2, 1):
        return _joined_columns(_common(arrays))
    return _joined(ndim, along, _common(arrays))


@implements("numpy.concatenate")
def _concatenate(arrays: Any, axis: Any = 0) -> Any:
    return _join(arrays, axis)


def _each(change: Callable[[Any], Any], count: int) -> Any:
    """A function of `count` arrays in a tuple that changes each of them."""
    if count == 0:
        return lambda arrays: ()
    rest = _each(change, count - 1)

    def impl(arrays):
        return (change(arrays[0]), *rest(arrays[1:]))

    return impl


def _joined_as(change: Callable[[Any], Any], axis: int) -> Any:
    """np.vstack and its like: arrays of one or two dimensions at least, joined along an axis."""

    def make(tup: Any) -> Any:
        if not _is_arrays(tup, *range(5)):
            return None
        changed = _each(change, len(tup))
        return lambda tup: np.concatenate(changed(tup), axis=axis)

    return make


def _as_columns(a):
    return a.reshape((a.size, 1)) if a.ndim < 2 else a


_vstack = _joined_as(np.atleast_2d, 0)
implements("numpy.vstack", "numpy.row_stack")(_vstack)
implements("numpy.dstack")(_joined_as(np.atleast_3d, 2))
implements("numpy.column_stack")(_joined_as(_as_columns, 1))


@implements("numpy.hstack")
def _hstack(tup: Any) -> Any:
    if not _is_arrays(tup, *range(5)):
        return None
    return _joined_as(np.atleast_1d, 0 if tup[0].ndim < 2 else 1)(tup)


@implements("numpy.stack")
def _stack(arrays: Any, axis: Any = 0) -> Any:
    if not _is_arrays(arrays, *range(5)):
        return None
    along = axis_among(arrays[0].ndim + 1, axis)
    if along is None:
        return None
    changed = _each(lambda a: np.expand_dims(a, along), len(arrays))

    def impl(arrays, axis=0):
        return np.concatenate(changed(arrays), axis=along)

    return impl


@written("numpy.append")
def append(arr, values):
    """`np.append` of a number or an array, flattened."""
    if np.ndim(values) == 0:
        out = np.empty(arr.size + 1, np.result_type(arr, values))
        out[: arr.size] = arr.ravel()
        out[arr.size :] = values
        return out
    return np.concatenate((arr.ravel(), values.ravel()))


def _position(at, extent):
    """The position counted from the begin, below `extent`."""
    found = at + extent if at < 0 else at
    if found < 0 or found >= extent:
        raise IndexError("index out of bounds")
    return found


@written("numpy.delete")
def delete(arr, obj):
    """`np.delete` of one element, flattened."""
    if np.ndim(obj) > 0:
        refuse("delete takes one position")
    values = arr.ravel()
    at = _position(obj, len(values))
    out = np.empty(len(values) - 1, arr.dtype)
    out[:at] = values[:at]
    out[at:] = values[at + 1 :]
    return out


@written("numpy.insert")
def insert(arr, obj, values):
    """`np.insert` of one number, flattened."""
    if np.ndim(obj) > 0 or np.ndim(values) > 0:
        refuse("insert takes one position and one number")
    vector = arr.ravel()
    at = obj + len(vector) if obj < 0 else obj
    if at < 0 or at > len(vector):
        raise IndexError("index out of bounds")
    out = np.empty(len(vector) + 1, arr.dtype)
    out[:at] = vector[:at]
    out[at] = values
    out[at + 1 :] = vector[at:]
    return out


@written("numpy.repeat", "method.repeat")
def repeat(a, repeats):
    """`np.repeat`, flattened."""
    values = a.ravel()
    if np.ndim(repeats) == 0:
        if repeats < 0:
            raise ValueError("repeats may not contain negative values.")
        out = np.empty(len(values) * repeats, a.dtype)
        for i in range(len(values)):
            out[i * repeats : (i + 1) * repeats] = values[i]
        return out
    if len(repeats) != len(values):
        raise ValueError("operands could not be broadcast together")
    out = np.empty(np.sum(repeats), a.dtype)
    at = 0
    for i in range(len(values)):
        out[at : at + repeats[i]] = values[i]
        at += repeats[i]
    return out


@written("numpy.meshgrid")
def meshgrid(x, y, indexing="xy"):
    """`np.meshgrid` of two vectors."""
    columns = x.ravel()
    rows = y.ravel()
    if indexing == "xy":
        first = np.empty((len(rows), len(columns)), x.dtype)
        second = np.empty((len(rows), len(columns)), y.dtype)
        first[:] = columns
        second[:] = rows.reshape((len(rows), 1))
        return first, second
    if indexing != "ij":
        refuse("meshgrid takes indexing='xy' or 'ij'")
    left = np.empty((len(columns), len(rows)), x.dtype)
    right = np.empty((len(columns), len(rows)), y.dtype)
    left[:] = columns.reshape((len(columns), 1))
    right[:] = rows
    return left, right
