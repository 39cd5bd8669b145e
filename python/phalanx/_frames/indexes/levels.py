"""The levels of a MultiIndex: their labels, codes, names and order."""

from __future__ import annotations

from collections.abc import Hashable, KeysView, ValuesView
from typing import Any

import numpy as np

from .. import above
from .index import Index
from .level_keys import combined, lexsort_depth
from .multi_making import Level, code_dtype


class Levels(Index):
    """What `MultiIndex` does with its levels."""

    _levels: list[Any]
    _codes: list[np.ndarray]
    _names: list[Hashable]

    def _lies_on(self) -> Any:
        levels = self.__dict__.get("_levels", ())
        return next((found for each in levels if (found := each._lies_on())), None)

    @property
    def levels(self) -> list[Any]:
        """The different labels of each level."""
        return [each._named(name) for each, name in zip(self._levels, self._names, strict=True)]

    @property
    def codes(self) -> list[np.ndarray]:
        """For each level the positions of the rows' labels, -1 for missing ones."""
        return [
            part.astype(code_dtype(len(level)), copy=False)
            for part, level in zip(self._codes, self._levels, strict=True)
        ]

    @property
    def levshape(self) -> tuple[int, ...]:
        """How many labels each level has."""
        return tuple(map(len, self._levels))

    @property
    def lexsort_depth(self) -> int:
        """How many of the first levels the rows are sorted by, as their codes are."""
        if "lexsort depth" not in self._known:
            self._known["lexsort depth"] = lexsort_depth(self._codes)
        depth: int = self._known["lexsort depth"]
        return depth

    @property
    def dtypes(self) -> Any:
        """A Series of the levels' dtypes by their names."""
        names = [f"level_{i}" if name is None else name for i, name in enumerate(self._names)]
        return above.Series([each.dtype for each in self._levels], index=names)

    # Names.

    @property
    def name(self) -> Hashable:
        """None: levels have names."""
        return None

    @name.setter
    def name(self, name: Any) -> None:
        self.names = name

    @property
    def names(self) -> list[Hashable]:
        """The names of the levels."""
        return list(self._names)

    @names.setter
    def names(self, names: Any) -> None:
        if isinstance(names, str) or not np.iterable(names):
            raise ValueError("Names should be list-like for a MultiIndex")
        names = list(names)
        if len(names) != self.nlevels:
            raise ValueError(
                f"Length of names must match number of levels in MultiIndex: "
                f"{self.nlevels}, got {len(names)}"
            )
        for each in names:
            try:
                hash(each)
            except TypeError:
                raise TypeError("MultiIndex.name must be a hashable type") from None
        self._names = names

    def set_names(self, names: Any, *, level: Any = None, inplace: bool = False) -> Any:
        """The same labels under other names: all, those of some levels, or a dict of old to new.

        Raises TypeError for a text alone, ValueError for a wrong number of names.
        """
        if level is None and (isinstance(names, str) or not np.iterable(names)):
            if self.nlevels > 1:
                raise TypeError("Must pass list-like as `names`.")
            names = [names]
        made = self if inplace else self._view()
        if isinstance(names, dict):
            changed = [names.get(each, each) for each in self._names]
        elif level is None:
            changed = names
        else:
            single = isinstance(level, (int, str, tuple)) or level is None
            numbers = [level] if single else list(level)
            new = [names] if single else list(names)
            if len(numbers) != len(new):
                raise ValueError("Length of names must match length of level.")
            changed = list(self._names)
            for each, name in zip(numbers, new, strict=True):
                changed[self._level_number(each)] = name
        made.names = changed
        return None if inplace else made

    def rename(self, name: Any = None, *, inplace: bool = False, **options: Any) -> Any:
        """The same labels under other names of the levels."""
        return self.set_names(options.get("names", name), inplace=inplace)

    def copy(self, names: Any = None, deep: bool = False, name: Any = None) -> Any:  # type: ignore[override]
        """Another index of the same labels, under other names if they are given."""
        made = self._view()
        names = names if name is None else name
        if names is not None:
            made.names = names
        return made

    def _level_number(self, level: Any) -> int:
        """The position of a level. Raises KeyError, IndexError, ValueError for one that is none."""
        found = [i for i, each in enumerate(self._names) if each == level and each is not None]
        if len(found) > 1 and not isinstance(level, int):
            raise ValueError(f"The name {level} occurs multiple times, use a level number")
        if found:
            return found[0]
        if not isinstance(level, (int, np.integer)):
            raise KeyError(f"Level {level} not found")
        count = self.nlevels
        if not -count <= level < count:
            plain = level if level >= 0 else level + count
            raise IndexError(
                f"Too many levels: Index has only {count} levels, "
                + (f"{level} is not a valid level number" if plain < 0 else f"not {level + 1}")
            )
        return int(level) % count

    def _check_level(self, level: Any) -> None:
        self._level_number(level)

    # Labels of levels.

    def _level_values(self, number: int) -> Any:
        """The rows' labels of a level."""
        level, codes = self._levels[number], self._codes[number]
        made = level._take(codes, has_missing=bool((codes < 0).any()))
        return made._named(self._names[number])

    def get_level_values(self, level: Any) -> Any:
        """The rows' labels of a level, as an index."""
        return self._level_values(self._level_number(level))

    def unique(self, level: Any = None) -> Any:
        """Each tuple once; with ``level`` each label of it that a row has."""
        if level is None:
            return self.drop_duplicates()
        return self.get_level_values(level).unique()

    def set_levels(self, levels: Any, *, level: Any = None, verify_integrity: bool = True) -> Any:
        """The same codes with other labels of all or some levels."""
        numbers, given = self._numbered(levels, level, "levels")
        changed = list(self._levels)
        for number, labels in zip(numbers, given, strict=True):
            changed[number] = above.index_of(labels, tuples=False)
        return self._changed(changed, self._codes, verify_integrity)

    def set_codes(self, codes: Any, *, level: Any = None, verify_integrity: bool = True) -> Any:
        """The same labels of the levels with other codes for all or some of them."""
        numbers, given = self._numbered(codes, level, "codes")
        changed = list(self._codes)
        for number, part in zip(numbers, given, strict=True):
            changed[number] = np.asarray(part, np.int64)
        return self._changed(self._levels, changed, verify_integrity)

    def _numbered(self, given: Any, level: Any, what: str) -> tuple[list[int], list[Any]]:
        if level is None:
            if len(given) != self.nlevels:
                raise ValueError(f"Length of {what} must match number of levels.")
            return list(range(self.nlevels)), list(given)
        if isinstance(level, (KeysView, ValuesView)):
            level, given = list(level), list(given)
        if isinstance(level, (list, tuple)) and level not in self._names:
            if len(level) != len(given):
                raise ValueError(f"Length of {what} must match length of levels.")
            return [self._level_number(each) for each in level], list(given)
        return [self._level_number(level)], [given]

    def _changed(self, levels: Any, codes: Any, verify: bool) -> Any:
        return type(self)(  # type: ignore[call-arg]
            levels=levels, codes=codes, names=self._names, verify_integrity=verify
        )

    def remove_unused_levels(self) -> Any:
        """The same labels without labels of levels that no row has."""
        made = []
        for labels, codes in zip(self._levels, self._codes, strict=True):
            if np.bincount(codes + 1, minlength=len(labels) + 1)[1:].all():
                made.append(Level(labels, codes))
                continue
            used, firsts = np.unique(codes[codes >= 0], return_index=True)
            kept = used[np.argsort(np.flatnonzero(codes >= 0)[firsts])]
            if len(kept) == len(labels):
                made.append(Level(labels, codes))
                continue
            places = np.full(len(labels) + 1, -1, np.int64)
            places[kept] = np.arange(len(kept))
            made.append(Level(labels._take(kept), places[codes]))
        return self._like(made)  # type: ignore[attr-defined]

    # Order of levels.

    def _of_numbers(self, numbers: list[int]) -> Any:
        levels = [Level(self._levels[i], self._codes[i]) for i in numbers]
        return self._of_levels(levels, [self._names[i] for i in numbers])  # type: ignore[attr-defined]

    def droplevel(self, level: Any = 0) -> Any:
        """Without some levels: an index of one level where one is left."""
        levels = level if isinstance(level, (list, tuple)) else [level]
        gone = {self._level_number(each) for each in levels}
        kept = [i for i in range(self.nlevels) if i not in gone]
        if not kept:
            raise ValueError(
                f"Cannot remove {len(levels)} levels from an index with {self.nlevels} levels: "
                "at least one level must be left."
            )
        return self._level_values(kept[0]) if len(kept) == 1 else self._of_numbers(kept)

    def swaplevel(self, i: Any = -2, j: Any = -1) -> Any:
        """Two levels in each other's place."""
        numbers = list(range(self.nlevels))
        first, second = self._level_number(i), self._level_number(j)
        numbers[first], numbers[second] = second, first
        return self._of_numbers(numbers)

    def reorder_levels(self, order: Any) -> Any:
        """The levels in another order: of all their numbers or names."""
        numbers = [self._level_number(each) for each in order]
        if len(numbers) != self.nlevels:
            raise AssertionError(
                f"Length of order must be same as number of levels ({self.nlevels}), "
                f"got {len(numbers)}"
            )
        return self._of_numbers(numbers)

    def sortlevel(
        self, level: Any = 0, ascending: Any = True, sort_remaining: bool = True,
        na_position: str = "first",
    ) -> tuple[Any, np.ndarray]:  # fmt: skip
        """Sorted by some levels and then, if asked, by the others; and the rows of it."""
        levels = level if isinstance(level, (list, tuple)) else [level]
        numbers = [self._level_number(each) for each in levels]
        ways = (
            list(ascending) if isinstance(ascending, (list, tuple)) else [ascending] * len(numbers)
        )
        if len(ways) != len(numbers):
            raise ValueError("level must have same length as ascending")
        if sort_remaining:
            rest = [i for i in range(self.nlevels) if i not in numbers]
            ways += [ways[0] if len(set(ways)) == 1 else True] * len(rest)
            numbers = numbers + rest
        parts = [
            self._level_ranks(number, way, na_position)
            for number, way in zip(numbers, ways, strict=True)
        ]
        sizes = [len(self._levels[i]) + 2 for i in numbers]
        rows = np.argsort(combined(parts, sizes), kind="stable")
        return self._take(rows), rows

    def _ordered(self, ascending: bool = True, na_position: str = "last") -> np.ndarray:
        parts = [self._level_ranks(number, True, na_position) for number in range(self.nlevels)]
        sizes = [len(each) + 2 for each in self._levels]
        rows = np.argsort(combined(parts, sizes), kind="stable")
        return rows if ascending else rows[::-1]

    def _level_ranks(self, number: int, ascending: bool, na_position: str) -> np.ndarray:
        labels, codes = self._levels[number], self._codes[number]
        order = labels._ordered()
        ranks = np.empty(len(order) + 1, np.int64)
        ranks[order] = np.arange(1, len(order) + 1)
        if not ascending:
            ranks = len(order) + 1 - ranks
        ranks[-1] = 0 if na_position == "first" else len(order) + 1
        found: np.ndarray = ranks[codes]
        return found

    def equal_levels(self, other: Any) -> bool:
        """Returns whether the levels of another index have the same labels."""
        return self.nlevels == other.nlevels and all(
            mine.equals(theirs) for mine, theirs in zip(self._levels, other._levels, strict=True)
        )

    def to_frame(self, index: bool = True, name: Any = None, allow_duplicates: bool = False) -> Any:
        """A DataFrame of a column for each level, whose index this is unless it is False."""
        if name is not None and (isinstance(name, str) or len(name) != self.nlevels):
            raise ValueError("'name' should have same length as number of levels on index.")
        names = [
            i if each is None else each
            for i, each in enumerate(self._names if name is None else name)
        ]
        if len(set(names)) != len(names):
            raise ValueError("Cannot create duplicate column labels if allow_duplicates is False")
        columns = {each: self._level_values(i) for i, each in enumerate(names)}
        return above.DataFrame(columns, index=self._view() if index else None)
