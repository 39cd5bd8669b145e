"""``cupy.linalg``: the arrays' linear algebra, with CuPy's ways of errors and of numbers.

As in CuPy, a matrix that is singular, or not positive definite, raises only inside
``cupyx.errstate(linalg="raise")``: else its results are NaN.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

import phalanx as px

from .cupy_errors import raises_linalg

_NUMERICAL = ("Singular matrix", "not positive definite", "did not converge")


def matrix_rank(M: Any, tol: Any = None) -> Any:
    """The numbers of singular values above a tolerance; of one matrix as a 0-d array."""
    return px.asarray(px.linalg.matrix_rank(M, tol))


def _forgiving(name: str) -> Any:
    function = getattr(px.linalg, name)

    @functools.wraps(function)
    def run(a: Any, *operands: Any, **options: Any) -> Any:
        try:
            return function(a, *operands, **options)
        except np.linalg.LinAlgError as error:
            if raises_linalg() or not any(text in str(error) for text in _NUMERICAL):
                raise
        return _each(function, [px.asarray(each) for each in (a, *operands)], options)

    return run


def _each(function: Any, arrays: list[Any], options: dict[str, Any]) -> Any:
    """The results of each matrix of the stacks; NaN where there is none."""
    if len(arrays) > 1 and arrays[1].ndim == 1:
        made = _each(function, [arrays[0], arrays[1][:, None]], options)
        return made[..., 0]
    loops = np.broadcast_shapes(*(each.shape[:-2] for each in arrays))
    stacks = [px.broadcast_to(each, (*loops, *each.shape[-2:])) for each in arrays]
    last = stacks[-1]
    dtype = np.result_type(np.float32, *(each.dtype for each in arrays))
    made = px.full(last.shape, np.nan, dtype)
    for place in np.ndindex(loops):
        try:
            made[place] = function(*(each[place] for each in stacks), **options)
        except np.linalg.LinAlgError:
            continue
    return made


inv, solve, cholesky = map(_forgiving, ("inv", "solve", "cholesky"))


def __getattr__(name: str) -> Any:
    return getattr(px.linalg, name)


def __dir__() -> list[str]:
    return sorted({*dir(px.linalg), "matrix_rank"})
