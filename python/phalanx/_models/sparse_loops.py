"""Loops over the rows of sparse samples, on the host's cores."""

from __future__ import annotations

from typing import Any

from .. import njit, prange


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
