"""What a function makes of each text of a column, in the dtype that pandas gives it.

A function of rows takes one of Python's texts. `whole` takes a column of texts and does the same
in the engine; it gives None where it does not.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.inference import infer
from ..columns.making import empty
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn, object_array
from ..columns.strings import StringColumn, of_texts
from ..dtypes import BOOLEAN, NULLABLE, OBJECT, STR, Dtype, StringDtype
from ..missing import NA, is_missing
from ..signatures import NO_DEFAULT

Function = Callable[[Any], Any]
# None where the engine leaves it to the rows.
Whole = Callable[[StringColumn], Any] | None


def texts(
    column: Column, function: Function, whole: Whole = None, *, keeps: bool = False
) -> Column:
    """A column of texts, of the same dtype; the function may give None for a missing one.

    Of categories it is one of objects, as in pandas, unless `keeps`.
    """
    if isinstance(column, StringColumn):
        made = None if whole is None else whole(column)
        return _texts_of(column, function) if made is None else made
    if isinstance(column, CategoryColumn):
        few = texts(column.dtype.values, function, whole)
        made = _of_categories(column, few)
        if not keeps and len(few) and bool(few.isna().all()):
            return NumberColumn(px.full(len(column), np.nan))
        return made if keeps else made.astype(np.dtype(object))
    return _objects(column, function, dtype=OBJECT)


def _texts_of(column: StringColumn, function: Function) -> StringColumn:
    there = ~np.asarray(column.isna())
    made = [function(each) if is_there else None for each, is_there in _pairs(column, there)]
    gone = np.fromiter((each is None for each in made), bool, len(made))
    return of_texts(("" if each is None else each for each in made), gone, column.dtype)


def _pairs(column: StringColumn, there: np.ndarray) -> Any:
    return zip(column.to_numpy(), there.tolist(), strict=True)


def flags(column: Column, function: Function, na: Any = NO_DEFAULT, whole: Whole = None) -> Column:
    """A column of bools. `na` is what missing texts give. Raises ValueError where it is no bool."""
    if na is not NO_DEFAULT and not isinstance(na, bool) and not is_missing(na):
        raise ValueError(f"na must be None, pd.NA, np.nan, True, or False; got {na}")
    if isinstance(column, StringColumn):
        return _flags_of(column, function, na, whole)
    if isinstance(column, CategoryColumn):
        few = flags(column.dtype.values, function, na, whole)
        return _flags_of_categories(column, few, na)
    return _objects(column, function, np.nan if na is NO_DEFAULT else na, dtype=np.dtype(bool))


def _flags_of(column: StringColumn, function: Function, na: Any, whole: Whole) -> Column:
    found = None if whole is None else whole(column)
    if found is None:
        found = _numbers_of(column, function, np.dtype(bool))
    found, valid = px.asarray(found, device=column.offsets.device), column.valid
    if valid is None:
        return NumberColumn(found, None, np.dtype(bool) if column.dtype == STR else BOOLEAN)
    if isinstance(na, bool):
        found = found | ~valid if na else found & valid
        return NumberColumn(found, None, np.dtype(bool) if column.dtype == STR else BOOLEAN)
    if column.dtype == STR:
        return NumberColumn(found & valid)
    return NumberColumn(found & valid, valid, BOOLEAN)


def _flags_of_categories(column: CategoryColumn, few: Column, na: Any) -> Column:
    """Missing rows are False, or what was asked for."""
    if few.dtype != bool or not column.has_missing():
        return _of_categories(column, few)
    if column.dtype.values.dtype != STR and na is NO_DEFAULT:
        return _of_categories(column, few)
    gone = np.asarray(column.isna())
    found = np.asarray(_of_categories(column, few.astype(np.dtype(float))).to_numpy()) == 1
    found[gone] = na is True
    return NumberColumn(px.asarray(found))


def counts(column: Column, function: Function, whole: Whole = None) -> Column:
    """A column of integers: floats where `str` misses some, `Int64` for `string`."""
    if isinstance(column, StringColumn):
        found = None if whole is None else whole(column)
        if found is None:
            found = _numbers_of(column, function, np.dtype(np.int64))
        return _counts_of(px.asarray(found, device=column.offsets.device), column)
    if isinstance(column, CategoryColumn):
        return _of_categories(column, counts(column.dtype.values, function, whole))
    return _objects(column, function, dtype=np.dtype(np.int64))


def _counts_of(found: Any, column: StringColumn) -> Column:
    if column.dtype != STR:
        return NumberColumn(found, column.valid, NULLABLE["Int64"])
    if not column.has_missing():
        return NumberColumn(found)
    return NumberColumn(px.where(column.valid, found.astype(np.float64), np.nan))


def objects(column: Column, function: Function) -> Column:
    """A column of any objects."""
    if isinstance(column, StringColumn):
        made = [
            function(each) if is_there else each
            for each, is_there in _pairs(column, ~np.asarray(column.isna()))
        ]
        if made and column.dtype == STR and not bool(column.present().any()):
            return NumberColumn(px.full(len(made), np.nan))
        return ObjectColumn(object_array(made))
    if isinstance(column, CategoryColumn):
        return _of_categories(column, objects(column.dtype.values, function))
    return _objects(column, function, dtype=OBJECT)


def _numbers_of(column: StringColumn, function: Function, dtype: np.dtype) -> np.ndarray:
    made = np.zeros(len(column), dtype)
    there = ~np.asarray(column.isna())
    made[there] = np.fromiter(map(function, column.to_numpy()[there]), dtype, int(there.sum()))
    return made


def _objects(column: Column, function: Function, na: Any = NO_DEFAULT, *, dtype: Dtype) -> Column:
    """What a function makes of Python's objects; those that are no texts are missing.

    `dtype`: that of no rows at all.
    """
    values = column.objects_of()
    if not len(values):
        return empty(dtype)
    fill = np.nan if na is NO_DEFAULT else na
    gone = np.fromiter(map(is_missing, values), bool, len(values))
    made = values.copy()
    for i in np.flatnonzero(~gone).tolist():
        try:
            made[i] = function(values[i])
        except (TypeError, AttributeError):
            made[i] = fill
    if fill is not np.nan:
        made[gone] = fill
    return ObjectColumn(made) if gone.all() and fill is np.nan else _converted(made)


def _converted(made: np.ndarray) -> Column:
    found = infer(made)
    return found if isinstance(found, NumberColumn) else ObjectColumn(made)


def _of_categories(column: CategoryColumn, few: Column) -> Column:
    """What was made of each category, for each row that is in it."""
    if column.has_missing() and not isinstance(few.dtype, StringDtype):
        few = few.astype(np.dtype(object)) if few.dtype.kind in "bO" else few
    if not len(few) and len(column):
        return few.missing(len(column))
    return few.take(column.codes.astype(np.int64), has_missing=column.has_missing())


def none_as_missing(value: Any, missing: Any = NA) -> Any:
    """The missing value of a dtype in place of None."""
    return missing if value is None else value
