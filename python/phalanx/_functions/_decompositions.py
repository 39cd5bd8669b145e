"""Decompositions of real matrices in CPU functions: Cholesky, QR, eigenvalues, singular values.

Symmetric eigenvalues and singular values come from rotations (Jacobi's method): simple, accurate,
and slower than LAPACK on large matrices.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._library.register import refuse
from ._linear_algebra import _factorize, _floats, _square, dot, eye

_SWEEPS = 60  # of rotations; about ten are needed


def cholesky(a):
    """`np.linalg.cholesky`: the lower triangle."""
    lower = _square(a)
    n = lower.shape[0]
    for j in range(n):
        for k in range(j):
            factor = lower[j, k]
            for i in range(j, n):
                lower[i, j] -= lower[i, k] * factor
        if not lower[j, j] > 0:
            raise np.linalg.LinAlgError("Matrix is not positive definite")
        root = math.sqrt(lower[j, j])
        for i in range(j, n):
            lower[i, j] /= root
        for i in range(j):
            lower[i, j] = 0
    return lower


def slogdet(a):
    """`np.linalg.slogdet`."""
    lu = _square(a)
    order = np.empty(a.shape[0], np.int64)
    sign = float(_factorize(lu, order))
    if sign == 0:
        return 0.0, -np.inf
    total = 0.0
    for i in range(a.shape[0]):
        if lu[i, i] < 0:
            sign = -sign
        total += math.log(abs(lu[i, i]))
    return sign, total


def qr(a):
    """`np.linalg.qr`, reduced: Q's columns are orthonormal, R is upper triangular."""
    if a.ndim != 2:
        refuse("qr takes one matrix")
    rows, columns = a.shape
    count = min(rows, columns)
    r = _floats(a)
    vectors = np.zeros((count, rows), r.dtype)
    for k in range(count):
        v = vectors[k]
        size = 0.0
        for i in range(k, rows):
            v[i] = r[i, k]
            size += v[i] * v[i]
        size = math.sqrt(size)
        if size == 0:
            continue
        v[k] += size if v[k] >= 0 else -size
        _reflect(r, v, k, k)
    q = np.zeros((rows, count), r.dtype)
    for i in range(count):
        q[i, i] = 1
    for k in range(count - 1, -1, -1):
        _reflect(q, vectors[k], k, 0)
    upper = np.zeros((count, columns), r.dtype)
    for i in range(count):
        upper[i, i:] = r[i, i:]
    return q, upper


def _reflect(a, v, first_row, first_column):
    """Householder's reflection by v of the columns from `first_column` on."""
    length = 0.0
    for i in range(first_row, a.shape[0]):
        length += v[i] * v[i]
    if length == 0:
        return
    for j in range(first_column, a.shape[1]):
        product = 0.0
        for i in range(first_row, a.shape[0]):
            product += v[i] * a[i, j]
        factor = 2 * product / length
        for i in range(first_row, a.shape[0]):
            a[i, j] -= factor * v[i]


def eigh(a):
    """`np.linalg.eigh` of a symmetric matrix: its lower triangle is read."""
    work = _square(a)
    n = work.shape[0]
    for i in range(n):
        for j in range(i + 1, n):
            work[i, j] = work[j, i]
    vectors = np.zeros((n, n), work.dtype)
    for i in range(n):
        vectors[i, i] = 1
    for _ in range(_SWEEPS):
        if not _sweep(work, vectors):
            break
    values = np.empty(n, work.dtype)
    for i in range(n):
        values[i] = work[i, i]
    order = np.argsort(values)
    sorted_vectors = np.empty((n, n), work.dtype)
    for j in range(n):
        sorted_vectors[:, j] = vectors[:, order[j]]
    return values[order], sorted_vectors


def _sweep(a, vectors):
    """Rotates each pair of axes once; False where nothing was left to rotate."""
    n = a.shape[0]
    is_changed = False
    for p in range(n):
        for q in range(p + 1, n):
            size = math.sqrt(abs(a[p, p] * a[q, q])) * 1e-17
            if abs(a[p, q]) <= size or a[p, q] == 0:
                continue
            is_changed = True
            ratio = (a[q, q] - a[p, p]) / (2 * a[p, q])
            t = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1))
            c = 1 / math.sqrt(t * t + 1)
            s = t * c
            for k in range(n):
                x = a[k, p]
                y = a[k, q]
                a[k, p] = c * x - s * y
                a[k, q] = s * x + c * y
            for k in range(n):
                x = a[p, k]
                y = a[q, k]
                a[p, k] = c * x - s * y
                a[q, k] = s * x + c * y
                x = vectors[k, p]
                y = vectors[k, q]
                vectors[k, p] = c * x - s * y
                vectors[k, q] = s * x + c * y
    return is_changed


def eigvalsh(a):
    """`np.linalg.eigvalsh`."""
    return eigh(a)[0]


def _thin_svd(a):
    """U, the singular values and V of a matrix with at least as many rows as columns."""
    u = _floats(a)
    rows, n = u.shape
    v = np.zeros((n, n), u.dtype)
    for i in range(n):
        v[i, i] = 1
    for _ in range(_SWEEPS):
        is_changed = False
        for p in range(n):
            for q in range(p + 1, n):
                if _orthogonalize(u, v, p, q):
                    is_changed = True
        if not is_changed:
            break
    sizes = np.sqrt(np.sum(u * u, axis=0))
    order = np.argsort(-sizes)
    left = np.zeros((rows, n), u.dtype)
    right = np.empty((n, n), u.dtype)
    for j in range(n):
        if sizes[order[j]] > 0:
            left[:, j] = u[:, order[j]] / sizes[order[j]]
        right[:, j] = v[:, order[j]]
    return left, sizes[order], right


def _orthogonalize(u, v, p, q):
    """Rotates two columns until they are at right angles; False where they were."""
    alpha = 0.0
    beta = 0.0
    gamma = 0.0
    for i in range(u.shape[0]):
        alpha += u[i, p] * u[i, p]
        beta += u[i, q] * u[i, q]
        gamma += u[i, p] * u[i, q]
    if gamma == 0 or abs(gamma) <= 1e-16 * math.sqrt(alpha * beta):
        return False
    ratio = (beta - alpha) / (2 * gamma)
    t = (1.0 if ratio >= 0 else -1.0) / (abs(ratio) + math.sqrt(ratio * ratio + 1))
    c = 1 / math.sqrt(t * t + 1)
    s = t * c
    for i in range(u.shape[0]):
        x = u[i, p]
        y = u[i, q]
        u[i, p] = c * x - s * y
        u[i, q] = s * x + c * y
    for i in range(v.shape[0]):
        x = v[i, p]
        y = v[i, q]
        v[i, p] = c * x - s * y
        v[i, q] = s * x + c * y
    return True


def _completed(u, count):
    """Orthonormal columns added to u, whose zero columns are replaced, until there are `count`."""
    rows, known = u.shape
    out = np.zeros((rows, count), u.dtype)
    out[:, :known] = u
    candidate = 0
    for j in range(count):
        if j < known and np.any(u[:, j] != 0):
            continue
        while candidate < rows:
            column = np.zeros(rows, u.dtype)
            column[candidate] = 1
            candidate += 1
            for _ in range(2):  # twice is enough for full precision
                for k in range(count):
                    product = 0.0
                    for i in range(rows):
                        product += out[i, k] * column[i]
                    for i in range(rows):
                        column[i] -= product * out[i, k]
            size = 0.0
            for i in range(rows):
                size += column[i] * column[i]
            if size > 1e-6:
                out[:, j] = column / math.sqrt(size)
                break
    return out


def svd(a, full_matrices=True):
    """`np.linalg.svd`: U, the singular values, and V transposed."""
    if a.ndim != 2:
        refuse("svd takes one matrix")
    rows, columns = a.shape
    if rows >= columns:
        u, sizes, v = _thin_svd(a)
        return _completed(u, rows if full_matrices else columns), sizes, v.T.copy()
    u, sizes, v = _thin_svd(a.T.copy())
    return v, sizes, _completed(u, columns if full_matrices else rows).T.copy()


def _inverse_sizes(sizes, share):
    least = share * sizes[0] if len(sizes) > 0 else 0.0
    turned = np.zeros(len(sizes), sizes.dtype)
    for i in range(len(sizes)):
        if sizes[i] > least:
            turned[i] = 1 / sizes[i]
    return turned


def pinv(a, rcond=1e-15):
    """`np.linalg.pinv`."""
    u, sizes, vt = svd(a, False)
    return dot(vt.T * _inverse_sizes(sizes, rcond), u.T)


def matrix_rank(M):
    """`np.linalg.matrix_rank` of a matrix."""
    if M.ndim != 2:
        refuse("matrix_rank takes a matrix")
    sizes = svd(M, False)[1]
    if len(sizes) == 0:
        return 0
    least = sizes[0] * max(M.shape[0], M.shape[1]) * np.finfo(sizes.dtype).eps
    count = 0
    for i in range(len(sizes)):
        count += sizes[i] > least
    return count


def cond(x):
    """`np.linalg.cond` in the norm of 2."""
    if x.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    sizes = svd(x, False)[1]
    if sizes[len(sizes) - 1] == 0:  # nothing divided by nothing, too
        return np.inf
    return float(sizes[0] / sizes[len(sizes) - 1])


def lstsq(a, b, rcond=-1.0):
    """`np.linalg.lstsq`: the solution, the residuals, the rank and the singular values."""
    share = np.finfo((a / 1.0).dtype).eps * (max(a.shape[0], a.shape[1]) if rcond < 0 else 1)
    u, sizes, vt = svd(a, False)
    turned = _inverse_sizes(sizes, share if rcond < 0 else rcond)
    rank = 0
    for i in range(len(turned)):
        rank += turned[i] != 0
    coefficients = dot(u.T, b)
    if b.ndim == 1:
        x = dot(vt.T, turned * coefficients)
        missed = b - dot(a, x)
        sums = np.empty(1 if rank == a.shape[1] and a.shape[0] > rank else 0, x.dtype)
        for k in range(len(sums)):
            sums[k] = np.sum(missed * missed)
        return x, sums, rank, sizes
    columns = dot(vt.T, turned.reshape((len(turned), 1)) * coefficients)
    rest = b - dot(a, columns)
    totals = np.sum(rest * rest, axis=0)
    if not (rank == a.shape[1] and a.shape[0] > rank):
        totals = totals[:0]
    return columns, totals, rank, sizes


def matrix_power(a, n):
    """`np.linalg.matrix_power`."""
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")
    base = np.linalg.inv(a) if n < 0 else _floats(a)
    rest = abs(n)
    product = eye(a.shape[0])
    while rest > 0:
        if rest % 2 == 1:
            product = dot(product, base)
        base = dot(base, base)
        rest //= 2
    return product


def table() -> dict[Any, Any]:
    """NumPy's function -> the function here."""
    of = np.linalg
    return {
        of.cholesky: cholesky,
        of.cond: cond,
        of.eigh: eigh,
        of.eigvalsh: eigvalsh,
        of.lstsq: lstsq,
        of.matrix_power: matrix_power,
        of.matrix_rank: matrix_rank,
        of.pinv: pinv,
        of.qr: qr,
        of.slogdet: slogdet,
        of.svd: svd,
    }
