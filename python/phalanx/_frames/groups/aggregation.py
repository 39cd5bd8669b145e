"""Numbers for each group: columns in, columns of one row a group out."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

import phalanx as px
from phalanx import _engine

from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import BOOLEAN, NULLABLE, DatetimeTZDtype, NullableDtype, nullable_of
from .grouping import Grouping

# Of each name the engine's kind.
NUMERIC = {
    "sum": "sum", "prod": "product", "mean": "mean", "median": "median", "var": "var", "std": "std",
}  # fmt: skip
OF_ALL = {"min": "min", "max": "max", "first": "first", "last": "last"}
COUNTS = {"count": "count", "nunique": "nunique", "size": "size"}
TRUTHS = {"any": "any", "all": "all"}
NAMES = {**NUMERIC, **OF_ALL, **COUNTS, **TRUTHS}


class Wanted(NamedTuple):
    """A column of the result: of which column, and what."""

    column: Column
    name: str
    argument: Any = None  # ddof of var and std


def is_number(column: Column) -> bool:
    """True for columns of numbers and bools, nullable ones too."""
    return isinstance(column, NumberColumn) and column.values.dtype.kind in "biuf"


def aggregated(grouping: Grouping, wanted: list[Wanted]) -> list[Column]:
    """The columns that are wanted. Those of numbers are computed in one walk over the rows.

    Raises TypeError for what a dtype has not.
    """
    together = [place for place, each in enumerate(wanted) if _is_engines(each)]
    found = _engine.frames.aggregate(
        grouping.codes, grouping.count, [_request(wanted[place]) for place in together]
    )
    made: dict[int, Column] = {
        place: _column(wanted[place], *map(_array, result))
        for place, result in zip(together, found, strict=True)
    }
    for place, each in enumerate(wanted):
        if place not in made:
            made[place] = _of_rows(grouping, each)
    return [made[place] for place in range(len(wanted))]


def _array(part: Any) -> Any:
    return None if part is None else np.asarray(part)


def _is_engines(wanted: Wanted) -> bool:
    column = wanted.column
    if wanted.name == "nunique":
        return False
    return isinstance(column, NumberColumn) and (
        is_number(column) or wanted.name in OF_ALL or wanted.name in COUNTS
    )


def _request(wanted: Wanted) -> tuple[Any, ...]:
    column: Any = wanted.column
    values = np.ascontiguousarray(np.asarray(column.values))
    mask = None if column.valid is None else np.asarray(column.valid)
    argument = () if wanted.argument is None else (wanted.argument,)
    return values, mask, NAMES[wanted.name], *argument


def _column(wanted: Wanted, values: np.ndarray, valid: Any) -> Column:
    column: Any = wanted.column
    dtype = column.dtype
    if wanted.name in COUNTS:
        is_nullable = wanted.name == "count" and isinstance(dtype, NullableDtype)
        return NumberColumn(px.asarray(values), None, NULLABLE["Int64"] if is_nullable else None)
    if values.dtype == np.int64 and column.values.dtype.kind in "mM":
        values = values.view(column.values.dtype)
        if valid is not None:
            values = np.where(valid, values, np.array("NaT", values.dtype))
        return NumberColumn(
            px.asarray(values), None, dtype if isinstance(dtype, DatetimeTZDtype) else None
        )
    mask = None if valid is None else px.asarray(valid.astype(bool))
    if isinstance(dtype, NullableDtype):
        made = BOOLEAN if values.dtype.kind == "b" else nullable_of(values.dtype)
        return NumberColumn(px.asarray(values), mask, made)
    if wanted.name in TRUTHS:
        return NumberColumn(px.asarray(values.astype(bool)))
    return NumberColumn(px.asarray(values))


def _of_rows(grouping: Grouping, wanted: Wanted) -> Column:
    """What is counted or taken of other columns, by the rows that they are in."""
    column, name = wanted.column, wanted.name
    if name == "nunique":
        counts = _engine.frames.count_distinct(grouping.codes, grouping.count, column.key())
        return NumberColumn(px.asarray(np.asarray(counts)))
    if name in COUNTS or name in ("first", "last"):
        there = np.ascontiguousarray(np.asarray(~column.isna()))
        kind = {"first": "first_row", "last": "last_row"}.get(name, name)
        values = np.zeros(len(column), np.int8)
        ((found, _),) = _engine.frames.aggregate(
            grouping.codes, grouping.count, [(values, there, kind)]
        )
        rows = px.asarray(np.asarray(found))
        return NumberColumn(rows) if name in COUNTS else column.take(rows, has_missing=True)
    raise TypeError(f"dtype '{column.dtype}' does not support operation '{name}'")
