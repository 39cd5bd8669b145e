"""The kinds of programs that Numba's documentation explains CPU functions with, against Numba."""

import math
import types

import numpy as np
import pytest

import phalanx

numba = pytest.importorskip("numba")
prange = phalanx.prange


def trace_of_tanh(a):
    trace = 0.0
    for i in range(a.shape[0]):
        trace += np.tanh(a[i, i])
    return a + trace


def sum_of_rows(a):
    total = 0.0
    rows, columns = a.shape
    for i in range(rows):
        for j in range(columns):
            total += a[i, j]
    return total


def bubble_sort(a):
    x = a.copy()
    for end in range(len(x), 1, -1):
        for i in range(end - 1):
            if x[i] > x[i + 1]:
                x[i], x[i + 1] = x[i + 1], x[i]
    return x


def identity_of_arrays(x):
    return np.cos(x) ** 2 + np.sin(x) ** 2


def identity_of_numbers(x):
    out = np.empty_like(x)
    for i in prange(len(x)):
        out[i] = np.cos(x[i]) ** 2 + np.sin(x[i]) ** 2
    return out


def iterations_of(x, y, limit):
    c = complex(x, y)
    z = 0.0j
    for i in range(limit):
        z = z * z + c
        if z.real * z.real + z.imag * z.imag >= 4:
            return i
    return limit


helper = iterations_of  # the compiled one, where it is compiled


def fractal(image, limit):
    height, width = image.shape
    for x in prange(width):
        for y in range(height):
            image[y, x] = helper(3.0 * x / width - 2.0, 2.0 * y / height - 1.0, limit)
    return image


def product_of_arrays(n):
    result = 2 * np.ones((13, 17), np.int64)
    factor = 2 * np.ones_like(result)
    for _ in prange(n):
        result *= factor
    return result


def logistic_regression(y, x, w, rounds):
    weights = w.copy()
    for _ in range(rounds):
        weights -= np.dot((1.0 / (1.0 + np.exp(-y * np.dot(x, weights))) - 1.0) * y, x)
    return weights


def moving_mean(a, width):
    out = np.empty_like(a)
    for i in prange(len(a)):
        first = max(0, i - width + 1)
        total = 0.0
        for j in range(first, i + 1):
            total += a[j]
        out[i] = total / (i + 1 - first)
    return out


def bodies(position, velocity, mass, steps):
    place, speed = position.copy(), velocity.copy()
    for _ in range(steps):
        for i in prange(len(mass)):
            for j in range(len(mass)):
                if i != j:
                    x = place[j, 0] - place[i, 0]
                    y = place[j, 1] - place[i, 1]
                    z = place[j, 2] - place[i, 2]
                    square = x * x + y * y + z * z + 1e-9
                    pull = mass[j] * 1e-3 / (square * math.sqrt(square))
                    speed[i, 0] += x * pull
                    speed[i, 1] += y * pull
                    speed[i, 2] += z * pull
        place += speed * 1e-3
    return place, speed


def prices(spot, strike, years, rate, volatility):
    root = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + 0.5 * volatility * volatility) * years) / root
    d2 = d1 - root
    call = spot / (1 + np.exp(-1.7 * d1)) - strike * np.exp(-rate * years) / (1 + np.exp(-1.7 * d2))
    return call, np.maximum(call - spot, 0.0)


RANDOM = np.random.default_rng(0)
SQUARE = RANDOM.random((30, 30))
VECTOR = RANDOM.random(1000)
SIGNS = np.where(RANDOM.random(60) > 0.5, 1.0, -1.0)

PROGRAMS = [
    (trace_of_tanh, (SQUARE,)),
    (sum_of_rows, (SQUARE,)),
    (bubble_sort, (VECTOR[:100],)),
    (identity_of_arrays, (VECTOR,)),
    (identity_of_numbers, (VECTOR,)),
    (fractal, (np.zeros((40, 60), np.uint8), 20)),
    (product_of_arrays, (6,)),
    (logistic_regression, (SIGNS, RANDOM.random((60, 8)), np.ones(8), 10)),
    (moving_mean, (VECTOR, 7)),
    (bodies, (RANDOM.random((20, 3)), np.zeros((20, 3)), RANDOM.random(20), 3)),
    (prices, (VECTOR + 1, VECTOR[::-1] + 1, VECTOR * 5 + 0.1, 0.02, 0.3)),
]


def _compiled(module, function, **options):
    """A copy of the function whose `prange` and helper are the module's."""
    scope = {**globals(), "prange": module.prange, "helper": module.njit(iterations_of)}
    copy = types.FunctionType(function.__code__, scope, function.__name__)
    return module.njit(**options)(copy)


@pytest.mark.parametrize("parallel", [False, True])
@pytest.mark.parametrize(
    ("function", "arguments"), PROGRAMS, ids=lambda p: getattr(p, "__name__", "")
)
def test_results_equal_numbas(function, arguments, parallel):
    # Numba's np.dot needs SciPy.
    needs_scipy = function is logistic_regression
    expected = (function if needs_scipy else _compiled(numba, function))(*arguments)
    actual = _compiled(phalanx, function, parallel=parallel)(*arguments)
    if not isinstance(expected, tuple):
        expected, actual = (expected,), (actual,)
    for ours, theirs in zip(actual, expected, strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-12)
        assert np.asarray(ours).dtype == np.asarray(theirs).dtype


CACHED = """
import numpy as np
import phalanx
@phalanx.njit(parallel=True, cache=True)
def total(a):
    s = 0.0
    for i in phalanx.prange(len(a)):
        s += np.sqrt(a[i])
    return s
print(total(np.ones(1000)), phalanx._engine.statistics()["counts"]["codegen"])
"""


def test_parallel_functions_come_from_the_disk_cache(run_python):
    assert run_python(CACHED).stdout.split() == ["1000.0", "1"]
    assert run_python(CACHED).stdout.split() == ["1000.0", "0"]


def test_nogil_lets_other_threads_run():
    import threading
    import time

    @phalanx.njit(nogil=True)
    def long(n):
        x = 0.0
        for i in range(n):
            x = math.sin(x + i)
        return x

    long(1)
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(1)
            time.sleep(0.001)

    watcher = threading.Thread(target=tick)
    watcher.start()
    before = len(ticks)
    long(20_000_000)
    after = len(ticks)
    done.set()
    watcher.join()
    assert after - before > 5
