"""The mathematical functions against mpmath: a sample of what bench/accuracy.py measures.

docs/accuracy.md has the bounds. The sample is the same each time; it is a subset in kind, so that
the largest error in it may be below the bound but not above.
"""

import importlib.util
import math
import sys
from pathlib import Path

import mpmath
import numpy as np
import pytest

from phalanx import cuda, njit

PATH = Path(__file__).parents[2] / "bench" / "accuracy.py"
spec = importlib.util.spec_from_file_location("bench_accuracy", PATH)
accuracy = sys.modules["bench_accuracy"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(accuracy)

REAL = accuracy.bounds(accuracy.TABLE_HEAD)
COMPLEX = accuracy.bounds(accuracy.COMPLEX_HEAD)


@pytest.fixture(autouse=True)
def on_the_cpu():
    from phalanx import _engine

    before = _engine.current_device()
    _engine.set_current_device(_engine.device("cpu"))
    yield
    _engine.set_current_device(before)


def test_the_page_has_every_function():
    assert set(REAL) == {each.name for each in accuracy.FUNCTIONS}
    assert set(COMPLEX) == {each.name for each in accuracy.COMPLEX_FUNCTIONS}


@pytest.mark.parametrize("dtype", accuracy.FORMATS)
@pytest.mark.parametrize("function", accuracy.FUNCTIONS, ids=lambda each: each.name)
def test_functions_over_the_whole_range(function, dtype):
    worst = accuracy.measure(function, dtype, samples=0.2 if dtype == "float64" else 1)
    assert worst.error <= REAL[function.name][dtype == "float64"], worst


@pytest.mark.parametrize("dtype", accuracy.FORMATS)
@pytest.mark.parametrize("function", accuracy.COMPLEX_FUNCTIONS, ids=lambda each: each.name)
def test_complex_functions_over_the_whole_range(function, dtype):
    worst = accuracy.measure_complex(function, dtype, samples=0.05 if dtype == "float64" else 0.3)
    assert worst.error <= COMPLEX[function.name][dtype == "float64"], worst


# Of tiny z, asin and asinh are z, and acos and acosh next to those of z's other part.
TINY = {
    "cmath.asin": (1.5e-290 - 1.2e-127j, 1.5e-290 - 1.2e-127j),
    "cmath.asinh": (-1.1e-101 + 2.2e-308j, -1.1e-101 + 2.2e-308j),
    "cmath.acos": (-0.5 - 1.5e-118j, math.acos(-0.5) + 1.5e-118j / math.sqrt(0.75)),
    "cmath.acosh": (-0.5 - 1.5e-118j, 1.5e-118 / math.sqrt(0.75) - 1j * math.acos(-0.5)),
}


@pytest.mark.parametrize("name", TINY)
def test_references_are_right_at_tiny_numbers(name):
    """With every version of mpmath: 1.3 and earlier need more digits than the results have."""
    given, expected = TINY[name]
    (function,) = (each for each in accuracy.COMPLEX_FUNCTIONS if each.name == name)
    with mpmath.workprec(accuracy.PRECISION):
        found = complex(function.exact(mpmath.mpc(given)))
    assert found.real == pytest.approx(expected.real, rel=1e-15, abs=0)
    assert found.imag == pytest.approx(expected.imag, rel=1e-15, abs=0)


SPECIAL = [0.0, 1.0, 0.3, 5e-324, 2.2e-308, 1e-30, 7.5, 1e16, 1e160, 1.7976931348623157e308,
           math.inf, math.nan]  # fmt: skip


def python_remainder(x, y):
    if math.isnan(x) or math.isnan(y) or math.isinf(x) or y == 0:
        return math.nan
    return x % y


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_remainders_of_special_numbers(dtype):
    @cuda.jit
    def in_kernel(x, y, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i, 0] = math.fmod(x[i], y[i])
            out[i, 1] = math.remainder(x[i], y[i])
            out[i, 2] = x[i] % y[i]

    @njit(error_model="numpy")
    def in_function(x, y, out):
        for i in range(x.size):
            out[i, 0] = math.fmod(x[i], y[i])
            out[i, 1] = math.remainder(x[i], y[i])
            out[i, 2] = x[i] % y[i]

    with np.errstate(over="ignore"):
        some = np.array([*SPECIAL, *(-each for each in SPECIAL)]).astype(dtype)
    x, y = (each.ravel() for each in np.meshgrid(some, some))
    expected = np.empty((x.size, 3), dtype)
    for i, (a, b) in enumerate(zip(x.tolist(), y.tolist(), strict=True)):
        is_number = not (math.isnan(a) or math.isnan(b) or math.isinf(a) or b == 0)
        expected[i, 0] = math.fmod(a, b) if is_number else math.nan
        expected[i, 1] = math.remainder(a, b) if is_number else math.nan
        expected[i, 2] = python_remainder(a, b)
    for fill in (in_kernel[(x.size + 63) // 64, 64], in_function):
        out = np.zeros((x.size, 3), dtype)
        fill(x, y, out)
        np.testing.assert_array_equal(out, expected)
        same = np.signbit(out) == np.signbit(expected)
        assert (same | np.isnan(expected)).all()


# Sine and cosine of float32 have a formula of our own, which rounds a float64 once.
SINES = {"sin": (math.sin, np.sin, mpmath.sin), "cos": (math.cos, np.cos, mpmath.cos)}


def in_a_loop(call, **options):
    @njit(**options)
    def loop(x, out):
        for i in range(x.size):
            out[i] = call(x[i])

    return loop


def in_a_kernel(call, **options):
    @cuda.jit(**options)
    def kernel(x, out):
        i = cuda.grid(1)
        if i < x.size:
            out[i] = call(x[i])

    return lambda x, out: kernel[(x.size + 63) // 64, 64](x, out)


def alone(call, **options):
    @njit(**options)
    def one(x):
        return call(x)

    def each(x, out):
        for i in range(x.size):
            out[i] = one(x[i])

    return each


@pytest.mark.parametrize("name", SINES)
def test_sines_over_all_bit_patterns_are_rounded_once(name):
    call, reference, _ = SINES[name]
    x = np.arange(0, 2**32, 1021, dtype=np.uint32).view(np.float32)
    out = np.empty_like(x)
    in_a_loop(call)(x, out)
    with np.errstate(invalid="ignore"):
        exact = reference(x.astype(np.float64))  # its error is invisible in float32
    is_number = np.isfinite(x)
    assert np.isnan(out[~is_number]).all()
    out, exact = out[is_number], exact[is_number]
    nearest = exact.astype(np.float32)
    assert (np.signbit(out) == np.signbit(nearest)).all()
    error = np.abs(out - exact) / np.spacing(np.abs(nearest)).astype(np.float64)
    assert error.max() < 0.5001
    assert np.count_nonzero(out != nearest) < 10


def numbers_of_all_kinds():
    rng = np.random.default_rng(5)
    any_bits = rng.integers(0, 2**32, 2000, dtype=np.uint32).view(np.float32)
    turns = (np.arange(-500, 500) * (math.pi / 2)).astype(np.float32)
    limit = np.float32(2.0**36)  # of the formula's own reduction; SLEEF's is in the same vectors
    around = [np.nextafter(limit, np.float32(end)) for end in (0, math.inf)]
    special = [0.0, 1e-45, 1e-38, 5e-39, limit, *around, 3.4e38, math.inf, math.nan]
    special = np.array([*special, *(-each for each in special)], np.float32)
    near = rng.uniform(-9, 9, 999).astype(np.float32)
    return rng.permutation(np.concatenate([any_bits, turns, special, near]))


@pytest.mark.parametrize("options", [{}, {"fastmath": {"reassoc", "contract", "arcp", "afn"}}])
@pytest.mark.parametrize("name", SINES)
def test_sines_do_not_depend_on_where_they_are_computed(name, options):
    call, _, exact = SINES[name]
    x = numbers_of_all_kinds()
    expected = np.full_like(x, math.nan)
    for i in np.flatnonzero(np.isfinite(x)):
        if x[i] == 0:
            expected[i] = x[i] if name == "sin" else 1
            continue
        with mpmath.workprec(accuracy.PRECISION):
            expected[i] = np.float32(exact(mpmath.mpf(float(x[i]))))
    for made in (alone, in_a_loop, in_a_kernel):
        for length in (x.size, 7, 16, 33):
            out = np.zeros(length, np.float32)
            made(call, **options)(x[:length], out)
            is_number = np.isfinite(x[:length])
            same = out.view(np.uint32) == expected[:length].view(np.uint32)
            assert (same | ~is_number).all(), (made.__name__, x[:length][~same & is_number])
            assert np.isnan(out[~is_number]).all(), made.__name__
