"""The generalized minimal residual method."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from . import _iterative


def gmres(
    A: Any, b: Any, x0: Any = None, *, rtol: float = 1e-5, atol: float = 0.0, restart: Any = None,
    maxiter: Any = None, M: Any = None, callback: Any = None, callback_type: Any = None,
) -> tuple[Any, int]:  # fmt: skip
    """The x of A @ x = b of least residual in growing Krylov spaces, for any square A, and 0.

    The space begins anew after `restart` products (20); the second number is the products done
    where the residual's norm is not below max(rtol * |b|, atol) after `maxiter` of them (10 n).
    `callback` gets the residual's norm, or x with `callback_type="x"`, after each space.
    Raises `ValueError` where shapes do not fit.
    """
    given = _iterative.system(A, b, x0, M, (rtol, atol))
    callback_type = "pr_norm" if callback_type is None else callback_type
    if callback_type not in ("x", "pr_norm"):
        raise ValueError(f"callback_type is 'x' or 'pr_norm', not {callback_type!r}")
    n = given.b.size
    if n == 0 or given.is_zero:
        return px.zeros_like(given.b), 0
    limit = 10 * n if maxiter is None else int(maxiter)
    size = min(20 if restart is None else int(restart), n)
    x, done = given.x, 0
    while True:
        step = given.precondition(x)
        r = given.b - given.apply(step)
        length = float(_iterative.norm(r))
        if callback is not None and callback_type == "x":
            callback(step)
        elif callback is not None and done:
            callback(length)
        if length <= given.limit or done >= limit:
            break
        basis, projections, least = _arnoldi(given, r, length, size)
        x = x + basis @ px.asarray(least)
        done += projections
    return step, 0 if length <= given.limit else done


def _arnoldi(given: _iterative.System, r: Any, length: float, size: int) -> tuple[Any, int, Any]:
    """The orthonormal basis of the Krylov space, its size, and the x in it of least residual."""
    vectors = [r / length]
    columns: list[Any] = []
    for _ in range(size):
        u = given.apply(given.precondition(vectors[-1]))
        basis = px.stack(vectors, axis=1)
        column = px.conj(basis).T @ u
        u = u - basis @ column
        again = px.conj(basis).T @ u  # once more, as the first pass leaves rounding errors
        u = u - basis @ again
        norm = float(_iterative.norm(u))
        columns.append(np.append(np.asarray(column + again), norm))
        if norm <= np.finfo(given.b.dtype).eps * length:
            break
        vectors.append(u / norm)
    count = len(columns)
    h = np.zeros((count + 1, count), given.b.dtype)
    for j, column in enumerate(columns):
        h[: j + 2, j] = column
    right = np.zeros(count + 1, given.b.dtype)
    right[0] = length
    least = np.linalg.lstsq(h, right, rcond=None)[0].astype(given.b.dtype)
    return px.stack(vectors[:count], axis=1), count, least
