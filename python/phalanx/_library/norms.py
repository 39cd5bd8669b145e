"""Norms of vectors and matrices in CPU functions, and what singular values tell."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .decompositions import singular_values, svd
from .lapack import floats
from .linear_algebra import dot
from .register import refuse


def norm(x, ord=None):
    """`np.linalg.norm` of a vector or a matrix, or of all elements."""
    if ord is None:
        return _length(x.ravel())
    if x.ndim == 1:
        return _vector_norm(floats(x), ord)
    if x.ndim != 2:
        refuse("norm takes an order for vectors and matrices only")
    return _matrix_norm(floats(x), ord)


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
            return float(np.sum(singular_values(x)))
        refuse("the order of a matrix's norm is None, 'fro', 'nuc', 1, -1, 2, -2, inf or -inf")
    return _matrix_norm_of_number(x, ord)


def _matrix_norm_of_number(x, ord):
    if abs(ord) == 2:
        lengths = singular_values(x).astype(np.float64)
    elif abs(ord) == np.inf:
        lengths = np.sum(np.abs(x), axis=1).astype(np.float64)
    elif abs(ord) == 1:
        lengths = np.sum(np.abs(x), axis=0).astype(np.float64)
    else:
        raise ValueError("Invalid norm order for matrices.")
    return _greatest(lengths) if ord > 0 else float(np.min(lengths))


def cond(x, p=None):
    """`np.linalg.cond`."""
    if x.size == 0:
        raise np.linalg.LinAlgError("cond is not defined on empty arrays")
    if p is None or p == 2 or p == -2:
        sizes = singular_values(x)
        least = float(sizes[len(sizes) - 1])
        most = float(sizes[0])
        if p is None or p == 2:
            return np.inf if least == 0 else most / least  # nothing divided by nothing, too
        return np.inf if most == 0 else least / most
    return norm(x, p) * norm(np.linalg.inv(x), p)


def matrix_rank(A, tol=None):
    """`np.linalg.matrix_rank` of a vector or a matrix."""
    if A.ndim == 1:
        return int(np.any(A != 0))
    if A.ndim != 2:
        refuse("matrix_rank takes a vector or a matrix")
    sizes = singular_values(A)
    if len(sizes) == 0:
        return 0
    if tol is None:
        least = sizes[0] * max(A.shape[0], A.shape[1]) * np.finfo(sizes.dtype).eps
    else:
        least = tol
    count = 0
    for i in range(len(sizes)):
        count += sizes[i] > least
    return count


def pinv(a, rcond=1e-15):
    """`np.linalg.pinv`."""
    u, sizes, vt = svd(a, False)
    least = rcond * sizes[0] if len(sizes) > 0 else 0.0
    turned = np.zeros(len(sizes), sizes.dtype)
    for i in range(len(sizes)):
        if sizes[i] > least:
            turned[i] = 1 / sizes[i]
    return dot(np.conj(vt).T * turned, np.conj(u).T)


def table() -> dict[Any, Any]:
    """NumPy's function -> the function here."""
    of = np.linalg
    return {of.cond: cond, of.matrix_rank: matrix_rank, of.norm: norm, of.pinv: pinv}
