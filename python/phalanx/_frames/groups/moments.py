"""Skewness and kurtosis of groups."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import engine
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import NullableDtype, nullable_of
from ..reductions.moments import kurtosis_of, skewness_of
from .grouping import Grouping


def moment(grouping: Grouping, column: Any, name: str, *, skipna: bool) -> Column:
    """The skewness or the excess kurtosis of each group, free of bias: float64."""
    values = np.asarray(column.values, np.float64)
    there = ~np.asarray(column.isna())
    codes = grouping.codes
    mask = np.ascontiguousarray(there)
    (means, _), (counts, _) = engine.aggregate(
        codes, grouping.count, [(values, mask, "mean"), (values, mask, "count")]
    )
    means = np.append(np.asarray(means), np.nan)  # the last is what -1 finds
    apart = values - means[codes]
    powers = [apart * apart]
    powers.append(powers[0] * (apart if name == "skew" else powers[0]))
    sums = engine.aggregate(codes, grouping.count, [(each, mask, "sum") for each in powers])
    second, higher = (np.asarray(each) for each, _ in sums)
    n = np.asarray(counts).astype(np.float64)
    with np.errstate(all="ignore"):
        formula = skewness_of if name == "skew" else kurtosis_of
        made = formula(n, means[:-1], second, higher)
    if not skipna and not there.all():
        hurt = codes[~there]
        made[hurt[hurt >= 0]] = np.nan
    there = ~np.isnan(made)
    made = _as_stored(made, column.values.dtype)
    if isinstance(column.dtype, NullableDtype):
        return NumberColumn(px.asarray(made), px.asarray(there), nullable_of(made.dtype))
    return NumberColumn(px.asarray(made))


def _as_stored(made: np.ndarray, stored: np.dtype) -> np.ndarray:
    """In the dtype of the column if that holds all of them, as in pandas."""
    if stored.kind == "f" or not len(made):
        return made.astype(stored)
    if stored.kind == "b" or np.isnan(made).any() or (made != np.trunc(made)).any():
        return made
    return made.astype(stored)
