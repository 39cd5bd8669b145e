"""Sums, products and moments of numbers. Each is one pass over the values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

import phalanx as px

from .extremes import extreme
from .moments import kurtosis_of, skewness_of
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


def _by_moments(rows: Rows, formula: Any, least: int, power: int) -> Any:
    """What a formula makes of the sums of squares and of a power of distances from the mean."""
    n = rows.count()
    if n < least:
        return None
    values = rows.values.astype(np.float64)
    mean = px.mean(values, **rows.where)
    apart = values - mean
    sums = px.stack([px.sum(apart**each, **rows.where) for each in (2, power)])
    with np.errstate(all="ignore"):
        return np.float64(formula(np.float64(n), np.asarray(mean), *np.asarray(sums)))


def skewness(rows: Rows) -> Any:
    """How far the values are to one side, without bias; None for fewer than three."""
    return _by_moments(rows, skewness_of, 3, 3)


def kurtosis(rows: Rows) -> Any:
    """Weight of the tails over a normal distribution's, without bias; None of less than four."""
    return _by_moments(rows, kurtosis_of, 4, 4)
