"""Areas below curves, also of several classes: scores of how well samples are ranked."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from .binary import averaged, is_of, undefined
from .checks import refuse_lengths, scores_of, true_labels
from .rankings import auc, counts_at_thresholds, precision_recall_curve, roc_curve


def _binary_roc(max_fpr: float | None) -> Any:
    def score(true: np.ndarray, scores: np.ndarray, weight: Any) -> float:
        low, high, _ = counts_at_thresholds(true.astype(np.int64), scores, 1, weight)
        if low[-1] == 0 or high[-1] == 0:
            undefined(
                "Only one class is present in y_true. ROC AUC score is not defined in that case."
            )
            return float("nan")
        if max_fpr is None or max_fpr == 1:
            return auc(np.append(0.0, low / low[-1]), np.append(0.0, high / high[-1]))
        return _partial_area(true, scores, weight, max_fpr)

    return score


def _partial_area(true: np.ndarray, scores: np.ndarray, weight: Any, most: float) -> float:
    """The area up to a share of others, from 0.5 for chance to 1 (D. McClish, 1989)."""
    low, high, _ = roc_curve(true.astype(np.int64), scores, sample_weight=weight)
    stop = int(np.searchsorted(low, most, "right"))
    end = np.interp(most, low[stop - 1 : stop + 1], high[stop - 1 : stop + 1])
    area = auc(np.append(low[:stop], most), np.append(high[:stop], end))
    least = 0.5 * most**2
    return 0.5 * (1 + (area - least) / (most - least))


def _labels_and_scores(y_true: Any, y_score: Any, weight: Any) -> tuple[np.ndarray, np.ndarray]:
    """Classes and float64 scores. Raises ValueError for other lengths, none and NaN."""
    refuse_lengths(y_true, y_score, weight)
    return true_labels(y_true), scores_of(y_score, "y_score")


def roc_auc_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    sample_weight: Any = None,
    max_fpr: float | None = None,
    multi_class: str = "raise",
    labels: Any = None,
) -> Any:
    """Return the chance that a sample of a class has a higher score of it than another.

    Equal scores count a half. `y_score` is one score a sample of the greater of two classes;
    samples x classes, with rows that sum up to 1, of more (`multi_class` is ``"ovr"``, each against
    all others, or ``"ovo"``, each two, of D. Hand and R. Till, 2001); or samples x labels where
    `y_true` says which labels each sample has. `average` says which mean, None all of them;
    `max_fpr` takes the part of the curve with less others. Raises ValueError for other shapes and
    options; warns, and gives NaN, for a single class.
    """
    true, score = _labels_and_scores(y_true, y_score, sample_weight)
    if max_fpr is not None and not 0 < max_fpr <= 1:
        raise ValueError(f"max_fpr must be in the range (0, 1], got {max_fpr!r}")
    if true.ndim == 2 and true.shape[1] > 1:
        return averaged(_binary_roc(max_fpr), true != 0, score, average, sample_weight)
    true = true.ravel()
    if len(np.unique(true)) > 2 or (score.ndim == 2 and score.shape[1] > 2):
        if max_fpr not in (None, 1):
            raise ValueError(
                "Partial AUC computation not available in multiclass setting, 'max_fpr' must be "
                f"set to `None`, received `max_fpr={max_fpr}` instead"
            )
        chosen = (average, multi_class)
        return _of_classes(true, score, chosen, sample_weight, labels)
    score = score[:, 0] if score.ndim == 2 and score.shape[1] == 1 else score
    if score.shape != true.shape:
        raise ValueError(
            f"roc_auc_score takes one score for each sample, got {true.shape} and {score.shape}"
        )
    return _binary_roc(max_fpr)(true == np.unique(true)[-1], score, sample_weight)


def _of_classes(
    true: np.ndarray,
    score: np.ndarray,
    chosen: tuple[str | None, str],
    weight: Any,
    labels: Any,
) -> Any:
    average, multi_class = chosen
    if multi_class not in ("ovo", "ovr"):
        raise ValueError("multi_class must be in ('ovo', 'ovr')")
    classes = _checked_classes(true, score, labels)
    if multi_class == "ovr":
        return averaged(_binary_roc(None), is_of(true, classes), score, average, weight)
    if weight is not None:
        raise ValueError(
            "sample_weight is not supported for multiclass one-vs-one ROC AUC, 'sample_weight' "
            "must be None in this case."
        )
    if average not in ("macro", "weighted"):
        raise ValueError(
            "average must be one of ('macro', 'weighted') for multiclass problems with "
            f"multi_class='ovo', got {average!r}"
        )
    found, sizes = [], []
    for one, other in combinations(range(len(classes)), 2):
        is_one, is_other = true == classes[one], true == classes[other]
        both = is_one | is_other
        areas = [
            _binary_roc(None)(own[both], score[both, column], None)
            for own, column in ((is_one, one), (is_other, other))
        ]
        found.append(np.mean(areas))
        sizes.append(both.mean())
    return float(np.average(found, weights=sizes if average == "weighted" else None))


def _checked_classes(true: np.ndarray, score: np.ndarray, labels: Any) -> np.ndarray:
    """The classes of the columns of scores. Raises ValueError where they do not fit."""
    if score.ndim != 2 or not np.allclose(1, score.sum(axis=1)):
        raise ValueError(
            "Target scores need to be probabilities for multiclass roc_auc, i.e. they should sum "
            "up to 1.0 over classes"
        )
    classes = np.unique(true) if labels is None else np.asarray(labels)
    if labels is not None:
        if not np.array_equal(classes, np.unique(classes)):
            raise ValueError("Parameter 'labels' must be unique and ordered")
        if not np.isin(true, classes).all():
            raise ValueError("'y_true' contains labels not in parameter 'labels'")
    if len(classes) != score.shape[1]:
        raise ValueError(
            f"Number of classes in y_true or labels, {len(classes)}, not equal to the number of "
            f"columns in 'y_score', {score.shape[1]}"
        )
    return classes


def average_precision_score(
    y_true: Any,
    y_score: Any,
    *,
    average: str | None = "macro",
    pos_label: Any = 1,
    sample_weight: Any = None,
) -> Any:
    """Return the mean of precisions, each by the recall that it adds.

    Of two classes one score a sample; of more samples x classes, each against all others, or labels
    as `roc_auc_score` takes them. Raises ValueError for other shapes and options, and for a
    `pos_label` that is not there.
    """
    true, score = _labels_and_scores(y_true, y_score, sample_weight)

    def binary(own: np.ndarray, ranks: np.ndarray, weight: Any) -> float:
        curve = precision_recall_curve(own.astype(np.int64), ranks, sample_weight=weight)
        return max(0.0, float(-np.sum(np.diff(curve[1]) * curve[0][:-1])))

    if true.ndim == 2:
        return averaged(binary, true != 0, score, average, sample_weight)
    classes = np.unique(true)
    if len(classes) > 2:
        return averaged(binary, is_of(true, classes), score, average, sample_weight)
    if pos_label not in classes.tolist() and len(classes) == 2:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. It should be one of {classes.tolist()}"
        )
    return binary(true == pos_label, score.reshape(len(true)), sample_weight)


def _warn_of_perfect(k: int, count: int) -> None:
    if k >= count > 1:
        undefined(
            f"'k' ({k}) greater than or equal to 'n_classes' ({count}) will result in a perfect "
            "score and is therefore meaningless."
        )


def top_k_accuracy_score(
    y_true: Any,
    y_score: Any,
    *,
    k: int = 2,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
) -> float:
    """Return the share of samples whose class has one of the `k` highest scores, or their weight.

    `y_score` is samples x classes, or one score of the second of two. Raises ValueError for other
    shapes, and what `true_labels` and `scores_of` raise; warns where `k` is all classes.
    """
    true, score = _labels_and_scores(y_true, y_score, sample_weight)
    true = true.ravel()
    classes = np.unique(true) if labels is None else np.asarray(labels)
    score = score[:, 0] if score.ndim == 2 and score.shape[1] == 1 else score
    _warn_of_perfect(k, len(classes))
    codes = np.searchsorted(classes, true)
    if not np.array_equal(classes, np.unique(classes)) or not np.isin(true, classes).all():
        raise ValueError("'labels' must be unique, ordered and have all classes of 'y_true'")
    if score.ndim == 1:
        if len(classes) != 2:
            raise ValueError(
                f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of "
                "classes in 'y_score' (2): pass all of them as 'labels'"
            )
        middle = 0.5 if score.min() >= 0 and score.max() <= 1 else 0.0
        hits = (score > middle).astype(np.int64) == codes if k == 1 else np.ones(len(true), bool)
    elif score.shape[1] != len(classes):
        raise ValueError(
            f"Number of classes in 'y_true' ({len(classes)}) not equal to the number of classes in "
            f"'y_score' ({score.shape[1]})."
        )
    else:
        order = np.argsort(score, axis=1, kind="stable")[:, ::-1]
        hits = (order[:, :k] == codes[:, None]).any(axis=1)
    if normalize:
        return float(np.average(hits, weights=sample_weight))
    return float(hits.sum() if sample_weight is None else np.dot(hits, sample_weight))
