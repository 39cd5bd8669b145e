"""Least squares over sparse samples, less their means, which are never taken from them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ..sparse_samples import SparseSamples

if TYPE_CHECKING:
    from .regression import Data

MOST_FEATURES = 512  # of which samples become dense, a part at a time
_PART = 1 << 22  # elements of such a part


class Rows(NamedTuple):
    """Sparse samples less the means of features, each times the root of its weight."""

    x: SparseSamples
    mean: np.ndarray
    root: np.ndarray

    def times(self, w: np.ndarray) -> np.ndarray:
        """The products of all rows with coefficients."""
        return np.asarray((self.x.times(w[:, None])[:, 0] - self.mean @ w) * self.root)

    def sums(self, values: np.ndarray) -> np.ndarray:
        """The sum of all rows, each times its value."""
        shares = values * self.root
        return np.asarray(self.x.sums(shares[:, None])[0] - self.mean * shares.sum())


def rows_of(data: Data) -> Rows:
    """The rows of samples in a problem."""
    assert isinstance(data.x, SparseSamples)
    weight = np.ones(len(data.x)) if data.weight is None else np.asarray(data.weight)
    return Rows(data.x, data.x_mean, np.sqrt(weight))


def products_of(data: Data) -> tuple[np.ndarray, np.ndarray]:
    """The matrices x' x and x' y of few features, weighted, of samples less their means."""
    assert isinstance(data.x, SparseSamples)
    count, features = data.x.shape
    y = np.asarray(data.y, np.float64)
    root = np.ones(count) if data.weight is None else np.sqrt(np.asarray(data.weight))
    gram, cross = np.zeros((features, features)), np.zeros((features, y.shape[1]))
    step = max(1, _PART // max(features, 1))
    for first in range(0, count, step):
        part = slice(first, min(first + step, count))
        rows = (data.x.dense(np.arange(part.start, part.stop)) - data.x_mean) * root[part, None]
        gram += rows.T @ rows
        cross += rows.T @ (y[part] * root[part, None])
    return gram, cross


def squares_of_features(rows: Rows) -> np.ndarray:
    """The sum of each feature's squares over all rows."""
    x, share = rows.x, rows.root * rows.root
    squared = x.with_values(x.values.astype(np.float64) ** 2)
    group = np.zeros(len(x), np.int64)
    made = squared.sums_by_group(group, share, 1)[0]
    return np.maximum(made - share.sum() * rows.mean**2, 0)


class Ending(NamedTuple):
    """The slopes that are left, by those at the beginning, and the most steps."""

    tol: float
    steps: int


def least_squares(
    rows: Rows, target: np.ndarray, alpha: float, ending: Ending
) -> tuple[np.ndarray, int]:
    """The coefficients by which squared errors and alpha times their squares have the least sum.

    Conjugate gradients of M. Hestenes and E. Stiefel (1952) in the form for least squares (CGLS, of
    A. Bjorck, "Numerical Methods for Least Squares Problems", 1996), which never make x' x. With a
    penalty features are counted in units of their own sizes; without one they are not, as the
    smallest of several solutions is wanted.
    """
    units = np.ones(rows.x.shape[1])
    if alpha > 0:
        units = 1 / np.sqrt(squares_of_features(rows) + alpha)
    w = np.zeros(rows.x.shape[1])
    left = target * rows.root
    slope = units * rows.sums(left)
    way, size = slope.copy(), float(slope @ slope)
    least = ending.tol**2 * size
    step = 0
    while size > least and step < ending.steps:
        step += 1
        moved = units * way
        along = rows.times(moved)
        curve = float(along @ along) + alpha * float(moved @ moved)
        if curve <= 0:
            break
        w += (size / curve) * moved
        left -= (size / curve) * along
        slope = units * (rows.sums(left) - alpha * w)
        following = float(slope @ slope)
        way = slope + (following / size) * way
        size = following
    return w, step
