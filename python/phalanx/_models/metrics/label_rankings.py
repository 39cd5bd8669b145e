"""How well scores rank the labels of each sample."""

from __future__ import annotations

from typing import Any

import numpy as np

from .checks import checked_weights, kind_of, refuse_lengths, refuse_nan, scores_of

_RANKED = ("multilabel-indicator", "continuous-multioutput", "multiclass-multioutput")


def _several(y_true: Any, y_score: Any, weight: Any) -> tuple[np.ndarray, np.ndarray, Any]:
    """Which labels each sample has, and the labels' scores: samples x labels; and weights.

    Raises ValueError for other shapes and lengths, none, NaN and infinities.
    """
    refuse_lengths(y_true, y_score, weight)
    true, scores = np.asarray(y_true), scores_of(y_score, "y_score")
    refuse_nan(true, "y_true")
    if not true.size:
        raise ValueError(f"Found array with 0 sample(s) or labels (shape={true.shape})")
    kind = kind_of(true)
    is_column = kind == "binary" and true.ndim == 2
    if kind != "multilabel-indicator" and not is_column:
        raise ValueError(f"{kind} format is not supported")
    if true.shape != scores.shape:
        raise ValueError("y_true and y_score have different shape")
    return true != 0, scores, checked_weights(weight, len(true))


def _not_below(scores: np.ndarray, counted: np.ndarray) -> np.ndarray:
    """How many of the counted labels of the sample have at least the score of each label."""
    count = scores.shape[1]
    order = np.argsort(scores, axis=1)
    ranked = np.take_along_axis(scores, order, axis=1)
    before = np.cumsum(np.take_along_axis(counted, order, axis=1), axis=1)
    before = np.concatenate([np.zeros((len(scores), 1), before.dtype), before], axis=1)
    is_first = np.ones(scores.shape, bool)
    is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    # Of equal scores the first place in order counts for all.
    first = np.maximum.accumulate(np.where(is_first, np.arange(count), 0), axis=1)
    made = np.empty(scores.shape, np.int64)
    found = before[:, -1:] - np.take_along_axis(before, first, axis=1)
    np.put_along_axis(made, order, found, axis=1)
    return made


def coverage_error(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return how far down the ranks of labels one must go for all of a sample's, on average.

    Of G. Tsoumakas et al., "Mining multi-label data" (2010). `y_true` are zeros and ones, samples x
    labels, with a score for each. Samples without labels count 0. Raises ValueError for other
    shapes and lengths, none, NaN and infinities.

    >>> from phalanx.ml.metrics import coverage_error
    >>> round(coverage_error([[1, 0, 0], [0, 1, 0]], [[0.8, 0.1, 0.1], [0.2, 0.3, 0.5]]), 4)
    1.5
    """
    is_own, scores, weight = _several(y_true, y_score, sample_weight)
    if is_own.shape[1] == 1:
        raise ValueError("binary format is not supported")
    ranks = _not_below(scores, np.ones_like(is_own))
    return float(np.average(np.where(is_own, ranks, 0).max(axis=1), weights=weight))


def label_ranking_average_precision_score(
    y_true: Any, y_score: Any, *, sample_weight: Any = None
) -> float:
    """Return the share of a sample's labels among those with at least the score of each of them.

    It is the mean over these and over samples; those with all labels, or none, count 1. Of
    G. Tsoumakas et al. (2010). Arguments and errors are `coverage_error`'s.
    """
    is_own, scores, weight = _several(y_true, y_score, sample_weight)
    shares = _not_below(scores, is_own) / _not_below(scores, np.ones_like(is_own))
    count = is_own.sum(axis=1)
    means = np.where(is_own, shares, 0).sum(axis=1) / np.maximum(count, 1)
    means[(count == 0) | (count == is_own.shape[1])] = 1
    return float(np.average(means, weights=weight))


def label_ranking_loss(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the share of pairs of a sample's label and another whose score is not below it.

    It is the mean over samples; those with all labels, or none, count 0. Of G. Tsoumakas et al.
    (2010). Arguments and errors are `coverage_error`'s.

    >>> from phalanx.ml.metrics import label_ranking_loss
    >>> round(label_ranking_loss([[1, 0, 0], [0, 1, 0]], [[0.8, 0.1, 0.1], [0.2, 0.3, 0.5]]), 4)
    0.25
    """
    is_own, scores, weight = _several(y_true, y_score, sample_weight)
    wrong = np.where(is_own, _not_below(scores, ~is_own), 0).sum(axis=1)
    count = is_own.sum(axis=1)
    pairs = count * (is_own.shape[1] - count)
    return float(np.average(wrong / np.maximum(pairs, 1), weights=weight))


def _gains(y_true: Any, y_score: Any, weight: Any) -> tuple[np.ndarray, np.ndarray, Any]:
    refuse_lengths(y_true, y_score, weight)
    true, scores = scores_of(y_true, "y_true"), scores_of(y_score, "y_score")
    if true.shape != scores.shape:
        raise ValueError(f"y_true and y_score have different shapes: {true.shape}, {scores.shape}")
    kind = kind_of(true)
    if kind not in _RANKED and not (kind == "binary" and true.ndim == 2):
        raise ValueError(f"Only {_RANKED} formats are supported. Got {kind} instead")
    if not true.size:
        raise ValueError(f"Found array with 0 sample(s) (shape={true.shape})")
    return true, scores, checked_weights(weight, len(true))


def _discounted(
    true: np.ndarray, scores: np.ndarray, k: int | None, base: float, *, ignore_ties: bool
) -> np.ndarray:
    """The sum of each row's gains by the logarithms of their ranks; of equal scores the mean."""
    discounts = np.log(base) / np.log(np.arange(true.shape[1]) + 2.0)
    if k is not None:
        discounts[k:] = 0
    # Of equal scores the last is first, as in scikit-learn.
    order = np.argsort(scores, axis=1)[:, ::-1]
    gains = np.take_along_axis(true, order, axis=1)
    if ignore_ties:
        return np.asarray(gains @ discounts)
    ranked = np.take_along_axis(scores, order, axis=1)
    is_first = np.ones(scores.shape, bool)
    is_first[:, 1:] = ranked[:, 1:] != ranked[:, :-1]
    group = np.cumsum(is_first.ravel()) - 1
    sizes = np.bincount(group)
    means = np.bincount(group, gains.ravel()) / sizes
    shares = np.bincount(group, np.tile(discounts, len(true)))
    rows = np.repeat(np.arange(len(true)), is_first.sum(axis=1))
    return np.bincount(rows, means * shares, len(true))


def _refuse_ranks(k: Any, log_base: float) -> None:
    if k is not None and (isinstance(k, bool) or not isinstance(k, (int, np.integer)) or k < 1):
        raise ValueError(f"k must be an int of at least 1 or None, got {k!r}")
    if not log_base > 0:
        raise ValueError(f"log_base must be a number above 0, got {log_base!r}")


def dcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    log_base: float = 2,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return the sum of gains by the logarithms of their ranks, on average over samples.

    `y_true` are the gains of labels, samples x labels, which `y_score` ranks; only the first `k`
    ranks count. Equal scores get the mean of their gains (F. McSherry and M. Najork, "Computing
    information retrieval performance measures efficiently in the presence of tied scores", 2008),
    unless `ignore_ties`. Raises ValueError for other shapes, lengths and options, none, NaN.

    >>> from phalanx.ml.metrics import dcg_score
    >>> round(dcg_score([[3, 2, 0]], [[0.9, 0.2, 0.4]]), 4)
    4.0
    """
    _refuse_ranks(k, log_base)
    true, scores, weight = _gains(y_true, y_score, sample_weight)
    made = _discounted(true, scores, k, log_base, ignore_ties=ignore_ties)
    return float(np.average(made, weights=weight))


def ndcg_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int | None = None,
    sample_weight: Any = None,
    ignore_ties: bool = False,
) -> float:
    """Return `dcg_score` of each sample by that of the best ranking, on average over samples.

    Samples without gains count 0 (K. Jarvelin and J. Kekalainen, "Cumulated gain-based evaluation
    of IR techniques", 2002). Raises what `dcg_score` raises, and ValueError for negative gains and
    a single label.

    >>> from phalanx.ml.metrics import ndcg_score
    >>> round(ndcg_score([[3, 2, 0]], [[0.9, 0.2, 0.4]]), 4)
    0.9386
    """
    _refuse_ranks(k, 2)
    true, scores, weight = _gains(y_true, y_score, sample_weight)
    if true.min() < 0:
        raise ValueError("ndcg_score should not be used on negative y_true values.")
    if true.shape[1] <= 1:
        raise ValueError(
            "Computing NDCG is only meaningful when there is more than 1 document. Got "
            f"{true.shape[1]} instead."
        )
    made = _discounted(true, scores, k, 2, ignore_ties=ignore_ties)
    best = _discounted(true, true, k, 2, ignore_ties=True)
    shares = np.divide(made, best, out=np.zeros(len(made)), where=best != 0)
    return float(np.average(shares, weights=weight))
