"""Solvers that SciPy has, which work on the host."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .. import _checks, _formats


def _solvers(name: str) -> Any:
    try:
        return importlib.import_module("scipy.sparse.linalg")
    except ImportError as error:
        raise ImportError(
            f"{name} goes through SciPy on the host: install scipy, or take cg or gmres of "
            "phalanx.sparse.linalg, which need none"
        ) from error


def _matrix(A: Any, name: str) -> Any:
    if not _formats.is_sparse(A):
        if hasattr(A, "tocsr"):
            return A
        raise TypeError(f"{name} takes a sparse matrix: make one by csr_matrix(A)")
    if A.dtype.char not in "fdFD":
        raise TypeError(f"{name} takes float32, float64 and complex, not {A.dtype}: use astype")
    return A.get()


def _square(A: Any, b: Any, name: str) -> tuple[Any, Any]:
    matrix = _matrix(A, name)
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix has to be square, not {matrix.shape}")
    if _formats.is_sparse(b):
        return matrix, b.get()
    b = _checks.dense(b)
    if b.ndim not in (1, 2) or b.shape[0] != matrix.shape[0]:
        raise ValueError(f"b has {matrix.shape[0]} rows and at most two dimensions, not {b.shape}")
    return matrix, b.get()


def _given(made: Any, dtype: Any = None) -> Any:
    if hasattr(made, "tocsr"):
        kind = not type(made).__name__.endswith("matrix")
        return _formats.class_of(made.format, kind)(made)
    return px.asarray(made if dtype is None else np.asarray(made).astype(dtype, copy=False))


def spsolve(A: Any, b: Any, **options: Any) -> Any:
    """The x of A @ x = b for a square sparse A and a b of (n,), (n, k) or a sparse one.

    Through SciPy's direct solver on the host. Raises `ValueError` where shapes do not fit,
    `TypeError` for a dense A, `ImportError` where SciPy is not installed.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.spsolve(a, px.asarray([4.0, 7.0])).round(3)
    array([1., 2.])
    """
    solvers = _solvers("spsolve")
    matrix, b = _square(A, b, "spsolve")
    return _given(solvers.spsolve(matrix.tocsc(), b, **options))


def spsolve_triangular(A: Any, b: Any, lower: bool = True, **options: Any) -> Any:
    """The x of A @ x = b for a triangular sparse A; else as `spsolve`.

    `overwrite_A`, `overwrite_b` and `unit_diagonal` are SciPy's.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.spsolve_triangular(a, px.asarray([4.0, 7.0])).round(3)
    array([1., 2.])
    """
    solvers = _solvers("spsolve_triangular")
    matrix, b = _square(A, b, "spsolve_triangular")
    dtype = np.result_type(matrix.dtype, b.dtype)
    return _given(solvers.spsolve_triangular(matrix.tocsr(), b, lower, **options), dtype)


class _Factors:
    """A factorization of SciPy's whose solutions are arrays of ours."""

    def __init__(self, factors: Any) -> None:
        self._factors = factors

    def solve(self, rhs: Any, trans: str = "N") -> Any:
        """The solution for a right side of (n,) or (n, k); of the transposed by "T" or "H"."""
        host = np.asarray(_checks.dense(rhs).get(), order="F")
        return _given(self._factors.solve(host, trans))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return _given(getattr(self._factors, name))


def splu(A: Any, **options: Any) -> Any:
    """The LU factors of a square sparse matrix, with a method `solve`, through SciPy.

    Raises `TypeError` for a dense matrix and `ValueError` for one that is not square.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csc_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.splu(a).solve(px.asarray([4.0, 7.0])).round(3)
    array([1., 2.])
    """
    solvers = _solvers("splu")
    matrix = _matrix(A, "splu")
    if matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"the matrix has to be square, not {matrix.shape}")
    return _Factors(solvers.splu(matrix.tocsc(), **options))


def factorized(A: Any) -> Callable[[Any], Any]:
    """A function that solves A @ x = b for each b, of a factorization that is made once.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csc_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> solve = linalg.factorized(a)
    >>> solve(px.asarray([4.0, 7.0])).round(3)
    array([1., 2.])
    """
    return splu(A).solve  # type: ignore[no-any-return]


def _least_squares(name: str, A: Any, b: Any, options: dict[str, Any]) -> Any:
    solvers = _solvers(name)
    matrix = _matrix(A, name)
    b = _checks.dense(b)
    if b.shape not in ((matrix.shape[0],), (matrix.shape[0], 1)):
        raise ValueError(f"b has to be of ({matrix.shape[0]},), not {b.shape}")
    made = getattr(solvers, name)(matrix, b.get().reshape(-1), **options)
    return tuple(_given(each) if isinstance(each, np.ndarray) else each for each in made)


def lsqr(A: Any, b: Any, **options: Any) -> Any:
    """The x of least |A @ x - b| and how it was found, as SciPy's `lsqr`, on the host.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.lsqr(a, px.asarray([4.0, 7.0]))[0].round(3)
    array([1., 2.])
    """
    return _least_squares("lsqr", A, b, options)


def lsmr(A: Any, b: Any, **options: Any) -> Any:
    """The x of least |A @ x - b| and how it was found, as SciPy's `lsmr`, on the host.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.lsmr(a, px.asarray([4.0, 7.0]))[0].round(3)
    array([1., 2.])
    """
    return _least_squares("lsmr", A, b, options)
