"""Samples in float32, in fewer dimensions where distances are nearly those of all features."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .... import njit, prange

_SAMPLE = 4000  # rows that tell the principal directions
_SHARE = 0.96  # of the variance, which is kept
_VECTORS, _STEPS = 128, 6  # directions that are tried first, and steps to find them
_BLOCK = 256
_FEWEST = 64  # features, of which nothing is to be gained
_FAR = 10.0  # times the distance of most: what is farther does not choose directions
_MOST = 1e15  # whose square is finite in float32


class Scale(NamedTuple):
    """What is taken off of samples, and by what they are multiplied, so that most have length 1."""

    middle: np.ndarray
    factor: float


@njit(parallel=True, fastmath={"contract"})
def _project(x: Any, middle: Any, factor: Any, directions: Any, out: Any) -> None:
    count = x.shape[0]
    for block in prange((count + _BLOCK - 1) // _BLOCK):
        first, last = block * _BLOCK, min(count, (block + 1) * _BLOCK)
        part = np.empty((last - first, x.shape[1]), np.float32)
        for i in range(last - first):
            for j in range(x.shape[1]):
                value = (x[first + i, j] - middle[j]) * factor
                part[i, j] = np.float32(min(max(value, -_MOST), _MOST))
        if directions.shape[0] == 0:
            out[first:last] = part
        else:
            out[first:last] = np.dot(part, directions)


@njit(fastmath={"contract"})
def _multiply(one: Any, other: Any) -> Any:
    return np.dot(one, other)


def directions_of(x: np.ndarray, random: Any) -> tuple[Scale, np.ndarray]:
    """A scale for samples, and their principal directions: features x dimensions, float32.

    Of some rows, of which those far from all others do not count. There are no directions, unless
    half as many of them as features keep 96 % of the variance.
    """
    some = np.asarray(x[random.permutation(len(x))[:_SAMPLE]], np.float64)
    middle = np.median(some[: _SAMPLE // 4], axis=0)
    some -= middle
    far = np.abs(some).max()
    some /= far if far > 0 else 1.0
    lengths = np.sqrt(np.einsum("ij,ij->i", some, some))
    common = float(np.median(lengths))
    common = common if common > 0 else 1.0
    scale = Scale(middle, 1.0 / common / (far if far > 0 else 1.0))
    if x.shape[1] < _FEWEST:
        return scale, np.empty((0, 0), np.float32)
    near = np.asarray(some[lengths <= _FAR * common] / common, np.float32)
    return scale, _directions(near - near.mean(axis=0))


def projected(x: np.ndarray, scale: Scale, directions: np.ndarray) -> np.ndarray:
    """Samples along directions, or along all features if there are none: float32."""
    out = np.empty((len(x), directions.shape[1] or x.shape[1]), np.float32)
    _project(x, scale.middle.astype(x.dtype), x.dtype.type(scale.factor), directions, out)
    return out


def _directions(some: np.ndarray) -> np.ndarray:
    products = np.asarray(_multiply(np.ascontiguousarray(some.T), some), np.float64)
    whole, most = float(np.trace(products)), some.shape[1] // 2
    vectors = min(_VECTORS, most)
    while whole > 0:
        values, found = _greatest(products, vectors)
        kept = np.cumsum(values)
        if kept[-1] >= _SHARE * whole:
            count = int(np.searchsorted(kept, _SHARE * whole)) + 1
            count = min(-(-count // 8) * 8, vectors)  # whole vectors of the processor
            return np.ascontiguousarray(found[:, :count], np.float32)
        if vectors == most:
            break
        vectors = min(2 * vectors, most)
    return np.empty((0, 0), np.float32)


@njit(fastmath={"contract", "reassoc"})
def _make_orthonormal(vectors: Any) -> None:
    """Gram and Schmidt's method, modified; rows that depend on those before become 0."""
    for i in range(vectors.shape[0]):
        before = np.sum(vectors[i] * vectors[i])
        for j in range(i):
            vectors[i] -= np.sum(vectors[i] * vectors[j]) * vectors[j]
        square = np.sum(vectors[i] * vectors[i])
        vectors[i] *= 1.0 / np.sqrt(square) if square > 1e-20 * before else 0.0


def _greatest(products: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """The variances along orthogonal directions that have nearly the greatest, and these.

    By orthogonal iteration, as sums of the variances are all that is needed: a decomposition by
    LAPACK took more time than all comparisons of samples, by threads that waited.
    """
    vectors = np.random.RandomState(0).normal(size=(count, len(products)))
    for _ in range(_STEPS):
        vectors = _multiply(vectors, products)
        _make_orthonormal(vectors)
    values = np.einsum("ij,ij->i", _multiply(vectors, products), vectors)
    return values, np.ascontiguousarray(vectors.T)
