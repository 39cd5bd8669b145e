"""Decompositions over Dask's blocks."""

from __future__ import annotations

from typing import Any, Self

from ..._models.blocks import decomposition as over
from ..._models.decomposition import pca, truncated_svd
from .blocks import Blocks
from .fits import fitted
from .results import OverBlocks, over_blocks


@over_blocks("transform", "inverse_transform", "score_samples")
class PCA(OverBlocks, pca.PCA):
    """`phalanx.ml.PCA` over arrays and frames of Dask's: one read of the samples.

    For ``"full"``, and where samples are less than ten times the features, a second read finds the
    triangular factor of the samples, whose singular values are theirs. All solvers are exact.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit_pca, self, Blocks(self, X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components, an array of Dask's."""
        return self.fit(X).transform(X)


@over_blocks("transform", "inverse_transform")
class TruncatedSVD(OverBlocks, truncated_svd.TruncatedSVD):
    """`phalanx.ml.TruncatedSVD` over arrays and frames of Dask's: one read of the samples.

    Where samples are less than ten times the features, a second read finds the triangular factor of
    the samples, whose singular values are theirs. Both algorithms are exact. Blocks are dense.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit_truncated_svd, self, Blocks(self, X))
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components, an array of Dask's."""
        return self.fit(X).transform(X)
