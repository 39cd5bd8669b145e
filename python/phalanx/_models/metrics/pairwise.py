"""Distances between all pairs of samples."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.in_place import in_place
from ..neighbors.distances import NAMES, all_sums, metric_of
from ..validation import as_array, given_as, numbers, refuse_gaps

_METRICS = ("sqeuclidean", "cosine", *NAMES)


@in_place
def pairwise_distances(X: Any, Y: Any = None, metric: str = "euclidean", *, p: float = 2) -> Any:
    """Return the distance of each sample of `X` to each of `Y`, or of `X`: samples x others.

    Both are samples x features; float32 stays if both have it. Differences are taken first, so that
    nothing cancels. `metric` is ``"cosine"``, ``"sqeuclidean"`` or one of `NearestNeighbors`'s; `p`
    is the exponent of ``"minkowski"``. Raises ValueError for other shapes, NaN and infinity, and
    NotImplementedError for other metrics.
    """
    if metric not in _METRICS:
        raise NotImplementedError(
            f"metric={metric!r} is not supported by phalanx.ml, which takes one of {_METRICS}"
        )
    x, others = pair_of_samples(X, Y)
    if metric == "cosine":
        return given_as(X, _cosine_distances(x, others, is_self=Y is None or Y is X))
    if metric == "sqeuclidean":
        return given_as(X, all_sums(others, x))
    chosen = metric_of(metric, p)
    return given_as(X, chosen.finished(all_sums(others, x, chosen)))


def euclidean_distances(X: Any, Y: Any = None, *, squared: bool = False) -> Any:
    """Return the Euclidean distance, or its square, of each sample of `X` to each of `Y`.

    Raises what `pairwise_distances` raises.
    """
    return pairwise_distances(X, Y, "sqeuclidean" if squared else "euclidean")


def cosine_distances(X: Any, Y: Any = None) -> Any:
    """Return 1 less the cosine between each sample of `X` and each of `Y`.

    Raises what `pairwise_distances` raises.
    """
    return pairwise_distances(X, Y, "cosine")


def manhattan_distances(X: Any, Y: Any = None) -> Any:
    """Return the sum of the sizes of differences of each sample of `X` and each of `Y`.

    Raises what `pairwise_distances` raises.
    """
    return pairwise_distances(X, Y, "manhattan")


def pair_of_samples(X: Any, Y: Any) -> tuple[Any, Any]:
    """Both as arrays of ours in one dtype, `X` twice without `Y`.

    Raises ValueError for other shapes, NaN and infinity.
    """
    x = _samples(X, "X")
    others = x if Y is None else _samples(Y, "Y")
    if x.shape[1] != others.shape[1]:
        raise ValueError(
            f"Incompatible dimension for X and Y matrices: X.shape[1] == {x.shape[1]} while "
            f"Y.shape[1] == {others.shape[1]}"
        )
    dtype = np.result_type(x.dtype, others.dtype)
    return x.astype(dtype), others.astype(dtype)


def _cosine_distances(x: Any, others: Any, *, is_self: bool) -> Any:
    """Of samples of length 1 half the squared distance is 1 less the cosine."""
    x, others = directions(x, others)
    made = all_sums(others, x) / 2
    # A sample of length 0 is 1 from all but itself.
    return px.where(px.eye(len(x), dtype=bool), 0, made).astype(made.dtype) if is_self else made


def _samples(values: Any, name: str) -> Any:
    made = numbers(as_array(values, name), name=name)
    if made.ndim != 2:
        raise ValueError(f"Expected 2D array for {name}, got one of shape {made.shape} instead")
    refuse_gaps(made, name, "A metric of pairs")
    return made


def directions(x: Any, others: Any) -> list[Any]:
    """Both by their lengths, so that half their squared distances are 1 less their cosines.

    The cosine of a sample of length 0 is 0 with all: where there are such, each side's have a
    direction that no sample of the other side has, in a feature more.
    """
    given = (x, others)
    are_zero = [px.all(each == 0, axis=1) for each in given]
    made = [with_length_1(each) for each in given]
    if not any(bool(px.any(each)) for each in are_zero):
        return made
    for side, is_zero in enumerate(are_zero):
        more = [px.zeros_like(is_zero)] * 2
        more[side] = is_zero
        made[side] = px.concatenate([made[side], px.stack(more, axis=1).astype(x.dtype)], axis=1)
    return made


def with_length_1(x: Any) -> Any:
    """Samples by their lengths; those of length 0 stay."""
    lengths = px.sqrt(px.sum(x * x, axis=1))
    return x / px.where(lengths == 0, 1, lengths)[:, None].astype(x.dtype)
