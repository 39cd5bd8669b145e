"""Nearer samples among the neighbors of neighbors.

Of W. Dong, C. Moses and K. Li, "Efficient k-nearest neighbor graph construction for generic
similarity measures" (2011): pairs that were looked at before are left out. Each sample changes its
own neighbors only, by those of the round before, so that rounds do not depend on threads.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .... import njit, prange
from .heaps import is_among, replace_farthest, sort_heap

_ROUNDS = 12
_WIDTH = 16  # neighbors and reverse neighbors of a sample that are followed
_TRIED = 16  # one of that many samples tells if there is something to be found
_FEW, _FEW_TRIED = 0.01, 0.02  # of all neighbors: fewer new ones are not worth a round


@njit
def _reverse(rows: Any, fresh: Any, sizes: Any, back: Any, fresh_back: Any) -> None:
    """Of each sample some of those that have it among their nearest, from the closest on."""
    sizes[:] = 0
    width = back.shape[1]
    for place in range(min(width, rows.shape[1])):
        for i in range(rows.shape[0]):
            other = rows[i, place]
            if other >= 0 and sizes[other] < width:
                back[other, sizes[other]] = i
                fresh_back[other, sizes[other]] = fresh[i, place]
                sizes[other] += 1


@njit(fastmath={"contract", "reassoc"})
def _half_square(z: Any, one: Any, other: Any) -> Any:
    total = np.float32(0)
    for d in range(z.shape[1]):
        step = z[one, d] - z[other, d]
        total += step * step
    return total * np.float32(0.5)


@njit
def _follow(z: Any, own: Any, via: Any, is_fresh: Any, graph: Any, made: Any) -> None:
    """Look at the nearest of one sample on behalf of another."""
    rows, fresh = graph
    apart, found = made
    for place in range(min(_WIDTH, rows.shape[1])):
        other = rows[via, place]
        if other < 0 or other == own or not (is_fresh or fresh[via, place]):
            continue
        there = _half_square(z, own, other)
        if there < apart[0] and not is_among(found, other):
            replace_farthest(apart, found, there, other)


@njit(parallel=True)
def _round(z: Any, graph: Any, reverse: Any, step: Any, out: Any) -> None:
    """Look at neighbors of neighbors of each `step`-th sample; tell which are new to it."""
    rows, fresh, distances = graph
    sizes, back, fresh_back = reverse
    apart, found, is_new = out
    count = rows.shape[1]
    for which in prange((rows.shape[0] + step - 1) // step):
        own = which * step
        # From the farthest on, this is a heap.
        for place in range(count):
            apart[own, place] = distances[own, count - 1 - place]
            found[own, place] = rows[own, count - 1 - place]
        mine = (apart[own], found[own])
        for place in range(min(_WIDTH, count)):
            via = rows[own, place]
            if via >= 0:
                _follow(z, own, via, fresh[own, place], (rows, fresh), mine)
        for place in range(sizes[own]):
            _follow(z, own, back[own, place], fresh_back[own, place], (rows, fresh), mine)
        sort_heap(apart[own], found[own])
        for place in range(count):
            is_new[own, place] = not is_among(rows[own], found[own, place])


def descend(z: np.ndarray, apart: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Half the squared distances and rows of nearer samples, in order, from those that are found.

    If some of the samples find hardly any, nothing is done.
    """
    fresh = np.ones(rows.shape, np.bool_)
    sizes = np.zeros(len(rows), np.int64)
    back = np.zeros((len(rows), _WIDTH), np.int32)
    fresh_back = np.zeros(back.shape, np.bool_)
    out = (np.empty_like(apart), np.empty_like(rows), np.zeros_like(fresh))
    for number in range(_ROUNDS + 1):
        # Round 0 is a trial of a few.
        step = _TRIED if number == 0 else 1
        _reverse(rows, fresh, sizes, back, fresh_back)
        _round(z, (rows, fresh, apart), (sizes, back, fresh_back), step, out)
        is_done = float(out[2][::step].mean()) < (_FEW if number else _FEW_TRIED)
        if number > 0:
            kept = apart, rows, fresh
            (apart, rows, fresh), out = out, kept
        if is_done:
            break
    return apart, rows
