"""How well an embedding keeps the neighbors of samples."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit, prange
from ..metrics.checks import refuse_lengths
from ..metrics.pairwise import pairwise_distances
from ..neighbors.distances import NAMES, nearest_rows, without_self
from ..validation import as_array, numbers, refuse_gaps, refuse_shapes

_PART = 1 << 24  # distances of a part of the samples


@cache
def _counter() -> Any:
    @njit(parallel=True)
    def count_before(distances: Any, rows: Any, first: Any, out: Any) -> None:
        for i in prange(rows.shape[0]):
            for j in range(rows.shape[1]):
                other = rows[i, j]
                own = distances[i, other]
                before = 0
                for each in range(distances.shape[1]):
                    nearer = distances[i, each] < own
                    is_before = distances[i, each] == own and each < other
                    before += 1 if (nearer or is_before) and each != first + i else 0
                out[i, j] = before + 1

    return count_before


def trustworthiness(
    X: Any, X_embedded: Any, *, n_neighbors: int = 5, metric: str = "euclidean"
) -> float:
    """Return from 0 to 1 how few neighbors in the embedding are far from a sample.

    Of J. Venna and S. Kaski, "Neighborhood preservation in nonlinear projection methods" (2001).
    `X` is samples x features, or with ``"precomputed"`` as `metric` a matrix of distances;
    `X_embedded` samples x components. Distances to all samples are computed, a part of the samples
    at a time, and neighbors are exact. Raises ValueError for `n_neighbors` that are not from 1 to
    below half the samples, for NaN and infinity, other shapes and lengths, and other metrics.
    """
    if metric not in (*NAMES, "cosine", "precomputed"):
        raise ValueError(f"metric={metric!r} must be 'precomputed', 'cosine' or one of {NAMES}")
    x, embedded = (numbers(as_array(each)) for each in (X, X_embedded))
    for each, name in ((x, "X"), (embedded, "X_embedded")):
        refuse_shapes(each, "trustworthiness")
        refuse_gaps(each, name, "trustworthiness")
    refuse_lengths(x, embedded)
    count = x.shape[0]
    if metric == "precomputed" and x.shape[1] != count:
        raise ValueError(f"X should be a square matrix of distances, got the shape {x.shape}")
    if n_neighbors < 1:
        raise ValueError(f"n_neighbors ({n_neighbors}) should be at least 1")
    if n_neighbors >= count / 2:
        raise ValueError(
            f"n_neighbors ({n_neighbors}) should be less than n_samples / 2 ({count / 2})"
        )
    near = nearest_rows(embedded, embedded, n_neighbors + 1)
    rows = without_self(*map(np.asarray, near))[1]
    ranks = np.empty(rows.shape, np.int64)
    step = max(1, _PART // count)
    for first in range(0, count, step):
        part = x[first : first + step]
        apart = part if metric == "precomputed" else pairwise_distances(part, x, metric)
        chosen = slice(first, first + step)
        _counter()(np.ascontiguousarray(np.asarray(apart)), rows[chosen], first, ranks[chosen])
    penalty = np.maximum(ranks - n_neighbors, 0).sum()
    scale = 2.0 / (count * n_neighbors * (2.0 * count - 3.0 * n_neighbors - 1.0))
    return float(1.0 - penalty * scale)
