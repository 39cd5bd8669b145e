"""Arrays in another order of dimensions or with more of them, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._type_literals import Literal
from .._type_objects import Array
from .register import implements, written
from .shaping import _common, _is_arrays


@written("numpy.ravel")
def ravel(a):
    """`np.ravel`."""
    return a.ravel()


@written("numpy.transpose")
def transpose(a, axes=None):
    """`np.transpose`."""
    if axes is None:
        return a.T
    return a.transpose(axes)


def _known(*numbers: Any) -> list[int] | None:
    values = [each if isinstance(each, int) else _value(each) for each in numbers]
    return values if all(isinstance(each, int) for each in values) else None


def _value(number: Any) -> Any:
    return number.literal_value if isinstance(number, Literal) else None


def _axes(a: Any, *axes: Any) -> list[int] | None:
    """The axes counted from the first; None where they are not known or too large."""
    known = _known(*axes)
    if not isinstance(a, Array) or known is None:
        return None
    if not all(-a.ndim <= axis < a.ndim for axis in known):
        return None
    return [axis % a.ndim for axis in known]


@implements("numpy.swapaxes", "method.swapaxes")
def _swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    axes = _axes(a, axis1, axis2)
    if axes is None:
        return None
    first, second = axes
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    turned = tuple(order)
    return lambda a, axis1, axis2: a.transpose(turned)


@implements("numpy.moveaxis")
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    axes = _axes(a, source, destination)
    if axes is None:
        return None
    order = [axis for axis in range(a.ndim) if axis != axes[0]]
    order.insert(axes[1], axes[0])
    turned = tuple(order)
    return lambda a, source, destination: a.transpose(turned)


@written("numpy.asfortranarray")
def asfortranarray(a):
    """`np.asfortranarray`."""
    if a.ndim < 2:
        return np.ascontiguousarray(a)
    out = np.empty(a.shape[::-1], a.dtype).T
    out[...] = a
    return out


@written("numpy.broadcast_to")
def broadcast_to(array, shape):
    """`np.broadcast_to`, as a copy."""
    out = np.empty(shape, array.dtype)
    out[...] = array
    return out


@written("numpy.diagflat")
def diagflat(v):
    """`np.diagflat`."""
    values = v.ravel()
    out = np.zeros((len(values), len(values)), v.dtype)
    for i in range(len(values)):
        out[i, i] = values[i]
    return out


@written("numpy.atleast_3d")
def atleast_3d(a):
    """`np.atleast_3d`."""
    if a.ndim == 1:
        return a[np.newaxis, :, np.newaxis]
    if a.ndim == 2:
        return a[:, :, np.newaxis]
    return a


@written("numpy.row_stack")
def row_stack(tup):
    """`np.vstack` under its old name."""
    return np.vstack(tup)


@implements("numpy.dstack")
def _dstack(tup: Any) -> Any:
    if not _is_arrays(tup, 1) and not _is_arrays(tup, 2):
        return None
    kind = _common(tup)
    is_vectors = tup[0].ndim == 1

    def impl(tup):
        first = tup[0]
        rows = 1 if is_vectors else first.shape[0]
        out = np.empty((rows, first.shape[-1], len(tup)), kind)
        for i, a in enumerate(tup):
            if a.shape != first.shape:
                raise ValueError("all input arrays must have the same shape")
            out[:, :, i] = a
        return out

    return impl


def _counted_1(out):
    for i in range(out.shape[1]):
        out[0, i] = i


def _counted_2(out):
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            out[0, i, j] = i
            out[1, i, j] = j


def _counted_3(out):
    for i in range(out.shape[1]):
        for j in range(out.shape[2]):
            for k in range(out.shape[3]):
                out[0, i, j, k] = i
                out[1, i, j, k] = j
                out[2, i, j, k] = k


@implements("numpy.indices")
def _indices(dimensions: Any) -> Any:
    fill = {1: _counted_1, 2: _counted_2, 3: _counted_3}.get(len(dimensions))
    if fill is None:
        return None
    count = len(dimensions)

    def impl(dimensions):
        out = np.empty((count, *dimensions), np.int64)
        fill(out)
        return out

    return impl
