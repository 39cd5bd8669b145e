"""B-splines of a feature, by a kernel: one thread takes a sample."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

import phalanx as px

from ... import cuda
from ..._arrays.launching import launch_alone, read, written
from ..._arrays.ndarray import ndarray

_THREADS = 256
_MOST_BLOCKS = 1 << 14
AS_GIVEN, CLAMPED, LINEAR, PERIODIC = range(4)  # what becomes of numbers beyond the knots


@cache
def _evaluator(degree: int) -> Any:
    @cuda.jit(device=True)
    def basis(knots: Any, f: Any, place: Any, v: Any, made: Any, before: Any) -> None:
        made[0] = 1.0
        for j in range(1, degree + 1):
            for m in range(j):
                before[m] = made[m]
            made[0] = 0.0
            for m in range(1, j + 1):
                high, low = knots[f, place + m], knots[f, place + m - j]
                made[m] = 0.0
                if high != low:
                    share = before[m - 1] / (high - low)
                    made[m - 1] += share * (high - v)
                    made[m] = share * (v - low)

    return basis


@cache
def _mover(kind: int) -> Any:
    is_clamped = kind in (CLAMPED, LINEAR)

    @cuda.jit(device=True)
    def moved(v: Any, low: Any, high: Any) -> Any:
        if is_clamped:
            return min(max(v, low), high)
        if kind == PERIODIC:
            return low + (v - low) % (high - low) if high > low else 0.0
        return v

    return moved


@cache
def _writer(degree: int) -> Any:
    basis = _evaluator(degree)

    @cuda.jit(device=True)
    def write(knots: Any, f: Any, v: Any, count: Any, row: Any) -> None:
        # `row` is the feature's columns; of the last splines of a period there are no columns.
        made = cuda.local.array(degree + 1, np.float64)
        before = cuda.local.array(degree + 1, np.float64)
        last = knots.shape[1] - degree - 1
        place = degree
        while place < last - 1 and v >= knots[f, place + 1]:
            place += 1
        basis(knots, f, place, v, made, before)
        for j in range(degree + 1):
            column = (place - degree + j) % count
            if column < row.shape[0]:
                row[column] += made[j]

    return write


@cache
def _kernel(degree: int, kind: int) -> Any:
    moved, write = _mover(kind), _writer(degree)

    @cuda.jit
    def splines(x: Any, knots: Any, slopes: Any, out: Any) -> None:
        last = knots.shape[1] - degree - 1
        for i in range(cuda.grid(1), x.shape[0], cuda.gridsize(1)):
            for f in range(x.shape[1]):
                given = float(x[i, f])
                if given == given:
                    v = moved(given, knots[f, degree], knots[f, last])
                    write(knots, f, v, slopes.shape[2], out[i, f])
                    if kind == LINEAR and v != given:
                        side = 0 if given < v else 1
                        for column in range(out.shape[2]):
                            out[i, f, column] += (given - v) * slopes[f, side, column]

    return splines


def splines_of(
    x: ndarray, knots: np.ndarray, shape: tuple[int, int], kind: int, *, width: int
) -> ndarray:
    """The splines of samples, samples x features x `width`, the first of all, in their dtype.

    `knots` are features x knots, with those beyond the ends; `shape` the degree and the number
    of splines of a feature. NaN gives zeros.
    """
    degree, count = shape
    slopes = np.zeros((len(knots), 2, count))
    if kind == LINEAR:
        slopes = np.stack([_end_slopes(each, degree) for each in knots])
    out = px.zeros((x.shape[0], x.shape[1], width), x.dtype, device=x.device)
    given = (px.asarray(each, device=x.device) for each in (knots, slopes))
    blocks = max(min(-(-x.shape[0] // _THREADS), _MOST_BLOCKS), 1)
    args = (read(x), *(read(each) for each in given), written(out))
    launch_alone(_kernel(degree, kind), blocks, _THREADS, x._device, *args)
    return out


def _end_slopes(knots: np.ndarray, degree: int) -> np.ndarray:
    """The slopes of all splines of a feature at the first and the last inner knot.

    By the derivative of C. de Boor, "A practical guide to splines" (1978), chapter 10.
    """
    count = len(knots) - degree - 1
    made = np.zeros((2, count))
    if degree == 0:
        return made
    for side, v in enumerate((knots[degree], knots[count])):
        lower = _lower(knots, degree - 1, v)
        for i in range(count):
            left, right = knots[i + degree] - knots[i], knots[i + degree + 1] - knots[i + 1]
            made[side, i] += lower[i] / left if left else 0.0
            made[side, i] -= lower[i + 1] / right if right else 0.0
    return degree * made


def _lower(knots: np.ndarray, degree: int, v: float) -> np.ndarray:
    """All splines of a degree at a number, by their recursion."""
    inner = len(knots) - degree - 2  # the last inner knot, of splines of one degree more
    place = int(np.searchsorted(knots, v, "right")) - 1
    while place >= inner or (place > 0 and knots[place] == knots[place + 1]):
        place -= 1
    made = np.zeros(len(knots) - 1)
    made[place] = 1
    for k in range(1, degree + 1):
        for i in range(len(made) - k):
            left, right = knots[i + k] - knots[i], knots[i + k + 1] - knots[i + 1]
            first = made[i] * (v - knots[i]) / left if left else 0.0
            second = made[i + 1] * (knots[i + k + 1] - v) / right if right else 0.0
            made[i] = first + second
    return made
