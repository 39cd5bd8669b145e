"""Several digits in words of 64 bits: rows are equal, or ordered, as their words are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from .._sorting import rows as sorting
from .digits import Digit

_WORD = 1 << 64


class Word(NamedTuple):
    """Numbers below `limit`, uint32 or uint64 as that asks for."""

    numbers: Any
    limit: int


def words_of(digits: Sequence[Digit]) -> list[Word]:
    """Words of digits, of which the first matters most, in the same order."""
    made: list[Word] = []
    for digit in reversed(digits):
        if made and made[-1].limit * digit.limit <= _WORD:
            made[-1] = _joined(digit, made[-1])
        else:
            made.append(Word(*digit))
    return made[::-1]


def _joined(digit: Digit, word: Word) -> Word:
    count = word.limit * digit.limit
    wide = np.uint64 if count > 1 << 32 else np.uint32
    numbers = digit.numbers.astype(wide) * wide(word.limit % _WORD) + word.numbers.astype(wide)
    return Word(numbers.astype(wide), count)


def order_of(words: Sequence[Word], rows: Any = None) -> Any:
    """The rows in the order of their words, equal ones as they are (or as `rows` has them).

    There is one row at least. Rows are of the type that `position_type` says.
    """
    count = words[0].numbers.size if rows is None else rows.size
    if rows is not None:
        rows = rows.astype(sorting.position_type(count))
    for word in reversed(words):
        for part in _sortable(word):
            rows = sorting.order(part if rows is None else part[rows], rows)
    return rows


def _sortable(word: Word) -> list[Any]:
    """A word in types that radix sort needs no more digits for than the word has, lowest first."""
    bits = max(word.limit - 1, 1).bit_length()
    numbers = word.numbers
    if bits <= 32 or bits > 48:
        narrow = np.uint8 if bits <= 8 else np.uint16 if bits <= 16 else numbers.dtype.type
        narrow = np.uint32 if 16 < bits <= 32 else narrow
        return [numbers.astype(narrow)]
    high = np.uint8 if bits <= 40 else np.uint16
    return [numbers.astype(np.uint32), (numbers >> np.uint64(32)).astype(high)]
