"""The objects `loc`, `iloc`, `at` and `iat` of series and frames."""

from __future__ import annotations

import sys
from typing import Any, ClassVar, Self

import numpy as np

from phalanx.errors import IndexingError

from ..building.kinds import is_list_like
from ..in_place import InPlace
from ..indexes.index import Index
from ..indexes.lookups import LabelError
from ..shared.base import Labelled
from ..shared.chaining import warn_of_indexer
from ..shared.deferred import applied
from . import assignment
from .filtering import filtered
from .labels import Found, of_label, of_one, of_series_label
from .selectors import is_mask, of_position


class Indexer(InPlace):
    """What rows and columns keys name; labels or positions is what the two kinds differ in."""

    _name: ClassVar[str]

    _axis: int | None = None  # of keys that are no pairs

    def __init__(self, of: Any) -> None:
        self._of: Any = of

    def _find(self, axis: Index, key: Any, axis_name: str) -> Found:
        raise NotImplementedError

    # Keys.

    def _pair(self, key: Any) -> tuple[Any, Any]:
        """The keys of rows and of columns."""
        key = applied(key, self._of)
        if self._axis is not None:
            return (key, slice(None)) if self._axis == 0 else (slice(None), key)
        if key is ...:
            return slice(None), slice(None)
        if not isinstance(key, tuple) or self._is_row_key(key):
            return key, slice(None)
        key = self._without_dots(tuple(applied(each, self._of) for each in key))
        if len(key) > self._of.ndim:
            if len(key) <= self._of.index.nlevels and not any(map(_is_part, key)):
                raise LabelError(key)
            raise IndexingError("Too many indexers")
        return key if len(key) == 2 else (*key, slice(None))

    def _without_dots(self, key: tuple[Any, ...]) -> tuple[Any, ...]:
        """The key with ``...`` as all that it leaves open. Raises IndexingError for several."""
        places = [i for i, each in enumerate(key) if each is ...]
        if not places or (places[0] > 0 and len(key) > self._of.ndim):
            return key
        if len(places) > 1:
            raise IndexingError("indexer may only contain one '...' entry")
        place = places[0]
        whole = (slice(None),) * (self._of.ndim - len(key) + 1)
        return (*key[:place], *whole, *key[place + 1 :])

    def __call__(self, axis: Any = None) -> Self:
        """The same for keys of one axis, which then are no pairs: ``loc(axis=1)[key]``."""
        made = type(self)(self._of)
        made._axis = None if axis is None else self._of._axis(axis)
        return made

    def _is_row_key(self, key: tuple[Any, ...]) -> bool:
        return False

    def __getitem__(self, key: Any) -> Any:
        rows, columns = self._pair(key)
        if self._are_mask(rows):
            return filtered(self._chosen(columns), rows)
        found = self._find(self._of.index, rows, "index")
        if self._of.ndim == 1:
            return self._of._selected(found)
        if isinstance(columns, slice) and columns == slice(None):
            return self._of._selected(found)
        return self._chosen(columns)._selected(found)

    def _are_mask(self, key: Any) -> bool:
        """True for a key of rows that is a mask of labels."""
        return False

    def _chosen(self, columns: Any) -> Any:
        """The columns of a key: one is a series."""
        whole = isinstance(columns, slice) and columns == slice(None)
        if self._of.ndim == 1 or whole:
            return self._of
        chosen = self._find(self._of.columns, columns, "columns")
        if isinstance(chosen.selector, int):
            return self._of._column_series(chosen.selector)
        return self._of._some_columns(chosen)


class Loc(Indexer):
    """Rows and columns by their labels, masks and slices of labels with both ends."""

    _name = "loc"

    def _find(self, axis: Index, key: Any, axis_name: str) -> Found:
        if self._of.ndim == 1:
            return of_series_label(axis, key)
        return of_label(axis, key, axis_name)

    def _are_mask(self, key: Any) -> bool:
        return not isinstance(key, (slice, tuple)) and is_mask(key)

    def _is_row_key(self, key: tuple[Any, ...]) -> bool:
        """True if a tuple is one label of rows with several levels."""
        index = self._of.index
        if index.nlevels == 1:
            return self._of.ndim == 1 and len(key) > 1 and isinstance(key, tuple) and key in index
        if self._of.ndim == 1:
            return True
        if len(key) > index.nlevels or any(_is_part(each) for each in key):
            return False
        try:
            index.get_loc(key)
        except (KeyError, TypeError):
            return False
        return True

    def __setitem__(self, key: Any, value: Any) -> None:
        warn_of_indexer(sys.getrefcount(self._of))
        rows, columns = self._pair(key)
        if self._of.ndim == 1:
            assignment.set_series_labels(self._of, rows, value)
        else:
            assignment.set_frame_labels(self._of, rows, columns, value)


def _is_part(key: Any) -> bool:
    return isinstance(key, (slice, list, np.ndarray, Labelled, Index))


class ILoc(Indexer):
    """Rows and columns by their positions."""

    _name = "iloc"

    def _find(self, axis: Index, key: Any, axis_name: str) -> Found:
        return Found(of_position(key, len(axis)))

    def __setitem__(self, key: Any, value: Any) -> None:
        warn_of_indexer(sys.getrefcount(self._of))
        rows, columns = self._pair(key)
        of = self._of
        where = _for_assignment(rows, len(of.index))
        if of.ndim == 1:
            assignment.set_series(of, where, value)
            return
        assignment.set_frame(of, where, _for_assignment(columns, len(of.columns)), value)


def _for_assignment(key: Any, count: int) -> Any:
    if isinstance(key, dict):
        raise IndexError("iloc cannot enlarge its target object")
    return of_position(key, count, is_assigned=True)


class _Element(InPlace):
    """One element of an object: the short way to a row of a column, where the keys name one."""

    def __init__(self, of: Any) -> None:
        self._of = of

    def _keys(self, key: Any) -> tuple[Any, ...]:
        """A key for each axis. Raises ValueError for other than one for each."""
        keys = key if self._of.ndim == 2 else (key,)
        if not isinstance(keys, tuple) or len(keys) != self._of.ndim:
            raise ValueError("Not enough indexers for scalar access (setting)!")
        return keys

    def _places(self, key: Any) -> tuple[int, int] | None:
        """The row and the number of the column; None for keys that the other ways are for."""
        raise NotImplementedError

    def _get(self, key: Any) -> Any:
        raise NotImplementedError

    def _set(self, key: Any, value: Any) -> None:
        raise NotImplementedError

    def __getitem__(self, key: Any) -> Any:
        places = self._places(key)
        if places is None:
            return self._get(key)
        return self._of._parts[places[1]].element(places[0])

    def __setitem__(self, key: Any, value: Any) -> None:
        warn_of_indexer(sys.getrefcount(self._of))
        places = self._places(key)
        if places is None or is_list_like(value):
            self._set(key, value)
        else:
            assignment.set_element(self._of, *places, value)


class At(_Element):
    """One element by its labels."""

    def _places(self, key: Any) -> tuple[int, int] | None:
        axes = self._of.axes
        if any(each.nlevels > 1 for each in axes):
            return None
        try:
            places = [each.get_loc(one) for each, one in zip(axes, self._keys(key), strict=True)]
        except (KeyError, TypeError):
            return None
        if not all(isinstance(each, int) for each in places):
            return None
        return places[0], places[1] if len(places) > 1 else 0

    def _get(self, key: Any) -> Any:
        keys = self._keys(key)
        found = of_one(self._of.index, keys[0])
        of = self._of if len(keys) == 1 else self._of[keys[1]]
        return of._selected(found)

    def _set(self, key: Any, value: Any) -> None:
        self._keys(key)
        self._of.loc[key] = value


class IAt(_Element):
    """One element by its positions."""

    def _places(self, key: Any) -> tuple[int, int] | None:
        of = self._of
        row, number = key if type(key) is tuple and len(key) == of.ndim == 2 else (key, 0)
        if type(row) is not int or type(number) is not int:
            return None
        if of.ndim == 2 and type(key) is not tuple:
            return None
        rows, columns = len(of), len(of._parts)
        if not (-rows <= row < rows and -columns <= number < columns):
            return None
        return row % rows, number % columns

    def _longer(self, key: Any) -> Any:
        """The key, if `iloc` may have it."""
        keys = key if isinstance(key, tuple) else (key,)
        if len(keys) != self._of.ndim:
            raise ValueError("Not enough indexers for scalar access (setting)!")
        if not all(isinstance(each, (int, np.integer)) for each in keys):
            raise ValueError("iAt based indexing can only have integer indexers")
        return key

    def _get(self, key: Any) -> Any:
        return self._of.iloc[self._longer(key)]

    def _set(self, key: Any, value: Any) -> None:
        self._of.iloc[self._longer(key)] = value
