"""Criteria of splits: how much is explained by the sums of the samples of a node.

Sums of a node are a vector: the number of samples, their weight, and then the weight of each class,
or of regressors the weighted sum of targets. What a split gains is what its sides explain beyond
the node. Of L. Breiman and others, "Classification and Regression Trees" (1984).
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from ... import njit

# Where the weight and the first further sum of a vector are.
WEIGHT, FIRST = 1, 2


@cache
def explained_by(criterion: str) -> Any:
    """A function of sums: what they explain, -inf where a side may not be so."""
    return {
        "gini": _gini,
        "entropy": _entropy,
        "squared_error": _squared_error,
        "poisson": _poisson,
    }[criterion]()


def _gini() -> Any:
    @njit
    def gini(sums: Any) -> Any:
        total = 0.0
        for k in range(FIRST, sums.shape[0]):
            total += sums[k] * sums[k]
        return total / sums[WEIGHT]

    return gini


def _entropy() -> Any:
    @njit
    def entropy(sums: Any) -> Any:
        total = 0.0
        for k in range(FIRST, sums.shape[0]):
            if sums[k] > 0.0:
                total += sums[k] * math.log2(sums[k] / sums[WEIGHT])
        return total

    return entropy


def _squared_error() -> Any:
    @njit
    def squared_error(sums: Any) -> Any:
        return sums[FIRST] * sums[FIRST] / sums[WEIGHT]

    return squared_error


def _poisson() -> Any:
    @njit
    def poisson(sums: Any) -> Any:
        if sums[FIRST] <= 0.0:
            return -np.inf
        return sums[FIRST] * math.log(sums[FIRST] / sums[WEIGHT])

    return poisson


def impurities(criterion: str, sums: np.ndarray, whole: np.ndarray | None) -> np.ndarray:
    """The impurity of each node, of sums of nodes x sums.

    `whole` is what there was to explain: of squared errors the weighted sum of squares, of poisson
    that of y log y; None of classes.
    """
    weight, rest = sums[:, WEIGHT], sums[:, FIRST:]
    if criterion == "gini":
        squares = np.einsum("ij,ij->i", rest, rest)  # a sum over few columns takes 4 times as long
        return np.asarray(1 - squares / weight**2)
    with np.errstate(divide="ignore", invalid="ignore"):
        if criterion == "entropy":
            shares = rest / weight[:, None]
            return np.asarray(-np.where(shares > 0, shares * np.log2(shares), 0).sum(axis=1))
        mean = rest[:, 0] / weight
        if criterion == "squared_error":
            return np.maximum(whole / weight - mean * mean, 0)
        return np.maximum(whole / weight - np.where(mean > 0, mean * np.log(mean), 0), 0)
