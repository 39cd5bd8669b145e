"""Loops over the rows of sparse samples, on the host's cores."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from .. import njit, prange

# The columns and ends of dense rows, which have none.
WHOLE = (np.zeros(1, np.int64), np.zeros(1, np.int64))
_FAST = {"contract", "reassoc"}


@njit(parallel=True)
def row_products(values: Any, columns: Any, ends: Any, table: Any, out: Any) -> None:
    """Add each row's numbers times the rows of `table` that their columns name to `out`.

    `table` is columns x k, `out` rows x k; a row is written by one core only.
    """
    for row in prange(out.shape[0]):
        for place in range(ends[row], ends[row + 1]):
            value, column = values[place], columns[place]
            for k in range(out.shape[1]):
                out[row, k] += value * table[column, k]


@cache
def vector_functions(is_sparse: bool) -> tuple[Any, Any]:
    """A product of a row with a vector, and a vector to which a row times a number is added.

    Their arguments are the vector, values, columns and ends (`WHOLE` of dense rows), the row.
    """
    return _of_sparse_rows() if is_sparse else _of_dense_rows()


def _of_sparse_rows() -> tuple[Any, Any]:
    @njit(fastmath=_FAST)
    def product(w: Any, values: Any, columns: Any, ends: Any, i: Any) -> Any:
        total = 0.0
        for place in range(ends[i], ends[i + 1]):
            total += w[columns[place]] * values[place]
        return total

    @njit(fastmath=_FAST)
    def moved(w: Any, values: Any, columns: Any, ends: Any, i: Any, share: Any) -> None:
        for place in range(ends[i], ends[i + 1]):
            w[columns[place]] += share * values[place]

    return product, moved


def _of_dense_rows() -> tuple[Any, Any]:
    @njit(fastmath=_FAST)
    def product(w: Any, values: Any, columns: Any, ends: Any, i: Any) -> Any:
        total = 0.0
        for j in range(w.shape[0]):
            total += w[j] * values[i, j]
        return total

    @njit(fastmath=_FAST)
    def moved(w: Any, values: Any, columns: Any, ends: Any, i: Any, share: Any) -> None:
        for j in range(w.shape[0]):
            w[j] += share * values[i, j]

    return product, moved
