"""Sums of the samples of each cluster, kept while samples move from one cluster to another."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import njit, prange
from ..._arrays.ndarray import ndarray

_FEWEST_ROWS = 4096  # of a part, which has sums of its own
_MOST_PARTS = 64


@cache
def _moves(features: int, has_weights: bool) -> Any:
    @njit(parallel=True)
    def moves(x: Any, weights: Any, before: Any, after: Any, parts: Any) -> None:
        count = parts.shape[0]
        rows = (x.shape[0] + count - 1) // count
        for part in prange(count):
            sums = parts[part]
            own = np.empty(features)
            for i in range(part * rows, min(x.shape[0], (part + 1) * rows)):
                new, old = after[i], before[i]
                if new == old:
                    continue
                weight = weights[i] if has_weights else 1.0
                for j in range(features):
                    own[j] = weight * x[i, j]
                for j in range(features):
                    sums[new, j] += own[j]
                sums[new, features] += weight
                sums[new, features + 1] += 1.0 if weight > 0 else 0.0
                if old >= 0:
                    for j in range(features):
                        sums[old, j] -= own[j]
                    sums[old, features] -= weight
                    sums[old, features + 1] -= 1.0 if weight > 0 else 0.0

    return moves


class ClusterSums:
    """Of each cluster the weighted sums of its samples' features, its weight, and its samples.

    They are float64. Only samples that have moved are read to bring them up to date, which after
    some steps are few. `middle` is taken off the means.
    """

    def __init__(
        self,
        x: ndarray,
        sample_weight: ndarray | None,
        clusters: int,
        middle: ndarray | None = None,
    ) -> None:
        self._x = x
        self._middle = np.zeros(x.shape[1]) if middle is None else np.asarray(middle)
        self._weights = sample_weight
        self._labels: ndarray = px.full(x.shape[0], -1, np.int32, device=x.device)
        self._table = np.zeros((clusters, x.shape[1] + 2))

    @property
    def labels(self) -> ndarray:
        """The labels of the samples."""
        return self._labels

    @property
    def table(self) -> np.ndarray:
        """Of each cluster the sums of features, the weight and the number of samples, float64."""
        return self._table

    def move(self, labels: ndarray) -> bool:
        """Take other labels of the samples; True if one has another label."""
        count, features = self._x.shape
        parts = max(1, min(_MOST_PARTS, count // _FEWEST_ROWS))
        found = np.zeros((parts, *self._table.shape))
        weights = np.zeros(1) if self._weights is None else np.asarray(self._weights)
        _moves(features, self._weights is not None)(
            np.asarray(self._x), weights, np.asarray(self._labels), np.asarray(labels), found
        )
        return self.take(found, labels)

    def take(self, found: np.ndarray, labels: ndarray) -> bool:
        """Take other labels and what they change, parts x clusters x features and two more."""
        self._table += found.sum(axis=0)
        # What rounding leaves of a cluster without samples is nothing.
        self._table[self._table[:, -1] == 0] = 0
        self._labels = labels
        return bool(found.any())

    def means(self, centers: np.ndarray) -> np.ndarray:
        """The mean of each cluster, less the middle, as `centers` are.

        A cluster without samples gets one of those that are farthest from their centers, which is
        taken from the cluster that it was in.
        """
        table = self._table
        empty = np.flatnonzero(table[:, -1] <= 0)
        if len(empty):
            table = self._with_far_samples(centers, empty)
        with np.errstate(invalid="ignore", divide="ignore"):
            made = table[:, :-2] / table[:, -2:-1] - self._middle
        return np.where(table[:, -2:-1] > 0, made, centers).astype(centers.dtype)

    def _with_far_samples(self, centers: np.ndarray, empty: np.ndarray) -> np.ndarray:
        from .distance_kernels import own_squares

        table = self._table.copy()
        squares = np.asarray(own_squares(self._x, px.asarray(centers + self._middle), self._labels))
        far = np.argsort(-squares, kind="stable")[: len(empty)]
        labels = np.asarray(self._labels)
        for cluster, row in zip(empty, far, strict=True):
            weight = 1.0 if self._weights is None else float(self._weights[int(row)])
            moved = np.append(np.asarray(self._x[int(row)], np.float64) * weight, [weight, 1])
            table[cluster] = moved
            table[labels[row]] -= moved
        return table
