"""How good probabilities and scores of classes are."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..exceptions import warn_user
from .binary import is_of, undefined
from .checks import refuse_lengths, scores_of, true_labels

_SUM_TOLERANCE = 1e-3


def _classes_of(true: np.ndarray, labels: Any) -> np.ndarray:
    classes = np.unique(true if labels is None else np.asarray(labels))
    if len(classes) < 2:
        raise ValueError(
            f"y_true contains only one label ({classes[0]}). Please provide the list of all "
            "expected class labels explicitly through the labels argument."
        )
    return classes


def _table(true: np.ndarray, chances: Any, classes: np.ndarray) -> np.ndarray:
    """Samples x classes of chances. Raises ValueError for other shapes and no chances."""
    shares = np.asarray(chances, np.float64)
    if shares.ndim == 1 or shares.shape[1] == 1:
        shares = np.stack([1 - shares.ravel(), shares.ravel()], axis=1)
    if shares.shape != (len(true), len(classes)):
        raise ValueError(
            f"y_true and y_pred contain different number of classes or samples: {len(classes)} and "
            f"{shares.shape[1]}, {len(true)} and {len(shares)}"
        )
    if not np.isfinite(shares).all():
        raise ValueError("Input y_prob contains NaN or infinity.")
    if shares.max() > 1 or shares.min() < 0:
        raise ValueError(
            f"y_prob contains values outside of [0, 1]: from {shares.min()} to {shares.max()}"
        )
    if not np.isin(true, classes).all():
        raise ValueError("y_true has labels that are not in labels")
    sums = shares.sum(axis=1)
    if np.abs(sums - 1).max() > _SUM_TOLERANCE:
        warn_user("The y_prob values do not sum to one. Make sure to pass probabilities.")
    return shares


def log_loss(
    y_true: Any,
    y_proba: Any = None,
    *,
    normalize: bool = True,
    sample_weight: Any = None,
    labels: Any = None,
    y_pred: Any = None,
) -> float:
    """Return the mean of -log of the probability of each sample's class, or the sum.

    `y_proba` (or `y_pred`, its former name) is samples x classes, in the order of the sorted
    classes, or the probability of the second of two. `labels` are the classes if some are not in
    `y_true`. Raises ValueError for other numbers of classes, numbers that are no probabilities and
    one class without `labels`; warns where probabilities do not sum up to 1.

    >>> from phalanx.ml.metrics import log_loss
    >>> round(log_loss([0, 1], [[0.9, 0.1], [0.2, 0.8]]), 4)
    0.1643
    """
    given = y_pred if y_proba is None else y_proba
    if given is None:
        raise TypeError("log_loss() needs y_proba")
    refuse_lengths(y_true, given, sample_weight)
    true = true_labels(y_true)
    classes = _classes_of(true, labels)
    shares = _table(true, scores_of(given, "y_proba"), classes)
    least = np.finfo(np.result_type(np.asarray(given).dtype, np.float16)).eps
    own = np.clip(shares, least, 1 - least)[np.arange(len(true)), np.searchsorted(classes, true)]
    loss = -np.log(own)
    if not normalize:
        return float(loss.sum() if sample_weight is None else np.dot(loss, sample_weight))
    return float(np.average(loss, weights=sample_weight))


def d2_log_loss_score(
    y_true: Any, y_proba: Any, *, sample_weight: Any = None, labels: Any = None
) -> float:
    """Return the share of the log loss that is explained: 1 less its ratio to the classes' shares'.

    Raises what `log_loss` raises; warns, and gives NaN, for fewer than two samples.
    """
    refuse_lengths(y_true, y_proba, sample_weight)
    true = true_labels(y_true)
    if len(true) < 2:
        undefined("D^2 score is not well-defined with less than two samples.")
        return float("nan")
    classes = np.unique(true if labels is None else np.asarray(labels))
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    prior = (weight @ is_of(true, classes)) / weight.sum()
    given: dict[str, Any] = {"sample_weight": sample_weight, "labels": labels}
    whole = log_loss(true, np.tile(prior, (len(true), 1)), **given)
    return 1 - log_loss(true, y_proba, **given) / whole


def brier_score_loss(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
    scale_by_half: Any = "auto",
) -> float:
    """Return the mean of squared errors of probabilities, of G. Brier (1950).

    `y_proba` is samples x classes, or the probability of `pos_label` (the greater class) of two.
    The sum over the classes is halved for two, or as `scale_by_half` says. Raises ValueError as
    `log_loss` does.
    """
    refuse_lengths(y_true, y_proba, sample_weight)
    true, shares = true_labels(y_true), np.asarray(y_proba, np.float64)
    if shares.ndim == 1:
        return _brier_of_two(true, shares, sample_weight, (pos_label, labels, scale_by_half))
    classes = _classes_of(true, labels)
    errors = _table(true, shares, classes) - is_of(true, classes)
    made = float(np.average((errors**2).sum(axis=1), weights=sample_weight))
    halves = len(classes) == 2 if scale_by_half == "auto" else scale_by_half
    return made / 2 if halves else made


def _brier_of_two(
    true: np.ndarray, shares: np.ndarray, weight: Any, options: tuple[Any, Any, Any]
) -> float:
    pos_label, labels, scale_by_half = options
    positive = (true == _positive_of(true, pos_label, labels)).astype(np.int64)
    errors = _table(positive, shares, np.array([0, 1]))[:, 1] - positive
    made = float(np.average(errors**2, weights=weight))
    return made if scale_by_half in ("auto", True) else 2 * made


def _positive_of(true: np.ndarray, pos_label: Any, labels: Any) -> Any:
    """The class whose chances are given: the greater of two, of a single one 1.

    Raises ValueError for more than two classes, a `pos_label` that is none, and texts without one.
    """
    classes = np.unique(true if labels is None else np.asarray(labels))
    if len(classes) > 2:
        raise ValueError(
            f"The type of the target inferred from y_true is multiclass, it has {len(classes)} "
            "classes; y_proba should have one column for each"
        )
    if pos_label is None:
        if classes.dtype.kind not in "biuf":
            raise ValueError(
                f"y_true takes value in {classes.tolist()} and pos_label is not specified: pass it "
                "explicitly."
            )
        return 1 if len(classes) == 1 else classes[-1]
    if pos_label not in classes.tolist() and len(classes) == 2:
        raise ValueError(f"pos_label={pos_label!r} is not one of {classes.tolist()}")
    return pos_label


def d2_brier_score(
    y_true: Any,
    y_proba: Any,
    *,
    sample_weight: Any = None,
    pos_label: Any = None,
    labels: Any = None,
) -> float:
    """Return the share of the Brier score that is explained, beside the classes' shares'.

    Raises what `brier_score_loss` raises; warns, and gives NaN, for fewer than two samples.
    """
    refuse_lengths(y_true, y_proba, sample_weight)
    true, shares = true_labels(y_true), np.asarray(y_proba, np.float64)
    if len(true) < 2:
        undefined("D^2 score is not well-defined with less than two samples.")
        return float("nan")
    given: dict[str, Any] = {"sample_weight": sample_weight, "labels": labels}
    given |= {"pos_label": pos_label}
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    if shares.ndim == 1:
        is_positive = true == _positive_of(true, pos_label, labels)
        even = np.full(len(true), np.average(is_positive, weights=weight))
    else:
        classes = np.unique(true if labels is None else np.asarray(labels))
        even = np.tile((weight @ is_of(true, classes)) / weight.sum(), (len(true), 1))
    whole, left = brier_score_loss(true, even, **given), brier_score_loss(true, shares, **given)
    if whole == 0:
        # Nothing is left to explain: scikit-learn divides by 0, too.
        return float("-inf") if left else float("nan")
    return 1 - left / whole


def hinge_loss(
    y_true: Any, pred_decision: Any, *, labels: Any = None, sample_weight: Any = None
) -> float:
    """Return the mean of what scores miss of a margin of 1.

    Scores are one a sample, of the greater of two classes, or samples x classes: then the margin is
    to the highest of the others (K. Crammer and Y. Singer, 2001). Raises ValueError for other
    shapes.

    >>> from phalanx.ml.metrics import hinge_loss
    >>> round(hinge_loss([-1, 1], [-0.5, 2.0]), 4)
    0.25
    """
    refuse_lengths(y_true, pred_decision, sample_weight)
    true, score = true_labels(y_true), scores_of(pred_decision, "pred_decision")
    classes = np.unique(true if labels is None else np.asarray(labels))
    if len(classes) > 2:
        if score.ndim != 2 or score.shape != (len(true), len(classes)):
            raise ValueError(
                "Please include all labels in y_true or pass labels as third argument, and a score "
                f"for each of {len(classes)} classes: the shape of scores is {score.shape}"
            )
        own = is_of(true, classes)
        margin = score[own] - np.where(own, -np.inf, score).max(axis=1)
    else:
        score = score.ravel()
        if score.shape != true.shape:
            raise ValueError(
                "Found input variables with inconsistent numbers of samples: "
                f"[{len(true)}, {len(score)}]"
            )
        # A single class is the lower one, as in scikit-learn.
        is_greater = (true == classes[-1]) & (len(classes) == 2)
        margin = np.where(is_greater, 1, -1) * score
    return float(np.average(np.maximum(1 - margin, 0), weights=sample_weight))
