"""The number of each value among sorted ones, in one pass over a column in the host's memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import njit, prange

_BLOCK = 256  # values that are looked up together
_FEWEST, _MOST_PARTS = 1 << 14, 64  # values of a part, and parts
_SAMPLE, _FEW = 1 << 11, 1 << 8  # values that are looked at first, and kinds that are few


@njit(parallel=True)
def _numbered(column: Any, table: Any, of_nan: Any, parts: Any, out: Any) -> None:
    """Halve the table for a block of values at a time: loops over these are vectors.

    Value by value a search took nine times as long.
    """
    each = (column.shape[0] + parts - 1) // parts
    for part in prange(parts):
        places = np.zeros(_BLOCK, np.uint32)
        end = min(column.shape[0], (part + 1) * each)
        for block in range(part * each, end, _BLOCK):
            own, made = column[block : min(block + _BLOCK, end)], out[block:end]
            for k in range(len(own)):
                places[k] = np.uint32(0)
            length = np.uint32(table.shape[0])
            while length > np.uint32(1):
                half = length >> np.uint32(1)
                for k in range(len(own)):
                    after = places[k] + half
                    places[k] = after if table[after] <= own[k] else places[k]
                length -= half
            for k in range(len(own)):
                found = np.int64(places[k]) if table[places[k]] == own[k] else np.int64(-1)
                made[k] = found if own[k] == own[k] else of_nan


def numbered(column: np.ndarray, table: np.ndarray, of_nan: int) -> np.ndarray:
    """The place of each value in a sorted table of its dtype, int64; -1, or `of_nan`, of others."""
    if not len(table):
        return np.where(column != column, of_nan, -1)
    out = np.empty(len(column), np.int64)
    parts = max(1, min(_MOST_PARTS, len(column) // _FEWEST))
    _numbered(column, table, of_nan, parts, out)
    return out


def kinds_of(column: np.ndarray) -> np.ndarray:
    """What there is in a column without NaN, sorted.

    Where a sample has few kinds, only values of other kinds are sorted: a look-up is quicker.
    """
    if len(column) <= 2 * _SAMPLE:
        return np.unique(column)
    table = np.unique(column[:: len(column) // _SAMPLE])
    if len(table) > _FEW:
        return np.unique(column)
    others = column[numbered(column, table, -1) < 0]
    return np.union1d(table, others) if len(others) else table
