"""Whole-array operations with parallel=True run on all cores: the same results as NumPy's."""

import os
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from phalanx import njit, prange, vectorize

N = 100_003  # many chunks, the last of another length
RNG = np.random.default_rng(7)
X = RNG.random(N)
Y = RNG.random(N) - 0.5
M = RNG.random((301, 407))
CUBE = RNG.random((40, 50, 60))
WHOLE_NUMBERS = RNG.integers(-5, 9, N).astype(np.int32)


def _bodies(function):
    (signature,) = function.signatures
    return function.inspect_llvm(signature).count(".parallel")


def accumulated(out, x):
    out += x * 2
    out[1:-1] -= 0.5
    return out.copy()


def shifted(x):
    copy = x.copy()
    copy[1:] += copy[:-1]  # reads what it writes: NumPy computes the right side first
    copy[::2] = copy[1::2][0]
    return copy


def made(n):
    return np.arange(n), np.linspace(0.0, 1.0, n), np.full(n, 3), np.ones((n // 100, 100)) * 2


def chosen(x, y):
    out = np.empty(len(x))
    np.add(x, y, out)
    return np.where(y > 0, x, -out), out


def rescaled(x, y):
    shift = x[0]
    for k in range(3):
        x = x * 0.5 + y * k + shift
    return x


ROWS = [
    (lambda x: np.cos(x) ** 2 + np.sin(x) ** 2, X),
    (lambda x, y: (x + y, x * y - 1, x > y, x // (y + 2)), X, Y),
    (lambda x: x.astype(np.float32) * np.float32(2), X),
    (lambda z: (z * z.conjugate(), abs(z)), X + 1j * Y),
    (lambda m: (m + m.T[:1].T, m * m[0], m - m[:, :1]), M),
    (lambda m: m[::2, ::3] + m.T[: m.shape[1], : m.shape[0]].T[::2, ::3], M),
    (lambda c: (c + 1, c[:, 1:] * c[:, :-1], c.transpose(2, 0, 1) + 0.5), CUBE),
    (lambda c: (c.sum(axis=0), c.sum(axis=1), c.sum(axis=2), c.mean(axis=-2)), CUBE),
    (lambda m: (m.max(axis=0), m.min(axis=1), m.prod(axis=0), np.argmax(m, axis=0)), M),
    (lambda c: (np.argmin(c, axis=1), np.argmax(c, axis=2)), CUBE),
    (lambda x: (x.sum(), x.mean(), x.std(), x.var(), x.min(), x.max()), X),
    (lambda m: (m.sum(), m.T.min(), m[::2, ::2].mean(), np.argmax(m), np.argmin(m[:, ::5])), M),
    (lambda x, y: (np.sum(x * y), np.sum(x[:, None] * y[None, :5]), np.mean(x + y)), X, Y),
    (
        lambda i: (
            i.sum(),
            i.prod(),
            int(i.min()),
            np.argmax(i),
            (i % 3 == 0).any(),
            (i < 0).all(),
        ),
        WHOLE_NUMBERS,
    ),
    (lambda x, y: (np.dot(x, y), x @ y), X, Y),
    (lambda m: (m @ m.T, m @ m[0], m[:, 0] @ m), M),
    (accumulated, X, Y),
    (shifted, X),
    (made, N),
    (chosen, X, Y),
    (rescaled, X, Y),
    (lambda x: (x * 2, x.sum(), np.ones(3) * x.size), np.empty(0)),
    (lambda m: (m + 1, m.sum(axis=0), m.sum(axis=1), m * m[:1]), np.ones((1, 5))),
    (lambda m: (m + 1, m.sum(axis=1)), np.empty((0, 5))),
]


def _copies(arguments):
    return [a.copy() if isinstance(a, np.ndarray) else a for a in arguments]


@pytest.mark.parametrize("row", ROWS)
def test_results_are_those_of_numpy(row):
    function, *arguments = row
    found = njit(parallel=True)(function)(*_copies(arguments))
    expected = function(*_copies(arguments))
    if not isinstance(expected, tuple):
        found, expected = (found,), (expected,)
    for one, other in zip(found, expected, strict=True):
        assert np.shape(one) == np.shape(other)
        assert np.asarray(one).dtype == np.asarray(other).dtype
        np.testing.assert_allclose(one, other, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    "dtype", [np.bool_, np.int8, np.uint16, np.float32, np.float64, np.complex64]
)
def test_sums_of_any_dtype(dtype):
    x = (RNG.random(N) * 100).astype(dtype)
    total, product = njit(parallel=True)(lambda a: (np.sum(a), np.sum(a * a)))(x)
    np.testing.assert_allclose(total, np.sum(x), rtol=1e-4)
    np.testing.assert_allclose(product, np.sum(x * x), rtol=1e-4)


@pytest.mark.parametrize("at", [0, 5, 4096, 50_000, N - 1])
def test_the_first_place_of_equals_and_of_nans(at):
    places = njit(parallel=True)(lambda a: (np.argmax(a), np.argmin(a), np.max(a), np.min(a)))
    x = np.ones(N)
    assert places(x)[:2] == (0, 0)
    x[at:] = 2
    assert places(x) == (at if at else 0, 0, 2.0, 1.0 if at else 2.0)
    x[at] = np.nan
    x[-1] = np.nan
    found = places(x)
    assert found[:2] == (at, at)
    assert np.isnan(found[2:]).all()


@given(st.lists(st.sampled_from([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan]), min_size=1))
def test_places_of_any_numbers(numbers):
    x = np.resize(np.array(numbers), 3 * len(numbers) + 1000)
    assert find_places(x) == (np.argmax(x), np.argmin(x))
    assert find_places_serially(x) == (np.argmax(x), np.argmin(x))


find_places = njit(parallel=True)(lambda a: (np.argmax(a), np.argmin(a)))
find_places_serially = njit(lambda a: (np.argmax(a), np.argmin(a)))


def test_expressions_become_parallel_bodies():
    spread = njit(parallel=True)(lambda x, y: np.sum(x * y) + (x + y)[3])
    spread(X, Y)
    assert _bodies(spread) >= 2
    serial = njit(lambda x, y: np.sum(x * y) + (x + y)[3])
    serial(X, Y)
    assert _bodies(serial) == 0


def test_what_is_known_to_be_short_does_not():
    short = njit(parallel=True)(lambda: np.ones((8, 8)) * 3 + np.arange(8))
    assert short()[1, 1] == 4
    assert _bodies(short) == 0


def doubled_rows(m):
    out = np.empty_like(m)
    for i in prange(m.shape[0]):
        out[i] = doubled(m[i])
    return out, doubled(m[0])


@njit(parallel=True)
def doubled(row):
    return row * 2 + np.sum(row)


def test_iterations_of_a_parallel_loop_have_their_cores_already():
    function = njit(parallel=True)(doubled_rows)
    found, first = function(M)
    np.testing.assert_allclose(found, M * 2 + M.sum(axis=1, keepdims=True))
    np.testing.assert_allclose(first, found[0])


def test_an_exception_in_a_chunk_is_raised():
    divide = njit(parallel=True)(lambda a, b: a // b)
    zeros = np.ones(N, np.int64)
    zeros[77_777] = 0
    expected = njit(lambda a, b: a // b)
    np.testing.assert_array_equal(divide(zeros, zeros), expected(zeros, zeros))
    with pytest.raises(ValueError, match="broadcast"):
        njit(parallel=True)(lambda a, b: a + b)(X, X[1:])


def test_scalar_functions_are_called_in_chunks():
    @vectorize
    def collatz(n):
        steps = 0
        while n != 1:
            n = n // 2 if n % 2 == 0 else 3 * n + 1
            steps += 1
        return steps

    n = np.arange(1, 5001)
    total = njit(parallel=True)(lambda n: collatz(n).sum())
    serial = njit(lambda n: collatz(n).sum())
    assert total(n) == serial(n)


def test_loops_free_what_their_iterations_made():
    @njit(parallel=True)
    def many(x, rounds):
        total = 0.0
        for _ in range(rounds):
            total += np.sum(x * 2 - 1) / len(x)
        return total

    assert many(X, 200) == pytest.approx(200 * np.mean(X * 2 - 1))


SUMS = """
import numpy as np
from phalanx import njit

@njit(parallel=True)
def numbers(x):
    product = x @ np.ones((len(x), 2))
    return np.sum(x), np.mean(x * x), x.std(), np.dot(x, x), product, (x * 3).prod()

x = np.random.default_rng(3).random(200_001)
print([float(one).hex() for one in np.concatenate([np.ravel(n) for n in numbers(x)])])
"""


def test_results_do_not_depend_on_the_cores(tmp_path):
    script = tmp_path / "sums.py"
    script.write_text(SUMS)

    def shown(threads):
        environment = {**os.environ, "PHALANX_NUM_THREADS": str(threads)}
        command = [sys.executable, str(script)]
        return subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        ).stdout

    assert shown(1) == shown(2) == shown(5)
