"""Truncated singular value decomposition, from products of features added up over blocks."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..._models.decomposition import truncated_svd
from ..._models.decomposition.factors import Factors, by_all, is_tall, of_products
from .blocks import Blocks, Shape
from .moments import Moments, moments_of, triangle_of, uncentered
from .results import OverBlocks, over_blocks


@over_blocks("transform", "inverse_transform")
class TruncatedSVD(OverBlocks, truncated_svd.TruncatedSVD):
    """`phalanx.ml.TruncatedSVD` over arrays and frames of Dask's: one read of the samples.

    Where samples are less than ten times the features, a second read finds the triangular factor of
    the samples, whose singular values are theirs. Both algorithms are exact. Blocks are dense.
    """

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the components. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        blocks = Blocks(self, X)
        found = moments_of(blocks, least=2)
        self._refuse_features(found.samples, found.features)
        factors = self._factors_of(blocks, found)
        parts = factors.vectors[: self.n_components]
        # The variance of the coordinates is that of the samples in their directions.
        variances = np.einsum("ij,jk,ik->i", parts, found.products, parts) / found.samples
        share = variances / (np.trace(found.products) / found.samples)
        self.components_ = parts.astype(found.dtype)
        self.singular_values_ = factors.values[: len(parts)].astype(found.dtype)
        self.explained_variance_ = variances.astype(found.dtype)
        self.explained_variance_ratio_ = share.astype(found.dtype)
        return self

    def _factors_of(self, blocks: Blocks, found: Moments) -> Factors:
        all_: Any = Shape((found.samples, found.features), found.dtype)
        if is_tall(all_):
            return of_products(uncentered(found))
        return by_all(px.asarray(triangle_of(blocks, np.zeros(found.features))))

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components, an array of Dask's."""
        return self.fit(X).transform(X)
