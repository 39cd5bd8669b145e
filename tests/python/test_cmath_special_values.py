"""cmath of infinities, NaN and signed zeros, against Python's own."""

import cmath
import itertools
import math

import numpy as np
import pytest

from phalanx import cuda

PARTS = [-math.inf, -2.5, -1.0, -0.0, 0.0, 1.0, 3.0, math.inf, math.nan]
NUMBERS = [complex(re, im) for re, im in itertools.product(PARTS, PARTS)]
FUNCTIONS = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10",
    "sin", "sinh", "sqrt", "tanh",
]  # fmt: skip


def python_values(function, arguments):
    """The arguments that Python takes, and what it gives for them."""
    taken, given = [], []
    for each in arguments:
        try:
            given.append(complex(function(*each)))
        except (ValueError, OverflowError, ZeroDivisionError):
            continue
        taken.append(each)
    return taken, np.array(given)


def check(actual, expected, signs=True):
    for part in (np.real, np.imag):
        a, e = part(actual), part(expected)
        tolerance = 2e-6 if actual.dtype == np.complex64 else 4e-15
        np.testing.assert_allclose(a, e, rtol=tolerance, atol=tolerance / 1e3)
        known = ~np.isnan(e)
        if signs:
            np.testing.assert_array_equal(np.signbit(a[known]), np.signbit(e[known]))


@pytest.mark.parametrize("precision", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_of_one_number(device, name, precision):
    function = getattr(cmath, name)

    @cuda.jit
    def kernel(out, z):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = function(z[i])

    taken, expected = python_values(function, [(z,) for z in NUMBERS])
    numbers = np.array([z for (z,) in taken], precision)
    out = np.zeros_like(numbers)
    kernel[4, 32](out, numbers)
    check(out, expected)


def test_tan_but_for_the_signs_of_zeros(device):
    @cuda.jit
    def kernel(out, z):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = cmath.tan(z[i])

    taken, expected = python_values(cmath.tan, [(z,) for z in NUMBERS])
    numbers = np.array([z for (z,) in taken])
    out = np.zeros_like(numbers)
    kernel[4, 32](out, numbers)
    check(out, expected, signs=False)


def test_rect(device):
    @cuda.jit
    def kernel(out, radius, angle):
        i = cuda.grid(1)
        if i < radius.size:
            out[i] = cmath.rect(radius[i], angle[i])

    taken, expected = python_values(cmath.rect, itertools.product(PARTS, PARTS))
    radius, angle = np.array(taken).T.copy()
    out = np.zeros(radius.size, np.complex128)
    kernel[4, 32](out, radius, angle)
    check(out, expected)


def test_logarithms_to_a_base(device):
    @cuda.jit
    def kernel(out, z, base):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = cmath.log(z[i], base[i])

    finite = [z for z in NUMBERS if cmath.isfinite(z)]
    taken, expected = python_values(cmath.log, itertools.product(finite, finite))
    z, base = np.array(taken).T.copy()
    out = np.zeros(z.size, np.complex128)
    kernel[-(-z.size // 32), 32](out, z, base)
    # Contraction leaves 1e-17 where Python has 0.
    np.testing.assert_allclose(out, expected, rtol=4e-15, atol=1e-15)
