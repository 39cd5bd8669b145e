"""Terms of documents as columns of counts, in CSR form."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np


class Vocabulary(dict[Any, int]):
    """The number of each term: the next one for a term that is new."""

    def __missing__(self, term: Any) -> int:
        number = self[term] = len(self)
        return number


def counted(lists: Iterable[Any], table: dict[Any, int]) -> tuple[np.ndarray, ...]:
    """How often each document has each term: counts, terms' numbers, and where rows begin.

    Terms that a plain dict has not are left out; a `Vocabulary` takes them in. Numbers of terms are
    sorted in each row.
    """
    numbers: list[int] = []
    ends = [0]
    grows = isinstance(table, Vocabulary)
    for terms in lists:
        if grows:
            numbers.extend(map(table.__getitem__, terms))
        else:
            numbers.extend(table[each] for each in terms if each in table)
        ends.append(len(numbers))
    rows = np.repeat(np.arange(len(ends) - 1, dtype=np.int64), np.diff(ends))
    return summed(rows, np.array(numbers, np.int64), None, (len(ends) - 1, len(table)))


def summed(
    rows: np.ndarray, columns: np.ndarray, values: np.ndarray | None, shape: tuple[int, int]
) -> tuple[np.ndarray, ...]:
    """Elements of a matrix, of one place added up, as values, columns and where rows begin.

    Without values each counts 1.
    """
    width = max(shape[1], 1)
    places, places_of, counts = np.unique(
        rows * width + columns, return_inverse=True, return_counts=True
    )
    if values is not None:
        counts = np.bincount(places_of.reshape(-1), values, minlength=len(places))
    starts = np.searchsorted(places, np.arange(shape[0] + 1, dtype=np.int64) * width)
    index = np.int32 if max(len(places), width) < 2**31 else np.int64
    return counts, (places % width).astype(index), starts.astype(index)
