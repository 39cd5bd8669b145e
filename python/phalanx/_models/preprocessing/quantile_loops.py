"""Values among sorted numbers of their features, in one pass over samples in the host's memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ... import njit, prange

_ROWS, _FEATURES = 256, 64  # of a part, whose quantiles stay in a core's cache


@njit
def _first_above(place: Any, own: Any, low: Any, skips_equal: Any) -> Any:
    high = place.shape[0]
    while low < high:
        middle = (low + high) >> 1
        if place[middle] < own or (skips_equal and place[middle] == own):
            low = middle + 1
        else:
            high = middle
    return low


@njit(parallel=True)
def _between(x: Any, places: Any, values: Any, rules: Any, out: Any) -> None:
    near, top = rules[0], rules[1]
    rows, features = x.shape
    last = places.shape[1] - 1
    across = (features + _FEATURES - 1) // _FEATURES
    for part in prange(((rows + _ROWS - 1) // _ROWS) * across):
        first_row, first_feature = part // across * _ROWS, part % across * _FEATURES
        for j in range(first_feature, min(features, first_feature + _FEATURES)):
            place, value = places[j % places.shape[0]], values[j % values.shape[0]]
            for i in range(first_row, min(rows, first_row + _ROWS)):
                own = x[i, j]
                if own != own or place[0] != place[0]:
                    out[i, j] = own + place[0]
                    continue
                found = _first_above(place, own, 0, False)
                above = min(found, last)
                below = max(_first_above(place, own, found, True) - 1, 0)
                step = 0.5
                if place[above] > place[below]:
                    step = (own - place[below]) / (place[above] - place[below])
                made = value[below] + (value[above] - value[below]) * step
                if own == place[last] or (near > 0.0 and own + near > place[last]):
                    made = max(value[last], top)
                if own == place[0] or (near > 0.0 and own - near < place[0]):
                    made = value[0]
                out[i, j] = made


def shares_of(x: np.ndarray, quantiles: np.ndarray, shares: np.ndarray, near: float) -> np.ndarray:
    """The share of smaller numbers of each value: the middle of those of equal quantiles.

    Samples x features of float64, and shares x features. Values nearer than `near` to an end become
    it. NaN stays, and what a feature without quantiles has becomes it.
    """
    out = np.empty(x.shape)
    places = np.ascontiguousarray(quantiles.T, np.float64)
    _between(x, places, shares[None], np.array([near, 1.0]), out)
    return out


def quantiles_at(
    x: np.ndarray, shares: np.ndarray, quantiles: np.ndarray, near: float
) -> np.ndarray:
    """The quantile at each share: the inverse of `shares_of`."""
    out = np.empty(x.shape)
    values = np.ascontiguousarray(quantiles.T, np.float64)
    _between(x, shares[None], values, np.array([near, -np.inf]), out)
    return out


@njit(parallel=True)
def _numbers(x: Any, ends: Any, out: Any) -> None:
    rows, features = x.shape
    across = (features + _FEATURES - 1) // _FEATURES
    for part in prange(((rows + _ROWS - 1) // _ROWS) * across):
        first_row, first_feature = part // across * _ROWS, part % across * _FEATURES
        for j in range(first_feature, min(features, first_feature + _FEATURES)):
            own = ends[j]
            for i in range(first_row, min(rows, first_row + _ROWS)):
                out[i, j] = _first_above(own, x[i, j], 0, True)


def interval_numbers(x: np.ndarray, edges: Sequence[np.ndarray]) -> np.ndarray:
    """How many edges of its feature are not above each value, int64, of finite float64 samples."""
    ends = np.full((len(edges), max(map(len, edges), default=0)), np.inf)
    for feature, own in enumerate(edges):
        ends[feature, : len(own)] = own
    out = np.zeros(x.shape, np.int64)
    if ends.shape[1]:
        _numbers(x, ends, out)
    return out
