"""How far predictions of numbers are off."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


def r2_score(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the coefficient of determination, 1 less the share of the variance that is left.

    Of several targets it is the mean. A constant target gives 1 where it is met, else 0. Raises
    ValueError for other shapes; warns, and gives NaN, for fewer than two samples.
    """
    true, predicted = np.asarray(y_true, np.float64), np.asarray(y_pred, np.float64)
    if true.shape != predicted.shape:
        raise ValueError(
            f"y_true and y_pred have different shapes: {true.shape} and {predicted.shape}"
        )
    if len(true) < 2:
        warnings.warn("R^2 score is not well-defined with less than two samples.", stacklevel=2)
        return float("nan")
    true, predicted = true.reshape(len(true), -1), predicted.reshape(len(true), -1)
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    left = weight @ (true - predicted) ** 2
    whole = weight @ (true - np.average(true, axis=0, weights=weight)) ** 2
    share = np.divide(left, whole, out=np.where(left == 0, 0.0, 1.0), where=whole != 0)
    return float(np.mean(1 - share))
