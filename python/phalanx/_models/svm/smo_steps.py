"""Steps of sequential minimal optimization: two variables at a time, until none is worth moving."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ... import njit
from .kernel_rows import FAST, row_function

# Rows of the table of variables.
TARGET, UP, LOW, ALPHA, BOUND, SIGN = range(6)
# Rows of the table of samples.
SUMS, DIAGONAL, ROW = range(3)
# Rows of the cache's table: each sample's slot, each slot's sample, and whether it was used lately.
SLOT, OWNER, USED = range(3)
# Elements of the report: steps, the gap, 1 when it has converged; and the cache's hand.
STEPS, GAP, DONE, HAND = range(4)
FAR = 1e300  # what keeps a variable from being chosen
_TINY = 1e-12  # the curvature of a direction that has none
_PART = 512


class State(NamedTuple):
    """What steps read and write: see the rows above."""

    columns: np.ndarray
    squares: np.ndarray
    kernel: np.ndarray
    variables: np.ndarray
    samples: np.ndarray
    cached: np.ndarray
    slots: np.ndarray
    groups: np.ndarray
    report: np.ndarray


@cache
def _highest() -> Any:
    @njit(fastmath=FAST)
    def highest(target: Any, sums: Any, up: Any, top: Any) -> Any:
        # The first index whose score is the highest, and above `top`; -1 if none is.
        count = target.shape[0]
        begin = -1
        for first in range(0, count, _PART):
            most = -FAR
            for t in range(first, min(first + _PART, count)):
                most = max(most, target[t] - sums[t] + up[t])
            if most > top:
                top = most
                begin = first
        if begin >= 0:
            for t in range(begin, min(begin + _PART, count)):
                if target[t] - sums[t] + up[t] >= top:
                    return t, top
        return -1, top

    return highest


@cache
def _steepest() -> Any:
    @njit(fastmath=FAST)
    def steepest(target: Any, low: Any, samples: Any, row: Any, goal: Any) -> Any:
        # The first index whose step gains most, above `best`, that gain, and the least score.
        own, most, best = goal
        count = target.shape[0]
        sums, diagonal = samples[SUMS], samples[DIAGONAL]
        least = FAR
        begin = -1
        for first in range(0, count, _PART):
            gain = 0.0
            for t in range(first, min(first + _PART, count)):
                score = target[t] - sums[t] + low[t]
                least = min(least, score)
                step = max(most - score, 0.0)
                curve = max(own + diagonal[t] - 2.0 * row[t], _TINY)
                gain = max(gain, step * step / curve)
            if gain > best:
                best = gain
                begin = first
        where = -1
        if begin >= 0:
            top = -1.0
            for t in range(begin, min(begin + _PART, count)):
                step = max(most - (target[t] - sums[t] + low[t]), 0.0)
                gain = step * step / max(own + diagonal[t] - 2.0 * row[t], _TINY)
                if gain > top:
                    top = gain
                    where = t
        return where, best, least

    return steepest


@cache
def _fetch(*, parallel: bool) -> Any:
    row_of = row_function(parallel=parallel)

    @njit(fastmath=FAST, parallel=parallel)
    def fetch(state: Any, i: Any, kept: Any) -> Any:
        # The slot of a sample's row, which may not be `kept`; the least used one makes room.
        slots, report, cached = state.slots, state.report, state.cached
        count = cached.shape[0]
        slot = slots[SLOT, i]
        if slot < 0:
            hand = int(report[HAND])
            while slots[USED, hand] > 0 or hand == kept:
                slots[USED, hand] = 0
                hand = (hand + 1) % count
            slot = hand
            report[HAND] = (hand + 1) % count
            if slots[OWNER, slot] >= 0:
                slots[SLOT, slots[OWNER, slot]] = -1
            slots[OWNER, slot] = i
            slots[SLOT, i] = slot
            row_of(state.columns, state.squares, state.kernel, i, state.samples[ROW])
            row, made = cached[slot], state.samples[ROW]
            for t in range(row.shape[0]):
                row[t] = made[t]
        slots[USED, slot] = 1
        return slot

    return fetch


@cache
def _move() -> Any:
    @njit(fastmath=FAST)
    def mark(variables: Any, t: Any) -> None:
        # Which ways a variable may go: by its sign, where it is not at a bound.
        alpha, bound = variables[ALPHA, t], variables[BOUND, t]
        is_positive = variables[SIGN, t] > 0.0
        can_grow, can_fall = alpha < bound, alpha > 0.0
        can_up = can_grow if is_positive else can_fall
        can_down = can_fall if is_positive else can_grow
        variables[UP, t] = 0.0 if can_up else -FAR
        variables[LOW, t] = 0.0 if can_down else FAR

    @njit(fastmath=FAST)
    def room(variables: Any, t: Any, way: Any) -> Any:
        if way * variables[SIGN, t] > 0.0:
            return variables[BOUND, t] - variables[ALPHA, t]
        return variables[ALPHA, t]

    @njit(fastmath=FAST)
    def shift(variables: Any, t: Any, step: Any, is_end: Any) -> None:
        # A variable that has no room left is at its bound, whatever rounding says.
        way = variables[SIGN, t] * step
        alpha = variables[ALPHA, t] + way
        if is_end:
            alpha = variables[BOUND, t] if way > 0.0 else 0.0
        variables[ALPHA, t] = alpha
        mark(variables, t)

    @njit(fastmath=FAST)
    def move(variables: Any, samples: Any, rows: Any, i: Any, j: Any) -> None:
        first, second = rows
        count = samples.shape[1]
        a, b = i % count, j % count
        sums, diagonal = samples[SUMS], samples[DIAGONAL]
        score = variables[TARGET, i] - sums[a] - (variables[TARGET, j] - sums[b])
        step = score / max(diagonal[a] + diagonal[b] - 2.0 * first[b], _TINY)
        room_up, room_down = room(variables, i, 1.0), room(variables, j, -1.0)
        step = min(step, min(room_up, room_down))
        shift(variables, i, step, step >= room_up)
        shift(variables, j, -step, step >= room_down)
        for t in range(count):
            sums[t] += step * (first[t] - second[t])

    return move


@cache
def _choices() -> tuple[Any, Any]:
    highest, steepest = _highest(), _steepest()

    @njit(fastmath=FAST)
    def first_of(state: Any, group: Any) -> Any:
        # The variable of a group with the highest score that may go up, and that score.
        variables, sums = state.variables, state.samples[SUMS]
        count = sums.shape[0]
        last = state.groups[group, 1]
        top, chosen = -FAR / 2, -1
        for begin in range(state.groups[group, 0], last, count):
            end = min(last, (begin // count + 1) * count)
            base = begin % count
            found, top = highest(
                variables[TARGET, begin:end],
                sums[base : base + end - begin],
                variables[UP, begin:end],
                top,
            )
            if found >= 0:
                chosen = begin + found
        return chosen, top

    @njit(fastmath=FAST)
    def second_of(state: Any, group: Any, row: Any, goal: Any) -> Any:
        # The variable with which the first gains most, that gain, and the least score.
        own, most, best = goal
        variables, samples = state.variables, state.samples
        count = samples.shape[1]
        last = state.groups[group, 1]
        chosen, lowest = -1, FAR
        for begin in range(state.groups[group, 0], last, count):
            end = min(last, (begin // count + 1) * count)
            base = begin % count
            found, best, least = steepest(
                variables[TARGET, begin:end],
                variables[LOW, begin:end],
                samples[:, base : base + end - begin],
                row[base : base + end - begin],
                (own, most, best),
            )
            lowest = min(lowest, least)
            if found >= 0:
                chosen = begin + found
        return chosen, best, lowest

    return first_of, second_of


@cache
def steps_function(*, parallel: bool) -> Any:
    """A function that makes some steps, or fewer if the gap is no more than `tol` before.

    The variables of each group (rows of `groups`: first and last) move among themselves; in each
    are one or two stretches of as many variables as samples, or fewer.
    """
    first_of, second_of = _choices()
    fetch, move = _fetch(parallel=parallel), _move()

    @njit(fastmath=FAST, parallel=parallel)
    def steps(state: Any, limit: Any, tol: Any) -> None:
        count, report = state.samples.shape[1], state.report
        for _ in range(limit):
            best, gap = 0.0, -FAR
            i, j = -1, -1
            slot, kept = -1, -1
            for g in range(state.groups.shape[0]):
                chosen, top = first_of(state, g)
                if chosen < 0:
                    continue
                slot = fetch(state, chosen % count, kept)
                own = state.samples[DIAGONAL, chosen % count]
                other, best, least = second_of(state, g, state.cached[slot], (own, top, best))
                gap = max(gap, top - least)
                if other >= 0:
                    i, j = chosen, other
                    kept = slot
            report[GAP] = gap
            if gap <= tol or j < 0:
                report[DONE] = 1.0
                break
            slot = fetch(state, j % count, kept)
            move(state.variables, state.samples, (state.cached[kept], state.cached[slot]), i, j)
            report[STEPS] += 1.0

    return steps
