"""Which rows are equal: a number for each group of them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .kernels import first_rows, full, launch_over, nobody, put, row_type
from .words import Word, order_of

_LEAST_TABLE = 1 << 20


class Groups(NamedTuple):
    """The group of each row (-1 of none), how many there are, and the first row of each.

    Groups are numbered in the order of their first rows.
    """

    codes: Any
    groups: int
    firsts: Any


def has_table(count: int, rows: int) -> bool:
    """True where a table of all numbers below `count` is not much larger than the rows."""
    return count <= max(4 * rows, _LEAST_TABLE)


def group(words: Sequence[Word], gone: Any, rows: int) -> Groups:
    """Groups of rows with equal words; those that are `gone` (None: none) are in no group."""
    if rows == 0 or not words:
        return _one_group(rows, words, gone)
    if len(words) == 1 and has_table(words[0].limit, rows):
        return _by_table(words[0], gone)
    return _by_order(words, gone, rows)


def _one_group(rows: int, words: Sequence[Word], gone: Any) -> Groups:
    device = words[0].numbers.device if words else None
    codes = px.zeros(rows, "int32", device=device)
    firsts = px.zeros(min(rows, 1), "int64", device=device)
    return Groups(codes, min(rows, 1), firsts)


def _by_table(word: Word, gone: Any) -> Groups:
    numbers, count = word.numbers, word.limit
    device = numbers.device
    if gone is not None:  # a place of their own, behind all others
        numbers = px.where(gone, numbers.dtype.type(count), numbers)
    firsts = first_rows(numbers, count + 1)[:count]
    places = px.flatnonzero(firsts != nobody(firsts))
    firsts = firsts[places]
    order = px.argsort(firsts, stable=True)
    wide = row_type(numbers.size)
    codes = full(count + 1, -1, wide, device)
    put(codes, places[order])
    return Groups(codes[numbers], places.size, firsts[order].astype(np.int64))


def _by_order(words: Sequence[Word], gone: Any, rows: int) -> Groups:
    there = None if gone is None else px.flatnonzero(~gone)
    if there is not None and there.size == 0:
        numbers = words[0].numbers
        firsts = px.zeros(0, "int64", device=numbers.device)
        return Groups(full(rows, -1, row_type(rows), numbers.device), 0, firsts)
    order = order_of(words, there)
    heads = heads_of(words, order)
    wide = row_type(rows)
    of_order = px.cumsum(heads.astype(wide), dtype=wide) - wide(1)
    begins = px.flatnonzero(heads)
    firsts = order[begins]
    ranks = _ranks(firsts, rows, wide)
    device = order.device
    codes = put(full(rows, -1, wide, device), order, ranks[of_order])
    count = begins.size
    by_code = put(px.empty(count, "int64", device=device), ranks, firsts)
    return Groups(codes, count, by_code)


@cache
def _heads() -> Any:
    @cuda.jit
    def mark_heads(numbers: Any, order: Any, heads: Any) -> None:
        for i in range(cuda.grid(1), order.size, cuda.gridsize(1)):
            if i == 0 or numbers[order[i]] != numbers[order[i - 1]]:
                heads[i] = True

    return mark_heads


def heads_of(words: Sequence[Word], order: Any) -> Any:
    """Where rows in order differ from those before."""
    heads = full(order.size, False, np.bool_, order.device)
    for word in words:
        given = (read(word.numbers), read(order), written(heads))
        launch_over(_heads(), order.size, order._device, *given)
    return heads


def _ranks(firsts: Any, rows: int, wide: Any) -> Any:
    """The rank of each of some rows, which are all different."""
    if firsts.size * 16 < rows:
        order = px.argsort(firsts, stable=True)
        return put(px.empty(firsts.size, np.dtype(wide).name, device=firsts.device), order)
    flags = px.zeros(rows, "bool", device=firsts.device)
    put(flags, firsts, px.ones(firsts.size, "bool", device=firsts.device))
    return (px.cumsum(flags.astype(wide), dtype=wide) - wide(1))[firsts]
