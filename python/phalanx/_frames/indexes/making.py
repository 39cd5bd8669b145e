"""Indexes of any data."""

from __future__ import annotations

import contextlib
from collections.abc import Hashable
from typing import Any

import numpy as np

from ..columns.column import Column
from ..columns.making import column_of
from ..dtypes import (
    OBJECT,
    CategoricalDtype,
    DatetimeTZDtype,
    Dtype,
    IntervalDtype,
    PeriodDtype,
    pandas_dtype,
)
from ..missing import NA
from .categories import CategoricalIndex
from .dates import DatetimeIndex
from .deltas import TimedeltaIndex
from .index import Index
from .intervals import IntervalIndex
from .labels import Labels
from .multi import MultiIndex
from .periods import PeriodIndex
from .ranges import RangeIndex


def class_of(dtype: Dtype) -> type[Index]:
    """The class of indexes of a dtype."""
    if isinstance(dtype, CategoricalDtype):
        return CategoricalIndex
    if isinstance(dtype, (IntervalDtype, PeriodDtype)):
        return IntervalIndex if isinstance(dtype, IntervalDtype) else PeriodIndex
    if isinstance(dtype, DatetimeTZDtype) or dtype.kind == "M":
        return DatetimeIndex
    return TimedeltaIndex if dtype.kind == "m" else Index


def index_of(data: Any, dtype: Any = None, name: Any = None, *, tuples: bool = True) -> Any:
    """An index of any data with one dimension: lists, NumPy's and pandas' objects, indexes.

    An index comes back as it is. `tuples` says whether tuples make a MultiIndex, whose names
    `name` then lists. Raises ValueError for more dimensions.
    """
    if isinstance(data, Labels) and dtype is None and name is None:
        return data
    wanted = None if dtype is None else pandas_dtype(dtype)
    made = _made(data, wanted, tuples)
    own = getattr(data, "name", None) if not isinstance(data, np.ndarray) else None
    if made.nlevels > 1:
        return made if name is None else made.set_names(name)
    if wanted is not None and made.dtype != wanted:
        made = made._to_dtype(wanted)
    name = own if name is None else name
    return made if same(made._name, name) else made.rename(name)


def labels_of(data: Any) -> Any:
    """An index of what a constructor or a setter is given: tuples in a list are single labels.

    A list of lists or arrays has a level in each.
    """
    if not isinstance(data, list):
        return index_of(data)
    if data and all(isinstance(each, (list, np.ndarray, Labels)) for each in data):
        return MultiIndex.from_arrays(data)
    return index_of(data, tuples=False)


def same(left: Hashable, right: Hashable) -> bool:
    """Returns whether two names are one object or equal; those of NA are not."""
    equal: Any = left == right
    return left is right or (equal is not NA and bool(equal))


def _made(data: Any, dtype: Dtype | None, tuples: bool) -> Any:
    if isinstance(data, Labels):
        return data
    if isinstance(data, range):
        return RangeIndex._of_range(data)
    if isinstance(data, Column):
        return Labels._of(data)
    if type(data).__module__.startswith("pandas"):
        return _of_pandas(data, dtype)
    column = getattr(data, "_column", None)
    if isinstance(column, Column):
        return Labels._of(column)
    if not hasattr(data, "__len__") or isinstance(data, dict) or not hasattr(data, "__getitem__"):
        data = list(data)
    if getattr(data, "ndim", 1) > 1:
        raise ValueError("Index data must be 1-dimensional")
    if tuples and dtype in (None, OBJECT) and len(data) and _all_tuples(data):
        return MultiIndex.from_tuples(data)
    return _of_values(data, dtype)


def _all_tuples(data: Any) -> bool:
    if getattr(data, "dtype", OBJECT) != OBJECT or not isinstance(data[0], tuple):
        return False
    return all(isinstance(each, tuple) for each in data)


def _of_values(data: Any, dtype: Dtype | None) -> Any:
    if len(data) == 0 and dtype is None and not hasattr(data, "dtype"):
        dtype = OBJECT
    return Labels._of(column_of(data, dtype))


def _of_pandas(data: Any, dtype: Dtype | None) -> Any:
    kind = type(data).__name__
    if kind == "RangeIndex":
        return RangeIndex._of_range(range(data.start, data.stop, data.step))
    if kind == "MultiIndex":
        levels = [index_of(each) for each in data.levels]
        return MultiIndex(levels, [np.asarray(each) for each in data.codes], names=data.names)
    made = _of_values(data, dtype)
    if getattr(data, "freqstr", None) is not None and hasattr(made, "_with_freq"):
        with contextlib.suppress(
            NotImplementedError
        ):  # Of offsets that there are not none is kept.
            return made._with_freq(data.freq)
    return made
