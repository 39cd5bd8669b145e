"""How good probabilities and rankings of classes are."""

from __future__ import annotations

from typing import Any

import numpy as np


def log_loss(
    y_true: Any,
    y_pred: Any,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Return the mean of -log of the probability of each sample's class, or the sum.

    `y_pred` is samples x classes, in the order of the sorted classes, or the probability of the
    second of two. `labels` are the classes if some are not in `y_true`. Raises ValueError for other
    numbers of classes and for one class without `labels`.
    """
    true = np.asarray(y_true)
    shares = np.asarray(y_pred, np.float64)
    classes = np.unique(true if labels is None else np.asarray(labels))
    if len(classes) < 2:
        raise ValueError(
            f"y_true contains only one label ({classes[0]}). Please provide the list of all "
            "expected class labels explicitly through the labels argument."
        )
    if shares.ndim == 1 or shares.shape[1] == 1:
        shares = np.stack([1 - shares.ravel(), shares.ravel()], axis=1)
    if shares.shape != (len(true), len(classes)):
        raise ValueError(
            f"y_true and y_pred contain different number of classes or samples: {len(classes)} and "
            f"{shares.shape[1]}, {len(true)} and {len(shares)}"
        )
    kind = np.result_type(np.asarray(y_pred).dtype, np.float16)
    least = np.finfo(kind).eps
    own = np.clip(shares, least, 1 - least)[np.arange(len(true)), np.searchsorted(classes, true)]
    loss = -np.log(own)
    if not normalize:
        return float(loss.sum() if sample_weight is None else np.dot(loss, sample_weight))
    return float(np.average(loss, weights=sample_weight))


def roc_auc_score(y_true: Any, y_score: Any, *, sample_weight: Any = None) -> float:
    """Return the chance that a sample of the greater class has a higher score than another.

    Equal scores count a half. Of two classes, one score a sample. Raises ValueError for more
    classes, other lengths and a single class.
    """
    true, score = np.asarray(y_true), np.asarray(y_score, np.float64)
    if true.ndim != 1 or true.shape != score.shape:
        raise ValueError(
            f"roc_auc_score takes one score for each sample, got {true.shape} and {score.shape}"
        )
    classes = np.unique(true)
    if len(classes) != 2:
        raise ValueError(f"roc_auc_score takes two classes, y_true has {len(classes)}")
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    values, places = np.unique(score, return_inverse=True)
    is_high = true == classes[1]
    high = np.bincount(places[is_high], weight[is_high], len(values))
    low = np.bincount(places[~is_high], weight[~is_high], len(values))
    below = np.cumsum(low) - low
    return float((high * (below + low / 2)).sum() / (high.sum() * low.sum()))
