"""What pushes places of an embedding apart in t-SNE: sums over all pairs, or by interpolation.

The interpolation is of G. Linderman and others, "Fast interpolation-based t-SNE for improved
visualization of single-cell RNA-seq data" (2019).
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import cuda, njit, prange
from ..._arrays.launching import written
from ..._arrays.ndarray import ndarray
from ..neighbors.distances import launch_over

_LEAST_NODES = 150  # along each side
_MOST_APART = 1 / 3  # nodes, where the kernels are 1 wide
_PARTS = 4  # grids of their own, to which samples are spread at once
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


class _Grid(NamedTuple):
    """Nodes along each side, the distance between two, and the transforms of both kernels."""

    nodes: int
    step: float
    near: np.ndarray
    nearer: np.ndarray


@njit
def _weigh(place: Any, weights: Any) -> Any:
    """Fill the weights of the four nodes around a place, by Lagrange; return the first node."""
    node = int(place)
    inside = place - node
    before, after, last = inside + 1.0, inside - 1.0, inside - 2.0
    weights[0] = -inside * after * last / 6.0
    weights[1] = before * after * last / 2.0
    weights[2] = -before * inside * last / 2.0
    weights[3] = before * inside * after / 6.0
    return node - 1


@njit(parallel=True)
def _spread(places: Any, corner: Any, step: Any, grids: Any) -> None:
    """Add 1 and both coordinates of each place to the nodes around it."""
    parts = grids.shape[0]
    rows = (places.shape[0] + parts - 1) // parts
    for part in prange(parts):
        grid = grids[part]
        across, along = np.empty(4), np.empty(4)
        for i in range(part * rows, min(places.shape[0], (part + 1) * rows)):
            x, y = places[i, 0] - corner[0], places[i, 1] - corner[1]
            first = _weigh(x / step, across)
            second = _weigh(y / step, along)
            for a in range(4):
                for b in range(4):
                    weight = across[a] * along[b]
                    grid[0, first + a, second + b] += weight
                    grid[1, first + a, second + b] += weight * x
                    grid[2, first + a, second + b] += weight * y


@njit(parallel=True)
def _gather(places: Any, corner: Any, step: Any, fields: Any, out: Any) -> None:
    """Of each place the pushes along both axes, and its shares' sum, out of four fields."""
    for i in prange(places.shape[0]):
        across, along = np.empty(4), np.empty(4)
        x, y = places[i, 0] - corner[0], places[i, 1] - corner[1]
        first = _weigh(x / step, across)
        second = _weigh(y / step, along)
        share, near, near_x, near_y = 0.0, 0.0, 0.0, 0.0
        for a in range(4):
            for b in range(4):
                weight = across[a] * along[b]
                share += weight * fields[0, first + a, second + b]
                near += weight * fields[1, first + a, second + b]
                near_x += weight * fields[2, first + a, second + b]
                near_y += weight * fields[3, first + a, second + b]
        out[i, 0] = x * near - near_x
        out[i, 1] = y * near - near_y
        out[i, 2] = share


def _smooth_size(least: int) -> int:
    """The least size from one on that has no prime factors but 2, 3 and 5: quick to transform."""
    size = least
    while True:
        rest = size
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return size
        size += 1


class Interpolated:
    """Pushes of places in two dimensions, by values at nodes of a grid and Fourier transforms.

    Other than in the paper, a place has the four nodes around it in each dimension, which at the
    same distance of nodes is eight times as near as three nodes of a box. The kernels' transforms
    are kept while the grid stays as it is.
    """

    def __init__(self) -> None:
        self._grid = _Grid(0, 0.0, np.empty(0), np.empty(0))

    def _grid_over(self, span: float) -> _Grid:
        # Distances of few values, so that most steps have the grid of the step before.
        wanted = 2.0 ** (np.ceil(2 * np.log2(max(span, 1e-12) / _LEAST_NODES)) / 2)
        step = min(_MOST_APART, wanted)
        size = _smooth_size(2 * (int(span / step) + 4))
        size = size if size % 2 == 0 else _smooth_size(size + 1)
        if (size // 2, step) == self._grid[:2]:
            return self._grid
        steps = np.minimum(np.arange(size), size - np.arange(size)) * step
        near = 1 / (1 + steps[:, None] ** 2 + steps**2)
        kernels = (np.fft.rfft2(each).real.astype(np.float32) for each in (near, near * near))
        return _Grid(size // 2, step, *kernels)

    def __call__(self, places: np.ndarray) -> tuple[np.ndarray, float]:
        """The push of each place, and the sum of all pairs' shares, as `of_all_pairs`."""
        corner = places.min(axis=0)
        self._grid = grid = self._grid_over(float((places.max(axis=0) - corner).max()))
        corner = corner - grid.step  # a node more, before the first place
        size = (2 * grid.nodes,) * 2
        grids = np.zeros((_PARTS, 3, grid.nodes, grid.nodes))
        _spread(places, corner, grid.step, grids)
        charges = np.fft.rfft2(grids.sum(axis=0).astype(np.float32), s=size)
        products = np.concatenate([charges[:1] * grid.near, charges * grid.nearer])
        fields = np.fft.irfft2(products, s=size)[:, : grid.nodes, : grid.nodes]
        out = np.empty((len(places), 3))
        _gather(places, corner, grid.step, fields, out)
        return out[:, :2], float(out[:, 2].sum()) - len(places)
