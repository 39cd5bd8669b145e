"""The order of a column's rows."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine
from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.decimals import DecimalColumn
from ..columns.lists import ListColumn
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.periods import PeriodColumn
from ..columns.strings import StringColumn
from ..indexes.making import index_of


def sort_key(column: Column) -> ndarray:
    """Numbers in the order of the rows that are not missing, equal where these are.

    Raises TypeError for values that have no order.
    """
    if isinstance(column, CategoryColumn):
        return column.codes
    if isinstance(column, NumberColumn) and column.values.dtype.kind != "c":
        kind = column.values.dtype.kind
        if kind == "b":
            return column.values.astype(np.uint8)
        return column.values.view(np.int64) if kind in "mM" else column.values
    if isinstance(column, DecimalColumn):
        return px.asarray(column.order_numbers())
    if isinstance(column, ListColumn):
        column.key()  # which lists have not: it raises
    index = index_of(column, tuples=False)
    return px.asarray(index._sort_keys())


def _turned(key: ndarray) -> ndarray:
    """A key of the opposite order."""
    return -key if key.dtype.kind == "f" else ~key


def ordered_rows(column: Column, *, ascending: bool = True, missing_last: bool = True) -> ndarray:
    """The rows in the order of their values, equal ones as they are."""
    if _has_engine_order(column):
        return engine.order_rows([column.key()], [not ascending], not missing_last)  # type: ignore[no-any-return]
    key = sort_key(column)
    if not ascending:
        key = _turned(key)
    if not column.has_missing():
        return px.argsort(key, stable=True)
    missing = px.asarray(column.isna())
    there, gone = px.flatnonzero(~missing), px.flatnonzero(missing)
    order = there[px.argsort(key[there], stable=True)]
    return px.concatenate([order, gone] if missing_last else [gone, order])


def _has_engine_order(column: Column) -> bool:
    if isinstance(column, NumberColumn):
        dtype = column.values.dtype
        return bool(dtype.kind != "c" and dtype != np.float16)
    return isinstance(column, (CategoryColumn, PeriodColumn, StringColumn))


def _with_order(column: Column) -> Column:
    """Numbers in the place of objects without an order: as in pandas, numbers are before texts.

    Raises TypeError for objects that have none even then.
    """
    if not isinstance(column, ObjectColumn):
        return column
    index = index_of(column, tuples=False)
    codes, _ = index.factorize(sort=True)
    codes = np.asarray(codes, np.float64)
    return NumberColumn(px.asarray(np.where(codes < 0, np.nan, codes)))


def rows_by(columns: list[Column], ascending: list[bool], *, missing_last: bool = True) -> ndarray:
    """The rows in the order of several columns, the first before the others."""
    if all(map(_has_engine_order, columns)):
        keys = [each.key() for each in columns]
        return engine.order_rows(keys, [not up for up in ascending], not missing_last)  # type: ignore[no-any-return]
    columns = [each if len(columns) == 1 else _with_order(each) for each in columns]
    rows: Any = None
    for column, up in zip(reversed(columns), reversed(ascending), strict=True):
        part = column if rows is None else column.take(rows)
        order = ordered_rows(part, ascending=up, missing_last=missing_last)
        rows = order if rows is None else rows[order]
    return rows  # type: ignore[no-any-return]
