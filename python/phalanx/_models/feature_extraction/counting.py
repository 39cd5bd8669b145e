"""Terms of documents as columns of counts, in CSR form."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from itertools import repeat
from typing import Any

import numpy as np

from ..sparse_samples import SparseSamples, in_order


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
    numbers = array("q")
    ends = [0]
    grows = isinstance(table, Vocabulary)
    for terms in lists:
        if grows:
            numbers.extend(map(table.__getitem__, terms))
        else:
            numbers.extend(map(table.get, terms, repeat(-1)))
        ends.append(len(numbers))
    found, places = as_numbers(numbers), np.array(ends)
    if not grows:
        known = found >= 0
        found, places = found[known], np.append(0, np.cumsum(known))[places]
    return summed(found, None, places, len(table))


def as_numbers(given: array[int]) -> np.ndarray:
    """The integers of an array of Python's, int64."""
    return np.frombuffer(given, np.int64) if len(given) else np.zeros(0, np.int64)


def summed(
    columns: np.ndarray, values: np.ndarray | None, ends: np.ndarray, width: int
) -> tuple[np.ndarray, ...]:
    """Elements of a matrix of some columns, of one place added up: values, columns, rows' ends.

    Elements of a row are in any order. Without values each counts 1.
    """
    counts = np.ones(len(columns), np.int64) if values is None else values
    is_wide = max(len(columns), width) >= 2**31
    index = np.int64 if is_wide else np.int32
    made = SparseSamples(
        counts, columns.astype(index), ends.astype(np.int64), (len(ends) - 1, width)
    )
    ordered = in_order(made)
    return ordered.values, ordered.columns, ordered.ends.astype(index)
