"""Missing values: which there are, what replaces them, rows without them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.numbers import NumberColumn
from ..missing import is_missing
from ..operations.choosing import chosen, fillna
from ..selection.labels import of_labels
from ..selection.rows import RowMethods
from ..selection.selectors import rows_of_mask
from ..signatures import NO_DEFAULT, in_place, in_place_self
from .gaps import carried_column, checked_area, checked_limit


def filled_column(column: Column, value: Any, limit: int | None = None) -> Column:
    """A column with a value, or another column's rows, where it has missing ones.

    Raises TypeError for a value that a nullable dtype or the categories do not hold.
    """
    if not column.has_missing() or (not isinstance(value, Column) and _is_nothing(column, value)):
        return column
    if limit is None:
        return fillna(column, value)
    missing = px.asarray(column.isna())
    return chosen(column, ~missing | (px.cumsum(missing) > limit), value)


def _is_nothing(column: Column, value: Any) -> bool:
    return column.dtype != object and is_missing(value)


def bool_column(mask: Any) -> NumberColumn:
    """A column of a mask."""
    return NumberColumn(px.asarray(mask))


class MissingValues(RowMethods):
    """`isna`, `fillna`, `dropna` and the like."""

    def isna(self) -> Self:
        """Which elements are missing: None, NaN, NaT, NA."""
        return self._each(lambda each: bool_column(each.isna()))

    isnull = isna

    def notna(self) -> Self:
        """Which elements are not missing."""
        return self._each(lambda each: bool_column(~px.asarray(each.isna())))

    notnull = notna

    @in_place_self
    def fillna(self, value: Any, *, axis: Any = None, limit: int | None = None) -> Self:
        """Other values where some are missing: one, or by label a dict's or a series', a frame's.

        Raises TypeError for values that a dtype does not hold.
        """
        value = ours(value)
        if isinstance(value, (list, tuple)):
            raise TypeError(
                '"value" parameter must be a scalar or dict, but you passed a '
                f'"{type(value).__name__}"'
            )
        if limit is not None and limit <= 0:
            raise ValueError("Limit must be greater than 0")
        if self.ndim == 1:
            return self._keep_attrs(self._with([self._filled_rows(value, limit)]))  # type: ignore[no-any-return]
        if is_frame(value) or is_series(value) or isinstance(value, Mapping):
            return self._filled_columns(value, limit)
        return self._keep_attrs(self._each(lambda each: filled_column(each, value, limit)))  # type: ignore[no-any-return]

    def _filled_rows(self, value: Any, limit: int | None) -> Column:
        if isinstance(value, Mapping):
            value = above.Series(value) if value else np.nan
        if is_series(value):
            aligned = value if value.index is self._index else value.reindex(self._index)
            return filled_column(self._parts[0], aligned._parts[0], limit)
        return filled_column(self._parts[0], value, limit)

    def _filled_columns(self, value: Any, limit: int | None) -> Self:
        labels = self._labels_of(1)
        if is_frame(value) and not labels.is_unique and value.columns.equals(labels):
            parts = value.reindex(self._index)._parts
            pairs = zip(self._parts, parts, strict=True)
            return self._with([filled_column(mine, theirs, limit) for mine, theirs in pairs])
        keys = value.columns if is_frame(value) else value.index if is_series(value) else value
        made = list(self._parts)
        for i, label in enumerate(labels):
            if label not in keys:
                continue
            part = value[label]
            if is_series(part):
                part = part.reindex(self._index)._parts[0]
            made[i] = filled_column(made[i], part, limit)
        return self._keep_attrs(self._with(made))  # type: ignore[no-any-return]

    @in_place_self
    def ffill(
        self, *, axis: Any = None, limit: int | None = None, limit_area: str | None = None
    ) -> Any:
        """The last value before, where one is missing; ``limit_area`` as of `interpolate`."""
        return self._carried(axis, limit, limit_area, backward=False)

    @in_place_self
    def bfill(
        self, *, axis: Any = None, limit: int | None = None, limit_area: str | None = None
    ) -> Any:
        """The first value after, where one is missing; ``limit_area`` as of `interpolate`."""
        return self._carried(axis, limit, limit_area, backward=True)

    def _carried(self, axis: Any, limit: int | None, area: Any, *, backward: bool) -> Any:
        most, where = checked_limit(limit), checked_area(area)
        if axis is not None and self._axis(axis) == 1:
            return self.T._carried(0, limit, area, backward=backward).T  # type: ignore[attr-defined]
        return self._keep_attrs(
            self._each(lambda each: carried_column(each, most, backward=backward, area=where))
        )

    def _present_counts(self, parts: list[Column]) -> Any:
        """How many elements of each row are not missing."""
        counts = px.zeros(len(self), np.int64)
        for each in parts:
            counts = counts + ~px.asarray(each.isna())
        return counts


class SeriesMissingValues(MissingValues):
    """`dropna` of series."""

    @in_place
    def dropna(self, *, axis: Any = 0, how: Any = None, ignore_index: bool = False) -> Self:
        """The rows that are not missing."""
        self._axis(axis)
        column = self._parts[0]
        made: Any = self.copy()
        if column.has_missing():
            made = self._at(rows_of_mask(~px.asarray(column.isna())))
        return made.reset_index(drop=True) if ignore_index else made  # type: ignore[no-any-return]


class FrameMissingValues(MissingValues):
    """`dropna` of frames."""

    @in_place
    def dropna(
        self,
        *,
        axis: Any = 0,
        how: Any = NO_DEFAULT,
        thresh: Any = NO_DEFAULT,
        subset: Any = None,
        ignore_index: bool = False,
    ) -> Any:
        """The rows, or columns, without missing elements; with ``how="all"`` with any other.

        Raises KeyError for labels of ``subset`` that are not there.
        """
        if how is not NO_DEFAULT and thresh is not NO_DEFAULT:
            raise TypeError("You cannot set both the how and thresh arguments at the same time.")
        if how not in (NO_DEFAULT, "any", "all"):
            raise ValueError(f"invalid how option: {how}")
        number = self._axis(axis)
        counts, most = self._counts_along(number, subset)
        if thresh is not NO_DEFAULT:
            kept = counts >= thresh
        else:
            kept = counts > 0 if how == "all" else counts == most
            if how == "all" and most == 0:
                kept = counts < 0
        if bool(kept.all()):
            made: Any = self.copy()
        else:
            made = self._along(number, px.flatnonzero(px.asarray(kept)))
        if not ignore_index:
            return made
        return (
            made.reset_index(drop=True)
            if number == 0
            else made.set_axis(range(made.shape[1]), axis=1)
        )

    def _counts_along(self, axis: int, subset: Any) -> tuple[Any, int]:
        """The number of elements that are there, in each row or column, and of those counted."""
        frame: Any = self
        if subset is not None:
            labels = subset if is_list_like(subset) and not isinstance(subset, tuple) else [subset]
            other = self._labels_of(1 - axis)
            try:
                chosen = of_labels(other, labels).selector
            except KeyError:
                raise KeyError([each for each in labels if each not in other]) from None
            frame = self._columns_at(chosen) if axis == 0 else self._at(chosen)
        if axis == 0:
            return self._present_counts(frame._parts), len(frame._parts)
        found = [len(frame) - int(each.isna().sum()) for each in frame._parts]
        return np.array(found, np.int64), len(frame)
