"""The nearest of each sample among those in near cells, by products of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import njit, prange
from .heaps import replace_farthest, sort_heap


@njit(parallel=True, fastmath={"contract"})
def compare_cells(z: Any, halves: Any, starts: Any, near: Any, reach: Any, found: Any) -> None:
    """Fill heaps of half the squared distances, less half the own square, and of rows.

    Samples are in order of their cells; of each cell `reach` of its `near` ones are compared.
    """
    apart, rows = found
    for cell in prange(len(starts) - 1):
        first, last = starts[cell], starts[cell + 1]
        for place in range(reach[cell]):
            other = near[cell, place]
            begin, end = starts[other], starts[other + 1]
            products = np.dot(z[first:last], z[begin:end].T)
            for i in range(last - first):
                own = first + i
                farthest = apart[own, 0]
                for j in range(end - begin):
                    there = halves[begin + j] - products[i, j]
                    if there < farthest and begin + j != own:
                        replace_farthest(apart[own], rows[own], there, np.int32(begin + j))
                        farthest = apart[own, 0]
        for own in range(first, last):
            sort_heap(apart[own], rows[own])
            for j in range(apart.shape[1]):
                apart[own, j] += halves[own]


@njit(parallel=True, fastmath={"contract", "reassoc"})
def true_nearest(x: Any, rows: Any, zero: Any, squares: Any, chosen: Any) -> None:
    """Of the candidates in `rows` the nearest by differences of all features, in order.

    `zero` is a number of the dtype that is summed up in.
    """
    kept = squares.shape[1]
    for i in prange(rows.shape[0]):
        filled = 0
        for place in range(rows.shape[1]):
            other = rows[i, place]
            if other < 0:
                continue
            total = zero
            for j in range(x.shape[1]):
                step = x[i, j] - x[other, j]
                total += step * step
            if filled == kept and total >= squares[i, kept - 1]:
                continue
            at = min(filled, kept - 1)
            while at > 0 and squares[i, at - 1] > total:
                squares[i, at] = squares[i, at - 1]
                chosen[i, at] = chosen[i, at - 1]
                at -= 1
            squares[i, at] = total
            chosen[i, at] = other
            filled = min(filled + 1, kept)
