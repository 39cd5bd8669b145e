"""Rows of a series by ``[]``, `loc` and `iloc`."""

from __future__ import annotations

import sys
from typing import Any

from ..building.columns import column_from, ours
from ..building.kinds import is_hashable, is_list_like
from ..shared.base import Labelled
from ..shared.chaining import warn_of_item
from ..shared.deferred import applied
from . import assignment
from .filtering import filtered
from .indexers import At, IAt, ILoc, Loc
from .labels import Found, label_or_positions, of_labels, of_one, of_series_label
from .selectors import is_mask, labels_taken, mask_of, positions, rows_of_mask, taken


class SeriesSelection(Labelled):
    """``series[key]`` and assignment to it."""

    @property
    def loc(self) -> Loc:
        """Rows by their labels."""
        return Loc(self)

    @property
    def iloc(self) -> ILoc:
        """Rows by their positions."""
        return ILoc(self)

    @property
    def at(self) -> At:
        """One row by its label."""
        return At(self)

    @property
    def iat(self) -> IAt:
        """One row by its position."""
        return IAt(self)

    def _selected(self, found: Found) -> Any:
        """The rows that were found: an element for one."""
        if isinstance(found.selector, int):
            return self._parts[0].element(found.selector)
        index = found.labels
        if index is None:
            index = labels_taken(self._index, found.selector)
        return self._keep_attrs(self._with([taken(self._parts[0], found.selector)], index))

    def __getitem__(self, key: Any) -> Any:
        if key.__class__ is int or key.__class__ is str:  # the short way of most programs
            return self._selected(of_one(self._index, key))
        key = ours(applied(key, self))
        if isinstance(key, slice):
            return self._selected(Found(label_or_positions(self._index, key)))
        if is_mask(key):
            return filtered(self, key)
        if key is Ellipsis:
            return self.copy()
        if is_list_like(key) and not isinstance(key, tuple):
            return self._selected(of_labels(self._index, key))
        return self._selected(
            of_series_label(self._index, key)
            if isinstance(key, tuple)
            else of_one(self._index, key)
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        warn_of_item(sys.getrefcount(self), self)
        key = ours(applied(key, self))
        if isinstance(key, slice):
            assignment.set_series(self, label_or_positions(self._index, key), value)
        elif is_mask(key):
            self._set_mask(key, value)
        elif key is Ellipsis:
            assignment.set_series(self, slice(None), value)
        else:
            assignment.set_series_labels(self, key, value)

    def _set_mask(self, key: Any, value: Any) -> None:
        mask = mask_of(key, self._index)
        rows = rows_of_mask(mask)
        value = ours(value)
        listed = is_list_like(value) and not isinstance(value, Labelled)
        if listed and len(value) == len(self) != len(rows):
            # As many values as rows: those at the mask are taken.
            value = taken(column_from(value), rows)
        assignment.set_series(self, rows, value)

    def __delitem__(self, key: Any) -> None:
        found = of_one(self._index, key)
        self._become(self._without(found.selector))

    def _without(self, selector: Any) -> Any:
        import numpy as np

        keep = np.delete(np.arange(len(self)), positions(selector, len(self)))
        return self._selected(Found(keep))

    def get(self, key: Any, default: Any = None) -> Any:
        """``self[key]``, or the default where it is not there."""
        try:
            return self[key]
        except (KeyError, IndexError, ValueError, TypeError):
            return default

    def pop(self, item: Any) -> Any:
        """``self[item]``, which is then no more in it. Raises KeyError where it is not there."""
        found = self[item]
        del self[item]
        return found

    def __contains__(self, key: Any) -> bool:
        return is_hashable(key) and key in self._index

    def keys(self) -> Any:
        """The labels."""
        return self._index
