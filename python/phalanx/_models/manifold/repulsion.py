"""What pushes places of an embedding apart in t-SNE: sums over all pairs, or by interpolation.

The interpolation is in `grid_repulsion`.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import written
from ..._arrays.ndarray import ndarray
from ..neighbors.distances import launch_over

_BLOCK = 512  # pairs that are added up in float32


@cache
def _block(dimensions: int, freedom: int) -> Any:
    """A function that adds up the push of some places on one, and their shares, in float32."""
    power = (freedom + 1) / 2
    one, free = np.float32(1), np.float32(freedom)

    @cuda.jit(device=True, fastmath={"contract"})
    def block(places: Any, own: Any, first: Any, last: Any, push: Any) -> Any:
        total = np.float32(0)
        for d in range(dimensions):
            push[d] = np.float32(0)
        for j in range(first, last):
            square = np.float32(0)
            for d in range(dimensions):
                step = own[d] - places[j, d]
                square += step * step
            near = one / (one + square / free)
            share = near if power == 1.0 else near ** np.float32(power)
            total += share
            for d in range(dimensions):
                push[d] += share * near * (own[d] - places[j, d])
        return total

    return block


@cache
def _pairs(dimensions: int, freedom: int) -> Any:
    block = _block(dimensions, freedom)

    @cuda.jit(fastmath={"contract"})
    def pairs(places: Any, out: Any) -> None:
        own = cuda.local.array(dimensions, np.float32)
        push = cuda.local.array(dimensions, np.float32)
        whole = cuda.local.array(dimensions + 1, np.float64)
        for i in range(cuda.grid(1), places.shape[0], cuda.gridsize(1)):
            for d in range(dimensions):
                own[d] = places[i, d]
                whole[d] = 0.0
            whole[dimensions] = 0.0
            for first in range(0, places.shape[0], _BLOCK):
                last = min(first + _BLOCK, places.shape[0])
                whole[dimensions] += block(places, own, first, last, push)
                for d in range(dimensions):
                    whole[d] += push[d]
            for d in range(dimensions + 1):
                out[d, i] = whole[d]

    return pairs


def of_all_pairs(places: np.ndarray, freedom: int, device: Any) -> tuple[np.ndarray, float]:
    """The push of each place away from all others, and the sum of all pairs' shares.

    A pair's share is (1 + d^2 / freedom)^-(freedom + 1)/2, of two places at a distance of d.
    """
    given: ndarray = px.asarray(np.ascontiguousarray(places, np.float32), device=device)
    count, dimensions = places.shape
    out = px.empty((dimensions + 1, count), np.float64, device=device)
    launch_over(_pairs(dimensions, freedom), given, written(out))
    made = np.asarray(out)
    # Each place has a share of 1 with itself.
    return np.ascontiguousarray(made[:-1].T), float(made[-1].sum()) - count
