"""The best split of a node by one feature, from its histogram, or one that is drawn.

Random splits are those of P. Geurts and others, "Extremely randomized trees" (2006).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit
from .criteria import WEIGHT, explained_by

_MASK = 0xFFFFFFFF


@cache
def drawer() -> Any:
    """A function that moves a generator of 32 bits on, and returns its new state.

    Xorshift, of G. Marsaglia, "Xorshift RNGs" (2003).
    """

    @njit
    def draw(state: Any) -> Any:
        s = state[0]
        s ^= (s << 13) & _MASK
        s ^= s >> 17
        s ^= (s << 5) & _MASK
        state[0] = s
        return s

    return draw


@cache
def state_of_child() -> Any:
    """A function of a node's state and a side: the state with which that child's draws begin.

    The last mixing of MurmurHash3, of A. Appleby; never 0, where the generator would stay.
    """

    @njit
    def state_of(state: Any, side: Any) -> Any:
        s = ((state * 2 + side + 1) & _MASK) * 0x9E3779B1 & _MASK
        s = (s ^ (s >> 16)) * 0x85EBCA6B & _MASK
        s = (s ^ (s >> 13)) * 0xC2B2AE35 & _MASK
        s ^= s >> 16
        return s if s != 0 else 1

    return state_of


@cache
def _scorer(criterion: str) -> Any:
    """A function of the sums of the left side: what both sides explain.

    It is -inf where a side has too few samples or too little weight.
    """
    explained = explained_by(criterion)

    @njit
    def score(room: Any, least: Any) -> Any:
        left, right, total = room.sums[0], room.sums[1], room.sums[2]
        for k in range(total.shape[0]):
            right[k] = total[k] - left[k]
        least_weight = room.weight[0]
        if left[0] < least or right[0] < least:
            return -np.inf
        if left[WEIGHT] < least_weight or right[WEIGHT] < least_weight:
            return -np.inf
        if left[WEIGHT] <= 0.0 or right[WEIGHT] <= 0.0:
            return -np.inf
        return explained(left) + explained(right)

    return score


@cache
def middle() -> Any:
    """A function of the greatest value on the left and the least on the right: where they part."""

    @njit
    def middle_of(begin: Any, end: Any) -> Any:
        cut = begin * 0.5 + end * 0.5
        return cut if cut < end and cut >= begin else begin

    return middle_of


@cache
def _best(criterion: str) -> Any:
    score = _scorer(criterion)

    @njit
    def best(room: Any, groups: Any, ranges: Any, least: Any) -> Any:
        left = room.sums[0]
        for k in range(left.shape[0]):
            left[k] = 0.0
        most = -np.inf
        last = -1
        for g in range(groups - 1):
            for k in range(left.shape[0]):
                left[k] += room.hist[g, k]
            now = score(room, least)
            if now > most:
                most = now
                last = g
        return most, last, 0.0

    return best


@cache
def cutter(is_random: bool) -> Any:
    """A function of the best split of a node: the value where its sides part.

    Only the best split of all features asks for it, as ranges of bins lie far apart in memory.
    """
    middle_of = middle()

    @njit
    def cut_of(room: Any, last: Any, ranges: Any, drawn: Any) -> Any:
        ids = room.ids[0]
        return drawn if is_random else middle_of(ranges[1, ids[last]], ranges[0, ids[last + 1]])

    return cut_of


@cache
def _random(criterion: str) -> Any:
    score, middle_of, draw = _scorer(criterion), middle(), drawer()

    @njit
    def random(room: Any, groups: Any, ranges: Any, least: Any) -> Any:
        ids, left = room.ids[0], room.sums[0]
        begin = ranges[0, ids[0]]
        end = ranges[1, ids[groups - 1]]
        share = np.float64(draw(room.state)) / 4294967296.0
        cut = begin * (1.0 - share) + end * share
        last = 0
        # A value inside a bin moves to the nearer edge: bins are not divided.
        while (
            last < groups - 2 and (ranges[0, ids[last + 1]] + ranges[1, ids[last + 1]]) * 0.5 <= cut
        ):
            last += 1
        lower, upper = ranges[1, ids[last]], ranges[0, ids[last + 1]]
        if cut < lower or cut >= upper:
            cut = middle_of(lower, upper)
        for k in range(left.shape[0]):
            left[k] = 0.0
            for g in range(last + 1):
                left[k] += room.hist[g, k]
        return score(room, least), last, cut

    return random


def scanner(criterion: str, is_random: bool) -> Any:
    """A function that finds the best split of a histogram, or scores one that is drawn.

    It returns what both sides explain, the last row on the left, and the value that was drawn.
    """
    return _random(criterion) if is_random else _best(criterion)
