"""vectorize and guvectorize on the host beside Numba: calls on small arrays, and bodies.

python bench/ufuncs_on_host.py [cpu|parallel]

Prints a Markdown table: the median time of each, ours and Numba's of the same function, in turns.
"""

from __future__ import annotations

import math
import sys

import numba
import numpy as np
from _measure import Row, medians, table

import phalanx

SMALL_CALLS = 20_000


def make_ufuncs(module, target):
    """Ufuncs, the same of each `module`."""

    @module.vectorize(["float64(float64, float64)"], target=target)
    def add(a, b):
        return a + b

    @module.vectorize(["float64(float64, float64)"], target=target)
    def wave(a, b):
        return math.exp(-a * a) * b + math.sqrt(a)

    @module.vectorize(["int32(float64, float64)"], target=target)
    def escape_time(x, y):
        zr = zi = 0.0
        n = 0
        while n < 200 and zr * zr + zi * zi < 4.0:
            zr, zi = zr * zr - zi * zi + x, 2 * zr * zi + y
            n += 1
        return n

    return locals()


def make_gufuncs(module, target):
    """Gufuncs, the same of each `module`."""

    @module.guvectorize(["void(float64[:], int64[:], float64[:])"], "(n),()->(n)", target=target)
    def moving_mean(a, window, out):
        width = window[0]
        total = 0.0
        count = 0
        for i in range(width):
            total += a[i]
            count += 1
            out[i] = total / count
        for i in range(width, len(a)):
            total += a[i] - a[i - width]
            out[i] = total / count

    @module.guvectorize(
        ["void(float64[:,:], float64[:,:], float64[:,:])"], "(m,n),(n,p)->(m,p)", target=target
    )
    def product(a, b, out):
        m, n = a.shape
        n, p = b.shape
        for i in range(m):
            for j in range(p):
                out[i, j] = 0
                for k in range(n):
                    out[i, j] += a[i, k] * b[k, j]

    return locals()


def make_more_gufuncs(module, target):
    """The same, of one output a row and of a stencil."""

    @module.guvectorize(["void(float64[:], float64[:])"], "(n)->()", target=target)
    def row_sum(a, out):
        out[0] = 0
        for i in range(a.shape[0]):
            out[0] += a[i]

    @module.guvectorize(["void(float64[:,:], float64[:,:])"], "(m,n)->(m,n)", target=target)
    def relax(a, out):
        m, n = a.shape
        out[:] = a
        for i in range(1, m - 1):
            for j in range(1, n - 1):
                out[i, j] = 0.25 * (a[i - 1, j] + a[i + 1, j] + a[i, j - 1] + a[i, j + 1])

    return locals()


def cases(rng):
    """Rows of (what, function, arguments)."""
    values, rows = rng.random(1_000_000), rng.random((1000, 1000))
    stack = rng.random((64, 40, 40))
    window = np.array(9)
    x, y = np.linspace(-2, 1, 600)[:, None], np.linspace(-1, 1, 400)
    return [
        ("add", "add", (values, values)),
        ("add, every second", "add", (values[::2], values[1::2])),
        ("add, of a matrix and its transpose", "add", (rows, rows.T)),
        ("add, of a column and a row", "add", (rows[:, :1], rows[:1])),
        ("add, float32 and float64", "add", (values.astype(np.float32), values)),
        ("exp and sqrt", "wave", (values, values)),
        ("escape time", "escape_time", (x, y)),
        ("moving mean", "moving_mean", (rows, window)),
        ("moving mean, rows with gaps", "moving_mean", (rows[:, 5:-5], window)),
        ("matrix products, 40 x 40", "product", (stack, stack)),
        (
            "matrix product, 200 x 200",
            "product",
            (rows[:200, :200].copy(), rows[:200, :200].copy()),
        ),
        ("row sums", "row_sum", (rows,)),
        ("row sums, rows of 3", "row_sum", (rng.random((100_000, 3)),)),
        ("2-D stencil", "relax", (rng.random((8, 500, 500)),)),
    ]


def small_cases(rng):
    x, rows = rng.random(10), rng.random((4, 10))
    return [
        ("ufunc(x, x), 10 elements", "add", (x, x)),
        ("ufunc(x, x, out), 10 elements", "add", (x, x, x.copy())),
        ("ufunc(x, 2.0), 10 elements", "add", (x, 2.0)),
        ("ufunc(1.0, 2.0)", "add", (1.0, 2.0)),
        ("gufunc(a), 4 rows of 10", "row_sum", (rows,)),
    ]


def row_of(made, what, name, args, calls):
    def repeated(function):
        def run():
            for _ in range(calls):
                function(*args)

        return run

    expected, actual = (made[who][name](*args) for who in ("numba", "phalanx"))
    np.testing.assert_allclose(actual, expected, rtol=1e-12)
    seconds = medians({who: repeated(functions[name]) for who, functions in made.items()})
    ours, theirs = (seconds[who] / calls * 1e6 for who in ("phalanx", "numba"))
    return Row(what, ours, theirs, "us", "Numba")


def main():
    target = sys.argv[1] if len(sys.argv) > 1 else "cpu"
    makers = (make_ufuncs, make_gufuncs, make_more_gufuncs)
    made = {
        module.__name__: {k: v for make in makers for k, v in make(module, target).items()}
        for module in (phalanx, numba)
    }
    rng = np.random.default_rng(1)
    rows = [row_of(made, *case, SMALL_CALLS) for case in small_cases(rng)]
    rows += [row_of(made, *case, 1) for case in cases(rng)]
    print(table(rows))


if __name__ == "__main__":
    main()
