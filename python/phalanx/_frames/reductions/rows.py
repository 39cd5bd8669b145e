"""What reductions of numbers and times take: values, and which of them are there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..columns.column import Column
from ..columns.numbers import NumberColumn, has_own_missing
from ..dtypes import Dtype, IntervalDtype, family, unit_of
from ..missing import NA, is_missing
from ..scalars.rows import scalar_of as time_scalar


@dataclass(frozen=True)
class Rows:
    """Numbers, or the counts of dates and durations, and where they are (None: everywhere)."""

    values: ndarray
    there: ndarray | None
    dtype: Dtype

    def __len__(self) -> int:
        return len(self.values)

    @property
    def where(self) -> dict[str, Any]:
        """The argument of reductions that leave missing rows out."""
        return {} if self.there is None else {"where": self.there}

    def count(self) -> int:
        """How many rows are there: looks at them."""
        return len(self.values) if self.there is None else int(self.there.sum())

    def present(self) -> ndarray:
        """The values that are there."""
        values: ndarray = self.values if self.there is None else self.values[self.there]
        return values

    def with_all(self) -> Rows:
        """The same without leaving out what is missing, which NaN passes on by itself."""
        return Rows(self.values, None, self.dtype)


def rows_of(column: NumberColumn) -> Rows:
    """The rows of a column of numbers, bools, dates or durations."""
    values = column.values
    if family(column.dtype) == "nullable":
        return Rows(values, column.valid, column.dtype)
    there = ~column.isna() if has_own_missing(values.dtype) else None
    return Rows(values.view(np.int64) if is_time(column.dtype) else values, there, column.dtype)


def is_time(dtype: Dtype) -> bool:
    """Returns whether rows are dates or durations."""
    return family(dtype) in ("datetime", "zoned", "timedelta")


def missing_of(dtype: Dtype) -> Any:
    """What a reduction of no rows is: NaN, NaT or NA."""
    if family(dtype) == "nullable" or dtype == "string":
        return NA
    if not is_time(dtype):
        if isinstance(dtype, np.dtype) and dtype.kind == "f":
            return dtype.type(np.nan)
        return np.float64(np.nan)
    return time_of(dtype, np.iinfo(np.int64).min)


def time_of(dtype: Any, count: int, kind: str | None = None) -> Any:
    """A date or a duration of a count; `kind` "m" makes it a duration in the dtype's unit."""
    unit = unit_of(dtype)
    value = np.int64(count).view(f"{kind or dtype.kind}8[{unit}]")
    return time_scalar(value, getattr(dtype, "tz", None) if kind is None else None)


def scalar_of(result: Any) -> Any:
    """NumPy's scalar of an array without dimensions: looks at it."""
    return np.asarray(result)[()]


def refuse(name: str, column: Column) -> Any:
    """Raise the TypeError for a reduction that a dtype has not, in pandas' words."""
    dtype = column.dtype
    kind = "interval" if isinstance(dtype, IntervalDtype) else family(dtype)
    if kind == "text":
        if name == "cumprod":
            raise TypeError(f"operation '{name}' not supported for dtype '{dtype}'")
        raise TypeError(f"Cannot perform reduction '{name}' with string dtype")
    if kind == "object":
        value = next((each for each in column if not is_missing(each)), None)
        raise TypeError(f"Could not convert {value!r} to numeric: '{name}' of objects")
    if kind in ("datetime", "zoned") and name in ("any", "all"):
        raise TypeError(
            f"'{name}' with datetime64 dtypes is not supported. Use (obj != pd.Timestamp(0))."
            f"{name}() instead."
        )
    if kind in _ARRAYS:
        raise TypeError(f"'{_ARRAYS[kind]}' with dtype {dtype} does not support operation '{name}'")
    raise TypeError(f"Cannot perform reduction '{name}' with {dtype} dtype")


# What pandas calls the columns of a family.
_ARRAYS = {
    "category": "Categorical",
    "datetime": "DatetimeArray",
    "zoned": "DatetimeArray",
    "timedelta": "TimedeltaArray",
    "interval": "IntervalArray",
}


def filled(rows: Rows, instead: Any) -> ndarray:
    """The values, with another one in the place of those that are missing."""
    if rows.there is None:
        return rows.values
    made: ndarray = px.where(rows.there, rows.values, rows.values.dtype.type(instead))
    return made
