"""Distances of pairs of samples: the nearest, row by row, on the sphere, and with gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import phalanx as px

from ..neighbors.distances import NAMES, metric_of, nearest_rows
from ..options import UnsupportedInputError
from ..validation import as_array, given_as, numbers, refuse_gaps
from .pairwise import directions, pair_of_samples, pairwise_distances, with_length_1

_MEBIBYTE = 1 << 20
_WORKING_MEMORY = 1024  # MiB, scikit-learn's default


def pairwise_distances_argmin_min(
    X: Any, Y: Any, *, axis: int = 1, metric: Any = "euclidean", metric_kwargs: Any = None
) -> tuple[Any, Any]:
    """Return the row of `Y` that is nearest to each sample of `X`, int64, and its distance.

    No matrix of all distances is made; of equal distances the lowest row is it. `axis` 0 takes the
    nearest of `X` for each of `Y`. Raises ValueError for other shapes and axes, none, NaN and
    infinity, and NotImplementedError for metrics that `pairwise_distances` does not take.
    """
    if axis not in (0, 1):
        raise ValueError(f"axis must be 0 or 1, got {axis!r}")
    x, others = pair_of_samples(*((X, Y) if axis else (Y, X)))
    if not len(others) or not len(x):
        raise ValueError("Found array with 0 sample(s) while a minimum of 1 is required.")
    power = dict(metric_kwargs or {}).get("p", 2)
    is_cosine, name = metric == "cosine", "euclidean" if metric == "sqeuclidean" else metric
    if is_cosine:
        (x, others), name = directions(x, others), "euclidean"
    if name not in NAMES:
        raise NotImplementedError(
            f"metric={metric!r} is not supported by phalanx.ml: use pairwise_distances and argmin"
        )
    distances, rows = nearest_rows(x, others, 1, metric_of(name, power))
    found = distances[:, 0]
    if is_cosine or metric == "sqeuclidean":
        found = found * found / (2 if is_cosine else 1)
    return given_as(X, rows[:, 0]), given_as(X, found)


def pairwise_distances_argmin(
    X: Any, Y: Any, *, axis: int = 1, metric: Any = "euclidean", metric_kwargs: Any = None
) -> Any:
    """Return the first result of `pairwise_distances_argmin_min`. Raises what that raises."""
    given = {"axis": axis, "metric": metric, "metric_kwargs": metric_kwargs}
    return pairwise_distances_argmin_min(X, Y, **given)[0]


def pairwise_distances_chunked(
    X: Any,
    Y: Any = None,
    *,
    reduce_func: Callable[[Any, int], Any] | None = None,
    metric: Any = "euclidean",
    n_jobs: int | None = None,
    working_memory: float | None = None,
    **kwds: Any,
) -> Iterator[Any]:
    """Yield `pairwise_distances` of some samples after the other, or a function of each part.

    A part has at most `working_memory` MiB (1,024 unless given), but at least a sample.
    ``reduce_func(part, first)`` gets the number of its first sample, too. `n_jobs` has no effect.
    Raises what `pairwise_distances` raises.
    """
    others = X if Y is None else Y
    bytes_of_row = 8 * max(len(others), 1)
    memory = _WORKING_MEMORY if working_memory is None else working_memory
    step = max(int(memory * _MEBIBYTE) // bytes_of_row, 1)
    values = as_array(X)
    for first in range(0, len(values), step):
        part = pairwise_distances(values[first : first + step], others, metric, **kwds)
        yield part if reduce_func is None else reduce_func(part, first)


def paired_distances(X: Any, Y: Any, *, metric: str = "euclidean", **kwds: Any) -> Any:
    """Return the distance of each sample of `X` to the sample of `Y` in the same row.

    `metric` is one of `pairwise_distances`'s. Raises ValueError for other shapes, NaN and infinity,
    and NotImplementedError for other metrics.
    """
    x, others = pair_of_samples(X, Y)
    if len(x) != len(others):
        raise ValueError(f"X and Y should be of same shape. They were {x.shape}, {others.shape}")
    if metric == "cosine":
        step = with_length_1(x) - with_length_1(others)
        return given_as(X, px.sum(step * step, axis=1) / 2)
    step = px.abs(x - others)
    if metric == "sqeuclidean":
        return given_as(X, px.sum(step * step, axis=1))
    if metric not in NAMES:
        raise NotImplementedError(f"metric={metric!r} is not supported by phalanx.ml")
    power = metric_of(metric, kwds.get("p", 2)).power
    if power == np.inf:
        return given_as(X, px.max(step, axis=1))
    return given_as(X, px.sum(step**power, axis=1) ** (1 / power))


def haversine_distances(X: Any, Y: Any = None) -> Any:
    """Return the angle between places on a sphere, each a latitude and a longitude in radians.

    Each of `X` with each of `Y`, or of `X`: samples x others. Raises ValueError for other than two
    features, NaN and infinity.
    """
    x, others = pair_of_samples(X, Y)
    if x.shape[1] != 2:
        raise ValueError(f"Haversine distance only valid in 2 dimensions, got {x.shape[1]}")
    up = px.sin((x[:, None, 0] - others[:, 0]) / 2)
    across = px.sin((x[:, None, 1] - others[:, 1]) / 2)
    root = px.sqrt(up * up + px.cos(x[:, None, 0]) * px.cos(others[:, 0]) * across * across)
    return given_as(X, 2 * px.arcsin(px.minimum(root, 1)))


def nan_euclidean_distances(
    X: Any, Y: Any = None, *, squared: bool = False, missing_values: Any = np.nan, copy: bool = True
) -> Any:
    """Return Euclidean distances over the features that both samples have, scaled up to all.

    Squares are summed over these, times all features by their number; NaN where there are none
    (J. Dixon, "Pattern recognition with partly missing data", 1979). Differences are taken first,
    so that nothing cancels. `copy` has no effect. Raises ValueError for other shapes and infinity.
    """
    x, others = with_gaps(X, missing_values), None
    others = x if Y is None else with_gaps(Y, missing_values)
    if x.shape[1] != others.shape[1]:
        raise ValueError(
            f"Incompatible dimension for X and Y matrices: X.shape[1] == {x.shape[1]} while "
            f"Y.shape[1] == {others.shape[1]}"
        )
    dtype = np.result_type(x.dtype, others.dtype)
    x, others = x.astype(dtype), others.astype(dtype)
    columns = [scaled_squares(x, other) for other in others]
    made = px.stack(columns, axis=1) if columns else px.empty((len(x), 0), dtype)
    return given_as(X, made if squared else px.sqrt(made))


def scaled_squares(x: Any, other: Any) -> Any:
    """The squared distances, scaled up, of samples to another; NaN where no feature is in both."""
    step = x - other
    is_there = ~px.isnan(step)
    count = px.sum(is_there, axis=1).astype(x.dtype)
    total = px.sum(px.where(is_there, step * step, 0), axis=1)
    return px.where(count > 0, total / px.maximum(count, 1) * x.shape[1], np.nan).astype(x.dtype)


def with_gaps(values: Any, missing: Any) -> Any:
    """Samples, float, with NaN where numbers are missing. Raises ValueError for infinity."""
    made = numbers(as_array(values))
    if made.ndim != 2:
        raise ValueError(f"Expected 2D array, got one of shape {made.shape} instead")
    is_nan = isinstance(missing, (float, np.floating)) and np.isnan(missing)
    refuse_gaps(made, "X", "nan_euclidean_distances", allow_nan=is_nan)
    if is_nan:
        return made
    if not isinstance(missing, (int, float, np.number)):
        raise UnsupportedInputError(f"missing_values={missing!r} must be a number")
    return px.where(made == missing, np.nan, made).astype(made.dtype)
