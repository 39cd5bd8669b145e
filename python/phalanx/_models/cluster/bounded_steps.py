"""Steps of k-means in the host's memory that read few samples once centers move little.

Of G. Hamerly, "Making k-means even faster" (2010): a sample has an upper bound u of the distance to
its own center, and a lower bound l of that to any other. Both change by how far centers went: with
T(c) the way of center c in all steps, and F the sum of the longest ways of each step, the bounds of
a sample that was read at T0 and F0 are u + T(c) - T0(c) and l - F + F0. Kept are

    upper = u - T0(c)    and    gap = (l + F0) - upper,

so that a step writes nothing of samples that stay: those with gap > T(c) + F, and those with
upper < h(c) - T(c), where h is half of the distance from their center to the nearest other one.
Bounds are rounded outwards: labels are those of steps that read all samples.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import njit, prange
from ..._arrays.ndarray import ndarray
from ..preprocessing.column_loops import is_on_host
from .full_steps import FullSteps

_FAST = {"contract", "reassoc"}
_LISTED = 1024  # samples that are asked before those that are doubtful are read
_BATCH = 128  # samples that are read, written feature by feature
_LENGTH = _BATCH + 8  # no power of two: features would fall into few sets of the cache
_VECTOR = 8
_MOST_FEATURES = 64  # of which a batch fits into a core's caches
# Beyond them most bounds meet, and steps that read all samples do less for each center.
_MOST_CLUSTERS = 64
_FIRST_FULL, _FULL = 2, 8  # steps that read all samples at first, and after one that read many
_MOST_READ = 0.08  # the share of samples from which steps that read all take less time
_FEWEST_ROWS = 4096  # of a part, which has sums of its own
_MOST_PARTS = 64


class _Centers(NamedTuple):
    """What steps read of centers, all in the dtype of the samples.

    `places` are clusters x features, both even: a last center that nobody has is infinitely far.
    `ways` are T, and `farthest` F; a gap must be above `least_gap` and an upper bound below
    `most_upper` for a sample to stay. `up` and `down` round outwards, `eps` is what sums round.
    """

    places: np.ndarray
    ways: np.ndarray
    least_gap: np.ndarray
    most_upper: np.ndarray
    farthest: Any
    up: Any
    down: Any
    eps: Any


@njit
def _doubtful(part: Any, state: Any, centers: Any, found: Any, count: Any) -> Any:
    """List the samples of a part that may have another center, or all of them."""
    first, last, reads_all = part
    labels, upper, gap = state
    if reads_all:
        for i in range(first, last):
            found[count + i - first] = i
        return count + last - first
    for i in range(first, last):
        label = np.uint32(labels[i])  # without the test for negative ones
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
        row = x[np.uint64(found[place])]
        total += row[0] + row[last // 2] + row[last]
    return total


@njit(fastmath=_FAST)
def _gather(x: Any, middle: Any, found: Any, own: Any) -> None:
    """The listed samples less the middle, features x samples; four rows at a time."""
    for place in range(0, found.shape[0], 4):
        a, b = x[np.uint64(found[place])], x[np.uint64(found[place + 1])]
        c, d = x[np.uint64(found[place + 2])], x[np.uint64(found[place + 3])]
        for j in range(x.shape[1]):
            out = own[j, place : place + 4]
            out[0], out[1] = a[j] - middle[j], b[j] - middle[j]
            out[2], out[3] = c[j] - middle[j], d[j] - middle[j]


@cache
def _two_nearest(dtype: str) -> Any:
    real, largest = np.dtype(dtype).type, np.finfo(dtype).max

    @njit(fastmath=_FAST)
    def two_nearest(own: Any, count: Any, places: Any, table: Any, label: Any) -> None:
        """The squares of the least two distances of some samples, and the first center's number.

        They are the first rows of the table; with one center alone the second is the largest
        number. Two centers at a time.
        """
        best, second, apart, other = table[0], table[1], table[2], table[3]
        for t in range(count):
            best[t], second[t], label[t] = real(np.inf), real(largest), 0
        for c in range(0, places.shape[0], 2):
            for t in range(count):
                apart[t], other[t] = real(0), real(0)
            for j in range(0, own.shape[0], 2):
                x, y = own[j], own[j + 1]
                cx, cy = places[c, j], places[c, j + 1]
                dx, dy = places[c + 1, j], places[c + 1, j + 1]
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
def _kept(table: Any, label: Any, centers: Any, count: Any) -> None:
    """Make what is kept of a sample, `upper` and `gap`, of the squares of two distances."""
    for t in range(count):
        table[2, t] = centers.ways[np.uint32(label[t])]
    for t in range(count):
        upper, lower = np.sqrt(table[0, t]) * centers.up, np.sqrt(table[1, t]) * centers.down
        way = table[2, t]
        rounding = centers.eps * (upper + lower + way + centers.farthest)
        table[0, t] = (upper - way) + rounding
        table[1, t] = (lower + centers.farthest - table[0, t]) - rounding


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
    def read(samples: Any, state: Any, centers: Any, sums: Any, listed: Any, room: Any) -> None:
        """Find the nearest centers of listed samples, what is kept of them, and what sums change.

        `listed` has places for whole vectors.
        """
        x, middle, weights = samples
        labels, upper, gap = state
        own, table, label = room
        found, count = listed
        whole = (count + _VECTOR - 1) // _VECTOR * _VECTOR
        for place in range(count, whole):  # the last sample again
            found[place] = found[count - 1]
        table[0, 0] = _touch(x, found[:whole])
        _gather(x, middle, found[:whole], own)
        two_nearest(own, whole, centers.places, table, label)
        _kept(table, label, centers, count)
        for place in range(count):
            i, new = np.uint64(found[place]), label[place]
            upper[i], gap[i] = table[0, place], table[1, place]
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
            own = np.zeros((centers.places.shape[1], _LENGTH), real)
            room = own, np.empty((4, _BATCH), real), np.empty(_BATCH, np.int32)
            found, pending = np.empty(_BATCH + _LISTED + _VECTOR, np.int64), 0
            end = min(count, (part + 1) * each)
            for first in range(part * each, end, _LISTED):
                last = min(first + _LISTED, end)
                pending = _doubtful((first, last, reads_all), state, centers, found, pending)
                done = 0
                while pending - done >= _BATCH or (last == end and done < pending):
                    some = min(_BATCH, pending - done)
                    read(samples, state, centers, sums[part], (found[done:], some), room)
                    done += some
                    reads[part] += some
                for place in range(pending - done):
                    found[place] = found[done + place]
                pending -= done

    return step


def goes_by_bounds(x: ndarray, clusters: int) -> bool:
    """True for samples in the host's memory, row after row, and few clusters."""
    return is_on_host(x) and x.shape[1] <= _MOST_FEATURES and clusters <= _MOST_CLUSTERS


class BoundedSteps(FullSteps):
    """Steps that read all samples only where bounds do not pay; of samples that `goes_by_bounds`.

    The first steps are such, as centers go far, and so are some after one whose bounds met for
    many.
    """

    def __init__(
        self,
        x: ndarray,
        centered: ndarray,
        middle: ndarray,
        sample_weight: ndarray | None,
        clusters: int,
    ) -> None:
        super().__init__(x, centered, middle, sample_weight, clusters)
        weights = np.zeros(1) if sample_weight is None else np.asarray(sample_weight, np.float64)
        self._has_weights = sample_weight is not None
        self._samples = np.asarray(x), np.asarray(middle).astype(x.dtype, copy=False), weights
        self._kept = np.zeros((2, x.shape[0]), x.dtype)
        self._full, self._pause = _FIRST_FULL, _FULL
        # While bounds hold: the labels, the centers of the step before, T and F.
        self._own: np.ndarray | None = None
        self._before = np.zeros((clusters, x.shape[1]))
        self._ways, self._farthest = np.zeros(clusters), 0.0
        # Of a sum of as many squares, its root, and what is kept.
        self._rounding = (x.shape[1] + 8) * float(np.finfo(x.dtype).eps)

    def move(self, centers: np.ndarray) -> bool:
        """As in `FullSteps`."""
        if not self._full:
            return self._bounded(centers)
        self._full -= 1
        was_bounded, self._own = self._own is not None, None
        has_moved = super().move(centers)
        if was_bounded:  # the spare memory is NumPy's
            self._spare = None
        return has_moved

    def _bounded(self, centers: np.ndarray) -> bool:
        x = self._samples[0]
        (count, features), reads_all = x.shape, self._own is None
        if self._own is None:
            self._own = np.array(self.labels)
        parts = max(1, min(_MOST_PARTS, count // _FEWEST_ROWS))
        found, reads = np.zeros((parts, len(centers), features + 2)), np.zeros(parts, np.int64)
        state = self._own, self._kept[0], self._kept[1]
        step = _step(x.dtype.name, self._has_weights)
        with np.errstate(over="ignore", invalid="ignore"):  # of samples at the ends of the dtype
            step(self._samples, state, self._read(centers, reads_all), (found, reads), reads_all)
        if not reads_all and reads.sum() > _MOST_READ * count:
            self._full, self._pause = self._pause, 4 * self._pause
        return self._sums.take(found, px.asarray(self._own, device=self._centered.device))

    def _read(self, centers: np.ndarray, reads_all: bool) -> _Centers:
        """What the step reads of centers; bounds begin anew where it reads all samples."""
        dtype, wide = self._kept.dtype, np.asarray(centers, np.float64)
        count, features = wide.shape
        up, down = 1 + self._rounding, 1 - self._rounding
        way = np.sqrt(((wide - self._before) ** 2).sum(axis=1)) * up
        self._before = wide.copy()
        self._ways = np.zeros(count) if reads_all else self._ways + way
        self._farthest = 0.0 if reads_all else self._farthest + float(way.max())
        between = np.sqrt(((wide[:, None] - wide) ** 2).sum(axis=2))
        np.fill_diagonal(between, np.inf)
        half = between.min(axis=1) / 2 * down
        # Of squares that overflow nothing is known; one center has no other.
        half = np.where(np.isfinite(half), half, 0)
        rounding = self._rounding * (half + self._ways + self._farthest)
        places = np.zeros((count + count % 2, features + features % 2), dtype)
        places[count:] = np.inf
        places[:count, :features] = centers
        return _Centers(
            places,
            self._ways.astype(dtype),
            (self._ways + self._farthest + rounding).astype(dtype),
            (half - self._ways - rounding).astype(dtype),
            *map(dtype.type, (self._farthest, up, down, self._rounding)),
        )
