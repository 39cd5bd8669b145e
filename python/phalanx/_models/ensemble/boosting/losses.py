"""Losses of boosting: their values, gradients and best constants, of raw predictions.

Raw predictions are classes x samples, with one row but of several classes. Losses of log links are
halves of deviances; constants that depend on targets alone are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .... import njit, prange


class Loss(NamedTuple):
    """A loss. `best` is of targets and weights; `value` is one of each sample.

    `share` is the quantile that leaves take of what is left; None if they take Newton's step.
    """

    gradients: str
    has_hessians: bool
    best: Callable[[np.ndarray, np.ndarray | None], Any]
    value: Callable[[np.ndarray, np.ndarray], np.ndarray]
    share: float | None = None


@cache
def _derivatives() -> Any:
    """Functions of a target and a raw prediction: the first and the second derivative, by name."""

    @njit
    def squared(y: Any, raw: Any, q: Any) -> Any:
        return raw - y, 1.0

    @njit
    def pinball(y: Any, raw: Any, q: Any) -> Any:
        return (1.0 - q if y < raw else -q), 1.0

    @njit
    def absolute(y: Any, raw: Any, q: Any) -> Any:
        return (1.0 if y < raw else -1.0), 1.0

    @njit
    def poisson(y: Any, raw: Any, q: Any) -> Any:
        mean = math.exp(raw)
        return mean - y, mean

    @njit
    def gamma(y: Any, raw: Any, q: Any) -> Any:
        ratio = y * math.exp(-raw)
        return 1.0 - ratio, ratio

    @njit
    def binary(y: Any, raw: Any, q: Any) -> Any:
        share = 1.0 / (1.0 + math.exp(-raw))
        return share - y, share * (1.0 - share)

    names = (squared, pinball, absolute, poisson, gamma, binary)
    return dict(
        zip(("squared", "pinball", "absolute", "poisson", "gamma", "binary"), names, strict=True)
    )


@cache
def gradients_of(name: str) -> Any:
    """A function that writes the weighted derivatives of each sample."""
    both = _derivatives()[name]

    @njit(parallel=True)
    def gradients(y: Any, raw: Any, weight: Any, q: Any, first: Any, second: Any) -> None:
        for i in prange(y.shape[0]):
            g, h = both(y[i], raw[i], q)
            first[i] = g * weight[i]
            second[i] = h * weight[i]

    return gradients


@cache
def gradients_of_classes() -> Any:
    """A function that writes the weighted derivatives of each sample by each class's prediction."""

    @njit(parallel=True)
    def gradients(y: Any, raw: Any, weight: Any, first: Any, second: Any) -> None:
        for i in prange(y.shape[0]):
            most = raw[0, i]
            for k in range(1, raw.shape[0]):
                most = max(most, raw[k, i])
            total = 0.0
            for k in range(raw.shape[0]):
                total += math.exp(raw[k, i] - most)
            for k in range(raw.shape[0]):
                share = math.exp(raw[k, i] - most) / total
                own = 1.0 if y[i] == k else 0.0
                first[k, i] = (share - own) * weight[i]
                second[k, i] = share * (1.0 - share) * weight[i]

    return gradients


def quantile_of(values: np.ndarray, weight: np.ndarray | None, share: float) -> float:
    """The quantile of some values, between neighbors; of weighted ones that with the weight."""
    if weight is None:
        return float(np.quantile(values, share))
    order = np.argsort(values, kind="stable")
    sums = np.cumsum(weight[order])
    # Weights of 0 at the begin do not count for a share of 0.
    place = np.searchsorted(sums, max(share * sums[-1], np.nextafter(0, 1)))
    return float(values[order[min(place, len(values) - 1)]])


def _mean(y: np.ndarray, weight: np.ndarray | None) -> float:
    return float(np.average(y, weights=weight))


def _log_mean(y: np.ndarray, weight: np.ndarray | None) -> float:
    return math.log(max(_mean(y, weight), np.finfo(np.float64).tiny))


def _log_odds(y: np.ndarray, weight: np.ndarray | None) -> float:
    small = float(np.finfo(np.float64).eps)
    share = min(max(_mean(y, weight), small), 1 - small)
    return math.log(share / (1 - share))


def _log_shares(classes: int) -> Callable[[np.ndarray, np.ndarray | None], np.ndarray]:
    def best(y: np.ndarray, weight: np.ndarray | None) -> np.ndarray:
        counts = np.bincount(y.astype(np.int64), weight, minlength=classes)
        shares = counts / counts.sum()
        small = np.finfo(np.float64).eps
        logs = np.log(np.clip(shares, small, 1 - small))
        return np.asarray(logs - logs.mean())

    return best


def _pinball(share: float) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    def value(y: np.ndarray, raw: np.ndarray) -> np.ndarray:
        left = y - raw[0]
        return np.asarray(np.where(left >= 0, share * left, (share - 1) * left))

    return value


def _quantile(share: float) -> Callable[[np.ndarray, np.ndarray | None], float]:
    return lambda y, weight: quantile_of(y, weight, share)


def _of_classes(y: np.ndarray, raw: np.ndarray) -> np.ndarray:
    most = raw.max(axis=0)
    total = most + np.log(np.exp(raw - most).sum(axis=0))
    return np.asarray(total - raw[y.astype(np.int64), np.arange(len(y))])


def loss_of(name: str, *, quantile: float | None = None, classes: int = 2) -> Loss:
    """The loss of a name; quantiles have a share, and ``"log_loss"`` a number of classes."""
    if name == "quantile":
        share = 0.5 if quantile is None else float(quantile)
        return Loss("pinball", False, _quantile(share), _pinball(share), share)
    if name == "log_loss" and classes > 2:
        return Loss("classes", True, _log_shares(classes), _of_classes)
    return _NUMBERS[name]


_NUMBERS = {
    "squared_error": Loss("squared", False, _mean, lambda y, raw: 0.5 * (y - raw[0]) ** 2),
    "absolute_error": Loss(
        "absolute", False, _quantile(0.5), lambda y, raw: np.abs(y - raw[0]), 0.5
    ),
    "poisson": Loss("poisson", True, _log_mean, lambda y, raw: np.exp(raw[0]) - y * raw[0]),
    "gamma": Loss("gamma", True, _log_mean, lambda y, raw: raw[0] + y * np.exp(-raw[0])),
    "log_loss": Loss(
        "binary", True, _log_odds, lambda y, raw: np.logaddexp(0, raw[0]) - y * raw[0]
    ),
}
