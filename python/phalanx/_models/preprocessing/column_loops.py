"""Loops over samples in the host's memory, one pass each, in vectors.

They take as long as memory does: a block is a slice, whose indices need no bounds, and a division
is not asked whether it is one by zero (`_NUMPY`), which both kept loops from being vectors.

Numbers of columns are repeated until they are long enough for the vectors of a core, so that a few
features cost no more than many. Samples on a GPU, and in other order, take array expressions.
"""

from __future__ import annotations

from functools import cache
from typing import Any, Literal

import numpy as np

import phalanx as px

from ... import njit, prange
from ..._arrays.ndarray import ndarray

_NUMPY: Literal["numpy"] = "numpy"  # divisions by zero give infinity
_LONG = 1024  # numbers of columns, repeated
_FEWEST = 1 << 16  # elements of a part
_MOST_PARTS = 64
_MANY = 64  # features of a sample, of which sums are float64


@cache
def _affine(divides: bool) -> Any:
    @njit(parallel=True, error_model=_NUMPY)
    def affine(x: Any, out: Any, shift: Any, scale: Any, parts: Any) -> None:
        width, count = shift.shape[0], x.shape[0]
        blocks = (count + width - 1) // width
        each = (blocks + parts - 1) // parts
        for part in prange(parts):
            for block in range(part * each, min(blocks, (part + 1) * each)):
                first, last = block * width, min((block + 1) * width, count)
                own, made = x[first:last], out[first:last]
                for k in range(last - first):
                    if divides:
                        made[k] = (own[k] - shift[k]) / scale[k]
                    else:
                        made[k] = own[k] * scale[k] + shift[k]

    return affine


@njit(parallel=True)
def _extremes(x: Any, low: Any, high: Any) -> None:
    parts, width = low.shape
    count = x.shape[0]
    blocks = (count + width - 1) // width
    each = (blocks + parts - 1) // parts
    for part in prange(parts):
        least, most = low[part], high[part]
        for block in range(part * each, min(blocks, (part + 1) * each)):
            own = x[block * width : min((block + 1) * width, count)]
            for k in range(len(own)):
                value = own[k]
                least[k] = value if value < least[k] else least[k]
                most[k] = value if value > most[k] else most[k]


@cache
def _normalized(kind: str, dtype: str, of_sum: str) -> Any:
    is_l1, is_l2 = kind == "l1", kind == "l2"
    real, wide = np.dtype(dtype).type, np.dtype(of_sum).type

    @njit(parallel=True, error_model=_NUMPY)
    def normalized(x: Any, out: Any, parts: Any) -> None:
        count, features = x.shape
        each = (count + parts - 1) // parts
        for part in prange(parts):
            for i in range(part * each, min(count, (part + 1) * each)):
                size = wide(0)
                for j in range(features):
                    value = wide(abs(x[i, j]))
                    if is_l2:
                        size += value * value
                    elif is_l1:
                        size += value
                    else:
                        size = max(size, value)
                if is_l2:
                    size = np.sqrt(size)
                norm = real(1) if size == 0 else real(size)
                for j in range(features):
                    out[i, j] = x[i, j] / norm

    return normalized


def normalized_rows(x: ndarray, norm: str) -> np.ndarray:
    """Samples in the host's memory, each divided by its norm; samples of zeros stay."""
    out = np.empty(x.shape, x.dtype)
    # A sum in single precision loses a hundredth of a million features.
    of_sum = "float64" if x.shape[1] >= _MANY else x.dtype.name
    _normalized(norm, x.dtype.name, of_sum)(np.asarray(x), out, _parts(x))
    return out


def is_on_host(x: ndarray) -> bool:
    """True for samples in the host's memory, row after row."""
    return x._device.is_host and bool(x.flags.c_contiguous)


def like(values: Any, x: ndarray) -> ndarray:
    """One value a column, in the dtype of the samples and where they are."""
    return px.asarray(np.asarray(values).astype(x.dtype, copy=False), device=x.device)


def _parts(x: ndarray) -> int:
    return max(1, min(_MOST_PARTS, x.size // _FEWEST))


def _repeated(values: Any, x: ndarray) -> np.ndarray:
    own = np.asarray(values).astype(x.dtype, copy=False)
    return np.tile(own, max(1, _LONG // len(own)))


def _changed(x: ndarray, shift: Any, scale: Any, divides: bool) -> np.ndarray:
    out = np.empty(x.shape, x.dtype)
    columns = _repeated(shift, x), _repeated(scale, x)
    _affine(divides)(np.asarray(x).reshape(-1), out.reshape(-1), *columns, _parts(x))
    return out


def scaled(x: ndarray, shift: Any, scale: Any) -> Any:
    """``(x - shift) / scale``, both one number a column, in the dtype of the samples.

    NumPy's array of samples in the host's memory, else ours.
    """
    if is_on_host(x):
        return _changed(x, shift, scale, divides=True)
    return (x - like(shift, x)) / like(scale, x)


def unscaled(x: ndarray, shift: Any, scale: Any) -> Any:
    """``x * scale + shift``, as `scaled`."""
    if is_on_host(x):
        return _changed(x, shift, scale, divides=False)
    return x * like(scale, x) + like(shift, x)


def host_extremes(x: ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest number of each column of samples in the host's memory.

    NaN counts nowhere; where there is no other number it is the result.
    """
    features = x.shape[1]
    width = features * max(1, _LONG // features)
    low = np.full((_parts(x), width), np.inf, x.dtype)
    high = np.full((_parts(x), width), -np.inf, x.dtype)
    _extremes(np.asarray(x).reshape(-1), low, high)
    least = low.reshape(-1, features).min(axis=0)
    most = high.reshape(-1, features).max(axis=0)
    empty = least > most
    least, most = np.where(empty, np.nan, least), np.where(empty, np.nan, most)
    return least.astype(x.dtype), most.astype(x.dtype)
