"""Decompositions, from products of features that are added up over blocks."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..decomposition.factors import Factors, by_all, is_tall, of_products
from .moments import Moments, moments_of, triangle_of, uncentered
from .source import Shape, Source


def fit_pca(model: Any, blocks: Source) -> None:
    """Find the components of `PCA`: one read of the samples. All solvers are exact.

    For ``"full"``, and where samples are less than ten times the features, a second read finds the
    triangular factor of the samples, whose singular values are theirs.
    """
    found = moments_of(blocks, least=2)
    all_: Any = Shape((found.samples, found.features), found.dtype)
    solver = model._solver(all_)
    wanted = model._wanted(all_, solver)
    if solver == "covariance_eigh" or (solver != "full" and is_tall(all_)):
        factors = of_products(found.products)
    else:
        factors = by_all(px.asarray(triangle_of(blocks, found.mean)))
    middle = px.asarray(found.mean.astype(found.dtype))
    model._keep(None, all_, middle, factors, wanted)


def fit_truncated_svd(model: Any, blocks: Source) -> None:
    """Find the components of `TruncatedSVD`, with a second read as `fit_pca`; blocks are dense."""
    found = moments_of(blocks, least=2)
    model._refuse_features(found.samples, found.features)
    factors = _factors_of(blocks, found)
    parts = factors.vectors[: model.n_components]
    # The variance of the coordinates is that of the samples in their directions.
    variances = np.einsum("ij,jk,ik->i", parts, found.products, parts) / found.samples
    share = variances / (np.trace(found.products) / found.samples)
    model.components_ = parts.astype(found.dtype)
    model.singular_values_ = factors.values[: len(parts)].astype(found.dtype)
    model.explained_variance_ = variances.astype(found.dtype)
    model.explained_variance_ratio_ = share.astype(found.dtype)


def _factors_of(blocks: Source, found: Moments) -> Factors:
    all_: Any = Shape((found.samples, found.features), found.dtype)
    if is_tall(all_):
        return of_products(uncentered(found))
    return by_all(px.asarray(triangle_of(blocks, np.zeros(found.features))))
