"""Curves over all thresholds of scores of two classes, and the areas below them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary import undefined
from .checks import checked_weights, refuse_lengths, refuse_nan, scores_of, true_labels


def auc(x: Any, y: Any) -> float:
    """Return the area below a curve, by trapezoids.

    `x` goes up or down. Raises ValueError for fewer than 2 points, other lengths and an `x` that
    turns.
    """
    across, up = np.asarray(x, np.float64).ravel(), np.asarray(y, np.float64).ravel()
    refuse_nan(across, "x")
    refuse_nan(up, "y")
    if len(across) != len(up):
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{len(across)}, {len(up)}]"
        )
    if len(across) < 2:
        raise ValueError(
            "At least 2 points are needed to compute area under curve, but x.shape = "
            f"{across.shape}"
        )
    steps = np.diff(across)
    if (steps < 0).any() and (steps > 0).any():
        raise ValueError(f"x is neither increasing nor decreasing : {across}.")
    area = float((steps * (up[1:] + up[:-1]) / 2).sum())
    return -area if (steps < 0).any() else area


def _is_positive(true: np.ndarray, pos_label: Any) -> np.ndarray:
    classes = np.unique(true)
    if len(classes) > 2:
        raise ValueError("multiclass format is not supported: y_true has more than two classes")
    if pos_label is None:
        if classes.dtype.kind not in "biuf" or not np.isin(classes, (-1, 0, 1)).all():
            raise ValueError(
                f"y_true takes value in {classes.tolist()} and pos_label is not specified: either "
                "make y_true take value in {0, 1} or {-1, 1} or pass pos_label explicitly."
            )
        pos_label = 1
    return np.asarray(true == pos_label)


def counts_at_thresholds(
    y_true: Any, y_score: Any, pos_label: Any, sample_weight: Any
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The weight of others and of positives with at least each score, and the scores, descending.

    Raises ValueError for other lengths, more than two classes, NaN and a positive class that is not
    said.
    """
    refuse_lengths(y_true, y_score, sample_weight)
    true, score = true_labels(y_true), scores_of(y_score, "y_score")
    if true.ndim != 1 or true.shape != score.shape:
        raise ValueError(
            f"y_true and y_score must be one number for each sample, got {true.shape} and "
            f"{score.shape}"
        )
    positive = _is_positive(true, pos_label)
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if weight.shape != true.shape:
        raise ValueError(f"sample_weight.shape == {weight.shape}, expected {true.shape}!")
    there = weight > 0
    values, places = np.unique(score[there], return_inverse=True)
    count = len(values)
    both = weight[there]
    high = np.bincount(places, both * positive[there], count)[::-1]
    low = np.bincount(places, both * ~positive[there], count)[::-1]
    return np.cumsum(low), np.cumsum(high), values[::-1]


def _corners(low: np.ndarray, high: np.ndarray) -> np.ndarray:
    """True for points of a curve that lie on no line between their neighbours."""
    if len(low) <= 2:
        return np.ones(len(low), bool)
    turns = (np.diff(low, 2) != 0) | (np.diff(high, 2) != 0)
    return np.concatenate([[True], turns, [True]])


def _ends(high: np.ndarray) -> np.ndarray:
    """True for the first and the last point of each stretch with the same count."""
    if len(high) <= 2:
        return np.ones(len(high), bool)
    turns = (np.diff(high)[:-1] != 0) | (np.diff(high)[1:] != 0)
    return np.concatenate([[True], turns, [True]])


def roc_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = True,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the shares of others and of positives with at least each threshold, and those.

    Thresholds go down from infinity; `drop_intermediate` leaves out points on lines between others.
    Raises what `counts_at_thresholds` raises; warns, with NaN, where a class has no sample.
    """
    low, high, thresholds = counts_at_thresholds(y_true, y_score, pos_label, sample_weight)
    if drop_intermediate:
        kept = _corners(low, high)
        low, high, thresholds = low[kept], high[kept], thresholds[kept]
    low, high = np.append(0.0, low), np.append(0.0, high)
    shares = []
    for counts, name in ((low, "negative"), (high, "positive")):
        if counts[-1] <= 0:
            undefined(f"No {name} samples in y_true, their rate should be meaningless")
            shares.append(np.full(len(counts), np.nan))
        else:
            shares.append(counts / counts[-1])
    return shares[0], shares[1], np.append(np.inf, thresholds)


def precision_recall_curve(
    y_true: Any,
    y_score: Any,
    *,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return precision and recall with each threshold, ascending, and the thresholds.

    Precision 1 and recall 0 are last, without a threshold. Raises what `counts_at_thresholds`
    raises; warns where no sample is positive, for which recall is 1.
    """
    low, high, thresholds = counts_at_thresholds(y_true, y_score, pos_label, sample_weight)
    if drop_intermediate:
        kept = _ends(high)
        low, high, thresholds = low[kept], high[kept], thresholds[kept]
    all_ = low + high
    precision = np.divide(high, all_, out=np.zeros(len(high)), where=all_ != 0)
    if high[-1] == 0:
        undefined("No positive class found in y_true, recall is set to one for all thresholds.")
        recall = np.ones(len(high))
    else:
        recall = high / high[-1]
    return np.append(precision[::-1], 1.0), np.append(recall[::-1], 0.0), thresholds[::-1]


def det_curve(
    y_true: Any,
    y_score: Any,
    pos_label: Any = None,
    sample_weight: Any = None,
    drop_intermediate: bool = False,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return the shares of others that pass and of positives that do not, and the thresholds.

    Raises ValueError for a single class, and what `counts_at_thresholds` raises.
    """
    low, high, thresholds = counts_at_thresholds(y_true, y_score, pos_label, sample_weight)
    if low[-1] == 0 or high[-1] == 0:
        raise ValueError(
            "Only one class is present in y_true. Detection error tradeoff curve is not defined in "
            "that case."
        )
    low, high = np.append(0.0, low), np.append(0.0, high)
    thresholds = np.append(np.inf, thresholds)
    if drop_intermediate:
        kept = _ends(high)
        low, high, thresholds = low[kept], high[kept], thresholds[kept]
    # From the last threshold that passes no others to the first that all positives pass.
    first = max(int(np.searchsorted(low, low[0], side="right")) - 1, 0)
    last = int(np.searchsorted(high, high[-1])) + 1
    part = slice(first, last)
    passed = (low / low[-1])[part][::-1]
    missed = ((high[-1] - high) / high[-1])[part][::-1]
    return passed, missed, thresholds[part][::-1]


def confusion_matrix_at_thresholds(
    y_true: Any, y_score: Any, pos_label: Any = None, sample_weight: Any = None
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return what a threshold makes right and wrong: how many, or their weight, for each.

    True negatives, false positives, false negatives, true positives, and the thresholds: the
    scores, descending, of samples with at least which the class is predicted. Raises what
    `counts_at_thresholds` raises.
    """
    low, high, thresholds = counts_at_thresholds(y_true, y_score, pos_label, sample_weight)
    return low[-1] - low, low, high[-1] - high, high, thresholds


def metric_at_thresholds(
    y_true: Any,
    y_score: Any,
    metric_func: Any,
    *,
    sample_weight: Any = None,
    metric_params: Any = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Return a metric of what each threshold predicts, and the thresholds, descending.

    ``metric_func(y_true, y_pred, **metric_params)`` is called with zeros and ones for each of the
    scores; where there are weights, those that are not 0 are among its parameters. Raises what
    `counts_at_thresholds` raises.
    """
    refuse_lengths(y_true, y_score, sample_weight)
    true, score = true_labels(y_true), scores_of(y_score, "y_score")
    _is_positive(true, np.unique(true)[-1])
    order = np.argsort(-score, kind="stable")
    given = dict(metric_params or {})
    if sample_weight is not None:
        weight = checked_weights(sample_weight, len(true))
        order = order[weight[order] > 0]  # type: ignore[index]
        given["sample_weight"] = weight[order]  # type: ignore[index]
    true, score = true[order], score[order]
    thresholds = np.unique(score)[::-1]
    made = [metric_func(true, (score >= each).astype(np.int32), **given) for each in thresholds]
    return np.asarray(made), thresholds
