"""Regular expressions as automata over characters: a thread walks the table for each text."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from .. import cuda
from .._arrays.launching import read, written
from .automata import Pattern
from .copying import room_for
from .texts import Texts, bounds_of, bytes_on, character_at, number_of, write_of

_FEED = 10
_NOTHING = -1


@cache
def _symbol_at() -> Any:
    character, number = character_at(), number_of()

    @cuda.jit(device=True)
    def symbol_at(text: Any, at: Any, end: Any, tables: Any, symbols: Any) -> Any:
        """The symbol of a character, and the byte after it."""
        code, after = character(text, at, end)
        symbol = np.int64(number(tables[0], tables[1], code))
        if code == _FEED and after == end:
            symbol = symbols - 2
        return symbol, after

    return symbol_at


@cache
def _match() -> Any:
    bounds, symbol_at = bounds_of(), _symbol_at()

    @cuda.jit
    def find_matches(source: Any, has_mask: Any, tables: Any, symbols: Any, found: Any) -> None:
        text = source[1]
        table = tables[2]
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            at, end, is_there = bounds(source, has_mask, row)
            state = np.int64(tables[3][symbols])
            is_found = False
            while at < end and state != 0 and not is_found:
                symbol, at = symbol_at(text, at, end, tables, symbols)
                entry = np.int64(table[state * symbols + symbol])
                is_found = entry & 1 != 0
                state = entry >> 1
            if not is_found:
                is_found = table[state * symbols + symbols - 1] & 1 != 0
            found[row] = is_there and is_found

    return find_matches


def matches(texts: Texts, pattern: Pattern) -> tuple[Any, list[int]]:
    """Where a pattern is found, and no rows that are left out."""
    found = texts.empty("bool")
    assert pattern.matching is not None
    tables = pattern.on("matching", pattern.matching, texts.device)
    texts.launch(_match(), tables, np.int64(pattern.matching.symbols), written(found))
    return found, []


@cache
def _next_end() -> Any:
    symbol_at = _symbol_at()

    @cuda.jit(device=True)
    def next_end(text: Any, at: Any, end: Any, before: Any, tables: Any, symbols: Any) -> Any:
        """Where the next match ends (-1: there is none), and the symbol before that.

        `before` is the symbol before the place to begin at.
        """
        table = tables[2]
        state = np.int64(tables[3][before])
        found = np.int64(_NOTHING)
        of_found = before
        while at < end and state != 0:
            symbol, after = symbol_at(text, at, end, tables, symbols)
            entry = np.int64(table[state * symbols + symbol])
            if entry & 1 != 0:
                found = at
                of_found = before
            state = entry >> 1
            before = symbol
            at = after
        if table[state * symbols + symbols - 1] & 1 != 0:
            found = at
            of_found = before
        return found, of_found

    return next_end


@cache
def _count() -> Any:
    bounds, next_end = bounds_of(), _next_end()

    @cuda.jit
    def count_matches(source: Any, has_mask: Any, tables: Any, symbols: Any, found: Any) -> None:
        text = source[1]
        for row in range(cuda.grid(1), found.size, cuda.gridsize(1)):
            at, end, _ = bounds(source, has_mask, row)
            count = np.int64(0)
            before = np.int64(symbols)
            while at >= 0 and at < end:
                at, before = next_end(text, at, end, before, tables, symbols)
                if at >= 0:
                    count += 1
            found[row] = count

    return count_matches


def counts(texts: Texts, pattern: Pattern) -> tuple[Any, list[int]]:
    """How often a pattern is found, without overlaps, and no rows that are left out."""
    found = texts.empty("int64")
    assert pattern.counting is not None
    tables = pattern.on("counting", pattern.counting, texts.device)
    texts.launch(_count(), tables, np.int64(pattern.counting.symbols), written(found))
    return found, []


@cache
def _begin_of() -> Any:
    symbol_at = _symbol_at()

    @cuda.jit(device=True)
    def begin_of(text: Any, least: Any, at: Any, bounds: Any, tables: Any, symbols: Any) -> Any:
        """Where the longest match that ends at a place begins, not before `least`."""
        begin, end = bounds
        table = tables[2]
        after = np.int64(symbols)
        if at < end:
            after, _ = symbol_at(text, at, end, tables, symbols)
        state = np.int64(tables[3][after])
        found = at
        is_over = False
        while not is_over:
            symbol = np.int64(symbols - 1)
            last = at
            if at > begin:
                last = at - 1
                while last > begin and np.int32(text[last]) & 0xC0 == 0x80:
                    last -= 1
                symbol, _ = symbol_at(text, last, end, tables, symbols)
            entry = np.int64(table[state * symbols + symbol])
            if entry & 1 != 0:
                found = at
            state = entry >> 1
            is_over = at <= least or state == 0
            at = last
        return found

    return begin_of


@cache
def _measure() -> Any:
    bounds, next_end, begin_of = bounds_of(), _next_end(), _begin_of()

    @cuda.jit
    def measure_replaced(
        source: Any, has_mask: Any, tables: Any, back: Any, numbers: Any, sizes: Any
    ) -> None:
        text = source[1]
        symbols, symbols_back, size, most = numbers
        for row in range(cuda.grid(1), sizes.size, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            total = end - begin
            count = np.int64(0)
            at = begin
            before = np.int64(symbols)
            while at >= 0 and at < end and count != most:
                least = at
                at, before = next_end(text, least, end, before, tables, symbols)
                if at >= 0:
                    count += 1
                    first = begin_of(text, least, at, (begin, end), back, symbols_back)
                    total += size - (at - first)
            sizes[row] = total

    return measure_replaced


@cache
def _replace() -> Any:
    bounds, next_end, begin_of = bounds_of(), _next_end(), _begin_of()
    write = write_of()

    @cuda.jit
    def replace_matches(
        source: Any, has_mask: Any, tables: Any, back: Any, numbers: Any, made: Any
    ) -> None:
        text = source[1]
        symbols, symbols_back, size, most = numbers
        other, offsets, out = made
        for row in range(cuda.grid(1), offsets.size - 1, cuda.gridsize(1)):
            begin, end, _ = bounds(source, has_mask, row)
            goal = offsets[row]
            count = np.int64(0)
            at = begin
            least = begin
            before = np.int64(symbols)
            while at >= 0 and at < end and count != most:
                at, before = next_end(text, least, end, before, tables, symbols)
                if at >= 0:
                    count += 1
                    first = begin_of(text, least, at, (begin, end), back, symbols_back)
                    goal = write(text, least, first, out, goal)
                    goal = write(other, np.int64(0), size, out, goal)
                    least = at
            write(text, least, end, out, goal)

    return replace_matches


def replaced(
    texts: Texts, pattern: Pattern, replacement: Sequence[bytes], most: int
) -> tuple[Any, Any, list[int]]:
    """Offsets and bytes with the first `most` matches (0: all) replaced by a text."""
    other = b"".join(replacement)
    assert pattern.replacing is not None
    ahead, back = pattern.replacing
    tables = pattern.on("counting", ahead, texts.device), pattern.on("back", back, texts.device)
    given = (ahead.symbols, back.symbols, len(other), most or -1)
    numbers = tuple(np.int64(each) for each in given)
    sizes = texts.empty("int64")
    texts.launch(_measure(), *tables, numbers, written(sizes))
    offsets, out = room_for(sizes)
    if out.size:
        made = read(bytes_on(other, texts.device)), read(offsets), written(out)
        texts.launch(_replace(), *tables, numbers, made)
    return offsets, out, []
