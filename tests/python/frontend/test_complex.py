"""cmath and NumPy's functions of complex numbers in kernels, against Python and NumPy."""

from __future__ import annotations

import cmath

import numpy as np
import pytest

from phalanx import cuda

NUMBERS = np.array(
    [x + y * 1j for x in (-2.5, -1.0, -0.3, 0.2, 1.0, 3.0) for y in (-1.5, -0.4, 0.3, 2.0)]
)

UNARY = [
    "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "log", "log10",
    "sin", "sinh", "sqrt", "tan", "tanh",
]  # fmt: skip


@pytest.mark.parametrize("name", UNARY)
def test_cmath_functions(device, name):
    function = getattr(cmath, name)

    @cuda.jit
    def kernel(z, out):
        i = cuda.grid(1)
        if i < z.size:
            out[i] = function(z[i])

    out = np.zeros_like(NUMBERS)
    kernel[1, 32](NUMBERS, out)
    np.testing.assert_allclose(out, [function(z) for z in NUMBERS], rtol=1e-13, atol=1e-15)


def test_cmath_functions_of_other_kinds(device):
    @cuda.jit
    def kernel(z, out):
        i = cuda.grid(1)
        r, phi = cmath.polar(z[i])
        back = cmath.rect(r, phi)
        base = cmath.log(z[i], 10)
        out[i, 0] = back
        out[i, 1] = cmath.phase(z[i]) + cmath.isfinite(z[i]) * 10 + cmath.isnan(z[i]) * 100
        out[i, 2] = base

    out = np.zeros((NUMBERS.size, 3), complex)
    kernel[1, NUMBERS.size](NUMBERS, out)
    np.testing.assert_allclose(out[:, 0], NUMBERS, rtol=1e-13)
    np.testing.assert_allclose(out[:, 1], np.angle(NUMBERS) + 10, rtol=1e-13)
    np.testing.assert_allclose(out[:, 2], np.log10(NUMBERS), rtol=1e-13)


UFUNCS = [
    "arccos", "arcsinh", "tan", "log2", "log10", "expm1", "exp2", "absolute", "square", "conjugate",
    "reciprocal", "isnan", "less", "greater_equal", "maximum", "fmin", "multiply", "power",
]  # fmt: skip


@pytest.mark.parametrize("dtype", [np.complex64, np.complex128])
@pytest.mark.parametrize("name", UFUNCS)
def test_numpy_functions(device, name, dtype):
    ufunc = getattr(np, name)

    @cuda.jit
    def one(a, _b, out):
        ufunc(a, out)

    @cuda.jit
    def two(a, b, out):
        ufunc(a, b, out)

    a = NUMBERS.astype(dtype)
    b = a[::-1].copy()
    operands = (a,) if ufunc.nin == 1 else (a, b)
    expected = ufunc(*operands)
    out = np.zeros_like(expected)
    (one if ufunc.nin == 1 else two)[1, 1](a, b, out)
    tolerance = 2e-5 if dtype is np.complex64 else 1e-12
    np.testing.assert_allclose(out, expected, rtol=tolerance, atol=tolerance)
