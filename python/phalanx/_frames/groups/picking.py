"""Some rows of each group: the first, the last, those at places, random ones."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import Any

import numpy as np

from .. import engine
from ..building.kinds import is_list_like
from ..in_place import InPlace
from ..selection.rows import RowMethods, _generator, _sample_size
from .rowwise import GroupRowwise


class GroupPicking(GroupRowwise):
    """Rows of the object itself, in their order."""

    def head(self, n: int = 5) -> Any:
        """The first rows of each group; a negative number leaves out as many of the last."""
        return self._at_places(0, int(n))

    def tail(self, n: int = 5) -> Any:
        """The last rows of each group; a negative number leaves out as many of the first."""
        return self._at_places(-int(n), None) if n else self._at_places(0, 0)

    def _at_places(self, first: int, last: int | None) -> Any:
        grouping = self._grouping
        rows = engine.rows_at_places(grouping.placed_codes, grouping.count, first, last)
        return self._shown._at(rows)

    @property
    def nth(self) -> Any:
        """``nth(n)``: the rows at some places of each group."""
        return Nth(self)

    def _nth(self, n: Any, dropna: Any = None) -> Any:
        if not dropna:
            mask = self._mask_of_places(n) & (self._grouping.codes >= 0)
            return self._shown._at(np.flatnonzero(mask))
        if not isinstance(n, (int, np.integer)):
            raise ValueError("dropna option only supported for an integer argument")
        if dropna not in ("any", "all"):
            raise ValueError(
                "For a DataFrame or Series groupby.nth, dropna must be either None, 'any' or "
                f"'all', (was passed {dropna})."
            )
        return self._nth_of_whole(int(n), dropna)

    def _nth_of_whole(self, n: int, how: str) -> Any:
        """The rows at a place among those in which nothing, or not all, is missing."""
        gone = [np.asarray(each.isna()) for each in self._shown._parts]
        hurt = np.logical_or.reduce(gone) if how == "any" else np.logical_and.reduce(gone)
        codes = np.where(hurt, -1, self._grouping.codes).astype(np.int64)
        last = n + 1 if n != -1 else None
        rows = engine.rows_at_places(codes, self._grouping.count, n, last)
        return self._shown._at(np.asarray(rows))

    def _mask_of_places(self, n: Any) -> np.ndarray:
        places = _Places(self)
        if isinstance(n, slice):
            return places.of_slice(n)
        if isinstance(n, (int, np.integer)):
            return places.of_number(int(n))
        if not is_list_like(n):
            raise TypeError(
                f"Invalid index {type(n)}. Must be integer, list-like, slice or a tuple of "
                "integers and slices"
            )
        return places.of_many(n)

    def sample(
        self,
        n: int | None = None,
        frac: float | None = None,
        replace: bool = False,
        weights: Any = None,
        random_state: Any = None,
    ) -> Any:
        """Random rows of each group: ``n`` or a fraction of them, by NumPy's generators.

        Raises ValueError for more than there are without ``replace``, and for wrong weights.
        """
        if self._shown.empty:
            return self._shown
        draw = _generator(random_state)
        chances = None if weights is None else self._group_chances(weights)
        rows, bounds = self._grouping.rows, self._grouping.bounds.tolist()
        made = []
        for first, last in pairwise(bounds):
            own = rows[first:last]
            size = _sample_size(n, frac, len(own), replace)
            p = None
            if chances is not None:
                p = chances[own]
                total = p.sum()
                if total == 0:
                    raise ValueError("Invalid weights: weights sum to zero")
                p = p / total
            made.append(own[draw.choice(len(own), size, replace=replace, p=p)])
        return self._shown._at(np.concatenate(made) if made else rows)

    def _group_chances(self, weights: Any) -> np.ndarray:
        return RowMethods._chances(self._shown, weights, 0, len(self._shown))


class Nth(InPlace):
    """``groupby(...).nth``: called, or with a key."""

    _lies_with = "_groups"

    def __init__(self, groups: Any) -> None:
        self._groups = groups

    def __call__(self, n: Any, dropna: Any = None) -> Any:
        """The rows at a place of each group, at several places, or at those of a slice.

        With ``dropna`` "any" or "all" rows are counted in which not any, or not all, is missing.
        """
        return self._groups._nth(n, dropna)

    def __getitem__(self, n: Any) -> Any:
        return self._groups._nth(n)


class _Places:
    """Masks of the rows that are at places of their groups."""

    def __init__(self, groups: Any) -> None:
        self._groups = groups
        self.first = groups._counts_before()

    @property
    def last(self) -> np.ndarray:
        """How many rows of the group come after each."""
        found: np.ndarray = self._groups._counts_before(ascending=False)
        return found

    def of_number(self, n: int) -> np.ndarray:
        """The rows at one place; from the end if it is negative."""
        return np.asarray(self.first == n if n >= 0 else self.last == -n - 1)

    def of_many(self, many: Iterable[Any]) -> np.ndarray:
        """The rows at several places, or of several slices."""
        mask = np.zeros(len(self.first), bool)
        for each in many:
            if isinstance(each, slice):
                mask |= self.of_slice(each)
            elif isinstance(each, (int, np.integer)):
                mask |= self.of_number(int(each))
            else:
                raise ValueError(f"Invalid argument {type(each)}. Should be int or slice.")
        return mask

    def of_slice(self, part: slice) -> np.ndarray:
        """The rows whose places are in a slice. Raises ValueError for a negative step."""
        start, stop, step = part.start, part.stop, part.step or 1
        if step < 0:
            raise ValueError(f"Invalid step {step}. Must be non-negative")
        begin = self._from_start(0 if start is None else start)
        mask = np.asarray((self.first >= begin) & ((self.first - begin) % step == 0))
        if stop is not None:
            mask &= self.first < self._from_start(stop)
        return mask

    def _from_start(self, place: int) -> Any:
        """A place of a slice, of which negative ones are counted from each group's end."""
        return place if place >= 0 else np.maximum(self.first + self.last + 1 + place, 0)
