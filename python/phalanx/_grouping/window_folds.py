"""States of rows that can be merged, of which windows are put together: the host's
(`frames/windows/folds.h`) as tuples of float64.

The last number of a state is the count of its rows; that of no rows has 0 there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import cuda


class Fold(NamedTuple):
    """What a state begins with, and device functions: of one row's values the state, of two parts
    the state of both, of a state, a form and
    a ddof the number. Forms are the places of kinds in `KINDS`: a kernel has all of a fold's."""

    zero: tuple[float, ...]
    single: Any
    merged: Any
    result: Any


@cuda.jit(device=True)
def _both(sum_: Any, lost: Any, other: Any, other_lost: Any) -> Any:
    """Two sums as one, and what rounding took off them (D. E. Knuth, TAOCP 2, 4.2.2)."""
    next_ = sum_ + other
    taken = next_ - sum_
    return next_, lost + ((sum_ - (next_ - taken)) + (other - taken)) + other_lost


def _sums() -> Fold:
    @cuda.jit(device=True)
    def single(x: Any, y: Any) -> Any:
        return x, 0.0, 1.0

    @cuda.jit(device=True)
    def merged(a: Any, b: Any) -> Any:
        total, lost = _both(a[0], a[1], b[0], b[1])
        return total, lost, a[2] + b[2]

    @cuda.jit(device=True)
    def result(a: Any, form: Any, ddof: Any) -> Any:
        total = a[0] + a[1] if math.isfinite(a[0]) else a[0]
        if form == 1:
            return total / a[2] if a[2] > 0.0 else math.nan
        return total

    return Fold((0.0, 0.0, 0.0), single, merged, result)


def _variances() -> Fold:
    @cuda.jit(device=True)
    def single(x: Any, y: Any) -> Any:
        return x, 0.0, 0.0, 1.0

    @cuda.jit(device=True)
    def merged(a: Any, b: Any) -> Any:
        if b[3] == 0.0:
            return a
        if a[3] == 0.0:
            return b
        distance = (b[0] - a[0]) + (b[1] - a[1])
        share = b[3] / (a[3] + b[3])
        mean, lost = _both(a[0], a[1], distance * share, 0.0)
        return mean, lost, a[2] + (b[2] + distance * distance * a[3] * share), a[3] + b[3]

    @cuda.jit(device=True)
    def result(a: Any, form: Any, ddof: Any) -> Any:
        if a[3] <= ddof:
            return math.nan
        variance = a[2] / (a[3] - ddof)
        if form == 0:
            return variance
        deviation = math.sqrt(variance)
        return deviation / math.sqrt(a[3]) if form == 2 else deviation

    return Fold((0.0, 0.0, 0.0, 0.0), single, merged, result)


def _moments() -> Fold:
    @cuda.jit(device=True)
    def single(x: Any, y: Any) -> Any:
        return x, 0.0, 0.0, 0.0, 0.0, 1.0

    @cuda.jit(device=True)
    def merged(one: Any, other: Any) -> Any:
        a, b = one[5], other[5]
        if b == 0.0:
            return one
        if a == 0.0:
            return other
        distance = (other[0] - one[0]) + (other[1] - one[1])
        part = distance / (a + b)
        square = distance * part * a * b
        fourth = (
            other[4]
            + square * part * part * (a * a - a * b + b * b)
            + 6.0 * part * part * (a * a * other[2] + b * b * one[2])
            + 4.0 * part * (a * other[3] - b * one[3])
        )
        third = other[3] + square * part * (a - b) + 3.0 * part * (a * other[2] - b * one[2])
        mean, lost = _both(one[0], one[1], part * b, 0.0)
        second = one[2] + (other[2] + square)
        return mean, lost, second, one[3] + third, one[4] + fourth, a + b

    @cuda.jit(device=True)
    def result(a: Any, form: Any, ddof: Any) -> Any:
        n, second = a[5], a[2]
        if second == 0.0 or n < 3.0 + form:
            return math.nan
        if form == 0:
            return n * math.sqrt(n - 1.0) / (n - 2.0) * a[3] / (second * math.sqrt(second))
        ratio = n * (n + 1.0) * (n - 1.0) * a[4] / (second * second)
        return (ratio - 3.0 * (n - 1.0) * (n - 1.0)) / ((n - 2.0) * (n - 3.0))

    return Fold((0.0,) * 6, single, merged, result)


def _extremes(is_max: bool) -> Fold:

    @cuda.jit(device=True)
    def single(x: Any, y: Any) -> Any:
        return x, 1.0

    @cuda.jit(device=True)
    def merged(a: Any, b: Any) -> Any:
        if is_max:
            return (b[0] if b[0] > a[0] else a[0]), a[1] + b[1]
        return (b[0] if b[0] < a[0] else a[0]), a[1] + b[1]

    @cuda.jit(device=True)
    def result(a: Any, form: Any, ddof: Any) -> Any:
        return a[0] if a[1] > 0.0 else math.nan

    return Fold((-np.inf if is_max else np.inf, 0.0), single, merged, result)


def _pairs() -> Fold:
    @cuda.jit(device=True)
    def single(x: Any, y: Any) -> Any:
        return x, 0.0, y, 0.0, 0.0, 0.0, 0.0, 1.0

    @cuda.jit(device=True)
    def merged(a: Any, b: Any) -> Any:
        if b[7] == 0.0:
            return a
        if a[7] == 0.0:
            return b
        share = b[7] / (a[7] + b[7])
        x = (b[0] - a[0]) + (b[1] - a[1])
        y = (b[2] - a[2]) + (b[3] - a[3])
        mean_x, lost_x = _both(a[0], a[1], x * share, 0.0)
        mean_y, lost_y = _both(a[2], a[3], y * share, 0.0)
        weight = a[7] * share
        return (
            mean_x, lost_x, mean_y, lost_y,
            a[4] + (b[4] + x * x * weight),
            a[5] + (b[5] + y * y * weight),
            a[6] + (b[6] + x * y * weight),
            a[7] + b[7],
        )  # fmt: skip

    @cuda.jit(device=True)
    def result(a: Any, form: Any, ddof: Any) -> Any:
        if form == 0:
            return a[6] / (a[7] - ddof) if a[7] > ddof else math.nan
        spread = math.sqrt(a[4] * a[5])
        return a[6] / spread if a[7] >= 2.0 and spread != 0.0 else math.nan

    return Fold((0.0,) * 8, single, merged, result)


# The kinds of each fold, and what makes it.
FOLDS: dict[str, tuple[tuple[str, ...], Callable[[], Fold]]] = {
    "sums": (("sum", "mean"), _sums),
    "variances": (("var", "std", "sem"), _variances),
    "moments": (("skew", "kurt"), _moments),
    "least": (("min",), lambda: _extremes(False)),
    "greatest": (("max",), lambda: _extremes(True)),
    "pairs": (("cov", "corr"), _pairs),
}
# Of each kind its fold and its form.
KINDS = {
    kind: (name, form) for name, (kinds, _) in FOLDS.items() for form, kind in enumerate(kinds)
}


@cache
def fold_of(name: str) -> Fold:
    """The fold of a name of `FOLDS`."""
    return FOLDS[name][1]()


@cache
def stored(count: int) -> tuple[Any, Any]:  # noqa: C901 (functions of a line each)
    """Device functions that write a state of that many numbers to a column of a matrix, and read
    it."""

    @cuda.jit(device=True)
    def save(states: Any, place: Any, a: Any) -> None:
        states[0, place] = a[0]
        states[1, place] = a[1]
        if count > 2:
            states[2, place] = a[2]
        if count > 3:
            states[3, place] = a[3]
        if count > 4:
            states[4, place] = a[4]
            states[5, place] = a[5]
        if count > 6:
            states[6, place] = a[6]
            states[7, place] = a[7]

    @cuda.jit(device=True)
    def of_two(s: Any, i: Any) -> Any:
        return s[0, i], s[1, i]

    @cuda.jit(device=True)
    def of_three(s: Any, i: Any) -> Any:
        return s[0, i], s[1, i], s[2, i]

    @cuda.jit(device=True)
    def of_four(s: Any, i: Any) -> Any:
        return s[0, i], s[1, i], s[2, i], s[3, i]

    @cuda.jit(device=True)
    def of_six(s: Any, i: Any) -> Any:
        return s[0, i], s[1, i], s[2, i], s[3, i], s[4, i], s[5, i]

    @cuda.jit(device=True)
    def of_eight(s: Any, i: Any) -> Any:
        return s[0, i], s[1, i], s[2, i], s[3, i], s[4, i], s[5, i], s[6, i], s[7, i]

    return save, {2: of_two, 3: of_three, 4: of_four, 6: of_six, 8: of_eight}[count]
