"""Linear models of numbers, from products of features that are added up over blocks."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..._models.linear_model import least_squares
from ..._models.linear_model.regression import Data
from .blocks import Blocks
from .moments import Moments, moments_of, triangle_of, uncentered
from .results import OverBlocks, over_blocks

# As for one process: below it products of features are not exact enough.
_WELL_CONDITIONED = 1e-6


def _rows_of(products: np.ndarray) -> np.ndarray:
    """A square matrix with these products of its columns: it does for the samples."""
    values, vectors = np.linalg.eigh(products)
    return np.asarray(np.sqrt(np.maximum(values, 0))[:, None] * vectors.T)


def _data(model: Any, blocks: Blocks, *, exact: bool) -> tuple[Data, np.dtype]:
    """Few rows with the products of all samples and targets, and the dtype of the results."""
    found = moments_of(blocks)
    has_means = bool(model.fit_intercept)
    middle = found.mean if has_means else np.zeros_like(found.mean)
    features = found.features
    products = found.products if has_means else uncentered(found)
    values = np.linalg.eigvalsh(products[:features, :features])
    is_safe = found.samples > features and values[0] > _WELL_CONDITIONED * values[-1]
    rows = _rows_of(products) if is_safe or not exact else triangle_of(blocks, middle)
    data = Data(
        px.asarray(np.ascontiguousarray(rows[:, :features])),
        px.asarray(np.ascontiguousarray(rows[:, features:])),
        None,
        middle[:features],
        middle[features:],
        _has_one(found, model),
    )
    return data, found.dtype


def _has_one(found: Moments, model: Any) -> bool:
    return found.has_one_target or (model._flattens and len(found.mean) == found.features + 1)


def _in_dtype(data: Data, dtype: np.dtype) -> Data:
    return data._replace(x=data.x.astype(dtype))


@over_blocks("predict")
class LinearRegression(OverBlocks, least_squares.LinearRegression):
    """`phalanx.ml.LinearRegression` over arrays and frames of Dask's: one read of the samples.

    Where features are nearly dependent, or more than the samples, a second read finds the
    triangular factor of the samples.
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        data, dtype = _data(self, Blocks(self, X, y, sample_weight), exact=True)
        self._keep(None, _in_dtype(data, dtype), self._solve(data))
        return self


@over_blocks("predict")
class Ridge(OverBlocks, least_squares.Ridge):
    """`phalanx.ml.Ridge` over arrays and frames of Dask's: one read of the samples."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Find the coefficients. Raises TypeError for what is not Dask's, else as one process."""
        self._check_options()
        has_none = not np.all(np.asarray(self.alpha))
        data, dtype = _data(self, Blocks(self, X, y, sample_weight), exact=has_none)
        self._keep(None, _in_dtype(data, dtype), self._solution(data))
        self._keep_solver()
        return self
