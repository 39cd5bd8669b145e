"""A column with other values in some rows: only what its dtype holds, as pandas 3 has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..building.columns import column_from, is_series
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.decimal_casts import is_decimal
from ..columns.making import column_of
from ..columns.scattering import scattered
from ..columns.written import has_log, written
from ..dtypes import OBJECT, STR, CategoricalDtype, DecimalDtype, Dtype, NullableDtype, StringDtype
from ..missing import NA, is_missing
from .selectors import Selector, selected_count


def placed(column: Column, selector: Selector, value: Any) -> Column:
    """The column with a value, or one for each row, in the rows of a selector.

    Raises TypeError for values that its dtype does not hold and ValueError for another number of
    them than of rows.
    """
    count = selected_count(selector, len(column))
    if not count:
        return column
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" and _is_nothing(value):
        # The one widening that pandas 3 does without an error.
        column = column.astype(np.dtype(np.float64))
    values = _values_for(column, value, count)
    if len(values) not in (1, count):
        raise ValueError(
            f"cannot set using a list-like indexer with a different length than the value: "
            f"{len(values)} values for {count} rows"
        )
    if isinstance(selector, int) and has_log(column):
        return written(column, selector, values.element(0))
    return scattered(column, selector, values)


def unchanged(column: Column, value: Any) -> Column:
    """The column where no row gets a value, which its dtype must hold all the same.

    NumPy's dtypes and texts look at it only where there are rows, as in pandas.
    """
    looks = isinstance(column.dtype, (CategoricalDtype, NullableDtype))
    if is_list_like(value) or is_series(value) or not (len(column) or looks):
        return column
    if isinstance(column.dtype, np.dtype) and column.dtype.kind in "iu" and _is_nothing(value):
        return column.astype(np.dtype(np.float64))
    _values_for(column, value, 1)
    return column


def with_element(column: Column, row: int, value: Any) -> Column:
    """The column with one value in a row. Raises TypeError for one that its dtype does not hold."""
    taker = _TAKERS.get((column.dtype, type(value)))
    if taker is not None:
        try:
            return written(column, row, taker(value))
        except OverflowError:
            pass  # `placed` says what is wrong.
    return placed(column, row, value)


def _float(value: int) -> np.float64:
    """An integer as a float, where a column of it would have 64 bits."""
    if not -(2**63) <= value < 2**63:
        raise OverflowError
    return np.float64(value)


def _takers() -> dict[tuple[Any, type], Any]:
    """What makes an element of a value, for dtypes and types of which the former holds the latter.

    These are most writes. All others go through columns of one row.
    """
    made: dict[tuple[Any, type], Any] = {(STR, str): str}
    for code in "?bhilqBHILQfd":
        dtype = np.dtype(code)
        made[dtype, dtype.type] = dtype.type
        if dtype.kind in "iu":
            made[dtype, int] = dtype.type
    # Floats of Python's have no precision of their own: smaller dtypes hold them, too.
    made |= {(np.dtype(kind), float): kind for kind in (np.float16, np.float32, np.float64)}
    return made | {(np.dtype(bool), bool): np.bool_, (np.dtype(float), int): _float}


_TAKERS = _takers()


def check_length(column: Column, selector: Selector, value: Any) -> None:
    """Raises ValueError for a list of other than as many values as a selector has rows."""
    if not is_list_like(value) or isinstance(value, Mapping) or not hasattr(value, "__len__"):
        return
    if isinstance(selector, int):
        if isinstance(value, (list, tuple)) and column.dtype != OBJECT:
            raise ValueError("setting an array element with a sequence.")
        return
    count = selected_count(selector, len(column))
    if len(value) != count and np.ndim(value) == 1 and (count or len(value)):
        kind = "slice" if isinstance(selector, slice) else "list-like"
        raise ValueError(
            f"cannot set using a {kind} indexer with a different length than the value: "
            f"{len(value)} values for {count} rows"
        )


def _values_for(column: Column, value: Any, count: int) -> Column:
    if is_series(value):
        return held(column.dtype, value._parts[0], value)
    if isinstance(value, Column):
        return held(column.dtype, value, value)
    if column.dtype == OBJECT and not (is_list_like(value) and _length(value) == count):
        return one_object(value)
    if is_list_like(value) and not isinstance(
        value, (dict, tuple if column.dtype == OBJECT else dict)
    ):
        return held(column.dtype, column_from(value), value)
    return held(column.dtype, _one(value), value)


def widened(column: Column, value: Any) -> Column:
    """Integers as floats if they get an array of floats which are whole or missing."""
    return column.astype(np.dtype(np.float64)) if _widens(column, value) else column


def _widens(column: Column, value: Any) -> bool:
    if not isinstance(column.dtype, np.dtype) or column.dtype.kind not in "iu":
        return False
    if not is_series(value) and not isinstance(value, (np.ndarray, ndarray)):
        return False
    if value.dtype.kind != "f" or value.ndim != 1:
        return False
    values = np.asarray(value)
    gone = np.isnan(values)
    return bool(gone.any() and (values[~gone] == np.trunc(values[~gone])).all())


def _is_nothing(value: Any) -> bool:
    """True for one missing value that a number can be: None, NA, NaN."""
    return not is_list_like(value) and (
        value is None or value is NA or (isinstance(value, float) and value != value)
    )


def _length(value: Any) -> int:
    return len(value) if hasattr(value, "__len__") else -1


def one_object(value: Any) -> Column:
    """A column of one row, which is the object itself, also a list."""
    made = np.empty(1, object)
    made[0] = value
    return column_of(made, OBJECT)


def _one(value: Any) -> Column:
    return one_object(value) if is_list_like(value) else column_of([value])


# What a dtype holds.


def held(dtype: Dtype, values: Column, given: Any = None) -> Column:
    """Values in a dtype that holds them as they are. Raises TypeError where it does not."""
    if values.dtype == dtype or dtype == OBJECT:
        return values.astype(dtype)
    if isinstance(dtype, DecimalDtype) and not all_missing(values):
        return _held_decimals(dtype, values)
    if isinstance(dtype, CategoricalDtype):
        return _held_by_categories(dtype, values)
    made = _converted(dtype, values)
    if made is None:
        shown = given if given is not None and not isinstance(given, Column) else values.tolist()
        raise TypeError(f"Invalid value '{shown}' for dtype '{dtype}'")
    return made


def _held_decimals(dtype: DecimalDtype, values: Column) -> Column:
    """Decimals and integers as decimals. Raises ValueError for those that the dtype has not."""
    whole = isinstance(values.dtype, DecimalDtype) or values.dtype.kind in "iu"
    if not whole and not all(is_decimal(each) or is_missing(each) for each in values.tolist()):
        raise TypeError(f"Invalid value '{values.tolist()[0]}' for dtype '{dtype}'")
    return values.astype(dtype)


def _converted(dtype: Dtype, values: Column) -> Column | None:
    if all_missing(values):
        return _missing_in(dtype, values)
    if isinstance(dtype, StringDtype):
        return values.astype(dtype) if _is_text(values) else None
    if values.dtype == OBJECT or isinstance(values.dtype, (CategoricalDtype, StringDtype)):
        return _inferred(dtype, values)
    if dtype.kind in "Mm":
        return values.astype(dtype) if values.dtype.kind == dtype.kind else None
    if dtype.kind == "b":
        return values.astype(dtype) if values.dtype.kind == "b" else None
    if dtype.kind in "iufc" and values.dtype.kind in "iufc":
        return _held_number(dtype, values)
    return None


def all_missing(values: Column) -> bool:
    """True if no row has a value."""
    if values.dtype.kind in "iub" and not isinstance(values.dtype, NullableDtype):
        return False
    return len(values) > 0 and bool(values.isna().all())


def _missing_in(dtype: Dtype, values: Column) -> Column | None:
    if isinstance(dtype, np.dtype) and dtype.kind in "iub":
        return None
    if dtype.kind in "iufcb" and values.dtype.kind in "mM":
        return None
    return column_of([None], dtype).take(px.zeros(len(values), np.int64))


def _is_text(values: Column) -> bool:
    if isinstance(values.dtype, StringDtype):
        return True
    return values.dtype == OBJECT and all(
        isinstance(each, str) or is_missing(each) for each in values.objects_of()
    )


def _inferred(dtype: Dtype, values: Column) -> Column | None:
    """What objects or texts are if looked at; dates are also read from text."""
    if dtype.kind in "Mm":
        try:
            return values.astype(dtype)
        except (TypeError, ValueError):
            return None
    better = column_of(values.tolist())
    return None if better.dtype == values.dtype else _converted(dtype, better)


def _held_number(dtype: Dtype, values: Column) -> Column | None:
    if values.has_missing():
        if isinstance(dtype, np.dtype) and dtype.kind in "iu":
            return None
        return values.astype(dtype)
    try:
        made = values.astype(dtype)
    except (TypeError, ValueError, OverflowError):
        return None
    if dtype.kind == "c" or (dtype.kind == "f" and values.dtype.kind in "iu"):
        return made
    same = (made.values == values.values).all()  # type: ignore[attr-defined]
    return made if bool(same) else None


def _held_by_categories(dtype: CategoricalDtype, values: Column) -> Column:
    made = values.astype(dtype)
    lost = np.asarray(made.isna()) & ~np.asarray(values.isna())
    if lost.any():
        first = next(each for each, gone in zip(values.tolist(), lost, strict=True) if gone)
        raise TypeError(
            f"Cannot setitem on a Categorical with a new category ({first}), set the categories "
            "first"
        )
    return made
