"""Precision, recall and what is made of them."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from .classification import confusion_matrix

_AVERAGES = ("binary", "micro", "macro", "weighted", None)


def precision_recall_fscore_support(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float = 1.0,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = None,
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> tuple[Any, Any, Any, Any]:
    """Return precision, recall, the F score and the number of samples, of each class or a mean.

    `average` is ``"binary"`` (of `pos_label`), ``"micro"``, ``"macro"``, ``"weighted"`` or None. A
    share of nothing is `zero_division`, or 0 with a warning. `labels` says which classes, in order.
    Raises ValueError for other lengths, for a class `pos_label` that is not there, and for more
    than two classes where the average is binary.
    """
    if average not in _AVERAGES:
        raise ValueError(f"average has to be one of {_AVERAGES}, got {average!r}")
    there = np.unique(np.concatenate([np.asarray(y_true), np.asarray(y_pred)]))
    wanted = there if labels is None else np.asarray(labels)
    if average == "binary":
        wanted = positive_class(there, pos_label)
    every = np.concatenate([wanted, there[~np.isin(there, wanted)]])
    table = confusion_matrix(y_true, y_pred, labels=every, sample_weight=sample_weight)
    kept = slice(len(wanted))
    hits, predicted = table.diagonal()[kept], table.sum(axis=0)[kept]
    true = table.sum(axis=1)[kept]
    if average == "micro":
        hits, predicted, true = (np.array([each.sum()]) for each in (hits, predicted, true))
    precision = share_of(hits, predicted, zero_division, "Precision")
    recall = share_of(hits, true, zero_division, "Recall")
    square = beta * beta
    score = share_of((1 + square) * hits, square * true + predicted, zero_division, "F-score")
    if average is None:
        return precision, recall, score, true
    weight = true if average == "weighted" and true.sum() > 0 else np.ones(len(true))
    means = (float(np.average(each, weights=weight)) for each in (precision, recall, score))
    return (*means, None)  # type: ignore[return-value]


def positive_class(there: np.ndarray, pos_label: Any) -> np.ndarray:
    """The positive class. Raises ValueError for more than two classes, and if it is not there."""
    if len(there) > 2:
        raise ValueError(
            "Target is multiclass but average='binary'. Please choose another average setting, one "
            "of [None, 'micro', 'macro', 'weighted']."
        )
    if pos_label not in there.tolist() and len(there) == 2:
        raise ValueError(
            f"pos_label={pos_label!r} is not a valid label. It should be one of {there.tolist()}"
        )
    return np.array([pos_label])


def share_of(hits: np.ndarray, total: np.ndarray, zero_division: Any, name: str) -> np.ndarray:
    """Hits by totals; `zero_division` where there are none, with a warning for ``"warn"``."""
    if zero_division == "warn" and (total == 0).any():
        warnings.warn(
            f"{name} is ill-defined and being set to 0.0 where there are no samples.", stacklevel=4
        )
    nothing = 0.0 if zero_division == "warn" else float(zero_division)
    return np.divide(hits, total, out=np.full(len(hits), nothing), where=total != 0)


def precision_score(
    y_true: Any, y_pred: Any, *, average: str | None = "binary", **options: Any
) -> Any:
    """Return the share of samples predicted of a class that are of it.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    return precision_recall_fscore_support(y_true, y_pred, average=average, **options)[0]


def recall_score(
    y_true: Any, y_pred: Any, *, average: str | None = "binary", **options: Any
) -> Any:
    """Return the share of samples of a class that are predicted so.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    return precision_recall_fscore_support(y_true, y_pred, average=average, **options)[1]


def f1_score(y_true: Any, y_pred: Any, *, average: str | None = "binary", **options: Any) -> Any:
    """Return the harmonic mean of precision and recall.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    return precision_recall_fscore_support(y_true, y_pred, average=average, **options)[2]


def fbeta_score(
    y_true: Any, y_pred: Any, *, beta: float, average: str | None = "binary", **options: Any
) -> Any:
    """Return a mean of precision and recall in which recall counts `beta` times as much.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    return precision_recall_fscore_support(y_true, y_pred, beta=beta, average=average, **options)[2]
