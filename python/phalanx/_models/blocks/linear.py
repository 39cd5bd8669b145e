"""Linear models of numbers, from products of features that are added up over blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..linear_model.regression import Data
from .moments import Moments, moments_of, triangle_of, uncentered
from .source import Source

# As for one device: below it products of features are not exact enough.
_WELL_CONDITIONED = 1e-6


def _rows_of(products: np.ndarray) -> np.ndarray:
    """A square matrix with these products of its columns: it does for the samples."""
    values, vectors = np.linalg.eigh(products)
    return np.asarray(np.sqrt(np.maximum(values, 0))[:, None] * vectors.T)


def _data(model: Any, blocks: Source, *, exact: bool) -> tuple[Data, Moments]:
    """Few rows with the products of all samples and targets, and the moments of these."""
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
    return data, found


def _has_one(found: Moments, model: Any) -> bool:
    return found.has_one_target or (model._flattens and len(found.mean) == found.features + 1)


def _in_dtype(data: Data, dtype: np.dtype) -> Data:
    return data._replace(x=data.x.astype(dtype))


def fit_least_squares(model: Any, blocks: Source) -> None:
    """Find the coefficients of `LinearRegression`; a second read where `moments` are not enough.

    Where features are nearly dependent, or more than the samples, that finds the triangular factor
    of the samples.
    """
    data, found = _data(model, blocks, exact=True)
    for name in ("rank_", "singular_"):  # which a fit before may have had, and `positive` has not
        vars(model).pop(name, None)
    model._keep(None, _in_dtype(data, found.dtype), model._solve(data))
    if not model.positive:
        model.singular_ = model.singular_.astype(found.dtype)


def fit_ridge(model: Any, blocks: Source) -> None:
    """Find the coefficients of `Ridge`, in one read unless a penalty is 0."""
    has_none = not np.all(np.asarray(model.alpha))
    data, found = _data(model, blocks, exact=has_none)
    model._keep(None, _in_dtype(data, found.dtype), model._solution(data))
    model._keep_solver()


def fit_elastic_net(model: Any, blocks: Source) -> None:
    """Find the coefficients of `ElasticNet` and `Lasso`, in one read."""
    data, found = _data(model, blocks, exact=False)
    coefficients = model._solution(data, found.total, found.dtype)
    model._keep(None, _in_dtype(data, found.dtype), coefficients)
