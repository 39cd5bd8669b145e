"""One value of all rows: what each reduction is for each family of dtypes."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn, storage_of
from ..columns.selected import SelectedColumn, present
from ..dtypes import family
from ..missing import NA, is_missing
from ..scalars import NaT
from . import extremes, others, sums, truth
from .decimals import of_decimals
from .order import median
from .rows import Rows, is_time, missing_of, refuse, rows_of, scalar_of

_NUMBERS = ("bool", "number", "nullable")
_DATES = ("datetime", "zoned")
_TIMES = (*_DATES, "timedelta")

# What has it among numbers and times, and what it is.
_REDUCTIONS: dict[str, tuple[tuple[str, ...], Callable[..., Any]]] = {
    "sum": ((*_NUMBERS, "timedelta"), sums.total),
    "prod": (_NUMBERS, sums.product),
    "min": ((*_NUMBERS, *_TIMES), extremes.least),
    "max": ((*_NUMBERS, *_TIMES), extremes.largest),
    "mean": ((*_NUMBERS, *_TIMES), sums.mean),
    "median": ((*_NUMBERS, *_TIMES), median),
    "var": (_NUMBERS, sums.variance),
    "std": ((*_NUMBERS, *_TIMES), sums.deviation),
    "sem": (_NUMBERS, sums.error_of_mean),
    "skew": (_NUMBERS, sums.skewness),
    "kurt": (_NUMBERS, sums.kurtosis),
    "any": ((*_NUMBERS, "timedelta"), truth.any_true),
    "all": ((*_NUMBERS, "timedelta"), truth.all_true),
}
_WITH_DDOF = ("var", "std", "sem")


def reduce(
    column: Column, name: str, *, skipna: bool = True, min_count: int = 0, ddof: int = 1
) -> Any:
    """One value: sum, prod, min, max, mean, median, var, std, sem, skew, kurt, any or all.

    Numbers are NumPy's scalars in pandas' dtypes. Missing rows are left out, or with `skipna` False
    make the result missing, as fewer than `min_count` rows do for sum and prod; `ddof` is of var,
    std and sem. Raises TypeError, with the dtype, for a reduction that it has not.
    """
    if isinstance(column, DecimalColumn):
        of_floats = functools.partial(reduce, ddof=ddof)
        return of_decimals(name, column, skipna, min_count, of_floats)
    if not isinstance(column, NumberColumn):
        return _other(name, column, skipna, min_count, ddof)
    families, function = _REDUCTIONS[name]
    if family(column.dtype) not in families:
        return refuse(name, column)
    if isinstance(column, SelectedColumn) and column.whole is not None and skipna and min_count < 1:
        found = _of_selected(column, name, ddof)
        return _result(name, column, found)
    rows = rows_of(column)
    if name in ("any", "all"):
        return _truth(name, rows, skipna)
    if not skipna and rows.there is not None:
        # NaN passes through sums of floats by itself; it must be looked for elsewhere.
        if family(column.dtype) == "number" and name not in ("skew", "kurt", "median"):
            rows = rows.with_all()
        elif rows.count() < len(rows):
            return _missing(name, column)
    if min_count > 0 and rows.count() < min_count:
        return _missing(name, column)
    found = function(rows, ddof) if name in _WITH_DDOF else function(rows)
    return _result(name, column, found)


# What is NaN of float64 in pandas where there are no rows, of whichever float they would be.
_OF_FLOAT64 = frozenset(("min", "max", "mean", "median", "std", "var", "sem"))
# Reductions that leave rows out by ``where``, whatever these hold.
_BY_WHERE = frozenset(("sum", "prod", "min", "max", "mean", "var", "std", "any", "all"))


def _of_selected(column: SelectedColumn, name: str, ddof: int) -> Any:
    """A reduction of rows that a filter keeps, over all rows where it can be."""
    if name in _BY_WHERE and column.dtype.kind in "biuf" and column.whole is not None:
        rows = Rows(column.whole, present(column), column.dtype)
    else:
        rows = rows_of(column)
    function = _REDUCTIONS[name][1]
    return function(rows, ddof) if name in _WITH_DDOF else function(rows)


def _truth(name: str, rows: Rows, skipna: bool) -> Any:
    if skipna:
        return _REDUCTIONS[name][1](rows)
    if family(rows.dtype) == "nullable":
        return truth.with_unknown(name, rows)
    return _REDUCTIONS[name][1](rows.with_all())


def _missing(name: str, column: Column) -> Any:
    if name == "std" and is_time(column.dtype):
        return NaT
    is_float = family(column.dtype) == "number" and len(column) == 0 and name in _OF_FLOAT64
    return np.float64(np.nan) if is_float else missing_of(column.dtype)


def _result(name: str, column: Column, found: Any) -> Any:
    """What was found, or what says that nothing was; NaN is NA of a nullable dtype."""
    if found is None:
        return _missing(name, column)
    if name in ("skew", "kurt") and storage_of(column.dtype) == np.float32:
        found = np.float32(found)
    return NA if family(column.dtype) == "nullable" and is_missing(found) else found


def _other(name: str, column: Column, skipna: bool, min_count: int, ddof: int) -> Any:
    kind = family(column.dtype)
    if kind == "list":
        return refuse(name, column)
    can_be_few = {"text": ("sum",), "object": ("sum", "prod")}.get(kind, ())
    if name in can_be_few and count(column) < min_count:
        return _missing(name, column)
    if kind == "object":
        return others.of_objects(name, column, skipna, functools.partial(reduce, ddof=ddof))
    rule: Any = others.of_texts if kind == "text" else others.of_categories
    return rule(name, column, skipna)


def count(column: Column) -> np.int64:
    """How many rows are not missing."""
    if isinstance(column, SelectedColumn) and column.whole is not None:
        return np.int64(scalar_of(present(column).sum()))
    return np.int64(len(column) - int(scalar_of(column.isna().sum())))


def argument(column: Column, name: str, *, skipna: bool = True) -> int:
    """The position of the first least ("min") or largest ("max") row.

    Raises ValueError for no rows, and with `skipna` False for missing ones; TypeError for objects
    without an order.
    """
    if len(column) == 0:
        raise ValueError(f"attempt to get arg{name} of an empty sequence")
    if not skipna and column.has_missing():
        raise ValueError(f"Encountered an NA value with skipna=False: arg{name} has no row")
    found = extremes.position(_numbered(column), name)
    if found < 0:
        raise ValueError(f"Encountered all NA values: arg{name} has no row")
    return found


def _numbered(column: Any) -> Rows:
    """Numbers in the order of the rows."""
    if isinstance(column, NumberColumn):
        return rows_of(column)
    if isinstance(column, DecimalColumn):
        return Rows(px.asarray(column.order_numbers()), ~column.isna(), column.dtype)
    if family(column.dtype) == "list":
        refuse("argmin", column)
    if family(column.dtype) == "category":
        return Rows(column.codes, ~column.isna(), column.dtype)
    labels = column.tolist()
    there = np.array([not is_missing(each) for each in labels], bool)
    present = sorted({each for each in labels if not is_missing(each)})
    places = {each: i for i, each in enumerate(present)}
    numbers = [places[each] if known else 0 for each, known in zip(labels, there, strict=True)]
    return Rows(px.asarray(np.array(numbers, np.int64)), px.asarray(there), column.dtype)
