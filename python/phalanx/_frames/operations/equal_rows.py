"""Which values there are, which come again, and values put in the place of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.lists import ListColumn
from ..columns.making import column_of
from ..columns.making_categories import in_order
from ..columns.numbers import NumberColumn
from ..columns.objects import object_array
from ..columns.strings import StringColumn, of_texts
from ..dtypes import BOOLEAN, CategoricalDtype, NullableDtype, family, nullable_of
from ..missing import NA, is_missing
from .binary import compare, logical_operation
from .choosing import chosen, mask_of
from .grouping import codes_of
from .operands import scalar_of


def unique(column: Column) -> Column:
    """Each value once, in the order in which they come; missing values are one."""
    _, firsts = codes_of([column], keep_missing=True)
    return column.take(firsts)


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


def factorize(
    column: Column, *, sort: bool = False, use_na_sentinel: bool = True
) -> tuple[ndarray, Column]:
    """The number of each row's value, and the values by number, of which missing ones are -1.

    Without the sentinel missing values are one of the values. With `sort` they are in order, as far
    as they have one.
    """
    codes, firsts = codes_of([column], keep_missing=not use_na_sentinel)
    values = column.take(firsts)
    if not sort:
        return codes, values
    order = np.asarray(in_order(values))
    places = np.empty(len(order) + 1, np.int64)
    places[order] = np.arange(len(order))
    places[-1] = -1
    return px.asarray(places)[codes], values.take(px.asarray(order))


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
    values = np.array([each.value for each in scalars])
    found = px.isin(column.values, px.asarray(values, device=column.values.device))
    return found if column.valid is None else found & column.valid


def _texts_in(column: StringColumn, wanted: list[str]) -> ndarray:
    """Which texts are in the group of one of others."""
    codes, firsts = codes_of([column.joined([of_texts(wanted, None, column.dtype)])])
    table = np.zeros(len(firsts) + 1, bool)  # the last element is what -1 finds
    table[np.asarray(codes)[len(column) :]] = True
    return px.asarray(table)[codes[: len(column)]]  # type: ignore[no-any-return]


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


def replace(column: Column, mapping: Mapping[Any, Any]) -> Column:
    """Values in the place of others, all at once. Raises what `chosen` raises."""
    made = column
    for old, new in mapping.items():
        met = isin(column, [old])
        there = mask_of(met)
        if not bool(there.any()):
            continue
        if new is None:
            made = made.astype(np.dtype(object))
        made = chosen(made, ~there, new)
    return made


def map_by(column: Column, mapping: Mapping[Any, Any]) -> Column:
    """Each value's own in a mapping, missing where it has none; in the dtype that pandas infers.

    Categories are mapped, and stay categories where no two become one.
    """
    if isinstance(column, CategoryColumn):
        few = map_by(column.dtype.values, mapping)
        if not few.has_missing() and not bool(duplicated([few]).any()):
            return CategoryColumn(column.codes, CategoricalDtype(few, column.dtype.ordered))
        return few.take(column.codes.astype(np.int64), has_missing=column.has_missing())
    codes, firsts = codes_of([column], keep_missing=True)
    known = {_key(old): new for old, new in mapping.items()}
    found = [_found(known, mapping, each) for each in column.take(firsts)]
    values = column_of(object_array(found).tolist())
    if not found or all(is_missing(each) for each in found):
        values = column_of([np.nan] * len(found), np.float64)
    if family(column.dtype) in ("nullable", "decimal") and family(values.dtype) == "number":
        values = values.astype(nullable_of(values.dtype))  # type: ignore[arg-type]
    return values.take(codes)


def _found(known: dict[Any, Any], mapping: Mapping[Any, Any], value: Any) -> Any:
    if _key(value) in known:
        return known[_key(value)]
    return mapping[value] if hasattr(mapping, "__missing__") else np.nan


_BOUNDS = {
    "both": ("ge", "le"),
    "neither": ("gt", "lt"),
    "left": ("ge", "lt"),
    "right": ("gt", "le"),
}


def between(column: Column, left: Any, right: Any, inclusive: str = "both") -> Column:
    """Which rows are between two bounds, which count as `inclusive` says.

    Raises ValueError for another `inclusive` than both, neither, left, right.
    """
    if inclusive not in _BOUNDS:
        raise ValueError("Inclusive has to be either 'both', 'neither', 'left' or 'right'")
    lower, upper = _BOUNDS[inclusive]
    return logical_operation("and", compare(lower, column, left), compare(upper, column, right))
