"""What operations take: columns, and scalars of which it is known what they are."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.column import Column
from ..columns.from_objects import date_of, duration_of
from ..columns.time_texts import utc_count
from ..dtypes import STR, STRING, UNITS, DatetimeTZDtype, Dtype, family, finer_unit
from ..missing import NA, is_missing
from ..offsets.base import BaseOffset
from ..offsets.spans import Tick
from ..scalars.rows import scalar_of as time_scalar

SIGNS = {
    "add": "+", "sub": "-", "mul": "*", "truediv": "/", "floordiv": "//", "mod": "%", "pow": "**",
    "eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">=",
    "and": "&", "or": "|", "xor": "^",
}  # fmt: skip


@dataclass(frozen=True)
class Scalar:
    """One value that meets each row: its family, as ``dtypes.family`` has them, or 'missing'."""

    family: str
    value: Any
    dtype: Dtype | str


Operand = Column | Scalar


def operand(value: Any) -> Operand:
    """A column as it is, and anything else as a scalar."""
    return value if isinstance(value, (Column, Scalar)) else scalar_of(value)


def family_of(given: Operand) -> str:
    """The row or column of a table of rules that an operand is in."""
    return given.family if isinstance(given, Scalar) else family(given.dtype)


def scalar_of(value: Any) -> Scalar:
    """A scalar; numbers are Python's, so that they take the dtype of what they meet."""
    if isinstance(value, (np.ndarray, ndarray)) and value.ndim == 0:
        value = value[()] if isinstance(value, np.ndarray) else value.item()
    if is_missing(value):
        if value is not None and type(value).__name__ == "NAType":
            value = NA
        return Scalar("missing", value, type(value).__name__)
    for types, make in _SCALARS:
        if isinstance(value, types):
            made: Scalar = make(value)
            return made
    if hasattr(value, "to_timedelta64"):
        return _duration(value)
    return Scalar("object", value, type(value).__name__)


def _number(value: Any) -> Scalar:
    plain = value.item() if isinstance(value, np.generic) else value
    return Scalar("number", plain, type(plain).__name__)


def _duration(value: Any) -> Scalar:
    made = duration_of(value)
    unit = _unit_of(value, made)
    made = made.astype(f"m8[{unit}]")
    return Scalar("timedelta", made, made.dtype)


def _date(value: Any) -> Scalar:
    read = date_of(value)
    zone = getattr(value, "tzinfo", None)
    made = utc_count(read) if isinstance(read, datetime.datetime) else read
    unit = _unit_of(value, made)
    made = made.astype(f"M8[{unit}]")
    if zone is None:
        return Scalar("datetime", made, made.dtype)
    return Scalar("zoned", made, DatetimeTZDtype(unit, zone))


def _unit_of(value: Any, made: Any) -> str:
    """The unit that a scalar of pandas' says it has, or NumPy's, seconds for coarser ones."""
    known = getattr(value, "unit", None)
    if isinstance(known, str) and known in UNITS:
        return known
    return finer_unit(np.datetime_data(made.dtype)[0])


def _offset(value: Any) -> Scalar:
    """An offset: a span of time that has nothing to do with the calendar is a duration."""
    return (
        _duration(value.duration())
        if isinstance(value, Tick)
        else Scalar("offset", value, "offset")
    )


_SCALARS: tuple[tuple[Any, Any], ...] = (
    ((bool, np.bool_), lambda value: Scalar("bool", bool(value), np.dtype(bool))),
    (np.datetime64, _date),
    ((np.timedelta64, datetime.timedelta), _duration),
    ((int, float, complex, np.number), _number),
    (str, lambda value: Scalar("text", value, STR)),
    (datetime.datetime, _date),
    (BaseOffset, _offset),
)


def values_of(given: Any) -> Any:
    """The array of a column of numbers or times, the value of a scalar."""
    return given.value if isinstance(given, Scalar) else given.values


def valid_of(given: Any) -> ndarray | None:
    """Which rows of a nullable column are there; None for all, and for scalars."""
    return getattr(given, "valid", None)


def both_valid(left: Any, right: Any) -> ndarray | None:
    """Which rows are there in both operands; None: all."""
    masks = [each for each in (valid_of(left), valid_of(right)) if each is not None]
    return masks[0] & masks[1] if len(masks) == 2 else masks[0] if masks else None


def length_of(left: Operand, right: Operand) -> int:
    """The rows of two operands. Raises ValueError where they have not as many."""
    sizes = {len(each) for each in (left, right) if isinstance(each, Column)}
    if len(sizes) > 1:
        raise ValueError(f"Lengths must match: {len(left)} and {len(right)} rows")  # type: ignore[arg-type]
    return sizes.pop()


def refuse(name: str, left: Operand, right: Operand) -> NoReturn:
    """Raise the TypeError for an operation that two dtypes do not have."""
    other = (
        f"object of type {type(right.value)}"
        if isinstance(right, Scalar)
        else f"dtype '{right.dtype}'"
    )
    raise TypeError(
        f"operation '{_NAMES.get(name, name)}' not supported for dtype '{left.dtype}' with {other}"
        f": unsupported operand type(s) for {SIGNS[name]}: '{left.dtype}' and '{right.dtype}'"
    )


_NAMES = {"and": "and_", "or": "or_"}  # as they are in `operator`


def missing_in(given: Operand, count: int) -> ndarray:
    """Which rows of an operand are missing."""
    if isinstance(given, Scalar):
        none: ndarray = px.full(count, given.family == "missing")
        return none
    return given.isna()


def is_nat(scalar: Scalar) -> bool:
    """Returns whether a missing scalar is a date or a duration."""
    number = isinstance(scalar.value, (float, complex, np.inexact))
    return scalar.family == "missing" and not (number or scalar.value is None or scalar.value is NA)


def rows_of(given: Any, rows: int) -> list[Any]:
    """The rows of an operand as Python's objects: dates as `Timestamp`, to which no number can be
    added.
    """
    if isinstance(given, Scalar):
        return [time_scalar(given.value, getattr(given.dtype, "tz", None))] * rows
    listed: list[Any] = given.tolist()
    return listed


def has_na(given: Operand) -> bool:
    """Returns whether an operand is a column whose missing value is NA."""
    return isinstance(given, Column) and (
        family(given.dtype) in ("nullable", "decimal", "list") or given.dtype == STRING
    )
