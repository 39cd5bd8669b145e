"""Characters that become others, and kinds of characters."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .._grouping.kernels import launch_over
from .characters import CharacterMap, CharacterSet
from .copying import room_for
from .texts import Texts, bounds_of, character_at, count_characters, number_of, write_of

# Which characters take the first map: none, a text's first, those that are not in words.
_NONE, _FIRST, _WORDS = range(3)


@cache
def _map_bytes() -> Any:
    @cuda.jit
    def map_bytes(text: Any, table: Any, first: Any, out: Any) -> None:
        for i in range(cuda.grid(1), out.size, cuda.gridsize(1)):
            out[i] = table[text[first + i]]

    return map_bytes


@cache
def _measure() -> Any:
    bounds, character, number = bounds_of(), character_at(), number_of()

    @cuda.jit
    def measure_mapped(
        source: Any, has_mask: Any, maps: Any, words: Any, rules: Any, sizes: Any
    ) -> None:
        text = source[1]
        rule, leaves = rules
        first, other = maps
        for row in range(cuda.grid(1), sizes.size, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            at = begin
            size = np.int64(0)
            is_initial = rule != 0
            while at < end:
                before = at
                code, at = character(text, at, end)
                entry = (
                    number(first[0], first[1], code)
                    if is_initial
                    else number(other[0], other[1], code)
                )
                if entry < 0:
                    size += at - before
                else:
                    ends = first[2] if is_initial else other[2]
                    size += ends[entry + 1] - ends[entry]
                is_initial = rule == 2 and number(words[0], words[1], code) == 0
                if code == leaves:
                    size = np.int64(-1)
                    at = end
            sizes[row] = size

    return measure_mapped


@cache
def _write() -> Any:
    bounds, character, number = bounds_of(), character_at(), number_of()
    write = write_of()

    @cuda.jit
    def write_mapped(
        source: Any, has_mask: Any, maps: Any, words: Any, rule: Any, made: Any
    ) -> None:
        text = source[1]
        offsets, out = made
        first, other = maps
        for row in range(cuda.grid(1), offsets.size - 1, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            goal = offsets[row]
            if offsets[row + 1] == goal:
                end = begin  # nothing, or the row is left out
            at = begin
            is_initial = rule != 0
            while at < end:
                before = at
                code, at = character(text, at, end)
                if is_initial:
                    entry = number(first[0], first[1], code)
                    if entry < 0:
                        goal = write(text, before, at, out, goal)
                    else:
                        goal = write(first[3], first[2][entry], first[2][entry + 1], out, goal)
                else:
                    entry = number(other[0], other[1], code)
                    if entry < 0:
                        goal = write(text, before, at, out, goal)
                    else:
                        goal = write(other[3], other[2][entry], other[2][entry + 1], out, goal)
                is_initial = rule == 2 and number(words[0], words[1], code) == 0

    return write_mapped


def mapped(
    texts: Texts,
    other: CharacterMap,
    initial: CharacterMap | None = None,
    words: CharacterSet | None = None,
    leaves: int = 0,
) -> tuple[Any, Any, list[int]]:
    """Offsets, bytes, and rows that are left out because they have the character `leaves`.

    `initial` maps a text's first character, or with `words` those that are not after one of the
    set; `other` maps all others.
    """
    if initial is None and other.of_bytes is not None and texts.is_ascii():
        return *_of_ascii(texts, other.of_bytes), []
    device = texts.device
    tables = other.on(device)
    maps = tuple(
        tuple(map(read, each))
        for each in (tables if initial is None else initial.on(device), tables)
    )
    rule = _NONE if initial is None else _FIRST if words is None else _WORDS
    in_words = (tables if words is None else words.on(device))[:2]
    given = (maps, tuple(map(read, in_words)))
    sizes = texts.empty("int64")
    # No character is -1: none is left out.
    rules = np.int64(rule), np.int64(leaves or -1)
    texts.launch(_measure(), *given, rules, written(sizes))
    left_out = np.asarray(px.flatnonzero(sizes < 0)).tolist() if leaves else []
    offsets, out = room_for(px.maximum(sizes, 0) if left_out else sizes)
    if out.size:
        texts.launch(_write(), *given, np.int64(rule), (read(offsets), written(out)))
    return offsets, out, left_out


def _of_ascii(texts: Texts, table: np.ndarray) -> tuple[Any, Any]:
    """All bytes at once; the texts stay where they are."""
    first, last = texts.span()
    out = px.empty(last - first, dtype="uint8", device=texts.device)
    if out.size:
        given = (read(texts.text), read(px.asarray(table, device=texts.device)), np.int64(first))
        launch_over(_map_bytes(), out.size, out._device, *given, written(out))
    return (texts.offsets if first == 0 else texts.offsets - first), out


@cache
def _kinds() -> Any:
    bounds, character, number = bounds_of(), character_at(), number_of()

    @cuda.jit
    def find_kinds(
        source: Any, has_mask: Any, wanted: Any, unwanted: Any, needs_all: Any, found: Any
    ) -> None:
        text = source[1]
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            at, end, _ = bounds(source, has_mask, row)
            has_one = False
            is_good = True
            while at < end and is_good:
                code, at = character(text, at, end)
                is_in = number(wanted[0], wanted[1], code) != 0
                has_one = has_one or is_in
                is_good = number(unwanted[0], unwanted[1], code) == 0
                if needs_all != 0:
                    is_good = is_in
            found[row] = has_one and is_good

    return find_kinds


def all_in(texts: Texts, characters: CharacterSet) -> Any:
    """Where each character is in the set, and there is one at least."""
    return _of_kind(texts, characters, characters, True)


def any_in(texts: Texts, wanted: CharacterSet, unwanted: CharacterSet) -> Any:
    """Where a character is in `wanted` and none is in `unwanted`."""
    return _of_kind(texts, wanted, unwanted, False)


def _of_kind(texts: Texts, wanted: CharacterSet, unwanted: CharacterSet, needs_all: bool) -> Any:
    found = texts.empty("bool")
    tables = (tuple(map(read, each.on(texts.device))) for each in (wanted, unwanted))
    texts.launch(_kinds(), *tables, np.int64(needs_all), written(found))
    return found


@cache
def _count() -> Any:
    bounds, count = bounds_of(), count_characters()

    @cuda.jit
    def count_all(source: Any, has_mask: Any, found: Any) -> None:
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            found[row] = count(source[1], begin, end)

    return count_all


def sizes_of(texts: Texts) -> Any:
    """Bytes of each row, 0 of missing ones."""
    sizes = texts.offsets[1:] - texts.offsets[:-1]
    return sizes if texts.valid is None else px.where(texts.valid, sizes, 0)


def lengths(texts: Texts) -> Any:
    """Characters of each row, 0 of missing ones."""
    if texts.is_ascii():
        return sizes_of(texts)
    found = texts.empty("int64")
    texts.launch(_count(), written(found))
    return found


def all_ascii(texts: Texts) -> Any:
    """Where there are no bytes but ASCII's."""
    if texts.is_ascii():
        there = px.ones(texts.rows, "bool", device=texts.device)
        return there if texts.valid is None else texts.valid
    found = lengths(texts) == sizes_of(texts)
    return found if texts.valid is None else found & texts.valid
