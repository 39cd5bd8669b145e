"""cuSOLVER's routines on stacks of matrices in a GPU's memory.

A stack is an array of three dimensions, (count, columns, rows): each matrix lies transposed, by
columns, as the library reads it. The routines overwrite it. `infos` are int32, 0 for each matrix
that succeeded, with LAPACK's meaning. Everything is queued, nothing waits.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from .. import _engine
from . import creation

_REAL = {"complex64": "float32", "complex128": "float64"}
_COMPLEX = {real: each for each, real in _REAL.items()}

has_library = cache(_engine.has_cusolver)
has_eig = cache(_engine.has_cusolver_eig)


def _empty(stack: Any, shape: tuple[int, ...], dtype: str) -> Any:
    return creation.empty(shape, dtype, device=stack._device)


def _infos(stack: Any) -> Any:
    return creation.zeros(stack.shape[0], "int32", device=stack._device)


def _opened(array: Any) -> Any:
    return None if array is None else array._open()


def cholesky(stack: Any) -> Any:
    """Makes the lower triangles of L; gives the infos."""
    infos = _infos(stack)
    _engine.cusolver_cholesky(stack._open(), infos._open())
    return infos


def lu(stack: Any) -> tuple[Any, Any]:
    """Makes L and U of square matrices; gives pivots (int64, from 1) and infos."""
    infos = _infos(stack)
    pivots = _empty(stack, stack.shape[:2], "int64")
    _engine.cusolver_lu(stack._open(), pivots._open(), infos._open())
    return pivots, infos


def lu_solve(stack: Any, pivots: Any, right: Any) -> None:
    """Makes of a stack of right sides the solutions, by what `lu` has made."""
    _engine.cusolver_lu_solve(
        stack._evaluate(), pivots._evaluate(), right._open(), _infos(stack)._open()
    )


def qr(stack: Any) -> Any:
    """Makes R and below it the reflectors; gives their factors."""
    factors = _empty(stack, (stack.shape[0], min(stack.shape[1:])), stack._dtype)
    _engine.cusolver_qr(stack._open(), factors._open(), _infos(stack)._open())
    return factors


def orthonormal(stack: Any, factors: Any) -> None:
    """Makes of the reflectors in the first columns orthonormal columns."""
    _engine.cusolver_orthonormal(stack._open(), factors._evaluate(), _infos(stack)._open())


def eigh(stack: Any, is_lower: bool, has_vectors: bool) -> tuple[Any, Any]:
    """Makes the vectors of Hermitian matrices, if they are wanted; gives values and infos."""
    infos = _infos(stack)
    values = _empty(stack, stack.shape[:2], _REAL.get(stack._dtype, stack._dtype))
    _engine.cusolver_eigh(stack._open(), values._open(), infos._open(), is_lower, has_vectors)
    return values, infos


def svd(stack: Any, vectors: str) -> tuple[Any, Any, Any, Any]:
    """The singular values of matrices with no more columns than rows, and infos.

    Between them are the stacks of U and V^H: none, "thin" or "full" ones.
    """
    count, columns, rows = stack.shape
    infos = _infos(stack)
    values = _empty(stack, (count, columns), _REAL.get(stack._dtype, stack._dtype))
    left = right = None
    if vectors != "none":
        wide = rows if vectors == "full" else columns
        left = _empty(stack, (count, wide, rows), stack._dtype)
        right = _empty(stack, (count, columns, columns), stack._dtype)
    _engine.cusolver_svd(
        stack._open(), values._open(), _opened(left), _opened(right), infos._open()
    )
    return values, left, right, infos


def eig(stack: Any, has_vectors: bool) -> tuple[Any, Any, Any]:
    """The complex eigenvalues, the stack of right vectors or None, and infos.

    Vectors of real matrices are real: of a pair of conjugate values the first column has the real
    parts, the second one the imaginary parts.
    """
    infos = _infos(stack)
    values = _empty(stack, stack.shape[:2], _COMPLEX.get(stack._dtype, stack._dtype))
    vectors = _empty(stack, stack.shape, stack._dtype) if has_vectors else None
    _engine.cusolver_eig(
        stack._open(),
        values._open(),
        _opened(vectors),
        infos._open(),
    )
    return values, vectors, infos
