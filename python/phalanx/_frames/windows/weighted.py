"""`rolling(win_type=)`: windows whose rows have weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import engine
from .aggregating import Aggregating
from .rolling import Moving
from .weights import checked_name, weights

_Computed = Callable[[np.ndarray, np.ndarray, int], np.ndarray]


class Window(Moving, Aggregating):
    """Windows of rows with weights: parameters of theirs, as ``std=2``, are keywords of methods."""

    def _check(self) -> None:
        checked_name(self._keywords["win_type"])
        super()._check()

    def _is_of_time(self, window: Any) -> bool:
        return False

    def sum(self, numeric_only: bool = False, **parameters: Any) -> Any:
        """The sum of rows times weights."""
        return self._weighted("sum", _sums, numeric_only, parameters)

    def mean(self, numeric_only: bool = False, **parameters: Any) -> Any:
        """The same over the sum of the weights."""
        return self._weighted("mean", _means, numeric_only, parameters)

    def var(self, ddof: int = 1, numeric_only: bool = False, **parameters: Any) -> Any:
        """The weighted variance, times n / (n - ``ddof``) of a window of n rows."""
        return self._weighted("var", _variances(ddof), numeric_only, parameters)

    def std(self, ddof: int = 1, numeric_only: bool = False, **parameters: Any) -> Any:
        """The root of the variance."""
        return np.sqrt(self._weighted("std", _variances(ddof), numeric_only, parameters))

    def _weighted(
        self, name: str, compute: _Computed, numeric_only: bool, parameters: dict[str, Any]
    ) -> Any:
        given = self._keywords
        factors = weights(given["win_type"], int(given["window"]), parameters)
        ahead = max(len(factors) - 1, 0) // 2 if given["center"] else 0
        data = self._data(name, numeric_only)
        arrays = []
        for each in data.columns:
            values = engine.on_host(self._floats(each))
            padded = np.concatenate([values, np.full(ahead, np.nan)])
            padded[~np.isfinite(padded)] = np.nan
            made = compute(padded, factors, self._min_periods())
            arrays.append(np.ascontiguousarray(made[ahead :: self._step()]))
        return self._assembled(arrays, data.labels)

    def _of_function(self, func: Any, args: Any, kwargs: Any) -> Any:
        return func(self)


def _added(values: np.ndarray, factors: np.ndarray) -> np.ndarray:
    """The sum of the rows up to each times the factors, of which the last is the row's own."""
    made = np.zeros(len(values))
    for number, factor in enumerate(factors):
        back = len(factors) - 1 - number
        if back < len(values):
            made[back:] += factor * values[: len(values) - back]
    return made


def _prepared(values: np.ndarray, factors: np.ndarray) -> tuple[np.ndarray, ...]:
    """Which rows are there, their values with 0 for others, and how many each window has."""
    there = (~np.isnan(values)).astype(np.float64)
    return there, np.where(there > 0, values, 0.0), _added(there, np.ones(len(factors)))


def _sums(values: np.ndarray, factors: np.ndarray, least: int) -> np.ndarray:
    _, known, counts = _prepared(values, factors)
    return np.where(counts < least, np.nan, _added(known, factors))


def _means(values: np.ndarray, factors: np.ndarray, least: int) -> np.ndarray:
    there, _, _ = _prepared(values, factors)
    total = _added(there, factors)
    with np.errstate(all="ignore"):
        made = _sums(values, factors, least) / total
    return np.where(total == 0, np.nan, made)


def _variances(ddof: int) -> _Computed:
    def compute(values: np.ndarray, factors: np.ndarray, least: int) -> np.ndarray:
        there, known, counts = _prepared(values, factors)
        # In pandas a row keeps the weight of its number modulo the window's length.
        own = np.resize(factors, len(values)) * there
        ones = np.ones(len(factors))
        total = _added(own, ones)
        with np.errstate(all="ignore"):  # windows without a value
            means = _added(own * known, ones) / total
            made = np.zeros(len(values))
            for back in range(min(len(factors), len(values))):
                stop = len(values) - back
                made[back:] += own[:stop] * (known[:stop] - means[back:]) ** 2
            made *= len(factors) / ((len(factors) - ddof) * total)
        made[(counts == 1) & (counts > ddof)] = 0
        return np.where((counts < max(least, 1)) | (counts <= ddof), np.nan, made)

    return compute
