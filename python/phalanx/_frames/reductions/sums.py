"""Sums, products and moments of numbers. Each is one pass over the values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import phalanx as px

from ..statistics.numbers import are_equal
from .extremes import extreme
from .rows import Rows, is_time, scalar_of, time_of


def total(rows: Rows) -> Any:
    """The sum; of durations a duration."""
    result = scalar_of(px.sum(rows.values, **rows.where))
    return time_of(rows.dtype, int(result)) if is_time(rows.dtype) else result


def product(rows: Rows) -> Any:
    """The product."""
    return scalar_of(px.prod(rows.values, **rows.where))


def _offset(rows: Rows) -> tuple[Rows, int]:
    """Counts from the earliest on, which floats hold exactly, and that one."""
    first = extreme(rows, "min")
    if first is None:
        return rows, 0
    return Rows(rows.values - first, rows.there, rows.dtype), int(first)


def mean(rows: Rows) -> Any:
    """The mean; of dates a date. None where there is none."""
    if not is_time(rows.dtype):
        return scalar_of(px.mean(rows.values, **rows.where)) if len(rows) else None
    moved, first = _offset(rows)
    result = scalar_of(px.mean(moved.values, **moved.where)) if len(rows) else np.nan
    return None if np.isnan(result) else time_of(rows.dtype, first + int(result))


def variance(rows: Rows, ddof: int) -> Any:
    """The variance with so many degrees of freedom taken off; None where there are no more rows."""
    if len(rows) == 0:
        return None
    result = scalar_of(px.var(rows.values, ddof=ddof, **rows.where))
    if not np.isfinite(result) and rows.count() <= ddof:
        return None
    return result


def deviation(rows: Rows, ddof: int) -> Any:
    """The standard deviation; of dates a duration."""
    if not is_time(rows.dtype):
        found = variance(rows, ddof)
        return None if found is None else np.sqrt(found)
    found = variance(_offset(rows)[0], ddof)
    return None if found is None else time_of(rows.dtype, int(math.sqrt(found)), "m")


def error_of_mean(rows: Rows, ddof: int) -> Any:
    """The standard error of the mean."""
    found = variance(rows, ddof)
    return None if found is None else np.sqrt(found / found.dtype.type(rows.count()))


def _moments(rows: Rows, powers: tuple[int, ...]) -> list[np.float64]:
    """Sums of powers of what values differ from their mean by."""
    values = rows.values.astype(np.float64)
    mean = px.mean(values, **rows.where)
    differences = values - mean
    sums = px.stack([px.sum(differences**power, **rows.where) for power in powers])
    made = list(np.asarray(sums))
    # What rounding leaves of equal values is nothing.
    return [np.float64(0.0), *made[1:]] if are_equal(made[0], float(mean), rows.count()) else made


def skewness(rows: Rows) -> Any:
    """How far the values are to one side, without bias; None for fewer than three."""
    n = rows.count()
    if n < 3:
        return None
    second, third = _moments(rows, (2, 3))
    with np.errstate(all="ignore"):
        scale = second**1.5
        if scale == 0:
            return np.float64(np.nan)
        return np.float64((n * (n - 1) ** 0.5 / (n - 2)) * (third / scale))


def kurtosis(rows: Rows) -> Any:
    """Weight of the tails over a normal distribution's, without bias; None of less than four."""
    n = rows.count()
    if n < 4:
        return None
    second, fourth = _moments(rows, (2, 4))
    with np.errstate(all="ignore"):
        divisor = (n - 2) * (n - 3) * second**2
        if divisor == 0:
            return np.float64(np.nan)
        shift = 3 * (n - 1) ** 2 / ((n - 2) * (n - 3))
        return np.float64(n * (n + 1) * (n - 1) * fourth / divisor - shift)
