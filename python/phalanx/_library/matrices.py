"""Matrices with a shape of their own: diagonals and triangles, in CPU functions."""

from __future__ import annotations

import numpy as np

from .register import refuse, written


@written("numpy.diag")
def diag(v, k=0):
    """`np.diag`: the matrix of a diagonal, or the diagonal of a matrix."""
    if v.ndim == 1:
        n = len(v) + abs(k)
        out = np.zeros((n, n), v.dtype)
        for i in range(len(v)):
            out[i + max(0, -k), i + max(0, k)] = v[i]
        return out
    return diagonal(v, k)


@written("numpy.diagonal")
def diagonal(a, offset=0):
    """`np.diagonal` of a matrix, as a copy."""
    if a.ndim != 2:
        refuse("diagonals are taken of arrays of two dimensions")
    length = min(a.shape[0] + min(offset, 0), a.shape[1] - max(offset, 0))
    vector = np.empty(max(length, 0), a.dtype)
    for i in range(len(vector)):
        vector[i] = a[i + max(0, -offset), i + max(0, offset)]
    return vector


def _set_corner(a, i, val):
    """The element a[i, i, ...]."""
    if a.ndim == 1:
        a[i] = val
    else:
        _set_corner(a[i], i, val)


@written("numpy.fill_diagonal")
def fill_diagonal(a, val):
    """`np.fill_diagonal` with a number."""
    if a.ndim < 2 or np.ndim(val) > 0:
        refuse("fill_diagonal takes an array of at least two dimensions, and a number")
    if a.ndim > 2:
        for extent in a.shape:
            if extent != a.shape[0]:
                raise ValueError("All dimensions of input must be of equal length")
    for i in range(min(a.shape[0], a.shape[1])):
        _set_corner(a, i, val)


@written("numpy.tri")
def tri(N, M=None, k=0):
    """`np.tri`."""
    columns = N if M is None else M
    out = np.zeros((N, columns))
    for i in range(N):
        out[i, : max(0, min(i + k + 1, columns))] = 1.0
    return out


def _clear_above(a, k):
    """Sets what is above a diagonal of the last two dimensions to 0."""
    for i in range(len(a)):
        if a.ndim > 2:
            _clear_above(a[i], k)
        else:
            a[i, max(0, i + k + 1) :] = 0


def _clear_below(a, k):
    for i in range(len(a)):
        if a.ndim > 2:
            _clear_below(a[i], k)
        else:
            a[i, : max(0, i + k)] = 0


def _matrices(m):
    """A copy to clear parts of; of a vector a matrix that has it as each row."""
    if m.ndim == 0:
        refuse("triangles are taken of arrays of at least one dimension")
    if m.ndim == 1:
        return np.broadcast_to(m, (len(m), len(m)))
    return m.copy()


@written("numpy.tril")
def tril(m, k=0):
    """`np.tril`."""
    out = _matrices(m)
    _clear_above(out, k)
    return out


@written("numpy.triu")
def triu(m, k=0):
    """`np.triu`."""
    out = _matrices(m)
    _clear_below(out, k)
    return out


@written("numpy.vander")
def vander(x, N=None, increasing=False):
    """`np.vander`."""
    if x.ndim != 1:
        refuse("vander takes a vector")
    columns = len(x) if N is None else N
    kind = np.result_type(x, np.int64)
    out = np.empty((len(x), columns), kind)
    for i in range(len(x)):
        power = kind(1)
        for j in range(columns):
            out[i, j if increasing else columns - 1 - j] = power
            power *= kind(x[i])
    return out


@written("numpy.kron")
def kron(a, b):
    """`np.kron` of vectors and matrices."""
    if a.ndim == 0 or b.ndim == 0 or a.ndim > 2 or b.ndim > 2:
        refuse("kron takes vectors and matrices")
    if a.ndim == 1 and b.ndim == 1:
        return np.outer(a, b).ravel()
    return _kron_of_matrices(np.atleast_2d(a), np.atleast_2d(b))


def _kron_of_matrices(a, b):
    rows = b.shape[0]
    columns = b.shape[1]
    out = np.empty((a.shape[0] * rows, a.shape[1] * columns), np.result_type(a, b))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i * rows : (i + 1) * rows, j * columns : (j + 1) * columns] = a[i, j] * b
    return out
