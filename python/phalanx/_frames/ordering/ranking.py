"""`rank`: the place of each row in the order of the values."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.numbers import NumberColumn
from ..dtypes import NULLABLE, NullableDtype, has_na
from ..selection.rows import RowMethods
from .keys import ordered_rows, sort_key

_METHODS = ("average", "min", "max", "first", "dense")


def ranked(column: Column, method: str, na_option: str, *, ascending: bool, pct: bool) -> Column:
    """The places of the rows from 1 on; equal ones share one as the method says."""
    if isinstance(column, CategoryColumn) and not column.dtype.ordered:
        column = column.values()  # their own order, not that of the categories
    missing = np.asarray(column.isna())
    count = len(missing)
    last = (na_option == "bottom") == ascending or na_option == "keep"
    rows = np.asarray(ordered_rows(column, missing_last=last))
    if not ascending:
        rows = _descending(column, na_option)
    key = np.asarray(sort_key(column))[rows]
    gone = missing[rows]
    first = np.ones(count, bool)
    if count:
        first[1:] = ((key[1:] != key[:-1]) & ~(gone[1:] & gone[:-1])) | (gone[1:] != gone[:-1])
    places = _places(first, method)
    made = np.empty(count)
    made[rows] = places
    if na_option == "keep":
        made[missing] = np.nan
    if pct:
        known = ~missing if na_option == "keep" else np.ones(count, bool)
        total = made[known].max() if method == "dense" and known.any() else known.sum()
        made = made / total if total else made
    if has_na(column.dtype):
        whole = method != "average" and not pct and isinstance(column.dtype, NullableDtype)
        values = np.where(np.isnan(made), 0, made)
        dtype = NULLABLE["UInt64" if whole else "Float64"]
        return NumberColumn(
            px.asarray(values.astype(dtype.numpy_dtype)), px.asarray(~np.isnan(made)), dtype
        )
    return NumberColumn(px.asarray(made))


def _descending(column: Column, na_option: str) -> np.ndarray:
    return np.asarray(ordered_rows(column, ascending=False, missing_last=na_option != "top"))


def _places(first: np.ndarray, method: str) -> np.ndarray:
    """The place of each row in order, of which those that begin a run of equal ones are known."""
    count = len(first)
    if method == "first":
        return np.arange(1.0, count + 1)
    groups = np.cumsum(first) - 1
    if method == "dense":
        return groups + 1.0
    starts = np.flatnonzero(first)
    ends = np.append(starts[1:], count)
    if method == "min":
        return (starts + 1.0)[groups]  # type: ignore[no-any-return]
    if method == "max":
        return ends.astype(float)[groups]  # type: ignore[no-any-return]
    return ((starts + 1 + ends) / 2)[groups]  # type: ignore[no-any-return]


class Ranking(RowMethods):
    """`rank`."""

    def rank(
        self,
        axis: Any = 0,
        method: str = "average",
        numeric_only: bool = False,
        na_option: str = "keep",
        ascending: bool = True,
        pct: bool = False,
    ) -> Self:
        """The place of each value among those of its column, from 1 on.

        Raises ValueError for another method or another way with missing values.
        """
        if method not in _METHODS:
            raise ValueError(f"rank method {method!r} is none of {', '.join(_METHODS)}")
        if na_option not in ("keep", "top", "bottom"):
            raise ValueError("na_option must be one of 'keep', 'top', or 'bottom'")
        of: Any = self._numeric() if numeric_only and self.ndim == 2 else self  # type: ignore[attr-defined]
        if self._axis(axis) == 1:
            return of.T.rank(0, method, False, na_option, ascending, pct).T  # type: ignore[no-any-return]
        made = of._each(lambda each: ranked(each, method, na_option, ascending=ascending, pct=pct))
        if self.ndim == 2:
            # pandas ranks a frame's table, which is none of nullable dtypes.
            made = made._each(lambda each: each.astype(np.dtype(np.float64)))
        return self._keep_attrs(made)  # type: ignore[no-any-return]
