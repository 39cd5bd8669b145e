"""How well classes are predicted."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exceptions import warn_user
from .checks import pair_of_labels


def accuracy_score(
    y_true: Any, y_pred: Any, *, normalize: bool = True, sample_weight: Any = None
) -> float:
    """Return the share of samples whose class is predicted, or unless `normalize` their weight.

    Raises what `pair_of_labels` raises.
    """
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    hits = true == predicted
    if hits.ndim == 2:
        hits = hits.all(axis=1)
    if not normalize:
        return float(hits.sum() if sample_weight is None else np.dot(hits, sample_weight))
    return float(np.average(hits, weights=sample_weight))


def _pair(y_true: Any, y_pred: Any, sample_weight: Any) -> tuple[np.ndarray, np.ndarray]:
    true, predicted = pair_of_labels(y_true, y_pred, sample_weight)
    if true.ndim != 1:
        raise ValueError(
            f"multilabel-indicator is not supported: samples x labels of shape {true.shape}"
        )
    return true, predicted


def confusion_matrix(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    sample_weight: Any = None,
    normalize: str | None = None,
) -> np.ndarray:
    """Return how many samples, or their weight, have each true class and each predicted one.

    True classes are rows; `labels` says which, in order. `normalize` is ``"true"``, ``"pred"``,
    ``"all"`` or None: what sums up to 1. Counts are int64, others float64. Raises what
    `pair_of_labels` raises, and ValueError for samples x labels, for a `normalize` that is none of
    these, and if no label is in `y_true`.
    """
    true, predicted = _pair(y_true, y_pred, sample_weight)
    classes = np.unique(np.concatenate([true, predicted])) if labels is None else np.asarray(labels)
    if labels is not None and not np.isin(classes, true).any():
        raise ValueError("At least one label specified must be in y_true")
    order = np.argsort(classes, kind="stable")
    known = np.isin(true, classes) & np.isin(predicted, classes)
    rows, columns = (
        order[np.searchsorted(classes, each[known], sorter=order)] for each in (true, predicted)
    )
    count = len(classes)
    weight = None if sample_weight is None else np.asarray(sample_weight, np.float64)[known]
    made = np.bincount(rows * count + columns, weight, count * count).reshape(count, count)
    if normalize is None:
        return made
    axes: dict[str, Any] = {"true": 1, "pred": 0, "all": (0, 1)}
    if normalize not in axes:
        raise ValueError(f"normalize must be one of 'true', 'pred', 'all', None: got {normalize!r}")
    total = made.sum(axis=axes[normalize], keepdims=True)
    return np.divide(made, total, out=np.zeros(made.shape), where=total != 0)


def balanced_accuracy_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, adjusted: bool = False
) -> float:
    """Return the mean over classes of the share that is predicted; `adjusted`: 0 is chance.

    Raises what `confusion_matrix` raises; warns of classes that are predicted only.
    """
    table = confusion_matrix(y_true, y_pred, sample_weight=sample_weight)
    there = table.sum(axis=1) > 0
    if not there.all():
        warn_user("y_pred contains classes not in y_true")
    score = float(np.mean(table.diagonal()[there] / table.sum(axis=1)[there]))
    if not adjusted:
        return score
    if there.sum() == 1:
        return float("nan")  # one class has nothing beyond chance
    chance = 1 / int(there.sum())
    return (score - chance) / (1 - chance)
