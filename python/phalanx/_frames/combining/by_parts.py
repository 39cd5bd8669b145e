"""Joins of sides that are spread to parts by a hash of their keys, or of one that is small."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import above
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import OBJECT
from ..indexes.ranges import RangeIndex
from ..operations.common import common_dtype
from ..ordering.by_parts import Order, in_order, is_on_host
from ..spilling.room import ROW_BYTES, Work, bytes_of, for_work, work
from ..spilling.spreading import places_of, spread
from ..spilling.tables import Rows, Table, form_of
from .merge_keys import Keys, Request, Sides
from .merge_result import shared
from .merge_rows import Pairs


class Matching(NamedTuple):
    """How rows of two sides are put together; `label` is the indicator's, if there is one."""

    request: Request
    how: str
    sort: bool
    suffixes: Any
    label: str | None

    @property
    def kind(self) -> str:
        """Which rows there are, those without a partner among them."""
        return self.how.removesuffix("_anti")


# What merges two sides in memory: the frame, and the rows that it has of both.
Matched = Callable[[Sides, Keys, Matching], tuple[Any, Pairs]]


def merged_by_parts(sides: Sides, keys: Keys, matching: Matching, matched: Matched) -> Any:
    """The frame of a merge by way of files; None where memory will do, for merges by labels of
    rows, and for keys that are Python's objects. Raises SpillError.
    """
    columns = [*sides[0]._parts, *sides[1]._parts, *keys.left, *keys.right]
    left = for_work(len(sides[0]) + len(sides[1]), columns)
    if left is None or not _is_by_columns(sides, keys, matching) or not is_on_host(columns):
        return None
    with work("merging", left, 3 * bytes_of(columns)) as working:
        merge = _Merge(working, sides, keys, matching, matched)
        merge.run()
        return merge.frame()


def _is_by_columns(sides: Sides, keys: Keys, matching: Matching) -> bool:
    if matching.request.left_index or matching.request.right_index or not keys.left:
        return False
    labels = [
        label in list(side.columns) or label is None
        for side, on in zip(sides, (keys.left_on, keys.right_on), strict=True)
        for label in on
    ]
    return all(labels) and all(map(_can_hash, keys.left, keys.right))


def _can_hash(left: Any, right: Any) -> bool:
    if form_of(left) is None or form_of(right) is None:
        return False
    if isinstance(left, CategoryColumn) or isinstance(right, CategoryColumn):
        both = isinstance(left, CategoryColumn) and isinstance(right, CategoryColumn)
        return both and left.dtype.same_list(right.dtype)
    return bool(common_dtype(left.dtype, right.dtype) != OBJECT)


class _Side:
    """A frame, its keys, and what files have of both: its columns, then keys that are none."""

    def __init__(self, frame: Any, keys: Sequence[Column]) -> None:
        self.frame = frame
        parts = list(frame._parts)
        self.columns = list({id(each): each for each in [*parts, *keys]}.values())
        self.parts = places_of(parts, self.columns)
        self.keys = places_of(keys, self.columns)

    def rows(self, working: Work) -> Rows:
        nbytes = bytes_of(self.columns)
        return Rows(self.columns, working.rows_of_piece(len(self.frame), nbytes))

    def is_small(self, working: Work) -> bool:
        """True where it has room beside pieces of the other side."""
        return working.has_room(bytes_of(self.columns) + ROW_BYTES * len(self.frame))

    def whole(self) -> list[Column]:
        """All rows with their numbers."""
        return [*self.columns, NumberColumn(px.asarray(np.arange(len(self.frame))))]

    def of(self, columns: list[Column]) -> tuple[Any, list[Column]]:
        """A frame of some rows, and its keys."""
        parts = [columns[i] for i in self.parts]
        index = RangeIndex(len(columns[-1]))
        made = above.DataFrame._of(parts, index, self.frame.columns)
        made.attrs = self.frame.attrs
        return made, [columns[i] for i in self.keys]


class _Merge:
    """Both sides part by part; what comes of each part goes to a table."""

    def __init__(
        self, working: Work, sides: Sides, keys: Keys, matching: Matching, matched: Matched
    ) -> None:
        self._working = working
        self._sides = [_Side(sides[0], keys.left), _Side(sides[1], keys.right)]
        self._keys = keys
        self._matching = matching
        self._matched = matched
        self._results = Table(working.new_file())
        self._like: Any = None  # a frame of some of the result
        self._is_in_order = False

    def run(self) -> None:
        """Merges all parts."""
        for left, right in self._parts():
            self._add(left, right)

    def _parts(self) -> Iterator[tuple[list[Column], list[Column]]]:
        """Rows of both sides that may belong together.

        The side whose order the result has is read as it is where the other one is small.
        """
        left, right = self._sides
        kind = self._matching.kind
        if not self._matching.sort and kind != "outer":
            ordered, other = (right, left) if kind == "right" else (left, right)
            if other.is_small(self._working) and len(ordered.frame):
                self._is_in_order = True
                whole = other.whole()
                for piece in ordered.rows(self._working).pieces():
                    yield (whole, piece) if kind == "right" else (piece, whole)
                return
        yield from self._parts_by_hash()

    def _parts_by_hash(self) -> Iterator[tuple[list[Column], list[Column]]]:
        dtypes = [
            common_dtype(one.dtype, other.dtype)
            for one, other in zip(self._keys.left, self._keys.right, strict=True)
        ]
        sources = [each.rows(self._working) for each in self._sides]
        count = self._working.parts_for(sum(each.nbytes + 24 * each.rows for each in sources))
        parts = [
            spread(self._working, source, [*zip(side.keys, dtypes, strict=True)], count)
            for source, side in zip(sources, self._sides, strict=True)
        ]
        for tables in zip(*parts, strict=True):
            left, right = (
                table.read() if table.rows else source.likes()
                for table, source in zip(tables, sources, strict=True)
            )
            if len(left[0]) or len(right[0]) or self._like is None:
                yield left, right

    def _add(self, left: list[Column], right: list[Column]) -> None:
        (one, left_keys), (other, right_keys) = self._sides[0].of(left), self._sides[1].of(right)
        keys = self._keys._replace(left=left_keys, right=right_keys)
        told = self._matching._replace(how=self._matching.kind)
        made, pairs = self._matched((one, other), keys, told)
        if self._like is None:
            self._like = made._at(slice(0, 0))
        columns = list(made._parts)
        if self._is_by_keys:
            columns += [shared(*each, pairs) for each in zip(left_keys, right_keys, strict=True)]
        columns += [_numbers(left[-1], pairs.left), _numbers(right[-1], pairs.right)]
        self._results.add(columns)

    @property
    def _is_by_keys(self) -> bool:
        return self._matching.sort or self._matching.kind == "outer"

    def frame(self) -> Any:
        """The frame of all parts, in the order that a merge in memory has."""
        count = self._like.shape[1]
        numbers = [-2, -1] if self._matching.kind != "right" else [-1, -2]
        by = [*range(count - len(self._results.likes()), 0)][:-2] + numbers
        order = Order([] if self._is_in_order else by, [True] * len(by))
        made = in_order(self._working, self._results, order)
        frame = self._like._with(made[:count], RangeIndex(self._results.rows))
        if self._matching.how != self._matching.kind:
            partners: Any = made[numbers[1]]
            frame = frame._at(np.flatnonzero(np.asarray(partners.values) < 0))
        return self._like._keep_attrs(frame)


def _numbers(numbers: Any, rows: np.ndarray) -> Column:
    """Numbers of a side's rows in the whole, -1 for none."""
    known = np.append(np.asarray(numbers.values), -1)  # the last is what -1 finds
    return NumberColumn(px.asarray(known[rows]))
