"""Features less their centers, of linear models whose intercept has no penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..sparse_samples import SparseSamples
from .lbfgs import Minimum


class Centers:
    """The centers of features: coefficients for samples, and for samples less their centers.

    Scores of centered samples by the same coefficients, and by the intercept plus their product
    with the centers, are those of the samples. A penalty on coefficients is thus the same, and
    features far from zero, as times, hardly differ from the intercept's own column before.
    """

    def __init__(self, centers: np.ndarray) -> None:
        self.centers = centers

    def start(self, table: np.ndarray) -> np.ndarray:
        """The same scores' coefficients, rows x features and the intercept, for centered ones."""
        return self._moved(table, 1)

    def found(self, least: Minimum, rows: int) -> Minimum:
        """The place of a minimum over centered samples, flat, for the samples themselves.

        Intercepts of several classes have the sum 0, as no loss depends on it.
        """
        table = self._moved(least.place.reshape(rows, -1), -1)
        if rows > 1:
            table[:, -1] -= table[:, -1].mean()
        return least._replace(place=table.ravel())

    def _moved(self, table: np.ndarray, sign: int) -> np.ndarray:
        made = table.copy()
        made[:, -1] += sign * (table[:, :-1] @ self.centers)
        return made


class Centered(Centers):
    """Samples less the weighted means of their features: an intercept takes the rest."""

    def __init__(self, x: ndarray | SparseSamples, weight: ndarray | None) -> None:
        self.x: ndarray | SparseSamples
        if isinstance(x, SparseSamples):
            self.x = SparseCentered(x, weight)
            super().__init__(self.x.centers)
            return
        centers = centers_of(x, weight)
        self.x = x - centers
        # Of samples in which numbers of both ends of the dtype's range meet.
        if not bool(px.isfinite(px.sum(self.x))):
            centers = px.zeros_like(centers)
            self.x = x
        super().__init__(np.asarray(centers, np.float64))


def centers_of(x: ndarray, weight: ndarray | None) -> Any:
    """The means of features, as the first sample and a rest that is 0 where all are the same."""
    apart = (x - x[0]).astype(np.float64)
    if weight is None:
        means = px.mean(apart, axis=0)
    else:
        share = weight.astype(np.float64)
        means = px.sum(apart * (share / px.sum(share))[:, None], axis=0)
    return (x[0].astype(np.float64) + means).astype(x.dtype)


class SparseCentered(SparseSamples):
    """Sparse samples less the means of their features, which products take away, not the values."""

    def __init__(self, x: SparseSamples, weight: ndarray | None) -> None:
        super().__init__(x.values, x.columns, x.ends, x.shape)
        self._whole = x
        self._share = np.full(x.shape[0], 1 / x.shape[0])
        if weight is not None:
            host = np.asarray(weight, np.float64)
            self._share = host / host.sum()
        self.centers = x.feature_sums(x.values * self._share[x.rows])

    def scores(self, rows: Any) -> ndarray:
        """``self @ rows.T`` in the samples' dtype, an array of ours on the host."""
        table = np.asarray(rows, np.float64)
        made = self._whole.times(table.T) - table @ self.centers
        return px.asarray(made.astype(self.dtype, copy=False), device=self.device)

    def sums(self, table: Any) -> np.ndarray:
        """``table.T @ self`` in float64, columns of the table x features."""
        right = np.asarray(table, np.float64)
        return self._whole.sums(right) - np.outer(right.sum(axis=0), self.centers)

    def mean_sizes(self) -> np.ndarray:
        """The weighted means of the absolute values of each feature's differences."""
        x, share = self._whole, self._share[self._whole.rows]
        sizes = np.abs(x.values - self.centers[x.columns]) * share
        rest = 1 - np.bincount(x.columns, share, minlength=x.shape[1])
        return x.feature_sums(sizes) + np.maximum(rest, 0) * np.abs(self.centers)
