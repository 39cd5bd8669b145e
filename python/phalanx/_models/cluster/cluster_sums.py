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
_COMPARED = 64  # labels at once: mostly none of them differs
_LISTED = 256  # samples that have moved, whose rows come from memory together


def label_dtype(clusters: int) -> np.dtype:
    """The dtype of labels that steps read and write many times; -1 is none."""
    return np.dtype(np.int8 if clusters <= np.iinfo(np.int8).max else np.int32)


def parts_of(count: int) -> int:
    """The number of parts of some samples, each of which has sums of its own."""
    return max(1, min(_MOST_PARTS, count // _FEWEST_ROWS))


@njit
def _list_moved(labels: Any, first: Any, last: Any, found: Any, count: Any) -> Any:
    """Add the places where labels differ to the list of those found, whose count it returns."""
    before, after = labels
    old, new = before[first:last], after[first:last]
    differs = False
    for k in range(last - first):  # by vectors
        differs |= old[k] != new[k]
    if differs:
        for k in range(last - first):
            found[count] = first + k
            count += 1 if old[k] != new[k] else 0  # no branch, which would be mispredicted
    return count


@njit
def _touch(x: Any, rows: Any, found: Any) -> Any:
    """Have the lines of rows come from memory, many at a time; the number is nothing.

    A loop that does more for each of them waits for a few at a time only.
    """
    total, last = x.dtype.type(0), x.shape[1] - 1
    for k in range(found.shape[0]):
        row = x[np.uint64(rows[found[k]])] if rows.shape[0] else x[np.uint64(found[k])]
        total += row[0] + row[last // 2] + row[last]
    return total


@cache
def _move(features: int) -> Any:
    @njit
    def move(sums: Any, sample: Any, labels: Any, own: Any) -> None:
        (row, weight), (before, after) = sample, labels
        for j in range(features):
            own[j] = weight * row[j]
        own[features], own[features + 1] = weight, 1.0 if weight > 0 else 0.0
        to = sums[np.uint64(after)]
        for j in range(features + 2):
            to[j] += own[j]
        if before >= 0:  # at first there was none
            of = sums[np.uint64(before)]
            for j in range(features + 2):
                of[j] -= own[j]

    return move


@cache
def _moves(features: int, has_weights: bool) -> Any:
    move = _move(features)

    @njit(parallel=True)
    def moves(samples: Any, rows: Any, labels: Any, out: Any) -> None:
        (x, weights), (before, after), (sums, moved) = samples, labels, out
        count, parts = before.shape[0], sums.shape[0]
        each = (count + parts - 1) // parts
        for part in prange(parts):
            own = np.empty(features + 2)
            found, listed = np.empty(_LISTED + _COMPARED, np.int64), 0
            end = min(count, (part + 1) * each)
            for first in range(part * each, end, _COMPARED):
                last = min(first + _COMPARED, end)
                listed = _list_moved(labels, first, last, found, listed)
                if listed < _LISTED and last < end:
                    continue
                own[0] = _touch(x, rows, found[:listed])
                for k in range(listed):
                    i = np.uint64(found[k])
                    row = np.uint64(rows[i]) if rows.shape[0] else i
                    sample = x[row], (weights[row] if has_weights else 1.0)
                    move(sums[part], sample, (before[i], after[i]), own)
                moved[part] += listed
                listed = 0

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
        self._labels: ndarray = px.full(x.shape[0], -1, label_dtype(clusters), device=x.device)
        self._table = np.zeros((clusters, x.shape[1] + 2))

    @property
    def labels(self) -> ndarray:
        """The labels of the samples."""
        return self._labels

    @property
    def table(self) -> np.ndarray:
        """Of each cluster the sums of features, the weight and the number of samples, float64."""
        return self._table

    def move(self, labels: ndarray) -> int:
        """Take other labels of the samples; the number of those that have another one."""
        after = np.asarray(labels)
        before = np.asarray(self._labels).astype(after.dtype, copy=False)  # at first
        moved = self.move_rows(None, before, after)
        self._labels = labels
        return moved

    def move_rows(self, rows: np.ndarray | None, before: np.ndarray, after: np.ndarray) -> int:
        """Take what other labels of some samples add to the table, and leave `labels` as they are.

        `rows` are the numbers of the samples; None are all. Returns how many have another label.
        """
        parts = parts_of(before.shape[0])
        sums, moved = np.zeros((parts, *self._table.shape)), np.zeros(parts, np.int64)
        has_weights = self._weights is not None
        weights = np.asarray(self._weights) if has_weights else np.zeros(1)
        _moves(self._x.shape[1], has_weights)(
            (np.asarray(self._x), weights),
            np.zeros(0, np.int32) if rows is None else rows,
            (before, after),
            (sums, moved),
        )
        self._table += sums.sum(axis=0)
        # What rounding leaves of a cluster without samples is nothing.
        self._table[self._table[:, -1] == 0] = 0
        return int(moved.sum())

    def label(self, labels: ndarray) -> None:
        """Take labels whose samples have all moved by `move_rows`."""
        self._labels = labels

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
        placed = px.asarray(centers + self._middle, device=self._x.device)
        squares = np.asarray(own_squares(self._x, placed, self._labels))
        far = np.argsort(-squares, kind="stable")[: len(empty)]
        labels = np.asarray(self._labels)
        for cluster, row in zip(empty, far, strict=True):
            weight = 1.0 if self._weights is None else float(self._weights[int(row)])
            moved = np.append(np.asarray(self._x[int(row)], np.float64) * weight, [weight, 1])
            table[cluster] = moved
            table[labels[row]] -= moved
        return table
