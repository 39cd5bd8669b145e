"""Precision, recall and what is made of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..options import UnsupportedInputError
from .binary import undefined
from .checks import pair_of_labels
from .classification import confusion_matrix

_AVERAGES = ("binary", "micro", "macro", "weighted", None)
_SCORES = ("Precision", "Recall", "F-score")


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
    Raises what `confusion_matrix` raises, ValueError for a class `pos_label` that is not there,
    and for more than two classes where the average is binary, and NotImplementedError for samples x
    labels, which scikit-learn takes.
    """
    options = _Options(average, beta, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES, options)


class _Options(NamedTuple):
    average: str | None
    beta: float
    labels: Any
    pos_label: Any
    sample_weight: Any
    zero_division: Any


def _scores(
    y_true: Any, y_pred: Any, warns_of: tuple[str, ...], options: _Options
) -> tuple[Any, Any, Any, Any]:
    """The scores; only those that are named in `warns_of` warn of shares of nothing."""
    average, beta, labels, pos_label, sample_weight, zero_division = options
    if average not in _AVERAGES:
        raise ValueError(f"average has to be one of {_AVERAGES}, got {average!r}")
    there = classes_there(y_true, y_pred)
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
    square = beta * beta
    parts = ((hits, predicted), (hits, true), ((1 + square) * hits, square * true + predicted))
    precision, recall, score = (
        share_of(*part, zero_division, name if name in warns_of else "")
        for part, name in zip(parts, _SCORES, strict=True)
    )
    if average is None:
        return precision, recall, score, true
    weight = true if average == "weighted" and true.sum() > 0 else np.ones(len(true))
    means = (float(np.average(each, weights=weight)) for each in (precision, recall, score))
    return (*means, None)  # type: ignore[return-value]


def classes_there(y_true: Any, y_pred: Any) -> np.ndarray:
    """The sorted classes, true and predicted.

    Raises what `pair_of_labels` raises, and UnsupportedInputError for samples x labels.
    """
    true, predicted = pair_of_labels(y_true, y_pred)
    if true.ndim == 2:
        raise UnsupportedInputError(
            f"multilabel-indicator is not supported by phalanx.ml: samples x labels of shape "
            f"{true.shape}; score each column, or use scikit-learn's function for it"
        )
    return np.unique(np.concatenate([true, predicted]))


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
    """Hits by totals; `zero_division` where there are none, with a warning for ``"warn"``.

    It does not warn without a name.
    """
    if zero_division == "warn" and name and (total == 0).any():
        undefined(f"{name} is ill-defined and being set to 0.0 where there are no samples.")
    nothing = 0.0 if zero_division == "warn" else float(zero_division)
    return np.divide(hits, total, out=np.full(len(hits), nothing), where=total != 0)


def precision_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of samples predicted of a class that are of it.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    options = _Options(average, 1.0, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES[:1], options)[0]


def recall_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the share of samples of a class that are predicted so.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    options = _Options(average, 1.0, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES[1:2], options)[1]


def f1_score(
    y_true: Any,
    y_pred: Any,
    *,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return the harmonic mean of precision and recall.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    options = _Options(average, 1.0, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES[2:], options)[2]


def fbeta_score(
    y_true: Any,
    y_pred: Any,
    *,
    beta: float,
    labels: Any = None,
    pos_label: Any = 1,
    average: str | None = "binary",
    sample_weight: Any = None,
    zero_division: Any = "warn",
) -> Any:
    """Return a mean of precision and recall in which recall counts `beta` times as much.

    Keywords and errors are `precision_recall_fscore_support`'s.
    """
    options = _Options(average, beta, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES[2:], options)[2]
