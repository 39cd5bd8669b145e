"""Numbers for each group: columns in, columns of one row a group out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import engine
from ..columns.categories import CategoryColumn
from ..columns.codes import codes_of
from ..columns.column import Column
from ..columns.decimal_casts import floats_of
from ..columns.decimals import DecimalColumn
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn
from ..dtypes import (
    BOOLEAN,
    NULLABLE,
    ArrowDtype,
    DatetimeTZDtype,
    NullableDtype,
    nullable_of,
    unit_of,
)
from ..reductions.decimals import FOLDS
from .by_rows import rows_of_extreme, rows_of_first
from .decimals import folded
from .grouping import Grouping
from .moments import moment
from .objects import by_python

# Of each name the engine's kind.
NUMERIC = {
    "sum": "sum", "prod": "product", "mean": "mean", "median": "median", "var": "var",
    "std": "std", "sem": "std", "quantile": "quantile",
}  # fmt: skip
OF_ALL = {"min": "min", "max": "max", "first": "first", "last": "last"}
COUNTS = {"count": "count", "nunique": "nunique", "size": "size"}
TRUTHS = {"any": "any", "all": "all"}
MOMENTS = ("skew", "kurt")
NAMES = {**NUMERIC, **OF_ALL, **COUNTS, **TRUTHS, **dict.fromkeys(MOMENTS, "")}

# What pandas has of dates and durations.
_OF_DATES = frozenset(("mean", "median", "std", "sem", "quantile", *OF_ALL, *COUNTS))
_OF_DURATIONS = _OF_DATES | {"sum", "any", "all"}


class Wanted(NamedTuple):
    """A column of the result: of which column, what, and how; the label is for messages."""

    column: Column
    name: str
    keywords: Mapping[str, Any] = {}
    label: Any = None


class Plan(NamedTuple):
    """What the engine is asked for, and what makes a column of its answers."""

    requests: list[tuple[Any, ...]]
    finish: Callable[[list[tuple[Any, Any]]], Column]


def is_number(column: Column) -> bool:
    """True for columns of numbers and bools, nullable ones too."""
    return isinstance(column, NumberColumn) and column.values.dtype.kind in "biufc"


def aggregated(grouping: Grouping, wanted: list[Wanted]) -> list[Column]:
    """The columns that are wanted. Those of numbers are computed in one walk over the rows.

    Raises TypeError for what a dtype has not.
    """
    spilled = grouping.aggregated(wanted)
    if spilled is not None:
        return spilled
    plans = [_told(_plan, grouping, each) for each in wanted]
    requests = [request for plan in plans if plan is not None for request in plan.requests]
    answers = iter(grouping.aggregate(requests))
    made: list[Column] = []
    for each, plan in zip(wanted, plans, strict=True):
        if plan is None:
            made.append(_told(_of_rows, grouping, each))
            continue
        found = [next(answers) for _ in plan.requests]
        result = grouping.arrange(plan.finish(found))
        made.append(of_no_rows(each.column, result) if each.name in ("sum", "prod") else result)
    return made


def of_no_rows(column: Column, result: Column) -> Column:
    """What no rows give: small integers, of which sums are larger, stay as they are in pandas."""
    own = column.dtype
    small = isinstance(own, np.dtype) and own.kind in "iu"
    return result.astype(own) if small and not len(column) else result


def _told(function: Any, grouping: Grouping, wanted: Wanted) -> Any:
    """What a function gives; its TypeError says which column it was."""
    try:
        return function(grouping, wanted)
    except TypeError as error:
        if wanted.label is None:
            raise
        raise TypeError(
            f"column {wanted.label!r}: {error}; numeric_only=True leaves such columns out"
        ) from None


def _plan(grouping: Grouping, wanted: Wanted) -> Plan | None:
    """What the engine does of it by itself; None where rows are looked at first."""
    column, name, keywords, _ = wanted
    if name == "size":
        return Plan([(grouping.any_values, None, "size")], lambda a: _counts(a[0][0]))
    if name == "count":
        return _plan_of_count(grouping, column)
    if not isinstance(column, NumberColumn) or name == "nunique":
        return None
    kind = column.values.dtype.kind
    if kind == "c":
        return None
    if kind in "mM" and name not in (_OF_DATES if kind == "M" else _OF_DURATIONS):
        raise TypeError(
            f"{'datetime64' if kind == 'M' else 'timedelta64'} type does not support "
            f"operation '{name}'"
        )
    if name in MOMENTS or (kind == "f" and column.values.dtype.itemsize < 4):
        return None
    if name in ("first", "last") and not keywords.get("skipna", True):
        return None
    if name == "quantile" and kind == "b" and not isinstance(column.dtype, NullableDtype):
        raise TypeError("Cannot use quantile with bool dtype")
    return _plan_of_number(column, name, keywords)


def _plan_of_count(grouping: Grouping, column: Column) -> Plan:
    is_nullable = isinstance(column.dtype, (ArrowDtype, NullableDtype))
    if isinstance(column, NumberColumn) and column.values.dtype.kind != "c":
        values, mask = engine.parts_of(column)
    else:
        values, mask = grouping.any_values, None
        if not isinstance(column, StringColumn) or column.valid is not None:
            mask = engine.placed(~column.isna())
    return Plan([(values, mask, "count")], lambda a: _counts(a[0][0], is_nullable))


def _counts(values: np.ndarray, is_nullable: bool = False) -> Column:
    return NumberColumn(px.asarray(values), None, NULLABLE["Int64"] if is_nullable else None)


def _plan_of_number(column: NumberColumn, name: str, keywords: Mapping[str, Any]) -> Plan:
    values, mask = engine.parts_of(column)
    requests: list[tuple[Any, ...]] = [(values, mask, NAMES[name], *_argument(name, keywords))]
    skips = keywords.get("skipna", True)
    least = keywords.get("min_count", -1)
    counts = least > (0 if name in ("sum", "prod") else 1) or not skips or name == "sem"
    if counts:
        requests += [(values, mask, "count")]
    if not skips:
        requests += [(values, None if values.dtype.kind not in "fmM" else mask, "size")]

    def finish(answers: list[tuple[Any, Any]]) -> Column:
        found, valid = answers[0]
        if counts and name == "sem":
            with np.errstate(invalid="ignore", divide="ignore"):
                found = (found / np.sqrt(answers[1][0])).astype(found.dtype)
        if not skips:
            whole = answers[1][0] == answers[2][0]
            if name in TRUTHS and not isinstance(column.dtype, NullableDtype):
                return NumberColumn(px.asarray(found.astype(bool) | (not_all(name) & ~whole)))
            valid = _both(valid, _known_truth(name, found, whole))
        if counts and least > 0:
            valid = _both(valid, answers[1][0] >= least)
        return _column(column, name, found, valid)

    return Plan(requests, finish)


def not_all(name: str) -> bool:
    """True for `any`, of which a missing value that counts makes True."""
    return name == "any"


def _known_truth(name: str, found: engine.Array, whole: engine.Array) -> engine.Array:
    """Where a missing value leaves the result known: by Kleene's logic for truths."""
    if name == "any":
        return whole | found.astype(bool)
    return whole | ~found.astype(bool) if name == "all" else whole


def _argument(name: str, keywords: Mapping[str, Any]) -> tuple[Any, ...]:
    if name in ("var", "std", "sem"):
        return (keywords.get("ddof", 1),)
    if name == "quantile":
        return ((keywords["q"], keywords.get("interpolation", "linear")),)
    return ()


def _both(valid: Any, known: np.ndarray) -> np.ndarray:
    return known if valid is None else known & valid.astype(bool)


def _column(column: Any, name: str, values: np.ndarray, valid: Any) -> Column:
    """A column of pandas' dtype; where `valid` is 0 a row has no number."""
    dtype = column.dtype
    known = None if valid is None else valid.astype(bool)
    if name in ("sum", "prod"):
        values = narrowed(values, column.values.dtype)
    if column.values.dtype.kind in "mM" and name not in TRUTHS:
        return _of_time(column, name, values, known)
    if isinstance(dtype, NullableDtype):
        is_truth = values.dtype.kind == "b" or name in TRUTHS
        is_truth |= name == "quantile" and dtype is BOOLEAN and values.dtype.kind != "f"
        is_own = dtype.kind == values.dtype.kind == "f"
        made = BOOLEAN if is_truth else dtype if is_own else nullable_of(values.dtype)
        if known is None and values.dtype.kind == "f" and name not in OF_ALL:
            known = None if not np.isnan(values).any() else ~np.isnan(values)
        mask = None if known is None else px.asarray(known)
        return NumberColumn(px.asarray(values.astype(made.numpy_dtype)), mask, made)
    if name in TRUTHS:
        return NumberColumn(px.asarray(values.astype(bool)))
    return with_missing(values, known)


def narrowed(values: np.ndarray, stored: np.dtype) -> np.ndarray:
    """Sums of small integers in their own dtype where that holds all of them, as in pandas."""
    if stored.kind not in "iu" or stored.itemsize == 8 or not len(values):
        return values
    limits = np.iinfo(stored)
    fits = values.min() >= limits.min and values.max() <= limits.max
    return values.astype(stored) if fits else values


def with_missing(values: np.ndarray, known: np.ndarray | None) -> Column:
    """NaN where there is no number, for which ints and bools become floats."""
    if known is None or known.all():
        return NumberColumn(px.asarray(values))
    if values.dtype.kind in "iub":
        values = values.astype(np.float64)
    return NumberColumn(px.asarray(np.where(known, values, values.dtype.type(np.nan))))


def _of_time(column: Any, name: str, values: np.ndarray, known: Any) -> Column:
    stored = column.values.dtype
    is_zoned = isinstance(column.dtype, DatetimeTZDtype) and name not in ("std", "sem")
    if name in ("std", "sem"):
        stored = np.dtype(f"m8[{unit_of(column.dtype)}]")
    if values.dtype.kind == "f":
        gone = np.isnan(values)
        known = ~gone if known is None else known & ~gone
        values = np.where(gone, 0, values).astype(np.int64)
    found = values.view(stored)
    if known is not None and not known.all():
        found = np.where(known, found, np.array("NaT", stored))
    return NumberColumn(px.asarray(found), None, column.dtype if is_zoned else None)


# What is not the engine's alone.


def _of_rows(grouping: Grouping, wanted: Wanted) -> Column:
    """What is counted or taken of other columns, by the rows that they are in."""
    column, name, keywords, _ = wanted
    if name == "nunique":
        return _different(grouping, column, dropna=keywords.get("dropna", True))
    if name in ("first", "last"):
        rows = rows_of_first(grouping, column, name, skipna=keywords.get("skipna", True))
        return _taken(grouping, wanted, rows)
    if name in MOMENTS and is_number(column):
        return moment(grouping, column, name, skipna=keywords.get("skipna", True))
    if isinstance(column, DecimalColumn):
        return _of_decimals(grouping, wanted)
    if isinstance(column, StringColumn):
        return _of_texts(grouping, wanted)
    if isinstance(column, CategoryColumn):
        return _of_categories(grouping, wanted)
    if isinstance(column, ObjectColumn) and name != "quantile":
        return by_python(grouping, column, name, keywords)
    if is_number(column):
        return _of_other_numbers(grouping, wanted)
    raise refused(column, name)


def refused(column: Column, name: str) -> TypeError:
    """The error for what a dtype has not."""
    return TypeError(f"dtype '{column.dtype}' does not support operation '{name}'")


def _different(grouping: Grouping, column: Column, *, dropna: bool) -> Column:
    if dropna and not _is_complex(column):
        counts = engine.count_distinct(grouping.placed_codes, grouping.count, column.key())
        return NumberColumn(px.asarray(counts))
    values, firsts = codes_of([column], keep_missing=not dropna)
    codes = grouping.placed_codes
    keys = [("codes", codes, None), ("codes", engine.placed(values), None)]
    _, _, firsts = engine.group_rows(keys, True)
    counts = np.bincount(codes[firsts], minlength=grouping.count)
    return NumberColumn(px.asarray(counts.astype(np.int64)))


def _is_complex(column: Any) -> bool:
    return isinstance(column, NumberColumn) and column.values.dtype.kind == "c"


def _taken(grouping: Grouping, wanted: Wanted, rows: np.ndarray) -> Column:
    """The elements of rows, -1 for none, where a group has so many that are not missing."""
    column, _, keywords, _ = wanted
    least = keywords.get("min_count", -1)
    if least > 1:
        (counts,) = aggregated(grouping, [Wanted(column, "count")])
        rows = np.where(engine.placed(counts.values) >= least, rows, -1)  # type: ignore[attr-defined]
    if isinstance(column, ObjectColumn) and column.dtype == object:
        made = np.full(len(rows), None, object)
        rows = np.asarray(rows)
        made[rows >= 0] = column.objects[rows[rows >= 0]]
        return ObjectColumn(made)
    return column.take(px.asarray(rows), has_missing=bool((rows < 0).any()))


def _of_decimals(grouping: Grouping, wanted: Wanted) -> Column:
    """Decimals where there is a rule for them, else what there is of the nearest floats."""
    column: Any = wanted.column
    if wanted.name in FOLDS:
        return folded(grouping, column, wanted.name, wanted.keywords)
    if wanted.name in TRUTHS:
        raise refused(column, wanted.name)
    (made,) = aggregated(grouping, [wanted._replace(column=floats_of(column))])
    return made


def _of_texts(grouping: Grouping, wanted: Wanted) -> Column:
    column: Any = wanted.column
    name, keywords = wanted.name, wanted.keywords
    skips = keywords.get("skipna", True)
    if name in ("min", "max"):
        rows = rows_of_extreme(grouping, column, least=name == "min", skipna=skips)
        return _taken(grouping, wanted, rows)
    if name in TRUTHS:
        lengths = np.asarray(column.lengths())
        truths = NumberColumn(px.asarray(lengths != 0), ~column.isna(), BOOLEAN)
        if not skips:  # A missing text is true, as NaN is.
            truths = NumberColumn(px.asarray((lengths != 0) | np.asarray(column.isna())))
        (made,) = aggregated(grouping, [Wanted(truths, name)])
        return NumberColumn(made.values)  # type: ignore[attr-defined]
    if name == "sum":
        made = joined_texts(grouping, column)
        if skips and keywords.get("min_count", 0) <= 0:
            return made
        counts = aggregated(grouping, [Wanted(column, each) for each in ("count", "size")])
        found, sizes = (np.asarray(each.values) for each in counts)  # type: ignore[attr-defined]
        known = found >= max(keywords.get("min_count", 0), 0)
        known &= skips | (found == sizes)
        rows = np.where(known, np.arange(grouping.count), -1)
        return made.take(px.asarray(rows), has_missing=True)
    raise refused(column, name)


def joined_texts(grouping: Grouping, column: Any) -> StringColumn:
    """The texts of each group one after the other; those that are missing leave nothing."""
    rows, bounds = grouping.rows, grouping.bounds
    if column.valid is not None:
        there = np.asarray(column.valid)[rows]
        bounds = np.concatenate([[0], np.cumsum(there)])[bounds]
        rows = rows[there]
    taken = column.take(px.asarray(rows))
    offsets = np.asarray(taken.offsets)[bounds]
    return StringColumn(px.asarray(offsets), taken.text, None, column.dtype)


def _of_categories(grouping: Grouping, wanted: Wanted) -> Column:
    column: Any = wanted.column
    if wanted.name not in ("min", "max"):
        raise TypeError(f"category dtype does not support aggregation '{wanted.name}'")
    if not column.dtype.ordered:
        raise TypeError(f"Cannot perform {wanted.name} with non-ordered Categorical")
    codes = NumberColumn(column.codes, ~column.isna(), nullable_of(column.codes.dtype))
    (made,) = aggregated(grouping, [Wanted(codes, wanted.name, wanted.keywords)])
    found: Any = made
    return CategoryColumn(
        px.where(found.isna(), found.values.dtype.type(-1), found.values), column.dtype
    )


def _of_other_numbers(grouping: Grouping, wanted: Wanted) -> Column:
    """Complex numbers, of which sums and means are those of their parts, and float16."""
    column: Any = wanted.column
    if column.values.dtype.kind != "c":
        (made,) = aggregated(grouping, [wanted._replace(column=column.astype(np.dtype("f4")))])
        return made
    if wanted.name not in ("sum", "mean"):
        raise TypeError(f"dtype '{column.dtype}' does not support operation '{wanted.name}'")
    parts = [NumberColumn(column.values.real), NumberColumn(column.values.imag)]
    both: list[Any] = aggregated(grouping, [wanted._replace(column=each) for each in parts])
    real, imaginary = (np.asarray(each.values) for each in both)
    return NumberColumn(px.asarray((real + 1j * imaginary).astype(column.dtype)))
