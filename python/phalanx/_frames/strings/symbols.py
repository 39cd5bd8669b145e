"""The characters of a pattern's tree: ranges of code points, and classes that it tells apart."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np

from ..._texts.characters import paged_runs
from .patterns import _OPPOSITES, _SPACES, UnlikeError, _names, _same_letters

ALL = 0x110000
Ranges = tuple[tuple[int, int], ...]  # of first characters and those after the last, in order
FEED: Ranges = ((10, 11),)
_MOST_RANGE = 128  # of characters whose case does not count


@cache
def _ranges_that(holds: Callable[[str], bool]) -> Ranges:
    """The characters of which a method of `str` is True."""
    is_in = np.array([holds(chr(i)) for i in range(ALL)])
    edges = np.flatnonzero(np.diff(np.concatenate([[False], is_in, [False]]))).tolist()
    return tuple(zip(edges[::2], edges[1::2], strict=True))


def union(parts: Sequence[Ranges]) -> Ranges:
    """All characters of some ranges."""
    made: list[list[int]] = []
    for first, last in sorted(each for part in parts for each in part):
        if made and first <= made[-1][1]:
            made[-1][1] = max(made[-1][1], last)
        else:
            made.append([first, last])
    return tuple((first, last) for first, last in made)


def others(ranges: Ranges) -> Ranges:
    """All characters that are in none."""
    bounds = [0, *(edge for each in ranges for edge in each), ALL]
    pairs = zip(bounds[::2], bounds[1::2], strict=True)
    return tuple((first, last) for first, last in pairs if first < last)


def words(flags: int) -> Ranges:
    r"""The characters of `\w`."""
    if flags & re.ASCII:
        return union([((48, 58),), ((65, 91),), ((95, 96),), ((97, 123),)])
    return union([_ranges_that(str.isalnum), ((95, 96),)])


def _category(kind: Any, flags: int) -> Ranges:
    """What `re` has of a class, as `_Writer._category` writes it."""
    if kind in _OPPOSITES:
        return others(_category(_OPPOSITES[kind], flags))
    if kind is _names.CATEGORY_SPACE:
        if flags & re.ASCII:
            return ((9, 14), (32, 33))
        return union([((first, last + 1),) for first, last in _SPACES])
    if kind is _names.CATEGORY_DIGIT:
        return ((48, 58),) if flags & re.ASCII else _ranges_that(str.isdecimal)
    if kind is _names.CATEGORY_WORD:
        return words(flags)
    raise UnlikeError


def _member(operation: Any, argument: Any, flags: int) -> Ranges:
    if operation is _names.CATEGORY:
        return _category(argument, flags)
    low, high = (argument, argument) if operation is _names.LITERAL else argument
    if not flags & re.IGNORECASE:
        return ((low, high + 1),)
    if high - low > _MOST_RANGE:
        raise UnlikeError
    found = {each for i in range(low, high + 1) for each in _same_letters(i, flags)}
    return union([((each, each + 1),) for each in found])


def characters_of(operation: Any, argument: Any, flags: int) -> Ranges | None:
    """The characters that an operation of a pattern's tree matches; None if it is no such one."""
    if operation is _names.ANY:
        return ((0, ALL),) if flags & re.DOTALL else others(FEED)
    if operation is _names.LITERAL:
        return _member(operation, argument, flags)
    if operation is _names.NOT_LITERAL:
        return others(_member(_names.LITERAL, argument, flags))
    if operation is _names.IN:
        negated = argument[0][0] is _names.NEGATE
        members = argument[1:] if negated else argument
        found = union([_member(kind, value, flags) for kind, value in members])
        return others(found) if negated else found
    return None


class Classes:
    """Characters that some sets do not tell apart: a number for each class of them."""

    def __init__(self, sets: Sequence[Ranges]) -> None:
        bounds = {0, ALL, *(edge for each in sets for pair in each for edge in pair)}
        self._bounds = np.array(sorted(bounds))
        begins = self._bounds[:-1]
        member = np.zeros((len(begins), len(sets)), bool)
        for i, each in enumerate(sets):
            for first, last in each:
                member[np.searchsorted(begins, first) : np.searchsorted(begins, last), i] = True
        # Rows of bools as bytes, so that equal ones are found at once.
        different, self._numbers = np.unique(member, axis=0, return_inverse=True)
        self._numbers = self._numbers.ravel()
        self.members = different
        self.count = len(different)

    def pages(self) -> tuple[np.ndarray, np.ndarray]:
        """The class of each character, for `_texts.characters.number_of`."""
        return paged_runs(self._bounds, self._numbers)

    def number_of(self, character: int) -> int:
        """The class of a character."""
        place = int(np.searchsorted(self._bounds, character, "right")) - 1
        return int(self._numbers[place])
