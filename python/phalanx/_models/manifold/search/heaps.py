"""The nearest of each sample as a heap, the farthest of them first."""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import njit


@njit
def replace_farthest(apart: Any, rows: Any, new: Any, row: Any) -> None:
    """Put a nearer sample in the place of the farthest."""
    place, size = 0, len(apart)
    while True:
        child = 2 * place + 1
        if child >= size:
            break
        if child + 1 < size and apart[child + 1] > apart[child]:
            child += 1
        if apart[child] <= new:
            break
        apart[place] = apart[child]
        rows[place] = rows[child]
        place = child
    apart[place] = new
    rows[place] = row


@njit
def is_among(rows: Any, row: Any) -> Any:
    """True if a row is among others."""
    found = False
    for place in range(len(rows)):
        found |= rows[place] == row
    return found


@njit
def sort_heap(apart: Any, rows: Any) -> None:
    """Put a heap in order, the nearest first."""
    for end in range(len(apart) - 1, 0, -1):
        last, row = apart[end], rows[end]
        apart[end], rows[end] = apart[0], rows[0]
        replace_farthest(apart[:end], rows[:end], last, row)


def empty_heaps(samples: int, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Heaps of no samples yet: distances of infinity, and rows of -1."""
    return np.full((samples, count), np.inf, np.float32), np.full((samples, count), -1, np.int32)
