"""Solvers, norms and linear operators.

The iterative solvers run on the device that the arrays are on; `spsolve` and its like go through
SciPy on the host.
"""

from __future__ import annotations

from typing import Any

from ._interface import LinearOperator, aslinearoperator
from ._iterative import bicgstab, cg, cgs
from ._krylov import gmres
from ._norm import norm
from ._scipys import factorized, lsmr, lsqr, splu, spsolve, spsolve_triangular

__all__ = [
    "LinearOperator",
    "aslinearoperator",
    "bicgstab",
    "cg",
    "cgs",
    "factorized",
    "gmres",
    "lsmr",
    "lsqr",
    "matrix_power",
    "norm",
    "splu",
    "spsolve",
    "spsolve_triangular",
]


def matrix_power(A: Any, power: int) -> Any:
    """The product of `power` times the square matrix; of 0 the identity.

    Raises `TypeError` for a matrix that is not square, `ValueError` for a negative power.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> linalg.matrix_power(a, 2).toarray()
    array([[16.,  0.],
           [ 7.,  9.]])
    """
    return A._matrix_power(power)


def __getattr__(name: str) -> Any:
    raise AttributeError(
        f"module {__name__!r} has no attribute {name!r}; "
        f"SciPy's own takes matrix.get(): scipy.sparse.linalg.{name}"
    )
