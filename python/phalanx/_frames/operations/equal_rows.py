"""Which rows come again, and which are one of some values."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.categories import CategoryColumn
from ..columns.codes import codes_of
from ..columns.column import Column
from ..columns.lists import ListColumn
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn, of_texts
from ..dtypes import BOOLEAN, NullableDtype, family
from ..missing import NA, is_missing
from .binary import compare
from .choosing import mask_of
from .operands import scalar_of


def duplicated(columns: list[Column], keep: str | bool = "first") -> ndarray:
    """Which rows come more than once: all but the first, all but the last, or all (False).

    Raises ValueError for another `keep`.
    """
    if keep not in ("first", "last", False):
        raise ValueError(f'keep must be either "first", "last" or False, not {keep!r}')
    codes, firsts = codes_of(columns, keep_missing=True)
    rows = len(columns[0])
    if keep is False:
        often = px.bincount(codes, minlength=max(1, len(firsts)))
        again: ndarray = often[codes] > 1
        return again
    alone = px.zeros(rows, bool)
    if keep == "last":
        lasts = px.zeros_like(firsts)
        lasts[codes] = px.arange(rows)
        firsts = lasts
    alone[firsts] = True
    others: ndarray = ~alone
    return others


def isin(column: Column, values: Any) -> Column:
    """Which rows are one of some values, as bool, of nullable dtypes boolean.

    A missing row is one if a missing value is; objects tell None from NaN. Raises TypeError for
    `values` that are no list.
    """
    if isinstance(column, ListColumn):
        column.key()  # which lists have not: it raises
    given = column_of(values)
    wanted = given.tolist()
    if isinstance(given.dtype, NullableDtype) and given.dtype.kind in "iuf":
        # pandas looks for what NumPy makes of these values, and that NaN is no NA.
        wanted = [np.nan if each is NA else each for each in wanted]
    gone = [each for each in wanted if is_missing(each)]
    if isinstance(column, CategoryColumn):
        few = isin(column.dtype.values, values)
        found = _taken(few, column)
    elif family(column.dtype) == "object":
        return NumberColumn(px.asarray(_objects_in(column, wanted)))
    else:
        found = _present_in(column, [each for each in wanted if not is_missing(each)])
    if gone and _takes_missing(column, gone):
        found = found | column.isna()
    return NumberColumn(found, None, BOOLEAN if family(column.dtype) == "nullable" else None)


def _taken(few: Any, column: CategoryColumn) -> ndarray:
    table = px.concatenate([few.values, px.zeros(1, bool)])
    found: ndarray = table[column.codes]
    return found


def _takes_missing(column: Column, gone: list[Any]) -> bool:
    """Returns whether missing rows are one of some missing values."""
    if family(column.dtype) == "number":
        return any(isinstance(each, (float, np.floating)) for each in gone)
    if family(column.dtype) == "nullable":
        return any(each is NA for each in gone)
    return True


def _present_in(column: Column, wanted: list[Any]) -> ndarray:
    """Which rows are one of some values that are there: only those of the column's kind can be."""
    kinds = _KINDS[family(column.dtype)]
    scalars = [each for each in map(scalar_of, wanted) if each.family in kinds]
    found: ndarray = px.zeros(len(column), bool)
    if not scalars:
        return found
    if isinstance(column, StringColumn) and len(scalars) > 2:
        return _texts_in(column, [each.value for each in scalars])
    if not isinstance(column, NumberColumn):
        for each in scalars:
            found = found | mask_of(compare("eq", column, each))
        return found
    values = _numbers_of([each.value for each in scalars], column)
    found = px.isin(column.values, px.asarray(values, device=column.values.device))
    return found if column.valid is None else found & column.valid


def _numbers_of(wanted: list[Any], column: NumberColumn) -> np.ndarray:
    """An array of numbers, of which ints beyond 64 bits can equal floats alone."""
    values = np.array(wanted)
    if values.dtype.kind != "O":
        return values
    if column.values.dtype.kind in "fc":
        return values.astype(np.float64)
    return np.array([each for each in wanted if not each < -(2**63) and each < 2**64], np.float64)


def _texts_in(column: StringColumn, wanted: list[str]) -> ndarray:
    """Which texts are in the group of one of others."""
    codes, firsts = codes_of([column.joined([of_texts(wanted, None, column.dtype)])])
    table = np.zeros(len(firsts) + 1, bool)  # the last element is what -1 finds
    table[np.asarray(codes)[len(column) :]] = True
    return px.asarray(table)[codes[: len(column)]]


_NUMBERS = ("bool", "number")
_KINDS: dict[str, tuple[str, ...]] = dict.fromkeys(("bool", "number", "nullable"), _NUMBERS) | {
    each: (each,) for each in ("datetime", "zoned", "timedelta", "text")
}
_KINDS |= {"decimal": (*_NUMBERS, "object")}  # scalars of these are objects


def _objects_in(column: Column, wanted: list[Any]) -> np.ndarray:
    known = set(map(_key, wanted))
    return np.fromiter((_key(each) in known for each in column), bool, len(column))


def _key(value: Any) -> Any:
    """What a set finds a value by: missing values by their sort."""
    if value is None or not is_missing(value):
        return value
    return ("missing", type(value).__name__)
