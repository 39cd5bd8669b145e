"""A pass of stochastic gradient descent over the samples."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from ... import njit
from ..sparse_loops import vector_functions

HINGE, SQUARED_HINGE, LOGISTIC, MODIFIED_HUBER, SQUARES, HUBER, SIZES, SQUARED_SIZES = range(8)
# Of each loss its kind and the margin it wants, if it has one.
LOSSES_OF_CLASSES = {
    "hinge": (HINGE, 1.0),
    "perceptron": (HINGE, 0.0),
    "squared_hinge": (SQUARED_HINGE, 1.0),
    "log_loss": (LOGISTIC, 0.0),
    "modified_huber": (MODIFIED_HUBER, 0.0),
}
LOSSES_OF_NUMBERS = {
    "squared_error": SQUARES,
    "huber": HUBER,
    "epsilon_insensitive": SIZES,
    "squared_epsilon_insensitive": SQUARED_SIZES,
}
CONSTANT, OPTIMAL, INVSCALING, ADAPTIVE, PA1, PA2 = range(6)
RATES = {
    "constant": CONSTANT,
    "optimal": OPTIMAL,
    "invscaling": INVSCALING,
    "adaptive": ADAPTIVE,
    "pa1": PA1,
    "pa2": PA2,
}
# Rows of the samples' table, and of the coefficients'.
TARGET, WEIGHT, SQUARE = range(3)
OWN, MEAN, CUT = range(3)
# Elements of the options, and of what changes.
(KIND, WIDTH, ALPHA, RATIO, RATE, ETA0, POWER, BEGIN, AVERAGE, INTERCEPT, PENALTY) = range(11)
(COUNT, ETA, SHIFT, MEAN_SHIFT, CUT_SUM, LOSS, OBJECTIVE) = range(7)
_STEEPEST = 1e12
_LEAST_FACTOR = 1e-9


@cache
def _of_class() -> Any:
    @njit
    def of_class(kind: Any, margin: Any, y: Any, p: Any) -> Any:
        z = y * p
        if kind == HINGE:
            return (margin - z, -y) if z <= margin else (0.0, 0.0)
        if kind == SQUARED_HINGE:
            left = max(margin - z, 0.0)
            return left * left, -2.0 * y * left
        if kind == LOGISTIC:
            small = np.exp(-abs(z))
            share = small / (1.0 + small) if z > 0.0 else 1.0 / (1.0 + small)
            return np.log1p(small) + max(-z, 0.0), -y * share
        if z >= -1.0:
            left = max(1.0 - z, 0.0)
            return left * left, -2.0 * y * left
        return -4.0 * z, -4.0 * y

    return of_class


@cache
def _of_number() -> Any:
    @njit
    def of_number(kind: Any, width: Any, y: Any, p: Any) -> Any:
        apart = p - y
        size = abs(apart)
        sign = 1.0 if apart > 0.0 else -1.0
        if kind == SQUARES:
            return 0.5 * apart * apart, apart
        if kind == HUBER:
            if size <= width:
                return 0.5 * apart * apart, apart
            return width * size - 0.5 * width * width, sign * width
        left = max(size - width, 0.0)
        if kind == SIZES:
            return left, sign if left > 0.0 else 0.0
        return left * left, 2.0 * sign * left

    return of_number


@cache
def loss_function() -> Any:
    """A function of a loss's kind, its width, the target and the score: the loss and its slope."""
    of_class, of_number = _of_class(), _of_number()

    @njit
    def loss(kind: Any, width: Any, y: Any, p: Any) -> Any:
        if kind <= MODIFIED_HUBER:
            return of_class(kind, width, y, p)
        return of_number(kind, width, y, p)

    return loss


@cache
def _step_function() -> Any:
    loss = loss_function()

    @njit
    def step(options: Any, state: Any, y: Any, p: Any, square: Any) -> Any:
        # The loss, the rate, and what the sample is added with.
        rate, kind = int(options[RATE]), int(options[KIND])
        count, eta0 = state[COUNT], options[ETA0]
        eta = state[ETA]
        if rate == OPTIMAL:
            eta = 1.0 / (options[ALPHA] * (options[BEGIN] + count - 1.0))
        elif rate == INVSCALING:
            eta = eta0 / count ** options[POWER]
        lost, slope = loss(kind, options[WIDTH], y, p)
        if rate < PA1:
            return lost, eta, -eta * min(max(slope, -_STEEPEST), _STEEPEST)
        # Passive-aggressive, of K. Crammer and others (2006): no further than to no loss.
        if rate == PA1:
            length = min(eta0, lost / square) if square > 0.0 else 0.0
        else:
            length = lost / (square + 0.5 / eta0)
        forward = y > 0.0 if kind <= MODIFIED_HUBER else y >= p
        return lost, eta, length if forward else -length

    return step


@cache
def _cut() -> Any:
    @njit
    def cut(table: Any, total: Any) -> None:
        # Truncated gradients with the sum of penalties so far, of Y. Tsuruoka and others (2009).
        w, done = table[OWN], table[CUT]
        for j in range(w.shape[0]):
            before = w[j]
            if before > 0.0:
                w[j] = max(0.0, before - (total + done[j]))
            elif before < 0.0:
                w[j] = min(0.0, before + (total - done[j]))
            done[j] += w[j] - before

    return cut


@cache
def _cut_of_row() -> Any:
    """A cut of a sparse row's own columns; their sizes and squares after it, and what these grew.

    Other features are cut when a row has them, before its score, or at the end of a pass, by all
    that was added since; without squares in the penalty that is what a cut in each step makes of
    them. The objective has them as they were.
    """

    @njit
    def sizes_of_row(w: Any, columns: Any, ends: Any, i: Any, factor: Any) -> Any:
        total, squares = 0.0, 0.0
        for place in range(ends[i], ends[i + 1]):
            value = factor * w[columns[place]]
            total += abs(value)
            squares += value * value
        return total, squares

    @njit
    def cut_row(table: Any, columns: Any, ends: Any, i: Any, total: Any, factor: Any) -> Any:
        was, was_squares = sizes_of_row(table[OWN], columns, ends, i, factor)
        w, done = table[OWN], table[CUT]
        for place in range(ends[i], ends[i + 1]):
            j = columns[place]
            before = factor * w[j]
            after = before
            if before > 0.0:
                after = max(0.0, before - (total + done[j]))
            elif before < 0.0:
                after = min(0.0, before + (total - done[j]))
            if after != before:
                done[j] += after - before
                w[j] = after / factor
        sizes, squares = sizes_of_row(w, columns, ends, i, factor)
        return sizes, squares, sizes - was, squares - was_squares

    return cut_row


@cache
def _vectors(is_sparse: bool) -> tuple[Any, Any, Any, Any]:
    product, added = vector_functions(is_sparse)

    @njit(fastmath={"contract", "reassoc"})
    def moved_dense(w: Any, x: Any, columns: Any, ends: Any, i: Any, steps: Any) -> Any:
        scale, update = steps[0], steps[1]
        for j in range(w.shape[0]):
            w[j] = scale * w[j] + update * x[i, j]
        return 1.0

    @njit(fastmath={"contract", "reassoc"})
    def moved_sparse(w: Any, x: Any, columns: Any, ends: Any, i: Any, steps: Any) -> Any:
        # Coefficients are w times a factor, so that a step costs what the row has.
        factor = steps[0] * steps[2]
        if factor < _LEAST_FACTOR or steps[3] > 0.0:
            for j in range(w.shape[0]):
                w[j] *= factor
            factor = 1.0
        added(w, x, columns, ends, i, steps[1] / factor)
        return factor

    @njit
    def multiply(w: Any, factor: Any) -> None:
        for j in range(w.shape[0]):
            w[j] *= factor

    @njit(fastmath={"contract", "reassoc"})
    def sizes(w: Any) -> Any:
        total, squares = 0.0, 0.0
        for j in range(w.shape[0]):
            total += abs(w[j])
            squares += w[j] * w[j]
        return total, squares

    return product, moved_sparse if is_sparse else moved_dense, sizes, multiply


@cache
def _mean() -> Any:
    @njit
    def to_mean(table: Any, options: Any, state: Any) -> None:
        first = options[AVERAGE]
        if first > 0.0 and first <= state[COUNT]:
            share = 1.0 / (state[COUNT] - first + 1.0)
            w, mean = table[OWN], table[MEAN]
            for j in range(w.shape[0]):
                mean[j] += (w[j] - mean[j]) * share
            state[MEAN_SHIFT] += (state[SHIFT] - state[MEAN_SHIFT]) * share

    return to_mean


@cache
def pass_function(is_sparse: bool) -> Any:
    """A function that takes one step a sample, in order, and sums up losses and objectives.

    Samples are values, columns and ends, of dense ones the samples and `WHOLE`.
    """
    step_of, cut, to_mean = _step_function(), _cut(), _mean()
    product, moved, sizes_of, multiply = _vectors(is_sparse)
    cut_row = _cut_of_row()

    @njit
    def one_pass(samples: Any, data: Any, table: Any, order: Any, options: Any, state: Any) -> None:
        x, columns, ends = samples
        w, alpha = table[OWN], options[ALPHA]
        ratio = options[RATIO]
        # Factors of the objective's absolute values and squares, which passive steps have not.
        counts = 0.0 if options[RATE] >= PA1 else alpha * options[PENALTY]
        state[LOSS], state[OBJECTIVE] = 0.0, 0.0
        sizes, norm = sizes_of(w)
        # The scale, the update, the factor of w, and whether each step needs all coefficients.
        steps = np.zeros(4)
        cuts = ratio * options[PENALTY] > 0.0
        cuts_rows = is_sparse and cuts and options[AVERAGE] == 0.0  # means need all coefficients
        steps[2], steps[3] = 1.0, options[AVERAGE]
        for place in range(order.shape[0]):
            i = order[place]
            row = 0.0, 0.0, 0.0, 0.0
            if cuts_rows:
                row = cut_row(table, columns, ends, i, state[CUT_SUM], steps[2])
                sizes, norm = sizes + row[2], norm + row[3]
            score = steps[2] * product(w, x, columns, ends, i)
            y, square = data[TARGET, i], data[SQUARE, i]
            lost, eta, update = step_of(options, state, y, score + state[SHIFT], square)
            state[LOSS] += lost
            state[OBJECTIVE] += lost + counts * ((1.0 - ratio) * 0.5 * norm + ratio * sizes)
            if square == 0.0 and options[RATE] == PA1:
                continue
            update *= data[WEIGHT, i]
            scale = max(0.0, 1.0 - options[PENALTY] * (1.0 - ratio) * eta * alpha)
            steps[0], steps[1] = scale, update
            steps[2] = moved(w, x, columns, ends, i, steps)
            # The square of the length, without a further pass over the features.
            longer = 2.0 * scale * update * score + update * update * square
            norm = scale * scale * norm + longer
            state[SHIFT] += update * options[INTERCEPT]
            to_mean(table, options, state)
            if cuts:
                state[CUT_SUM] += ratio * eta * alpha
                if cuts_rows:
                    made = cut_row(table, columns, ends, i, state[CUT_SUM], steps[2])
                    sizes = scale * (sizes - row[0]) + made[0]
                    norm += made[1] - (scale * scale * row[1] + longer)
                else:
                    cut(table, state[CUT_SUM])
                    sizes, norm = sizes_of(w)
            state[COUNT] += 1.0
        if is_sparse:
            multiply(w, steps[2])
            if cuts_rows:
                cut(table, state[CUT_SUM])

    return one_pass
