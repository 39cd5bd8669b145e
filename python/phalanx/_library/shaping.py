"""Arrays of numbers, tuples and other arrays, and what arrays tell of themselves."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.intrinsic import Intrinsic
from .._types.aggregates import BaseTuple, List
from .._types.literals import DType, StringLiteral
from .._types.objects import Array, Boolean, Float, Integer, Scalar, Type
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
    if isinstance(object, List):
        return _array_of_list(object, kind)
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


_numbers = Intrinsic("phalanx.list_numbers", "The numbers in a list as an array.")
_flat_elements = Intrinsic("phalanx.flat", "`a.flat` of an array of any layout.")


def _array_of_list(given: List, kind: Any) -> Any:
    """np.array of a list of numbers, or of lists, tuples and arrays of one shape."""
    row = given.dtype
    if isinstance(row, Scalar):
        target = _numpy_dtype(row) if kind is None else kind
        return lambda object, dtype=None: _numbers(object).astype(target)
    make_row = _array(row, None)
    if make_row is None and not isinstance(row, Array):
        return None

    def impl(object, dtype=None):
        if len(object) == 0:
            raise ValueError("np.array: the shape of an empty list of rows is not known")
        first = np.asarray(object[0])
        out = np.empty((len(object), *first.shape), first.dtype if kind is None else kind)
        for i in range(len(object)):
            each = np.asarray(object[i])
            if each.shape != first.shape:
                raise ValueError("np.array: the rows differ in shape")
            out[i] = each
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


@implements("numpy.reshape")
def _reshape(a: Any, shape: Any) -> Any:
    return (lambda a, shape: a.reshape(shape)) if isinstance(a, Array) else None


@implements("method.astype")
def _astype(a: Any, dtype: Any, copy: Any = True) -> Any:
    kind = _given(dtype)
    return None if kind is None else _converted(a, kind, True)


# ---- Read ----


@written("numpy.shape")
def shape(a):
    """`np.shape`."""
    return a.shape if np.ndim(a) > 0 else ()


@written("numpy.size")
def size(a):
    """`np.size`."""
    return a.size if np.ndim(a) > 0 else 1


@written("numpy.real")
def real(val):
    """`np.real`."""
    return val.real


@written("numpy.imag")
def imag(val):
    """`np.imag`."""
    return val.imag


@implements("attribute.imag")
def _imag(a: Any) -> Any:
    # Of complex arrays the compiler has a view.
    if not isinstance(a, Array) or not isinstance(a.dtype, (Boolean, Integer, Float)):
        return None
    return lambda a: np.zeros(a.shape, a.dtype)


# ---- Members ----


@implements("attribute.flat")
def _flat(a: Any) -> Any:
    if not isinstance(a, Array):
        return None
    if a.ndim == 1:
        return lambda a: a[:]
    # Of other layouts that would be a copy, and what is written to it lost.
    return (lambda a: a.ravel()) if a.layout == "C" else _flat_elements


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
