"""Rows by label: one label, many, and the bounds of slices."""

from __future__ import annotations

import difflib
from typing import Any

import numpy as np

from phalanx.errors import InvalidIndexError

from .. import above
from ..columns.numbers import NumberColumn
from ..dtypes import NullableDtype
from ..missing import is_missing
from .keys import Positions, hashable, number_keys
from .kinds import family
from .labels import Labels
from .nearby import check_method, inexact_rows


class LabelError(KeyError):
    """No row has the label: pandas' text, and the label most like it."""

    def __init__(self, label: Any, index: Any = None) -> None:
        super().__init__(label)
        self._index = index

    def __str__(self) -> str:
        text = self._text()
        near = [] if self._index is None else nearest(self.args[0], self._index)
        return f"{text}; the nearest label is {near[0]!r}" if near else text

    def _text(self) -> str:
        return super().__str__()


class UnknownColumnError(LabelError):
    """No column of a grouped frame has the label, in pandas' words."""

    def _text(self) -> str:
        return repr(f"Column not found: {self.args[0]}")


def nearest(label: Any, index: Any) -> list[str]:
    """The text among the labels that is most like one, if any is."""
    if not isinstance(label, str):
        return []
    texts = [each for each in index._object_positions().places if isinstance(each, str)]
    return difflib.get_close_matches(label, texts, 1)


class Lookups(Labels):
    """Rows by label, as pandas' methods of these names give them, in NumPy arrays."""

    def _cast_label(self, label: Any) -> Any:
        """A label as a number of the index's dtype. Raises KeyError where it can be none."""
        kind = self._column.dtype.kind
        boolean = isinstance(label, (bool, np.bool_))
        number = isinstance(label, (int, float, np.integer, np.floating)) and not boolean
        if kind == "f" and label is not None and is_missing(label):
            return np.nan
        if (kind == "b") is not boolean or not (number or boolean):
            raise LabelError(label)
        if kind in "iu" and label != label // 1:
            raise LabelError(label)
        return label

    def _key_of(self, label: Any) -> tuple[Positions, int]:
        """The positions and the label's key there. Raises KeyError, TypeError if unhashable."""
        positions = self._positions()
        if positions.places is not None:
            if label is None and self._column.dtype != object:
                label = self._no_bound()  # type: ignore[attr-defined]
            key = positions.places.get(hashable(label), -1)
            if key < 0:
                raise LabelError(label, self)
            return positions, key
        hash(label)
        if label.__class__ is int and -(2**63) <= label < 2**63 and self._column.dtype.kind == "i":
            return positions, label
        numbers = self._column.values  # type: ignore[attr-defined]
        try:
            one = np.array([self._cast_label(label)]).astype(numbers.dtype)
        except (OverflowError, ValueError) as error:
            raise LabelError(label) from error
        return positions, int(number_keys(one)[0])

    def get_loc(self, key: Any) -> Any:
        """The row of a label: an int; a slice where equal labels lie together in a sorted index;
        else a bool mask.

        Raises KeyError without such a label, InvalidIndexError for what cannot be one.
        """
        if isinstance(key, slice):  # It has a hash from Python 3.12 on.
            raise InvalidIndexError(key)
        try:
            positions, wanted = self._key_of(key)
        except TypeError as error:
            if isinstance(key, (list, set, dict, np.ndarray, Labels)):
                raise InvalidIndexError(key) from error
            raise
        if positions.is_unique:
            row = positions.one(wanted)
            if row < 0:
                raise LabelError(key, self)
            return row
        low, high = positions.span(wanted)
        if low == high:
            raise LabelError(key, self)
        if self._is_monotonic(decreasing=False) and positions.order is None:
            return low if high - low == 1 else slice(low, high)
        rows = np.arange(low, high) if positions.order is None else positions.order[low:high]
        if len(rows) == 1:
            return int(rows[0])
        if self._is_monotonic(decreasing=False):
            return slice(int(rows[0]), int(rows[-1]) + 1)
        mask = np.zeros(len(self), bool)
        mask[rows] = True
        return mask

    def __contains__(self, key: Any) -> bool:
        hash(key)
        try:
            self.get_loc(key)
        except (KeyError, TypeError, ValueError, InvalidIndexError):
            return False
        return True

    def _target(self, target: Any) -> Any:
        """What is looked up, as an index."""
        return above.index_of(target)

    def get_indexer(
        self,
        target: Any,
        method: str | None = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> np.ndarray:
        """The row of each label of ``target``, -1 for labels that are not here.

        ``method`` 'pad' ('ffill'), 'backfill' ('bfill') or 'nearest' takes the row before, after
        or nearest where a sorted index lacks the label. Raises InvalidIndexError where labels are
        repeated, ValueError where a method needs them sorted.
        """
        target = self._target(target)
        self._check_method(method, limit, tolerance)
        if not self._unique():
            raise InvalidIndexError(
                "Reindexing only valid with uniquely valued Index objects; "
                "use get_indexer_non_unique, or drop_duplicates first"
            )
        if method is not None and len(target) and not self.equals(target):  # type: ignore[attr-defined]
            return inexact_rows(self, target, method, limit, tolerance)
        if target is self or target._known is self._known:
            return np.arange(len(self))
        positions, keys = self._meet(target)
        return positions.first(keys).astype(np.intp, copy=False)

    def _check_method(self, method: str | None, limit: int | None, tolerance: Any) -> None:
        """Raise ValueError for an unknown method, or for what only a method takes."""
        if method is not None:
            check_method(method)
        elif limit is not None or tolerance is not None:
            which = "tolerance" if tolerance is not None else "limit"
            raise ValueError(
                f"{which} argument only valid if doing pad, backfill or nearest reindexing"
            )

    def _unique(self) -> bool:
        return self._positions().is_unique

    def get_indexer_non_unique(self, target: Any) -> tuple[np.ndarray, np.ndarray]:
        """All rows of each label in turn, -1 where one has none; and the places of such labels."""
        positions, keys = self._meet(self._target(target))
        rows, sources = positions.every(keys)
        return rows, sources[rows < 0]

    def get_indexer_for(self, target: Any) -> np.ndarray:
        """`get_indexer`, or the rows of `get_indexer_non_unique` where labels are repeated."""
        if self._unique():
            return self.get_indexer(target)
        return self.get_indexer_non_unique(target)[0]

    def isin(self, values: Any, level: Any = None) -> np.ndarray:
        """Which labels are among some values: a bool for each."""
        if isinstance(values, str) or not np.iterable(values):
            raise TypeError(
                "only list-like objects are allowed to be passed to isin(), "
                f"you passed a `{type(values).__name__}`"
            )
        if level is not None:
            self._check_level(level)
        found = above.index_of(values)
        if {family(found.dtype), family(self._column.dtype)} == {"b", "n"}:
            found = found._to_dtype(np.dtype(object))
        return found._positions_of(self) >= 0  # type: ignore[no-any-return]

    def _check_level(self, level: Any) -> None:
        """Raise IndexError or KeyError where a level is neither 0 nor -1 nor the name."""
        if isinstance(level, int):
            if level not in (0, -1):
                raise IndexError(f"Too many levels: Index has only 1 level, not {level + 1}")
        elif level != self._name:
            raise KeyError(f"Requested level ({level}) does not match index name ({self._name})")

    # Slices by label.

    def _slice_label(self, label: Any, side: str) -> Any:
        """The label that a bound of a slice is looked up by. Raises TypeError for wrong kinds."""
        kind = family(self._column.dtype)
        number = isinstance(label, (int, float, np.number)) and not isinstance(label, bool)
        if kind == "n" and not number and not is_missing(label):
            self._refuse_slice(label)
        if kind not in ("n", "b") and number and label not in self:
            self._refuse_slice(label)
        return label

    def _refuse_slice(self, label: Any) -> None:
        raise TypeError(
            f"cannot do slice indexing on {type(self).__name__} with these indexers "
            f"[{label}] of type {type(label).__name__}"
        )

    def get_slice_bound(self, label: Any, side: str) -> int:
        """The row where a slice from (``side`` 'left') or to ('right') a label begins or ends.

        Raises KeyError for a label that is not there in an index that is not sorted, or one whose
        rows do not lie together.
        """
        if side not in ("left", "right"):
            raise ValueError(
                f"Invalid value for side kwarg, must be either 'left' or 'right': {side}"
            )
        wanted = self._slice_label(label, side)
        try:
            found = self.get_loc(wanted)
        except KeyError:
            if not (self._is_monotonic(decreasing=False) or self._is_monotonic(decreasing=True)):
                raise KeyError(
                    f"Cannot get {side} slice bound for non-monotonic index with a missing label "
                    f"{label!r}. Either sort the index or specify an existing label."
                ) from None
            return self._sorted_bound(wanted, side)
        if isinstance(found, np.ndarray):
            rows = np.flatnonzero(found)
            if rows[-1] - rows[0] != len(rows) - 1:
                raise KeyError(f"Cannot get {side} slice bound for non-unique label: {label!r}")
            found = slice(int(rows[0]), int(rows[-1]) + 1)
        if isinstance(found, slice):
            return int(found.start if side == "left" else found.stop)
        return int(found) + (side == "right")

    def _sorted_bound(self, label: Any, side: str) -> int:
        if self._is_monotonic(decreasing=False):
            return int(self.searchsorted(label, side))
        other = "right" if side == "left" else "left"
        return len(self) - int(self._slice(slice(None, None, -1)).searchsorted(label, other))

    def slice_locs(self, start: Any = None, end: Any = None, step: int | None = None) -> Any:
        """From where to where a slice of labels reaches, both ends included."""
        backward = step is not None and step < 0
        if backward:
            start, end = end, start
        first = 0 if start is None else self.get_slice_bound(start, "left")
        last = len(self) if end is None else self.get_slice_bound(end, "right")
        if not backward:
            return first, last
        first, last = last - 1, first - 1
        # -1 would count from the end; the place before the first row is one full length lower.
        return (
            first - len(self) if first == -1 else first,
            last - len(self) if last == -1 else last,
        )

    def slice_indexer(self, start: Any = None, end: Any = None, step: int | None = None) -> slice:
        """The slice of rows for a slice of labels."""
        first, last = self.slice_locs(start, end, step)
        return slice(first, last, step)

    def searchsorted(self, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where values would be put in sorted labels to keep them sorted: an int or an array."""
        if isinstance(self._column, NumberColumn) and not isinstance(
            self._column.dtype, NullableDtype
        ):
            labels = np.asarray(self._column.values)
        else:
            labels = self._objects()
            if self._column.dtype != object and self._has_missing():
                raise ValueError(
                    "searchsorted requires array to be sorted, which is impossible with NAs "
                    "present."
                )
        found = np.searchsorted(labels, self._searched(value), side, sorter)  # type: ignore[call-overload]
        return found if np.ndim(found) else int(found)

    def _searched(self, value: Any) -> Any:
        if isinstance(value, Labels):
            return np.asarray(value._column.to_numpy())
        return value
