"""Rows and columns in the order of other labels: `reindex`, `align`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_series, repeated
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import CategoricalDtype, DecimalDtype, StringDtype
from ..indexes.index import Index
from ..indexes.joins import align as aligned_labels
from ..indexes.making import index_of
from ..missing import is_missing
from ..operations.joined import joined_columns
from ..selection.placing import held
from ..shared.base import Labelled
from ..signatures import leaves_out

if TYPE_CHECKING:
    from ..frame import DataFrame


_WITH_NAN = (np.float16, np.float32, np.complex64, np.complex128)


def taken_or_filled(column: Column, rows: Any, fill_value: Any = np.nan) -> Column:
    """The rows at some positions, and at -1 a value, missing if it is NaN."""
    rows = px.asarray(rows)
    if not bool((rows < 0).any()):
        return column.take(rows)
    if is_missing(fill_value) and not (fill_value is None and column.dtype == object):
        return column.take(rows, has_missing=True)
    one = column_of([fill_value])
    if isinstance(column.dtype, (CategoricalDtype, DecimalDtype, StringDtype)):
        one = held(column.dtype, one, fill_value)
    both = joined_columns([column, one])
    return both.take(px.where(rows < 0, len(column), rows))


class Reindexing(Labelled):
    """`reindex`, `reindex_like` and `align`."""

    def _reindexed_rows(self, target: Index, rows: Any, fill_value: Any = np.nan) -> Self:
        """The rows at positions of this, under other labels; -1 gives missing ones."""
        return self._with([taken_or_filled(each, rows, fill_value) for each in self._parts], target)

    def _to_labels(
        self,
        labels: Any,
        method: Any,
        limit: Any,
        fill_value: Any,
        tolerance: Any = None,
        level: Any = None,
    ) -> Self:
        target, rows = self._index.reindex(
            labels, method=_method(method), level=level, limit=limit, tolerance=tolerance
        )
        if rows is None:
            return self._with(list(self._parts), target)
        return self._reindexed_rows(target, rows, fill_value)


def _method(method: Any) -> Any:
    names = {"ffill": "pad", "bfill": "backfill", "pad": "pad", "backfill": "backfill"}
    if method is None or method == "nearest":
        return method
    if method not in names:
        raise ValueError(
            f"Invalid fill method. Expecting pad (ffill), backfill (bfill) or nearest. Got {method}"
        )
    return names[method]


class SeriesReindexing(Reindexing):
    """Reindexing of series."""

    @leaves_out("copy")
    def reindex(
        self,
        index: Any = None,
        *,
        axis: Any = None,
        method: str | None = None,
        level: Any = None,
        fill_value: Any = None,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> Self:
        """The rows in the order of other labels, with missing ones where there is no such label.

        Raises ValueError where the labels of this are not unique.
        """
        if axis is not None:
            self._axis(axis)
        if index is None:
            return self.copy()
        fill = np.nan if fill_value is None else fill_value
        return self._keep_attrs(  # type: ignore[no-any-return]
            self._to_labels(index, method, limit, fill, tolerance, level)
        )

    def reindex_like(
        self,
        other: Any,
        method: Any = None,
        copy: Any = None,
        limit: Any = None,
        tolerance: Any = None,
    ) -> Self:
        """The rows in the order of another object's labels."""
        return self.reindex(other.index, method=method, limit=limit, tolerance=tolerance)

    @leaves_out("copy")
    def align(
        self,
        other: Any,
        join: str = "outer",
        axis: Any = None,
        level: Any = None,
        fill_value: Any = None,
    ) -> tuple[Any, Any]:
        """This and another object with the same labels of rows."""
        if axis is not None and is_series(other):
            self._axis(axis)
        if level is not None:
            raise NotImplementedError("align: the keyword 'level' of pandas is not supported")
        if not is_series(other):
            if axis is None:
                raise ValueError("Must specify axis=0 or 1")
            other, mine = other.align(self, join=_swapped(join), axis=axis, fill_value=fill_value)
            return mine, other
        index, left, right = aligned_labels(self._index, other.index, join)
        fill = np.nan if fill_value is None else fill_value
        return (
            _placed(self, index, left, fill),
            _placed(other, index, right, fill),
        )


def _swapped(join: str) -> str:
    return {"left": "right", "right": "left"}.get(join, join)


def _placed(of: Any, index: Index, rows: Any, fill: Any) -> Any:
    if rows is None:
        return of._with(list(of._parts), index)
    return of._reindexed_rows(index, rows, fill)


class FrameReindexing(Reindexing):
    """Reindexing of frames."""

    _columns: Index

    @leaves_out("copy")
    def reindex(
        self,
        labels: Any = None,
        *,
        index: Any = None,
        columns: Any = None,
        axis: Any = None,
        method: str | None = None,
        level: Any = None,
        fill_value: Any = np.nan,
        limit: int | None = None,
        tolerance: Any = None,
    ) -> DataFrame:
        """Rows and columns in the order of other labels, missing where there is no such label.

        Raises ValueError where the labels of this are not unique.
        """
        if labels is not None:
            if index is not None or columns is not None:
                raise TypeError("Cannot specify both 'labels' and any of 'index' or 'columns'")
            if axis is not None and self._axis(axis) == 1:
                columns = labels
            else:
                index = labels
        elif axis is not None and (index is not None or columns is not None):
            raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
        made: Any = self
        if columns is not None:
            made = made._to_columns(columns, _method(method), limit, fill_value)
        if index is not None:
            made = made._to_labels(index, method, limit, fill_value, tolerance, level)
        return self._keep_attrs(made if made is not self else self.copy())  # type: ignore[no-any-return]

    def _to_columns(self, labels: Any, method: Any, limit: Any, fill_value: Any) -> DataFrame:

        target, numbers = self._columns.reindex(labels, method=method, limit=limit)
        if numbers is None:
            return above.DataFrame._of(list(self._parts), self._index, target)  # type: ignore[no-any-return]
        fill = repeated(fill_value, len(self._index), None)
        if is_missing(fill_value) and fill.dtype.kind in "Of":
            # As in pandas, a table of one dtype that has NaN keeps it.
            kinds = {str(each.dtype) for each in self._parts}
            one = self._parts[0].dtype if len(kinds) == 1 else np.dtype(np.float64)
            fill = fill.astype(one if one in _WITH_NAN else np.dtype(np.float64))
        parts = [fill if i < 0 else self._parts[i] for i in np.asarray(numbers).tolist()]
        return above.DataFrame._of(parts, self._index, target)  # type: ignore[no-any-return]

    def reindex_like(
        self,
        other: Any,
        method: Any = None,
        copy: Any = None,
        limit: Any = None,
        tolerance: Any = None,
    ) -> DataFrame:
        """Rows and columns in the order of another frame's labels."""
        return self.reindex(
            index=other.index,
            columns=other.columns,
            method=method,
            limit=limit,
            tolerance=tolerance,
        )

    @leaves_out("copy")
    def align(
        self,
        other: Any,
        join: str = "outer",
        axis: Any = None,
        level: Any = None,
        fill_value: Any = None,
    ) -> tuple[Any, Any]:
        """This and another object with the same labels of rows, of columns, or of both."""
        if level is not None:
            raise NotImplementedError("align: the keyword 'level' of pandas is not supported")
        fill = np.nan if fill_value is None else fill_value
        if is_series(other):
            return self._align_series(other, join, axis, fill)
        left: Any = self
        right = other
        if axis is None or self._axis(axis) == 1:
            labels, mine, theirs = aligned_labels(self._columns, other.columns, join)
            left = left if mine is None else left.reindex(columns=labels, fill_value=fill)
            right = right if theirs is None else right.reindex(columns=labels, fill_value=fill)
        if axis is None or self._axis(axis) == 0:
            index, mine, theirs = aligned_labels(self._index, other.index, join)
            left, right = _placed(left, index, mine, fill), _placed(right, index, theirs, fill)
        return left, right

    def _align_series(self, other: Any, join: str, axis: Any, fill: Any) -> tuple[Any, Any]:
        if axis is None:
            raise ValueError("Must specify axis=0 or 1")
        if self._axis(axis) == 0:
            index, mine, theirs = aligned_labels(self._index, other.index, join)
            return _placed(self, index, mine, fill), _placed(other, index, theirs, np.nan)
        labels, mine, theirs = aligned_labels(self._columns, other.index, join)
        left: Any = self.copy() if mine is None else self.reindex(columns=labels, fill_value=fill)
        return left, _placed(other, labels, theirs, np.nan)


def labels_list(labels: Any) -> Index:
    """Labels of a keyword as an index; one label is a list of it."""
    if isinstance(labels, tuple) or not is_list_like(labels):
        labels = [labels]
    return index_of(labels)  # type: ignore[no-any-return]
