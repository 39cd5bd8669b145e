"""Solvers that take products only: conjugate gradients and its kin.

The vectors stay on the device; each iteration is a few fused kernels, and one number comes to the
host to decide whether it was the last.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import _checks
from ._interface import IdentityOperator, aslinearoperator


class System(NamedTuple):
    """A linear system: the operators, the right side, and the first x."""

    apply: Callable[[Any], Any]
    precondition: Callable[[Any], Any]
    b: Any
    x: Any
    limit: float  # of the residual's norm
    is_zero: bool  # whether b is zero, of which the solution is zero


def system(A: Any, b: Any, x0: Any, M: Any, tolerances: tuple[Any, Any]) -> System:
    """Checks the operands. Raises `ValueError` for shapes and `TypeError` for dtypes."""
    rtol, atol = tolerances
    A = aslinearoperator(A)
    if A.shape[0] != A.shape[1]:
        raise ValueError(f"the matrix has to be square, not {A.shape}")
    if A.dtype.char not in "fdFD":
        raise TypeError(f"the matrix has to be of float32, float64 or complex, not {A.dtype}")
    b = _checks.dense(b)
    if b.shape not in ((A.shape[0],), (A.shape[0], 1)):
        raise ValueError(f"b has to be of ({A.shape[0]},), not {b.shape}")
    b = b.astype(np.result_type(A.dtype, b.dtype, np.float32)).reshape(-1)
    b = b.astype(_checks.promoted(b.dtype))
    if x0 is None:
        x = px.zeros_like(b)
    else:
        x = _checks.dense(x0)
        if x.shape not in ((A.shape[0],), (A.shape[0], 1)):
            raise ValueError(f"x0 has to be of ({A.shape[0]},), not {x.shape}")
        x = x.astype(b.dtype).reshape(-1)
    if M is None:
        M = IdentityOperator(A.shape, A.dtype)
    else:
        M = aslinearoperator(M)
        if M.shape != A.shape:
            raise ValueError(f"the preconditioner has the shape {M.shape}, the matrix {A.shape}")
    size = float(norm(b))
    limit = max(0.0 if atol is None else float(atol), float(rtol) * size)
    return System(A.matvec, M.matvec, b, x, limit, size == 0)


def norm(x: Any) -> Any:
    """The Euclidean norm, on the device."""
    return px.sqrt(px.sum(px.real(x * px.conj(x))))


def inner(x: Any, y: Any) -> Any:
    """The sum of conj(x) * y, on the device, in the same kernel as what makes x and y."""
    return px.sum(px.conj(x) * y)


def cg(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None, callback: Any = None,
) -> tuple[Any, int]:  # fmt: skip
    """The x of A @ x = b by conjugate gradients, for a Hermitian positive definite A, and 0.

    The second number is the iterations done where the residual's norm is not below
    max(rtol * |b|, atol) after `maxiter` of them (10 n). `M` approximates the inverse of A.
    Raises `ValueError` where shapes do not fit.
    """
    given = system(A, b, x0, M, (rtol, atol))
    x, steps = given.x, _steps(maxiter, given)
    if given.is_zero:
        return px.zeros_like(given.b), 0
    r = given.b - given.apply(x)
    p: Any = None
    rho: Any = None
    for _ in range(steps):
        if float(norm(r)) <= given.limit:
            return x, 0
        z = given.precondition(r)
        before, rho = rho, inner(r, z)
        p = z if p is None else z + rho / before * p
        q = given.apply(p)
        alpha = rho / inner(p, q)
        x = x + alpha * p
        r = r - alpha * q
        _called(callback, x)
    return x, 0 if float(norm(r)) <= given.limit else steps


def cgs(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None, callback: Any = None,
) -> tuple[Any, int]:  # fmt: skip
    """The x of A @ x = b by squared conjugate gradients, for any square A; else as `cg`.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> x, state = linalg.cgs(a, px.asarray([4.0, 7.0]))
    >>> x.round(3), state
    (array([1., 2.]), 0)
    """
    given = system(A, b, x0, M, (rtol, atol))
    x, steps = given.x, _steps(maxiter, given)
    if given.is_zero:
        return px.zeros_like(given.b), 0
    r = given.b - given.apply(x)
    shadow = r
    p = q = px.zeros_like(r)
    rho: Any = None
    for _ in range(steps):
        if float(norm(r)) <= given.limit:
            return x, 0
        before, rho = rho, inner(shadow, r)
        if complex(rho) == 0:
            return x, -10
        beta = rho / before if before is not None else px.zeros_like(rho)
        u = r + beta * q
        p = u + beta * (q + beta * p)
        v = given.apply(given.precondition(p))
        alpha = rho / inner(shadow, v)
        q = u - alpha * v
        both = given.precondition(u + q)
        x = x + alpha * both
        r = r - alpha * given.apply(both)
        _called(callback, x)
    return x, 0 if float(norm(r)) <= given.limit else steps


def bicgstab(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, maxiter: Any = None,
    M: Any = None, callback: Any = None,
) -> tuple[Any, int]:  # fmt: skip
    """The x of A @ x = b by stabilized biconjugate gradients, for any square A; else as `cg`.

    >>> from phalanx.sparse import linalg
    >>> a = px.sparse.csr_matrix([[4.0, 0.0], [1.0, 3.0]])
    >>> x, state = linalg.bicgstab(a, px.asarray([4.0, 7.0]))
    >>> x.round(3), state
    (array([1., 2.]), 0)
    """
    given = system(A, b, x0, M, (rtol, atol))
    x, steps = given.x, _steps(maxiter, given)
    if given.is_zero:
        return px.zeros_like(given.b), 0
    r = given.b - given.apply(x)
    shadow = r
    p = v = px.zeros_like(r)
    rho = alpha = omega = px.ones((), r.dtype)
    for _ in range(steps):
        if float(norm(r)) <= given.limit:
            return x, 0
        before, rho = rho, inner(shadow, r)
        if complex(rho) == 0 or complex(omega) == 0:
            return x, -10
        p = r + rho / before * (alpha / omega) * (p - omega * v)
        y = given.precondition(p)
        v = given.apply(y)
        alpha = rho / inner(shadow, v)
        s = r - alpha * v
        if float(norm(s)) <= given.limit:
            x = x + alpha * y
            _called(callback, x)
            return x, 0
        z = given.precondition(s)
        t = given.apply(z)
        omega = inner(t, s) / inner(t, t)
        x = x + alpha * y + omega * z
        r = s - omega * t
        _called(callback, x)
    return x, 0 if float(norm(r)) <= given.limit else steps


def _steps(maxiter: Any, given: System) -> int:
    return 10 * given.b.size if maxiter is None else int(maxiter)


def _called(callback: Any, x: Any) -> None:
    if callback is not None:
        callback(x)
