"""Kernels that write where a row's number says."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from .. import cuda
from .._arrays.launching import launch_alone, read, written

_THREADS = 256
_MOST_BLOCKS = 1 << 14


def launch_over(kernel: Any, rows: int, device: Any, *args: Any) -> None:
    """Launches a kernel whose threads stride over the rows."""
    blocks = max(min(-(-rows // _THREADS), _MOST_BLOCKS), 1)
    launch_alone(kernel, blocks, _THREADS, device, *args)


def full(count: int, value: Any, dtype: Any, device: Any) -> Any:
    """A vector to write to."""
    return px.full(count, value, dtype=np.dtype(dtype).name, device=device)


@cache
def _first_rows(wide: Any) -> Any:
    @cuda.jit
    def lower_to_first_rows(words: Any, firsts: Any) -> None:
        for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
            word = np.int64(words[i])
            # Rows come nearly in order: once the first ones are through, nobody writes.
            if firsts[word] > i:
                cuda.atomic.min(firsts, word, wide(i))

    return lower_to_first_rows


def first_rows(words: Any, count: int) -> Any:
    """Of each number below `count` its first row in a vector, `nobody(firsts)` of those of none."""
    wide = row_type(words.size)
    firsts = full(count, np.iinfo(wide).max, wide, words.device)
    launch_over(_first_rows(wide), words.size, words._device, read(words), written(firsts))
    return firsts


def row_type(rows: int) -> Any:
    """The type of the numbers of rows."""
    return np.int32 if rows < np.iinfo(np.int32).max else np.int64


def nobody(firsts: Any) -> Any:
    """What `first_rows` has where a number is no row's."""
    return firsts.dtype.type(np.iinfo(firsts.dtype).max)


@cache
def _put(has_values: bool) -> Any:
    @cuda.jit
    def put_at_rows(rows: Any, values: Any, out: Any) -> None:
        for i in range(cuda.grid(1), rows.size, cuda.gridsize(1)):
            if has_values:
                out[rows[i]] = values[i]
            else:
                out[rows[i]] = i

    return put_at_rows


def put(out: Any, rows: Any, values: Any = None) -> Any:
    """Writes values, or 0, 1, 2 and so on, at rows that are all different; gives `out`."""
    given = read(rows if values is None else values)
    launch_over(_put(values is not None), rows.size, out._device, read(rows), given, written(out))
    return out


@cache
def _count() -> Any:
    @cuda.jit
    def count_words(words: Any, counts: Any) -> None:
        for i in range(cuda.grid(1), words.size, cuda.gridsize(1)):
            cuda.atomic.add(counts, np.int64(words[i]), 1)

    return count_words


def counts_of(words: Any, count: int) -> Any:
    """How many rows have each number below `count`; rows with -1 or no number are not there."""
    counts = full(count, 0, row_type(words.size), words.device)
    launch_over(_count(), words.size, words._device, read(words), written(counts))
    return counts


@cache
def _expand() -> Any:
    @cuda.jit
    def write_partners(
        firsts: Any, counts: Any, goals: Any, partners: Any, left: Any, right: Any
    ) -> None:
        for i in range(cuda.grid(1), firsts.size, cuda.gridsize(1)):
            goal = goals[i]
            if counts[i] == 0:
                if goal + 1 == goals[i + 1]:
                    left[goal] = i
                    right[goal] = -1
            else:
                for k in range(counts[i]):
                    left[goal + k] = i
                    right[goal + k] = partners[firsts[i] + k]

    return write_partners


def expanded(firsts: Any, counts: Any, goals: Any, partners: Any) -> tuple[Any, Any]:
    """Pairs of rows: row i has `counts[i]` of the partners, from `firsts[i]` on.

    Its pairs go to `goals[i]` and on; a row without partners has one with -1 where `goals` leaves
    room for it.
    """
    total = int(goals[-1])
    left, right = (full(total, 0, np.int64, firsts.device) for _ in range(2))
    given = (read(firsts), read(counts), read(goals), read(partners))
    launch_over(_expand(), firsts.size, firsts._device, *given, written(left), written(right))
    return left, right
