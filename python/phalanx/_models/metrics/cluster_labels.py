"""How well two labellings of the same samples agree, whatever the names of their labels."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..exceptions import warn_user
from .checks import refuse_lengths, refuse_nan


def contingency_matrix(labels_true: Any, labels_pred: Any) -> np.ndarray:
    """Return how many samples have each pair of labels, true x predicted, int64.

    Raises ValueError for labels that are not one a sample, NaN, and for other lengths; warns of
    numbers with fractions.
    """
    true, predicted = np.asarray(labels_true), np.asarray(labels_pred)
    for name, labels in (("labels_true", true), ("labels_pred", predicted)):
        if labels.ndim != 1:
            raise ValueError(f"{name} must be 1D: shape is {labels.shape!r}")
        refuse_nan(labels, name)
        if labels.dtype.kind == "f" and (labels != np.floor(labels)).any():
            warn_user(f"Clustering metrics expects discrete values, but {name} has fractions")
    refuse_lengths(true, predicted)
    classes, rows = np.unique(true, return_inverse=True)
    clusters, columns = np.unique(predicted, return_inverse=True)
    pairs = rows * len(clusters) + columns
    counts = np.bincount(pairs, minlength=len(classes) * len(clusters))
    return counts.reshape(len(classes), len(clusters))


def rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the share of pairs of samples that both labellings join, or both part."""
    both, total, true, predicted = _pairs(labels_true, labels_pred)
    return 1.0 if total == 0 else (total + 2 * both - true - predicted) / total


def adjusted_rand_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the Rand index less what chance gives, so that 1 is agreement and 0 chance.

    Of L. Hubert and P. Arabie, "Comparing partitions" (1985). Raises what `contingency_matrix`
    raises.
    """
    both, total, true, predicted = _pairs(labels_true, labels_pred)
    if true == predicted == both:
        return 1.0
    chance = true * predicted / total
    return (both - chance) / ((true + predicted) / 2 - chance)


def _pairs(labels_true: Any, labels_pred: Any) -> tuple[float, float, float, float]:
    """How many pairs of samples are joined by both, are there, are joined by each."""
    table = contingency_matrix(labels_true, labels_pred)

    def pairs(counts: Any) -> float:
        return float((counts.astype(np.float64) * (counts - 1) / 2).sum())

    return pairs(table), pairs(table.sum()), pairs(table.sum(axis=1)), pairs(table.sum(axis=0))


def entropy(counts: np.ndarray) -> float:
    """Return the entropy of labels that so many samples have, in natural units."""
    shares = counts[counts > 0] / max(counts.sum(), 1)
    return abs(float((shares * np.log(shares)).sum()))


def mutual_info_score(labels_true: Any, labels_pred: Any) -> float:
    """Return how much one labelling says about the other, in natural units.

    Raises what `contingency_matrix` raises.
    """
    return _mutual(contingency_matrix(labels_true, labels_pred))


def _mutual(table: np.ndarray) -> float:
    joint = entropy(table)
    return max(entropy(table.sum(axis=1)) + entropy(table.sum(axis=0)) - joint, 0.0)


_MEANS: dict[str, Callable[[float, float], float]] = {
    "min": min,
    "max": max,
    "arithmetic": lambda one, other: (one + other) / 2,
    "geometric": lambda one, other: (one * other) ** 0.5,
}


def normalized_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Return the mutual information by a mean of both entropies, in [0, 1].

    `average_method` is ``"min"``, ``"max"``, ``"arithmetic"`` or ``"geometric"``; raises ValueError
    for another, and what `contingency_matrix` raises.
    """
    if average_method not in _MEANS:
        raise ValueError(f"'average_method' must be one of {[*_MEANS]}. Got {average_method!r}")
    table = contingency_matrix(labels_true, labels_pred)
    if min(table.shape) <= 1:
        return float(max(table.shape) <= 1)
    mean = _MEANS[average_method](entropy(table.sum(axis=1)), entropy(table.sum(axis=0)))
    return _mutual(table) / mean


def adjusted_mutual_info_score(
    labels_true: Any, labels_pred: Any, *, average_method: str = "arithmetic"
) -> float:
    """Return the mutual information less what chance gives, so that 1 is agreement and 0 chance.

    Of N. Vinh, J. Epps and J. Bailey, "Information theoretic measures for clusterings comparison"
    (2010); `average_method` and errors are `normalized_mutual_info_score`'s.
    """
    if average_method not in _MEANS:
        raise ValueError(f"'average_method' must be one of {[*_MEANS]}. Got {average_method!r}")
    table = contingency_matrix(labels_true, labels_pred)
    if max(table.shape) <= 1 or (table.shape[0] == table.shape[1] == table.sum()):
        return 1.0
    true, predicted = table.sum(axis=1), table.sum(axis=0)
    chance = _expected_mutual(true, predicted)
    mean = _MEANS[average_method](entropy(true), entropy(predicted))
    apart = mean - chance
    least = float(np.finfo(np.float64).eps)
    apart = min(apart, -least) if apart < 0 else max(apart, least)
    return (_mutual(table) - chance) / apart


def _expected_mutual(true: np.ndarray, predicted: np.ndarray) -> float:
    """The mean mutual information of labellings with these numbers of samples."""
    count = int(true.sum())
    logs = np.append(0.0, np.cumsum(np.log(np.arange(1, count + 1))))  # of factorials
    total = 0.0
    for one in true:
        for other in predicted:
            both = np.arange(max(1, one + other - count), min(one, other) + 1)
            parts = logs[one] + logs[other] + logs[count - one] + logs[count - other]
            parts -= logs[count] + logs[count - one - other + both]
            chance = np.exp(parts - logs[both] - logs[one - both] - logs[other - both])
            share = both / count * np.log(count * both / (float(one) * float(other)))
            total += float((share * chance).sum())
    return total


def fowlkes_mallows_score(labels_true: Any, labels_pred: Any) -> float:
    """Return the geometric mean of the shares of joined pairs that the other labelling joins.

    Of E. Fowlkes and C. Mallows (1983). Raises what `contingency_matrix` raises.
    """
    both, _, true, predicted = _pairs(labels_true, labels_pred)
    return (both / true) ** 0.5 * (both / predicted) ** 0.5 if both else 0.0


def pair_confusion_matrix(labels_true: Any, labels_pred: Any) -> np.ndarray:
    """Return how many ordered pairs of samples each labelling parts and joins, 2 x 2, int64.

    Raises what `contingency_matrix` raises.
    """
    both, total, true, predicted = _pairs(labels_true, labels_pred)
    made = [[total - true - predicted + both, predicted - both], [true - both, both]]
    return np.array(2 * np.array(made), np.int64)


def homogeneity_completeness_v_measure(
    labels_true: Any, labels_pred: Any, *, beta: float = 1.0
) -> tuple[float, float, float]:
    """Return whether clusters have one class each, whether classes are in one cluster, and a mean.

    Of A. Rosenberg and J. Hirschberg, "V-measure" (2007); `beta` above 1 weighs completeness more.
    Raises what `contingency_matrix` raises.
    """
    table = contingency_matrix(labels_true, labels_pred)
    mutual = _mutual(table)
    classes, clusters = entropy(table.sum(axis=1)), entropy(table.sum(axis=0))
    homogeneity = mutual / classes if classes else 1.0
    completeness = mutual / clusters if clusters else 1.0
    below = beta * homogeneity + completeness
    measure = (1 + beta) * homogeneity * completeness / below if below else 0.0
    return homogeneity, completeness, measure


def homogeneity_score(labels_true: Any, labels_pred: Any) -> float:
    """Return whether each cluster has samples of one class only, in [0, 1]."""
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[0]


def completeness_score(labels_true: Any, labels_pred: Any) -> float:
    """Return whether all samples of a class are in one cluster, in [0, 1]."""
    return homogeneity_completeness_v_measure(labels_true, labels_pred)[1]


def v_measure_score(labels_true: Any, labels_pred: Any, *, beta: float = 1.0) -> float:
    """Return the harmonic mean of homogeneity and completeness, in [0, 1]."""
    return homogeneity_completeness_v_measure(labels_true, labels_pred, beta=beta)[2]
