"""The nearest others of each of many samples, most of them right."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .cells import cells_of, half_squares, near_cells
from .comparing import compare_cells, true_nearest
from .descent import descend
from .heaps import empty_heaps
from .projected import directions_of, projected
from .recall import recall

FEWEST = 8192  # samples; all pairs of fewer take hardly longer
_WANTED = 0.9  # of the neighbors of some samples
_BUDGET, _MOST = 3500, 8000  # samples that each is compared with: of many features, of few
_MANY = 100  # features
_MORE = 1.4  # candidates for a neighbor, whose true distances decide


class _Found(NamedTuple):
    """The nearest of each sample and their squared distances, by rows in order of `order`."""

    order: np.ndarray
    x: np.ndarray
    chosen: np.ndarray
    squares: np.ndarray


def near_of_many(x: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The rows of the nearest others of each sample, and their Euclidean distances, in order.

    Samples are put into cells by k-means, in fewer dimensions where these keep nearly all of the
    variance (`projected`), and compared with all of near cells by products of matrices; then with
    neighbors of their neighbors (`descent`), where that still finds something. All distances of a
    few samples tell if nine of ten neighbors are right; else all features are taken, then more
    cells. Distances are those of all features, float64: samples x count. The same samples have the
    same result. `x` must have squares that are finite (`in_range`).
    """
    random = np.random.RandomState(0)
    scale, directions = directions_of(x, random)
    found = _found(x, projected(x, scale, directions), count, 1)
    for times in (1, 4) if directions.size else (4,):
        if recall(found.x, found.squares, random) >= _WANTED:
            break
        found = _found(x, projected(x, scale, np.empty((0, 0), np.float32)), count, times)
    rows, apart = np.empty_like(found.chosen), np.empty(found.chosen.shape)
    rows[found.order] = found.order[found.chosen]
    apart[found.order] = np.sqrt(found.squares, dtype=np.float64)
    return rows, apart


def _found(x: np.ndarray, z: np.ndarray, count: int, times: int) -> _Found:
    cells = cells_of(z, np.random.RandomState(0))
    z, x = z[cells.order], np.ascontiguousarray(x[cells.order])
    more = min(int(count * _MORE) + 1, len(x) - 1)
    near, reach = near_cells(cells, max(_budget(z.shape[1]), 8 * more) * times)
    candidates = empty_heaps(len(x), more)
    compare_cells(z, half_squares(z), cells.starts, near, reach, candidates)
    rows = descend(z, *candidates)[1]
    return _Found(cells.order, x, *_nearest_of(x, rows, count))


def _nearest_of(x: np.ndarray, rows: np.ndarray, count: int) -> tuple[Any, Any]:
    squares, chosen = np.empty((len(x), count), x.dtype), np.zeros((len(x), count), np.int64)
    true_nearest(x, rows, x.dtype.type(0), squares, chosen)
    return chosen, squares


def _budget(features: int) -> int:
    """How many samples each is compared with: more of few features, which cost less."""
    return int(np.clip(_BUDGET * _MANY // features, _BUDGET, _MOST))
