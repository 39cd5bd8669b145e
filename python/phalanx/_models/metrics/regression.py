"""How far predictions of numbers are off."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np


def r2_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    multioutput: Any = "uniform_average",
    force_finite: bool = True,
) -> Any:
    """Return the coefficient of determination, 1 less the share of the variance that is left.

    Of several targets it is their mean, one each (``"raw_values"``), or a mean by weights or by the
    targets' variances. A constant target gives 1 where it is met, else 0; unless `force_finite` NaN
    or -infinity. Raises ValueError for other shapes; warns, and gives NaN, for fewer than two
    samples.
    """
    true, errors = errors_of(y_true, y_pred)
    if len(true) < 2:
        warnings.warn("R^2 score is not well-defined with less than two samples.", stacklevel=2)
        return float("nan")
    weight = np.ones(len(true)) if sample_weight is None else np.asarray(sample_weight, np.float64)
    left = weight @ errors**2
    whole = weight @ (true - np.average(true, axis=0, weights=weight)) ** 2
    if force_finite:
        made = 1 - np.divide(left, whole, out=np.where(left == 0, 0.0, 1.0), where=whole != 0)
    else:
        with np.errstate(divide="ignore", invalid="ignore"):
            made = 1 - left / whole
    if isinstance(multioutput, str) and multioutput == "variance_weighted":
        return float(np.average(made, weights=whole if whole.any() else None))
    return over_targets(made, multioutput)


def errors_of(y_true: Any, y_pred: Any) -> tuple[np.ndarray, np.ndarray]:
    """Targets and errors, float64, samples x targets."""
    true, predicted = np.asarray(y_true, np.float64), np.asarray(y_pred, np.float64)
    if true.shape != predicted.shape:
        raise ValueError(
            f"y_true and y_pred have different shapes: {true.shape} and {predicted.shape}"
        )
    true = true.reshape(len(true), -1)
    return true, true - predicted.reshape(len(true), -1)


def mean_of(values: np.ndarray, sample_weight: Any, multioutput: Any) -> Any:
    """The mean over samples, of each target or their mean."""
    return over_targets(np.average(values, axis=0, weights=sample_weight), multioutput)


def over_targets(values: np.ndarray, multioutput: Any) -> Any:
    """A number of each target, or a mean of them. Raises ValueError for other `multioutput`."""
    if isinstance(multioutput, str):
        if multioutput not in ("raw_values", "uniform_average"):
            raise ValueError(
                "multioutput must be 'raw_values', 'uniform_average' or an array of weights, got "
                f"{multioutput!r}"
            )
        return values if multioutput == "raw_values" else float(values.mean())
    return float(np.average(values, weights=multioutput))


def mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of squared errors, of each target or their mean (`multioutput`).

    Raises ValueError for other shapes and other `multioutput`, as all of this module do.
    """
    return mean_of(errors_of(y_true, y_pred)[1] ** 2, sample_weight, multioutput)


def root_mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the root of the mean of squared errors, of each target or their mean."""
    squares = mean_squared_error(
        y_true, y_pred, sample_weight=sample_weight, multioutput="raw_values"
    )
    return over_targets(np.sqrt(squares), multioutput)


def mean_absolute_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of the sizes of errors, of each target or their mean."""
    return mean_of(np.abs(errors_of(y_true, y_pred)[1]), sample_weight, multioutput)


def mean_absolute_percentage_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of errors' sizes by those of the targets, which count as tiny if 0."""
    true, errors = errors_of(y_true, y_pred)
    sizes = np.maximum(np.abs(true), np.finfo(np.float64).eps)
    return mean_of(np.abs(errors) / sizes, sample_weight, multioutput)


def median_absolute_error(y_true: Any, y_pred: Any, *, multioutput: Any = "uniform_average") -> Any:
    """Return the median of the sizes of errors, of each target or the mean of targets."""
    return over_targets(np.median(np.abs(errors_of(y_true, y_pred)[1]), axis=0), multioutput)


def max_error(y_true: Any, y_pred: Any) -> float:
    """Return the greatest size of an error."""
    return float(np.max(np.abs(errors_of(y_true, y_pred)[1])))


def explained_variance_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return 1 less the share of the variance that errors have, of each target or their mean."""
    true, errors = errors_of(y_true, y_pred)

    def variance(values: np.ndarray) -> np.ndarray:
        middle = np.average(values, axis=0, weights=sample_weight)
        return np.average((values - middle) ** 2, axis=0, weights=sample_weight)

    left, whole = variance(errors), variance(true)
    share = np.divide(left, whole, out=np.where(left == 0, 0.0, 1.0), where=whole != 0)
    return over_targets(1 - share, multioutput)
