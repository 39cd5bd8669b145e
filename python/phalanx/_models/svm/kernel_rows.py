"""Rows of kernel matrices: a sample's kernel with all others, in vectors of the others."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ... import njit, prange
from ..kernels import POLYNOMIAL, PRECOMPUTED, RBF, SIGMOID, Kernel

FAST = {"reassoc", "contract", "nnan"}
_PART = 1024  # samples whose sums stay in a core's first cache
# So many products are worth the cores' waking up.
_WORTH_CORES = 1 << 17


class Table(NamedTuple):
    """Samples in the order of a kernel's rows: features x samples, and the squares of each.

    Of a precomputed kernel the matrix itself, whose rows are the kernel's.
    """

    columns: np.ndarray
    squares: np.ndarray

    @classmethod
    def of(cls, x: np.ndarray, kernel: Kernel) -> Table:
        """The table of samples x features."""
        if kernel.kind == PRECOMPUTED:
            return cls(np.ascontiguousarray(x, np.float64), np.zeros(len(x)))
        if kernel.kind == RBF and len(x):
            # Distances stay, and cancel less.
            x = x - x.mean(axis=0)
        columns = np.ascontiguousarray(x.T, np.float64)
        return cls(columns, np.einsum("ij,ij->j", columns, columns))


@cache
def _products() -> Any:
    @njit(fastmath=FAST)
    def add_products(columns: Any, i: Any, first: Any, last: Any, sums: Any) -> None:
        for t in range(first, last):
            sums[t] = 0.0
        for j in range(columns.shape[0]):
            value = columns[j, i]
            for t in range(first, last):
                sums[t] += value * columns[j, t]

    return add_products


@cache
def _radial() -> Any:
    @njit(fastmath=FAST)
    def radial(sums: Any, squares: Any, gamma: Any, i: Any, first: Any, last: Any) -> None:
        own = squares[i]
        for t in range(first, last):
            sums[t] = np.exp(-gamma * max(own + squares[t] - 2.0 * sums[t], 0.0))

    return radial


@cache
def _other() -> Any:
    @njit(fastmath=FAST)
    def other(sums: Any, kind: Any, numbers: Any, first: Any, last: Any) -> None:
        gamma, coef0, degree = numbers[0], numbers[1], int(numbers[2])
        if kind == POLYNOMIAL:
            for t in range(first, last):
                base = gamma * sums[t] + coef0
                power = 1.0
                for _ in range(degree):
                    power *= base
                sums[t] = power
        elif kind == SIGMOID:
            for t in range(first, last):
                sums[t] = np.tanh(gamma * sums[t] + coef0)

    return other


@cache
def row_function(*, parallel: bool) -> Any:
    """A function that writes the kernel of sample `i` with all others into `sums`, float64."""
    add_products, radial, other = _products(), _radial(), _other()

    @njit(fastmath=FAST, parallel=parallel)
    def row(columns: Any, squares: Any, numbers: Any, i: Any, sums: Any) -> None:
        count, kind = columns.shape[1], int(numbers[3])
        for part in prange((count + _PART - 1) // _PART):
            first = part * _PART
            last = min(first + _PART, count)
            if kind == PRECOMPUTED:
                for t in range(first, last):
                    sums[t] = columns[i, t]
            else:
                add_products(columns, i, first, last, sums)
                if kind == RBF:
                    radial(sums, squares, numbers[0], i, first, last)
                else:
                    other(sums, kind, numbers, first, last)

    return row


def is_worth_cores(table: Table) -> bool:
    """True if a row is computed sooner on all cores than on one."""
    return table.columns.size >= _WORTH_CORES
