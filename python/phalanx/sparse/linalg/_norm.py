"""Norms of sparse matrices."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import phalanx as px

from .. import _formats

_INFINITE = (np.inf, -np.inf)


def norm(x: Any, ord: Any = None, axis: Any = None) -> Any:
    """A norm of a sparse matrix, or of its rows or columns along an axis as a dense vector.

    `ord` is None or "fro", 1, -1, inf or -inf, along an axis also 0, 2 and other numbers. Raises
    `TypeError` for a dense array, `ValueError` for an order or axis that is not there, and
    `NotImplementedError` for the norms of singular values.
    """
    if not _formats.is_sparse(x):
        raise TypeError("the norm is of a sparse matrix: px.linalg.norm takes dense arrays")
    x = x.tocsr()
    if axis is None:
        return _of_matrix(x, ord, (0, 1))
    axes = axis if isinstance(axis, tuple) else (axis,)
    try:
        axes = tuple(map(operator.index, axes))
    except TypeError:
        raise TypeError("'axis' must be None, an integer or a tuple of integers") from None
    if any(not -2 <= each < 2 for each in axes):
        raise ValueError(f"the axes {axes} are not axes of a matrix: 0 and 1 are")
    axes = tuple(each % 2 for each in axes)
    if len(axes) == 2:
        if axes[0] == axes[1]:
            raise ValueError("Duplicate axes given.")
        return _of_matrix(x, ord, axes)
    if len(axes) != 1:
        raise ValueError("Improper number of dimensions to norm.")
    return _of_vectors(x, ord, axes[0])


def _of_matrix(x: Any, ord: Any, axes: tuple[int, ...]) -> Any:
    if ord in (None, "fro", "f"):
        data = x._aligned(False).data
        return px.sqrt(px.sum(px.real(data * px.conj(data))))
    if ord in (2, -2):
        raise NotImplementedError("norms of singular values: px.linalg.norm(x.toarray(), 2)")
    if ord not in (1, -1, *_INFINITE):
        raise ValueError("Invalid norm order for matrices.")
    x.sum_duplicates()
    sums = abs(x).sum(axis=axes[0 if ord in (1, -1) else 1])
    return sums.max() if ord in (1, np.inf) else sums.min()


def _of_vectors(x: Any, ord: Any, axis: int) -> Any:
    x = x.copy()
    x.sum_duplicates()
    size = abs(x)
    if ord in _INFINITE:
        made = size.max(axis=axis) if ord == np.inf else size.min(axis=axis)
        return (made.toarray() if _formats.is_sparse(made) else made).reshape(-1)
    if ord == 0:
        return x.count_nonzero(axis)
    if ord == 1:
        return size.sum(axis=axis).reshape(-1)
    if ord in (2, None):
        return px.sqrt(size.power(2).sum(axis=axis)).reshape(-1)
    if not isinstance(ord, (int, float, np.number)):
        raise ValueError("Invalid norm order for vectors.")
    return px.power(size._with_data(size.data**ord).sum(axis=axis), 1 / ord).reshape(-1)
