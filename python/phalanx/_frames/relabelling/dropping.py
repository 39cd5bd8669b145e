"""Rows and columns left out by their labels: `drop`, `filter`, `droplevel`, `xs`."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..selection.labels import Found
from ..selection.rows import RowMethods
from ..selection.selectors import Selector, mask_of, positions, rows_of_mask
from ..signatures import in_place, leaves_out
from .reindexing import labels_list


def kept_rows(index: Any, labels: Any, level: Any, errors: str) -> np.ndarray:
    """The positions without those of some labels.

    Raises KeyError for labels that are not there, unless ``errors`` is ``"ignore"``.
    """
    gone = np.zeros(len(index), bool)
    if level is not None:
        wanted = set(labels_list(labels))
        gone = np.array([each in wanted for each in index.get_level_values(level)], bool)
        if not gone.any() and errors == "raise":
            raise KeyError(f"labels {labels} not found in level")
        return np.flatnonzero(~gone)
    if index.nlevels > 1:
        return _kept_of_levels(index, labels, errors)
    target = labels_list(labels)
    rows = np.asarray(index.get_indexer_for(target))
    if (rows < 0).any() and errors == "raise":
        found = set(index)
        raise KeyError(f"{[each for each in target if each not in found]} not found in axis")
    gone[rows[rows >= 0]] = True
    return np.flatnonzero(~gone)


def _kept_of_levels(index: Any, labels: Any, errors: str) -> np.ndarray:
    gone = np.zeros(len(index), bool)
    given = [labels] if isinstance(labels, tuple) or not np.iterable(labels) else labels
    for label in [given] if isinstance(given, str) else given:
        try:
            gone[index.get_loc(label)] = True
        except KeyError:
            if errors == "raise":
                raise
    return np.flatnonzero(~gone)


class Dropping(RowMethods):
    """What leaves out rows and columns."""

    @leaves_out("copy")
    @in_place
    def drop(
        self,
        labels: Any = None,
        *,
        axis: Any = 0,
        index: Any = None,
        columns: Any = None,
        level: Any = None,
        errors: str = "raise",
    ) -> Any:
        """Without the rows, or columns, of some labels.

        Raises KeyError for labels that are not there, unless ``errors`` is ``"ignore"``.
        """
        if labels is not None:
            if index is not None or columns is not None:
                raise ValueError("Cannot specify both 'labels' and 'index'/'columns'")
            index, columns = (labels, None) if self._axis(axis) == 0 else (None, labels)
        elif index is None and columns is None:
            raise ValueError("Need to specify at least one of 'labels', 'index' or 'columns'")
        made: Any = self
        if columns is not None and self.ndim == 2:
            made = made._columns_at(kept_rows(self._labels_of(1), columns, level, errors))
        if index is not None:
            made = made._at(kept_rows(self._index, index, level, errors))
        return made if made is not self else self.copy()

    @leaves_out("arg", "cond", "na")
    def filter(
        self,
        items: Any = None,
        like: str | None = None,
        regex: str | None = None,
        axis: Any = None,
    ) -> Any:
        """Rows or columns (of a frame, if no axis is given) by their labels.

        Raises TypeError unless exactly one of the three conditions is given.
        """
        if sum(each is not None for each in (items, like, regex)) != 1:
            raise TypeError(
                "Keyword arguments `items`, `like`, or `regex` are mutually exclusive"
                if any(each is not None for each in (items, like, regex))
                else "Must pass either `items`, `like`, or `regex`"
            )
        if callable(items):
            mask = mask_of(items(self), self._index)
            return self._at(rows_of_mask(mask))
        number = self.ndim - 1 if axis is None else self._axis(axis)
        labels = self._labels_of(number)
        if items is not None:
            there = [each for each in items if each in labels]
            rows = np.asarray(labels.get_indexer_for(labels_list(there)) if there else [], np.int64)
            return self._along(number, rows)
        test = (lambda text: like in text) if like is not None else re.compile(regex or "").search
        chosen = [i for i, each in enumerate(labels) if test(str(each))]
        return self._along(number, np.array(chosen, np.int64))

    def droplevel(self, level: Any, axis: Any = 0) -> Any:
        """Labels without one of their levels, or without several."""
        number = self._axis(axis)
        labels = self._labels_of(number).droplevel(level)
        return self.set_axis(labels, axis=number)  # type: ignore[attr-defined]

    @leaves_out("copy")
    def swaplevel(self, i: Any = -2, j: Any = -1, axis: Any = 0) -> Any:
        """Labels with two of their levels exchanged."""
        number = self._axis(axis)
        labels = self._labels_of(number).swaplevel(i, j)
        return self.set_axis(labels, axis=number)  # type: ignore[attr-defined]

    def reorder_levels(self, order: Any, axis: Any = 0) -> Any:
        """Labels with their levels in another order."""
        number = self._axis(axis)
        labels = self._labels_of(number).reorder_levels(order)
        return self.set_axis(labels, axis=number)  # type: ignore[attr-defined]

    def xs(self, key: Any, axis: Any = 0, level: Any = None, drop_level: bool = True) -> Any:
        """The rows, or columns, of a label, or of a label of one level.

        Raises KeyError where there is no such label.
        """
        number = self._axis(axis)
        labels: Any = self._labels_of(number)
        if level is not None:
            where, rest = labels.get_loc_level(key, level=level, drop_level=drop_level)
            found = Found(_rows(where, len(labels)), rest)
        elif number == 1:
            return self[key]  # type: ignore[index]
        elif labels.nlevels > 1:
            where, rest = labels.get_loc_level(key, drop_level=drop_level)
            selector: Selector = (
                int(where) if isinstance(where, (int, np.integer)) else _rows(where, len(labels))
            )
            found = Found(selector, rest)
        else:
            where = labels.get_loc(key)
            found = Found(np.flatnonzero(where) if isinstance(where, np.ndarray) else where)
        if number == 1:
            return self._some_columns(found)  # type: ignore[attr-defined]
        return self._selected(found)  # type: ignore[attr-defined]

    def squeeze(self, axis: Any = None) -> Any:
        """A series of a frame's only column or row, an element of a series' only row."""
        if self.ndim == 1:
            return self._parts[0].element(0) if len(self) == 1 else self.copy()
        axes = (0, 1) if axis is None else (self._axis(axis),)
        rows = len(self._index) == 1 and 0 in axes
        columns = len(self._parts) == 1 and 1 in axes
        if rows and columns:
            return self._parts[0].element(0)
        if columns:
            return self._column_series(0)  # type: ignore[attr-defined]
        return self._row_series(0) if rows else self.copy()  # type: ignore[attr-defined]


def _rows(where: Any, count: int) -> np.ndarray:
    if isinstance(where, np.ndarray) and where.dtype == bool:
        return np.flatnonzero(where)
    return positions(where, count)
