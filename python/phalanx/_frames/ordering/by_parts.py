"""Rows in order: parts of ranges of the keys, each of which is sorted in memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..columns.column import Column
from ..indexes.ranges import RangeIndex
from ..spilling.results import Output
from ..spilling.room import Work, for_work, work
from ..spilling.tables import Rows, Table, divided, form_of, index_of_columns, settled
from .keys import rows_by

SAMPLES = 64  # rows that are looked at for each part


class Order(NamedTuple):
    """Which columns rows are ordered by, and how."""

    keys: list[int]
    ascending: list[bool]
    missing_last: bool = True

    def rows(self, keys: list[Column]) -> Any:
        """The rows of key columns in order, equal ones as they are."""
        return rows_by(keys, self.ascending, missing_last=self.missing_last)

    def of(self, columns: Sequence[Column]) -> list[Column]:
        """The keys among all columns."""
        return [columns[i] for i in self.keys]


def sorted_by_parts(labelled: Any, keys: list[Column], order: Order, ignore_index: bool) -> Any:
    """A series or frame in the order of some columns by way of files; None where memory will do.

    `order` has the keys' directions, its numbers are not read.
    """
    index = labelled.index
    parts = list(labelled._parts)
    left = for_work(len(labelled), [*parts, *keys])
    if left is None or not is_on_host([*parts, *keys]):
        return None
    others = [each for each in keys if all(each is not part for part in parts)]
    columns = [*parts, *others]
    numbers = [next(i for i, each in enumerate(columns) if each is key) for key in keys]
    nbytes = sum(each.nbytes for each in columns)
    with work("sorting", left, 2 * nbytes) as working:
        step = working.rows_of_piece(len(labelled), nbytes)
        source = Rows(columns, step, None if ignore_index else index)
        made = in_order(working, source, order._replace(keys=numbers))
    if ignore_index:
        labels: Any = RangeIndex(len(labelled))
    else:
        labels = index_of_columns(index, made[len(columns) : -1])
    return labelled._keep_attrs(labelled._with(made[: len(parts)], labels))


def is_on_host(columns: Sequence[Column]) -> bool:
    """True for columns whose arrays are on the host."""
    arrays = (
        each
        for column in columns
        if (form := form_of(column)) is not None
        for each in form.apart(column.slice(slice(0, 0)))
    )
    return all(getattr(each, "device", "cpu") == "cpu" for each in arrays if each is not None)


def in_order(working: Work, source: Rows | Table, order: Order) -> list[Column]:
    """The columns of a table in the order of some of them; without keys as they are."""
    if isinstance(source, Table) and (working.has_room(source.nbytes) or not source.rows):
        columns = source.read()
        if not order.keys:
            return columns
        return settled(columns, order.rows(order.of(columns)))
    out = Output(working, source.likes())
    if order.keys:
        for part in _ranges(working, source, order):
            columns = part.read()
            out.add(settled(columns, order.rows(order.of(columns))))
    else:
        for columns in source.pieces():
            out.add(columns)
    return out.columns()


def _ranges(working: Work, source: Rows | Table, order: Order) -> list[Table]:
    """Parts of which each has the rows that come after those of the part before."""
    bounds = _bounds(working, source, order)
    count = len(bounds[0])

    def arrange(columns: list[Column]) -> tuple[np.ndarray, np.ndarray]:
        # A bound comes after the rows that are equal to it, as the order is stable: so equal rows
        # are in one part.
        keys = [
            key.joined([bound.astype(key.dtype)])
            for key, bound in zip(order.of(columns), bounds, strict=True)
        ]
        rows = np.asarray(order.rows(keys))
        is_bound = rows >= len(columns[0])
        ends = np.flatnonzero(is_bound) - np.arange(count)
        return rows[~is_bound], np.concatenate([[0], ends, [len(columns[0])]])

    parts = divided(working, source, arrange, count + 1)
    return [each for each in parts if each.rows]


def _bounds(working: Work, source: Rows | Table, order: Order) -> list[Column]:
    """Keys of rows that cut the table into parts of about the same size."""
    parts = working.parts_for(source.nbytes + 24 * source.rows)
    step = max(source.rows // (parts * SAMPLES), 1)
    met: list[list[Column]] = []
    for keys in source.pieces(order.keys):
        places = px.asarray(np.arange(0, len(keys[0]), step))
        met.append([each.take(places) for each in keys])
    samples = [first.joined(others) for first, *others in zip(*met, strict=True)]
    rows = np.asarray(order.rows(samples))
    chosen = np.linspace(0, len(rows), parts + 1)[1:-1].astype(np.int64)
    return settled(samples, rows[np.unique(chosen)])
