"""One object against another: `equals`, `compare`, `combine_first`, `update`."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.lists import ListColumn
from ..columns.making import column_of
from ..columns.objects import object_array
from ..dtypes import STR
from ..indexes.making import index_of
from ..missing import is_missing
from ..operations.by_name import computed
from ..operations.choosing import chosen
from ..operations.joined import joined_columns
from ..selection.placing import placed
from ..selection.rows import RowMethods
from ..shared.base import Labelled
from ..signatures import leaves_out
from .concat import concat


def same_columns(left: Column, right: Column) -> bool:
    """True if both have one dtype and equal rows; missing rows are equal."""
    if left.dtype != right.dtype or len(left) != len(right):
        return False
    return not bool(different_rows(left, right).any())


def different_rows(left: Column, right: Column) -> Any:
    """Which rows of two columns are not equal; missing ones are."""
    gone = px.asarray(left.isna()), px.asarray(right.isna())
    found: Any = computed("ne", left, right)
    unequal = found.values if getattr(found, "valid", None) is None else found.values & found.valid
    return (unequal & ~(gone[0] & gone[1])) | (gone[0] != gone[1])


class Comparing(RowMethods):
    """What series and frames have in common."""

    def equals(self, other: Any) -> bool:
        """True if another object has equal labels, dtypes and elements; missing ones are equal."""
        other = ours(other)
        if type(other) is not type(self) or self.shape != other.shape:
            return False
        if not self._index.equals(other.index):
            return False
        if self.ndim == 2 and not self._labels_of(1).equals(other.columns):  # type: ignore[attr-defined]
            return False
        return all(map(same_columns, self._parts, other._parts))


def _pair(left: Column, right: Column, keep_equal: bool, unequal: Any) -> tuple[Column, Column]:
    if keep_equal:
        return left, right
    return chosen(left, unequal, np.nan), chosen(right, unequal, np.nan)


class SeriesComparing(Comparing):
    """Comparison of series."""

    @leaves_out("align_axis")
    def compare(
        self,
        other: Any,
        *,
        keep_shape: bool = False,
        keep_equal: bool = False,
        result_names: tuple[Any, Any] = ("self", "other"),
    ) -> Any:
        """The values that differ, beside each other. Raises ValueError for other labels."""
        other = ours(other)
        if not is_series(other):
            raise TypeError(f"can only compare 'self' to 'other' of type {type(self)}")
        if not self._index.equals(other.index):
            raise ValueError("Can only compare identically-labeled Series objects")
        unequal = different_rows(self._parts[0], other._parts[0])
        pair = _pair(self._parts[0], other._parts[0], keep_equal, unequal)
        made = above.DataFrame._of(list(pair), self._index, index_of(list(result_names)))
        return made if keep_shape else made._at(px.flatnonzero(unequal))

    def combine_first(self, other: Any) -> Any:
        """The values of this, and where it has none those of another series."""
        other = ours(other)
        index = self._index if self._index.equals(other.index) else self._index.union(other.index)
        if self._parts[0].dtype != other._parts[0].dtype and not index.is_unique:
            raise ValueError("cannot reindex on an axis with duplicate labels")
        left, right = (each.reindex(index)._parts[0] for each in (self, other))  # type: ignore[union-attr]
        both = joined_columns([left, right])
        left, right = both.slice(slice(0, len(index))), both.slice(slice(len(index), None))
        made = left.where(~px.asarray(left.isna()), right)
        if made.dtype.kind == "f" and not made.has_missing():
            made = _as_both(made, self._parts[0], other._parts[0])
        return self._with([made], index)

    def update(self, other: Any) -> None:
        """Take over the values that another series, list or dict has for this one's labels."""
        other = ours(other)
        if not is_series(other):
            other = above.Series(other)
        aligned = other.reindex(self._index)
        rows = px.flatnonzero(~px.asarray(aligned._parts[0].isna()))
        self._parts = [placed(self._parts[0], rows, aligned._parts[0].take(rows))]

    def repeat(self, repeats: Any, axis: None = None) -> Any:
        """Each row so many times."""
        counts = np.asarray(repeats)
        if counts.size and counts.min() < 0:
            raise ValueError("counts cannot contain negative values")
        return self._at(np.repeat(np.arange(len(self)), counts))

    def explode(self, ignore_index: bool = False) -> Any:
        """A row for each element of lists in rows."""
        made = _exploded(self._parts[0])
        if made is None:
            return self.reset_index(drop=True) if ignore_index else self.copy()  # type: ignore[attr-defined]
        column, rows = made
        result = self._with([column], self._index._take(rows))
        return result.reset_index(drop=True) if ignore_index else result  # type: ignore[attr-defined]


def _as_both(made: Column, left: Column, right: Column) -> Column:
    """What was made float by rows that were missing for a while goes back."""
    if left.dtype == right.dtype and left.dtype.kind in "iu":
        return made.astype(left.dtype)
    return made


def _exploded(column: Column) -> tuple[Column, np.ndarray] | None:
    """Elements of lists as rows, with the row that each was in; None for columns without lists."""
    if isinstance(column, ListColumn):
        return column.exploded()
    if column.dtype != object:
        return None
    values, rows = [], []
    for i, each in enumerate(column.tolist()):
        items = list(each) if is_list_like(each) and not isinstance(each, dict) else [each]
        items = items or [np.nan]
        values += items
        rows += [i] * len(items)
    kept = [each for each in values if not is_missing(each)]
    are_texts = bool(kept) and all(isinstance(each, str) for each in kept)
    return column_of(object_array(values), STR if are_texts else None), np.array(rows, np.int64)


class FrameComparing(Comparing):
    """Comparison of frames."""

    def compare(
        self,
        other: Any,
        align_axis: Any = 1,
        keep_shape: bool = False,
        keep_equal: bool = False,
        result_names: tuple[Any, Any] = ("self", "other"),
    ) -> Any:
        """The elements that differ, beside or below each other. ValueError for other labels."""
        other = ours(other)
        if not is_frame(other):
            raise TypeError(
                f"can only compare 'self' (DataFrame) with 'other' ({type(other).__name__})"
            )
        labels = self._labels_of(1)
        if not self._index.equals(other.index) or not labels.equals(other.columns):
            raise ValueError(
                "Can only compare identically-labeled (both index and columns) DataFrame objects"
            )
        masks = [different_rows(a, b) for a, b in zip(self._parts, other._parts, strict=True)]
        pairs = [
            _pair(a, b, keep_equal, m)
            for a, b, m in zip(self._parts, other._parts, masks, strict=True)
        ]
        sides = [self._with([each[i] for each in pairs]) for i in (0, 1)]
        if not keep_shape:
            columns = np.array([i for i, each in enumerate(masks) if bool(each.any())], np.int64)
            some = np.zeros(len(self), bool)
            for each in masks:
                some |= np.asarray(each)
            sides = [each._columns_at(columns)._at(np.flatnonzero(some)) for each in sides]
        number = self._axis(align_axis)
        made = concat(sides, axis=number, keys=list(result_names))
        if number == 1:
            made = made.swaplevel(0, 1, axis=1)
            width = sides[0].shape[1]
            return made._columns_at(np.arange(2 * width).reshape(2, width).T.ravel())
        made = made.swaplevel(0, 1)
        count = len(sides[0])
        return made._at(np.arange(2 * count).reshape(2, count).T.ravel())

    def combine_first(self, other: Any) -> Any:
        """The elements of this, and where it has none those of another frame."""
        other = ours(other)
        labels = self._labels_of(1)
        if not labels.is_unique and labels.equals(other.columns):
            whole: Any = self
            both = [
                whole._column_series(i).combine_first(other._column_series(i))
                for i in range(len(labels))
            ]
            return above.DataFrame._of([each._parts[0] for each in both], both[0].index, labels)
        labels = labels if labels.equals(other.columns) else labels.union(other.columns)
        index = self._index if self._index.equals(other.index) else self._index.union(other.index)
        parts = []
        for label in labels:
            sides: tuple[Any, ...] = (self, other)
            held = [each[label] for each in sides if label in each.columns]
            made = held[0].combine_first(held[1]) if len(held) == 2 else held[0]
            parts.append(made.reindex(index)._parts[0])
        return above.DataFrame._of(parts, index, labels)

    @leaves_out("filter_func")
    def update(
        self, other: Any, join: str = "left", overwrite: bool = True, errors: str = "ignore"
    ) -> None:
        """Take over the elements that another frame has for this one's labels.

        Raises ValueError where both have some if ``errors`` is ``"raise"``.
        """
        if join != "left":
            raise NotImplementedError("Only left join is supported")
        other = ours(other)
        other = other if isinstance(other, Labelled) else above.DataFrame(other)
        other = other.to_frame() if is_series(other) else other
        aligned = other.reindex(self._index)
        made = list(self._parts)
        for i, label in enumerate(self._labels_of(1)):
            if label not in aligned.columns:
                continue
            column = aligned[label]._parts[0]
            gone = px.asarray(column.isna())
            if errors == "raise" and bool((~gone & ~px.asarray(made[i].isna())).any()):
                raise ValueError("Data overlaps.")
            kept = gone if overwrite else gone | ~px.asarray(made[i].isna())
            rows = px.flatnonzero(~kept)
            made[i] = placed(made[i], rows, column.take(rows))
        self._parts = made

    def explode(self, column: Any, ignore_index: bool = False) -> Any:
        """A row for each element of lists in some columns."""
        labels = [column] if not isinstance(column, list) else column
        if not labels:
            raise ValueError("column must be nonempty")
        if len(set(labels)) < len(labels):
            raise ValueError("column must be unique")
        if not self._labels_of(1).is_unique:
            raise ValueError("DataFrame columns must be unique.")
        found = {each: _exploded(self[each]._parts[0]) for each in labels}  # type: ignore[index]
        rows = next((each[1] for each in found.values() if each is not None), np.arange(len(self)))
        if any(each is not None and not np.array_equal(each[1], rows) for each in found.values()):
            raise ValueError("columns must have matching element counts")
        made: Any = self._at(rows)
        for label, each in found.items():
            if each is not None:
                made._set_column(label, each[0])
        return made.reset_index(drop=True) if ignore_index else made
