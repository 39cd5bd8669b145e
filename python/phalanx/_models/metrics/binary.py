"""Scores of classes made of scores of two: each label for itself, and their means."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..exceptions import UndefinedMetricWarning, warn_user

# The score of samples that are of a class or not, their ranking, and their weights.
Binary = Callable[[np.ndarray, np.ndarray, Any], float]


def undefined(text: str) -> None:
    """Warn of a metric that is not defined for what was given."""
    warn_user(text, UndefinedMetricWarning)


def is_of(true: np.ndarray, classes: np.ndarray) -> np.ndarray:
    """Samples x classes: whether each sample is of each class, bool."""
    return np.asarray(true[:, None] == classes)


def averaged(
    score: Binary, true: np.ndarray, scores: np.ndarray, average: str | None, weight: Any
) -> Any:
    """The score of each column of samples x labels, or a mean of them.

    `average` is ``"micro"`` (all columns as one), ``"macro"``, ``"weighted"`` (by how many are of
    each label), ``"samples"`` (of rows) or None. Raises ValueError for another.
    """
    if average not in ("micro", "macro", "weighted", "samples", None):
        raise ValueError(
            f"average must be one of None, 'micro', 'macro', 'weighted', 'samples': got {average!r}"
        )
    if true.shape != scores.shape:
        raise ValueError(f"y_true and y_score have different shapes: {true.shape}, {scores.shape}")
    share = np.ones(len(true)) if weight is None else np.asarray(weight, np.float64)
    if average == "micro":
        return score(true.ravel(), scores.ravel(), np.repeat(share, true.shape[1]))
    if average == "samples":
        rows = [score(one, two, None) for one, two in zip(true, scores, strict=True)]
        return float(np.average(rows, weights=weight))
    made = np.array([score(one, two, weight) for one, two in zip(true.T, scores.T, strict=True)])
    if average is None:
        return made
    if average == "macro":
        return float(made.mean())
    sizes = share @ true
    return float(np.average(made, weights=sizes)) if sizes.any() else 0.0
