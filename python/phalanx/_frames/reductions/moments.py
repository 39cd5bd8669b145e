"""Reductions of numbers along the first axis: of a column, or of each row of a table of columns.

`valid` says which elements count, None: all. Everything is recorded, and fuses with what made the
numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray

Reduction = Callable[..., Any]


def counted(values: ndarray, valid: ndarray | None) -> Any:
    """How many elements count."""
    if valid is None:
        return px.full(values.shape[1:], values.shape[0], np.int64)
    return valid.sum(axis=0)


def _without(values: ndarray, valid: ndarray | None, neutral: Any) -> ndarray:
    return values if valid is None else px.where(valid, values, neutral).astype(values.dtype)


def total(values: ndarray, valid: ndarray | None) -> Any:
    """The sum; 0 of nothing."""
    return _without(values, valid, 0).sum(axis=0)


def product(values: ndarray, valid: ndarray | None) -> Any:
    """The product; 1 of nothing."""
    return _without(values, valid, 1).prod(axis=0)


def _limit(dtype: np.dtype, *, highest: bool) -> Any:
    if dtype.kind == "f":
        return np.inf if highest else -np.inf
    if dtype.kind == "b":
        return highest
    return np.iinfo(dtype).max if highest else np.iinfo(dtype).min


def least(values: ndarray, valid: ndarray | None) -> Any:
    """The least; what it is of nothing does not count."""
    return _without(values, valid, _limit(values.dtype, highest=True)).min(axis=0)


def greatest(values: ndarray, valid: ndarray | None) -> Any:
    """The greatest; what it is of nothing does not count."""
    return _without(values, valid, _limit(values.dtype, highest=False)).max(axis=0)


def _wide(values: ndarray) -> ndarray:
    return (
        values
        if values.dtype.kind in "fc" and values.dtype.itemsize > 2
        else values.astype(np.float64)
    )


def mean(values: ndarray, valid: ndarray | None) -> Any:
    """The mean; NaN of nothing."""
    wide = _wide(values)
    return total(wide, valid) / counted(values, valid)


def _deviations(values: ndarray, valid: ndarray | None) -> tuple[ndarray, Any]:
    """Distances from the mean, 0 for what does not count, and how many count."""
    wide = _wide(values)
    count = counted(values, valid)
    apart = wide - total(wide, valid) / count
    return _without(apart, valid, 0), count


def variance(values: ndarray, valid: ndarray | None, ddof: int = 1) -> Any:
    """The variance; NaN of too few."""
    apart, count = _deviations(values, valid)
    squares = (apart * apart).sum(axis=0)
    return px.where(count > ddof, squares / (count - ddof), np.nan).astype(apart.dtype)


def deviation(values: ndarray, valid: ndarray | None, ddof: int = 1) -> Any:
    """The standard deviation."""
    return px.sqrt(variance(values, valid, ddof))


def standard_error(values: ndarray, valid: ndarray | None, ddof: int = 1) -> Any:
    """The standard error of the mean."""
    return deviation(values, valid, ddof) / px.sqrt(counted(values, valid))


def _moments(values: ndarray, valid: ndarray | None) -> tuple[Any, ...]:
    apart, count = _deviations(values, valid)
    squares = apart * apart
    return (
        count,
        squares.sum(axis=0),
        (squares * apart).sum(axis=0),
        (squares * squares).sum(axis=0),
    )


def skewness(values: ndarray, valid: ndarray | None) -> Any:
    """The skewness, free of bias; NaN of fewer than 3, and where all are equal."""
    count, second, third, _ = _moments(values, valid)
    return skewness_of(count.astype(np.float64), mean(values, valid), second, third)


def kurtosis(values: ndarray, valid: ndarray | None) -> Any:
    """The excess kurtosis, free of bias; NaN of fewer than 4, and where all are equal."""
    count, second, _, fourth = _moments(values, valid)
    return kurtosis_of(count.astype(np.float64), mean(values, valid), second, fourth)


# Formulas: D. N. Joanes, C. A. Gill, The Statistician 47 (1998), G1 and G2. Of n values, their
# mean, and the sums of powers of distances from it: numbers, NumPy's arrays or ours.


def skewness_of(n: Any, mean: Any, second: Any, third: Any) -> Any:
    """The skewness by sums of squares and cubes; NaN of fewer than 3, and where all are equal."""
    choose = px.where if isinstance(n, ndarray) else np.where
    found = n * (n - 1) ** 0.5 / (n - 2) * (third / second**1.5)
    return choose((n < 3) | _are_equal(n, mean, second), np.nan, found)


def kurtosis_of(n: Any, mean: Any, second: Any, fourth: Any) -> Any:
    """The excess kurtosis by sums of squares and of their squares; NaN of fewer than 4, too."""
    choose = px.where if isinstance(n, ndarray) else np.where
    adjust = 3 * (n - 1) ** 2 / ((n - 2) * (n - 3))
    found = n * (n + 1) * (n - 1) * fourth / ((n - 2) * (n - 3) * second**2) - adjust
    return choose((n < 4) | _are_equal(n, mean, second), np.nan, found)


def _are_equal(n: Any, mean: Any, second: Any) -> Any:
    """True where the values differ by rounding only."""
    return second <= n * (np.finfo(np.float64).eps * mean) ** 2


def middle(values: ndarray, valid: ndarray | None) -> Any:
    """The median; NaN of nothing."""
    wide = _wide(values)
    if not wide.shape[0]:
        return px.full(wide.shape[1:], np.nan)
    if valid is None:
        return px.median(wide, axis=0)
    return px.nanmedian(px.where(valid, wide, np.nan).astype(wide.dtype), axis=0)


def any_true(values: ndarray, valid: ndarray | None) -> Any:
    """True if an element is not 0."""
    truth = values != 0 if values.dtype.kind != "b" else values
    return (truth if valid is None else truth & valid).any(axis=0)


def all_true(values: ndarray, valid: ndarray | None) -> Any:
    """True if no element is 0."""
    truth = values != 0 if values.dtype.kind != "b" else values
    return (truth if valid is None else truth | ~valid).all(axis=0)


REDUCTIONS: dict[str, Reduction] = {
    "sum": total, "prod": product, "min": least, "max": greatest, "mean": mean, "var": variance,
    "std": deviation, "sem": standard_error, "skew": skewness, "kurt": kurtosis, "median": middle,
    "any": any_true, "all": all_true, "count": counted,
}  # fmt: skip

# What is 0, 1, True or False of nothing; all others are missing then.
OF_NOTHING = frozenset(("sum", "prod", "any", "all", "count"))
# What needs no number: bools and dates have it as they are.
KEEPING = frozenset(("min", "max"))
