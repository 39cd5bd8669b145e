"""Parallel loops of CPU functions: prange with parallel=True, against the same loop in Python."""

import os
import threading
import warnings

import numpy as np
import pytest

import phalanx
from phalanx import njit, prange


def _parallel(function):
    return njit(parallel=True)(function)


def squares(n):
    out = np.zeros(n)
    for i in prange(n):
        out[i] = i * i
    return out


def steps(first, last, step, out):
    for i in prange(first, last, step):
        out[i] = i


def total(a):
    s = 0.0
    for i in prange(len(a)):
        s += a[i]
    return s


def widened(a):
    s = 0
    for i in prange(len(a)):
        s += a[i]
    return s


def several(a):
    s, p, least, most = 1.5, 2.0, 1e9, -1e9
    for i in prange(len(a)):
        s -= a[i]
        p *= 1.0 + a[i] * 1e-3
        least = min(least, a[i])
        most = max(a[i], most)
    return s, p, least, most


def bits(a):
    every, some, odd = -1, 0, 0
    for i in prange(len(a)):
        every &= a[i]
        some |= a[i]
        odd ^= a[i]
    return every, some, odd


def columns(a):
    acc = np.zeros(a.shape[1])
    for i in prange(a.shape[0]):
        acc += a[i]
    return acc


def powers(a):
    acc = np.ones(a.shape[1])
    for i in prange(a.shape[0]):
        acc *= a[i]
    return acc


def last(n):
    x = -1
    for i in prange(n):
        x = 2 * i
    return x


def escape(width, height, limit):
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


def inside(n, limit):
    count = 0
    for i in prange(n):
        real = 3.0 * i / n - 2.0
        x, y, k = 0.0, 0.0, 0
        while x * x + y * y <= 4.0 and k < limit:
            x, y = x * x - y * y + real, 2.0 * x * y + 0.1
            k += 1
        count += k == limit
    return count


@pytest.mark.parametrize("n", [0, 1, 7, 255, 256, 257, 100_003])
def test_every_iteration_runs_once(n):
    np.testing.assert_array_equal(_parallel(squares)(n), np.arange(float(n)) ** 2)


@pytest.mark.parametrize("bounds", [(0, 100, 1), (3, 1000, 7), (999, -1, -3), (5, 5, 1), (9, 2, 1)])
def test_ranges_with_start_and_step(bounds):
    actual = np.full(1000, -1.0)
    expected = actual.copy()
    _parallel(steps)(*bounds, actual)
    for i in range(*bounds):
        expected[i] = i
    np.testing.assert_array_equal(actual, expected)


@pytest.mark.parametrize("function", [total, widened, several])
@pytest.mark.parametrize("n", [0, 1, 1000])
def test_reductions_of_numbers(function, n):
    a = np.random.default_rng(0).random(n)
    np.testing.assert_allclose(_parallel(function)(a), function(a), rtol=1e-12)


def test_reductions_of_bits():
    a = np.random.default_rng(1).integers(0, 2**40, 1000)
    assert _parallel(bits)(a) == bits(a)


def test_reductions_do_not_depend_on_the_run():
    a = np.random.default_rng(2).random(300_000)
    compiled = _parallel(total)
    assert len({compiled(a) for _ in range(5)}) == 1


@pytest.mark.parametrize("function", [columns, powers])
def test_reductions_of_arrays(function):
    a = 1.0 + np.random.default_rng(3).random((501, 9)) * 1e-3
    np.testing.assert_allclose(_parallel(function)(a), function(a), rtol=1e-12)


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_a_name_keeps_the_last_iterations_value(n):
    assert _parallel(last)(n) == last(n)


def test_divergent_loops_run_as_warps():
    for shape in ((60, 37), (5, 1), (1, 100)):
        np.testing.assert_array_equal(_parallel(escape)(*shape, 50), njit(escape)(*shape, 50))
    assert _parallel(inside)(1003, 60) == inside(1003, 60)
    compiled = _parallel(escape)
    compiled(4, 4, 5)
    assert " x double>" in next(iter(compiled.inspect_llvm().values()))


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="one core")
def test_work_runs_on_several_threads():
    # The calling thread's generator has made fewer numbers than there were iterations.
    @njit(parallel=True)
    def drawn(n):
        np.random.seed(5)
        s = 0.0
        for _ in prange(n):
            s += np.random.random()
        return np.random.random()

    n = 5_000_000
    assert drawn(n) != np.random.RandomState(5).random_sample(n + 1)[n]


def test_exceptions_leave_the_loop():
    @njit(parallel=True)
    def check(a):
        for i in prange(len(a)):
            if a[i] < 0:
                raise ValueError("negative", 7)
        return len(a)

    a = np.ones(10_000)
    assert check(a) == 10_000
    a[7777] = -1
    with pytest.raises(ValueError) as caught:
        check(a)
    assert caught.value.args == ("negative", 7)
    a[7777] = 1
    assert check(a) == 10_000

    @njit(parallel=True)
    def divide(a, b):
        for i in prange(len(a)):
            a[i] = 1 // b[i]

    with pytest.raises(ZeroDivisionError):
        divide(np.zeros(1000, np.int64), np.zeros(1000, np.int64))


def test_memory_inside_iterations():
    @njit(parallel=True)
    def churn(n, size):
        s = 0.0
        for i in prange(n):
            a = np.full(size, i * 1.0)
            s += a.sum() / size
        return s

    # Kept, this were 16 GB.
    assert churn(2000, 1_000_000) == sum(range(2000))


def test_nested_loops_and_helpers():
    @njit
    def row_sum(a, i):
        s = 0.0
        for j in prange(a.shape[1]):
            s += a[i, j]
        return s

    @njit(parallel=True)
    def both(a):
        out = np.zeros(a.shape[0])
        for i in prange(a.shape[0]):
            for j in prange(a.shape[1]):
                out[i] += a[i, j]
            out[i] += row_sum(a, i)
        return out

    a = np.random.default_rng(4).random((50, 40))
    np.testing.assert_allclose(both(a), 2 * a.sum(axis=1))


def test_what_cannot_be_split_runs_on_one_core_and_says_so():
    @njit(parallel=True)
    def find(a, x):
        found = -1
        for i in prange(len(a)):
            if a[i] == x:
                found = i
        return found

    @njit(parallel=True)
    def chain(a):
        for i in prange(1, len(a)):
            previous = a[i - 1]
            a[i] += previous
        x = 1.0
        for i in prange(len(a)):
            x = a[i] - x
        return x

    with pytest.warns(
        phalanx.errors.PerformanceWarning, match="'found', which is read after it"
    ) as told:
        assert find(np.arange(100), 63) == 63
    first_line = find.py_func.__code__.co_firstlineno
    assert (told[0].filename, told[0].lineno) == (__file__, first_line + 3)
    with pytest.warns(phalanx.errors.PerformanceWarning, match="'x' goes from one iteration"):
        chain(np.ones(10))


def test_without_parallel_nothing_is_said():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert njit(last)(5) == 8


def test_calls_from_several_threads():
    compiled = _parallel(total)
    a = np.random.default_rng(5).random(200_000)
    expected = compiled(a)
    results = []

    def work():
        results.extend(compiled(a) for _ in range(20))

    workers = [threading.Thread(target=work) for _ in range(4)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert set(results) == {expected} and len(results) == 80
