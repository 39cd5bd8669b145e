"""Matrices with a shape of their own: diagonals and triangles, in CPU functions."""

from __future__ import annotations

import numpy as np

from .register import written


@written("numpy.diag")
def diag(v, k=0):
    """`np.diag`: the matrix of a diagonal, or the diagonal of a matrix."""
    if v.ndim == 1:
        n = len(v) + abs(k)
        out = np.zeros((n, n), v.dtype)
        for i in range(len(v)):
            out[i + max(0, -k), i + max(0, k)] = v[i]
        return out
    length = min(v.shape[0] + min(k, 0), v.shape[1] - max(k, 0))
    line = np.empty(max(length, 0), v.dtype)
    for i in range(len(line)):
        line[i] = v[i + max(0, -k), i + max(0, k)]
    return line


@written("numpy.diagonal")
def diagonal(a):
    """`np.diagonal` of a matrix, as a copy."""
    return diag(a)


@written("numpy.fill_diagonal")
def fill_diagonal(a, val):
    """`np.fill_diagonal` of a matrix with a number."""
    for i in range(min(a.shape[0], a.shape[1])):
        a[i, i] = val


@written("numpy.tri")
def tri(N, M=None, k=0):
    """`np.tri`."""
    columns = N if M is None else M
    out = np.zeros((N, columns))
    for i in range(N):
        out[i, : max(0, min(i + k + 1, columns))] = 1.0
    return out


@written("numpy.tril")
def tril(m, k=0):
    """`np.tril`."""
    out = m.copy()
    for i in range(m.shape[0]):
        for j in range(max(0, i + k + 1), m.shape[1]):
            out[i, j] = 0
    return out


@written("numpy.triu")
def triu(m, k=0):
    """`np.triu`."""
    out = m.copy()
    for i in range(m.shape[0]):
        for j in range(max(0, min(i + k, m.shape[1]))):
            out[i, j] = 0
    return out


@written("numpy.vander")
def vander(x, N=None, increasing=False):
    """`np.vander`."""
    columns = len(x) if N is None else N
    out = np.empty((len(x), columns), x.dtype)
    for i in range(len(x)):
        power = x.dtype(1)
        for j in range(columns):
            out[i, j if increasing else columns - 1 - j] = power
            power *= x[i]
    return out


@written("numpy.kron")
def kron(a, b):
    """`np.kron` of two matrices."""
    rows = b.shape[0]
    columns = b.shape[1]
    out = np.empty((a.shape[0] * rows, a.shape[1] * columns), np.result_type(a, b))
    for i in range(a.shape[0]):
        for j in range(a.shape[1]):
            out[i * rows : (i + 1) * rows, j * columns : (j + 1) * columns] = a[i, j] * b
    return out
