"""Steps of k-means that read all samples."""

from __future__ import annotations

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .cluster_sums import ClusterSums
from .distance_kernels import nearest


class FullSteps:
    """The labels of samples while centers move, and the sums of their clusters.

    `x` (samples x features); `centered` is the same less `middle`, as centers are.
    """

    def __init__(
        self,
        x: ndarray,
        centered: ndarray,
        middle: ndarray,
        sample_weight: ndarray | None,
        clusters: int,
    ) -> None:
        self._centered = centered
        self._sums = ClusterSums(x, sample_weight, clusters, middle)
        self._spare: ndarray | None = None  # memory for labels, whose pages are there

    @property
    def labels(self) -> ndarray:
        """The labels of the samples."""
        return self._sums.labels

    def move(self, centers: np.ndarray) -> bool:
        """Find the nearest of other centers; True if a sample has another than before."""
        placed = px.asarray(centers, device=self._centered.device)
        labels = nearest(self._centered, placed, self._spare)
        self._spare = self._sums.labels
        return self._sums.move(labels)

    def means(self, centers: np.ndarray) -> np.ndarray:
        """As `ClusterSums.means`."""
        return self._sums.means(centers)
