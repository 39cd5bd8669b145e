"""Where the fields of a text begin: one thread for each 64 bytes, 8 bytes at a time."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .. import _engine, cuda
from .._arrays.launching import read, written
from .._grouping.kernels import full, launch_over, row_type
from .utf8 import is_utf8

CHUNK = 64  # bytes of a thread
WORDS = CHUNK // 8
u64 = np.uint64

_ONES = u64(0x0101010101010101)
_LOW = u64(0x7F7F7F7F7F7F7F7F)
_TOPS = u64(0x8080808080808080)
FEED, RETURN, SPACE, TAB = 10, 13, 32, 9

# What `facts` tells of a text, a number each that is not 0 where it is so.
HAS_QUOTES, HAS_RETURNS, HAS_HIGH, HAS_NULLS, IS_IRREGULAR = range(5)
_FACTS = 5


class Marks(NamedTuple):
    """The characters of ASCII that cut a text; `quote` is -1 where there is none."""

    separator: int
    quote: int

    @property
    def patterns(self) -> tuple[Any, Any]:
        """Both in all bytes of a word."""
        return _ONES * u64(self.separator), _ONES * u64(max(self.quote, 0))


class Structure(NamedTuple):
    """Records that all have `width` fields; field `f` of row `r` begins at start `r * width + f`.

    It ends a byte before the next start, after a return where the text has returns.
    """

    text: Any  # uint8, with bytes behind its end that are none of it
    starts: Any  # one more than there are fields
    rows: int
    width: int
    quote: int  # -1: there is none in the text
    has_returns: bool


@cache
def _equal() -> Any:
    @cuda.jit(device=True)
    def bytes_that_equal(word: Any, pattern: Any) -> Any:
        """The highest bit of each byte that is the pattern's."""
        other = word ^ pattern
        return ~(((other & _LOW) + _LOW) | other | _LOW)

    return bytes_that_equal


@cache
def _inside() -> Any:
    equal = _equal()

    @cuda.jit(device=True)
    def bytes_in_quotes(word: Any, quote: Any, parity: Any) -> Any:
        """The highest bit of each byte that is in quotes; of a pair the first one is."""
        before = (equal(word, quote) >> u64(7)) * _ONES + parity * _ONES
        return (before & _ONES) << u64(7)

    return bytes_in_quotes


@cache
def _count() -> Any:
    equal = _equal()

    @cuda.jit
    def count_marks(
        words: Any, marks: Any, has_quote: Any, ends: Any, quotes: Any, facts: Any
    ) -> None:
        separator, quote = marks
        for i in range(cuda.grid(1), ends.size, cuda.gridsize(1)):
            found = 0
            pairs = 0
            high = u64(0)
            nulls = u64(0)
            returns = u64(0)
            for k in range(WORDS):
                word = words[WORDS * i + k]
                found += cuda.popc(equal(word, separator) | equal(word, _ONES * u64(FEED)))
                if has_quote != 0:
                    pairs += cuda.popc(equal(word, quote))
                returns |= equal(word, _ONES * u64(RETURN))
                nulls |= equal(word, u64(0))
                high |= word & _TOPS
            ends[i] = found
            quotes[i] = pairs
            # Threads that write here write the same.
            if pairs != 0:
                facts[HAS_QUOTES] = 1
            if returns != u64(0):
                facts[HAS_RETURNS] = 1
            if high != u64(0):
                facts[HAS_HIGH] = 1
            if nulls != u64(0):
                facts[HAS_NULLS] = 1

    return count_marks


@cache
def _count_outside() -> Any:
    equal, inside = _equal(), _inside()

    @cuda.jit
    def count_ends_outside(words: Any, patterns: Any, quotes: Any, ends: Any) -> None:
        separator, quote = patterns
        for i in range(cuda.grid(1), ends.size, cuda.gridsize(1)):
            parity = u64(0)
            if i > 0:
                parity = u64(quotes[i - 1]) & u64(1)
            found = 0
            for k in range(WORDS):
                word = words[WORDS * i + k]
                quoted = inside(word, quote, parity)
                parity = quoted >> u64(63)
                marks = equal(word, separator) | equal(word, _ONES * u64(FEED))
                found += cuda.popc(marks & ~quoted)
            ends[i] = found

    return count_ends_outside


@cache
def _check_returns() -> Any:
    @cuda.jit(device=True)
    def returns_end_lines(text: Any, returns: Any, base: Any) -> Any:
        """Tells if line feeds follow all returns of a word."""
        while returns != u64(0):
            bit = np.int64(cuda.ffs(returns)) - 1
            if text[base + bit // 8 + 1] != FEED:
                return False
            returns &= returns - u64(1)
        return True

    return returns_end_lines


@cache
def _check_quotes() -> Any:
    @cuda.jit(device=True)
    def quotes_hold_fields(text: Any, marks: Any, quoted: Any, base: Any, cuts: Any) -> Any:
        """Tells if quotes that open follow a field's end or a quote; and the others likewise."""
        separator, quote, size = cuts
        while marks != u64(0):
            bit = np.int64(cuda.ffs(marks)) - 1
            at = base + bit // 8
            if (quoted >> u64(bit)) & u64(1) != u64(0):
                before = text[at - 1] if at > 0 else FEED
                if before not in (separator, FEED, quote):
                    return False
            elif at + 1 < size:
                after = text[at + 1]
                if after not in (separator, FEED, RETURN, quote):
                    return False
            marks &= marks - u64(1)
        return True

    return quotes_hold_fields


@cache
def _put_starts() -> Any:
    @cuda.jit(device=True)
    def put_starts(starts: Any, ends: Any, feeds: Any, base: Any, place: Any, width: Any) -> Any:
        """Writes where fields begin after a word's ends; tells if records end by line feeds."""
        column = place % width
        is_good = True
        while ends != u64(0):
            bit = np.int64(cuda.ffs(ends)) - 1
            starts[place + 1] = base + bit // 8 + 1
            column += 1
            is_last = column == width
            if is_last != ((feeds >> u64(bit)) & u64(1) != u64(0)):
                is_good = False
            if is_last:
                column = 0
            place += 1
            ends &= ends - u64(1)
        return is_good

    return put_starts


@cache
def _write() -> Any:
    equal, inside, put = _equal(), _inside(), _put_starts()
    good_returns, good_quotes = _check_returns(), _check_quotes()

    @cuda.jit
    def write_starts(
        source: Any, marks: Any, known: Any, counts: Any, starts: Any, facts: Any
    ) -> None:
        words, text = source
        before, quotes = counts
        separator, quote = marks
        width, size, has_quotes, has_returns = known
        if cuda.grid(1) == 0:
            starts[0] = 0
        for i in range(cuda.grid(1), before.size, cuda.gridsize(1)):
            place = np.int64(0)
            parity = u64(0)
            if i > 0:
                place = np.int64(before[i - 1])
                if has_quotes != 0:
                    parity = u64(quotes[i - 1]) & u64(1)
            is_good = True
            for k in range(WORDS):
                word = words[WORDS * i + k]
                base = np.int64(CHUNK * i + 8 * k)
                feeds = equal(word, _ONES * u64(FEED))
                ends = feeds | equal(word, separator)
                quoted = u64(0)
                if has_quotes != 0:
                    quoted = inside(word, quote, parity)
                    parity = quoted >> u64(63)
                    ends &= ~quoted
                    cuts = (separator & u64(0xFF), quote & u64(0xFF), size)
                    is_good &= good_quotes(text, equal(word, quote), quoted, base, cuts)
                if has_returns != 0:
                    returns = equal(word, _ONES * u64(RETURN)) & ~quoted
                    is_good &= good_returns(text, returns, base)
                is_good &= put(starts, ends, feeds, base, place, width)
                place += np.int64(cuda.popc(ends))
            if not is_good:
                facts[IS_IRREGULAR] = 1

    return write_starts


@cache
def _find_blank() -> Any:
    @cuda.jit
    def find_blank_rows(text: Any, starts: Any, facts: Any) -> None:
        for i in range(cuda.grid(1), starts.size - 1, cuda.gridsize(1)):
            first = text[starts[i]]
            if first in (FEED, RETURN, SPACE, TAB):
                facts[IS_IRREGULAR] = 1

    return find_blank_rows


def structure_of(text: Any, size: int, marks: Marks, width: int, skips_blank: bool) -> Any:
    """The `Structure` of the first `size` bytes, or None where it is not regular.

    The last byte of them is a line feed; `text` has a whole number of chunks, whose other bytes are
    neither ends of fields nor quotes. Regular are records of `width` fields whose quotes hold whole
    fields, and returns before line feeds alone. Null bytes and what is not UTF-8 are not.
    """
    device, where = text._device, text.device
    words = _words_of(text)
    chunks, kind = text.size // CHUNK, row_type(text.size)
    ends, quotes = (full(chunks, 0, kind, where) for _ in range(2))
    facts = full(_FACTS, 0, np.int32, where)
    patterns, has_quote = marks.patterns, np.int64(marks.quote >= 0)
    counts = (written(ends), written(quotes), written(facts))
    launch_over(_count(), chunks, device, words, patterns, has_quote, *counts)
    found = np.asarray(facts)
    has_quotes, has_returns = bool(found[HAS_QUOTES]), bool(found[HAS_RETURNS])
    if found[HAS_NULLS] or (found[HAS_HIGH] and not is_utf8(text, size)):
        return None
    if has_quotes:
        quotes = px.cumsum(quotes, dtype=kind)
        if int(quotes[-1]) % 2:
            return None  # the last one is not closed
        given = (read(quotes), written(ends))
        launch_over(_count_outside(), chunks, device, words, patterns, *given)
    before = px.cumsum(ends, dtype=kind)
    fields = int(before[-1])
    if fields == 0 or fields % width:
        return None
    starts = px.empty(fields + 1, dtype=np.dtype(_place_type(size)).name, device=where)
    known = tuple(np.int64(each) for each in (width, size, has_quotes, has_returns))
    source, sums = (words, read(text)), (read(before), read(quotes))
    made = (written(starts), written(facts))
    launch_over(_write(), chunks, device, source, patterns, known, sums, *made)
    if width == 1 and skips_blank:
        launch_over(_find_blank(), fields, device, read(text), read(starts), written(facts))
    if np.asarray(facts)[IS_IRREGULAR]:
        return None
    quoted = marks.quote if has_quotes else -1
    return Structure(text, starts, fields // width, width, quoted, has_returns)


def _words_of(text: Any) -> Any:
    """The memory of a text, whose bytes are a multiple of 8, in words."""
    element = _engine.Type.scalar("uint64")
    return _engine.DeviceArray(read(text), (text.size // 8,), (8,), 0, element)


def _place_type(size: int) -> Any:
    return np.uint32 if size < (1 << 32) - 1 else np.int64
