"""Scalers over blocks: moments and extremes of features, merged in one read of the samples."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..preprocessing.columns import Moments, extremes, moments
from .source import Block, Source, refuse_no_weight


def _moments(block: Block, variance: bool) -> tuple[Moments, float, bool]:
    """The moments of a block's features, the weight of its samples, and if that is given."""
    weight = block.weight
    total = block.x.shape[0] if weight is None else float(px.sum(weight, dtype=np.float64))
    return moments(block.x, weight, variance=variance), total, weight is not None


def _both(first: Any, second: Any) -> tuple[Moments, float, bool]:
    return first[0].merged(second[0]), first[1] + second[1], first[2] or second[2]


def fit_standard(model: Any, blocks: Source) -> None:
    """Find the means and variances of `StandardScaler`; NaN counts nowhere."""
    found, total, is_weighted = blocks.reduced(_moments, _both, bool(model.with_std))
    refuse_no_weight(total)
    model._moments = found
    model._keep(None, found, whole=not is_weighted)


def _extremes(block: Block) -> tuple[np.ndarray, np.ndarray, int]:
    return *extremes(block.x), int(block.x.shape[0])


def _widest(first: Any, second: Any) -> tuple[np.ndarray, np.ndarray, int]:
    low, high = np.fmin(first[0], second[0]), np.fmax(first[1], second[1])
    return low, high, first[2] + second[2]


def fit_range(model: Any, blocks: Source) -> None:
    """Find the extremes of `MinMaxScaler` and `MaxAbsScaler`; NaN counts nowhere."""
    model._check_range()
    low, high, count = blocks.reduced(_extremes, _widest)
    model._extremes, model.n_samples_seen_ = (low, high), count
    model._keep(None, low, high)
