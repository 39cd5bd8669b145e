"""Device functions that take fields out of text."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import cuda

u64 = np.uint64
RETURN = 13
GOOD, INVALID, TOO_LARGE = range(3)
_MOST_TENTH = u64((1 << 63) // 10)


class Fields(NamedTuple):
    """Which fields of records a kernel reads, and what they look like."""

    place: Any  # in a record
    width: Any  # of records
    has_return: Any  # 1: the last fields of a text with returns before line feeds, else 0
    quote: Any  # -1: there is none in the text


@cache
def bounds_of() -> Any:
    """Where the field of a row begins and ends, without the quotes around it."""

    @cuda.jit(device=True)
    def bounds(text: Any, starts: Any, fields: Any, row: Any) -> Any:
        place, width, has_return, quote = fields
        begin = np.int64(starts[row * width + place])
        end = np.int64(starts[row * width + place + 1]) - 1
        if has_return != 0 and end > begin and text[end - 1] == RETURN:
            end -= 1
        if quote >= 0 and end > begin and text[begin] == quote:
            begin += 1
            end -= 1
        return begin, end

    return bounds


@cache
def is_missing() -> Any:
    """Tells if a field is one of the texts that lie one after another; `ends` begins with 0."""

    @cuda.jit(device=True)
    def equals_one(text: Any, begin: Any, end: Any, texts: Any, ends: Any) -> Any:
        size = end - begin
        for i in range(ends.size - 1):
            first = np.int64(ends[i])
            if np.int64(ends[i + 1]) - first == size:
                k = np.int64(0)
                while k < size and text[begin + k] == texts[first + k]:
                    k += 1
                if k == size:
                    return True
        return False

    return equals_one


@cache
def without_blanks() -> Any:
    """The bounds of a field without blanks around it."""

    @cuda.jit(device=True)
    def is_blank(byte: Any) -> Any:
        return byte == 32 or (byte >= 9 and byte <= 13)

    @cuda.jit(device=True)
    def trimmed(text: Any, begin: Any, end: Any) -> Any:
        while begin < end and is_blank(text[begin]):
            begin += 1
        while begin < end and is_blank(text[end - 1]):
            end -= 1
        return begin, end

    return trimmed


@cache
def sign_of() -> Any:
    """1 or -1 for a sign, 0 where a text begins with none."""

    @cuda.jit(device=True)
    def sign(text: Any, begin: Any, end: Any) -> Any:
        if begin < end:
            if text[begin] == 45:
                return -1
            if text[begin] == 43:
                return 1
        return 0

    return sign


@cache
def whole_number() -> Any:
    """A text's number and GOOD, or INVALID, or TOO_LARGE for int64. Blanks around are no matter."""
    trimmed, sign = without_blanks(), sign_of()

    @cuda.jit(device=True)
    def read_whole(text: Any, begin: Any, end: Any) -> Any:
        begin, end = trimmed(text, begin, end)
        signed = sign(text, begin, end)
        if signed != 0:
            begin += 1
        if begin == end:
            return np.int64(0), INVALID
        number = u64(0)
        most = u64(1 << 63) - u64(0 if signed < 0 else 1)
        is_large = False
        for at in range(begin, end):
            digit = np.int32(text[at]) - 48
            if digit < 0 or digit > 9:
                return np.int64(0), INVALID
            is_large = is_large or bool(number > _MOST_TENTH)
            number = number * u64(10) + u64(digit)
        if is_large or number > most:
            return np.int64(0), TOO_LARGE
        value = np.int64(number)
        return (-value if signed < 0 else value), GOOD

    return read_whole


@cache
def equals_in_any_case(word: str) -> Any:
    """Tells if a text is a word of small letters, which may be capitals in it."""
    letters = tuple(word.encode())
    count = len(letters)

    @cuda.jit(device=True)
    def is_word(text: Any, begin: Any, end: Any) -> Any:
        if end - begin != count:
            return False
        for k in range(count):
            byte = np.int32(text[begin + k])
            if byte >= 65 and byte <= 90:
                byte += 32
            if byte != letters[k]:
                return False
        return True

    return is_word
