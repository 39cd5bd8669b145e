"""Mathematical functions of GPUArrays, beside NumPy's."""

import numpy as np
import pytest
from phalanx.compat.pycuda import cumath, gpuarray
from phalanx.compat.pycuda.driver import Stream

pytestmark = pytest.mark.usefixtures("device")

# Name, NumPy's, if there are complex numbers.
FUNCTIONS = [
    ("fabs", "fabs", False), ("ceil", "ceil", False), ("floor", "floor", False),
    ("exp", "exp", True), ("log", "log", True), ("log10", "log10", True), ("sqrt", "sqrt", True),
    ("sin", "sin", True), ("cos", "cos", True), ("tan", "tan", True), ("asin", "arcsin", True),
    ("acos", "arccos", True), ("atan", "arctan", True), ("sinh", "sinh", True),
    ("cosh", "cosh", True), ("tanh", "tanh", True),
]  # fmt: skip
ROWS = [
    (*row[:2], dtype)
    for row in FUNCTIONS
    for dtype in ["float32", "float64", *(["complex64", "complex128"] if row[2] else [])]
]


def sample(dtype):
    values = np.linspace(0.05, 0.95, 12).reshape(3, 4)
    return (values + 1j * values[::-1]).astype(dtype) if dtype[0] == "c" else values.astype(dtype)


@pytest.mark.parametrize(("name", "numpys", "dtype"), ROWS)
@pytest.mark.parametrize("order", ["C", "F"])
def test_functions_are_numpys(name, numpys, dtype, order):
    a = np.array(sample(dtype), order=order)
    x = gpuarray.to_gpu(a)
    expected = getattr(np, numpys)(a)
    function = getattr(cumath, name)
    out = gpuarray.empty_like(x)
    assert function(x, out=out, stream=Stream()) is out
    for actual in (function(x), out):
        assert (actual.dtype, actual.strides) == (a.dtype, a.strides)
        tolerance = 1e-5 if expected.dtype.itemsize == 4 or dtype == "complex64" else 1e-12
        np.testing.assert_allclose(actual.get(), expected, rtol=tolerance, atol=tolerance / 10)


def test_second_arguments_are_outputs_or_streams():
    x = gpuarray.to_gpu(sample("float32"))
    out = gpuarray.empty_like(x)
    with pytest.warns(DeprecationWarning):
        assert cumath.exp(x, out) is out
    with pytest.warns(DeprecationWarning):
        assert cumath.exp(x, Stream()) is not out
    with pytest.raises(ValueError, match="out has dtype"):
        cumath.exp(x, out=gpuarray.zeros(3))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_functions_of_two_operands_or_results(dtype):
    a = np.array([-3.75, -0.5, 0.0, 0.625, 10.0], dtype)
    b = np.array([1.5, 2.0, 3.0, 0.25, -4.0], dtype)
    x, y = gpuarray.to_gpu(a), gpuarray.to_gpu(b)
    rows = [
        (cumath.fmod(x, y), np.fmod(a, b)),
        (cumath.ldexp(x, y), np.ldexp(a, b.astype(int))),
        *zip(cumath.frexp(x), np.frexp(a), strict=True),
        *zip(cumath.modf(x), np.modf(a), strict=True),
    ]
    for actual, expected in rows:
        assert actual.dtype == dtype
        assert (actual.get() == expected).all()
