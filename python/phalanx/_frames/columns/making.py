"""Columns of what a program has: lists, arrays, scalars, objects of pandas and Arrow."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..._arrays.one_device import refuse_spread
from .. import dtypes
from ..dtypes import CategoricalDtype, DatetimeTZDtype, Dtype, pandas_dtype
from .arrow import is_arrow, of_arrow
from .column import Column
from .from_objects import at_clocks, missing_of, of_objects
from .inference import infer
from .making_categories import categorized
from .numbers import NumberColumn, storage_of
from .objects import ObjectColumn, object_array
from .of_pandas import is_pandas, of_pandas
from .strings import of_texts


def refuse_spread_column(data: Any) -> None:
    """Raises NotImplementedError for an array that is spread over devices."""
    refuse_spread(data, "phalanx.SpreadFrame({'x': x}) keeps the parts on their devices")


def column_of(data: Any, dtype: Any = None, *, copy: bool = True) -> Column:
    """A column of values of one dimension.

    `data` is a column, a list or another iterable of Python's objects, an array of NumPy's or ours,
    a range, a Series, Index or array of pandas', an array of Arrow's or whatever has
    ``__arrow_c_array__`` or ``__arrow_c_stream__``, or an object whose `column` is one of ours.
    `dtype` is what ``pandas_dtype`` takes; None is the data's own, for objects the one that pandas
    infers. With `copy` False an array's memory is shared, and must not be written any more.

    Raises ValueError for more than one dimension and for values that the dtype cannot have, and
    TypeError for scalars (``constant`` makes columns of these) and dtypes that do not fit.
    """
    wanted = None if dtype is None else pandas_dtype(dtype)
    made = _found(data)
    if made is not None:
        return made if wanted is None else made.astype(wanted)
    if isinstance(data, ndarray):
        return _of_array(px.array(data) if copy else data, wanted)
    if isinstance(data, np.ndarray):
        return _of_numpy(data, wanted, copy)
    if isinstance(data, range):
        made = NumberColumn(px.arange(data.start, data.stop, data.step, dtype=np.int64))
        return made if wanted is None else made.astype(wanted)
    refuse_spread_column(data)
    if isinstance(data, (str, bytes)) or not isinstance(data, Iterable):
        raise TypeError(f"a column is made of a list or an array, not of {type(data).__name__}")
    if hasattr(data, "__array__"):
        return _of_numpy(np.asarray(data), wanted, copy)
    return _of_list(list(data), wanted)


def _found(data: Any) -> Column | None:
    """The column that data are or have, of whichever library."""
    if isinstance(data, Column):
        return data
    held = getattr(data, "column", None)
    if isinstance(held, Column):
        return held
    if is_pandas(data):
        return of_pandas(data)
    return of_arrow(data) if is_arrow(data) else None


def _of_list(data: list[Any], wanted: Dtype | None) -> Column:
    objects = object_array(data)
    if wanted is None:
        return infer(objects)
    return _with_dtype(objects, wanted)


def _of_numpy(data: np.ndarray, wanted: Dtype | None, copy: bool) -> Column:
    if data.ndim != 1:
        raise ValueError(f"Data must be 1-dimensional, got ndarray of shape {data.shape} instead")
    if data.dtype.kind == "O":
        objects = data.copy() if copy else data
        if wanted is not None:
            return _with_dtype(objects, wanted)
        # Numbers stay objects: whoever has an array of NumPy's could have had their dtype.
        found = infer(objects)
        return ObjectColumn(objects) if found.dtype.kind in "iufcb" else found
    if data.dtype.kind in "UST":
        return of_texts(data.astype(str).tolist()).astype(wanted or dtypes.STR)
    known = pandas_dtype(data.dtype)
    assert isinstance(known, np.dtype)
    if known != data.dtype:
        data = data.astype(known)
    return _of_array(px.array(data) if copy else px.asarray(data), wanted)


def _of_array(values: ndarray, wanted: Dtype | None) -> Column:
    if values.ndim != 1:
        raise ValueError(f"Data must be 1-dimensional, got ndarray of shape {values.shape} instead")
    made = NumberColumn(values)
    if wanted is None:
        return made
    beyond = _beyond(values, wanted)
    if beyond == "negative":
        raise OverflowError("Trying to coerce negative values to unsigned integers")
    if beyond and values.dtype.kind == "f":
        raise ValueError("Trying to coerce float values to integers")
    if beyond:
        raise ValueError(
            f"Values are too large to be losslessly converted to {wanted}. To cast anyway, use "
            f"pd.Series(values).astype({wanted})"
        )
    return _cast_made(made, wanted)


def _beyond(values: ndarray, wanted: Dtype) -> str:
    """Which numbers a dtype of integers does not hold: "large", "negative" to unsigned, or ""."""
    if not isinstance(wanted, np.dtype) or wanted.kind not in "iu" or not len(values):
        return ""
    if values.dtype.kind not in "iuf" or np.can_cast(values.dtype, wanted):
        return ""
    low, high, held = float(values.min()), float(values.max()), np.iinfo(wanted)
    if not np.isfinite((low, high)).all():
        return ""  # refused by the cast, in words of its own
    if low < 0 and wanted.kind == "u":
        return "negative"
    # As floats: 2**63 is 2**63 - 1 then, which is no reason to let it pass.
    return "large" if low < held.min or high >= float(held.max) + 1 else ""


def _cast_made(made: NumberColumn, wanted: Dtype) -> Column:
    """In a dtype that a constructor was asked for: it refuses floats that would be cut off."""
    values = made.values
    if isinstance(wanted, DatetimeTZDtype) and values.dtype.kind == "M":
        return _in_zone(made, wanted)
    if values.dtype.kind == "f" and isinstance(wanted, np.dtype) and wanted.kind in "iu":
        whole = made.astype(wanted)
        if not bool((px.trunc(values) == values).all()):
            raise ValueError("Trying to coerce float values to integers")
        return whole
    return made.astype(wanted)


def _with_dtype(objects: np.ndarray, wanted: Dtype) -> Column:
    """Objects in a dtype that was asked for, by way of the one that fits them."""
    if isinstance(wanted, np.dtype) and wanted.kind == "O":
        return ObjectColumn(objects)
    found = infer(objects)
    gone = missing_of(objects)
    numbers = isinstance(found, NumberColumn)
    if isinstance(wanted, CategoricalDtype):
        return categorized(ObjectColumn(objects) if numbers and gone.any() else found, wanted)
    try:
        if not isinstance(found, NumberColumn) or _read_one_by_one(found, wanted, gone):
            return of_objects(objects, gone, wanted)
        if not _beyond(found.values, wanted):
            return _cast_made(found, wanted)
    except OverflowError:
        pass  # told below
    raise OverflowError(
        f"The elements provided in the data cannot all be casted to the dtype {wanted}"
    )


def _read_one_by_one(found: NumberColumn, wanted: Dtype, gone: np.ndarray) -> bool:
    """Returns whether the objects say more than the numbers: of missing ones, and how to write."""
    families = dtypes.family(found.dtype), dtypes.family(wanted)
    if families[1] in ("bool", "number") and wanted.kind in "biu":
        return bool(gone.any())
    if wanted.kind == "m" and found.dtype.kind == "M":  # which NaT alone is, too
        return bool(gone.all())
    return families[1] == "text" or (families[0] == "bool" and wanted.kind in "mM")


def _in_zone(found: NumberColumn, wanted: DatetimeTZDtype) -> Column:
    """Naive dates are of the zone that was asked for."""
    if isinstance(found.dtype, DatetimeTZDtype):
        return found.astype(wanted)
    values = found.values.astype(wanted.numpy_dtype)
    return NumberColumn(px.asarray(at_clocks(np.asarray(values), wanted)), None, wanted)


def constant(value: Any, count: int, dtype: Any = None) -> Column:
    """A column of one value in each of `count` rows. Nothing is stored for numbers.

    Raises what `column_of` raises for a list of the value.
    """
    one = column_of([value], dtype)
    if isinstance(one, NumberColumn):
        valid = None if one.valid is None else px.broadcast_to(one.valid, (count,))
        return NumberColumn(px.broadcast_to(one.values, (count,)), valid, one.dtype)
    return one.take(px.zeros(count, np.int64))


def missing_column(count: int, dtype: Any = None) -> Column:
    """A column of missing rows; without a dtype they are None."""
    if dtype is None:
        return ObjectColumn(np.full(count, None, object))
    return empty(dtype).missing(count)


def empty(dtype: Any) -> Column:
    """A column without rows."""
    known = pandas_dtype(dtype)
    return _EMPTY[dtypes.family(known)](known)


_EMPTY: dict[str, Callable[[Any], Column]] = (
    dict.fromkeys(
        ("object", "decimal", "list"),
        lambda dtype: of_objects(np.empty(0, object), np.empty(0, bool), dtype),
    )
    | {
        "text": lambda dtype: of_texts([], None, dtype),
        "category": lambda dtype: categorized(infer(np.empty(0, object)), dtype),
    }
    | dict.fromkeys(
        ("bool", "number", "datetime", "timedelta", "zoned", "nullable"),
        lambda dtype: NumberColumn(px.zeros(0, storage_of(dtype)), None, dtype),
    )
)
