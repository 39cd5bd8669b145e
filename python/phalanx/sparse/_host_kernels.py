"""Products on the CPU device, as parallel functions.

The rows and entries together are cut into equal parts (Merrill and Garland's merge path), so that
neither a long row nor many empty ones leave one thread with the work. A part sums its last,
unfinished row into a carry, which is added at the end. Indices come as unsigned integers: signed
ones would be asked whether they count from the end.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _functions
from .._functions import prange

njit: Callable[..., Any] = _functions.njit

# Sums may be reordered, which unrolls and vectorizes them; NaN and infinities keep their meaning.
_SUMS = {"reassoc", "contract"}
_LONG = 16  # entries of a row from which four sums run side by side


@njit
def row_at(pointers: Any, diagonal: int, nnz: int, rows: int) -> int:
    """How many rows end before that many rows and entries have been passed."""
    low = max(0, diagonal - nnz)
    high = min(diagonal, rows)
    while low < high:
        middle = (low + high) >> 1
        if pointers[middle + 1] <= diagonal - middle - 1:
            low = middle + 1
        else:
            high = middle
    return low


@njit(fastmath=_SUMS)  # type: ignore[untyped-decorator]
def short_sum(data: Any, indices: Any, x: Any, zero: Any, span: Any) -> Any:
    """The product of few entries and a vector."""
    k, end = span
    total = zero
    while k < end:
        total += data[k] * x[indices[k]]
        k += np.uint64(1)
    return total


@njit
def long_sum(data: Any, indices: Any, x: Any, zero: Any, span: Any) -> Any:
    """The product of many entries and a vector, by four sums side by side.

    Its sums must not be reordered further: vectorized, reads at indices are slower than one by one.
    """
    k, end = span
    s0, s1, s2, s3 = zero, zero, zero, zero
    while k + np.uint64(4) <= end:
        s0 += data[k] * x[indices[k]]
        s1 += data[k + np.uint64(1)] * x[indices[k + np.uint64(1)]]
        s2 += data[k + np.uint64(2)] * x[indices[k + np.uint64(2)]]
        s3 += data[k + np.uint64(3)] * x[indices[k + np.uint64(3)]]
        k += np.uint64(4)
    while k < end:
        s0 += data[k] * x[indices[k]]
        k += np.uint64(1)
    return (s0 + s1) + (s2 + s3)


@njit
def row_sum(data: Any, indices: Any, x: Any, zero: Any, span: Any) -> Any:
    """The product of one row's entries and a vector."""
    if span[1] - span[0] < np.uint64(_LONG):
        return short_sum(data, indices, x, zero, span)
    return long_sum(data, indices, x, zero, span)


@njit(parallel=True)  # type: ignore[untyped-decorator]
def times_vector(data: Any, indices: Any, pointers: Any, x: Any, y: Any, carries: Any) -> None:
    """y = A @ x for A by rows; `carries` has an element of y's dtype for each part."""
    rows = y.shape[0]
    nnz = np.int64(pointers[rows])
    count = carries.shape[0]
    ends = np.empty(count, np.int64)
    one = np.uint64(1)
    for part in prange(count):
        zero = y.dtype.type(0)
        first = (rows + nnz) * part // count
        last = (rows + nnz) * (part + 1) // count
        i = np.uint64(row_at(pointers, first, nnz, rows))
        end = np.uint64(row_at(pointers, last, nnz, rows))
        k = np.uint64(first) - i
        while i < end:
            stop = np.uint64(pointers[i + one])
            y[i] = row_sum(data, indices, x, zero, (k, stop))
            k = stop
            i += one
        carries[part] = row_sum(data, indices, x, zero, (k, np.uint64(last) - end))
        ends[part] = end
    for part in range(count):
        if ends[part] < rows:
            y[ends[part]] += carries[part]


@njit(fastmath=_SUMS)  # type: ignore[untyped-decorator]
def add_rows(data: Any, indices: Any, x: Any, span: Any, out: Any) -> None:
    """Gives `out` the sum of rows of x, each times the entry that names it."""
    entry, end = span
    count = np.uint64(out.shape[0])
    for j in range(np.uint64(0), count):
        out[j] = 0
    while entry < end:
        value, source = data[entry], indices[entry]
        for j in range(np.uint64(0), count):
            out[j] += value * x[source, j]
        entry += np.uint64(1)


@njit(parallel=True, fastmath=_SUMS)  # type: ignore[untyped-decorator]
def times_matrix(data: Any, indices: Any, pointers: Any, x: Any, y: Any, carries: Any) -> None:
    """y = A @ x for A by rows and dense x and y in C order; `carries` has a row for each part."""
    rows = y.shape[0]
    nnz = np.int64(pointers[rows])
    count = carries.shape[0]
    ends = np.empty(count, np.int64)
    for part in prange(count):
        first = (rows + nnz) * part // count
        last = (rows + nnz) * (part + 1) // count
        i = np.uint64(row_at(pointers, first, nnz, rows))
        end = np.uint64(row_at(pointers, last, nnz, rows))
        k = np.uint64(first) - i
        while i < end:
            stop = np.uint64(pointers[i + np.uint64(1)])
            add_rows(data, indices, x, (k, stop), y[i])
            k = stop
            i += np.uint64(1)
        add_rows(data, indices, x, (k, np.uint64(last) - end), carries[part])
        ends[part] = end
    for part in range(count):
        if ends[part] < rows:
            for j in range(y.shape[1]):
                y[ends[part], j] += carries[part, j]
