"""Linear machines of many features, or whose losses have corners: the dual problem.

One variable moves at a time.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from ... import njit
from ..sparse_loops import WHOLE, unsigned, vector_functions
from ..sparse_samples import SparseSamples, squares_of
from .kernel_rows import FAST

# Elements of few samples; the slopes at which these end, and the passes that this may take.
_SMALL, _FINEST, _MORE = 1 << 13, 1e-11, 200
# Elements of the report.
_WORST, _MARGIN, _EPSILON = range(3)


class Boxes(NamedTuple):
    """A variable b for each sample x, between `low` and `high`.

    The least value of half the square of the sum of b x, less that of target * b, `epsilon`
    times the sum of \\|b\\|, and half the sum of `curve` * b^2.
    """

    x: np.ndarray | SparseSamples
    target: np.ndarray
    low: np.ndarray
    high: np.ndarray
    epsilon: float
    curve: np.ndarray


class Sides(NamedTuple):
    """The share of each sample's loss below and above its target; true if losses are squares."""

    low: np.ndarray  # 0 or less
    high: np.ndarray
    is_square: bool


def boxes_of(
    x: np.ndarray | SparseSamples, target: np.ndarray, sides: Sides, epsilon: float = 0.0
) -> Boxes:
    """The dual of the sum of losses; a square has the curve 1 / (2 share), and no bound."""
    low, high = sides.low, sides.high
    curve = np.zeros(len(x))
    if sides.is_square:
        share = np.maximum(-low, high)
        np.divide(0.5, share, out=curve, where=share > 0)
        low, high = np.where(low < 0, -np.inf, 0.0), np.where(high > 0, np.inf, 0.0)
    return Boxes(x, target, low, high, epsilon, curve)


class Descent(NamedTuple):
    """The coefficients, how many passes over the samples there were, and whether it converged."""

    place: np.ndarray
    steps: int
    has_converged: bool


@cache
def _pass_over(is_sparse: bool) -> Any:
    product, moved = vector_functions(is_sparse)

    @njit(fastmath=FAST)
    def pass_over(samples: Any, table: Any, w: Any, order: Any, kept: Any, report: Any) -> None:
        x, columns, ends = samples
        target, low, high, squares, values = table[0], table[1], table[2], table[3], table[4]
        curve = table[5]
        margin, epsilon, worst = report[_MARGIN], report[_EPSILON], 0.0
        for place in range(order.shape[0]):
            i = order[place]
            old = values[i]
            slope = product(w, x, columns, ends, i) - target[i] + curve[i] * old
            right = slope + epsilon if old >= 0.0 else slope - epsilon
            left = slope + epsilon if old > 0.0 else slope - epsilon
            can_grow, can_fall = old < high[i], old > low[i]
            kept[place] = (can_grow and right <= margin) or (can_fall and left >= -margin)
            if can_grow:
                worst = max(worst, -right)
            if can_fall:
                worst = max(worst, left)
            goal = old * squares[i] - slope
            size = max(abs(goal) - epsilon, 0.0) / squares[i]
            new = min(max(size if goal > 0.0 else -size, low[i]), high[i])
            if new != old:
                values[i] = new
                moved(w, x, columns, ends, i, new - old)
        report[_WORST] = worst

    return pass_over


class _State(NamedTuple):
    """What passes read and write: rows of samples, their table, coefficients and the report."""

    parts: tuple[Any, ...]
    rows: np.ndarray
    table: np.ndarray
    w: np.ndarray
    report: np.ndarray


def descend(problem: Boxes, tol: float, steps: int, random: Any, *, verbose: bool) -> Descent:
    """The coefficients, the sum of b x, by coordinate descent in random order.

    Of C.-J. Hsieh and others, "A dual coordinate descent method for large-scale linear SVM" (2008),
    and C.-H. Ho and C.-J. Lin, "Large-scale linear support vector regression" (2012). Samples whose
    variables stay at a bound are left out until the others have converged: when no slope is worse
    than `tol` times the first ones. Few samples go on from there for some passes, which are not
    counted, so that coefficients hardly depend on the order, and weights are as repeated samples.
    """
    x = problem.x
    parts = (x, *WHOLE)
    if isinstance(x, SparseSamples):
        parts = (x.values, unsigned(x.columns), x.ends)
    squares = squares_of(x) + problem.curve
    rows = np.flatnonzero(squares > 0)
    squares[squares == 0] = 1
    values = np.zeros(len(x))
    table = np.stack([problem.target, problem.low, problem.high, squares, values, problem.curve])
    w, report = np.zeros(x.shape[1]), np.array([0, np.inf, problem.epsilon])
    state = _State(parts, rows, table, w, report)
    found, first = _passes(state, (tol, 0.0), steps, random, verbose=verbose)
    if found.has_converged and len(x) * x.shape[1] <= _SMALL and tol > _FINEST:
        _passes(state, (_FINEST, first), _MORE, random, verbose=verbose)
    return found


def _passes(
    state: _State, ending: tuple[float, float], steps: int, random: Any, *, verbose: bool
) -> tuple[Descent, float]:
    """Passes until slopes are small beside the first ones, which are 0 where unknown yet."""
    tol, first = ending
    rows, w, report = state.rows, state.w, state.report
    left, report[_MARGIN] = rows, np.inf
    pass_over = _pass_over(len(state.parts[0].shape) == 1)
    for step in range(1, steps + 1):
        order = left[random.permutation(len(left))]
        kept = np.zeros(len(order), np.bool_)
        pass_over(state.parts, state.table, w, order, kept, report)
        worst = float(report[_WORST])
        first = first or worst
        if verbose:
            print(f"Pass {step}, {len(order)} samples, largest slope {worst:.3e}.")
        if worst <= tol * first:
            if len(left) == len(rows):
                return Descent(w, step, True), first
            left, report[_MARGIN] = rows, np.inf
            continue
        left, report[_MARGIN] = np.sort(order[kept]), worst
        if not len(left):
            left, report[_MARGIN] = rows, np.inf
    return Descent(w, steps, False), first
