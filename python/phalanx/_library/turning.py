"""Arrays turned, and with more dimensions, in CPU functions: views where NumPy gives views."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types.objects import Array
from .axes import axes_of, axis_among, backward, is_none, turned, with_axis
from .register import implements, refuse, written


@implements("numpy.flip")
def _flip(m: Any, axis: Any = None) -> Any:
    if not isinstance(m, Array):
        return None
    axes = list(range(m.ndim)) if is_none(axis) else axes_of(m, axis)
    if axes is None:
        return None
    view = backward(m.ndim, axes)
    return lambda m, axis=None: view(m)


@written("numpy.flipud")
def flipud(m):
    """`np.flipud`."""
    if m.ndim < 1:
        refuse("flipud takes arrays of at least one dimension")
    return m[::-1]


@written("numpy.fliplr")
def fliplr(m):
    """`np.fliplr`."""
    if m.ndim < 2:
        refuse("fliplr takes arrays of at least two dimensions")
    return m[:, ::-1]


def _turned_once(m):
    """By a quarter, as a view."""
    return np.swapaxes(m[:, ::-1], 0, 1)


@written("numpy.rot90")
def rot90(m, k=1):
    """`np.rot90` in the first two dimensions, as a copy."""
    if m.ndim < 2:
        refuse("rot90 takes arrays of at least two dimensions")
    turns = k % 4
    out = np.empty(m.shape if turns % 2 == 0 else _turned_once(m).shape, m.dtype)
    if turns == 0:
        out[...] = m
    elif turns == 1:
        out[...] = _turned_once(m)
    elif turns == 2:
        out[...] = m[::-1, ::-1]
    else:
        out[...] = np.swapaxes(m, 0, 1)[:, ::-1]
    return out


def _rolled(vector, shift):
    out = np.empty(vector.shape, vector.dtype)
    n = len(vector)
    for i in range(n):
        out[(i + shift) % n] = vector[i]
    return out


@implements("numpy.roll")
def _roll(a: Any, shift: Any, axis: Any = None) -> Any:
    if not isinstance(a, Array):
        return None
    if is_none(axis):
        return lambda a, shift, axis=None: _rolled(a.ravel(), shift).reshape(a.shape)
    axes = axes_of(a, axis)
    if axes is None:
        return None
    there, back = turned(a.ndim, axes[0], 0)
    return lambda a, shift, axis=None: np.ascontiguousarray(back(_rolled(there(a), shift)))


@implements("numpy.expand_dims")
def _expand_dims(a: Any, axis: Any) -> Any:
    along = axis_among(a.ndim + 1, axis) if isinstance(a, Array) else None
    if along is None:
        return None
    view = with_axis(a.ndim, along)
    return lambda a, axis: view(a)


@written("numpy.atleast_1d")
def atleast_1d(a):
    """`np.atleast_1d`."""
    return a.reshape(1) if a.ndim == 0 else a


@written("numpy.atleast_2d")
def atleast_2d(a):
    """`np.atleast_2d`."""
    if a.ndim == 0:
        return a.reshape((1, 1))
    return a[np.newaxis] if a.ndim == 1 else a


@written("numpy.atleast_3d")
def atleast_3d(a):
    """`np.atleast_3d`."""
    if a.ndim == 0:
        return a.reshape((1, 1, 1))
    if a.ndim == 1:
        return a[np.newaxis, :, np.newaxis]
    if a.ndim == 2:
        return a[:, :, np.newaxis]
    return a
