"""A number's function is bit for bit what the vector code gives for it, whatever is beside it."""

import math

import numpy as np
import pytest

from phalanx import njit

UNARY = [
    "exp",
    "exp2",
    "expm1",
    "log",
    "log2",
    "log10",
    "log1p",
    "sin",
    "cos",
    "tan",
    "arcsin",
    "arccos",
    "arctan",
    "sinh",
    "cosh",
    "tanh",
    "arcsinh",
    "arccosh",
    "arctanh",
    "cbrt",
]
BINARY = ["power", "hypot", "arctan2", "nextafter"]
OF_MATH = ["erf", "erfc", "gamma", "lgamma"]
SPECIAL = [0.0, -0.0, math.inf, -math.inf, math.nan, 1.0, -1.0, 0.5, 1e-300, 1e300, 709.8, -745.0]


def values(dtype):
    random = np.random.default_rng(7)
    sizes = 10.0 ** random.uniform(-6, 4, 300)
    signs = random.choice([-1.0, 1.0], 300)
    with np.errstate(over="ignore"):
        return np.concatenate([SPECIAL, sizes * signs, random.uniform(-2, 2, 300)]).astype(dtype)


def one_by_one(function, *arrays):
    """Each in a call of its own: no loop that could be vector code."""
    single = njit(error_model="numpy")(function)
    return [single(*each) for each in zip(*arrays, strict=True)]


def check(function, dtype, *arrays):
    together = njit(error_model="numpy")(function)(*arrays)
    bits = np.dtype(f"u{arrays[0].itemsize}")
    alone = np.array(one_by_one(function, *arrays), dtype)
    assert together.dtype == dtype
    different = np.flatnonzero(alone.view(bits) != together.view(bits))
    real = [i for i in different if not (np.isnan(alone[i]) and np.isnan(together[i]))]
    assert not real, [(arrays[0][i], alone[i], together[i]) for i in real[:3]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["f4", "f8"])
@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one_number(name, dtype):
    function = getattr(np, name)
    check(lambda x: function(x), dtype, values(dtype))


@pytest.mark.parametrize("dtype", [np.float32, np.float64], ids=["f4", "f8"])
@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two_numbers(name, dtype):
    function = getattr(np, name)
    a = values(dtype)
    check(lambda x, y: function(x, y), dtype, a, np.roll(a, 17))


@pytest.mark.parametrize("name", OF_MATH)
def test_functions_of_math(name):
    function = getattr(math, name)
    a = values(np.float64)

    @njit(error_model="numpy")
    def over(a):
        out = np.empty_like(a)
        for i in range(a.size):
            out[i] = function(a[i])
        return out

    single = njit(error_model="numpy")(lambda x: function(x))
    np.testing.assert_array_equal(over(a), [single(x) for x in a])
