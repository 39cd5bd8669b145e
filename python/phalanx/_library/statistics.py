"""Averages and covariances, in CPU functions."""

from __future__ import annotations

import numpy as np

from .register import refuse, written


@written("numpy.average")
def average(a, weights=None):
    """`np.average` of all elements."""
    if weights is None:
        return np.mean(a)
    if a.ndim != weights.ndim:
        refuse("average takes weights of the array's shape")
    if a.shape != weights.shape:
        raise ValueError("Shape of weights must be consistent with shape of a")
    total = np.sum(weights)
    if total == 0:
        raise ZeroDivisionError("Weights sum to zero, can't be normalized")
    return np.sum(a * weights) / total


def _variables(m, rowvar):
    """The variables less their means, a row each."""
    if m.ndim == 1:
        return _centred(m.reshape((1, len(m))))
    if rowvar or m.shape[0] == 1:
        return _centred(m)
    return _centred(m.T)


def _centred(m):
    rows = np.empty(m.shape, np.result_type(m, np.float64))
    for i in range(m.shape[0]):
        rows[i] = m[i]  # in double precision before the mean is taken
        rows[i] = rows[i] - np.mean(rows[i])
    return rows


def _covariances(m, y, rowvar, bias, ddof):
    if m.ndim == 0 or m.ndim > 2:
        refuse("cov and corrcoef take vectors and matrices")
    own = _variables(m, rowvar)
    rows = own if y is None else np.vstack((own, _variables(y, rowvar)))
    less = (0 if bias else 1) if ddof is None else ddof
    return np.dot(rows, np.conj(rows).T) / max(rows.shape[1] - less, 0)


@written("numpy.cov")
def cov(m, y=None, rowvar=True, bias=False, ddof=None):
    """`np.cov` of variables in rows, or of two vectors; of one vector without dimensions."""
    both = _covariances(m, y, rowvar, bias, ddof)
    # The shape of a matrix of one row is not known when it is compiled: a matrix.
    if m.ndim == 1 and y is None:
        return both.reshape(())
    return both


@written("numpy.corrcoef")
def corrcoef(x, y=None, rowvar=True):
    """`np.corrcoef` of variables in rows, or of two vectors; of one vector a number."""
    both = _covariances(x, y, rowvar, False, None)
    size = np.sqrt(np.diag(both).real)
    both /= size.reshape((len(size), 1))
    both /= size.reshape((1, len(size)))
    _clip_parts(both)
    if x.ndim == 1 and y is None:
        return both[0, 0]
    return both


def _clip_parts(a):
    """Rounding leaves no correlation beyond 1."""
    a.real[...] = np.clip(a.real, -1, 1)
    if isinstance(a.dtype(0), (complex, np.complex64)):
        a.imag[...] = np.clip(a.imag, -1, 1)
