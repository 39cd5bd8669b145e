"""Linear algebra in CPU functions: written in Python, compiled with the function that calls it.

Products are blocked loops, the rest is an LU factorisation with pivots: no library is called, and
the GIL is not needed. A panel of 128 by 512 numbers of the right matrix stays in a core's cache
while rows of the left one pass, four at a time (K. Goto, R. van de Geijn, Anatomy of
High-Performance Matrix Multiplication, ACM TOMS 34, 2008; without the copies into buffers).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._library.register import refuse
from ._names import prange


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


def _multiply_four_rows(out, a, right, i, first, last, begin, end):
    """Four rows by four at a time: each number of `right` is used four times once it is there."""
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
                _multiply_four_rows(out, a, right, i, first, whole, begin, end)
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


# ---- numpy.linalg ----


def _floats(a):
    """A copy in floats: of whole numbers in double precision."""
    copy = np.empty(a.shape, np.true_divide(a, np.int32(1)).dtype)
    copy[...] = a
    return copy


def _square(a):
    if a.ndim != 2:
        refuse("numpy.linalg takes one matrix here")
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")
    return _floats(a)


def _factorize(lu, order):
    """LU in place; the rows' order; the sign of that order, 0 where the matrix is singular."""
    n = lu.shape[0]
    sign = 1
    for i in range(n):
        order[i] = i
    for k in range(n):
        best = k
        for i in range(k + 1, n):
            if abs(lu[i, k]) > abs(lu[best, k]):
                best = i
        if lu[best, k] == 0:
            return 0
        if best != k:
            sign = -sign
            order[k], order[best] = order[best], order[k]
            for j in range(n):
                lu[k, j], lu[best, j] = lu[best, j], lu[k, j]
        pivot = lu[k, k]
        for i in range(k + 1, n):
            factor = lu[i, k] / pivot
            lu[i, k] = factor
            for j in range(k + 1, n):
                lu[i, j] -= factor * lu[k, j]
    return sign


def _substitute(lu, x):
    """Solves for all columns of x, whose rows are in the order of lu, in place."""
    n, columns = x.shape
    for i in range(n):
        for k in range(i):
            factor = lu[i, k]
            for j in range(columns):
                x[i, j] -= factor * x[k, j]
    for i in range(n - 1, -1, -1):
        for k in range(i + 1, n):
            factor = lu[i, k]
            for j in range(columns):
                x[i, j] -= factor * x[k, j]
        pivot = lu[i, i]
        for j in range(columns):
            x[i, j] /= pivot


def _solve_columns(a, b):
    lu = _square(a)
    if b.shape[0] != a.shape[0]:
        raise np.linalg.LinAlgError("Incompatible sizes.")
    order = np.empty(a.shape[0], np.int64)
    if _factorize(lu, order) == 0:
        raise np.linalg.LinAlgError("Singular matrix")
    x = np.empty(b.shape, np.result_type(lu, b))
    for i in range(b.shape[0]):
        for j in range(b.shape[1]):
            x[i, j] = b[order[i], j]
    _substitute(lu, x)
    return x


def solve(a, b):
    """`np.linalg.solve` of one or several right sides."""
    if b.ndim > 2:
        refuse("solve takes a vector, or a matrix of columns, as right side")
    if b.ndim == 1:
        columns = np.ascontiguousarray(b).reshape((len(b), 1))
        return _solve_columns(a, columns).ravel()
    return _solve_columns(a, b)


def inv(a):
    """`np.linalg.inv`."""
    return _solve_columns(a, eye(a.shape[0]))


def det(a):
    """`np.linalg.det`."""
    lu = _square(a)
    order = np.empty(a.shape[0], np.int64)
    product = np.result_type(lu, lu)(_factorize(lu, order))
    for i in range(a.shape[0]):
        product *= lu[i, i]
    return product


def norm(x, ord=None):
    """`np.linalg.norm` of a vector or a matrix, or of all elements."""
    if ord is None:
        return _length(x.ravel())
    if x.ndim == 1:
        return _vector_norm(_floats(x), ord)
    if x.ndim != 2:
        refuse("norm takes an order for vectors and matrices only")
    return _matrix_norm(_floats(x), ord)


def _greatest(values):
    """Of lengths, which are not below 0: 0 where there are none."""
    return float(np.max(values)) if len(values) > 0 else 0.0


def _length(values):
    total = 0.0
    for i in range(len(values)):
        total += float(abs(values[i])) ** 2
    return math.sqrt(total)


def _vector_norm(x, ord):
    if isinstance(ord, str):
        refuse("norm takes 'fro' and 'nuc' for matrices only")
    if ord == np.inf:
        return _greatest(np.abs(x))
    if ord == -np.inf:
        return float(np.min(np.abs(x)))
    total = 0.0
    for i in range(len(x)):
        total += x[i] != 0 if ord == 0 else abs(x[i]) ** ord
    return total if ord == 0 else total ** (1.0 / ord)


def _matrix_norm(x, ord):
    if isinstance(ord, str):
        if ord == "fro":
            return _length(x.ravel())
        if ord == "nuc":
            return float(np.sum(np.linalg.svd(x, False)[1]))
        refuse("the order of a matrix's norm is None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    return _matrix_norm_of_number(x, ord)


def _matrix_norm_of_number(x, ord):
    if abs(ord) == 2:
        lengths = np.linalg.svd(x, False)[1].astype(np.float64)
    elif abs(ord) == np.inf:
        lengths = np.sum(np.abs(x), axis=1).astype(np.float64)
    elif abs(ord) == 1:
        lengths = np.sum(np.abs(x), axis=0).astype(np.float64)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return _greatest(lengths) if ord > 0 else float(np.min(lengths))


def table() -> dict[Any, Any]:
    """NumPy's function -> the function here."""
    return {
        np.dot: dot,
        np.matmul: matmul,
        np.outer: outer,
        np.trace: trace,
        np.eye: eye,
        np.identity: identity,
        np.linalg.solve: solve,
        np.linalg.inv: inv,
        np.linalg.det: det,
        np.linalg.norm: norm,
    }
