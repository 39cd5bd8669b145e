"""Steps of k-means in the host's memory over the samples that may move.

A sample whose distance to its own center is u, and to any other at least l, stays while no center
has gone as far as half of l - u, its gap (the triangle inequality, by which C. Elkan, 2003, and
G. Hamerly, 2010, leave distances out). A step of all samples makes their gaps. Those whose gap is
small are copied to memory of their own, and the next steps read no others until a center has gone
that far. What is small is decided by counts of samples, never by times: fits repeat.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from ... import cuda, njit, prange
from ..._arrays.launching import read, written
from ..._arrays.ndarray import ndarray
from .cluster_sums import parts_of
from .distance_kernels import MOST_FEATURES, half_squares, launch, nearest, two_distances
from .full_steps import FullSteps

if TYPE_CHECKING:
    from .kmeans import Data

_MOST_MOVED = 0.01  # the share of samples that move in a step, up to which gaps are made
_STEPS = 2 ** np.arange(1, 9)  # steps like the last one, for so many of which samples are chosen
# In steps of all samples: what gaps cost, what copies of all would cost, and the cost of a step
# from which gaps do not pay.
_GAPS, _COPIES, _MOST_COST = 1.0, 3.0, 0.9
_FEWEST_STEPS = 2  # over active samples, that should be made before others may move
_LISTED = 1024  # samples at once
_FEWEST = 1 << 16  # samples, of which steps take longer than what is around them


@cache
def _nearest_and_gaps(features: int, dtype: str) -> Any:
    """As `nearest` of features that lie each in one piece, and the gaps."""
    real = np.dtype(dtype).type
    largest, two = np.finfo(dtype).max, two_distances(features)

    @cuda.jit(fastmath={"contract"})
    def nearest_and_gaps(
        x: Any, centers: Any, halves: Any, errors: Any, labels: Any, gaps: Any
    ) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            best, second = real(largest), real(largest)
            label = np.int32(0)
            last = centers.shape[0] - 1
            for c in range(0, centers.shape[0], 2):
                d = min(c + 1, last)
                apart, other = two(x, i, centers, halves, (c, d))
                if c == last:  # its own neighbor
                    other = real(largest)
                if apart < best:
                    best, second = apart, best
                    label = np.int32(c)
                else:
                    second = min(second, apart)
                if other < best:
                    best, second = other, best
                    label = np.int32(d)
                else:
                    second = min(second, other)
            second = min(second, real(largest / 4))  # of one center: what follows is no infinity
            square = real(0)
            for j in range(features):
                square += x[i, j] * x[i, j]
            # A square is the sample's own and twice what was compared; l - u is the difference of
            # two over their roots' sum. The difference is rounded down, and the roots up, by more
            # than sums of that many products round: eps for each, of the sizes of both squares.
            error = errors[0] * (square + errors[1])
            upper = math.sqrt(max(square + real(2) * best, real(0)) + error)
            upper += math.sqrt(max(square + real(2) * second, real(0)) + error)
            gaps[i] = (real(2) * (second - best) - error) / upper
            labels[i] = label

    return nearest_and_gaps


@njit(parallel=True)
def _count(gaps: Any, limits: Any, counts: Any) -> None:
    """How many gaps of each part are not above some limits: parts x limits."""
    count, parts = gaps.shape[0], counts.shape[0]
    each = (count + parts - 1) // parts
    for part in prange(parts):
        for level in range(limits.shape[0]):
            limit, found = limits[level], 0
            for i in range(part * each, min(count, (part + 1) * each)):
                found += 0 if gaps[i] > limit else 1  # of NaN, too
            counts[part, level] = found


@njit(parallel=True)
def _list(gaps: Any, limit: Any, starts: Any, rows: Any) -> None:
    """The numbers of the samples whose gaps are not above a limit, from each part's start on."""
    count, parts = gaps.shape[0], starts.shape[0]
    each = (count + parts - 1) // parts
    for part in prange(parts):
        place, end = starts[part], min(count, (part + 1) * each)
        own = np.empty(_LISTED, rows.dtype)
        for first in range(part * each, end, _LISTED):
            found = 0
            for i in range(first, min(first + _LISTED, end)):
                own[found] = i
                found += 0 if gaps[i] > limit else 1  # no branch, which would be mispredicted
            for k in range(found):
                rows[place + k] = own[k]
            place += found


@njit(parallel=True)
def _copy(x: Any, labels: Any, rows: Any, out: Any, parts: Any) -> None:
    """Some samples of features x samples, and their labels."""
    made, made_labels = out
    count = rows.shape[0]
    each = (count + parts - 1) // parts
    for part in prange(parts):
        first, last = part * each, min(count, (part + 1) * each)
        for j in range(x.shape[0]):
            for place in range(first, last):
                made[j, place] = x[j, np.uint64(rows[place])]
        for place in range(first, last):
            made_labels[place] = labels[np.uint64(rows[place])]


@njit(parallel=True)
def _write_back(part_labels: Any, rows: Any, labels: Any) -> None:
    for place in prange(rows.shape[0]):
        labels[np.uint64(rows[place])] = part_labels[place]


@dataclass
class _Active:
    """Samples that may move while no center is farther than `limit` / 2 from where it was.

    `rows` are their numbers, `x` the samples (active x features), `labels` theirs, and `spare`
    memory for other ones; `centers` are where centers were, and `steps` those that were made.
    """

    rows: np.ndarray
    x: ndarray
    labels: ndarray
    spare: ndarray
    centers: np.ndarray
    limit: float
    steps: int = 0

    def lasts(self, centers: np.ndarray) -> bool:
        """Returns whether no others may move where centers are now."""
        return 2 * _farthest(self.centers, centers) <= self.limit


def _farthest(before: np.ndarray, after: np.ndarray) -> float:
    """The longest way of a center; of numbers at the end of the dtype it may be infinite."""
    with np.errstate(over="ignore"):
        return math.sqrt(((after - before) ** 2).sum(axis=1).max())


def finds_active(x: ndarray) -> bool:
    """True for many samples in the host's memory, their features in one piece each as by `less`."""
    is_by_features = x._device.is_host and bool(x.flags.f_contiguous)
    return is_by_features and x.shape[1] <= MOST_FEATURES and x.shape[0] >= _FEWEST


class ActiveSteps(FullSteps):
    """Steps that go over the samples that may move, once those are few; see `finds_active`."""

    def __init__(self, data: Data, clusters: int) -> None:
        super().__init__(data, clusters)
        x = data[0]
        self._moved, self._most_moved = float(x.shape[0]), _MOST_MOVED * x.shape[0]
        self._before = np.zeros((clusters, x.shape[1]))  # the centers of the last step
        self._active: _Active | None = None
        # Memory of its samples, and of gaps: fresh pages cost as much as what is written to them.
        self._memory = np.empty(0, x.dtype)
        self._gaps: ndarray | None = None

    @property
    def labels(self) -> ndarray:
        """As in `FullSteps`."""
        self._settle()
        return super().labels

    def move(self, centers: np.ndarray) -> int:
        """As in `FullSteps`."""
        wide = np.array(centers, np.float64)
        if self._active is not None and not self._active.lasts(wide):
            self._end(self._active)
        if self._active is not None:
            moved = self._move_active(self._active, centers)
        elif self._moved > self._most_moved:
            moved = super().move(centers)
        else:
            moved = self._begin(centers, wide)
        self._before, self._moved = wide, moved
        return moved

    def means(self, centers: np.ndarray) -> np.ndarray:
        """As in `FullSteps`."""
        if (self._sums.table[:, -1] <= 0).any():  # the labels will be read
            self._settle()
        return super().means(centers)

    def _move_active(self, active: _Active, centers: np.ndarray) -> int:
        active.steps += 1
        if not len(active.rows):
            return 0
        before, after = active.labels, active.spare
        active.labels, active.spare = after, before
        nearest(active.x, px.asarray(centers, device=active.x.device), after)
        return self._sums.move_rows(active.rows, np.asarray(before), np.asarray(after))

    def finish(self, centers: np.ndarray) -> None:
        """As in `FullSteps`."""
        self._most_moved = -1.0  # there is no step that gaps would serve
        super().finish(centers)

    def _end(self, active: _Active) -> None:
        self._settle()
        self._active = None
        if active.steps < _FEWEST_STEPS:  # centers go farther than before: gaps did not pay
            self._most_moved = min(self._most_moved, self._moved) / 2

    def _settle(self) -> None:
        """Write the labels of active samples to those of all."""
        if self._active is not None:
            before = self._sums.labels
            labels = np.array(before)
            _write_back(np.asarray(self._active.labels), self._active.rows, labels)
            self._sums.label(px.array(labels, device=before.device))
            self._spare = before

    def _begin(self, centers: np.ndarray, wide: np.ndarray) -> int:
        """A step of all samples that finds those that may move in the next ones, if few may."""
        x, labels = self._centered, self._room()
        if self._gaps is None:
            self._gaps = px.empty(x.shape[0], x.dtype, device=x.device)
        _find_gaps(x, px.asarray(centers, device=x.device), labels, self._gaps)
        gaps = np.asarray(self._gaps)
        self._spare = self._sums.labels
        moved = self._sums.move(labels)
        limits = 2 * _farthest(self._before, wide) * _STEPS
        limits = np.minimum(limits, np.finfo(x.dtype).max).astype(x.dtype)
        counts = np.zeros((parts_of(x.shape[0]), len(limits)), np.int64)
        _count(gaps, limits, counts)
        shares = counts.sum(axis=0) / x.shape[0]
        costs = (1 + _GAPS + (_COPIES + _STEPS) * shares) / (1 + _STEPS)
        best = int(np.argmin(costs))
        if costs[best] <= _MOST_COST:
            rows = _listed(gaps, limits[best], counts[:, best])
            self._active = self._copied(labels, rows, wide, float(limits[best]))
        else:
            self._most_moved = min(self._most_moved, moved) / 2
        return moved

    def _copied(
        self, labels: ndarray, rows: np.ndarray, centers: np.ndarray, limit: float
    ) -> _Active:
        x = self._centered
        size = len(rows) * x.shape[1]
        if len(self._memory) < size:
            self._memory = np.empty(size, x.dtype)
        made = self._memory[:size].reshape(x.shape[1], len(rows)), np.empty(len(rows), labels.dtype)
        _copy(np.asarray(x.T), np.asarray(labels), rows, made, parts_of(len(rows)))
        samples, own = px.asarray(made[0], device=x.device), px.array(made[1], device=x.device)
        return _Active(rows, samples.T, own, px.empty_like(own), centers, limit)


def _find_gaps(x: ndarray, centers: ndarray, labels: ndarray, gaps: ndarray) -> None:
    """As `nearest`, and write the gaps, rounded down."""
    features, dtype = x.shape[1], x.dtype
    squares = half_squares(centers)
    limits = np.finfo(dtype)
    rounding = 4 * (features + 8) * limits.eps
    # Of subnormal numbers the rounding is no part of them, but of the least that is normal.
    size = 2 * float(squares.max()) + limits.tiny / limits.eps
    errors = px.asarray(np.array([rounding, size], dtype), device=x.device)
    given = [read(each) for each in (x, centers, squares.astype(dtype), errors)]
    kernel = _nearest_and_gaps(features, dtype.name)
    launch(kernel, x.shape[0], x._device, *given, written(labels), written(gaps))


def _listed(gaps: np.ndarray, limit: Any, counts: np.ndarray) -> np.ndarray:
    """The numbers of the samples of which `_count` counted so many in each part."""
    rows = np.empty(counts.sum(), np.int32 if len(gaps) < 1 << 31 else np.int64)
    _list(gaps, limit, np.cumsum(counts) - counts, rows)
    return rows
