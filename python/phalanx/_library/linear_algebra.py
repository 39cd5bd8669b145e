"""Products of matrices in CPU functions: written in Python, compiled with the calling function.

They are blocked loops: no library is called. A panel of 128 by 512 numbers of the right matrix
stays in a core's cache while rows of the left one pass, four at a time (K. Goto, R. van de Geijn,
Anatomy of High-Performance Matrix Multiplication, ACM TOMS 34, 2008; without the copies into
buffers).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .._core.numba_names import prange
from .register import refuse


def _short_product(a, b):
    # Four sums: each addition waits for the one before it.
    kind = np.result_type(a, b)
    first = kind(0)
    second = kind(0)
    third = kind(0)
    fourth = kind(0)
    whole = len(a) // 4 * 4
    for i in range(0, whole, 4):
        first += a[i] * b[i]
        second += a[i + 1] * b[i + 1]
        third += a[i + 2] * b[i + 2]
        fourth += a[i + 3] * b[i + 3]
    for i in range(whole, len(a)):
        first += a[i] * b[i]
    return (first + second) + (third + fourth)


def _vector_product(a, b):
    if len(a) != len(b):
        raise ValueError("incompatible array sizes for np.dot(a, b) (vector * vector)")
    kind = np.result_type(a, b)
    total = kind(0)
    for i in prange(0, len(a), 4096):
        total += _short_product(a[i : i + 4096], b[i : i + 4096])
    return kind(total)


def _matrix_vector(a, b):
    rows = a.shape[0]
    if a.shape[1] != len(b):
        raise ValueError("incompatible array sizes for np.dot(a, b) (matrix * vector)")
    out = np.empty(rows, np.result_type(a, b))
    for i in prange(rows):
        out[i] = _short_product(a[i], b)
    return out


def _add_weighted_rows(out, weights, rows):
    whole = len(weights) // 4 * 4
    columns = rows.shape[1]
    for k in range(0, whole, 4):
        w, x, y, z = weights[k], weights[k + 1], weights[k + 2], weights[k + 3]
        for j in range(columns):
            out[j] += w * rows[k, j] + x * rows[k + 1, j] + y * rows[k + 2, j] + z * rows[k + 3, j]
    for k in range(whole, len(weights)):
        for j in range(columns):
            out[j] += weights[k] * rows[k, j]


def _vector_matrix(a, b):
    if len(a) != b.shape[0]:
        raise ValueError("incompatible array sizes for np.dot(a, b) (vector * matrix)")
    out = np.zeros(b.shape[1], np.result_type(a, b))
    for first in prange(0, len(a), 256):
        part = np.zeros(b.shape[1], np.result_type(a, b))
        _add_weighted_rows(part, a[first : first + 256], b[first : first + 256])
        out += part
    return out


def _multiply_four_rows(out, a, right, i, inner, columns):
    """Four rows by four at a time: each number of `right` is used four times once it is there.

    `inner` and `columns` are the bounds of the part of `right` that is taken.
    """
    first, last = inner
    begin, end = columns
    one, two, three, four = out[i], out[i + 1], out[i + 2], out[i + 3]
    for k in range(first, last, 4):
        a1, a2, a3, a4 = a[i, k], a[i, k + 1], a[i, k + 2], a[i, k + 3]
        b1, b2, b3, b4 = a[i + 1, k], a[i + 1, k + 1], a[i + 1, k + 2], a[i + 1, k + 3]
        c1, c2, c3, c4 = a[i + 2, k], a[i + 2, k + 1], a[i + 2, k + 2], a[i + 2, k + 3]
        d1, d2, d3, d4 = a[i + 3, k], a[i + 3, k + 1], a[i + 3, k + 2], a[i + 3, k + 3]
        for j in range(begin, end):
            w, x, y, z = right[k, j], right[k + 1, j], right[k + 2, j], right[k + 3, j]
            one[j] += a1 * w + a2 * x + a3 * y + a4 * z
            two[j] += b1 * w + b2 * x + b3 * y + b4 * z
            three[j] += c1 * w + c2 * x + c3 * y + c4 * z
            four[j] += d1 * w + d2 * x + d3 * y + d4 * z


def _multiply_rows(out, a, right):
    rows, inner = a.shape
    columns = right.shape[1]
    fours = rows // 4 * 4
    for first in range(0, inner, 128):
        last = min(first + 128, inner)
        whole = first + (last - first) // 4 * 4
        for begin in range(0, columns, 512):
            end = min(begin + 512, columns)
            for i in range(0, fours, 4):
                _multiply_four_rows(out, a, right, i, (first, whole), (begin, end))
            for i in range(rows):  # what is left of each row, and the rows that are left
                row = out[i]
                for k in range(whole if i < fours else first, last):
                    weight = a[i, k]
                    for j in range(begin, end):
                        row[j] += weight * right[k, j]


def _matrix_product(a, b):
    rows = a.shape[0]
    if a.shape[1] != b.shape[0]:
        raise ValueError("incompatible array sizes for np.dot(a, b) (matrix * matrix)")
    out = np.zeros((rows, b.shape[1]), np.result_type(a, b))
    right = np.ascontiguousarray(b)
    for i in prange(0, rows, 32):
        _multiply_rows(out[i : i + 32], a[i : i + 32], right)
    return out


def dot(a, b):
    """`np.dot` of numbers, vectors and matrices."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        return a * b
    if a.ndim > 2 or b.ndim > 2:
        refuse("products are taken of vectors and matrices")
    if a.ndim == 1 and b.ndim == 1:
        return _vector_product(a, b)
    if a.ndim == 2 and b.ndim == 1:
        return _matrix_vector(a, b)
    if a.ndim == 1 and b.ndim == 2:
        return _vector_matrix(a, b)
    return _matrix_product(a, b)


def matmul(a, b):
    """`np.matmul`, and the operator `@`."""
    if np.ndim(a) == 0 or np.ndim(b) == 0:
        refuse("matmul takes vectors and matrices; multiply numbers with *")
    return dot(a, b)


def outer(a, b):
    """`np.outer`."""
    x = a.ravel()
    y = b.ravel()
    return x.reshape((len(x), 1)) * y.reshape((1, len(y)))


def trace(a, offset=0):
    """`np.trace` of a matrix."""
    return np.sum(np.diagonal(a, offset))


def eye(N, M=None, k=0, dtype=np.float64):
    """`np.eye`."""
    columns = N if M is None else M
    out = np.zeros((N, columns), dtype)
    for i in range(max(0, -k), min(N, columns - k)):
        out[i, i + k] = 1
    return out


def identity(n, dtype=np.float64):
    """`np.identity`."""
    return eye(n, None, 0, dtype)


def table() -> dict[Any, Any]:
    """NumPy's function -> the function here."""
    return {
        np.dot: dot,
        np.matmul: matmul,
        np.outer: outer,
        np.trace: trace,
        np.eye: eye,
        np.identity: identity,
    }
