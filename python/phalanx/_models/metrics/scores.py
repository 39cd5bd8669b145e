"""Precision, recall and what is made of them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from .binary import undefined
from .checks import pair_of_labels
from .label_counts import Counts, classes_of_pair, counts_of, made_of, wanted_labels

_AVERAGES = ("binary", "micro", "macro", "weighted", "samples", None)
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

    `average` is ``"binary"`` (of `pos_label`), ``"micro"``, ``"macro"``, ``"weighted"``, of samples
    x labels also ``"samples"``, or None. A share of nothing is `zero_division`, or 0 with a
    warning. `labels` says which classes, or columns, in order. Raises what `pair_of_labels` raises,
    and ValueError for a class `pos_label` that is not there, for more than two classes where the
    average is binary, and for columns that there are not.
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
    counts = averaged_counts(
        y_true, y_pred, average, labels=labels, pos_label=pos_label, weight=sample_weight
    )
    hits, predicted, true = counts[:3]
    square = beta * beta
    parts = ((hits, predicted), (hits, true), ((1 + square) * hits, square * true + predicted))
    precision, recall, score = (
        share_of(*part, zero_division, name if name in warns_of else "")
        for part, name in zip(parts, _SCORES, strict=True)
    )
    if average is None:
        return precision, recall, score, true
    means = (mean_of(each, true, average, sample_weight) for each in (precision, recall, score))
    return (*means, None)  # type: ignore[return-value]


def averaged_counts(
    y_true: Any, y_pred: Any, average: str | None, *, labels: Any, pos_label: Any, weight: Any
) -> Counts:
    """The counts of each class, label or sample, or of all together, that an average is made of.

    Raises what `pair_of_labels` raises, and ValueError for another average, a positive class that
    is not there, and several classes of a binary average.
    """
    if average not in _AVERAGES:
        raise ValueError(f"average has to be one of {_AVERAGES}, got {average!r}")
    true, predicted = pair_of_labels(y_true, y_pred, weight)
    there = classes_of_pair(true, predicted)
    if average == "binary":
        if true.ndim == 2:
            raise ValueError(_not_binary("multilabel-indicator", "'samples'"))
        wanted = positive_class(there, pos_label)
    else:
        wanted = wanted_labels(true, there, labels)
    by_sample = average == "samples"
    counts = counts_of(true, predicted, wanted, None if by_sample else weight, by_sample=by_sample)
    if average == "micro":
        return made_of((np.array([each.sum()]) for each in counts[:3]), counts.total)
    return counts


def mean_of(scores: np.ndarray, true: np.ndarray, average: str, sample_weight: Any) -> float:
    """The mean of the scores of classes, by how many are true, or of samples, by their weight."""
    if average == "samples":
        return float(np.average(scores, weights=sample_weight))
    return float(np.average(scores, weights=true if average == "weighted" and true.any() else None))


def _not_binary(kind: str, more: str) -> str:
    return (
        f"Target is {kind} but average='binary'. Please choose another average setting, one of "
        f"[None, 'micro', 'macro', 'weighted'{more and ', ' + more}]."
    )


def positive_class(there: np.ndarray, pos_label: Any) -> np.ndarray:
    """The positive class. Raises ValueError for more than two classes, and if it is not there."""
    if len(there) > 2:
        raise ValueError(_not_binary("multiclass", ""))
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

    >>> from phalanx.ml.metrics import fbeta_score
    >>> round(fbeta_score([0, 1, 1, 0], [0, 1, 0, 0], beta=2), 4)
    0.5556
    """
    options = _Options(average, beta, labels, pos_label, sample_weight, zero_division)
    return _scores(y_true, y_pred, _SCORES[2:], options)[2]
