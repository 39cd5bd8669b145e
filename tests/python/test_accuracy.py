"""The mathematical functions against mpmath: a sample of what bench/accuracy.py measures.

docs/accuracy.md has the bounds. The sample is the same each time; it is a subset in kind, so that
the largest error in it may be below the bound but not above.
"""

import importlib.util
import math
import sys
from pathlib import Path

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
