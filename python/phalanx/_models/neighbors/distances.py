"""Distances between samples, by kernels: all of them, or the smallest.

A thread takes a sample, whose features it keeps in registers; on the CPU device a warp's samples
are the lanes of vectors. Nothing is cancelled: differences are taken first.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray
from .ranges import in_range

_THREADS = 256
_MOST_BLOCKS = 1 << 14
_PART = 1 << 16  # elements of the other samples that stay in a core's cache
# So many distances fit in registers beside the features; more are sorted out of all distances.
MOST_KEPT = 64
MOST_FEATURES = 64


class Sum(IntEnum):
    """What differences of features are summed up as."""

    SQUARES = 0
    SIZES = 1
    GREATEST = 2
    POWERS = 3


class Metric(NamedTuple):
    """How differences of features are summed up, and for which exponent."""

    kind: Sum
    power: float = 2.0

    @property
    def exponent(self) -> float:
        """The exponent of each difference that is summed up; 1 of metrics that have none."""
        return {Sum.SQUARES: 2.0, Sum.POWERS: float(self.power)}.get(self.kind, 1.0)

    @property
    def root(self) -> float:
        """The exponent that makes a distance of what was summed up."""
        return 1 / self.exponent

    def finished(self, sums: ndarray) -> ndarray:
        """The distances of what was summed up."""
        if self.kind is Sum.SQUARES:
            return px.sqrt(sums)
        return sums**self.root if self.kind is Sum.POWERS else sums

    def begun(self, distance: float) -> float:
        """What is summed up for a distance."""
        if self.kind is Sum.SQUARES:
            return distance * distance
        return float(distance**self.power) if self.kind is Sum.POWERS else distance


EUCLIDEAN, MANHATTAN = Metric(Sum.SQUARES), Metric(Sum.SIZES, 1.0)
CHEBYSHEV = Metric(Sum.GREATEST, np.inf)
METRICS = {
    "euclidean": EUCLIDEAN,
    "l2": EUCLIDEAN,
    "manhattan": MANHATTAN,
    "cityblock": MANHATTAN,
    "l1": MANHATTAN,
    "chebyshev": CHEBYSHEV,
}
NAMES = ("minkowski", "p", *METRICS)


def metric_of(name: str, power: float | None = 2) -> Metric:
    """The metric of a name; ``"minkowski"`` has an exponent."""
    if name not in ("minkowski", "p"):
        return METRICS[name]
    power = 2.0 if power is None else float(power)
    known = {2.0: EUCLIDEAN, 1.0: MANHATTAN, np.inf: CHEBYSHEV}
    return known.get(power, Metric(Sum.POWERS, power))


@cache
def apart_of(features: int, dtype: str, metric: Metric) -> Any:
    """A function of a sample in registers and a row of others: the sum of their differences."""
    real = np.dtype(dtype).type
    kind, power = metric

    @cuda.jit(device=True, fastmath={"contract"})
    def apart(own: Any, others: Any, row: Any) -> Any:
        total = real(0)
        for j in range(features):
            step = own[j] - others[row, j]
            if kind == Sum.SQUARES:
                total += step * step
            elif kind == Sum.SIZES:
                total += abs(step)
            elif kind == Sum.GREATEST:
                total = max(total, abs(step))
            else:
                total += abs(step) ** real(power)
        return total

    return apart


@cache
def _all_sums(features: int, dtype: str, metric: Metric) -> Any:
    real = np.dtype(dtype).type
    apart = apart_of(features, dtype, metric)

    @cuda.jit(fastmath={"contract"})
    def all_sums(x: Any, others: Any, out: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            for c in range(others.shape[0]):
                out[c, i] = apart(own, others, c)

    return all_sums


@cache
def _insertion(dtype: str, count: int) -> Any:
    """A function that puts a sum among the smallest, which are in order, behind equal ones."""

    @cuda.jit(device=True)
    def insert(total: Any, row: Any, best: Any, who: Any) -> None:
        if total >= best[count - 1]:
            return
        # From the last place on, each is compared, so that all stay in registers.
        for k in range(count - 1):
            j = count - 1 - k
            if total < best[j - 1]:
                best[j], who[j] = best[j - 1], who[j - 1]
            elif total < best[j]:
                best[j], who[j] = total, row
        if total < best[0]:
            best[0], who[0] = total, row

    return insert


@cache
def _smallest(features: int, dtype: str, metric: Metric, count: int) -> Any:
    real = np.dtype(dtype).type
    apart = apart_of(features, dtype, metric)
    insert = _insertion(dtype, count)

    @cuda.jit(fastmath={"contract"})
    def smallest(x: Any, others: Any, first: Any, step: Any, sums: Any, rows: Any) -> None:
        # The grid's second dimension is parts of the others, each with places of its own.
        own = cuda.local.array(features, real)
        best = cuda.local.array(count, real)
        who = cuda.local.array(count, np.int32)
        part = cuda.blockIdx.y
        at = part * count
        first += part * step
        last = min(first + step, others.shape[0])
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            for j in range(count):
                best[j] = sums[at + j, i]
                who[j] = rows[at + j, i]
            for c in range(first, last):
                insert(apart(own, others, c), np.int32(c), best, who)
            for j in range(count):
                sums[at + j, i] = best[j]
                rows[at + j, i] = who[j]

    return smallest


@cache
def _smallest_of_parts(dtype: str, count: int) -> Any:
    real = np.dtype(dtype).type
    insert = _insertion(dtype, count)

    @cuda.jit
    def merged(x: Any, sums: Any, rows: Any) -> None:
        best = cuda.local.array(count, real)
        who = cuda.local.array(count, np.int32)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(count):
                best[j] = sums[j, i]
                who[j] = rows[j, i]
            for at in range(count, sums.shape[0]):
                insert(sums[at, i], rows[at, i], best, who)
            for j in range(count):
                sums[j, i] = best[j]
                rows[j, i] = who[j]

    return merged


def launch_over(kernel: Any, x: ndarray, *args: Any, parts: int = 1) -> None:
    """Queue a kernel with a thread for each sample, and for each part of what it goes over."""
    blocks = max(min(-(-x.shape[0] // _THREADS), _MOST_BLOCKS), 1)
    launch_alone(kernel, (blocks, parts), _THREADS, x._device, read(x), *args)


def all_sums(x: ndarray, others: ndarray, metric: Metric = EUCLIDEAN) -> ndarray:
    """What is summed up of each sample and each other, others x samples: a square, or a size."""
    count, features = x.shape
    if features > MOST_FEATURES:
        return px.stack([_sums_of_rows(x, other, metric) for other in others])
    out = px.empty((others.shape[0], count), x.dtype, device=x.device)
    launch_over(_all_sums(features, x.dtype.name, metric), x, read(others), written(out))
    return out


def _sums_of_rows(x: ndarray, other: ndarray, metric: Metric) -> ndarray:
    step = x - other
    if metric.kind is Sum.SQUARES:
        return px.sum(step * step, axis=1)
    step = px.abs(step)
    if metric.kind is Sum.GREATEST:
        return px.max(step, axis=1)
    return px.sum(step if metric.kind is Sum.SIZES else step**metric.power, axis=1)


def nearest_rows(
    x: ndarray, others: ndarray, count: int, metric: Metric = EUCLIDEAN
) -> tuple[ndarray, ndarray]:
    """The distances of each sample to the nearest others, and their rows, int64, samples x count.

    The nearest is first; of equal ones that of the lowest row.
    """
    dtype = x.dtype
    (x, others), factor = in_range(metric.power, x, others)
    many = x.shape[1] > MOST_FEATURES or count > MOST_KEPT
    distances, rows = (_nearest_of_all if many else _kept)(x, others, count, metric)
    if x.dtype != dtype or factor != 1:
        distances = (distances / factor).astype(dtype)
    return distances, rows


def without_self(distances: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What is left where each sample leaves out itself; the first, if equal ones hide it."""
    others = rows != np.arange(len(rows))[:, None]
    others[others.all(axis=1), 0] = False
    shape = len(rows), rows.shape[1] - 1
    return distances[others].reshape(shape), rows[others].reshape(shape)


def _kept(x: ndarray, others: ndarray, count: int, metric: Metric) -> tuple[ndarray, ndarray]:
    """The nearest by a kernel that keeps them in registers."""
    features = x.shape[1]
    parts = _parts(x, others)
    sums = px.full((parts * count, x.shape[0]), np.finfo(x.dtype).max, x.dtype, device=x.device)
    rows = px.zeros((parts * count, x.shape[0]), np.int32, device=x.device)
    kernel = _smallest(features, x.dtype.name, metric, count)
    places = written(sums), written(rows)
    step = max(_PART // features, 1) if parts == 1 else -(-others.shape[0] // parts)
    for first in range(0, others.shape[0], step * parts):
        launch_over(kernel, x, read(others), first, step, *places, parts=parts)
    if parts > 1:
        launch_over(_smallest_of_parts(x.dtype.name, count), x, *places)
    sums, rows = sums[:count], rows[:count]
    return metric.finished(px.ascontiguousarray(sums.T)), px.ascontiguousarray(rows.T).astype("i8")


# Of a GPU: so many threads keep it busy, and a part has at least so many samples.
_THREADS_WANTED, _FEWEST_OF_PART = 1 << 18, 1 << 10


def _parts(x: ndarray, others: ndarray) -> int:
    """Parts of the others that threads of their own go over: few samples leave a GPU idle."""
    if x._device.is_host:
        return 1
    wanted = -(-_THREADS_WANTED // max(x.shape[0], 1))
    return max(1, min(wanted, others.shape[0] // _FEWEST_OF_PART))


_FEWEST_ROWS, _DISTANCES = 16, 1 << 24


def parts_of(x: ndarray, others: ndarray) -> range:
    """Where parts of samples begin, whose distances to all others fit well in memory."""
    return range(0, x.shape[0], part_rows(others))


def part_rows(others: ndarray) -> int:
    """How many samples a part has."""
    return max(_FEWEST_ROWS, _DISTANCES // max(others.shape[0], 1))


def _nearest_of_all(
    x: ndarray, others: ndarray, count: int, metric: Metric
) -> tuple[ndarray, ndarray]:
    rows = part_rows(others)
    parts = [
        _nearest_of_part(x[first : first + rows], others, count, metric)
        for first in parts_of(x, others)
    ]
    return px.concatenate([one for one, _ in parts]), px.concatenate([two for _, two in parts])


def _nearest_of_part(x: ndarray, others: ndarray, count: int, metric: Metric) -> Any:
    if metric.kind is Sum.SQUARES and x.shape[1] > MOST_FEATURES:
        # Products of matrices tell which are near; in float64, as they cancel.
        wide, far = x.astype(np.float64), others.astype(np.float64)
        sums = px.sum(far * far, axis=1) - 2 * (wide @ far.T)
    else:
        sums = px.ascontiguousarray(all_sums(x, others, metric).T)
    near = px.argpartition(sums, count - 1, axis=1)[:, :count] if count < len(others) else None
    if near is None:
        near = px.broadcast_to(px.arange(len(others)), sums.shape)
    near = px.sort(near, axis=1)
    if metric.kind is Sum.SQUARES and x.shape[1] > MOST_FEATURES:
        kept = px.stack([_own_squares(x, others[near[:, j]]) for j in range(count)], axis=1)
    else:
        kept = px.take_along_axis(sums, near, axis=1)
    order = px.argsort(kept, axis=1, kind="stable")
    return metric.finished(px.take_along_axis(kept, order, axis=1)), px.take_along_axis(
        near, order, axis=1
    )


def _own_squares(x: ndarray, others: ndarray) -> ndarray:
    step = x - others
    return px.sum(step * step, axis=1)
