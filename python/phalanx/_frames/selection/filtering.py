"""Rows of frames and series that a mask keeps."""

from __future__ import annotations

import functools
from typing import Any

from ..._arrays.ndarray import ndarray
from ..columns import Column
from ..columns.selected import Filter, SelectedColumn, selected
from ..columns.unread import UnreadMask
from ..shared.base import Labelled
from .labels import Found
from .selectors import labels_taken, mask_of, plain_mask, rows_of_mask

# Of fewer rows positions are as fast.
_FEWEST_ROWS = 65_536


class FilteredLabels(Filter):
    """The rows that a mask keeps, and their labels, which one index has for all columns."""

    def __init__(self, mask: ndarray, index: Any) -> None:
        super().__init__(mask)
        self.whole_index = index

    @functools.cached_property
    def index(self) -> Any:
        """The labels of the rows."""
        return labels_taken(self.whole_index, self.rows)


def filtered(of: Any, key: Any) -> Any:
    """The rows, of a series or a frame, at which a mask of its labels is True.

    Raises what `mask_of` raises for masks that do not fit.
    """
    labels = of._row_labels
    if isinstance(key, Labelled) and key._row_labels is labels:
        column = key._parts[0]
        if isinstance(labels, FilteredLabels):
            return _filtered_again(of, labels, column)
        places = column.positions() if isinstance(column, UnreadMask) else None
        if places is not None:
            return of._selected(Found(places))
        mask = plain_mask(column)
    else:
        mask = mask_of(key, of._index)
    if len(mask) < _FEWEST_ROWS or isinstance(labels, FilteredLabels):
        return of._selected(Found(rows_of_mask(mask)))
    return _of_filter(of, of._parts, FilteredLabels(mask, labels))


def _of_filter(of: Any, parts: list[Column], chosen: FilteredLabels) -> Any:
    made = [selected(each, chosen) for each in parts]
    return of._keep_attrs(of._with(made, chosen))


def _filtered_again(of: Any, labels: FilteredLabels, column: Column) -> Any:
    """Both filters as one, where nothing of the first has been gathered."""
    columns = [column, *of._parts]
    if not all(
        isinstance(each, SelectedColumn) and each.whole is not None and each.chosen is labels
        for each in columns
    ):
        return of._selected(Found(rows_of_mask(plain_mask(column))))
    chosen = FilteredLabels(labels.mask & column.whole, labels.whole_index)  # type: ignore[attr-defined]
    parts: list[Column] = [SelectedColumn(each.whole, chosen) for each in of._parts]
    return of._keep_attrs(of._with(parts, chosen))
