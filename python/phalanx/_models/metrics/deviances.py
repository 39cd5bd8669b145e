"""Losses of numbers by their distribution, and the shares of them that models explain."""

from __future__ import annotations

from typing import Any

import numpy as np

from .binary import undefined
from .checks import checked_weights, targets_of
from .regression import errors_of, mean_of, over_targets


def mean_pinball_loss(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the mean of errors, those of too low ones times `alpha`, others times 1 - `alpha`.

    Raises ValueError for other shapes, an `alpha` that is not in [0, 1] and other `multioutput`.
    """
    if not 0 <= alpha <= 1:
        raise ValueError(f"alpha must be in the range [0, 1], got {alpha!r}")
    errors = errors_of(y_true, y_pred)[1]
    lost = np.where(errors >= 0, alpha * errors, (alpha - 1) * errors)
    return mean_of(lost, sample_weight, multioutput)


def _logs(y_true: Any, y_pred: Any) -> tuple[np.ndarray, np.ndarray]:
    true, predicted = targets_of(y_true, "y_true"), targets_of(y_pred, "y_pred")
    if (true <= -1).any() or (predicted <= -1).any():
        raise ValueError(
            "Mean Squared Logarithmic Error cannot be used when targets contain values less than "
            "or equal to -1."
        )
    return np.log1p(true), np.log1p(predicted)


def mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the mean of squared errors of ``log(1 + y)``.

    Raises ValueError for numbers up to -1, other shapes and other `multioutput`.
    """
    return mean_of(errors_of(*_logs(y_true, y_pred))[1] ** 2, sample_weight, multioutput)


def root_mean_squared_log_error(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the root of `mean_squared_log_error`, of each target or their mean."""
    squares = mean_squared_log_error(
        y_true, y_pred, sample_weight=sample_weight, multioutput="raw_values"
    )
    return over_targets(np.sqrt(squares), multioutput)


def _one_target(y_true: Any, y_pred: Any) -> tuple[np.ndarray, np.ndarray]:
    true, errors = errors_of(y_true, y_pred)
    if true.shape[1] > 1:
        raise ValueError("Multioutput not supported in this metric")
    return true[:, 0], (true - errors)[:, 0]


def _refuse(true: np.ndarray, predicted: np.ndarray, power: float) -> None:
    text = f"Mean Tweedie deviance error with power={power} can only be used on "
    if 0 < power < 1:
        raise ValueError(f"no Tweedie distribution has power={power}: take p <= 0 or p >= 1")
    if power < 0:
        if (predicted <= 0).any():
            raise ValueError(text + "strictly positive y_pred.")
    elif 1 <= power < 2:
        if (true < 0).any() or (predicted <= 0).any():
            raise ValueError(text + "non-negative y and strictly positive y_pred.")
    elif power >= 2 and ((true <= 0).any() or (predicted <= 0).any()):
        raise ValueError(text + "strictly positive y and y_pred.")


def _times_log(x: np.ndarray, ratio: np.ndarray) -> np.ndarray:
    """``x * log(ratio)``, 0 where x is."""
    return np.where(x == 0, 0.0, x * np.log(np.where(x == 0, 1.0, ratio)))


def mean_tweedie_deviance(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    """Return the mean deviance of a Tweedie distribution.

    `power` 0 is that of squared errors, 1 Poisson's, 2 gamma's, 3 the inverse Gaussian's. Raises
    ValueError for numbers that the distribution has not, for powers between 0 and 1, and for other
    shapes.
    """
    true, predicted = _one_target(y_true, y_pred)
    _refuse(true, predicted, power)
    if power == 0:
        made = (true - predicted) ** 2
    elif power == 1:
        made = 2 * (_times_log(true, true / predicted) - true + predicted)
    elif power == 2:
        made = 2 * (np.log(predicted / true) + true / predicted - 1)
    else:
        own = np.maximum(true, 0) if power < 0 else true
        one, two = 1 - power, 2 - power
        made = 2 * (own**two / (one * two) - true * predicted**one / one + predicted**two / two)
    return float(np.average(made, weights=checked_weights(sample_weight, len(true))))


def mean_poisson_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the mean deviance of Poisson's distribution; see `mean_tweedie_deviance`.

    >>> from phalanx.ml.metrics import mean_poisson_deviance
    >>> round(mean_poisson_deviance([1.0, 2.0], [1.5, 2.0]), 4)
    0.0945
    """
    return mean_tweedie_deviance(y_true, y_pred, sample_weight=sample_weight, power=1)


def mean_gamma_deviance(y_true: Any, y_pred: Any, *, sample_weight: Any = None) -> float:
    """Return the mean deviance of the gamma distribution; see `mean_tweedie_deviance`.

    >>> from phalanx.ml.metrics import mean_gamma_deviance
    >>> round(mean_gamma_deviance([1.0, 2.0], [1.5, 2.0]), 4)
    0.0721
    """
    return mean_tweedie_deviance(y_true, y_pred, sample_weight=sample_weight, power=2)


def _is_too_short(y_pred: Any) -> bool:
    if len(targets_of(y_pred, "y_pred")) >= 2:
        return False
    undefined("D^2 score is not well-defined with less than two samples.")
    return True


def d2_tweedie_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, power: float = 0
) -> float:
    """Return the share of the Tweedie deviance that is explained: 1 less its ratio to the mean's.

    Raises what `mean_tweedie_deviance` raises; warns, and gives NaN, for fewer than two samples.
    """
    if _is_too_short(y_pred):
        return float("nan")
    true, predicted = _one_target(y_true, y_pred)
    sample_weight = checked_weights(sample_weight, len(true))
    middle = np.full(len(true), np.average(true, weights=sample_weight))
    given: dict[str, Any] = {"sample_weight": sample_weight, "power": power}
    return 1 - mean_tweedie_deviance(true, predicted, **given) / mean_tweedie_deviance(
        true, middle, **given
    )


def _quantiles(values: np.ndarray, weight: Any, share: float) -> np.ndarray:
    """The numbers of each column below which a share of the weight lies."""
    if weight is None:
        return np.asarray(np.percentile(values, share * 100, axis=0))
    order = np.argsort(values, axis=0, kind="stable")
    sums = np.cumsum(weight[order], axis=0)
    wanted = np.maximum(share * sums[-1], np.nextafter(0, 1))
    rows = np.minimum((sums < wanted).sum(axis=0), len(values) - 1)
    return np.take_along_axis(np.take_along_axis(values, order, 0), rows[None], 0)[0]


def d2_pinball_score(
    y_true: Any,
    y_pred: Any,
    *,
    sample_weight: Any = None,
    alpha: float = 0.5,
    multioutput: Any = "uniform_average",
) -> Any:
    """Return the share of the pinball loss that is explained: 1 less its ratio to the quantile's.

    Raises what `mean_pinball_loss` raises; warns, and gives NaN, for fewer than two samples.
    """
    if _is_too_short(y_pred):
        return float("nan")
    true, errors = errors_of(y_true, y_pred)
    sample_weight = checked_weights(sample_weight, len(true))
    middle = np.broadcast_to(_quantiles(true, sample_weight, alpha), true.shape)
    given: dict[str, Any] = {"sample_weight": sample_weight, "alpha": alpha}
    left = mean_pinball_loss(true, true - errors, multioutput="raw_values", **given)
    whole = mean_pinball_loss(true, middle, multioutput="raw_values", **given)
    share = np.divide(left, whole, out=np.where(left == 0, 0.0, 1.0), where=whole != 0)
    return over_targets(1 - share, multioutput)


def d2_absolute_error_score(
    y_true: Any, y_pred: Any, *, sample_weight: Any = None, multioutput: Any = "uniform_average"
) -> Any:
    """Return the share of the sizes of errors that is explained, beside the median's."""
    return d2_pinball_score(y_true, y_pred, sample_weight=sample_weight, multioutput=multioutput)
