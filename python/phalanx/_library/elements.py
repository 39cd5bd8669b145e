"""The elements of an array of any dimensions, counted in the order of NumPy's `flat`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._types.objects import Array


def _scalar(a, i):
    return a[()]


def _vector(a, i):
    return a[i]


def _contiguous(a, i):
    return a.reshape(a.size)[i]


def _strided_2(a, i):
    return a[i // a.shape[1], i % a.shape[1]]


def _strided_3(a, i):
    row = i // a.shape[2]
    return a[row // a.shape[1], row % a.shape[1], i % a.shape[2]]


def _strided_4(a, i):
    row = i // a.shape[3]
    plane = row // a.shape[2]
    return a[plane // a.shape[1], plane % a.shape[1], row % a.shape[2], i % a.shape[3]]


_STRIDED = {0: _scalar, 1: _vector, 2: _strided_2, 3: _strided_3, 4: _strided_4}


def element_of(array: Array) -> Callable[[Any, Any], Any] | None:
    """A function of an array of that type and a position; ``None`` where there is none."""
    if array.ndim > 1 and array.layout == "C":
        return _contiguous
    return _STRIDED.get(array.ndim)
