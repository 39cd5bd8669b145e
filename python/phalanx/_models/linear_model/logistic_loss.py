"""The logistic loss of samples and its slopes, each in two passes over the samples."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import products
from ..sparse_samples import SparseSamples

# Coefficients, one row for two classes, else one a class, with the intercept last; flat.
Loss = Callable[[np.ndarray], tuple[float, np.ndarray]]


def loss_of(
    x: ndarray | SparseSamples,
    codes: ndarray,
    weight: ndarray | None,
    rows: int,
    squares: np.ndarray,
    *,
    intercept: bool,
) -> Loss:
    """The weighted mean of the loss, and half the squares of coefficients times `squares`.

    `codes` are the numbers of the classes. Sums are float64.
    """
    features = x.shape[1]
    total = float(x.shape[0] if weight is None else px.sum(weight, dtype=np.float64))
    of_scores = _two_classes(codes.astype(x.dtype)) if rows == 1 else _classes(codes, rows)

    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        table = flat.reshape(rows, -1)
        own = table[:, :features]
        w = px.asarray(own.astype(x.dtype), device=x.device)
        scores = products.scores(x, w)
        if intercept:
            scores = scores + px.asarray(table[:, -1].astype(x.dtype), device=x.device)
        losses, errors = of_scores(scores)
        if weight is not None:
            losses, errors = losses * weight, errors * weight[:, None]
        value = float(px.sum(losses, dtype=np.float64)) / total
        slopes = np.empty_like(table)
        if rows == 1:
            slopes[0, :features] = products.weighted_sum(x, errors[:, 0]) / total
        else:
            slopes[:, :features] = products.sums(x, errors) / total
        if intercept:
            slopes[:, -1] = np.asarray(px.sum(errors, axis=0, dtype=np.float64)) / total
        slopes += squares * table
        return value + 0.5 * float((squares * table * table).sum()), slopes.ravel()

    return loss


def _two_classes(is_second: ndarray) -> Callable[[ndarray], tuple[ndarray, ndarray]]:
    def of_scores(scores: ndarray) -> tuple[ndarray, ndarray]:
        score = scores[:, 0]
        small = px.exp(-px.abs(score))
        losses = px.log1p(small) + px.maximum(score, 0) - is_second * score
        share = px.where(score >= 0, 1 / (1 + small), small / (1 + small))
        return losses, (share - is_second)[:, None]

    return of_scores


def _classes(codes: ndarray, rows: int) -> Callable[[ndarray], tuple[ndarray, ndarray]]:
    own = codes[:, None] == px.arange(rows, device=codes.device)

    def of_scores(scores: ndarray) -> tuple[ndarray, ndarray]:
        apart = scores - px.max(scores, axis=1)[:, None]
        powers = px.exp(apart)
        sums = px.sum(powers, axis=1)
        losses = px.log(sums) - px.sum(px.where(own, apart, 0), axis=1)
        return losses, powers / sums[:, None] - own.astype(scores.dtype)

    return of_scores
