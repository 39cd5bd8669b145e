"""CPU functions beside Numba's, in one process: prints a Markdown table.

    python bench/functions.py

The programs are those that Numba's documentation explains itself with.
"""

from __future__ import annotations

# Before NumPy comes: the threads of its BLAS, and of SciPy's, spin for a while on the cores that
# the next measurement needs.
import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import math
from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numba
import numpy as np
from _measure import Row, cpu_name, medians, per_call, table, versions
from numba import prange

import phalanx


def add(x, y):
    """One addition: what a call costs."""
    return x + y


def first(a):
    """One element: what an array argument costs."""
    return a[0]


def fibonacci(n):
    """Calls of itself."""
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def product(a, b):
    """The matrix product as three loops."""
    rows, inner = a.shape
    columns = b.shape[1]
    c = np.zeros((rows, columns))
    for i in range(rows):
        for j in range(columns):
            total = 0.0
            for k in range(inner):
                total += a[i, k] * b[k, j]
            c[i, j] = total
    return c


def partition_sort(a, low, high):
    """Quicksort in place."""
    if low >= high:
        return
    pivot = a[(low + high) // 2]
    i = low
    j = high
    while i <= j:
        while a[i] < pivot:
            i += 1
        while a[j] > pivot:
            j -= 1
        if i <= j:
            a[i], a[j] = a[j], a[i]
            i += 1
            j -= 1
    partition_sort(a, low, j)
    partition_sort(a, i, high)


def moving_average(a, width):
    """The mean of each window."""
    out = np.empty(len(a) - width + 1)
    total = 0.0
    for i in range(width):
        total += a[i]
    out[0] = total / width
    for i in range(width, len(a)):
        total += a[i] - a[i - width]
        out[i - width + 1] = total / width
    return out


def mandelbrot(width, height, limit):
    """Iterations until escape."""
    counts = np.zeros((height, width), np.int32)
    for row in range(height):
        for column in range(width):
            real = 3.0 * column / width - 2.0
            imaginary = 2.0 * row / height - 1.0
            x = 0.0
            y = 0.0
            n = 0
            while x * x + y * y <= 4.0 and n < limit:
                x, y = x * x - y * y + real, 2.0 * x * y + imaginary
                n += 1
            counts[row, column] = n
    return counts


def bodies(position, velocity, mass, steps):
    """Gravity between all pairs."""
    for _ in range(steps):
        for i in range(len(mass)):
            for j in range(len(mass)):
                if i != j:
                    x = position[j, 0] - position[i, 0]
                    y = position[j, 1] - position[i, 1]
                    z = position[j, 2] - position[i, 2]
                    square = x * x + y * y + z * z + 1e-9
                    pull = mass[j] * 0.001 / (square * math.sqrt(square))
                    velocity[i, 0] += x * pull
                    velocity[i, 1] += y * pull
                    velocity[i, 2] += z * pull
        for i in range(len(mass)):
            for k in range(3):
                position[i, k] += velocity[i, k] * 0.001


def total(a):
    """A sum."""
    return np.sum(a)


def monte_carlo(samples):
    """Pi from random points."""
    inside = 0
    for _ in range(samples):
        x = np.random.random()
        y = np.random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / samples


def expression(a, b, c):
    """Arrays as a whole."""
    return np.sqrt(a * a + b * b) + 2.0 * np.sin(c) - a / (1.0 + b)


# ---- The same on all cores ----


def parallel_product(a, b):
    """The matrix product: one row an iteration."""
    rows, inner = a.shape
    columns = b.shape[1]
    c = np.zeros((rows, columns))
    for i in prange(rows):
        for k in range(inner):
            factor = a[i, k]
            for j in range(columns):
                c[i, j] += factor * b[k, j]
    return c


def parallel_moving_average(a, width):
    """The mean of each window, each on its own."""
    out = np.empty(len(a) - width + 1)
    for i in prange(len(out)):
        total = 0.0
        for j in range(width):
            total += a[i + j]
        out[i] = total / width
    return out


def parallel_monte_carlo(samples):
    """Pi from random points, a reduction."""
    inside = 0
    for _ in prange(samples):
        x = np.random.random()
        y = np.random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4.0 * inside / samples


def parallel_mandelbrot(width, height, limit):
    """Iterations until escape: inner loops part."""
    counts = np.zeros((height, width), np.int32)
    for row in prange(height):
        for column in range(width):
            real = 3.0 * column / width - 2.0
            imaginary = 2.0 * row / height - 1.0
            x = 0.0
            y = 0.0
            n = 0
            while x * x + y * y <= 4.0 and n < limit:
                x, y = x * x - y * y + real, 2.0 * x * y + imaginary
                n += 1
            counts[row, column] = n
    return counts


def parallel_bodies(position, velocity, mass, steps):
    """Gravity between all pairs: one body an iteration."""
    count = len(mass)
    for _ in range(steps):
        for i in prange(count):
            pull_x = 0.0
            pull_y = 0.0
            pull_z = 0.0
            for j in range(count):
                x = position[j, 0] - position[i, 0]
                y = position[j, 1] - position[i, 1]
                z = position[j, 2] - position[i, 2]
                square = x * x + y * y + z * z + 1e-9
                pull = mass[j] * 0.001 / (square * math.sqrt(square))
                pull_x += x * pull
                pull_y += y * pull
                pull_z += z * pull
            velocity[i, 0] += pull_x
            velocity[i, 1] += pull_y
            velocity[i, 2] += pull_z
        for i in prange(count):
            for k in range(3):
                position[i, k] += velocity[i, k] * 0.001


def parallel_total(a):
    """A sum, a reduction."""
    total = 0.0
    for i in prange(len(a)):
        total += a[i]
    return total


def identity_of_sines(x):
    """An array expression without a loop, which `parallel=True` spreads by itself."""
    return np.cos(x) ** 2 + np.sin(x) ** 2


def statistics(a):
    """Reductions without a loop."""
    return np.sum(a * a), a.mean(), np.argmax(a)


def reduced_arrays(n):
    """An array that all iterations multiply."""
    result = 2 * np.ones((13, 17))
    factor = 1 + 1e-6 * np.ones_like(result)
    for _ in prange(n):
        result *= factor
    return result


def logistic_regression(labels, points, weights, iterations):
    """Array expressions and products; Numba's are SciPy's BLAS, here on one thread."""
    for _ in range(iterations):
        weights -= np.dot(
            ((1.0 / (1.0 + np.exp(-labels * np.dot(points, weights))) - 1.0) * labels), points
        )
    return weights


def matrix_product(a, b):
    """The product as an operator; Numba's is SciPy's BLAS."""
    return a @ b


def compiled(function: Callable[..., Any], **options: Any) -> tuple[Any, Any]:
    """The function compiled by us and by Numba; each finds itself under its own name."""
    ours = phalanx.njit(**options)(_copy(function))
    theirs = numba.njit(**options)(_copy(function))
    ours.py_func.__globals__["prange"] = phalanx.prange
    ours.py_func.__globals__[function.__name__] = ours
    theirs.py_func.__globals__[function.__name__] = theirs
    return ours, theirs


def _copy(function: Callable[..., Any]) -> Callable[..., Any]:
    import types

    return types.FunctionType(function.__code__, dict(globals()), function.__name__)


def calls() -> list[Row]:
    """What a call costs."""
    rows = []
    for name, function, arguments in (
        ("call, two ints", add, (1, 2)),
        ("call, one array", first, (np.ones(4),)),
    ):
        ours, theirs = compiled(function)
        seconds = [
            per_call(lambda f=f, a=arguments: f(*a), lambda: None, 100_000) for f in (ours, theirs)
        ]
        rows.append(Row(name, 1e9 * seconds[0], 1e9 * seconds[1], "ns", "Numba", target=1.0))
    return rows


Case = tuple[str, Any, Callable[[Any], Any], float]


def compare(cases: list[Case], **options: Any) -> list[Row]:
    """A row a case: name, function, how it is called, the target in Numba's speed."""
    rows = []
    for name, function, run, target in cases:
        ours, theirs = compiled(function, **options)
        seconds = medians(
            {"ours": lambda f=ours, r=run: r(f), "theirs": lambda f=theirs, r=run: r(f)}
        )
        rows.append(
            Row(name, 1e3 * seconds["ours"], 1e3 * seconds["theirs"], "ms", "Numba", target=target)
        )
    return rows


def programs() -> list[Row]:
    """Whole programs on one core."""
    random = np.random.default_rng(0)
    matrix = random.random((300, 300))
    numbers = random.random(200_000)
    a, b, c = random.random((3, 200_000))
    place, speed, mass = random.random((200, 3)), np.zeros((200, 3)), random.random(200)
    large = random.random((600, 600))
    with_scipy: list[Case] = [
        ("a @ b, 600 (SciPy's BLAS)", matrix_product, lambda f: f(large, large), 1.0)
    ]
    return compare(
        [
            ("fibonacci(27)", fibonacci, lambda f: f(27), 1.0),
            ("matrix product, 300", product, lambda f: f(matrix, matrix), 1.0),
            (
                "quicksort, 200,000",
                partition_sort,
                lambda f: f(numbers.copy(), 0, len(numbers) - 1),
                1.0,
            ),
            ("moving average, 200,000", moving_average, lambda f: f(numbers, 50), 1.0),
            ("Monte Carlo, 1,000,000", monte_carlo, lambda f: f(1_000_000), 1.0),
            ("mandelbrot, 300 x 200, 200", mandelbrot, lambda f: f(300, 200, 200), 1.0),
            ("n-body, 200, 5 steps", bodies, lambda f: f(place.copy(), speed.copy(), mass, 5), 1.0),
            ("np.sum, 200,000", total, lambda f: f(numbers), 1.0),
            ("array expression, 200,000", expression, lambda f: f(a, b, c), 1.0),
            *(with_scipy if find_spec("scipy") else []),
        ]
    )


def parallel_programs() -> list[Row]:
    """Whole programs on all cores."""
    random = np.random.default_rng(0)
    matrix = random.random((400, 400))
    numbers = random.random(2_000_000)
    place, speed, mass = random.random((600, 3)), np.zeros((600, 3)), random.random(600)
    labels, points = np.sign(random.random(200_000) - 0.5), random.random((200_000, 10))
    with_scipy: list[Case] = [
        (
            "logistic regression, 200,000 x 10, 5 steps",
            logistic_regression,
            lambda f: f(labels, points, np.zeros(10), 5),
            1.0,
        ),
    ]
    return compare(
        [
            ("matrix product, 400", parallel_product, lambda f: f(matrix, matrix), 1.0),
            (
                "moving average, 2,000,000, 50",
                parallel_moving_average,
                lambda f: f(numbers, 50),
                1.0,
            ),
            ("Monte Carlo, 4,000,000", parallel_monte_carlo, lambda f: f(4_000_000), 1.0),
            ("mandelbrot, 600 x 400, 200", parallel_mandelbrot, lambda f: f(600, 400, 200), 2.0),
            (
                "n-body, 600, 5 steps",
                parallel_bodies,
                lambda f: f(place.copy(), speed.copy(), mass, 5),
                1.0,
            ),
            ("sum, 2,000,000", parallel_total, lambda f: f(numbers), 1.0),
            ("cos(x)**2 + sin(x)**2, 2,000,000", identity_of_sines, lambda f: f(numbers), 1.0),
            ("sum, mean, argmax, 2,000,000", statistics, lambda f: f(numbers), 1.0),
            ("array reduced, 20,000 times", reduced_arrays, lambda f: f(20_000), 1.0),
            *(with_scipy if find_spec("scipy") else []),
        ],
        parallel=True,
    )


def main() -> None:
    """Prints the tables."""
    print(
        f"## CPU functions\n\n{cpu_name()}. {versions(['phalanx', 'numpy', 'numba'])}. Medians.\n"
    )
    print(f"One core:\n\n{table(calls() + programs())}\n")
    print(f"`parallel=True`, {numba.get_num_threads()} threads:\n\n{table(parallel_programs())}")


if __name__ == "__main__":
    main()
