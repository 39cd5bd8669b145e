"""Samples in tiles of near ones, whose bounds tell which tiles are within reach of another."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import cuda
from .distances import Metric, Sum

TILE = 64  # samples, and threads of a block


def tile_order(x: np.ndarray) -> np.ndarray:
    """The rows of samples in an order in which each `TILE` of them are near: a tree's leaves.

    Rows are parted at the middle of the feature in which they are spread most.
    """
    order = np.arange(len(x))
    todo = [(0, len(x))]
    while todo:
        first, last = todo.pop()
        tiles = -(-(last - first) // TILE)
        if tiles < 2:
            continue
        rows = order[first:last]
        values = x[rows]
        widest = int(np.argmax(values.max(axis=0) - values.min(axis=0)))
        half = tiles // 2 * TILE
        order[first:last] = rows[np.argpartition(values[:, widest], half)]
        todo += [(first, first + half), (first + half, last)]
    return order


@cache
def gap_of(features: int, dtype: str, metric: Metric) -> Any:
    """A function of the bounds of tiles and two of them: no two samples' sum is less.

    It is summed up in the order of `apart_of`, and rounds as that does.
    """
    real = np.dtype(dtype).type
    kind, power = metric

    @cuda.jit(device=True, fastmath={"contract"})
    def gap(bounds: Any, one: Any, other: Any) -> Any:
        total = real(0)
        for j in range(features):
            after = bounds[0, other, j] - bounds[1, one, j]
            step = max(after, bounds[0, one, j] - bounds[1, other, j], real(0))
            if kind == Sum.SQUARES:
                total += step * step
            elif kind == Sum.SIZES:
                total += step
            elif kind == Sum.GREATEST:
                total = max(total, step)
            else:
                total += step ** real(power)
        return total

    return gap
