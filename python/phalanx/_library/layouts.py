"""Arrays in another order of dimensions or with more of them, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .axes import axes_of, product, turned
from .register import implements, refuse, written


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


@implements("numpy.swapaxes", "method.swapaxes")
def _swapaxes(a: Any, axis1: Any, axis2: Any) -> Any:
    axes = axes_of(a, axis1, axis2)
    if axes is None:
        return None
    first, second = axes
    order = list(range(a.ndim))
    order[first], order[second] = second, first
    swapped = tuple(order)
    return lambda a, axis1, axis2: a.transpose(swapped)


@implements("numpy.moveaxis")
def _moveaxis(a: Any, source: Any, destination: Any) -> Any:
    axes = axes_of(a, source, destination)
    if axes is None:
        return None
    there, _ = turned(a.ndim, *axes)
    return lambda a, source, destination: there(a)


@written("numpy.asfortranarray")
def asfortranarray(a):
    """`np.asfortranarray`."""
    if a.ndim == 0:
        return a.reshape(1)
    if a.ndim == 1:
        return np.ascontiguousarray(a)
    out = np.empty(a.shape[::-1], a.dtype).T
    out[...] = a
    return out


@written("numpy.broadcast_to")
def broadcast_to(array, shape):
    """`np.broadcast_to`, as a copy."""
    out = np.empty(shape, np.result_type(array, array))
    if np.ndim(array) > np.ndim(out):
        refuse("broadcast_to takes a shape of at least as many dimensions as the array has")
    out[...] = array
    return out


@written("numpy.diagflat")
def diagflat(v, k=0):
    """`np.diagflat`."""
    return np.diag(v.ravel(), k)


@written("numpy.indices")
def indices(dimensions):
    """`np.indices`."""
    if len(dimensions) == 0:
        refuse("indices takes a shape of at least one dimension")
    out = np.empty((len(dimensions), *dimensions), np.int64)
    before = 1
    after = product(dimensions)
    for k, n in enumerate(dimensions):
        after //= n
        rows = out[k].reshape((before, n, after))
        for i in range(n):
            rows[:, i] = i
        before *= n
    return out
