"""Principal component analysis, from products of features that are added up over blocks."""

from __future__ import annotations

from typing import Any, Self

import phalanx as px

from ..._models.decomposition import pca
from ..._models.decomposition.factors import by_all, is_tall, of_products
from .blocks import Blocks, Shape
from .moments import moments_of, triangle_of
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
        blocks = Blocks(self, X)
        found = moments_of(blocks, least=2)
        all_ = Shape((found.samples, found.features), found.dtype)
        solver = self._solver(all_)  # type: ignore[arg-type]
        wanted = self._wanted(all_, solver)  # type: ignore[arg-type]
        if solver == "covariance_eigh" or (solver != "full" and is_tall(all_)):  # type: ignore[arg-type]
            factors = of_products(found.products)
        else:
            factors = by_all(px.asarray(triangle_of(blocks, found.mean)))
        middle = px.asarray(found.mean.astype(found.dtype))
        self._keep(None, all_, middle, factors, wanted)  # type: ignore[arg-type]
        return self

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x components, an array of Dask's."""
        return self.fit(X).transform(X)
