"""dtypes of what JSON has: numbers in texts, dates in texts and numbers."""

from __future__ import annotations

import warnings
from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..columns.strings import StringColumn
from ..dates.to_datetime import to_datetime
from ..dtypes import OBJECT
from ..indexes.ranges import RangeIndex
from ..missing import is_missing

# The least counts that may be a date, a year after 1970.
_LEAST = {"s": 31536000, "ms": 31536000000, "us": 31536000000000, "ns": 31536000000000000}
_DATE_ENDINGS = ("_at", "_time")
_DATE_NAMES = ("modified", "date", "datetime")


# The label of a series' values: they are read as dates whatever the series is called.
WHOLE = object()


class Types(NamedTuple):
    """The keywords ``dtype``, ``convert_dates``, ``keep_default_dates`` and ``date_unit``."""

    dtype: Any
    dates: Any
    usual_dates: bool
    unit: str | None


def converted(column: Column, label: Any, types: Types, *, is_axis: Any = False) -> Column:
    """A column of JSON's values in the dtype that they read as.

    Raises nothing: what is no number and no date stays as it is. A number of an axis that is
    ``"kept"`` stays a number as it is, too.
    """
    has_dates = is_axis or (bool(types.dates) if label is WHOLE else _has_dates(label, types))
    if not is_axis and not types.dtype:
        return _without_none(column)
    if not is_axis and types.dtype is not True and not has_dates:
        dtype = types.dtype.get(label) if isinstance(types.dtype, dict) else types.dtype
        if dtype is not None:
            return _asked_for(column, dtype)
    if has_dates:
        dates = _as_dates(column, types.unit)
        if dates is not None:
            return dates
    return column if is_axis == "kept" else _as_numbers(column)


def _asked_for(column: Column, dtype: Any) -> Column:
    """The column in a dtype that was asked for, or as it is where that does not hold it."""
    series = above.Series._of(column, RangeIndex(len(column)))
    try:
        made: Column = series.astype(dtype)._parts[0]
    except (TypeError, ValueError):
        return column
    return made


def _without_none(column: Column) -> Column:
    if column.dtype != OBJECT:
        return column
    return column_of([np.nan if is_missing(each) else each for each in column.tolist()], OBJECT)


def _has_dates(label: Hashable, types: Types) -> bool:
    """True for columns that are to be read as dates: those named, or named like dates."""
    if not types.dates:
        return False
    if isinstance(types.dates, (list, tuple)) and label in types.dates:
        return True
    if not types.usual_dates or not isinstance(label, str):
        return False
    lower = label.lower()
    return lower.endswith(_DATE_ENDINGS) or lower in _DATE_NAMES or lower.startswith("timestamp")


def _as_numbers(column: Column) -> Column:
    """Texts and floats that are whole numbers, and texts that are floats, as these."""
    made = column
    if isinstance(column, StringColumn) or column.dtype == OBJECT:
        floats = _cast(column, np.float64)
        made = column if floats is None else floats
    if made.dtype.kind == "f" and made.dtype != np.float64:
        made = made.astype(np.dtype(np.float64))
    if len(made) and (made.dtype == np.float64 or made.dtype == OBJECT):
        whole = _cast(column, np.int64)
        if whole is not None and _is_same(whole, made):
            return whole
    if made.dtype.kind == "i" and isinstance(made.dtype, np.dtype) and made.dtype != np.int64:
        return made.astype(np.dtype(np.int64))
    return made


def _cast(column: Column, dtype: Any) -> Column | None:
    objects = column.tolist()
    if dtype is np.float64 and any(isinstance(each, (list, dict)) for each in objects):
        return None
    try:
        return column.astype(np.dtype(dtype))
    except (TypeError, ValueError, OverflowError):
        return None


def _is_same(whole: Column, other: Column) -> bool:
    pairs = zip(whole.tolist(), other.tolist(), strict=True)
    return all(one == another for one, another in pairs)


def _as_dates(column: Column, unit: str | None) -> Column | None:
    """Dates of texts, or of counts that are late enough to be such; None for others."""
    if not len(column):
        return None
    numbers = column
    if isinstance(column, StringColumn) or column.dtype == OBJECT:
        counts = _cast(column, np.int64)
        numbers = column if counts is None else counts
    if numbers.dtype.kind in "iuf":
        values = numbers.to_numpy()
        least = _LEAST[unit or "s"]
        if not (np.isnan(values.astype(np.float64)) | (values > least)).all():
            return None
    elif numbers.dtype.kind in "bmM":
        return numbers if numbers.dtype.kind == "M" else None
    if isinstance(numbers, StringColumn):
        if _cast(numbers, np.float64) is not None:
            return None
        found = map(_tried(numbers), (None, "ISO8601", "mixed"))
        return next((each for each in found if each is not None), None)
    tried = _tried(numbers)
    for each in (unit,) if unit else ("s", "ms", "us", "ns"):
        made = tried(None, each)
        if made is not None and _fits_nanoseconds(made):
            return made  # type: ignore[no-any-return]
    return None


def _tried(column: Column) -> Any:
    series = above.Series._of(column, RangeIndex(len(column)))

    def read(form: str | None, unit: str | None = None) -> Column | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                made = to_datetime(series, format=form, unit=unit)
        except (TypeError, ValueError, OverflowError):
            return None
        dates: Column = made._parts[0]
        return dates if dates.dtype.kind == "M" else None

    return read


def _fits_nanoseconds(column: Column) -> bool:
    from phalanx.errors import OutOfBoundsDatetime

    try:
        above.Series._of(column, RangeIndex(len(column))).dt.as_unit("ns")
    except (OutOfBoundsDatetime, ValueError, OverflowError):
        return False
    return True
