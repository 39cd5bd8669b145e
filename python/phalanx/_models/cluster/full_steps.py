"""Steps of k-means that read all samples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .cluster_sums import ClusterSums
from .distance_kernels import nearest

if TYPE_CHECKING:
    from .kmeans import Data


class FullSteps:
    """The labels of samples while centers move, and the sums of their clusters.

    Centers are less the mean of the samples, as these are in `data.moved`.
    """

    def __init__(self, data: Data, clusters: int) -> None:
        x, centered, middle, sample_weight = data
        self._centered = centered
        self._sums = ClusterSums(x, sample_weight, clusters, middle)
        self._spare: ndarray | None = None  # memory for labels, whose pages are there

    @property
    def labels(self) -> ndarray:
        """The labels of the samples, whose memory later steps may write to."""
        return self._sums.labels

    def move(self, centers: np.ndarray) -> int:
        """Find the nearest of other centers; the number of samples that have another one now."""
        x = self._centered
        labels = nearest(x, px.asarray(centers, device=x.device), self._room())
        self._spare = self._sums.labels
        return self._sums.move(labels)

    def _room(self) -> ndarray:
        """Memory for labels, of which the last ones but one are not needed any more."""
        before = self._sums.labels
        return px.empty_like(before) if self._spare is None else self._spare

    def finish(self, centers: np.ndarray) -> None:
        """Find the labels of the last centers."""
        self.move(centers)

    def means(self, centers: np.ndarray) -> np.ndarray:
        """As `ClusterSums.means`."""
        return self._sums.means(centers)
