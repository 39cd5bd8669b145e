"""The groups of patterns as columns."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from .. import above
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import StringDtype
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from . import engine
from .results import Texts, of_texts_only


def names_of(pattern: re.Pattern[str]) -> list[Any]:
    """The names of the groups of a pattern, and numbers of those without."""
    names = {number: name for name, number in pattern.groupindex.items()}
    return [names.get(1 + i, i) for i in range(pattern.groups)]


class Extracting(Texts):
    """`extract` and `extractall`."""

    @of_texts_only
    def extract(self, pat: Any, flags: int = 0, expand: bool = True) -> Any:
        """What the groups of a pattern match where it is first found: a frame with a column each.

        One group without `expand` is a series. Raises ValueError for a pattern without groups.
        """
        if not isinstance(expand, bool):
            raise ValueError("expand must be True or False")
        pattern = _with_groups(pat, flags)
        if not expand and pattern.groups > 1 and self._is_index:
            raise ValueError("only one regex group is supported with Index")
        columns = self._groups_of(pattern)
        if not expand and pattern.groups == 1:
            name = next(iter(pattern.groupindex), None)
            label = self._of.name if name is None else name
            return self._labelled(columns[0], label)
        keeps = not self._is_index and len(self._column)
        labels = self._of._index if keeps else _range(len(self._column))
        made = above.DataFrame._of(columns, labels, _titles(names_of(pattern)))
        return made if self._is_index else self._of._keep_attrs(made)

    def _groups_of(self, pattern: re.Pattern[str]) -> list[Column]:
        column = self._text_column()
        if column is not None:
            made = engine.groups(pattern, column)
            if made is not None:
                return made
        nothing = (None,) * pattern.groups

        def search(value: Any) -> Any:
            found = pattern.search(value) if isinstance(value, str) else None
            return found.groups() if found else nothing

        found = [search(each) for each in self._listed()]
        missing = np.nan
        parts = [[row[i] for row in found] for i in range(pattern.groups)]
        if isinstance(self._column.dtype, StringDtype):
            return [self._as_dtype(each) for each in parts]
        filled = [[missing if each is None else each for each in part] for part in parts]
        return [ObjectColumn(object_array(each)) for each in filled]

    @of_texts_only
    def extractall(self, pat: Any, flags: int = 0) -> Any:
        """What the groups match wherever the pattern is found: a row for each place.

        The index has the number of the match as its last level. Raises ValueError for a pattern
        without groups.
        """
        pattern = _with_groups(pat, flags)
        places: list[int] = []
        numbers: list[int] = []
        found: list[Any] = []
        for row, value in enumerate(self._listed()):
            if not isinstance(value, str):
                continue
            for number, each in enumerate(pattern.findall(value)):
                places.append(row)
                numbers.append(number)
                found.append((each,) if isinstance(each, str) else each)
        dtype = self._column.dtype if isinstance(self._column.dtype, StringDtype) else None
        columns: list[Column] = []
        for i in range(pattern.groups):
            part = object_array([np.nan if row[i] == "" else row[i] for row in found])
            columns.append(ObjectColumn(part) if dtype is None else column_of(part, dtype))
        index = self._match_index(np.array(places, np.int64), numbers)
        return above.DataFrame._of(columns, index, _titles(names_of(pattern)))

    def _match_index(self, places: np.ndarray, numbers: list[int]) -> Any:
        labels = _range(len(self._column)) if self._is_index else self._of._index
        taken = labels._take(places)
        levels = (
            [taken.get_level_values(i) for i in range(taken.nlevels)]
            if taken.nlevels > 1
            else [taken]
        )
        names = [*labels.names, "match"]
        if not numbers:
            return MultiIndex.from_arrays([index_of([])] * len(names), names=names)
        return MultiIndex.from_arrays([*levels, index_of(numbers, np.int64)], names=names)


def _with_groups(pat: Any, flags: int) -> re.Pattern[str]:
    pattern = re.compile(pat, flags=flags)
    if pattern.groups == 0:
        raise ValueError("pattern contains no capture groups")
    return pattern


def _titles(names: list[Any]) -> Any:
    return index_of(range(len(names)) if names == list(range(len(names))) else names)


def _range(count: int) -> Any:
    return RangeIndex(count)
