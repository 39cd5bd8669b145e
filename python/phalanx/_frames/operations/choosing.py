"""Rows that are kept beside rows that get another value: fillna, where, mask, clip and writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.decimal_casts import is_decimal
from ..columns.making import constant
from ..columns.numbers import NumberColumn, missing_number
from ..columns.periods import PeriodColumn
from ..dtypes import OBJECT, CategoricalDtype, DatetimeTZDtype, Dtype, family
from ..missing import NA
from .common import common_dtype, in_zone_of
from .operands import Scalar, is_nat, operand


def chosen(column: Column, kept: ndarray, other: Any) -> Column:
    """The rows for which `kept` is True, and `other`, a scalar or a column, in place of the rest.

    The dtype is the column's where it holds what comes in, else the one that pandas takes. Raises
    TypeError for what a nullable dtype or the categories have not, ValueError for other lengths.
    """
    given = operand(other)
    if isinstance(given, Column) and len(given) != len(column):
        raise ValueError(f"Lengths must match: {len(column)} and {len(given)} rows")
    try:
        if isinstance(given, Scalar):
            fitting = _FITTING[family(column.dtype)](column, given)
        else:
            fitting = _fitting_column(column, given)
    except TypeError:
        # What no row gets need not fit.
        if bool(px.all(px.asarray(kept))):
            return column
        raise
    if fitting.dtype == column.dtype:
        return column.where(kept, fitting)
    # Another dtype is for the rows that come in: none may.
    if bool(px.all(px.asarray(kept))):
        return column
    return column.astype(fitting.dtype).where(kept, fitting)


def _repeated(column: Column, scalar: Scalar, dtype: Dtype) -> Column:
    return constant(scalar.value, len(column), dtype)


def _as_object(column: Column, scalar: Scalar) -> Column:
    return constant(scalar.value, len(column), OBJECT)


def _plain(column: Any, scalar: Scalar) -> Column:
    """Numbers and bools: into the dtype if it holds the value, else a larger one or objects."""
    dtype = column.dtype
    if scalar.family == "missing" and not is_nat(scalar) and dtype.kind != "b":
        missing: Column = column.missing(len(column))
        return missing
    if scalar.family != ("bool" if dtype.kind == "b" else "number"):
        return _as_object(column, scalar)
    wanted = _dtype_with(dtype, scalar.value)
    if wanted == OBJECT:
        return _as_object(column, scalar)
    return NumberColumn(px.full_like(column.values, scalar.value, dtype=wanted))


def _dtype_with(dtype: np.dtype, value: Any) -> np.dtype:
    """A dtype that has a value: itself, or one that is as large as it must be."""
    if dtype.kind == "b" or dtype.kind == "c":
        return dtype
    if dtype.kind == "f":
        if isinstance(value, complex):
            return np.dtype(np.complex128)
        fits = dtype == np.float64 or abs(value) <= np.finfo(dtype).max or not np.isfinite(value)
        return dtype if fits else np.dtype(np.float64)
    if isinstance(value, float) and value == value and value.is_integer():
        value = int(value)
    if not isinstance(value, int):
        return np.result_type(np.float64, np.min_scalar_type(value))
    if _holds(dtype, value):
        return dtype
    kinds = "iu" if value < 0 or dtype.kind == "i" else "ui"
    wider = (np.dtype(f"{kind}{size}") for kind in kinds for size in (1, 2, 4, 8))
    fitting = (each for each in wider if np.can_cast(dtype, each) and _holds(each, value))
    return next(fitting, np.result_type(dtype, np.min_scalar_type(value)))


def _holds(dtype: np.dtype, value: int) -> bool:
    info = np.iinfo(dtype)
    return bool(info.min <= value <= info.max)


def _nullable(column: Any, scalar: Scalar) -> Column:
    if scalar.family == "missing" and not is_nat(scalar):
        missing: Column = column.missing(len(column))
        return missing
    if not _is_valid(column.dtype, scalar):
        raise TypeError(f"Invalid value '{scalar.value}' for dtype '{column.dtype}'")
    return NumberColumn(px.full_like(column.values, scalar.value), None, column.dtype)


def _is_valid(dtype: Any, scalar: Scalar) -> bool:
    """Returns whether a nullable dtype has a value as it is."""
    if scalar.family != ("bool" if dtype.kind == "b" else "number"):
        return False
    if dtype.kind in "bf":
        return not isinstance(scalar.value, complex)
    whole = isinstance(scalar.value, int) or float(scalar.value).is_integer()
    if whole and not _holds(dtype.numpy_dtype, int(scalar.value)):
        raise OverflowError(f"{scalar.value} is out of bounds for dtype '{dtype}'")
    return whole


def _times(column: Any, scalar: Scalar) -> Column:
    """Dates and durations: in the column's unit, or the finer one of what comes in."""
    if scalar.family == "missing" and scalar.value is not NA:
        missing: Column = column.missing(len(column))
        return missing
    if scalar.family != family(column.dtype):
        return _as_object(column, scalar)
    storage = column.values.dtype
    if scalar.value.astype(storage) != scalar.value:
        storage = np.result_type(storage, scalar.value.dtype)
    values = px.full_like(column.values, missing_number(storage), dtype=storage)
    values[...] = scalar.value.astype(storage)
    if isinstance(column.dtype, DatetimeTZDtype):
        return NumberColumn(
            values, None, DatetimeTZDtype(np.datetime_data(storage)[0], column.dtype.tz)
        )
    return NumberColumn(values)


def _text(column: Column, scalar: Scalar) -> Column:
    if scalar.family == "missing":
        return column.missing(len(column))
    if scalar.family == "text":
        return _repeated(column, scalar, column.dtype)
    return _as_object(column, scalar)


def _category(column: Any, scalar: Scalar) -> Column:
    if scalar.family == "missing":
        missing: Column = column.missing(len(column))
        return missing
    labels = column.dtype.values.tolist()
    # True is no 1 here.
    if not any(
        each == scalar.value and isinstance(each, bool) == isinstance(scalar.value, bool)
        for each in labels
    ):
        raise TypeError(
            f"Cannot setitem on a Categorical with a new category ({scalar.value}), set the "
            "categories first"
        )
    code = column.codes.dtype.type(labels.index(scalar.value))
    return CategoryColumn(px.full_like(column.codes, code), column.dtype)


def _decimal(column: Column, scalar: Scalar) -> Column:
    """Decimals and integers, which the dtype must hold."""
    if scalar.family == "missing":
        return column.missing(len(column))
    if not is_decimal(scalar.value):
        raise TypeError(f"Invalid value '{scalar.value}' for dtype '{column.dtype}'")
    return _repeated(column, scalar, column.dtype)


def _list(column: Column, scalar: Scalar) -> Column:
    if scalar.family == "missing":
        return column.missing(len(column))
    raise TypeError(f"Invalid value '{scalar.value}' for dtype '{column.dtype}'")


def _object(column: Column, scalar: Scalar) -> Column:
    if isinstance(column, PeriodColumn) and scalar.family == "missing":
        return column.missing(len(column))
    of_periods = isinstance(column, PeriodColumn) and hasattr(scalar.value, "ordinal")
    return constant(scalar.value, len(column), None if of_periods else OBJECT)


_FITTING: dict[str, Callable[[Any, Scalar], Column]] = {
    "bool": _plain,
    "number": _plain,
    "nullable": _nullable,
    "datetime": _times,
    "zoned": _times,
    "timedelta": _times,
    "text": _text,
    "category": _category,
    "decimal": _decimal,
    "list": _list,
    "object": _object,
}


_TIME_FAMILIES = ("datetime", "zoned", "timedelta")


def _narrowed(column: Any, other: Any) -> Column | None:
    """Another column in the dtype of this, if pandas asks for that and it loses nothing: looks."""
    families = family(column.dtype), family(other.dtype)
    if families == ("number", "nullable"):
        return _without_mask(column.dtype, other)
    if families[0] != families[1] or families[0] not in ("number", *_TIME_FAMILIES):
        return None
    if column.dtype == other.dtype or not _may_narrow(column.dtype, other.dtype):
        return None
    values = other.values.astype(column.values.dtype)
    numbers = column.dtype.kind in "iuf"
    same = (values if numbers else values.astype(other.values.dtype)) == other.values
    if column.dtype.kind not in "iu":
        same = same | other.isna()
    return NumberColumn(values, None, column.dtype) if bool(px.all(same)) else None


def _may_narrow(dtype: Dtype, other: Dtype) -> bool:
    """True if pandas looks whether a dtype holds the values of another: not of larger integers."""
    kind = dtype.kind + other.kind
    if kind in ("ii", "uu", "iu") or "c" in kind:
        return False
    return kind[0] in "iuf" or kind[0] == kind[1]


def _without_mask(dtype: np.dtype, other: Any) -> Column | None:
    """Nullable numbers none of which is missing as NumPy's, for a column of NumPy's dtype."""
    own = other.dtype.numpy_dtype
    if own.kind == "b" or dtype.kind not in "iuf":
        return None
    if dtype.kind != "f" and (own.kind != dtype.kind or own.itemsize > dtype.itemsize):
        return None
    if other.has_missing():
        return None
    return NumberColumn(other.values.astype(np.result_type(dtype, own)))


def _of_categories(dtype: CategoricalDtype, other: Column) -> Column:
    if isinstance(other.dtype, CategoricalDtype):
        raise TypeError("Cannot set a Categorical with another, without identical categories")
    made = other.astype(dtype)
    if bool(px.any(px.asarray(made.isna()) & ~px.asarray(other.isna()))):
        raise TypeError(
            "Cannot setitem on a Categorical with a new category, set the categories first"
        )
    return made


def _fitting_column(column: Column, other: Column) -> Column:
    if isinstance(column.dtype, CategoricalDtype) and other.dtype != column.dtype:
        return _of_categories(column.dtype, other)
    if family(column.dtype) == "nullable":
        if family(other.dtype) not in ("bool", "number", "nullable") or (
            column.dtype.kind == "b" != other.dtype.kind
        ):
            raise TypeError(f"Invalid values of '{other.dtype}' for dtype '{column.dtype}'")
        return other.astype(column.dtype)
    if family(column.dtype) == "decimal" and (
        family(other.dtype) == "decimal" or other.dtype.kind in "iu"
    ):
        return other.astype(column.dtype)
    other = in_zone_of(other, column)
    narrow = _narrowed(column, other)
    return narrow if narrow is not None else other.astype(common_dtype(column.dtype, other.dtype))


# Functions.


def fillna(column: Column, value: Any) -> Column:
    """A value, or the rows of a column, where rows are missing. Raises what `chosen` raises."""
    return chosen(column, ~column.isna(), value) if column.has_missing() else column


def mask_of(condition: Any) -> ndarray:
    """A column of bools as a mask. Raises TypeError for other dtypes."""
    if not isinstance(condition, Column):
        return px.asarray(condition)
    if not isinstance(condition, NumberColumn) or condition.values.dtype.kind != "b":
        raise TypeError(f"Boolean array expected for the condition, not {condition.dtype}")
    values: ndarray = condition.values
    return values if condition.valid is None else values & condition.valid
