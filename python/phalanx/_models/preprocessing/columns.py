"""What is known of columns: counts, means, variances, extremes and quantiles without NaN.

Sums are float64 whatever the dtype of the samples; results are NumPy's arrays, one value a column.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..sparse_loops import by_column, spreads
from ..sparse_samples import SparseSamples
from .column_loops import host_extremes, is_on_host

_TOGETHER = 1 << 16  # numbers of columns that are sorted in one call


class Moments(NamedTuple):
    """The weight of the numbers of each column, their mean and their variance."""

    weight: np.ndarray
    mean: np.ndarray
    variance: Any  # None where it is not asked for

    def merged(self, other: Moments) -> Moments:
        """The moments of both parts' samples.

        By T. Chan, G. Golub and R. LeVeque, "Updating formulae and a pairwise algorithm for
        computing sample variances" (1979).
        """
        weight = self.weight + other.weight
        is_there = weight > 0
        share = np.divide(other.weight, weight, out=np.zeros_like(weight), where=is_there)
        first, second = np.nan_to_num(self.mean), np.nan_to_num(other.mean)
        mean = np.where(is_there, first + (second - first) * share, np.nan)
        if self.variance is None or other.variance is None:
            return Moments(weight, mean, None)
        within = np.nan_to_num(self.variance) * (1 - share) + np.nan_to_num(other.variance) * share
        between = (second - first) ** 2 * share * (1 - share)
        return Moments(weight, mean, np.where(is_there, within + between, np.nan))


def _sums(values: Any) -> np.ndarray:
    return np.asarray(px.sum(values, axis=0, dtype=np.float64))


def moments(
    x: ndarray | SparseSamples, sample_weight: ndarray | None = None, *, variance: bool = True
) -> Moments:
    """The moments of each column of samples, without what is NaN."""
    if isinstance(x, SparseSamples):
        return _sparse_moments(x, sample_weight, variance=variance)
    count, features = x.shape
    share: Any = 1.0 if sample_weight is None else sample_weight.astype(np.float64)[:, None]
    total = _sums(x * share)
    gaps: Any = px.isnan(x) if np.isnan(total).any() else None
    if gaps is not None:
        weight = _sums(px.where(gaps, 0.0, share))
        total = _sums(px.where(gaps, 0.0, x * share))
    else:
        all_weight = count if sample_weight is None else float(_sums(share)[0])
        weight = np.full(features, all_weight, np.float64)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / weight
        if not variance:
            return Moments(weight, mean, None)
        squares = (x - px.asarray(mean, device=x.device)) ** 2 * share
        if gaps is not None:
            squares = px.where(gaps, 0.0, squares)
        return Moments(weight, mean, _sums(squares) / weight)


def _sparse_moments(x: SparseSamples, sample_weight: Any, *, variance: bool) -> Moments:
    """The moments of columns; what is not there is 0, in one sum with the square of the mean."""
    if sample_weight is None and np.isfinite(x.facts.total):
        return _whole_sparse_moments(x, variance=variance)
    share = np.ones(len(x)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    of_values, is_there = share[x.rows], ~np.isnan(x.values)
    values = np.where(is_there, x.values, 0).astype(np.float64)
    weight = share.sum() - x.feature_sums(of_values * ~is_there)
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = x.feature_sums(values * of_values) / weight
        if not variance:
            return Moments(weight, mean, None)
        apart = np.where(is_there, values - mean[x.columns], 0)
        zeros = weight - x.feature_sums(of_values * is_there)
        squares = x.feature_sums(apart * apart * of_values) + zeros * mean * mean
        return Moments(weight, mean, squares / weight)


def _whole_sparse_moments(x: SparseSamples, *, variance: bool) -> Moments:
    """The moments of columns without weights and gaps, in fewer passes."""
    weight = np.full(x.shape[1], float(len(x)))
    mean = x.sums_by_group(np.zeros(len(x), np.int64), np.ones(len(x)), 1)[0] / len(x)
    if not variance:
        return Moments(weight, mean, None)
    squares, count = spreads(x.values, x.columns, mean)
    return Moments(weight, mean, (squares + (len(x) - count) * mean * mean) / weight)


def _sparse_extremes(x: SparseSamples) -> tuple[np.ndarray, np.ndarray]:
    low, high = (np.full(x.shape[1], np.nan, x.dtype) for _ in range(2))
    np.fmin.at(low, x.columns, x.values)
    np.fmax.at(high, x.columns, x.values)
    has_zeros = np.bincount(x.columns, minlength=x.shape[1]) < x.shape[0]
    low[has_zeros], high[has_zeros] = np.fmin(low[has_zeros], 0), np.fmax(high[has_zeros], 0)
    return low, high


def extremes(x: ndarray | SparseSamples) -> tuple[np.ndarray, np.ndarray]:
    """The least and the largest number of each column; NaN where there is none."""
    if isinstance(x, SparseSamples):
        return _sparse_extremes(x)
    if x.dtype.kind == "f" and is_on_host(x):
        return host_extremes(x)
    low, high = np.asarray(px.min(x, axis=0)), np.asarray(px.max(x, axis=0))
    if np.isnan(low).any():
        low, high = np.asarray(px.fmin.reduce(x, axis=0)), np.asarray(px.fmax.reduce(x, axis=0))
    return low, high


def quantiles(x: Any, shares: Any) -> np.ndarray:
    """The quantiles of each column at some shares from 0 to 1, shares x columns.

    Columns are sorted on the host: by parts only, as far as the shares need; short ones together.
    """
    made = []
    step = max(1, _TOGETHER // max(x.shape[0], 1))
    for first in range(0, x.shape[1], step):
        block = np.array(x[:, first : first + step])
        if np.isnan(block).any() or not len(block):
            made += [_quantiles(column, shares)[:, None] for column in block.T]
        else:
            made.append(np.quantile(block, shares, axis=0))
    return np.concatenate(made, axis=1)


def _quantiles(column: np.ndarray, shares: Any) -> np.ndarray:
    there = column[~np.isnan(column)]
    if not len(there):
        return np.full(np.shape(shares), np.nan, column.dtype)
    return np.asarray(np.quantile(there, shares))


def scales(scale: np.ndarray, constant: np.ndarray | None = None) -> np.ndarray:
    """What to divide columns by: 1 for those that are constant, up to rounding."""
    if constant is None:
        constant = scale < 10 * np.finfo(scale.dtype).eps
    return np.where(constant, 1, scale).astype(scale.dtype, copy=False)


def is_constant(found: Moments) -> np.ndarray:
    """True for columns whose variance is less than the rounding errors of its sum.

    The bound is that of a sum in two passes in T. Chan, G. Golub and R. LeVeque, "Algorithms for
    computing the sample variance" (1983).
    """
    eps = np.finfo(np.float64).eps
    bound = found.weight * eps * found.variance + (found.weight * found.mean * eps) ** 2
    return np.asarray(found.variance <= bound)


def scaled_values(x: SparseSamples, scale: Any) -> np.ndarray:
    """The values of sparse samples, each divided by its column's number, in their dtype."""
    return by_column(x.values, x.columns, np.asarray(scale), divides=True)


def unscaled_values(x: SparseSamples, scale: Any) -> np.ndarray:
    """The values of sparse samples, each times its column's number, in their dtype."""
    return by_column(x.values, x.columns, np.asarray(scale), divides=False)
