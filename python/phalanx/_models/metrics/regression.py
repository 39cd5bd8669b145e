"""How far predictions of numbers are off."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary import undefined
from .checks import checked_weights, refuse_lengths, targets_of


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
        undefined("R^2 score is not well-defined with less than two samples.")
        return float("nan")
    given = checked_weights(sample_weight, len(true))
    weight = np.ones(len(true)) if given is None else given
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
    """Targets and errors, float64, samples x targets.

    Raises what `targets_of` raises, and ValueError for other numbers of samples and targets.
    """
    refuse_lengths(y_true, y_pred)
    true, predicted = (
        each.reshape(len(each), -1)
        for each in (targets_of(y_true, "y_true"), targets_of(y_pred, "y_pred"))
    )
    if true.shape != predicted.shape:
        raise ValueError(
            "y_true and y_pred have different number of output "
            f"({true.shape[1]}!={predicted.shape[1]})"
        )
    return true, true - predicted


def mean_of(values: np.ndarray, sample_weight: Any, multioutput: Any) -> Any:
    """The mean over samples, of each target or their mean."""
    weight = checked_weights(sample_weight, len(values))
    return over_targets(np.average(values, axis=0, weights=weight), multioutput)


def over_targets(values: np.ndarray, multioutput: Any) -> Any:
    """A number of each target, or a mean of them. Raises ValueError for other `multioutput`."""
    if isinstance(multioutput, str):
        if multioutput not in ("raw_values", "uniform_average"):
            raise ValueError(
                "multioutput must be 'raw_values', 'uniform_average' or an array of weights, got "
                f"{multioutput!r}"
            )
        return values if multioutput == "raw_values" else float(values.mean())
    if len(np.atleast_1d(multioutput)) != len(values) and multioutput is not None:
        raise ValueError(
            f"There must be equally many custom weights ({len(np.atleast_1d(multioutput))}) as "
            f"outputs ({len(values)})."
        )
    if len(values) == 1 and multioutput is not None:
        raise ValueError("Custom weights are useful only in multi-output cases.")
    return float(np.average(values, weights=multioutput))


def mean_squared_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of squared errors, of each target or their mean (`multioutput`).

    Raises what `errors_of` raises, and ValueError for other `multioutput` and other weights, as all
    of this module do.
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


def median_absolute_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the median of the sizes of errors, of each target or the mean of targets.

    With weights it is the size up to which half of the weight lies, or the middle of two.
    """
    sizes = np.abs(errors_of(y_true, y_pred)[1])
    weight = checked_weights(sample_weight, len(sizes))
    if weight is None:
        return over_targets(np.median(sizes, axis=0), multioutput)
    made = [_weighted_median(each, weight) for each in sizes.T]
    return over_targets(np.array(made), multioutput)


def _weighted_median(values: np.ndarray, weight: np.ndarray) -> float:
    """The median by definition 2 of R. Hyndman and Y. Fan, "Sample quantiles" (1996)."""
    there = weight > 0
    if not there.any():
        return float(values.max())
    order = np.argsort(values[there], kind="stable")
    ranked, sums = values[there][order], np.cumsum(weight[there][order])
    middle = sums[-1] / 2
    place = min(int(np.searchsorted(sums, middle)), len(ranked) - 1)
    if sums[place] - middle > np.finfo(np.float64).eps:
        return float(ranked[place])
    return float((ranked[place] + ranked[min(place + 1, len(ranked) - 1)]) / 2)


def max_error(y_true: Any, y_pred: Any) -> float:
    """Return the greatest size of an error. Raises ValueError for several targets."""
    errors = errors_of(y_true, y_pred)[1]
    if errors.shape[1] > 1:
        raise ValueError("Multioutput not supported in max_error")
    return float(np.max(np.abs(errors)))


def explained_variance_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return 1 less the share of the variance that errors have, of each target or their mean."""
    true, errors = errors_of(y_true, y_pred)
    sample_weight = checked_weights(sample_weight, len(true))

    def variance(values: np.ndarray) -> np.ndarray:
        middle = np.average(values, axis=0, weights=sample_weight)
        return np.average((values - middle) ** 2, axis=0, weights=sample_weight)

    left, whole = variance(errors), variance(true)
    share = np.divide(left, whole, out=np.where(left == 0, 0.0, 1.0), where=whole != 0)
    return over_targets(1 - share, multioutput)
