"""Compile time grows about as n log n with the length of a function, and long code is right."""

import importlib.util
import math
import sys
from pathlib import Path

import numpy as np
import pytest

from phalanx import cuda, njit

BENCH = Path(__file__).resolve().parents[2] / "bench" / "compile_growth.py"


def _bench():
    spec = importlib.util.spec_from_file_location("compile_growth", BENCH)
    module = importlib.util.module_from_spec(spec)
    sys.modules["compile_growth"] = module
    spec.loader.exec_module(module)
    return module


growth = _bench()
SHAPES = {shape.__name__: shape for shape in growth.SHAPES}


# n log n has 1.2; quadratic time 2. Processor time, and the best of some: on a busy machine caches
# count, too.
@pytest.mark.parametrize("path", growth.PATHS)
@pytest.mark.parametrize("shape", SHAPES)
def test_time_does_not_grow_quadratically(shape, path):
    compile_it = growth.PATHS[path]
    compile_it(SHAPES[shape](3))
    sizes = [100, 400]
    best = [math.inf, math.inf]
    for _ in range(5):
        times = [growth.seconds(compile_it, SHAPES[shape](n)) for n in sizes]
        best = list(map(min, best, times))
        if growth.exponent(sizes, best) < 1.8:
            return
    raise AssertionError(best)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("n", [30, 1000])
def test_long_functions_compute_what_python_does(shape, n, device):
    n = n // 4 if shape == "remainders" else n
    python = growth.made(SHAPES[shape](n))
    function, kernel = njit(python), cuda.jit(python)
    for start in (0.0, 17.0, n - 1.0):
        given = np.linspace(0.5, 1.5, 200)
        given[1] = start
        expected, as_function, as_kernel = given.copy(), given.copy(), given.copy()
        with np.errstate(over="ignore", invalid="ignore"):
            python(expected, 1)
        function(as_function, 1)
        kernel[1, 1](as_kernel, 1)
        np.testing.assert_allclose(as_function, expected, rtol=1e-9)
        np.testing.assert_allclose(as_kernel, expected, rtol=1e-9)


def test_nested_branches_by_the_thousand():
    n = 1000
    python = growth.made(growth.elif_chain(n))
    compiled = njit(python)
    for v in (0, 1, n // 2, n - 1, n):
        given, expected = np.full(3, float(v)), np.full(3, float(v))
        compiled(given, 1)
        python(expected, 1)
        assert given[1] == expected[1]
