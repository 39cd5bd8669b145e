"""Parts of texts, as runs of their bytes, and texts that are filled up or joined."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .cases import lengths, sizes_of
from .characters import CharacterSet
from .copying import copy_to, repeat_to, room_for
from .texts import (
    Texts,
    bounds_of,
    byte_of_character,
    bytes_on,
    character_at,
    count_characters,
    not_empty,
    number_of,
    texts_of,
)

END = 1 << 62  # as the end of a slice without one
_PLUS, _MINUS = 43, 45


@cache
def clamped() -> Any:
    """A bound of a slice as a place from 0 to a number of characters."""

    @cuda.jit(device=True)
    def clamp(place: Any, count: Any) -> Any:
        if place < 0:
            place += count
        return min(max(place, np.int64(0)), count)

    return clamp


@cache
def _slice() -> Any:
    bounds, characters, byte_of = bounds_of(), count_characters(), byte_of_character()
    clamp = clamped()

    @cuda.jit
    def find_slices(
        source: Any, has_mask: Any, first: Any, last: Any, starts: Any, sizes: Any
    ) -> None:
        text = source[1]
        for row in range(cuda.grid(1), sizes.size, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            one = first
            other = last
            if first < 0 or last < 0:
                count = characters(text, begin, end)
                one = clamp(first, count)
                other = clamp(last, count)
            low = byte_of(text, begin, end, one)
            starts[row] = low
            sizes[row] = byte_of(text, low, end, other - one) - low

    return find_slices


def slices(texts: Texts, first: int | None, last: int | None) -> tuple[Any, Any]:
    """Where the characters of a slice begin, and their bytes."""
    starts, sizes = texts.empty("int64"), texts.empty("int64")
    bounds = np.int64(first or 0), np.int64(END if last is None else last)
    texts.launch(_slice(), *bounds, written(starts), written(sizes))
    return starts, sizes


def elements(texts: Texts, position: int) -> tuple[Any, Any, Any]:
    """Where the character at a position begins, its bytes, and which rows have one."""
    last = position + 1 or END
    starts, sizes = slices(texts, position, last)
    if position < -1:
        # A slice that begins before a text has its first characters.
        sizes = px.where(lengths(texts) >= -position, sizes, 0)
    return starts, sizes, sizes > 0


@cache
def _strip() -> Any:
    bounds, character, number = bounds_of(), character_at(), number_of()

    @cuda.jit
    def find_stripped(
        source: Any, has_mask: Any, characters: Any, sides: Any, starts: Any, sizes: Any
    ) -> None:
        text = source[1]
        pages, entries = characters
        at_start, at_end = sides
        for row in range(cuda.grid(1), sizes.size, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            is_on = at_start != 0
            while is_on and begin < end:
                code, after = character(text, begin, end)
                is_on = number(pages, entries, code) != 0
                if is_on:
                    begin = after
            is_on = at_end != 0
            while is_on and begin < end:
                last = end - 1
                while last > begin and np.int32(text[last]) & 0xC0 == 0x80:
                    last -= 1
                code, _ = character(text, last, end)
                is_on = number(pages, entries, code) != 0
                if is_on:
                    end = last
            starts[row] = begin
            sizes[row] = end - begin

    return find_stripped


def stripped(
    texts: Texts, characters: CharacterSet, at_start: bool, at_end: bool
) -> tuple[Any, Any]:
    """Where texts without some characters at their ends begin, and their bytes."""
    starts, sizes = texts.empty("int64"), texts.empty("int64")
    tables = tuple(map(read, characters.on(texts.device)))
    sides = np.int64(at_start), np.int64(at_end)
    texts.launch(_strip(), tables, sides, written(starts), written(sizes))
    return starts, sizes


def padded(texts: Texts, width: int, fill: bytes, on_left: bool, on_right: bool) -> Any:
    """Offsets and bytes of texts filled up to a width; on no side as by `str.zfill`."""
    missing = px.maximum(np.int64(width) - lengths(texts), 0)
    if texts.valid is not None:
        missing = px.where(texts.valid, missing, 0)
    starts, sizes = texts.offsets[:-1], sizes_of(texts)
    head = px.zeros_like(missing)
    left = missing if on_left or not on_right else px.zeros_like(missing)
    if on_left and on_right:
        # As Python's str.center, which puts the odd character on the left of odd widths.
        left = missing // 2 + (missing & np.int64(width & 1))
    elif not on_left and not on_right:
        head = _signs(texts, starts, sizes)
    before, after = left * len(fill), (missing - left) * len(fill)
    offsets, out = room_for(sizes + before + after)
    goals = offsets[:-1]
    none = px.zeros_like(goals)
    run = none, none + len(fill)
    letters = bytes_on(fill, texts.device)
    if not on_left and not on_right:
        copy_to(out, goals, starts, head, texts.text)
    repeat_to(out, goals + head, before, run, letters)
    copy_to(out, goals + head + before, starts + head, sizes - head, texts.text)
    if on_right:
        repeat_to(out, goals + before + sizes, after, run, letters)
    return offsets, out


def _signs(texts: Texts, starts: Any, sizes: Any) -> Any:
    """1 where a text begins with a sign, else 0."""
    first = not_empty(texts.text)[px.where(sizes > 0, starts, 0)]
    return ((sizes > 0) & ((first == _PLUS) | (first == _MINUS))).astype(np.int64)


def repeated(texts: Texts, times: int) -> tuple[Any, Any]:
    """Offsets and bytes of texts as often."""
    sizes = sizes_of(texts)
    totals = sizes * np.int64(max(times, 0))
    offsets, out = room_for(totals)
    repeat_to(out, offsets[:-1], totals, (texts.offsets[:-1], sizes), texts.text)
    return offsets, out


def joined(operands: Sequence[Any], rows: int, fill: bytes | None) -> tuple[Any, Any]:
    """Offsets and bytes of the texts of each row one after another.

    Operands are keys of columns, or bytes for all rows. Rows that miss a text are empty, or have
    `fill` in its place.
    """
    columns = [texts_of(each) for each in operands if not isinstance(each, bytes)]
    there = None
    for each in columns:
        if fill is None and each.valid is not None:
            there = each.valid if there is None else there & each.valid
    runs = [_run(each, rows, columns[0].device, fill) for each in operands]
    if there is not None:
        runs = [(starts, px.where(there, sizes, 0), text) for starts, sizes, text in runs]
    total = runs[0][1]
    for _, sizes, _ in runs[1:]:
        total = total + sizes
    offsets, out = room_for(total)
    goals = offsets[:-1]
    for starts, sizes, text in runs:
        copy_to(out, goals, starts, sizes, text)
        goals = goals + sizes
    return offsets, out


def _run(operand: Any, rows: int, device: str, fill: bytes | None) -> tuple[Any, Any, Any]:
    """Starts, sizes and bytes of an operand."""
    if isinstance(operand, bytes):
        starts = px.zeros(rows, "int64", device=device)
        return starts, starts + len(operand), bytes_on(operand, device)
    texts = texts_of(operand)
    starts, sizes = texts.offsets[:-1], texts.offsets[1:] - texts.offsets[:-1]
    if fill is None or texts.valid is None:
        return starts, sizes, texts.text
    end = texts.text.size
    both = px.concatenate([texts.text, bytes_on(fill, device)])
    return px.where(texts.valid, starts, end), px.where(texts.valid, sizes, len(fill)), both
