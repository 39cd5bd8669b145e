"""Pairs of rows whose keys are equal, in pandas' order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .groups import has_table, heads_of
from .kernels import counts_of, expanded, full, put, row_type
from .words import Word, order_of

HOW = ("inner", "left", "right", "outer", "semi", "anti")


class Side(NamedTuple):
    """A number for each row, in the order of the keys and equal where they are."""

    numbers: Any
    rows: int


def joined(left: Sequence[Word], right: Sequence[Word], how: str) -> tuple[Any, Any]:
    """Rows of both sides (int64, -1: no partner) of words that have the same counts."""
    one, other, count = _numbered(left, right)
    if how in ("semi", "anti"):
        has = counts_of(other.numbers, count)[one.numbers] > 0
        rows = px.flatnonzero(has if how == "semi" else ~has)
        return rows, px.full(rows.size, -1, dtype="int64", device=rows.device)
    if how == "right":
        rows, partners = _partners(other, one, count, keeps_all=True)
        return partners, rows
    rows, partners = _partners(one, other, count, keeps_all=how != "inner")
    if how == "outer":
        return _with_the_rest(one, other, count, (rows, partners))
    return rows, partners


def _numbered(left: Sequence[Word], right: Sequence[Word]) -> tuple[Side, Side, int]:
    """Both sides' numbers below a count that a table can have."""
    sizes = [words[0].numbers.size for words in (left, right)]
    if len(left) == 1 and has_table(left[0].limit, sum(sizes)):
        return Side(left[0].numbers, sizes[0]), Side(right[0].numbers, sizes[1]), left[0].limit
    both = [
        Word(px.concatenate([one.numbers, other.numbers]), one.limit)
        for one, other in zip(left, right, strict=True)
    ]
    rows = sum(sizes)
    if rows == 0:
        nothing = both[0].numbers.astype(np.int32)
        return Side(nothing, 0), Side(nothing, 0), 0
    order = order_of(both)
    wide = row_type(rows)
    ranks = px.cumsum(heads_of(both, order).astype(wide), dtype=wide) - wide(1)
    numbers = put(full(rows, 0, wide, order.device), order, ranks)
    count = int(ranks[-1]) + 1
    return Side(numbers[: sizes[0]], sizes[0]), Side(numbers[sizes[0] :], sizes[1]), count


def _partners(one: Side, other: Side, count: int, keeps_all: bool) -> tuple[Any, Any]:
    """The rows of one side with their partners, in order; those without any have -1 or are left
    out."""
    device = one.numbers.device
    counts = counts_of(other.numbers, count)
    if other.rows == 0 or int(px.max(counts)) <= 1:
        places = put(full(count, -1, np.int64, device), other.numbers)
        found = places[one.numbers] if one.rows else full(0, -1, np.int64, device)
        if keeps_all:
            return px.arange(one.rows, dtype="int64", device=device), found
        rows = px.flatnonzero(found >= 0)
        return rows, found[rows]
    unsigned = np.uint32 if count <= 1 << 32 else np.uint64
    order = order_of([Word(other.numbers.astype(unsigned), count)])
    counts = counts.astype(np.int64)
    firsts = (px.cumsum(counts) - counts)[one.numbers]
    own = counts[one.numbers]
    room = px.maximum(own, 1) if keeps_all else own
    zero = px.zeros(1, "int64", device=device)
    if one.rows == 0:
        return full(0, 0, np.int64, device), full(0, 0, np.int64, device)
    return expanded(firsts, own, px.concatenate([zero, px.cumsum(room)]), order)


def _with_the_rest(one: Side, other: Side, count: int, pairs: tuple[Any, Any]) -> tuple[Any, Any]:
    """Pairs of all left rows, and the right rows without a partner, in the order of the keys."""
    device = one.numbers.device
    alone = (
        px.flatnonzero(counts_of(one.numbers, count)[other.numbers] == 0)
        if other.rows
        else (full(0, 0, np.int64, device))
    )
    left = px.concatenate([pairs[0], full(alone.size, -1, np.int64, device)])
    right = px.concatenate([pairs[1], alone])
    if left.size == 0:
        return left, right
    of_pairs = one.numbers[pairs[0]] if one.rows else one.numbers[:0]
    of_alone = other.numbers[alone] if other.rows else other.numbers[:0]
    numbers = px.concatenate([of_pairs, of_alone])
    unsigned = np.uint32 if count <= 1 << 32 else np.uint64
    order = order_of([Word(numbers.astype(unsigned), count)])
    return left[order], right[order]
