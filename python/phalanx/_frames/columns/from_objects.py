"""Columns of other dtypes out of Python's objects and texts."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..dtypes import BOOLEAN, DatetimeTZDtype, PeriodDtype, family
from ..missing import NA, is_missing
from ..scalars import Timedelta, Timestamp
from ..scalars.zones import to_utc
from .column import Column
from .decimal_casts import of_decimal_objects
from .lists import of_list_objects
from .numbers import NumberColumn
from .objects import ObjectColumn
from .periods import of_period_objects
from .strings import StringColumn, of_texts
from .time_texts import date_of_text, duration_of_text, utc_count


def cast_texts(column: StringColumn, dtype: Any) -> Column:
    """Texts read as values of another dtype."""
    made = _read_numbers(column, dtype)
    if made is not None:
        return made
    gone = np.asarray(column.isna())
    objects = column.to_numpy()
    if dtype.kind == "f":
        objects[gone] = np.nan
    elif family(dtype) == "number" and column.dtype.na_value is NA and gone.any():
        raise TypeError(f"NA is no number of {dtype}: fill missing texts first")
    return of_objects(objects, gone, dtype)


def _read_numbers(column: StringColumn, dtype: Any) -> Column | None:
    """Numbers that the engine reads; None where it does not read all, or some are missing."""
    plain = isinstance(dtype, np.dtype) and dtype.kind in "iuf" and dtype != np.float16
    if not plain or (dtype.kind != "f" and column.has_missing()):
        return None
    values, left_out = engine.of_texts("read_numbers", column.key(), np.empty(0, dtype))
    if left_out:
        return None
    if column.has_missing():
        values[~np.asarray(column.valid)] = np.nan
    return NumberColumn(px.asarray(values, device=column.offsets.device))


def cast_objects(column: ObjectColumn, dtype: Any) -> Column:
    """Objects read as values of another dtype."""
    return of_objects(column.objects, column.missing_rows(), dtype)


def of_objects(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    """A column of a dtype out of objects; `gone` says which are missing."""
    return _MAKERS[family(dtype)](objects, gone, dtype)


def _plain(objects: np.ndarray, gone: np.ndarray, dtype: np.dtype) -> Column:
    return NumberColumn(px.asarray(objects.astype(dtype)))


def _nullable(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    kept = objects[~gone]
    if dtype == BOOLEAN:
        if not all(isinstance(each, (bool, np.bool_)) or _is_bit(each) for each in kept):
            raise TypeError("Need to pass bool-like values")
        read = kept.astype(bool)
    elif dtype.kind == "f":
        read = kept.astype(dtype.numpy_dtype)
    else:
        read = _whole_numbers(kept, dtype.numpy_dtype)
    values = np.zeros(len(objects), dtype.numpy_dtype)
    values[~gone] = read
    valid = px.asarray(~gone) if gone.any() else None
    if dtype.kind == "f" and np.isnan(values).any():
        valid = px.asarray(~gone & ~np.isnan(values))
    return NumberColumn(px.asarray(values), valid, dtype)


def _is_bit(value: Any) -> bool:
    return isinstance(value, (int, float, np.number)) and value in (0, 1)


def _whole_numbers(kept: np.ndarray, dtype: np.dtype) -> np.ndarray:
    try:
        made = kept.astype(dtype)
    except OverflowError as error:
        raise ValueError(str(error)) from None
    if any(each != int(each) for each in kept if isinstance(each, (float, np.floating))):
        raise TypeError(f"cannot safely cast non-equivalent object to {dtype}")
    return made


def _times(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    storage = dtype.numpy_dtype if isinstance(dtype, DatetimeTZDtype) else dtype
    read: Callable[[Any], Any] = date_of if storage.kind == "M" else duration_of
    made = np.full(len(objects), "NaT", storage)
    unit = np.datetime_data(storage)[0]
    naive = []
    for i in np.flatnonzero(~gone).tolist():
        value = read(objects[i])
        made[i] = _counted(value, unit, storage)
        if isinstance(value, np.datetime64) and getattr(objects[i], "tzinfo", None) is None:
            naive.append(i)
    if isinstance(dtype, DatetimeTZDtype):
        made[naive] = at_clocks(made[naive], dtype)
    return NumberColumn(px.asarray(made), None, dtype)


def at_clocks(values: np.ndarray, dtype: DatetimeTZDtype) -> np.ndarray:
    """The moments in UTC at which the clocks of a dtype's zone show times.

    Raises ValueError for a time that they show twice or never.
    """
    return to_utc(values, dtype.tz)


def _counted(value: Any, unit: str, storage: np.dtype) -> Any:
    if isinstance(value, int):
        return np.array(value, np.int64).view(storage)[()]
    if isinstance(value, datetime.datetime):
        value = utc_count(value)
    return value.astype(f"{storage.kind}8[{unit}]")


def date_of(value: Any) -> Any:
    """A date as NumPy's, with an offset as Python's, counts as ints.

    Raises ValueError for a text and TypeError for an object that is none.
    """
    if isinstance(value, str):
        return date_of_text(value)
    if isinstance(value, np.datetime64):
        return value
    if hasattr(value, "to_datetime64"):
        return value.to_datetime64()
    if isinstance(value, datetime.datetime):
        return value if value.tzinfo else np.datetime64(value, "us")
    if isinstance(value, datetime.date):
        return np.datetime64(value, "s")
    return _count(value, "datetime")


def duration_of(value: Any) -> Any:
    """A duration as NumPy's, counts as ints.

    Raises ValueError for a text and TypeError for an object that is none.
    """
    if isinstance(value, str):
        return duration_of_text(value)
    if isinstance(value, np.timedelta64):
        return value
    if hasattr(value, "to_timedelta64"):
        return value.to_timedelta64()
    if isinstance(value, datetime.timedelta):
        return np.timedelta64(value, "us")
    return _count(value, "timedelta")


def _count(value: Any, what: str) -> int:
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.number)):
        raise TypeError(f"{type(value)} is not convertible to {what}")
    return int(value)


def _texts(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    texts = [each if isinstance(each, str) else str(each) for each in objects]
    return of_texts(texts, gone, dtype)


def _objects(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    if isinstance(dtype, PeriodDtype):
        return of_period_objects(objects, dtype)
    return ObjectColumn(objects)


_MAKERS: dict[str, Callable[[np.ndarray, np.ndarray, Any], Column]] = {
    "bool": _plain,
    "number": _plain,
    "nullable": _nullable,
    "datetime": _times,
    "zoned": _times,
    "timedelta": _times,
    "decimal": of_decimal_objects,
    "text": _texts,
    "list": of_list_objects,
    "object": _objects,
}


def with_own_na(objects: np.ndarray) -> np.ndarray:
    """The same array, or a copy in which pandas' NA, NaT, dates and durations are ours."""
    places = [
        i for i, each in enumerate(objects) if type(each).__module__.startswith("pandas._libs")
    ]
    if places:
        objects = objects.copy()
        for i in places:
            objects[i] = _own(objects[i])
    return objects


def _own(value: Any) -> Any:
    """One of pandas' scalars as ours, where we have its class."""
    make = {"NAType": lambda _: NA, "Timedelta": Timedelta, "Period": _own_period}.get(
        type(value).__name__
    )
    if make is None and type(value).__name__ in ("NaTType", "Timestamp"):
        make = Timestamp
    return value if make is None else make(value)  # type: ignore[operator]


def _own_period(value: Any) -> Any:
    return above.Period(ordinal=value.ordinal, freq=value.freqstr)


def missing_of(objects: Iterable[Any]) -> np.ndarray:
    """Which of some objects are missing."""
    return np.fromiter(map(is_missing, objects), bool)
