"""Texts that contain others: where, how often, at an end; and what replaces them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import read, written
from .cases import sizes_of
from .copying import room_for
from .parts import END, clamped
from .texts import (
    Texts,
    bounds_of,
    byte_of_character,
    bytes_on,
    count_characters,
    write_of,
)


@cache
def _is_at() -> Any:
    @cuda.jit(device=True)
    def is_at(text: Any, at: Any, wanted: Any, size: Any) -> Any:
        """Tells if bytes are at a place, from which there are as many."""
        k = np.int64(0)
        while k < size and text[at + k] == wanted[k]:
            k += 1
        return k == size

    return is_at


@cache
def _next() -> Any:
    is_at = _is_at()

    @cuda.jit(device=True)
    def next_place(text: Any, at: Any, end: Any, wanted: Any, size: Any) -> Any:
        """Where bytes are found first, else -1."""
        while at + size <= end:
            if is_at(text, at, wanted, size):
                return at
            at += 1
        return np.int64(-1)

    return next_place


@cache
def _contains() -> Any:
    bounds, next_place = bounds_of(), _next()

    @cuda.jit
    def find_texts(source: Any, has_mask: Any, wanted: Any, size: Any, found: Any) -> None:
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin, end, is_there = bounds(source, has_mask, row)
            found[row] = is_there and next_place(source[1], begin, end, wanted, size) >= 0

    return find_texts


def contains(texts: Texts, wanted: bytes) -> Any:
    """Where a text is part of others."""
    found = texts.empty("bool")
    given = (read(bytes_on(wanted, texts.device)), np.int64(len(wanted)))
    texts.launch(_contains(), *given, written(found))
    return found


@cache
def _affix() -> Any:
    bounds, is_at = bounds_of(), _is_at()

    @cuda.jit
    def find_affixes(
        source: Any, has_mask: Any, wanted: Any, size: Any, at_start: Any, found: Any
    ) -> None:
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin, end, is_there = bounds(source, has_mask, row)
            place = begin if at_start != 0 else end - size
            fits = is_there and end - begin >= size
            found[row] = fits and is_at(source[1], place, wanted, size)

    return find_affixes


def has_affix(texts: Texts, affixes: Sequence[bytes], at_start: bool) -> Any:
    """Where the text begins (or ends) with one of some others."""
    made = px.zeros(texts.rows, "bool", device=texts.device)
    for each in affixes:
        found = texts.empty("bool")
        given = (read(bytes_on(each, texts.device)), np.int64(len(each)), np.int64(at_start))
        texts.launch(_affix(), *given, written(found))
        made = made | found
    return made


def without_affix(texts: Texts, affix: bytes, at_start: bool) -> tuple[Any, Any]:
    """Where each text without an affix begins, and its bytes."""
    cut = has_affix(texts, [affix], at_start).astype(np.int64) * len(affix)
    starts = texts.offsets[:-1]
    return (starts + cut if at_start else starts), sizes_of(texts) - cut


@cache
def _occurrences() -> Any:
    bounds, next_place, characters = bounds_of(), _next(), count_characters()

    @cuda.jit
    def count_texts(
        source: Any, has_mask: Any, wanted: Any, size: Any, most: Any, found: Any
    ) -> None:
        text = source[1]
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            at, end, is_there = bounds(source, has_mask, row)
            count = np.int64(0)
            if size == 0:
                # An empty text is before each character and at the end.
                count = characters(text, at, end) + (1 if is_there else 0)
            else:
                at = next_place(text, at, end, wanted, size)
                while at >= 0 and count != most:
                    count += 1
                    at = next_place(text, at + size, end, wanted, size)
            found[row] = count

    return count_texts


def occurrences(texts: Texts, wanted: bytes, most: int = -1) -> Any:
    """How often a text is there, without overlaps, at most so often (less than 0: all)."""
    found = texts.empty("int64")
    given = (read(bytes_on(wanted, texts.device)), np.int64(len(wanted)), np.int64(most))
    texts.launch(_occurrences(), *given, written(found))
    return found


@cache
def _positions() -> Any:
    bounds, characters, byte_of = bounds_of(), count_characters(), byte_of_character()
    clamp, is_at = clamped(), _is_at()

    @cuda.jit
    def find_places(
        source: Any, has_mask: Any, wanted: Any, size: Any, within: Any, found: Any
    ) -> None:
        text = source[1]
        first_wanted, last_wanted, takes_last = within
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            begin, end, is_there = bounds(source, has_mask, row)
            count = characters(text, begin, end)
            first = clamp(first_wanted, count)
            last = clamp(last_wanted, count)
            place = np.int64(-1)
            if is_there and first_wanted <= count and first <= last:
                low = byte_of(text, begin, end, first)
                high = byte_of(text, low, end, last - first) - size
                step = -1 if takes_last != 0 else 1
                at = high if takes_last != 0 else low
                while at >= low and at <= high and not is_at(text, at, wanted, size):
                    at += step
                if at >= low and at <= high:
                    place = first + characters(text, low, at)
            found[row] = place if is_there else 0

    return find_places


def positions(
    texts: Texts, wanted: bytes, within: tuple[int | None, int | None, int], last: bool
) -> Any:
    """The position of a text's first (or last) occurrence within a slice, else -1."""
    begin, end = within[0] or 0, END if within[1] is None else within[1]
    found = texts.empty("int64")
    given = (read(bytes_on(wanted, texts.device)), np.int64(len(wanted)))
    slice_ = tuple(np.int64(each) for each in (begin, end, last))
    texts.launch(_positions(), *given, slice_, written(found))
    return found


@cache
def _replace() -> Any:
    bounds, next_place, write = bounds_of(), _next(), write_of()

    @cuda.jit
    def replace_texts(
        source: Any, has_mask: Any, texts: Any, sizes: Any, offsets: Any, out: Any
    ) -> None:
        text = source[1]
        wanted, other = texts
        size, other_size, most = sizes
        for row in range(cuda.grid(1), offsets.size - 1, cuda.gridsize(1)):
            at, end, _ = bounds(source, has_mask, row)
            goal = offsets[row]
            count = np.int64(0)
            place = next_place(text, at, end, wanted, size)
            while place >= 0 and count != most:
                goal = write(text, at, place, out, goal)
                goal = write(other, np.int64(0), other_size, out, goal)
                at = place + size
                count += 1
                place = next_place(text, at, end, wanted, size)
            write(text, at, end, out, goal)

    return replace_texts


def replaced(texts: Texts, wanted: bytes, other: bytes, most: int) -> tuple[Any, Any]:
    """Offsets and bytes with the first `most` occurrences of a text, not empty, replaced."""
    change = len(other) - len(wanted)
    sizes = sizes_of(texts)
    if change:
        sizes = sizes + occurrences(texts, wanted, most) * change
    offsets, out = room_for(sizes)
    if out.size:
        both = tuple(read(bytes_on(each, texts.device)) for each in (wanted, other))
        numbers = tuple(np.int64(each) for each in (len(wanted), len(other), most))
        texts.launch(_replace(), both, numbers, read(offsets), written(out))
    return offsets, out
