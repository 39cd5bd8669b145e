"""Squared distances of samples to some centers: the nearest one, or all.

A thread takes a sample, whose features it keeps in registers. On the CPU device a warp's samples
are the lanes of vectors.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray

# So many features fit in registers, or in the cache of a core; more are a product of matrices.
MOST_FEATURES = 64
_THREADS = 256
_MOST_BLOCKS = 1 << 14
_PART = 1 << 14  # samples of a product of matrices


def launch(kernel: Any, count: int, device: Any, *args: Any) -> None:
    """Launch a kernel whose threads take some samples each."""
    blocks = max(min(-(-count // _THREADS), _MOST_BLOCKS), 1)
    launch_alone(kernel, blocks, _THREADS, device, *args)


@cache
def _less(features: int) -> Any:
    @cuda.jit
    def less(x: Any, middle: Any, out: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                out[j, i] = x[i, j] - middle[j]

    return less


def less(x: ndarray, middle: ndarray) -> ndarray:
    """Samples less their mean: each feature in one piece, out of which vectors are read."""
    count, features = x.shape
    if features > MOST_FEATURES:
        return x - middle
    out = px.empty((features, count), x.dtype, device=x.device)
    launch(_less(features), count, x._device, read(x), read(middle), written(out))
    return out.T


@cache
def _nearest(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type
    largest = np.finfo(dtype).max

    @cuda.jit(fastmath={"contract"})
    def nearest(x: Any, centers: Any, halves: Any, labels: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            best = real(largest)
            label = np.int32(0)  # of 32 bits, as distances have: vectors of as many lanes
            for c in range(centers.shape[0]):
                # Half the squared distance without the sample's own square.
                apart = halves[c]
                for j in range(features):
                    apart -= own[j] * centers[c, j]
                if apart < best:
                    best = apart
                    label = np.int32(c)
            labels[i] = label

    return nearest


@cache
def two_distances(features: int) -> Any:
    """The function of two centers' distances to a sample, whose features are read where they are.

    Each is half the squared distance without the sample's own square.
    """

    @cuda.jit(device=True, fastmath={"contract"})
    def two(x: Any, i: Any, centers: Any, halves: Any, pair: Any) -> Any:
        c, d = pair
        apart, other = halves[c], halves[d]
        for j in range(features):
            value = x[i, j]
            apart -= value * centers[c, j]
            other -= value * centers[d, j]
        return apart, other

    return two


@cache
def _nearest_by_features(features: int, dtype: str) -> Any:
    """The same of features that lie each in one piece, read where they are: fewer stores."""
    real = np.dtype(dtype).type
    largest, two = np.finfo(dtype).max, two_distances(features)

    @cuda.jit(fastmath={"contract"})
    def nearest(x: Any, centers: Any, halves: Any, labels: Any) -> None:
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            best = real(largest)
            label = np.int32(0)
            last = centers.shape[0] - 1
            for c in range(0, centers.shape[0], 2):
                # Of an odd number the last one is its own neighbor.
                d = min(c + 1, last)
                apart, other = two(x, i, centers, halves, (c, d))
                if apart < best:
                    best = apart
                    label = np.int32(c)
                if other < best:
                    best = other
                    label = np.int32(d)
            labels[i] = label

    return nearest


def half_squares(centers: ndarray) -> ndarray:
    """Half the square of each center; on the host by NumPy, which begins sooner."""
    if not centers._device.is_host:
        return px.sum(centers * centers, axis=1) / 2
    with np.errstate(over="ignore"):  # of numbers at the end of the dtype
        halves = (np.asarray(centers) ** 2).sum(axis=1) / 2
    return px.asarray(halves, device=centers.device)


def nearest(x: ndarray, centers: ndarray, out: ndarray | None = None) -> ndarray:
    """The number of each sample's nearest center, as int32; the first of several.

    Of at most `MOST_FEATURES` they are written to `out` if it is given, in its dtype, which saves
    fresh pages of memory.

    Of samples x features, and centers x features, which should lie around 0: the squares of
    distances are left out of |c|^2 / 2 - x c.
    """
    count, features = x.shape
    if features > MOST_FEATURES:
        return _nearest_by_products(x, centers, half_squares(centers).astype(x.dtype))
    labels = px.empty(count, np.int32, device=x.device) if out is None else out
    is_by_features = x._device.is_host and x.strides[0] == x.itemsize
    kernel = (_nearest_by_features if is_by_features else _nearest)(features, x.dtype.name)
    given = [read(each) for each in (x, centers, half_squares(centers).astype(x.dtype))]
    launch(kernel, count, x._device, *given, written(labels))
    return labels


def _nearest_by_products(x: ndarray, centers: ndarray, halves: ndarray) -> ndarray:
    parts = [
        px.argmin(halves - x[first : first + _PART] @ centers.T, axis=1).astype(np.int32)
        for first in range(0, x.shape[0], _PART)
    ]
    return parts[0] if len(parts) == 1 else px.concatenate(parts)


@cache
def _nearest_by_squares(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type

    @cuda.jit(fastmath={"contract"})
    def nearest_by_squares(x: Any, centers: Any, labels: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            best = real(np.inf)
            label = np.int32(0)
            for c in range(centers.shape[0]):
                total = real(0)
                for j in range(features):
                    apart = own[j] - centers[c, j]
                    total += apart * apart
                if total < best:
                    best = total
                    label = np.int32(c)
            labels[i] = label

    return nearest_by_squares


def nearest_of_any(x: ndarray, centers: ndarray) -> ndarray:
    """As `nearest` for samples and centers anywhere: squares of differences, which cancel nothing.

    One center that is far from the others would cost `nearest` the digits of all.
    """
    count, features = x.shape
    if features > MOST_FEATURES:
        parts = [
            px.argmin(squares(x[first : first + _PART], centers), axis=0).astype(np.int32)
            for first in range(0, count, _PART)
        ]
        return parts[0] if len(parts) == 1 else px.concatenate(parts)
    labels = px.empty(count, np.int32, device=x.device)
    kernel = _nearest_by_squares(features, x.dtype.name)
    launch(kernel, count, x._device, read(x), read(centers), written(labels))
    return labels


@cache
def _squares(features: int, dtype: str) -> Any:
    real = np.dtype(dtype).type

    @cuda.jit(fastmath={"contract"})
    def squares(x: Any, centers: Any, out: Any) -> None:
        own = cuda.local.array(features, real)
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for j in range(features):
                own[j] = x[i, j]
            for c in range(centers.shape[0]):
                total = real(0)
                for j in range(features):
                    apart = own[j] - centers[c, j]
                    total += apart * apart
                out[c, i] = total

    return squares


def squares(x: ndarray, centers: ndarray) -> ndarray:
    """The squared distances, centers x samples, in the dtype of the samples; none is cancelled."""
    count, features = x.shape
    if features > MOST_FEATURES:
        rows = [px.sum((x - center) ** 2, axis=1) for center in centers]
        return px.stack(rows)
    out = px.empty((centers.shape[0], count), x.dtype, device=x.device)
    kernel = _squares(features, x.dtype.name)
    launch(kernel, count, x._device, read(x), read(centers), written(out))
    return out


def own_squares(x: ndarray, centers: ndarray, labels: ndarray) -> ndarray:
    """The squared distance of each sample to the center of its label."""
    apart = x - centers[labels]
    return px.sum(apart * apart, axis=1)
