"""The logistic loss of samples and its slopes, each in two passes over the samples."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import products
from ..sparse_samples import SparseSamples

# Coefficients, one row for two classes, else one a class, with the intercept last; flat.
Loss = Callable[[np.ndarray], tuple[float, np.ndarray]]
_SMALL = 1 << 20  # elements that NumPy takes less time for than a call of ours


def _small_on_host(x: Any, *others: Any) -> tuple[Any, ...]:
    """Few samples of float64 on the host and what belongs to them as NumPy's arrays."""
    if isinstance(x, SparseSamples) or x.dtype != np.float64 or x.size > _SMALL:
        return x, *others
    if not x._device.is_host:
        return x, *others
    return np.asarray(x), *(each if each is None else np.asarray(each) for each in others)


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
    x, codes, weight = _small_on_host(x, codes, weight)
    xp: Any = px if isinstance(x, (ndarray, SparseSamples)) else np
    total = float(x.shape[0] if weight is None else xp.sum(weight, dtype=np.float64))

    def given(host: np.ndarray) -> Any:
        return host if xp is np else px.asarray(host, device=x.device)

    if rows == 1:
        of_scores = _two_classes(xp, codes.astype(x.dtype))
    else:
        of_scores = _classes(xp, codes[:, None] == given(np.arange(rows)))

    @np.errstate(over="ignore", invalid="ignore", divide="ignore", under="ignore")
    def loss(flat: np.ndarray) -> tuple[float, np.ndarray]:
        table = flat.reshape(rows, -1)
        own = table[:, :features]
        w = given(own.astype(x.dtype))
        scores = products.scores(x, w)
        if intercept:
            scores = scores + given(table[:, -1].astype(x.dtype))
        losses, errors = of_scores(scores)
        if weight is not None:
            losses, errors = losses * weight, errors * weight[:, None]
        value = float(xp.sum(losses, dtype=np.float64)) / total
        slopes = np.empty_like(table)
        if rows == 1:
            slopes[0, :features] = products.weighted_sum(x, errors[:, 0]) / total
        else:
            slopes[:, :features] = products.sums(x, errors) / total
        if intercept:
            slopes[:, -1] = np.asarray(xp.sum(errors, axis=0, dtype=np.float64)) / total
        slopes += squares * table
        return value + 0.5 * float((squares * table * table).sum()), slopes.ravel()

    return loss


def _two_classes(xp: Any, is_second: Any) -> Callable[[Any], tuple[Any, Any]]:
    def of_scores(scores: Any) -> tuple[Any, Any]:
        score = scores[:, 0]
        small = xp.exp(-xp.abs(score))
        losses = xp.log1p(small) + xp.maximum(score, 0) - is_second * score
        share = xp.where(score >= 0, 1 / (1 + small), small / (1 + small))
        return losses, (share - is_second)[:, None]

    return of_scores


def _classes(xp: Any, own: Any) -> Callable[[Any], tuple[Any, Any]]:
    def of_scores(scores: Any) -> tuple[Any, Any]:
        apart = scores - xp.max(scores, axis=1)[:, None]
        powers = xp.exp(apart)
        sums = xp.sum(powers, axis=1)
        losses = xp.log(sums) - xp.sum(xp.where(own, apart, 0), axis=1)
        return losses, powers / sums[:, None] - own.astype(scores.dtype)

    return of_scores
