"""libdevice by name: values against NumPy and the math module, and each function compiles."""

import math

import numpy as np
import pytest
from from_text import function_of
from phalanx.cuda import libdevice

from phalanx import _engine, cuda

FUNCTIONS = dict(_engine.libdevice_functions())
DTYPES = {"h": np.int16, "i": np.int32, "l": np.int64, "f": np.float32, "d": np.float64}


def call(name, *columns):
    """Calls the function for each row of the columns; one array a result."""
    results, _, operands = FUNCTIONS[name].partition("(")
    results = results.replace(">", "")
    operands = operands.rstrip(")")
    given = ", ".join(f"a{i}[i]" for i in range(len(operands)))
    taken = ", ".join(f"r{i}[i]" for i in range(len(results)))
    parameters = ", ".join(
        [f"r{i}" for i in range(len(results))] + [f"a{i}" for i in range(len(operands))]
    )
    text = (
        f"def kernel({parameters}):\n"
        f"    i = cuda.grid(1)\n"
        f"    if i < a0.size:\n"
        f"        {taken} = libdevice.{name}({given})\n"
    )
    kernel = function_of(text, "kernel", cuda=cuda, libdevice=libdevice)
    arrays = [
        np.asarray(column).astype(DTYPES[letter])
        for column, letter in zip(columns, operands, strict=True)
    ]
    out = [np.zeros(arrays[0].size, DTYPES[letter]) for letter in results]
    cuda.jit(kernel)[2, 32](*out, *arrays)
    return out


@pytest.mark.parametrize("name", FUNCTIONS)
def test_each_function_runs(name, device):
    operands = FUNCTIONS[name].partition("(")[2].rstrip(")")
    first = 1.25 if name.startswith("acosh") else 0.25  # within the domain of all of them
    floats, integers = np.linspace(first, first + 0.5, 40), np.arange(40) % 5 + 1
    for result in call(name, *(floats if c in "fd" else integers for c in operands)):
        assert np.isfinite(result.astype(np.float64)).all()


X = np.linspace(-3, 3, 61)
U = np.linspace(0.01, 0.99, 50)
N = np.array([0, 1, -1, 5, 77, -300, 2**31 - 1, -(2**31)])


def of(function):
    return lambda x: np.array([function(float(v)) for v in x])


@pytest.mark.parametrize(
    ("name", "x", "expected"),
    [
        ("sin", X, np.sin),
        ("exp10", X, lambda x: 10.0**x),
        ("sinpi", X, lambda x: np.where(x == np.rint(x), 0, np.sin(np.pi * x))),
        ("cospi", X, lambda x: np.cos(np.pi * x)),
        ("erfinv", 2 * U - 1, None),
        ("erfcinv", 2 * U, None),
        ("normcdf", X, of(lambda v: 0.5 * math.erfc(-v / math.sqrt(2)))),
        ("normcdfinv", U, None),
        ("erfcx", X, of(lambda v: math.exp(v * v) * math.erfc(v))),
        ("rcbrt", U, lambda x: 1 / np.cbrt(x)),
        ("round", X, lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
        ("llround", X, lambda x: np.copysign(np.floor(np.abs(x) + 0.5), x)),
        ("llrint", X, np.rint),
    ],
)
def test_functions_of_one_float64(name, x, expected, device):
    (result,) = call(name, x)
    if expected is None:  # an inverse: the function of it is the operand
        inverse_of = {"erfinv": "erf", "erfcinv": "erfc", "normcdfinv": "normcdf"}[name]
        (result,) = call(inverse_of, result)
        expected = np.asarray
    np.testing.assert_allclose(result, expected(x), rtol=1e-13, atol=1e-15)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("ffs", lambda n: [(int(v) & -int(v)).bit_length() for v in n]),
        ("popc", lambda n: [(int(v) & 0xFFFFFFFF).bit_count() for v in n]),
        ("clz", lambda n: [32 - (int(v) & 0xFFFFFFFF).bit_length() for v in n]),
    ],
)
def test_functions_of_one_integer(name, expected, device):
    np.testing.assert_array_equal(call(name, N)[0], expected(N))


def test_functions_of_two_integers(device):
    a, b = (grid.ravel() for grid in np.meshgrid(N, N))
    np.testing.assert_array_equal(call("mulhi", a, b)[0], (a * b) >> 32)
    np.testing.assert_array_equal(call("hadd", a, b)[0], (a + b) >> 1)
    np.testing.assert_array_equal(call("rhadd", a, b)[0], (a + b + 1) >> 1)
    unsigned = np.maximum(a.astype(np.uint32), b.astype(np.uint32))
    np.testing.assert_array_equal(call("umax", a, b)[0].view(np.uint32), unsigned)


def test_several_results_come_as_a_tuple(device):
    sine, cosine = call("sincos", X)
    np.testing.assert_allclose(sine, np.sin(X), rtol=1e-14, atol=1e-15)
    np.testing.assert_allclose(cosine, np.cos(X), rtol=1e-14, atol=1e-15)
    fraction, exponent = call("frexp", X)
    np.testing.assert_array_equal(np.ldexp(fraction, exponent), X)


def test_rounding_is_the_names(device):
    x, three = np.array([1.0, -1.0]), np.array([3.0, 3.0])
    down, up = call("fdiv_rd", x, three)[0], call("fdiv_ru", x, three)[0]
    zero, near = call("fdiv_rz", x, three)[0], call("fdiv_rn", x, three)[0]
    np.testing.assert_array_equal(np.nextafter(down, np.float32(2)), up)
    np.testing.assert_array_equal(zero, [down[0], up[1]])
    np.testing.assert_array_equal(near, (x / three).astype(np.float32))
    np.testing.assert_array_equal(call("float2int_ru", [1.5, -1.5])[0], [2, -1])
    np.testing.assert_array_equal(call("float2int_rn", [2.5, 1e30])[0], [2, 2**31 - 1])


def test_functions_of_one_value_stay_apart(device):
    @cuda.jit
    def kernel(out, x):
        out[0] = libdevice.floorf(x)
        out[1] = libdevice.ceilf(x)
        out[2] = libdevice.floorf(x)

    out = np.zeros(3, np.float32)
    kernel[1, 1](out, np.float32(1.5))
    np.testing.assert_array_equal(out, [1, 2, 1])
