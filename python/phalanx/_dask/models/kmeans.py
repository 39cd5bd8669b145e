"""k-means over Dask's blocks."""

from __future__ import annotations

from typing import Any, Self

from ..._models.blocks import kmeans as over
from ..._models.cluster import kmeans
from .blocks import Blocks
from .fits import fitted
from .results import OverBlocks, over_blocks


@over_blocks("predict", "transform")
class KMeans(OverBlocks, kmeans.KMeans):
    """`phalanx.ml.KMeans` over arrays and frames of Dask's.

    A step reads the samples once; the centers travel, the samples do not. First centers are drawn
    as one process draws them, from all samples where these are at most 131,072, else from as many
    that are drawn. `labels_` is an array of Dask's.
    """

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        """Find the clusters. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit, self, Blocks(self, X, None, sample_weight))
        self.labels_ = self.predict(X)
        return self
