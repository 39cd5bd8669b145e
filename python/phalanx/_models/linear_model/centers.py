"""Features less their centers, of linear models whose intercept has no penalty."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .lbfgs import Minimum


class Centered:
    """Samples less the weighted means of their features: an intercept takes the rest.

    Scores of centered samples by the same coefficients, and by the intercept plus their product
    with the centers, are those of the samples. A penalty on coefficients is thus the same, and
    features far from zero, as times, hardly differ from the intercept's own column before.
    """

    def __init__(self, x: ndarray, weight: ndarray | None) -> None:
        centers = _centers(x, weight)
        self.x = x - centers
        # Of samples in which numbers of both ends of the dtype's range meet.
        if not bool(px.isfinite(px.sum(self.x))):
            centers = px.zeros_like(centers)
            self.x = x
        self.centers = np.asarray(centers, np.float64)

    def start(self, table: np.ndarray) -> np.ndarray:
        """The same scores' coefficients, rows x features and the intercept, for `x`."""
        return self._moved(table, 1)

    def found(self, least: Minimum, rows: int) -> Minimum:
        """The place of a minimum over `x`, flat, for the samples themselves.

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


def _centers(x: ndarray, weight: ndarray | None) -> Any:
    """The means of features, as the first sample and a rest that is 0 where all are the same."""
    apart = (x - x[0]).astype(np.float64)
    if weight is None:
        means = px.mean(apart, axis=0)
    else:
        share = weight.astype(np.float64)
        means = px.sum(apart * (share / px.sum(share))[:, None], axis=0)
    return (x[0].astype(np.float64) + means).astype(x.dtype)
