"""Arrays as sets, and what is put into or cut off vectors, in CPU functions."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types.objects import Boolean, Complex, Float, Integer
from ..errors import TypingError
from .joining import _is_arrays
from .register import implements, refuse, written
from .shaping import _numpy_dtype


@written("numpy.union1d")
def union1d(ar1, ar2):
    """`np.union1d`."""
    return np.unique(np.concatenate((ar1.ravel(), ar2.ravel())))


def _kept_by_presence(ar1, ar2, wanted):
    """The elements of the first array that are in the second one, or are not."""
    found = np.isin(ar1, ar2)
    return ar1[found] if wanted else ar1[~found]


@written("numpy.intersect1d")
def intersect1d(ar1, ar2):
    """`np.intersect1d`."""
    return _kept_by_presence(np.unique(ar1), ar2.ravel(), True)


@written("numpy.setdiff1d")
def setdiff1d(ar1, ar2):
    """`np.setdiff1d`."""
    return _kept_by_presence(np.unique(ar1), ar2.ravel(), False)


@written("numpy.setxor1d")
def setxor1d(ar1, ar2):
    """`np.setxor1d`."""
    return np.sort(np.concatenate((setdiff1d(ar1, ar2), setdiff1d(ar2, ar1))))


@written("numpy.trim_zeros")
def trim_zeros(filt, trim="fb"):
    """`np.trim_zeros` of a vector."""
    if filt.ndim != 1:
        refuse("trim_zeros takes a vector")
    begin = 0
    end = len(filt)
    if trim != "b":
        while begin < end and filt[begin] == 0:
            begin += 1
    if trim != "f":
        while end > begin and filt[end - 1] == 0:
            end -= 1
    return filt[begin:end]


def _weak(default: Any) -> Any:
    """A number as NumPy takes it beside arrays: its kind counts, its width does not."""
    for kind, number in ((Boolean, False), (Integer, 0), (Float, 0.0), (Complex, 0j)):
        if isinstance(default, kind):
            return number
    return default


@implements("numpy.select")
def _select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    if not _is_arrays(condlist, 1, 2, 3, 4) or not _is_arrays(choicelist, 1, 2, 3, 4):
        return None
    if len(condlist) != len(choicelist):
        return None
    if not all(isinstance(each.dtype, Boolean) for each in condlist):
        raise TypingError("select takes conditions of bool arrays\nWrite a != 0.")
    kind = np.result_type(*map(_numpy_dtype, choicelist), _weak(default))

    def impl(condlist, choicelist, default=0):
        out = np.full(condlist[0].shape, default, kind)
        is_open = np.ones(condlist[0].shape, np.bool_)
        for conditions, choices in zip(condlist, choicelist):  # noqa: B905
            out[...] = np.where(is_open & conditions, choices, out)
            is_open &= ~conditions
        return out

    return impl
