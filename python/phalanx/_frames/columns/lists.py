"""Columns of lists."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..arrow_dtypes import ListDtype
from ..missing import NA, is_missing
from .column import Column
from .objects import object_array


def offsets_of(lengths: np.ndarray) -> np.ndarray:
    """Where each list begins, and at last where the last one ends."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def positions(starts: np.ndarray, lengths: np.ndarray, step: int = 1) -> np.ndarray:
    """The positions of the elements of some lists, one list after the other."""
    ends = np.cumsum(lengths)
    count = int(ends[-1]) if len(ends) else 0
    if step == 1:
        places: np.ndarray = np.repeat(starts - (ends - lengths), lengths) + np.arange(count)
        return places
    within = np.arange(count) - np.repeat(ends - lengths, lengths)
    return np.repeat(starts, lengths) + within * step  # type: ignore[no-any-return]


class ListColumn(Column):
    """The elements of all lists as a column, where each list begins, and which are there.

    ``offsets`` (int64, one more than rows) and ``valid`` (None: all) are NumPy's, in the host's
    memory. List `i` has the elements ``offsets[i] : offsets[i + 1]``; the first offset is not 0 in
    a slice of a column. Missing rows have any elements.
    """

    __slots__ = ("dtype", "elements", "offsets", "valid")
    dtype: ListDtype

    def __init__(
        self, offsets: np.ndarray, elements: Column, valid: np.ndarray | None, dtype: ListDtype
    ) -> None:
        self.offsets = offsets
        self.elements = elements
        self.valid = valid
        self.dtype = dtype

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def device(self) -> Any:
        return self.elements.device

    def lengths(self) -> np.ndarray:
        """How many elements each row has; those of missing rows are none."""
        lengths: np.ndarray = self.offsets[1:] - self.offsets[:-1]
        return lengths if self.valid is None else np.where(self.valid, lengths, 0)

    def ranges(
        self, starts: np.ndarray, lengths: np.ndarray, valid: Any, step: int = 1
    ) -> ListColumn:
        """Lists of ranges of the elements."""
        elements = self.elements.take(px.asarray(positions(starts, lengths, step)))
        return ListColumn(offsets_of(lengths), elements, valid, self.dtype)

    # Rows.

    def take(self, rows: ndarray, *, has_missing: bool = False) -> ListColumn:
        places = np.asarray(rows)
        there = places >= 0 if has_missing else None
        if len(self) == 0 and has_missing:
            return self.missing(len(places))
        if there is not None:
            places = np.where(there, places, 0)
        lengths = self.lengths()[places]
        if there is not None:
            lengths = np.where(there, lengths, 0)
        if self.valid is not None:
            valid = self.valid[places]
            there = valid if there is None else there & valid
        return self.ranges(self.offsets[:-1][places], lengths, there)

    def filter(self, mask: ndarray) -> ListColumn:
        return self.take(np.flatnonzero(np.asarray(mask)))  # type: ignore[arg-type]

    def slice(self, part: slice) -> ListColumn:
        first, last, step = part.indices(len(self))
        if step != 1:
            return self.take(np.arange(first, last, step))  # type: ignore[arg-type]
        valid = None if self.valid is None else self.valid[part]
        offsets = self.offsets[first : max(first, last) + 1]
        return ListColumn(offsets, self.elements, valid, self.dtype)

    def element(self, row: int) -> Any:
        if self.valid is not None and not self.valid[row]:
            return NA
        row += len(self) if row < 0 else 0
        first, last = self.offsets[row : row + 2].tolist()
        return _listed(self.elements.slice(slice(first, last)).tolist())

    def joined(self, others: Sequence[Column]) -> ListColumn:
        columns: list[Any] = [each.compact() for each in (self, *others)]  # type: ignore[attr-defined]
        lengths = np.concatenate([np.diff(each.offsets) for each in columns])
        elements = columns[0].elements.joined([each.elements for each in columns[1:]])
        valid = None
        if any(each.valid is not None for each in columns):
            valid = np.concatenate([each.present() for each in columns])
        return ListColumn(offsets_of(lengths), elements, valid, self.dtype)

    def compact(self) -> ListColumn:
        """The same rows, of which the first begins at element 0 and the last ends with the last."""
        first, last = int(self.offsets[0]), int(self.offsets[-1])
        if first == 0 and last == len(self.elements):
            return self
        elements = self.elements.slice(slice(first, last))
        return ListColumn(self.offsets - first, elements, self.valid, self.dtype)

    def where(self, mask: ndarray, other: Column) -> ListColumn:
        rows = np.arange(len(self))
        chosen = np.where(np.asarray(mask), rows, rows + len(self))
        return self.joined([other]).take(chosen)  # type: ignore[arg-type]

    # Missing values.

    def present(self) -> np.ndarray:
        """The mask `valid`, made where it is None."""
        return np.ones(len(self), bool) if self.valid is None else self.valid

    def isna(self) -> ndarray:
        gone: ndarray = px.asarray(~self.present())
        return gone

    def has_missing(self) -> bool:
        return self.valid is not None and not bool(self.valid.all())

    def missing(self, count: int) -> ListColumn:
        return ListColumn(
            np.zeros(count + 1, np.int64),
            self.elements.slice(slice(0, 0)),
            np.zeros(count, bool),
            self.dtype,
        )

    # Elements.

    def flat(self) -> tuple[Column, np.ndarray]:
        """The elements one after the other, and the row that each is in."""
        lengths = self.lengths()
        rows = np.repeat(np.arange(len(self)), lengths)
        if self.valid is None:
            return self.compact().elements, rows
        return self.elements.take(px.asarray(positions(self.offsets[:-1], lengths))), rows

    def exploded(self) -> tuple[Column, np.ndarray]:
        """The same, where lists without elements and missing ones have a missing element."""
        lengths = self.lengths()
        if (lengths > 0).all():
            return self.flat()
        made = np.maximum(lengths, 1)
        starts = np.where(lengths > 0, self.offsets[:-1], -1)
        places = positions(starts, made)
        rows = np.repeat(np.arange(len(self)), made)
        elements = self.elements.take(px.asarray(places), has_missing=bool((lengths == 0).any()))
        return elements, rows

    # Other forms.

    def to_numpy(self) -> np.ndarray:
        return self.objects_of()

    def objects_of(self) -> np.ndarray:
        """An array for each row, as pandas has them, and NA."""
        made = self.compact()
        if isinstance(made.elements, ListColumn):
            values: Any = made.elements.objects_of()
        else:
            values = made.elements.to_numpy()
        if values.dtype == object and made.elements.has_missing():
            values = np.where(np.asarray(made.elements.isna()), None, values)
        there = self.present().tolist()
        bounds = made.offsets.tolist()
        return object_array(
            [values[bounds[i] : bounds[i + 1]] if known else NA for i, known in enumerate(there)]
        )

    def tolist(self) -> list[Any]:
        """Python's lists, in which missing elements are None, and NA."""
        made = self.compact()
        values = _listed(made.elements.tolist())
        there = self.present().tolist()
        bounds = made.offsets.tolist()
        return [values[bounds[i] : bounds[i + 1]] if known else NA for i, known in enumerate(there)]

    def key(self) -> tuple[Any, ...]:
        raise NotImplementedError(
            f"rows of {self.dtype} are no keys, and have no order: take what you want to group, "
            "join or sort by out of them, by explode(), .list[i] or .list.len()"
        )

    @property
    def nbytes(self) -> int:
        mask = 0 if self.valid is None else self.valid.nbytes
        return self.offsets.nbytes + self.elements.nbytes + mask


def _listed(values: list[Any]) -> list[Any]:
    """Elements as Python has them, None for those that are missing."""
    return [
        None if not isinstance(each, (list, float)) and is_missing(each) else each
        for each in values
    ]


def of_list_objects(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> ListColumn:
    """A column of Python's lists, tuples and arrays; `gone` says which are missing.

    Raises TypeError for other objects, and what a column of the elements' dtype raises.
    """
    for each, is_gone in zip(objects, gone, strict=True):
        if not is_gone and (isinstance(each, str | bytes | dict) or not hasattr(each, "__len__")):
            raise TypeError(f"list expected, got {type(each).__name__}: rows of {dtype} are lists")
    kept = [[] if is_gone else list(each) for each, is_gone in zip(objects, gone, strict=True)]
    flat = [None if each is NA else each for row in kept for each in row]
    lengths = np.fromiter(map(len, kept), np.int64, len(kept))
    elements = above.column_of(object_array(flat), dtype.element)
    return ListColumn(offsets_of(lengths), elements, ~gone if gone.any() else None, dtype)


def with_elements(column: ListColumn, elements: Column) -> ListColumn:
    """The same lists of elements in another dtype."""
    dtype = ListDtype(elements.dtype, column.dtype.field)
    return ListColumn(column.offsets, elements, column.valid, dtype)
