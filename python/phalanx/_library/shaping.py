"""Arrays made of others: joined, cut, turned, repeated, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._type_aggregates import BaseTuple
from .._type_literals import DType, StringLiteral
from .._type_objects import Array, Boolean, Scalar, Type
from .register import implements, written


def _numpy_dtype(type_: Any) -> Any:
    """The NumPy dtype of a scalar's or an array's elements."""
    element: Any = type_.dtype if isinstance(type_, (Array, DType)) else type_
    return np.dtype("bool" if isinstance(element, Boolean) else element.dtype_name)


def _given(dtype: Any) -> Any:
    """The NumPy dtype that an argument ``dtype=`` names, None where there is none."""
    if isinstance(dtype, DType):
        return _numpy_dtype(dtype)
    return np.dtype(dtype.literal_value) if isinstance(dtype, StringLiteral) else None


def _leaves(nested: Type) -> list[Type] | None:
    """The numbers in tuples of tuples, None where there is something else."""
    if isinstance(nested, Scalar):
        return [nested]
    if not isinstance(nested, BaseTuple):
        return None
    parts = [_leaves(each) for each in nested]
    return None if None in parts else [leaf for part in parts for leaf in part or ()]


def _fill_vector(out, values):
    for i, value in enumerate(values):
        out[i] = value


def _fill_rows(out, rows):
    for i, row in enumerate(rows):
        _fill_vector(out[i], row)


def _fill_planes(out, planes):
    for i, plane in enumerate(planes):
        _fill_rows(out[i], plane)


_FILL = {1: _fill_vector, 2: _fill_rows, 3: _fill_planes}


@implements("numpy.array")
def _array(object: Any, dtype: Any = None) -> Any:
    kind = _given(dtype)
    if isinstance(object, Array):
        return _converted(object, kind, True)
    if isinstance(object, Scalar):
        return _of_number(object, kind)
    leaves = _leaves(object)
    if leaves is None:
        return _array_of_rows(object, kind)
    shape: list[int] = []
    level: Any = object
    while isinstance(level, BaseTuple):
        shape.append(len(level))
        level = level[0] if len(level) else None
    if not leaves or not shape or np.prod(shape) != len(leaves) or len(shape) not in _FILL:
        return None
    if kind is None:
        kind = np.result_type(*(_numpy_dtype(each) for each in leaves))
    extents = tuple(shape)
    fill = _FILL[len(shape)]

    def impl(object, dtype=None):
        out = np.empty(extents, kind)
        fill(out, object)
        return out

    return impl


def _of_number(number: Scalar, kind: Any) -> Any:
    """An array without dimensions."""
    target = _numpy_dtype(number) if kind is None else kind

    def impl(object, dtype=None):
        out = np.empty((), target)
        out[()] = object
        return out

    return impl


def _array_of_rows(rows: Any, kind: Any) -> Any:
    """np.array((a, b)) of arrays."""
    if not isinstance(rows, BaseTuple) or not all(isinstance(each, Array) for each in rows):
        return None

    def impl(object, dtype=None):
        return np.stack(object) if kind is None else np.stack(object).astype(kind)

    return impl


def _converted(array: Array, kind: Any, always: bool, order: str = "") -> Any:
    """The array in another dtype; as it is where nothing changes, unless `always`."""
    same = kind is None or kind == _numpy_dtype(array)
    if same and not always and order in ("", array.layout):
        return lambda a, dtype=None: a

    target = _numpy_dtype(array) if kind is None else kind

    def impl(a, dtype=None, copy=True):
        out = np.empty(a.shape, target)
        out[...] = a
        return out

    return impl


@implements("numpy.asarray")
def _asarray(a: Any, dtype: Any = None) -> Any:
    if isinstance(a, Array):
        return _converted(a, _given(dtype), False)
    if isinstance(a, Scalar):
        return _of_number(a, _given(dtype))
    return _array(a, dtype)


@implements("numpy.ascontiguousarray")
def _ascontiguousarray(a: Any, dtype: Any = None) -> Any:
    return _converted(a, _given(dtype), False, "C") if isinstance(a, Array) else None


@implements("method.astype")
def _astype(a: Any, dtype: Any, copy: Any = True) -> Any:
    kind = _given(dtype)
    return None if kind is None else _converted(a, kind, True)


# ---- Joined ----


def _is_arrays(given: Any, *ndims: int) -> bool:
    return (
        isinstance(given, BaseTuple)
        and len(given) > 0
        and all(isinstance(each, Array) and each.ndim in ndims for each in given)
    )


def _common(arrays: Any) -> Any:
    return np.result_type(*(_numpy_dtype(each) for each in arrays))


def _joined_vectors(kind: Any) -> Any:
    def impl(arrays, axis=0):
        total = 0
        for a in arrays:
            total += len(a)
        out = np.empty(total, kind)
        at = 0
        for a in arrays:
            out[at : at + len(a)] = a
            at += len(a)
        return out

    return impl


def _joined_rows(kind: Any) -> Any:
    def impl(arrays, axis=0):
        total = 0
        for a in arrays:
            if a.shape[1] != arrays[0].shape[1]:
                raise ValueError("all the input array dimensions but the first must be the same")
            total += a.shape[0]
        out = np.empty((total, arrays[0].shape[1]), kind)
        at = 0
        for a in arrays:
            out[at : at + a.shape[0]] = a
            at += a.shape[0]
        return out

    return impl


def _joined_columns(kind: Any) -> Any:
    def impl(arrays, axis=1):
        total = 0
        for a in arrays:
            if a.shape[0] != arrays[0].shape[0]:
                raise ValueError("all the input array dimensions but the last must be the same")
            total += a.shape[1]
        out = np.empty((arrays[0].shape[0], total), kind)
        at = 0
        for a in arrays:
            out[:, at : at + a.shape[1]] = a
            at += a.shape[1]
        return out

    return impl


@implements("numpy.concatenate")
def _concatenate(arrays: Any, axis: Any = 0) -> Any:
    along = axis if isinstance(axis, int) else getattr(axis, "literal_value", None)
    if _is_arrays(arrays, 1) and along in (0, -1):
        return _joined_vectors(_common(arrays))
    if not _is_arrays(arrays, 2) or along not in (0, 1, -1, -2):
        return None
    return (_joined_rows if along in (0, -2) else _joined_columns)(_common(arrays))


@implements("numpy.hstack")
def _hstack(tup: Any) -> Any:
    if _is_arrays(tup, 1):
        join = _joined_vectors(_common(tup))
    elif _is_arrays(tup, 2):
        join = _joined_columns(_common(tup))
    else:
        return None
    return lambda tup: join(tup)


def _vectors_as_rows(kind: Any) -> Any:
    def impl(tup):
        out = np.empty((len(tup), len(tup[0])), kind)
        for i, a in enumerate(tup):
            if len(a) != out.shape[1]:
                raise ValueError("all input arrays must have the same shape")
            out[i] = a
        return out

    return impl


def _vectors_as_columns(kind: Any) -> Any:
    def impl(tup):
        out = np.empty((len(tup[0]), len(tup)), kind)
        for i, a in enumerate(tup):
            if len(a) != out.shape[0]:
                raise ValueError("all input arrays must have the same shape")
            out[:, i] = a
        return out

    return impl


@implements("numpy.vstack")
def _vstack(tup: Any) -> Any:
    if _is_arrays(tup, 1):
        return _vectors_as_rows(_common(tup))
    if not _is_arrays(tup, 1, 2):
        return None
    join = _joined_rows(_common(tup))
    return lambda tup: join(tup) if tup[0].ndim == 2 else None


@implements("numpy.stack")
def _stack(arrays: Any, axis: Any = 0) -> Any:
    along = axis if isinstance(axis, int) else getattr(axis, "literal_value", None)
    if not _is_arrays(arrays, 1) or along not in (0, 1, -1):
        return None
    join = (_vectors_as_rows if along == 0 else _vectors_as_columns)(_common(arrays))
    return lambda arrays, axis=0: join(arrays)


def _vectors_and_matrices_as_columns(kind: Any) -> Any:
    def impl(tup):
        total = 0
        for a in tup:
            total += 1 if a.ndim == 1 else a.shape[1]
        out = np.empty((len(tup[0]), total), kind)
        at = 0
        for a in tup:
            if len(a) != len(out):
                raise ValueError("all the input array dimensions but the last must be the same")
            columns = a.reshape((len(a), 1)) if a.ndim == 1 else a
            out[:, at : at + columns.shape[1]] = columns
            at += columns.shape[1]
        return out

    return impl


@implements("numpy.column_stack")
def _column_stack(tup: Any) -> Any:
    if _is_arrays(tup, 1):
        return _vectors_as_columns(_common(tup))
    return _vectors_and_matrices_as_columns(_common(tup)) if _is_arrays(tup, 1, 2) else None


@written("numpy.append")
def append(arr, values):
    """`np.append` of a number or an array, flattened."""
    if np.ndim(values) == 0:
        out = np.empty(arr.size + 1, np.result_type(arr, values))
        out[: arr.size] = arr.ravel()
        out[arr.size] = values
        return out
    return np.concatenate((arr.ravel(), values.ravel()))


@written("numpy.delete")
def delete(arr, obj):
    """`np.delete` of one element of a vector."""
    n = len(arr)
    at = obj + n if obj < 0 else obj
    if at < 0 or at >= n:
        raise IndexError("index out of bounds")
    out = np.empty(n - 1, arr.dtype)
    out[:at] = arr[:at]
    out[at:] = arr[at + 1 :]
    return out


# ---- Repeated and turned ----


@written("numpy.repeat", "method.repeat")
def repeat(a, repeats):
    """`np.repeat`, flattened."""
    values = a.ravel()
    if np.ndim(repeats) == 0:
        out = np.empty(len(values) * repeats, a.dtype)
        for i in range(len(values)):
            out[i * repeats : (i + 1) * repeats] = values[i]
        return out
    out = np.empty(np.sum(repeats), a.dtype)
    at = 0
    for i in range(len(values)):
        out[at : at + repeats[i]] = values[i]
        at += repeats[i]
    return out


@written("numpy.roll")
def roll(a, shift):
    """`np.roll`, flattened."""
    values = a.ravel()
    n = len(values)
    out = np.empty(n, a.dtype)
    for i in range(n):
        out[(i + shift) % n] = values[i]
    return out.reshape(a.shape)


@written("numpy.flip")
def flip(m):
    """`np.flip` along all axes."""
    if m.ndim == 1:
        return m[::-1]
    return m[::-1, ::-1]


@written("numpy.flipud")
def flipud(m):
    """`np.flipud`."""
    return m[::-1]


@written("numpy.fliplr")
def fliplr(m):
    """`np.fliplr`."""
    return m[:, ::-1]


@written("numpy.rot90")
def rot90(m, k=1):
    """`np.rot90`, as a copy."""
    turns = k % 4
    rows = m.shape[0]
    columns = m.shape[1]
    out = np.empty((rows, columns) if turns % 2 == 0 else (columns, rows), m.dtype)
    for i in range(rows):
        for j in range(columns):
            if turns == 0:
                out[i, j] = m[i, j]
            elif turns == 1:
                out[columns - 1 - j, i] = m[i, j]
            elif turns == 2:
                out[rows - 1 - i, columns - 1 - j] = m[i, j]
            else:
                out[j, rows - 1 - i] = m[i, j]
    return out


@written("numpy.expand_dims")
def expand_dims(a, axis):
    """`np.expand_dims` at the begin (0) or the end (-1)."""
    return a[np.newaxis] if axis == 0 else a[..., np.newaxis]


@written("numpy.atleast_1d")
def atleast_1d(a):
    """`np.atleast_1d`."""
    return a.reshape(1) if a.ndim == 0 else a


@written("numpy.atleast_2d")
def atleast_2d(a):
    """`np.atleast_2d`."""
    return a[np.newaxis] if a.ndim == 1 else a


@written("numpy.shape")
def shape(a):
    """`np.shape`."""
    return a.shape


@written("numpy.size")
def size(a):
    """`np.size`."""
    return a.size


@written("numpy.real")
def real(val):
    """`np.real`."""
    return val.real


@written("numpy.imag")
def imag(val):
    """`np.imag`."""
    return val.imag


@written("numpy.meshgrid")
def meshgrid(x, y, indexing="xy"):
    """`np.meshgrid` of two vectors."""
    if indexing == "xy":
        first = np.empty((len(y), len(x)), x.dtype)
        second = np.empty((len(y), len(x)), y.dtype)
        first[:] = x
        second[:] = y.reshape((len(y), 1))
        return first, second
    left = np.empty((len(x), len(y)), x.dtype)
    right = np.empty((len(x), len(y)), y.dtype)
    left[:] = x.reshape((len(x), 1))
    right[:] = y
    return left, right


# ---- Members ----


@implements("attribute.flat")
def _flat(a: Any) -> Any:
    # Of other layouts it would be a copy, and what is written to it lost.
    if not isinstance(a, Array) or a.layout != "C":
        return None
    return lambda a: a.ravel()


@written("method.fill")
def fill(a, value):
    """`a.fill(value)`."""
    a[...] = value


@written("method.item")
def item(a):
    """`a.item()` of an array of one element."""
    if a.size != 1:
        raise ValueError("item(): the array must have one element")
    return a.ravel()[0]


@written("method.dot")
def dot(a, b):
    """`a.dot(b)`."""
    return np.dot(a, b)


@written("method.conj", "method.conjugate")
def conj(a):
    """`a.conj()`."""
    return np.conj(a)
