"""Columns in other dtypes: one rule for each pair of families, with pandas' errors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import IntCastingNaNError

from ..._arrays.ndarray import ndarray
from .. import engine
from ..dtypes import BOOLEAN, CategoricalDtype, DatetimeTZDtype, Dtype, PeriodDtype, family, unit_of
from ..scalars.units import NANOSECONDS
from .categories import CategoryColumn
from .column import Column
from .decimal_casts import of_decimals, to_decimals
from .from_objects import cast_objects, cast_texts
from .list_casts import of_lists, to_lists
from .making_categories import categorized
from .numbers import NumberColumn, missing_number
from .objects import ObjectColumn
from .periods import PeriodColumn, cast_periods
from .strings import StringColumn, of_texts
from .time_texts import texts_of_dates, texts_of_durations, texts_of_zoned

_BOOL_LIKE = "Need to pass bool-like values"


def cast(column: Any, dtype: Dtype) -> Column:
    """A column in another dtype; what ``Column.astype`` does."""
    same: Column = column
    if not isinstance(dtype, CategoricalDtype) and column.dtype == dtype:
        return same
    plain = dtype == np.dtype(object) or isinstance(dtype, CategoricalDtype)
    if not plain and (isinstance(column, PeriodColumn) or isinstance(dtype, PeriodDtype)):
        return cast_periods(column, dtype)
    rule = _RULES[family(column.dtype), family(dtype)]
    return rule(column, dtype)


# Numbers.


def _plain(column: NumberColumn, dtype: Any) -> Column:
    """To NumPy's numbers of NumPy's numbers."""
    values = column.values
    cut = dtype.kind in "iu" and values.dtype.kind == "f"
    if cut and not bool(px.isfinite(values).all()):
        raise IntCastingNaNError(
            "Cannot convert non-finite values (NA or inf) to integer. Replace or remove "
            "non-finite values or cast to an integer type that supports these values "
            "(e.g. 'Int64')"
        )
    if values.dtype.kind == "c" and dtype.kind not in "cb":
        values = values.real
    return NumberColumn(values.astype(dtype))


def _to_nullable(column: NumberColumn, dtype: Any) -> Column:
    """NaNs are missing; what the dtype cannot hold is refused."""
    values = column.values
    valid = ~px.isnan(values) if values.dtype.kind == "f" else None
    if values.dtype.kind == "c" and dtype != BOOLEAN:
        kind = "Floating" if dtype.kind == "f" else "Integer"
        raise TypeError(f"{values.dtype} cannot be converted to {kind}Dtype")
    if dtype.kind == "f":
        return NumberColumn(values.astype(dtype.numpy_dtype), valid, dtype)
    kept = values if valid is None else px.where(valid, values, values.dtype.type(0))
    made = kept.astype(dtype.numpy_dtype)
    if not _holds(values.dtype, dtype.numpy_dtype) and not bool(_same(kept, made).all()):
        if dtype == BOOLEAN:
            raise TypeError(_BOOL_LIKE)
        if values.dtype.kind == "f" and bool(px.isinf(kept).any()):
            raise OverflowError("cannot convert float infinity to integer")
        raise TypeError(f"cannot safely cast non-equivalent {values.dtype} to {dtype.numpy_dtype}")
    return NumberColumn(made, valid, dtype)


def _holds(source: np.dtype, target: np.dtype) -> bool:
    """Returns whether each value of a dtype is one of another."""
    return target.kind != "f" and np.can_cast(source, target, "safe")


def _same(before: ndarray, after: ndarray) -> ndarray:
    """Which values a cast has kept. Signs are lost on the way there and back again."""
    same: ndarray = after.astype(before.dtype) == before
    kinds = before.dtype.kind + after.dtype.kind
    if kinds in ("ui", "iu"):
        same &= (after if kinds == "ui" else before) >= 0
    return same


def _of_nullable(column: NumberColumn, dtype: Any) -> Column:
    """To NumPy's numbers, where missing values are NaN or refused."""
    if not column.has_missing():
        return NumberColumn(column.values.astype(dtype))
    if dtype.kind == "f":
        values = column.values.astype(dtype)
        return NumberColumn(px.where(column.valid, values, dtype.type(np.nan)))
    raise ValueError(_NO_MISSING[dtype.kind].format(dtype))


_NO_MISSING = {
    "b": "cannot convert float NaN to bool",
    "c": "cannot convert to '{}'-dtype NumPy array with missing values; fill them first",
} | dict.fromkeys("iu", "cannot convert NA to integer")


def _nullable_to_nullable(column: NumberColumn, dtype: Any) -> Column:
    return NumberColumn(column.values.astype(dtype.numpy_dtype), column.valid, dtype)


def _numbers_to_times(column: NumberColumn, dtype: Any) -> Column:
    """Numbers are counts of the unit; what int64 does not hold, and what is missing, is NaT."""
    if isinstance(dtype, DatetimeTZDtype) and column.dtype.kind == "b":
        raise TypeError(f"dtype {column.dtype} cannot be converted to datetime64[{dtype.unit}]")
    values = column.values.real if column.values.dtype.kind == "c" else column.values
    storage = dtype.numpy_dtype if isinstance(dtype, DatetimeTZDtype) else dtype
    gone = column.isna()
    if values.dtype.kind == "f":
        gone = gone | ~(abs(values) < 2.0**63)
        values = px.where(gone, values.dtype.type(0), values)
    counts = values.astype(np.int64).view(storage)
    return NumberColumn(px.where(gone, missing_number(storage), counts), None, dtype)


def _numbers_to_texts(column: NumberColumn, dtype: Any) -> Column:
    values: Any = np.asarray(column.values)
    if values.dtype.kind in "biuf" and values.dtype != np.float16:
        gone = column.isna() if column.has_missing() else None
        mask = None if gone is None else ~gone
        kept = None if mask is None else np.asarray(mask)
        offsets, text, _ = engine.of_texts("write_numbers", values, kept)
        device = column.values.device
        offsets, text = (px.asarray(each, device=device) for each in (offsets, text))
        return StringColumn(offsets, text, mask, dtype)
    # A smaller float is written with its own digits: as a scalar of its dtype.
    small = values.dtype.kind in "fc" and values.dtype.itemsize < 8
    texts = map(str, values if small else values.tolist())
    return of_texts(texts, np.asarray(column.isna()), dtype)


# Dates and durations.


def _times_to_times(column: NumberColumn, dtype: Any) -> Column:
    storage = dtype.numpy_dtype if isinstance(dtype, DatetimeTZDtype) else dtype
    if storage.kind != column.values.dtype.kind:
        return _refused(column, dtype)
    _check_range(column.values, storage)
    return NumberColumn(column.values.astype(storage), None, dtype)


def _check_range(values: ndarray, target: np.dtype) -> None:
    """Raise ValueError where counts of a finer unit do not fit into int64."""
    units = NANOSECONDS[unit_of(values.dtype)], NANOSECONDS[unit_of(target)]
    factor = units[0] // units[1]
    if factor <= 1 or values.shape[0] == 0:
        return
    counts = px.where(px.isnat(values), 0, values.view(np.int64))
    bound = (2**63 - 1) // factor
    if bool(((counts > bound) | (counts < -bound)).any()):
        raise ValueError(
            f"Out of bounds: values of {values.dtype} do not fit into {target}; keep the unit"
        )


def _times_to_numbers(column: NumberColumn, dtype: Any) -> Column:
    if dtype.kind == "b":
        return NumberColumn(column.values.view(np.int64).astype(bool))
    if dtype == np.int64:
        return NumberColumn(column.values.view(np.int64))
    if dtype.kind in "iu":
        raise TypeError(
            f"Converting from {column.dtype} to {dtype} is not supported. "
            "Do obj.astype('int64').astype(dtype) instead"
        )
    if dtype.kind == "c":
        return NumberColumn(column.values.view(np.int64).astype(dtype))
    return _refused(column, dtype)


def _times_to_nullable(column: NumberColumn, dtype: Any) -> Column:
    if dtype == BOOLEAN:
        raise TypeError(_BOOL_LIKE)
    kind = "Floating" if dtype.kind == "f" else "Integer"
    raise TypeError(f"{column.dtype} cannot be converted to {kind}Dtype")


def _times_to_texts(column: NumberColumn, dtype: Any) -> Column:
    gone = np.asarray(column.isna())
    kept = np.asarray(column.values)[~gone]
    if isinstance(column.dtype, DatetimeTZDtype):
        written = texts_of_zoned(kept, column.dtype.tz)
    else:
        written = (texts_of_dates if kept.dtype.kind == "M" else texts_of_durations)(kept)
    texts = np.full(len(column), "", object)
    texts[~gone] = written
    return of_texts(texts.tolist(), gone, dtype)


def _refused(column: Column, dtype: Dtype) -> Column:
    kind = "Timedelta" if column.dtype.kind == "m" else "Datetime"
    raise TypeError(f"Cannot cast {kind}Array to dtype {dtype}")


def _refuse_zones(column: Column, dtype: Dtype) -> Column:
    """Only the user knows the zone of what has none."""
    before, after = (
        ("naive", "aware")
        if column.dtype.kind == "M" and isinstance(dtype, DatetimeTZDtype)
        else ("aware", "naive")
    )
    hint = "tz_localize" if after == "aware" else "tz_localize(None) or obj.tz_convert(None)"
    raise TypeError(
        f"Cannot use .astype to convert from timezone-{before} dtype to timezone-{after} dtype. "
        f"Use obj.{hint} instead"
    )


def _durations_to_zoned(column: Column, dtype: Any) -> Column:
    raise TypeError(f"dtype {column.dtype} cannot be converted to datetime64[{dtype.unit}]")


# Texts, categories, objects.


def _texts_to_texts(column: StringColumn, dtype: Any) -> Column:
    return StringColumn(column.offsets, column.text, column.valid, dtype)


def _to_objects(column: Column, dtype: Dtype) -> Column:
    return ObjectColumn(column.objects_of())


def _of_categories(column: CategoryColumn, dtype: Any) -> Column:
    """The categories are cast, of which there are few; then each row takes its own."""
    missing = column.has_missing()
    if missing and isinstance(dtype, np.dtype) and dtype.kind in "iu":
        raise ValueError("Cannot convert float NaN to integer: rows are missing")
    few: Column = column.dtype.values.astype(dtype)
    return few.take(column.codes.astype(np.int64), has_missing=missing)


def _categories_to_categories(column: CategoryColumn, dtype: Any) -> Column:
    if dtype.values is None:
        if dtype.ordered is None or bool(dtype.ordered) == bool(column.dtype.ordered):
            return column
        return CategoryColumn(column.codes, CategoricalDtype(column.dtype.values, dtype.ordered))
    return (
        column
        if dtype.same_list(column.dtype) and dtype == column.dtype
        else (column.with_dtype(dtype))
    )


Rule = Callable[[Any, Any], Column]
_PLAIN = ("bool", "number")
_TIMES = ("datetime", "timedelta", "zoned")
_ALL = (*_PLAIN, "nullable", *_TIMES, "decimal", "text", "category", "list", "object")


def _table() -> dict[tuple[str, str], Rule]:
    """The rule for each pair of families; later lines replace earlier ones."""
    lines: list[tuple[tuple[str, ...], tuple[str, ...], Rule]] = [
        (_PLAIN, _PLAIN, _plain),
        (_PLAIN, ("nullable",), _to_nullable),
        (("nullable",), _PLAIN, _of_nullable),
        (("nullable",), ("nullable",), _nullable_to_nullable),
        ((*_PLAIN, "nullable"), _TIMES, _numbers_to_times),
        ((*_PLAIN, "nullable"), ("text",), _numbers_to_texts),
        (_TIMES, _TIMES, _times_to_times),
        (_TIMES, _PLAIN, _times_to_numbers),
        (_TIMES, ("nullable",), _times_to_nullable),
        (_TIMES, ("text",), _times_to_texts),
        (("datetime",), ("zoned",), _refuse_zones),
        (("zoned",), ("datetime",), _refuse_zones),
        (("timedelta",), ("zoned",), _durations_to_zoned),
        (_ALL, ("decimal",), to_decimals),
        (_ALL, ("list",), to_lists),
        (("decimal",), _ALL, of_decimals),
        (("list",), _ALL, of_lists),
        (("text",), _ALL, cast_texts),
        (("object",), _ALL, cast_objects),
        (("text",), ("text",), _texts_to_texts),
        (("text",), ("decimal",), to_decimals),
        (("text",), ("list",), to_lists),
        (("category",), _ALL, _of_categories),
        (_ALL, ("object",), _to_objects),
        (_ALL, ("category",), categorized),
        (("category",), ("category",), _categories_to_categories),
    ]
    return {
        (source, target): rule
        for sources, targets, rule in lines
        for source in sources
        for target in targets
    }


_RULES = _table()
