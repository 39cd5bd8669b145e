"""What each row has of the rows of its group up to it: sums, extremes, shifts, filled gaps."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import engine
from ..building.columns import repeated
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn
from ..dtypes import DatetimeTZDtype, NullableDtype, nullable_of
from ..missing import is_missing
from ..operations.joined import joined_columns
from .aggregation import narrowed, of_no_rows, refused, with_missing
from .decimals import accumulated_in_groups
from .grouping import Grouping

KINDS = {"cumsum": "sum", "cumprod": "product", "cummin": "min", "cummax": "max"}


def accumulated(grouping: Grouping, column: Column, name: str, *, skipna: bool) -> Column:
    """`cumsum`, `cumprod`, `cummin` or `cummax` in each group; missing rows stay missing.

    With `skipna` False so are all rows after the first of them. Raises TypeError for what a dtype
    has not.
    """
    if isinstance(column, DecimalColumn):
        known = None if skipna else _up_to_missing(grouping, column, column.present())
        return accumulated_in_groups(grouping, column, name, known)
    if not isinstance(column, NumberColumn):
        raise refused(column, name)
    kind = column.values.dtype.kind
    if kind == "c" or (kind in "mM" and (name == "cumprod" or (kind, name) == ("M", "cumsum"))):
        raise refused(column, name)
    values, mask = engine.parts_of(column)
    running, there = engine.running(
        grouping.placed_codes, grouping.count, KINDS[name], values, mask
    )
    known = None if there is None else there.astype(bool)
    found = narrowed(running, values.dtype)
    if not skipna:
        known = _up_to_missing(grouping, column, known)
    return of_no_rows(column, _of_dtype(column, found, known, grouping))


def _up_to_missing(grouping: Grouping, column: Column, known: Any) -> Any:
    gone = engine.placed(column.isna())
    if not gone.any():
        return known
    before, _ = engine.running(grouping.placed_codes, grouping.count, "sum", gone, None)
    clean = before == 0
    return clean if known is None else known & clean


def _of_dtype(column: Any, values: Any, known: Any, grouping: Grouping) -> Column:
    stored = column.values.dtype
    if isinstance(column.dtype, NullableDtype):
        mask = None if known is None else px.asarray(known)
        return NumberColumn(px.asarray(values), mask, nullable_of(values.dtype))
    if stored.kind in "mM":
        made = values.view(stored)
        if known is not None:
            made = np.where(known, made, np.array("NaT", stored))
        zoned = column.dtype if isinstance(column.dtype, DatetimeTZDtype) else None
        return NumberColumn(px.asarray(made), None, zoned)
    return with_missing(values, known)


# Shifts and gaps.


def shifted(grouping: Grouping, columns: list[Column], periods: int, fill: Any) -> list[Column]:
    """The rows that are so many before in their groups; `fill`, or missing, where there is none."""
    rows = engine.shifted_rows(grouping.placed_codes, grouping.count, periods)
    gone = bool((rows < 0).any())
    if fill is None or not gone:
        places = px.asarray(rows)
        return [each.take(places, has_missing=gone) for each in columns]
    made = []
    for each in columns:
        whole = joined_columns([each, _one(fill, each)])
        made.append(whole.take(px.asarray(np.where(rows < 0, len(each), rows))))
    return made


def _one(value: Any, column: Column) -> Column:
    """A column of one value, of another's dtype if it holds it.

    Raises TypeError for values that texts, categories and nullable numbers do not have.
    """
    if isinstance(column, (StringColumn, CategoryColumn)):
        known = column.dtype.values.tolist() if isinstance(column, CategoryColumn) else [value]
        if not is_missing(value) and (not isinstance(value, str | int) or value not in known):
            raise TypeError(f"Cannot fill with {value!r}, which dtype '{column.dtype}' has not")
        if isinstance(column, StringColumn) and not isinstance(value, str):
            raise TypeError(f"Invalid value '{value}' for dtype '{column.dtype}'")
        return repeated(value, 1, column.dtype)
    made = repeated(value, 1)
    is_number = column.dtype.kind in "iuf" and made.dtype.kind in "iuf"
    if isinstance(column.dtype, NullableDtype) or made.dtype.kind == column.dtype.kind:
        return made.astype(column.dtype)
    if is_number and (column.dtype.kind == "f" or _holds(column.dtype, value)):
        return made.astype(column.dtype)
    return made


def _holds(dtype: Any, value: Any) -> bool:
    """True for a whole number that an integer dtype has."""
    if isinstance(value, (float, np.floating)):
        return False
    limits = np.iinfo(dtype)
    return bool(limits.min <= value <= limits.max)


def filled(
    grouping: Grouping, columns: list[Column], limit: int | None, *, forward: bool
) -> list[Column]:
    """Missing rows as the nearest before, or after, in their groups that is not."""
    return [_filled(grouping, each, limit, forward=forward) for each in columns]


def _filled(grouping: Grouping, column: Column, limit: int | None, *, forward: bool) -> Column:
    gone = np.asarray(column.isna())
    dropped = grouping.has_dropped
    if not gone.any() and not dropped:
        return column
    rows, bounds = grouping.rows, grouping.bounds
    places = np.arange(len(rows))
    there = ~gone[rows]
    if forward:
        nearest = np.maximum.accumulate(np.where(there, places, -1)) if len(rows) else places
        ends = np.repeat(bounds[:-1], np.diff(bounds))
        found = nearest >= ends
    else:
        nearest = np.where(there, places, len(rows))
        nearest = np.minimum.accumulate(nearest[::-1])[::-1] if len(rows) else places
        ends = np.repeat(bounds[1:], np.diff(bounds))
        found = nearest < ends
    if limit is not None:
        found &= np.abs(places - nearest) <= limit
    chosen = np.full(len(column), -1, np.int64)
    chosen[rows[found]] = rows[nearest[found]]
    if isinstance(column, ObjectColumn):
        return column.take(px.asarray(chosen), has_missing=True)
    chosen[rows[~found]] = rows[~found]  # themselves: missing as they are
    return column.take(px.asarray(chosen), has_missing=dropped)


# Ranks.


def ranked(grouping: Grouping, column: Column, how: dict[str, Any]) -> Column:
    """The place of each row among those of its group, from 1 on; float64.

    `how` has the keywords of ``rank``. Raises TypeError for categories without an order.
    """
    if isinstance(column, CategoryColumn) and not column.dtype.ordered:
        raise TypeError("Cannot perform rank with non-ordered Categorical")
    if isinstance(column, ObjectColumn):
        raise refused(column, "rank")
    gone = engine.placed(column.isna())
    key = column.key()
    descending = not how["ascending"]
    if how["na_option"] != "keep" and gone.any():
        key, descending = _with_missing_places(column, gone, how), False
        gone = np.zeros_like(gone)
    codes = grouping.placed_codes
    ranks, _ = engine.rank_rows(codes, grouping.count, key, how["method"], descending)
    found = np.where(gone, np.nan, ranks)
    if how["pct"]:
        found = np.asarray(found)
        found = found / _totals(grouping, gone, found, how["method"])
    if isinstance(column.dtype, NullableDtype) or isinstance(column, DecimalColumn):
        there = ~np.isnan(found)
        return NumberColumn(px.asarray(found), px.asarray(there), nullable_of(found.dtype))
    return NumberColumn(px.asarray(found))


def _with_missing_places(column: Column, gone: engine.Array, how: dict[str, Any]) -> Any:
    """A key of numbers in the order that is wanted, in which missing rows are first or last."""
    there = np.flatnonzero(~gone)
    key = column.take(px.asarray(there)).key()
    codes, count, firsts = engine.group_rows([key], False)
    kept = column.take(px.asarray(there[firsts]))
    order = engine.order_rows([kept.key()], [not how["ascending"]])
    places = engine.places_of(order, np.dtype(np.int64)) + 1
    last = 0 if how["na_option"] == "top" else count + 1
    numbers = np.full_like(gone, last, dtype=np.int64)
    numbers[there] = places[codes]
    return "values", numbers, None


def _totals(grouping: Grouping, gone: Any, ranks: Any, method: str) -> np.ndarray:
    """What ranks are parts of: the rows of the group that have one, or its greatest rank."""
    codes = np.where(np.asarray(gone), -1, grouping.codes)
    if method == "dense":
        totals = np.zeros(grouping.count + 1)
        np.maximum.at(totals, codes[codes >= 0], ranks[codes >= 0])
    else:
        totals = np.bincount(codes[codes >= 0], minlength=grouping.count + 1).astype(np.float64)
    totals[-1] = np.nan
    made: np.ndarray = totals[codes]
    return made
