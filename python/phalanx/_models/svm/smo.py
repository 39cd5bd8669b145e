"""The quadratic problem of support vector machines, and its solution."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from ..kernels import PRECOMPUTED, RBF, Kernel
from ..pacing import Pace
from .kernel_rows import Table, is_worth_cores, row_function
from .smo_steps import (
    ALPHA,
    BOUND,
    DIAGONAL,
    DONE,
    FAR,
    GAP,
    LOW,
    SIGN,
    STEPS,
    SUMS,
    TARGET,
    UP,
    State,
    steps_function,
)

_FEWEST_ROWS = 8
_FIRST_STEPS, _STEPS_A_CALL = 16, 4096


class Problem(NamedTuple):
    """Variables alpha between 0 and `bound`, each with a `sign`; as many as samples or twice.

    The least value of half the square of the sum of sign * alpha * sample, in the kernel's space,
    less that of target * sign * alpha, where the sum of sign * alpha stays what it is; with
    `halves` also that of alpha of each sign, and variables come sorted by it.
    """

    x: np.ndarray
    kernel: Kernel
    target: np.ndarray
    sign: np.ndarray
    bound: np.ndarray
    alpha: np.ndarray
    halves: bool = False


class Limits(NamedTuple):
    """When a solution is near enough, and how much it may take."""

    tol: float
    steps: int  # -1: any number
    megabytes: float
    verbose: bool


class Solution(NamedTuple):
    """The variables, the intercept of each group, how many steps there were."""

    alpha: np.ndarray
    intercepts: np.ndarray
    steps: int
    has_converged: bool


def _state(problem: Problem, limits: Limits, table: Table) -> State:
    """The variables and the cache to begin with."""
    count, several = len(problem.x), len(problem.sign)
    variables = np.zeros((6, several))
    variables[TARGET], variables[SIGN] = problem.target, problem.sign
    variables[ALPHA], variables[BOUND] = problem.alpha, problem.bound
    can_grow, can_fall = problem.alpha < problem.bound, problem.alpha > 0
    positive = problem.sign > 0
    variables[UP] = np.where(np.where(positive, can_grow, can_fall), 0, -FAR)
    variables[LOW] = np.where(np.where(positive, can_fall, can_grow), 0, FAR)
    samples = np.zeros((3, count))
    samples[DIAGONAL] = _diagonal(table, problem.kernel)
    samples[SUMS] = _sums(problem, table)
    rows = int(limits.megabytes * 1e6 // (4 * max(count, 1)))
    rows = min(max(rows, _FEWEST_ROWS), max(count, _FEWEST_ROWS))
    halfway = int(positive.sum())
    groups = [(0, halfway), (halfway, several)] if problem.halves else [(0, several)]
    return State(
        *table,
        problem.kernel.numbers(),
        variables,
        samples,
        np.empty((rows, count), np.float32),
        np.full((3, max(count, rows)), -1, np.int64),
        np.array(groups, np.int64),
        np.zeros(4),
    )


def _sums(problem: Problem, table: Table) -> np.ndarray:
    """The sums of the variables that are not 0 at first."""
    count = len(problem.x)
    made, shares, row = np.zeros(count), np.zeros(count), np.empty(count)
    np.add.at(shares, np.arange(len(problem.sign)) % count, problem.sign * problem.alpha)
    write = row_function(parallel=is_worth_cores(table))
    for i in np.flatnonzero(shares):
        write(*table, problem.kernel.numbers(), i, row)
        made += shares[i] * row.astype(np.float32)
    return made


def _diagonal(table: Table, kernel: Kernel) -> np.ndarray:
    if kernel.kind == PRECOMPUTED:
        return np.ascontiguousarray(np.diagonal(table.columns))
    if kernel.kind == RBF:
        return np.ones(table.columns.shape[1])
    return kernel.of_products(table.squares)


def solve(problem: Problem, limits: Limits) -> Solution:
    """Find the variables by sequential minimal optimization.

    Two variables move at a time, the one that breaks the conditions most and the one with which
    the value falls most, of R.-E. Fan, P.-H. Chen and C.-J. Lin, "Working set selection using
    second order information for training support vector machines" (2005). Rows of the kernel are
    computed when they are needed, and kept in float32.
    """
    table = Table.of(problem.x, problem.kernel)
    state = _state(problem, limits, table)
    run, report = steps_function(parallel=is_worth_cores(table)), state.report
    left = limits.steps if limits.steps >= 0 else np.iinfo(np.int64).max
    pace, printed = Pace(_FIRST_STEPS, _STEPS_A_CALL), 0
    while not report[DONE] and report[STEPS] < left:
        run(state, min(pace.begin(), left - int(report[STEPS])), limits.tol)
        pace.end()
        is_end = report[DONE] or report[STEPS] >= left
        if limits.verbose and (is_end or report[STEPS] >= printed + _STEPS_A_CALL):
            printed = int(report[STEPS])
            print(f"Step {printed}, gap {report[GAP]:.3e}.")
    scores = state.variables[TARGET] - np.resize(state.samples[SUMS], len(problem.sign))
    made = [_intercept(state.variables[:, a:b], scores[a:b]) for a, b in state.groups]
    return Solution(state.variables[ALPHA], np.array(made), int(report[STEPS]), bool(report[DONE]))


def _intercept(variables: Any, scores: np.ndarray) -> float:
    """The mean score of variables between their bounds, or the middle of the others'."""
    can_up, can_down = variables[UP] == 0, variables[LOW] == 0
    free = can_up & can_down
    if free.any():
        return float(scores[free].mean())
    high = scores[can_up].max(initial=-np.inf)
    low = scores[can_down].min(initial=np.inf)
    if not np.isfinite([high, low]).all():
        return float(np.nan_to_num(high if np.isfinite(high) else low, posinf=0, neginf=0))
    return float(high + low) / 2
