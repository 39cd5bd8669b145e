"""Decompositions of matrices in CPU functions, by LAPACK: LU, Cholesky, QR, eigenvalues, SVD."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .lapack import (
    check,
    check_convergence,
    check_finite,
    check_square,
    columns_as,
    columns_of,
    floats,
    square,
)
from .linear_algebra import dot, eye
from .register import refuse
from .routines import routine

# ---- Systems of equations ----


def _check_regular(info):
    check(info)
    if info > 0:
        raise np.linalg.LinAlgError("Singular matrix")


def _solve_columns(work, x):
    """Both column by column; x becomes the solution."""
    n = work.shape[0]
    if n > 0 and x.size > 0:
        _check_regular(routine("solve", work, x, n, x.size // n))


def solve(a, b):
    """`np.linalg.solve` of one or several right sides."""
    if b.ndim > 2:
        refuse("solve takes a vector, or a matrix of columns, as right side")
    kind = np.result_type(np.true_divide(a, np.int32(1)), b)
    check_square(a)
    if b.shape[0] != a.shape[0]:
        raise np.linalg.LinAlgError("Incompatible sizes.")
    work = columns_as(a, kind)
    if b.ndim == 1:
        x = np.empty(len(b), kind)
        x[:] = b
        _solve_columns(work, x)
        return x
    columns = columns_as(b, kind)
    _solve_columns(work, columns)
    return columns.T.copy()


def inv(a):
    """`np.linalg.inv`."""
    work = square(a)
    if a.shape[0] > 0:
        _check_regular(routine("inverse", work, a.shape[0]))
    return work.T + work.dtype(0)  # 0.0 where LAPACK leaves -0.0, as NumPy's way does


def _factorize(work):
    """LU in place; -1 or 1 as rows were exchanged, 0 where the matrix is singular."""
    if work.shape[0] == 0:
        return 1
    is_odd = np.empty(1, np.int64)
    info = routine("lu", work, is_odd, work.shape[0])
    check(info)
    if info > 0:
        return 0
    return 1 - 2 * is_odd[0]


def det(a):
    """`np.linalg.det`."""
    work = square(a)
    product = work.dtype(_factorize(work))
    for i in range(a.shape[0]):
        product *= work[i, i]
    return product


def slogdet(a):
    """`np.linalg.slogdet`."""
    work = square(a)
    sign = work.dtype(_factorize(work))
    if sign == 0:
        return sign, -np.inf
    total = 0.0
    for i in range(a.shape[0]):
        size = abs(work[i, i])
        sign *= work[i, i] / size
        total += math.log(size)
    return sign, total


def cholesky(a):
    """`np.linalg.cholesky`: the lower triangle."""
    work = square(a)
    n = work.shape[0]
    if n > 0:
        info = routine("cholesky", work, n)
        check(info)
        if info > 0:
            raise np.linalg.LinAlgError("Matrix is not positive definite")
    lower = np.zeros((n, n), work.dtype)
    for i in range(n):
        for j in range(i + 1):
            lower[i, j] = work[j, i]
    return lower


def lstsq(a, b, rcond=-1.0):
    """`np.linalg.lstsq`: the solution, the residuals, the rank and the singular values."""
    if a.ndim != 2 or b.ndim > 2:
        refuse("lstsq takes a matrix, and a vector or a matrix of columns as right side")
    if a.shape[0] != b.shape[0]:
        raise np.linalg.LinAlgError("Incompatible dimensions")
    if b.ndim == 1:
        x, missed, rank, sizes = _least_squares(a, b.reshape((len(b), 1)), rcond)
        return x.ravel(), missed, rank, sizes
    return _least_squares(a, b, rcond)


def _least_squares(a, b, rcond):
    kind = np.result_type(np.true_divide(a, np.int32(1)), b)
    work = columns_as(a, kind)
    n, rows = work.shape
    count = b.shape[1]
    sides = np.zeros((count, max(rows, n)), kind)
    sides[:, :rows] = b.T
    sizes = np.empty(min(rows, n), np.abs(work).dtype)
    rank = np.zeros(1, np.int64)
    if len(sizes) > 0 and count > 0:
        share = np.empty(1, sizes.dtype)
        check_finite(work)
        check_finite(sides)
        share[0] = np.finfo(sizes.dtype).eps * max(rows, n) if rcond < 0 else rcond
        shape = np.array([rows, n, count])
        info = routine("lstsq", work, sides, sizes, share, rank, shape)
        check(info)
        if info != 0:
            raise np.linalg.LinAlgError("SVD did not converge in Linear Least Squares")
    missed = np.zeros(count if rank[0] == n and rows > n else 0, sizes.dtype)
    for i in range(len(missed)):
        for j in range(n, rows):
            missed[i] += abs(sides[i, j]) ** 2
    return sides[:, :n].T.copy(), missed, rank[0], sizes


# ---- Orthogonal ----


def qr(a):
    """`np.linalg.qr`, reduced: Q's columns are orthonormal, R is upper triangular."""
    work = columns_of(a)
    columns, rows = work.shape
    count = min(rows, columns)
    q = np.empty((count, rows), work.dtype)
    if count > 0:
        check(routine("qr", work, q, rows, columns))
    upper = np.zeros((count, columns), work.dtype)
    for i in range(count):
        for j in range(i, columns):
            upper[i, j] = work[j, i]
    return q.T.copy(), upper


def _decompose(work, sizes, u, vt, vectors):
    check_finite(work)
    shape = np.array([work.shape[1], work.shape[0]])
    info = routine("svd", work, sizes, u, vt, shape, vectors)
    check(info)
    if info != 0:
        raise np.linalg.LinAlgError("SVD did not converge")


def svd(a, full_matrices=True):
    """`np.linalg.svd`: U, the singular values, and V transposed."""
    work = columns_of(a)
    columns, rows = work.shape
    count = min(rows, columns)
    sizes = np.empty(count, np.abs(work).dtype)
    # U's columns, and the columns of V transposed.
    u = eye(rows if full_matrices else count, rows, 0, work.dtype)
    vt = eye(columns, columns if full_matrices else count, 0, work.dtype)
    if count > 0:
        _decompose(work, sizes, u, vt, 2 if full_matrices else 1)
    return u.T.copy(), sizes, vt.T.copy()


def singular_values(a):
    """The singular values of a matrix, the greatest first."""
    work = columns_of(a)
    sizes = np.empty(min(a.shape[0], a.shape[1]), np.abs(work).dtype)
    none = np.empty((1, 1), work.dtype)
    if len(sizes) > 0:
        _decompose(work, sizes, none, none, 0)
    return sizes


# ---- Eigenvalues ----


def _symmetric(work, has_vectors):
    values = np.empty(work.shape[0], np.abs(work).dtype)
    if len(values) > 0:
        check_convergence(routine("eigh", work, values, len(values), has_vectors))
    return values


def eigh(a):
    """`np.linalg.eigh` of a symmetric or Hermitian matrix: its lower triangle is read."""
    work = square(a)
    values = _symmetric(work, True)
    return values, work.T.copy()


def eigvalsh(a):
    """`np.linalg.eigvalsh`."""
    return _symmetric(square(a), False)


def _general(work, vectors, has_vectors):
    values = np.empty(work.shape[0], work.dtype)
    imaginary = np.zeros(len(values), np.abs(work).dtype)
    check_finite(work)
    if len(values) > 0:
        check_convergence(
            routine("eig", work, values, imaginary, vectors, len(values), has_vectors)
        )
    return values, np.any(imaginary != 0)


def eig(a):
    """`np.linalg.eig`; of a real matrix that has real eigenvalues, as in Numba."""
    work = square(a)
    vectors = np.empty(work.shape, work.dtype)
    values, is_complex = _general(work, vectors, True)
    if is_complex:
        raise ValueError("eig() argument must not cause a domain change.")
    return values, vectors.T.copy()


def eigvals(a):
    """`np.linalg.eigvals`; of a real matrix that has real eigenvalues, as in Numba."""
    work = square(a)
    values, is_complex = _general(work, work, False)
    if is_complex:
        raise ValueError("eigvals() argument must not cause a domain change.")
    return values


def matrix_power(a, n):
    """`np.linalg.matrix_power`."""
    check_square(a)
    base = inv(a) if n < 0 else floats(a)
    rest = abs(n)
    product = eye(a.shape[0], None, 0, base.dtype)
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
        of.det: det,
        of.eig: eig,
        of.eigh: eigh,
        of.eigvals: eigvals,
        of.eigvalsh: eigvalsh,
        of.inv: inv,
        of.lstsq: lstsq,
        of.matrix_power: matrix_power,
        of.qr: qr,
        of.slogdet: slogdet,
        of.solve: solve,
        of.svd: svd,
    }
