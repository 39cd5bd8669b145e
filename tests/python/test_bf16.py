"""The functions of phalanx.cuda.bf16, against float64 rounded to bfloat16 by its bits."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phalanx.cuda import bf16

from phalanx import cuda, types

CASES = [0.0, -0.0, 1.0, -1.5, 2.25, 3.140625, -100.0, 1e-3, 65280.0, math.inf, -math.inf, math.nan]


def to_bits(x):
    """float64 -> the bits of the nearest bfloat16, ties to even; through float32 rounded to odd."""
    x = np.asarray(x, np.float64)
    near = x.astype(np.float32)
    bits = near.view(np.uint32).astype(np.int64)
    back = near.astype(np.float64)
    inexact = (back != x) & np.isfinite(x) & (bits & 1 == 0)
    bits = np.where(inexact, np.where(np.abs(back) > np.abs(x), bits - 1, bits + 1), bits)
    rounded = (bits + 0x7FFF + ((bits >> 16) & 1)) >> 16
    return np.where(np.isnan(x), 0x7FC0, rounded).astype(np.uint16)


def of_bits(bits):
    return (np.asarray(bits, np.uint32) << 16).view(np.float32).astype(np.float64)


def nearest(x):
    return of_bits(to_bits(x))


def run(function, *columns, result=types.float32, out=np.float32):
    """The function over columns of float64, its arguments made bfloat16."""
    arity = len(columns)
    size = len(columns[0])

    if arity == 1:

        @cuda.jit
        def kernel(out, a):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = result(function(bf16.bfloat16(a[i])))
    elif arity == 2:

        @cuda.jit
        def kernel(out, a, b):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = result(function(bf16.bfloat16(a[i]), bf16.bfloat16(b[i])))
    else:

        @cuda.jit
        def kernel(out, a, b, c):
            i = cuda.grid(1)
            if i < out.size:
                out[i] = result(
                    function(bf16.bfloat16(a[i]), bf16.bfloat16(b[i]), bf16.bfloat16(c[i]))
                )

    got = np.zeros(size, out)
    kernel[(size + 63) // 64, 64](got, *(np.asarray(each, np.float64) for each in columns))
    return got


def clamped(x):
    return np.where(np.isnan(x), 0.0, np.clip(x, 0.0, 1.0))


PAIRS = np.array([(a, b) for a in CASES for b in CASES]).T
BINARY = {
    "hadd": np.add, "hsub": np.subtract, "hmul": np.multiply, "hdiv": np.divide,
    "hadd_rn": np.add, "hsub_rn": np.subtract, "hmul_rn": np.multiply,
    "hadd_sat": lambda a, b: clamped(a + b), "hsub_sat": lambda a, b: clamped(a - b),
    "hmul_sat": lambda a, b: clamped(a * b),
    "hmax": np.fmax, "hmin": np.fmin, "hmax_nan": np.maximum, "hmin_nan": np.minimum,
}  # fmt: skip
UNARY = {
    "habs": np.abs, "hneg": np.negative, "hceil": np.ceil, "hfloor": np.floor, "hrint": np.rint,
    "htrunc": np.trunc, "hcos": np.cos, "hsin": np.sin, "hexp": np.exp, "hexp2": np.exp2,
    "hexp10": lambda a: 10.0**a, "hlog": np.log, "hlog2": np.log2, "hlog10": np.log10,
    "hsqrt": np.sqrt, "hrsqrt": lambda a: 1 / np.sqrt(a), "hrcp": np.reciprocal,
    "htanh": np.tanh, "htanh_approx": np.tanh,
}  # fmt: skip


def assert_within_one_bit(got, expected):
    """Mathematics in float32 may round the other way where the result lies in the middle."""
    with np.errstate(invalid="ignore"):
        low, high = nearest(expected * (1 - 2.0**-8)), nearest(expected * (1 + 2.0**-8))
        is_near = (np.minimum(low, high) <= got) & (got <= np.maximum(low, high))
    same = (got == nearest(expected)) | (np.isnan(got) & np.isnan(expected)) | is_near
    assert same.all(), (got[~same], expected[~same])


@pytest.mark.parametrize("name", BINARY)
def test_functions_of_two(device, name):
    a, b = nearest(PAIRS[0]), nearest(PAIRS[1])
    with np.errstate(all="ignore"):
        expected = BINARY[name](a, b)
    got = run(getattr(bf16, name), *PAIRS).astype(np.float64)
    np.testing.assert_array_equal(got, nearest(expected))


@pytest.mark.parametrize("name", UNARY)
def test_functions_of_one(device, name):
    a = nearest(CASES)
    with np.errstate(all="ignore"):
        expected = UNARY[name](a)
    assert_within_one_bit(run(getattr(bf16, name), CASES).astype(np.float64), expected)


def test_fused_products(device):
    a = np.array([1.25, -1.5, 3.0, math.nan, 1.0])
    b = np.array([-2.5, 2.0, 0.125, 1.0, 1.0])
    c = np.array([-2.5, 0.0, 0.5, 1.0, 2.0**-9])
    exact = a * b + c
    np.testing.assert_array_equal(run(bf16.hfma, a, b, c), nearest(exact))
    np.testing.assert_array_equal(run(bf16.hfma_sat, a, b, c), nearest(clamped(exact)))
    np.testing.assert_array_equal(run(bf16.hfma_relu, a, b, c), nearest(np.maximum(exact, 0.0)))


@pytest.mark.parametrize("name", ["heq", "hne", "hlt", "hle", "hgt", "hge"])
def test_comparisons(device, name):
    a, b = nearest(PAIRS[0]), nearest(PAIRS[1])
    unordered = np.isnan(a) | np.isnan(b)
    compare = {"heq": np.equal, "hne": np.not_equal, "hlt": np.less, "hle": np.less_equal,
               "hgt": np.greater, "hge": np.greater_equal}[name](a, b)  # fmt: skip
    ordered = run(getattr(bf16, name), *PAIRS, result=types.boolean, out=np.bool_)
    np.testing.assert_array_equal(ordered, compare & ~unordered)
    also = run(getattr(bf16, name + "u"), *PAIRS, result=types.boolean, out=np.bool_)
    np.testing.assert_array_equal(also, compare | unordered)


def test_nan_and_infinity(device):
    nans = run(bf16.hisnan, CASES, result=types.boolean, out=np.bool_)
    np.testing.assert_array_equal(nans, np.isnan(CASES))
    infinite = run(bf16.hisinf, CASES, result=types.int32, out=np.int32)
    np.testing.assert_array_equal(infinite, np.where(np.isinf(CASES), np.sign(CASES), 0))


WHOLE = {"rn": np.rint, "rz": np.trunc, "rd": np.floor, "ru": np.ceil}
INTEGERS = ["int16", "uint16", "int32", "uint32", "int64", "uint64"]


@pytest.mark.parametrize("mode", WHOLE)
@pytest.mark.parametrize("integer", INTEGERS)
def test_to_integers(device, integer, mode):
    values = [*CASES, 1.5, -1.5, 2.5, 0.4, -0.4, 1e30, -1e30]
    got = run(
        getattr(bf16, f"bfloat16_to_{integer}_{mode}"),
        values,
        result=getattr(types, integer),
        out=np.dtype(integer),
    )
    limits = np.iinfo(integer)
    for value, found in zip(nearest(values), got, strict=True):
        exact = 0 if math.isnan(value) else value if math.isinf(value) else WHOLE[mode](value)
        expected = max(limits.min, min(limits.max, exact))
        assert int(found) == int(expected), (value, found)


def test_to_bytes(device):
    values = [1.5, -1.5, 300.0, -300.0, math.nan]
    small = run(bf16.bfloat16_to_int8_rz, values, result=types.int8, out=np.int8)
    np.testing.assert_array_equal(small, [1, -1, 127, -128, 0])
    small = run(bf16.bfloat16_to_uint8_rz, values, result=types.uint8, out=np.uint8)
    np.testing.assert_array_equal(small, [1, 0, 255, 0, 0])


def rounded_exactly(value, mode):
    """A Python integer or float -> bfloat16, by comparing exact numbers."""
    near = int(to_bits(float(value)))
    candidates = sorted(
        float(of_bits(bits)) for bits in (near - 1, near, near + 1) if 0 <= bits <= 0xFFFF
    )
    below = [each for each in candidates if each <= value]
    above = [each for each in candidates if each >= value]
    if mode == "rd" or (mode == "rz" and value > 0):
        return max(below)
    if mode == "ru" or (mode == "rz" and value < 0):
        return min(above)
    if mode == "rz":
        return 0.0
    down, up = max(below), min(above)
    if abs(value - int(down)) != abs(int(up) - value):
        return down if abs(value - int(down)) < abs(int(up) - value) else up
    return down if int(to_bits(down)) % 2 == 0 else up


@pytest.mark.parametrize("integer", INTEGERS)
def test_from_integers(device, integer):
    limits = np.iinfo(integer)
    values = [0, 1, 255, 257, 258, 259, 789, 32767, limits.max, limits.max - 1, limits.max // 3]
    values += [limits.min, limits.min + 1, limits.min // 3]
    values += [2**40 + 2**32, 2**40 + 2**32 + 1, 2**62 + 2**54 + 1, -(2**40) - 2**32 - 1]
    values = [value for value in values if limits.min <= value <= limits.max]
    given_values = np.array(values, integer)
    for mode in WHOLE:
        convert = getattr(bf16, f"{integer}_to_bfloat16_{mode}")

        @cuda.jit
        def kernel(out, x, convert=convert):
            i = cuda.grid(1)
            if i < x.size:
                out[i] = types.float32(convert(x[i]))

        got = np.zeros(len(values), np.float32)
        kernel[1, 32](got, given_values)
        for value, found in zip(values, got, strict=True):
            assert float(found) == rounded_exactly(value, mode), (value, mode)


@cuda.jit
def convert_floats(x, wide, out):
    i = cuda.grid(1)
    if i < x.size:
        out[i, 0] = bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16_rn(x[i]))
        out[i, 1] = bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16_rz(x[i]))
        out[i, 2] = bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16_rd(x[i]))
        out[i, 3] = bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16_ru(x[i]))
        out[i, 4] = bf16.bfloat16_as_uint16(bf16.float64_to_bfloat16(wide[i]))
        out[i, 5] = bf16.bfloat16_as_uint16(bf16.float32_to_bfloat16(x[i]))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_from_floats_of_any_size(values):
    x = np.array(values, np.float32)
    # Just beside what float32 holds: rounding twice would go wrong in the middle.
    wide = np.nextafter(x.astype(np.float64), np.inf)
    bits = np.zeros((len(x), 6), np.uint16)
    convert_floats[(len(x) + 31) // 32, 32](x, wide, bits)
    exact = x.astype(np.float64)
    got = of_bits(bits)
    np.testing.assert_array_equal(bits[:, 0], to_bits(exact))
    np.testing.assert_array_equal(bits[:, 5], to_bits(exact))
    np.testing.assert_array_equal(bits[:, 4], to_bits(wide))
    assert (np.abs(got[:, 1]) <= np.abs(exact)).all()
    assert (got[:, 2] <= exact).all() and (got[:, 3] >= exact).all()
    is_exact = of_bits(to_bits(exact)) == exact
    np.testing.assert_array_equal(got[is_exact, 1:4], exact[is_exact, None].repeat(3, 1))
    # No other bfloat16 lies between the two that enclose a number.
    gap = bits[:, 3].astype(int) - bits[:, 2].astype(int)
    assert (np.abs(gap[~is_exact]) == 1).all()


def test_bits(device):
    @cuda.jit
    def kernel(bits, signed, out):
        out[0] = bf16.bfloat16_as_uint16(bf16.uint16_as_bfloat16(bits))
        out[1] = bf16.bfloat16_as_int16(bf16.int16_as_bfloat16(signed))
        out[2] = types.int32(bf16.bfloat16_to_float32(bf16.int16_as_bfloat16(signed)) * 2)

    out = np.zeros(3, np.int32)
    kernel[1, 1](np.uint16(0xBFC0), np.int16(0x3FC0), out)
    np.testing.assert_array_equal(out, [0xBFC0, 0x3FC0, 3])
