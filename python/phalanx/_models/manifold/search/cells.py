"""Samples in cells of near ones, and which cells are near each other."""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from .... import njit, prange

_SIZE = 128  # samples of a cell, about
_MOST_CELLS = 2048
_MOST_OF_CELL = 4  # times that size; larger cells are halved
_SAMPLE, _STEPS = 32, 3  # of k-means: samples a cell, and steps
_BLOCK = 256


class Cells(NamedTuple):
    """The rows in order of their cells, where each cell begins, and its middle."""

    order: np.ndarray
    starts: np.ndarray
    middles: np.ndarray


@njit(parallel=True, fastmath={"contract"})
def _assign(z: Any, middles: Any, halves: Any, out: Any) -> None:
    """The nearest middle of each sample; `halves` are the halves of the middles' squares."""
    count = z.shape[0]
    for block in prange((count + _BLOCK - 1) // _BLOCK):
        first, last = block * _BLOCK, min(count, (block + 1) * _BLOCK)
        products = np.dot(z[first:last], middles.T)
        for i in range(last - first):
            best, who = np.inf, 0
            for c in range(middles.shape[0]):
                apart = halves[c] - products[i, c]
                if apart < best:
                    best, who = apart, c
            out[first + i] = who


def _assigned(z: np.ndarray, middles: np.ndarray) -> np.ndarray:
    out = np.empty(len(z), np.int64)
    _assign(z, middles, half_squares(middles), out)
    return out


def half_squares(z: np.ndarray) -> np.ndarray:
    """Half the sum of squares of each row, float32."""
    return np.einsum("ij,ij->i", z, z) / np.float32(2)


def _middles(z: np.ndarray, order: np.ndarray, starts: np.ndarray) -> np.ndarray:
    sums = np.add.reduceat(z[order], starts[:-1], axis=0, dtype=np.float64)
    return np.asarray(sums / np.diff(starts)[:, None], np.float32)


def _starts_of(codes: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The rows in order of their codes, and where each code that is there begins."""
    order = np.argsort(codes, kind="stable")
    sizes = np.bincount(codes)
    return order, np.append(0, np.cumsum(sizes[sizes > 0]))


def cells_of(z: np.ndarray, random: Any) -> Cells:
    """Put samples into cells, by k-means over some of them; large cells are halved."""
    count = int(np.clip(len(z) // _SIZE, 1, _MOST_CELLS))
    some = z[random.permutation(len(z))[: _SAMPLE * count]]
    middles = np.ascontiguousarray(some[:count])
    for _ in range(_STEPS):
        middles = _middles(some, *_starts_of(_assigned(some, middles)))
    order, starts = _starts_of(_assigned(z, middles))
    starts = _halved(z, order, starts, _MOST_OF_CELL * max(_SIZE, len(z) // count))
    return Cells(order, starts, _middles(z, order, starts))


def _halved(z: np.ndarray, order: np.ndarray, starts: np.ndarray, most: int) -> np.ndarray:
    """Halve cells of more than `most` along their widest dimension; change `order`."""
    todo, made = list(itertools.pairwise(starts)), []
    while todo:
        first, last = todo.pop()
        if last - first <= most:
            made.append(first)
            continue
        rows = order[first:last]
        values = z[rows]
        half = len(rows) // 2
        parts = np.argpartition(values[:, int(np.argmax(values.var(axis=0)))], half)
        order[first:last] = rows[parts]
        todo += [(first, first + half), (first + half, last)]
    return np.append(np.sort(made), len(z)).astype(np.int64)


def near_cells(cells: Cells, budget: int) -> tuple[np.ndarray, np.ndarray]:
    """Of each cell the cells from the nearest on, and how many have `budget` samples together.

    A cell is the nearest to itself.
    """
    middles = cells.middles
    apart = half_squares(middles) - middles @ middles.T
    np.fill_diagonal(apart, -np.inf)
    near = np.argsort(apart, axis=1, kind="stable").astype(np.int32)
    reached = np.cumsum(np.diff(cells.starts)[near], axis=1)
    return near, np.minimum((reached < budget).sum(axis=1) + 1, len(middles))
