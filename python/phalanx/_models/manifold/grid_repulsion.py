"""What pushes places in two dimensions apart in t-SNE, by sums over a grid.

After G. Linderman and others, "Fast interpolation-based t-SNE for improved visualization of
single-cell RNA-seq data" (2019): places are spread to nodes of a grid, a Fourier transform sums up
over the nodes, and places gather what is at the nodes around them. Other than there, weights are
cubic B-splines, whose own transform is divided out as in R. Hockney and J. Eastwood, "Computer
simulation using particles" (1988), and the three sums have kernels of their own, so that only one
grid is filled and transformed. At the same distance of nodes a push is off by a tenth of what it
is with three nodes of a box.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import njit, prange
from ..._arrays.ndarray import ndarray

_LEAST_NODES = 150  # along each side
_MOST_APART = 0.4  # nodes, where the kernels are 1 wide
_MARGIN = 3  # nodes around all places
_PARTS = 4  # grids of their own, to which samples are spread at once
_ALIASES = 3


class _Grid(NamedTuple):
    """Nodes along each side, the distance between two, and the transforms of three kernels."""

    nodes: int
    step: float
    kernels: ndarray | None


@njit(fastmath={"contract"})
def _weigh(place: Any, weights: Any) -> Any:
    """Fill the weights of the four nodes around a place, a cubic B-spline; return the first."""
    node = np.int64(place)
    t = place - np.float32(node)
    one, sixth = np.float32(1), np.float32(1 / 6)
    rest, square = one - t, t * t
    weights[0] = rest * rest * rest * sixth
    weights[1] = (np.float32(3) * t - np.float32(6)) * square * sixth + np.float32(2 / 3)
    weights[3] = t * square * sixth
    weights[2] = one - weights[0] - weights[1] - weights[3]
    return node - 1


@njit(parallel=True, fastmath={"contract"})
def _spread(places: Any, corner: Any, step: Any, grids: Any) -> None:
    """Add 1 for each place to the nodes around it."""
    parts = grids.shape[0]
    rows = (places.shape[0] + parts - 1) // parts
    for part in prange(parts):
        grid = grids[part]
        grid[:] = np.float32(0)
        across, along = np.empty(4, np.float32), np.empty(4, np.float32)
        for i in range(part * rows, min(places.shape[0], (part + 1) * rows)):
            first = _weigh(np.float32((places[i, 0] - corner[0]) / step), across)
            second = _weigh(np.float32((places[i, 1] - corner[1]) / step), along)
            for a in range(4):
                for b in range(4):
                    grid[first + a, second + b] += across[a] * along[b]


@njit(parallel=True, fastmath={"contract"})
def _gather(places: Any, corner: Any, step: Any, fields: Any, out: Any) -> None:
    """Of each place the sum of its shares, and the pushes along both axes, out of three fields."""
    for i in prange(places.shape[0]):
        across, along = np.empty(4, np.float32), np.empty(4, np.float32)
        first = _weigh(np.float32((places[i, 0] - corner[0]) / step), across)
        second = _weigh(np.float32((places[i, 1] - corner[1]) / step), along)
        share, push_x, push_y = np.float32(0), np.float32(0), np.float32(0)
        for a in range(4):
            for b in range(4):
                weight = across[a] * along[b]
                share += weight * fields[0, first + a, second + b]
                push_x += weight * fields[1, first + a, second + b]
                push_y += weight * fields[2, first + a, second + b]
        out[i, 0] = push_x
        out[i, 1] = push_y
        out[i, 2] = share


def _smooth_size(least: int) -> int:
    """The least even size from one on that has no prime factors but 2, 3 and 5."""
    size = least + least % 2
    while True:
        rest = size
        for factor in (2, 3, 5):
            while rest % factor == 0:
                rest //= factor
        if rest == 1:
            return size
        size += 2


def _kernels(size: int, step: float) -> np.ndarray:
    """The transforms of what a place at a distance adds: its share, and both parts of its push."""
    number = np.arange(size)
    number = np.where(number <= size // 2, number, number - size)
    apart = number * step
    # As far to one side as to the other.
    odd = np.where(number == size // 2, 0.0, apart)
    near = 1 / (1 + apart[:, None] ** 2 + apart**2)
    waves = number / size
    # Both the spread and the gathering have the spline's transform, with its aliases.
    spline: Any = sum(np.sinc(waves + alias) ** 8 for alias in range(-_ALIASES, _ALIASES + 1))
    spline = spline[:, None] * spline[: size // 2 + 1]
    given = (near, near * near * odd[:, None], near * near * odd)
    return np.stack([(np.fft.rfft2(each) / spline).astype(np.complex64) for each in given])


class Interpolated:
    """Pushes of places in two dimensions, by a grid.

    The kernels' transforms are kept while the grid stays as it is.
    """

    def __init__(self) -> None:
        self._grid = _Grid(0, 0.0, None)

    def _grid_over(self, span: float) -> _Grid:
        # Distances of few values, so that most steps have the grid of the step before.
        wanted = 2.0 ** (np.ceil(2 * np.log2(max(span, 1e-12) / _LEAST_NODES)) / 2)
        step = min(_MOST_APART, wanted)
        size = _smooth_size(2 * (int(span / step) + 2 * _MARGIN))
        if (size // 2, step) == self._grid[:2]:
            return self._grid
        return _Grid(size // 2, step, px.asarray(_kernels(size, step), device="cpu"))

    def __call__(self, places: np.ndarray) -> tuple[np.ndarray, float]:
        """The push of each place, and the sum of all pairs' shares, as `of_all_pairs`."""
        corner = places.min(axis=0)
        self._grid = grid = self._grid_over(float((places.max(axis=0) - corner).max()))
        corner = corner - _MARGIN * grid.step / 2
        grids = np.empty((_PARTS, grid.nodes, grid.nodes), np.float32)
        _spread(places, corner, grid.step, grids)
        size = (2 * grid.nodes,) * 2
        charges = px.fft.rfft2(px.asarray(grids.sum(axis=0), device="cpu"), s=size)
        # Only rows with places are transformed back along the second axis.
        rows = px.fft.ifft(charges * grid.kernels, axis=1)[:, : grid.nodes]
        fields = np.asarray(px.fft.irfft(rows, n=size[1], axis=2))
        out = np.empty((len(places), 3))
        _gather(places, corner, grid.step, fields, out)
        return out[:, :2], float(out[:, 2].sum()) - len(places)
