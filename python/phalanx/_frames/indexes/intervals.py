"""Indexes of intervals: a value is found in the interval that has it."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from phalanx.errors import InvalidIndexError

from .. import above
from ..columns.inference import infer
from ..columns.intervals import IntervalColumn
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import IntervalDtype, pandas_dtype
from ..missing import is_missing
from ..scalars.interval import Interval, Sides, check_closed
from .index import Index
from .labels import Labels
from .lookups import LabelError


class IntervalIndex(Sides, Index):
    """Labels that are intervals, all of them closed on the same side.

    ``data`` has intervals. Raises TypeError for others, ValueError where they are not closed alike.

    >>> px.IntervalIndex.from_breaks([0, 1, 2])
    IntervalIndex([(0, 1], (1, 2]], dtype='interval[int64, right]')
    """

    _column: IntervalColumn

    def __new__(
        cls,
        data: Any,
        closed: str | None = None,
        dtype: Any = None,
        copy: bool = False,
        name: Hashable = None,
        verify_integrity: bool = True,
    ) -> Any:
        column = data if isinstance(data, IntervalColumn) else getattr(data, "_column", None)
        if not isinstance(column, IntervalColumn):
            column = column_of_intervals(list(data), closed)
        made = Labels._of(column, getattr(data, "name", None) if name is None else name)
        if closed is not None and closed != made.closed:
            made = made.set_closed(closed)
        return made if dtype is None else made.astype(dtype)

    # Making.

    @classmethod
    def from_breaks(
        cls, breaks: Any, closed: str | None = "right", name: Any = None, copy: bool = False,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """The intervals between bounds that follow each other."""
        index = above.index_of(breaks, tuples=False)
        return cls.from_arrays(index[:-1], index[1:], closed, name, dtype=dtype)

    @classmethod
    def from_arrays(
        cls, left: Any, right: Any, closed: str | None = "right", name: Any = None,
        copy: bool = False, dtype: Any = None,
    ) -> Any:  # fmt: skip
        """The intervals of arrays of their left and right bounds.

        Raises ValueError where a left bound is above the right one, or lengths differ.
        """
        side = check_closed(_closed_of(closed, dtype))
        bounds = _bounds(left, right, dtype)
        a, b = (np.asarray(each.values) for each in bounds)
        if len(a) != len(b):
            raise ValueError("left and right must have the same length")
        gone = np.asarray(bounds[0].isna()), np.asarray(bounds[1].isna())
        if (gone[0] != gone[1]).any():
            raise ValueError(
                "missing values must be missing in the same location both left and right sides"
            )
        if not (a[~gone[0]] <= b[~gone[0]]).all():
            raise ValueError("left side of interval must be <= right side")
        return Labels._of(IntervalColumn(*bounds, side), name)

    @classmethod
    def from_tuples(
        cls, data: Any, closed: str = "right", name: Any = None, copy: bool = False,
        dtype: Any = None,
    ) -> Any:  # fmt: skip
        """The intervals of pairs of bounds, None for missing ones."""
        left, right = [], []
        for each in data:
            if each is None or (not isinstance(each, tuple) and is_missing(each)):
                pair: tuple[Any, ...] = (np.nan, np.nan)
            elif isinstance(each, (tuple, list)) and len(each) == 2:
                pair = tuple(each)
            elif isinstance(each, (tuple, list)):
                raise ValueError(
                    f"IntervalArray.from_tuples requires tuples of length 2, got {each}"
                )
            else:
                raise TypeError(f"IntervalArray.from_tuples received an invalid item, {each}")
            left.append(pair[0])
            right.append(pair[1])
        return cls.from_arrays(left, right, closed, name, dtype=dtype)

    # What it is.

    @property
    def closed(self) -> str:  # type: ignore[override]
        """The sides that belong to the intervals."""
        return str(self._column.dtype.closed)

    @property
    def left(self) -> Any:
        """The left bounds."""
        return Labels._of(self._column.left)

    @property
    def right(self) -> Any:
        """The right bounds."""
        return Labels._of(self._column.right)

    @property
    def mid(self) -> Any:
        """The values halfway between the bounds."""
        if self.left.dtype.kind in "mM":
            return above.index_of(self.left.to_numpy() + self.length.to_numpy() // 2)
        return above.index_of(0.5 * (self.left.to_numpy() + self.right.to_numpy()))

    @property
    def length(self) -> Any:
        """How far the bounds are from each other."""
        return self.right - self.left

    @property
    def is_empty(self) -> Any:
        """Which intervals have no value: equal bounds of which one is open."""
        return (
            self._arrays()[0] == self._arrays()[1]
            if self.closed != "both"
            else (np.zeros(len(self), bool))
        )

    def _arrays(self) -> tuple[np.ndarray, np.ndarray]:
        return np.asarray(self._column.left.values), np.asarray(self._column.right.values)

    @property
    def is_overlapping(self) -> bool:
        """Returns whether two intervals have a value in common."""
        left, right = self._arrays()
        order = np.lexsort((right, left))[: len(self) - int(self._missing_mask().sum())]
        highest = np.maximum.accumulate(right[order])[:-1] if len(order) else right[:0]
        following = left[order][1:]
        touching = highest >= following if self.closed == "both" else highest > following
        return bool(touching.any())

    @property
    def is_non_overlapping_monotonic(self) -> bool:
        """Returns whether the intervals follow each other, up or down, with none in common."""
        left, right = self._arrays()
        both = self.closed == "both"
        up = right[:-1] < left[1:] if both else right[:-1] <= left[1:]
        down = left[:-1] > right[1:] if both else left[:-1] >= right[1:]
        return bool(up.all() or down.all())

    def set_closed(self, closed: str) -> Any:
        """The same bounds, closed on another side."""
        column = self._column
        return self._with(IntervalColumn(column.left, column.right, check_closed(closed)))

    def to_tuples(self, na_tuple: bool = True) -> Any:
        """The pairs of bounds; a missing interval is a pair too, or one missing value."""
        pairs: list[Any] = list(zip(self.left, self.right, strict=True))
        if not na_tuple:
            gone = self._missing_mask()
            pairs = [np.nan if lost else each for each, lost in zip(pairs, gone, strict=True)]
        return Labels._of(ObjectColumn(object_array(pairs)), self._name)

    def contains(self, other: Any) -> np.ndarray:
        """Which intervals have a value in them."""
        if isinstance(other, Interval):
            raise NotImplementedError("contains not implemented for two intervals")
        left, right = self._arrays()
        low = left <= other if self.closed_left else left < other
        return np.asarray(low & (other <= right if self.closed_right else other < right))

    def overlaps(self, other: Any) -> np.ndarray:
        """Which intervals have a value in common with another."""
        if not isinstance(other, Interval):
            raise TypeError(f"`other` must be Interval-like, got {type(other).__name__}")
        left, right = self._arrays()
        first = self.closed_left and other.closed_right
        second = other.closed_left and self.closed_right
        low = left <= other.right if first else left < other.right
        return np.asarray(low & (other.left <= right if second else other.left < right))

    # Lookups.

    def __contains__(self, key: Any) -> bool:
        hash(key)
        if not isinstance(key, Interval):
            return is_missing(key) and self._has_missing()
        return super().__contains__(key)

    def get_loc(self, key: Any) -> Any:
        """The row, or rows, of an interval, or of those that have a value in them.

        Raises KeyError where there is none.
        """
        if isinstance(key, (list, slice, set, dict, np.ndarray, Labels)):
            raise InvalidIndexError(key)
        if isinstance(key, Interval) or is_missing(key):
            return super().get_loc(key)
        is_time = isinstance(key, (np.datetime64, np.timedelta64)) or hasattr(key, "year")
        if self.left.dtype.kind in "mM" and isinstance(key, (int, float)) and not is_time:
            raise LabelError(key)
        try:
            rows = np.flatnonzero(self.contains(key))
        except TypeError as error:
            raise LabelError(key) from error
        if not len(rows):
            raise LabelError(key)
        if len(rows) == 1:
            return int(rows[0])
        if rows[-1] - rows[0] == len(rows) - 1:
            return slice(int(rows[0]), int(rows[-1]) + 1)
        return self.contains(key)

    def get_indexer(
        self,
        target: Any,
        method: str | None = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> np.ndarray:
        """The row of each interval, or of the one that has each value, -1 where there is none."""
        wanted = above.index_of(target, tuples=False)
        if isinstance(wanted, IntervalIndex) or wanted.dtype.kind == "O":
            return super().get_indexer(target, method, limit, tolerance)
        self._check_method(method, limit, tolerance)
        if self.is_overlapping:
            raise InvalidIndexError(
                "cannot handle overlapping indices; use IntervalIndex.get_indexer_non_unique"
            )
        return interval_rows(self, wanted.to_numpy())

    def _texts(self, part: slice) -> list[str]:
        return [str(each) for each in self._slice(part)._objects()]

    def _is_text(self) -> bool:
        return True  # Labels of different lengths are not put in columns.


def interval_rows(index: IntervalIndex, values: np.ndarray) -> np.ndarray:
    """The row of the interval that has each value, -1 where none has it.

    The intervals have no value in common; they need not be sorted.
    """
    left, right = index._arrays()
    order = np.lexsort((right, left))[: len(index) - int(index._missing_mask().sum())]
    if not len(order):
        return np.full(len(values), -1, np.intp)
    lows, highs = left[order], right[order]
    found = np.searchsorted(highs, values, "left" if index.closed_right else "right")
    beyond = found >= len(order)
    found = np.minimum(found, len(order) - 1)
    below = values < lows[found] if index.closed_left else values <= lows[found]
    missing = np.isnat(values) if values.dtype.kind in "mM" else values != values
    return np.where(beyond | below | missing, -1, order[found])


def column_of_intervals(values: list[Any], closed: str | None = None) -> IntervalColumn:
    """A column of a list of intervals. Raises TypeError for others, ValueError if they differ."""
    for each in values:
        if not is_missing(each) and not hasattr(each, "closed_left"):
            raise TypeError(f"type {type(each)} with value {each} is not an interval")
    if all(map(is_missing, values)):
        bounds = [np.nan] * len(values) if values else np.zeros(0, np.int64)
        return IntervalIndex.from_arrays(bounds, bounds, closed or "right")._column  # type: ignore[no-any-return]
    if closed is not None:
        values = [each if is_missing(each) else Interval(each.left, each.right, closed)
                  for each in values]  # fmt: skip
    made = infer(object_array(values))
    if not isinstance(made, IntervalColumn):
        raise ValueError("intervals must all be closed on the same side")
    return made


def _closed_of(closed: str | None, dtype: Any) -> Any:
    own = None if dtype is None else getattr(pandas_dtype(dtype), "closed", None)
    if own is not None and closed is not None and closed not in ("right", own):
        raise ValueError("closed keyword does not match dtype.closed")
    return own or closed or "right"


def _bounds(left: Any, right: Any, dtype: Any) -> tuple[NumberColumn, NumberColumn]:
    """The bounds as numbers, dates or durations of one dtype. Raises TypeError for others."""
    columns = [above.index_of(each, tuples=False)._values_column() for each in (left, right)]
    if all(each.dtype == object and not len(each) for each in columns):
        columns = [each.astype(np.dtype(np.int64)) for each in columns]
    wanted: Any = None if dtype is None else pandas_dtype(dtype)
    if isinstance(wanted, IntervalDtype) and wanted.subtype is not None:
        columns = [each.astype(wanted.subtype) for each in columns]
    if any(
        each.dtype.kind not in "iufmM" or not isinstance(each, NumberColumn) for each in columns
    ):
        raise TypeError("category, object, and string subtypes are not supported for IntervalArray")
    if columns[0].dtype != columns[1].dtype:
        if {each.dtype.kind for each in columns} & set("mM"):
            raise ValueError(
                "must not have differing left "
                f"[{type(left).__name__}] and right [{type(right).__name__}] types"
            )
        common = np.promote_types(columns[0].dtype, columns[1].dtype)
        columns = [each.astype(common) for each in columns]
    return columns[0], columns[1]
