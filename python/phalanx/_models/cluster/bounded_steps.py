"""Steps of k-means in the host's memory that read few samples once centers move little.

Of G. Hamerly, "Making k-means even faster" (2010): a sample keeps an upper bound of the distance to
its own center, and a lower bound of that to any other; both change by how far centers moved. Only
where they meet is the sample read. Bounds are rounded outwards, so that labels are those of steps
that read all samples. What is kept is the upper bound less, and the gap between both with, how far
centers had moved in all: a step then compares, and writes nothing.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import njit, prange
from ..._arrays.ndarray import ndarray
from ..preprocessing.column_loops import is_on_host
from .cluster_sums import ClusterSums
from .distance_kernels import nearest

_FAST = {"contract", "reassoc"}
_BLOCK = 1024  # samples whose bounds are moved before those that are doubtful are read
_BATCH = 128  # samples that are read, written feature by feature
_LENGTH = _BATCH + 8  # no power of two: features would fall into few sets of the cache
_VECTOR = 8
_MOST_FEATURES = 64  # of which a batch fits into a core's caches
# Beyond them most bounds meet, and steps that read all samples do less for each center.
_MOST_CLUSTERS = 64
_FIRST_FULL, _FULL = 2, 8  # steps that read all samples at first, and after one that read many
_MOST_READ = 0.08  # the share of samples from which steps that read all take less time
_FAR = 1e17  # features of a center that is nobody's, for an even number
_FEWEST_ROWS = 4096  # of a part, which has sums of its own
_MOST_PARTS = 64


class _Centers(NamedTuple):
    """What steps read of centers, all in the dtype of the samples.

    `places` are clusters x features, both even: the last center may be nobody's. Of each cluster,
    `moved` is how far its center has gone in all steps, `least_gap` what the gap of a sample must
    be above and `most_upper` what its upper bound must be below to stay for sure. `farthest` is
    the sum of what the farthest center of each step went. `up` and `down` round outwards, `eps` is
    the rounding of a sum.
    """

    places: np.ndarray
    moved: np.ndarray
    least_gap: np.ndarray
    most_upper: np.ndarray
    farthest: Any
    up: Any
    down: Any
    eps: Any


@njit
def _doubtful(block: Any, state: Any, centers: Any, found: Any, count: Any) -> Any:
    """List the samples of a block that may have another center, or all of them."""
    first, last, reads_all = block
    labels, upper, gap = state
    if reads_all:
        for i in range(first, last):
            found[count + i - first] = i
        return count + last - first
    for i in range(first, last):
        label = np.uint32(labels[i])
        stays = (gap[i] > centers.least_gap[label]) | (upper[i] < centers.most_upper[label])
        found[count] = i
        count += 0 if stays else 1  # of NaN, too
    return count


@njit
def _touch(x: Any, found: Any) -> Any:
    """Have the lines of listed samples come from memory, many at a time; the number is nothing.

    A loop that does more for each sample waits for a few at a time only.
    """
    total, last = x.dtype.type(0), x.shape[1] - 1
    for place in range(found.shape[0]):
        row = x[np.uint32(found[place])]
        total += row[0] + row[last // 2] + row[last]
    return total


@njit(fastmath=_FAST)
def _gather(x: Any, middle: Any, found: Any, own: Any) -> None:
    """The listed samples less the middle, features x samples; four rows at a time."""
    for place in range(0, found.shape[0], 4):
        a, b = x[np.uint32(found[place])], x[np.uint32(found[place + 1])]
        c, d = x[np.uint32(found[place + 2])], x[np.uint32(found[place + 3])]
        for j in range(x.shape[1]):
            out = own[j, place : place + 4]
            out[0], out[1] = a[j] - middle[j], b[j] - middle[j]
            out[2], out[3] = c[j] - middle[j], d[j] - middle[j]


@cache
def _two_nearest(dtype: str) -> Any:
    real = np.dtype(dtype).type

    @njit(fastmath=_FAST)
    def two_nearest(own: Any, count: Any, places: Any, work: Any, label: Any) -> None:
        """The squares of the least two distances of some samples, and the first center's number."""
        best, second, apart, other = work
        for t in range(count):
            best[t], second[t], label[t] = real(np.inf), real(np.inf), 0
        for c in range(0, places.shape[0], 2):
            for t in range(count):
                apart[t], other[t] = real(0), real(0)
            for j in range(0, own.shape[0], 2):
                x, y = own[j], own[j + 1]
                cx, cy, dx, dy = (
                    places[c, j],
                    places[c, j + 1],
                    places[c + 1, j],
                    places[c + 1, j + 1],
                )
                for t in range(count):
                    of_x, of_y = x[t] - cx, y[t] - cy
                    apart[t] += of_x * of_x + of_y * of_y
                    of_x, of_y = x[t] - dx, y[t] - dy
                    other[t] += of_x * of_x + of_y * of_y
            for t in range(count):
                is_nearer = apart[t] < best[t]
                second[t] = min(second[t], max(apart[t], best[t]))
                label[t] = c if is_nearer else label[t]
                best[t] = min(apart[t], best[t])
                is_nearer = other[t] < best[t]
                second[t] = min(second[t], max(other[t], best[t]))
                label[t] = c + 1 if is_nearer else label[t]
                best[t] = min(other[t], best[t])

    return two_nearest


@njit
def _move(sums: Any, row: Any, weight: Any, new: Any, old: Any) -> None:
    """Take a sample from the sums of a cluster to those of another; `old` is -1 at first."""
    features = row.shape[0]
    for j in range(features):
        sums[new, j] += weight * row[j]
    sums[new, features] += weight
    sums[new, features + 1] += 1.0 if weight > 0 else 0.0
    if old >= 0:
        for j in range(features):
            sums[old, j] -= weight * row[j]
        sums[old, features] -= weight
        sums[old, features + 1] -= 1.0 if weight > 0 else 0.0


@cache
def _reading(dtype: str, has_weights: bool) -> Any:
    two_nearest = _two_nearest(dtype)

    @njit
    def read(samples: Any, state: Any, centers: Any, sums: Any, found: Any, own: Any) -> None:
        """Find the nearest centers of listed samples, their bounds, and what sums change."""
        x, middle, weights = samples
        labels, upper, gap = state
        less, best, second, before, other, label, count = own
        whole = (count + _VECTOR - 1) // _VECTOR * _VECTOR
        for place in range(count, whole):  # whole vectors, by the last sample again
            found[place] = found[count - 1]
        other[0] = _touch(x, found[:whole])
        _gather(x, middle, found[:whole], less)
        two_nearest(less, whole, centers.places, (best, second, before, other), label)
        for place in range(count):
            before[place] = centers.moved[np.uint32(label[place])]
        for place in range(count):
            high = np.sqrt(best[place]) * centers.up
            low = np.sqrt(second[place]) * centers.down
            size = centers.eps * (high + low + before[place] + centers.farthest)
            best[place] = (high - before[place]) + size
            second[place] = (low + centers.farthest - best[place]) - size
        for place in range(count):
            i, new = np.uint32(found[place]), label[place]
            upper[i], gap[i] = best[place], second[place]
            if new != labels[i]:
                _move(sums, x[i], weights[i] if has_weights else 1.0, new, labels[i])
                labels[i] = new

    return read


@cache
def _step(dtype: str, has_weights: bool) -> Any:
    real, read = np.dtype(dtype).type, _reading(dtype, has_weights)

    @njit(parallel=True)
    def step(samples: Any, state: Any, centers: Any, out: Any, reads_all: Any) -> None:
        sums, reads = out
        parts, count = sums.shape[0], samples[0].shape[0]
        each = (count + parts - 1) // parts
        for part in prange(parts):
            less = np.zeros((centers.places.shape[1], _LENGTH), real)
            label, table = np.empty(_BATCH, np.int32), np.empty((4, _BATCH), real)
            found, pending = np.empty(_BATCH + _BLOCK + _VECTOR, np.int64), 0
            end = min(count, (part + 1) * each)
            for first in range(part * each, end, _BLOCK):
                block = first, min(first + _BLOCK, end), reads_all
                pending = _doubtful(block, state, centers, found, pending)
                done = 0
                while pending - done >= _BATCH or (block[1] == end and done < pending):
                    some = min(_BATCH, pending - done)
                    own = less, table[0], table[1], table[2], table[3], label, some
                    read(samples, state, centers, sums[part], found[done:], own)
                    done += some
                    reads[part] += some
                for place in range(pending - done):
                    found[place] = found[done + place]
                pending -= done

    return step


def goes_by_bounds(x: ndarray, clusters: int) -> bool:
    """True for samples in the host's memory, row after row, and few clusters."""
    return is_on_host(x) and x.shape[1] <= _MOST_FEATURES and clusters <= _MOST_CLUSTERS


class BoundedSteps:
    """The labels of samples while centers move, and the sums of the clusters, as `ClusterSums`.

    `x` (samples x features), for which `goes_by_bounds`; `moved` is the same less `middle`, as
    centers are. The first steps read all samples, as centers move much, and so do some steps after
    one whose bounds met for many.
    """

    def __init__(
        self,
        x: ndarray,
        moved: ndarray,
        middle: ndarray,
        sample_weight: ndarray | None,
        clusters: int,
    ) -> None:
        self._x, self._less = np.asarray(x), moved
        self._middle = np.asarray(middle).astype(x.dtype, copy=False)
        self._weights = None if sample_weight is None else np.asarray(sample_weight, np.float64)
        self._sums = ClusterSums(x, sample_weight, clusters, middle)
        self._bounds = np.zeros((2, x.shape[0]), x.dtype)
        # The centers of which the bounds are, and how far each has moved since they were read.
        self._before: np.ndarray | None = None
        self._moved, self._farthest = np.zeros(clusters), 0.0
        self._own: np.ndarray | None = None  # the labels while bounds hold
        self._spare: ndarray | None = None
        self._full, self._pause = _FIRST_FULL, _FULL
        # Of a sum of as many squares, and of the root.
        self._rounding = (x.shape[1] + 8) * float(np.finfo(x.dtype).eps)

    @property
    def labels(self) -> ndarray:
        """The labels of the samples."""
        return self._sums.labels

    def move(self, centers: np.ndarray) -> bool:
        """Find the nearest of other centers; True if a sample has another than before."""
        if self._full:
            self._full -= 1
            return self._full_step(centers)
        count, features = self._x.shape
        parts = max(1, min(_MOST_PARTS, count // _FEWEST_ROWS))
        found, reads = np.zeros((parts, len(centers), features + 2)), np.zeros(parts, np.int64)
        weights = np.zeros(1) if self._weights is None else self._weights
        reads_all = self._own is None
        if self._own is None:
            self._own = np.array(self.labels)
        labels = self._own
        step = _step(self._x.dtype.name, self._weights is not None)
        given, state = (self._x, self._middle, weights), (labels, *self._bounds)
        with np.errstate(over="ignore", invalid="ignore"):  # of samples at the ends of the dtype
            step(given, state, self._read(centers), (found, reads), reads_all)
        self._before = np.array(centers, np.float64)
        if not reads_all and reads.sum() > _MOST_READ * count:
            self._full, self._pause = self._pause, 4 * self._pause
        return self._sums.take(found, px.asarray(labels, device=self._less.device))

    def _full_step(self, centers: np.ndarray) -> bool:
        before = self._sums.labels if self._own is None else None
        self._own = self._before = None
        labels = nearest(self._less, px.asarray(centers, device=self._less.device), self._spare)
        self._spare = before  # of the step before: memory whose pages are there
        return self._sums.move(labels)

    def means(self, centers: np.ndarray) -> np.ndarray:
        """As `ClusterSums.means`."""
        return self._sums.means(centers)

    def _read(self, centers: np.ndarray) -> _Centers:
        dtype, wide = self._x.dtype, np.asarray(centers, np.float64)
        up, down = 1 + self._rounding, 1 - self._rounding
        if self._before is None:
            self._moved, self._farthest = np.zeros(len(wide)), 0.0
        else:
            drift = np.sqrt(((wide - self._before) ** 2).sum(axis=1)) * up
            self._moved, self._farthest = self._moved + drift, self._farthest + drift.max()
        between = np.sqrt(((wide[:, None] - wide) ** 2).sum(axis=2))
        np.fill_diagonal(between, np.inf)
        half = between.min(axis=1) / 2 * down
        count, features = centers.shape
        places = np.zeros((count + count % 2, features + features % 2), dtype)
        places[count:] = _FAR
        places[:count, :features] = centers
        finite = np.where(np.isfinite(half), half, 0)  # one center has no other
        size = self._rounding * (finite + self._moved + self._farthest)
        return _Centers(
            places,
            self._moved.astype(dtype),
            (self._moved + self._farthest + size).astype(dtype),
            (half - self._moved - size).astype(dtype),
            *map(dtype.type, (self._farthest, up, down, self._rounding)),
        )
