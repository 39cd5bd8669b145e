"""Linear models of numbers over Dask's blocks."""

from __future__ import annotations

from typing import Any, Self

from ..._models.blocks import linear as over
from ..._models.linear_model import coordinate_descent, least_squares
from .blocks import Blocks
from .fits import fitted
from .results import Scored, over_blocks


@over_blocks("predict")
class LinearRegression(Scored, least_squares.LinearRegression):
    """`phalanx.ml.LinearRegression` over arrays and frames of Dask's: one read of the samples.

    Where features are nearly dependent, or more than the samples, a second read finds the
    triangular factor of the samples.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit_least_squares, self, Blocks(self, X, y, sample_weight))
        return self


@over_blocks("predict")
class Ridge(Scored, least_squares.Ridge):
    """`phalanx.ml.Ridge` over arrays and frames of Dask's: one read of the samples."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit_ridge, self, Blocks(self, X, y, sample_weight))
        return self


class _Shrunk(Scored, coordinate_descent.ElasticNet):
    """What elastic net and lasso share."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        fitted(over.fit_elastic_net, self, Blocks(self, X, y, sample_weight))
        return self


@over_blocks("predict")
class ElasticNet(_Shrunk):
    """`phalanx.ml.ElasticNet` over arrays and frames of Dask's: one read of the samples."""


@over_blocks("predict")
class Lasso(_Shrunk, coordinate_descent.Lasso):
    """`phalanx.ml.Lasso` over arrays and frames of Dask's: one read of the samples."""
