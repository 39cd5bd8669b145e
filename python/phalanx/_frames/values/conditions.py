"""Other values where a condition holds, or does not: `where`, `mask`, `clip`."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..building.columns import column_from, is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..missing import is_missing
from ..operations.choosing import chosen
from ..selection.rows import RowMethods
from ..shared.deferred import applied
from ..signatures import NO_DEFAULT, in_place_self, leaves_out


class Conditions(RowMethods):
    """`where`, `mask` and `clip`."""

    @leaves_out("level")
    @in_place_self
    def where(self, cond: Any, other: Any = np.nan, *, axis: Any = None) -> Self:
        """The elements where a condition is True, others where it is False.

        Raises ValueError for a condition of another shape, TypeError for one that is not bool.
        """
        return self._where(cond, other, axis, inverted=False)

    @leaves_out("level")
    @in_place_self
    def mask(self, cond: Any, other: Any = np.nan, *, axis: Any = None) -> Self:
        """The elements where a condition is False, others where it is True."""
        return self._where(cond, other, axis, inverted=True)

    def _where(self, cond: Any, other: Any, axis: Any, *, inverted: bool) -> Self:
        cond = ours(applied(cond, self))
        other = ours(applied(other, self))
        masks = self._masks(cond, inverted)
        others = self._others(np.nan if other is NO_DEFAULT else other, axis)
        made = [
            chosen(column, ~mask if inverted else mask, each)
            for column, mask, each in zip(self._parts, masks, others, strict=True)
        ]
        return self._keep_attrs(self._with(made))  # type: ignore[no-any-return]

    def _masks(self, cond: Any, missing: bool) -> list[ndarray]:
        """The condition of each column; labels that it has not count as ``missing``."""
        if is_frame(cond):
            return self._frame_masks(cond, missing)
        if is_series(cond):
            if cond.index is not self._index and not cond.index.equals(self._index):
                cond = cond.reindex(self._index, fill_value=missing)
            return [_bools(cond._parts[0], missing)] * len(self._parts)
        if isinstance(cond, (bool, np.bool_)):
            raise ValueError("Array conditional must be same shape as self")
        table = np.asarray(cond)
        if table.shape != self.shape:
            raise ValueError("Array conditional must be same shape as self")
        if table.dtype != bool:
            raise TypeError(f"Boolean array expected for the condition, not {table.dtype}")
        if table.ndim == 1:
            return [px.asarray(table)]
        return [px.asarray(np.ascontiguousarray(table[:, i])) for i in range(table.shape[1])]

    def _frame_masks(self, cond: Any, missing: bool) -> list[ndarray]:
        if cond.index is not self._index and not cond.index.equals(self._index):
            cond = cond.reindex(self._index, fill_value=missing)
        if cond.columns.equals(self._labels_of(1)):
            return [_bools(each, missing) for each in cond._parts]
        made = []
        for label in self._labels_of(1):
            if label in cond.columns:
                made.append(_bools(cond[label]._parts[0], missing))
            else:
                made.append(px.full(len(self), missing, dtype=bool))
        return made

    def _others(self, other: Any, axis: Any) -> list[Any]:
        """The other value, or column, for each column."""
        count = len(self._parts)
        if is_frame(other):
            labels = self._labels_of(1)
            same = other.columns.equals(labels)
            aligned = other.reindex(index=self._index, columns=None if same else labels)
            return list(aligned._parts)
        if is_series(other):
            if self.ndim == 2 and (axis is None or self._axis(axis) == 1):
                if axis is None:
                    raise ValueError("Must specify axis=0 or 1")
                aligned = other.reindex(self._labels_of(1))
                return aligned.tolist()  # type: ignore[no-any-return]
            return [other.reindex(self._index)._parts[0]] * count
        if is_list_like(other) and not isinstance(other, dict):
            if self.ndim == 1:
                return [self._column_other(other)]
            table = np.asarray(other)
            if table.ndim == 1:
                return [column_from(table)] * count if len(table) == len(self) else list(table)
            return [column_from(table[:, i]) for i in range(count)]
        return [other] * count

    def _column_other(self, other: Any) -> Column:
        column = column_from(other)
        if len(column) == 1 != len(self):
            return column.take(px.zeros(len(self), np.int64))
        if len(column) != len(self):
            raise ValueError(
                f"Length of values ({len(column)}) does not match length of index ({len(self)})"
            )
        return column

    @in_place_self
    def clip(
        self, lower: Any = None, upper: Any = None, *, axis: Any = None, out: None = None
    ) -> Self:
        """Elements not below one bound and not above another; missing bounds bound nothing.

        ``out`` is what `numpy.clip` gives, and can be None alone: raises ValueError for others.
        """
        if out is not None:
            raise ValueError("the 'out' parameter is not supported in the pandas implementation")
        lower, upper = ours(lower), ours(upper)
        if _is_number(lower) and _is_number(upper) and lower > upper:
            lower, upper = upper, lower
        made: Any = self
        for bound, is_lower in ((lower, True), (upper, False)):
            if bound is None or (not is_list_like(bound) and is_missing(bound)):
                continue
            made = made._bounded(bound, axis, is_lower)
        return made if made is not self else self.copy()  # type: ignore[no-any-return]

    def _bounded(self, bound: Any, axis: Any, is_lower: bool) -> Self:
        listed = is_list_like(bound) and not is_series(bound) and not is_frame(bound)
        if listed and self.ndim == 1:
            bound = above.Series(bound, index=self._index)
        number = 0 if axis is None and self.ndim == 1 else axis
        name = "ge" if is_lower else "le"
        if self.ndim == 2 and is_series(bound):
            inside = getattr(self, name)(bound, axis=number)
        else:
            inside = getattr(self, name)(bound)
        unbound = ours(bound).isna() if is_series(bound) or is_frame(bound) else None
        kept = inside | self.isna()  # type: ignore[attr-defined]
        if unbound is not None and self.ndim == 1:
            kept = kept | unbound.reindex(self._index, fill_value=True)
        elif unbound is not None and is_frame(bound):
            kept = kept | unbound.reindex_like(self).fillna(True).astype(bool)
        return self.where(kept, bound, axis=number)


def _is_number(value: Any) -> bool:
    return isinstance(value, (int, float, np.integer, np.floating)) and not is_missing(value)


def _bools(column: Column, missing: bool) -> ndarray:
    if column.dtype.kind != "b":
        if column.dtype == object:
            values = [missing if is_missing(each) else each for each in column.tolist()]
            if all(isinstance(each, (bool, np.bool_)) for each in values):
                return px.asarray(np.array(values, bool))
        raise TypeError(f"Boolean array expected for the condition, not {column.dtype}")
    valid = getattr(column, "valid", None)
    values = column.values  # type: ignore[attr-defined]
    if valid is None:
        return values  # type: ignore[no-any-return]
    return values | ~valid if missing else values & valid  # type: ignore[no-any-return]
