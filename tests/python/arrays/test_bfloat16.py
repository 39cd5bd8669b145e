"""Arrays of bfloat16, with the ufuncs and casts of the package ml_dtypes as the oracle."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import layouts, outcome
from phalanx import types

ml_dtypes = pytest.importorskip(
    "ml_dtypes", reason="NumPy has bfloat16 by the package ml_dtypes alone"
)
BFLOAT16 = np.dtype(ml_dtypes.bfloat16)
DTYPES = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
          "float16", "float32", "float64", "complex64", "complex128"]  # fmt: skip
# NumPy's ufuncs that ml_dtypes has for bfloat16, but for those without an error of half a unit.
EXACT = ["absolute", "add", "ceil", "copysign", "divide", "equal", "fabs", "floor", "fmax", "fmin",
         "greater", "greater_equal", "isfinite", "isinf", "isnan", "less", "less_equal",
         "logical_and", "logical_not", "logical_or", "logical_xor", "maximum", "minimum",
         "multiply", "negative", "nextafter", "not_equal", "positive", "reciprocal", "rint",
         "sign", "signbit", "sqrt", "square", "subtract", "trunc"]  # fmt: skip
NEAR = ["arccos", "arccosh", "arcsin", "arcsinh", "arctan", "arctan2", "arctanh", "cbrt", "cos",
        "cosh", "deg2rad", "exp", "exp2", "expm1", "floor_divide", "fmod", "heaviside", "hypot",
        "log", "log10", "log1p", "log2", "logaddexp", "logaddexp2", "modf", "power", "rad2deg",
        "remainder", "sin", "sinh", "tan", "tanh"]  # fmt: skip
pytestmark = [
    pytest.mark.usefixtures("device"),
    pytest.mark.filterwarnings("ignore::RuntimeWarning"),
]


def values(shape=(48,), shift=0):
    """Numbers of all sizes, with the special ones among them."""
    count = np.roll(np.arange(int(np.prod(shape))), shift)
    made = ((count % 11 - 5) * 1.37 ** (count % 7)).astype(BFLOAT16)
    special = np.array([np.nan, np.inf, -np.inf, -0.0, 0.0, 3e38, 1e-40], BFLOAT16)
    made[::5] = special[np.arange(len(made[::5])) % len(special)]
    return made.reshape(shape)


def finite(shape=(48,)):
    return (np.arange(int(np.prod(shape))) % 17 - 8).astype(BFLOAT16).reshape(shape)


def bits(array):
    return np.asarray(array).view("u2")


def check_same(actual, expected, ulps=0):
    """Both are of one dtype and shape, and equal up to neighbours."""
    if isinstance(expected, tuple):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            check_same(one, other, ulps)
        return
    expected = np.asarray(expected)
    assert isinstance(actual, px.ndarray)
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    host, expected = np.asarray(actual), np.asarray(expected)
    if expected.dtype != BFLOAT16:
        assert np.array_equal(host, expected, equal_nan=expected.dtype.kind in "fc")
        return
    is_nan = np.isnan(expected)
    assert np.array_equal(np.isnan(host), is_nan)
    one, other = (np.where(is_nan, 0, bits(x).view("i2").astype("i4")) for x in (host, expected))
    one, other = (np.where(x < 0, -(x & 0x7FFF), x) for x in (one, other))  # in order
    assert (np.abs(one - other) <= ulps).all(), (host, expected)


def test_creation(device):
    for dtype in (px.bfloat16, "bfloat16", types.bfloat16, ml_dtypes.bfloat16, BFLOAT16):
        for made in (
            px.asarray([1.5, 2], dtype=dtype),
            px.array([1.5, 2], dtype),
            px.asarray(np.array([1.5, 2]), dtype),
            px.asarray(np.array([1.5, 2], BFLOAT16)),
            px.asarray(np.array([1.5, 2])).astype(dtype),
        ):
            check_same(made, np.array([1.5, 2], BFLOAT16))
    check_same(px.zeros(3, px.bfloat16), np.zeros(3, BFLOAT16))
    check_same(px.ones((2, 3), px.bfloat16), np.ones((2, 3), BFLOAT16))
    check_same(px.full(3, 0.1, px.bfloat16), np.full(3, 0.1, BFLOAT16))
    check_same(px.full_like(px.zeros(3, px.bfloat16), 2), np.full(3, 2, BFLOAT16))
    check_same(px.eye(3, dtype=px.bfloat16), np.eye(3, dtype=BFLOAT16))
    check_same(px.arange(5, dtype=px.bfloat16), np.arange(5).astype(BFLOAT16))
    assert px.empty(3, px.bfloat16).itemsize == 2 and px.zeros(3, px.bfloat16).nbytes == 6
    check_same(px.asarray(ml_dtypes.bfloat16(2.5)), np.array(2.5, BFLOAT16))


def test_as_numpys_array(device):
    x = values()
    made = px.array(x)
    host = np.asarray(made)
    assert host.dtype == BFLOAT16 and np.array_equal(bits(host), bits(x))
    assert repr(made) == repr(x) and str(made) == str(x)
    assert made.tobytes() == x.tobytes() and repr(made.tolist()) == repr(x.tolist())
    assert float(made[3]) == float(x[3]) and made[3].item() == x[3].item()
    assert np.array_equal(bits(pickle.loads(pickle.dumps(made))), bits(x))
    assert np.array_equal(np.asarray(made.view("uint16")), x.view("u2"))
    check_same(made.view("uint16").view(px.bfloat16)[1:3], x[1:3])
    if device == "cpu":
        shared = px.asarray(x)
        shared[1] = 7
        assert x[1] == 7
        with pytest.raises(ValueError):
            memoryview(made)


def test_dlpack(device):
    made = px.array(values())
    check_same(px.from_dlpack(made * 1), np.asarray(made))
    again = px.from_dlpack(made)
    check_same(again, values())


@pytest.mark.parametrize("dtype", DTYPES)
def test_casts(device, dtype):
    x = finite() if np.dtype(dtype).kind in "iu" else values()
    x = np.abs(x) if np.dtype(dtype).kind == "u" else x
    check_same(px.array(x).astype(dtype), x.astype(dtype))
    count = np.arange(300) * (37 if np.dtype(dtype).itemsize > 1 else 1)
    y = (count / 7 if np.dtype(dtype).kind in "fc" else count).astype(dtype)
    # ml_dtypes goes over float32: a float64 may be rounded twice.
    check_same(px.array(y).astype(px.bfloat16), y.astype(BFLOAT16))
    made = px.zeros(48, dtype)
    made[...] = px.array(x)
    check_same(made, x.astype(dtype))


@pytest.mark.parametrize("dtype", DTYPES)
def test_promotion(device, dtype):
    x, y = finite((6,)), np.arange(1, 7).astype(dtype)
    expected = (x + y).dtype
    for function in (px.add, px.multiply, px.maximum):
        assert function(px.array(x), px.array(y)).dtype == expected, function
        assert function(px.array(y), px.array(x)).dtype == expected, function
    assert px.result_type(px.bfloat16, dtype) == expected
    assert px.promote_types(dtype, px.bfloat16) == expected
    assert px.where(np.arange(6) > 2, px.array(x), px.array(y)).dtype == expected
    assert px.concatenate([px.array(x), px.array(y)]).dtype == expected
    wanted, _ = outcome(lambda: np.promote_types(BFLOAT16, dtype))
    assert wanted in (None, expected)
    check_same(px.array(x) < px.array(y), x < y)


def test_numbers_of_python_are_weak(device):
    """NumPy's are too, but for floats, with which an array of ml_dtypes becomes one of float64."""
    x = px.array(finite((6,)))
    for number in (2, 0.5, True):
        assert (x * number).dtype == (number * x).dtype == BFLOAT16
    assert (x * 2j).dtype == np.complex64
    x *= 0.5
    assert x.dtype == BFLOAT16
    assert (x * np.float32(2)).dtype == np.float32


@pytest.mark.parametrize("name", [*EXACT, *NEAR])
def test_functions(device, name):
    theirs, function = getattr(np, name), getattr(px, name)
    ulps = 0 if name in EXACT else 1
    operands = [values(), values(shift=9)][: theirs.nin]
    if name in ("floor_divide", "remainder", "fmod"):  # whose results differ where they are rounded
        operands = [finite(), np.where(finite() == 0, 3, finite()).astype(BFLOAT16)[::-1]]
    expected = theirs(*operands)
    if name in ("deg2rad", "rad2deg"):
        expected = expected.astype(BFLOAT16)
    check_same(function(*map(px.array, operands)), expected, ulps)
    if theirs.nout == 1:
        for _, one in layouts(finite((4, 6))):
            made = function(*[px.array(one)] * theirs.nin)
            check_same(made, theirs(*[one] * theirs.nin).astype(made.dtype), ulps)


def test_functions_without_a_loop(device):
    for name in ("bitwise_and", "left_shift", "gcd", "invert"):
        function = getattr(px, name)
        with pytest.raises(TypeError):
            function(*[px.array(finite())] * function.nin)


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "min", "max", "argmin", "argmax", "any",
                                  "all", "var", "std"])  # fmt: skip
def test_reductions(device, name):
    x = (finite((8, 9)).astype("f4") / 8 + 1).astype(BFLOAT16)
    for axis in (None, 0, 1):
        exact = getattr(np, name)(x.astype("f4"), axis=axis)
        is_number = name not in ("argmin", "argmax", "any", "all")
        expected = np.asarray(exact).astype(BFLOAT16) if is_number else np.asarray(exact)
        check_same(getattr(px, name)(px.array(x), axis=axis), expected, 1 if is_number else 0)
    ones = px.ones(1000, px.bfloat16)  # a sum in bfloat16 would end at 256
    assert float(ones.sum()) == 1000 and float(ones.mean()) == 1
    assert np.isnan(float(px.array(values()).max())) and np.isfinite(float(px.nanmax(px.array(x))))


def test_other_functions(device):
    x = finite((4, 6))
    made = px.array(x)
    check_same(px.sort(made), np.sort(x))
    check_same(px.clip(made, -2, 3), np.clip(x, -2, 3).astype(BFLOAT16))
    assert np.isfinite(np.asarray(px.nan_to_num(px.array(values())))).all()
    check_same(made[::2, 1:4].T, x[::2, 1:4].T)
    check_same(px.round(made / 3, 1).astype("f4") * 0, np.zeros((4, 6), "f4"))
    assert px.finfo(px.bfloat16).eps == float(ml_dtypes.finfo(BFLOAT16).eps)
    assert px.finfo(made).max == float(ml_dtypes.finfo(BFLOAT16).max)
    assert px.isdtype(px.bfloat16, "real floating") and not px.isdtype(px.bfloat16, "integral")
    assert px.can_cast(px.bfloat16, "f4") and not px.can_cast("f4", px.bfloat16, "safe")
    out = px.zeros((4, 6), px.bfloat16)
    px.add(made, made, out=out)
    check_same(out, x + x)
    check_same(px.add(made, made, dtype="f4"), np.add(x, x, dtype="f4"))


WITHOUT_ML_DTYPES = """
import sys
sys.modules["ml_dtypes"] = None
import numpy as np
import phalanx as px

x = px.asarray([1.5, 2.25, 3], dtype=px.bfloat16)
assert x.dtype == px.bfloat16 and px.zeros_like(x).dtype == px.bfloat16
y = px.sqrt(x * x) + 0.5
y += x
assert y.astype("f4").tolist() == [3.5, 5, 6.5] == y.tolist()
assert y.dtype == px.result_type(x, 1) and (x + np.float32(1)).dtype == np.float32
assert repr(x) == "array([1.5 , 2.25, 3.  ], dtype=bfloat16)" and str(y.sum()) == "15.0", repr(x)
assert float(y[0]) == 3.5 and y.max().item() == 6.5 and px.finfo(x).bits == 16
assert px.from_dlpack(x).tolist() == x.tolist()
out = px.empty_like(x)
px.add(x, x, out=out)
x[1:] = out[:2]
assert x.tolist() == [1.5, 3, 4.5]
try:
    np.asarray(x)
except TypeError as error:
    assert "ml_dtypes" in str(error)
else:
    raise AssertionError("NumPy has no bfloat16")
"""


def test_without_the_package(device, run_python):
    run_python(WITHOUT_ML_DTYPES, PHALANX_DEVICE=device)


def test_views_by_the_packages_dtype(device):
    host = np.arange(6, dtype=np.uint16)
    made = px.asarray(host).view(BFLOAT16)
    assert isinstance(made, px.ndarray) and made.dtype == px.bfloat16
    assert isinstance(made.view(made.dtype), px.ndarray)
    assert np.array_equal(bits(made), host)
