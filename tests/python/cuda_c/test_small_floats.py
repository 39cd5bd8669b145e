"""half and bfloat16: each function beside NumPy, whose results are rounded once."""

from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

COUNT = 512


def to_bfloat16(values):
    """The bits of float64 values rounded to bfloat16, halves to even, by way of odd float32."""
    wide = np.asarray(values, np.float64)
    with np.errstate(over="ignore", invalid="ignore"):
        single = wide.astype(np.float32)
    bits = single.view(np.uint32)
    rest = wide - single.astype(np.float64)
    is_even = (bits & 1) == 0
    away = (rest > 0) == (single > 0)
    fix = np.isfinite(single) & (rest != 0) & is_even
    bits = np.where(fix, np.where(away, bits + 1, bits - 1), bits).astype(np.uint32)
    rounded = ((bits.astype(np.uint64) + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype(np.uint16)
    return np.where(np.isnan(single), np.uint16(0x7FFF), rounded)


def from_bfloat16(bits):
    return (bits.astype(np.uint32) << 16).view(np.float32)


CONSTANTS = ("INF", "NAN", "MIN_DENORM", "MAX_NORMAL", "NEG_ZERO", "ZERO", "ONE")


class Kind(NamedTuple):
    """A type of CUDA's with what converts it, and the bits of its constants."""

    header: str
    name: str
    pair: str
    word: str
    encode: Callable
    decode: Callable
    bits: tuple

    def __repr__(self):
        return self.word

    @property
    def constants(self):
        return dict(zip(CONSTANTS, self.bits, strict=True))


def half_bits(values):
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(np.float16).view(np.uint16)


KINDS = [
    Kind("cuda_fp16.h", "__half", "__half2", "half", half_bits,
         lambda bits: bits.view(np.float16).astype(np.float32),
         (0x7C00, 0x7FFF, 1, 0x7BFF, 0x8000, 0, 0x3C00)),
    Kind("cuda_bf16.h", "__nv_bfloat16", "__nv_bfloat162", "bfloat16", to_bfloat16, from_bfloat16,
         (0x7F80, 0x7FFF, 1, 0x7F7F, 0x8000, 0, 0x3F80)),
]  # fmt: skip


@pytest.fixture(params=KINDS, ids=repr)
def kind(request):
    return request.param


def inputs(kind):
    rng = np.random.default_rng(5)
    a, b, c = (rng.normal(size=COUNT) * 2.0 ** rng.integers(-6, 6, COUNT) for _ in "abc")
    special = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-7, 60000.0]
    for shift, values in enumerate((a, b, c)):
        values[: len(special)] = np.roll(special, shift)
        values[COUNT // 2 :: 9] = a[COUNT // 2 :: 9]  # some are the same
    return [kind.encode(each) for each in (a, b, c)]


def run(kind, body, *arrays):
    text = f"""
    #include <{kind.header}>
    typedef {kind.name} T;
    typedef {kind.pair} T2;
    extern "C" __global__ void f(const T* a, const T* b, const T* c, T* y, float* n) {{
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      {body}
    }}"""
    n = cuda.to_device(np.zeros(COUNT, np.float32))
    module = CudaCModule(text)
    words = [cuda.to_device(each.view(np.int8)) for each in arrays]
    words.append(cuda.to_device(np.zeros(2 * COUNT, np.int8)))
    module.kernel("f").launch(COUNT // 64, 64, [*words, n])
    return words[-1].copy_to_host().view(np.uint16), n.copy_to_host()


ONE_ROUNDING = {
    "a[i] + b[i]": lambda a, b, c: a + b,
    "a[i] - b[i]": lambda a, b, c: a - b,
    "a[i] * b[i]": lambda a, b, c: a * b,
    "a[i] / b[i]": lambda a, b, c: a / b,
    "-a[i]": lambda a, b, c: -a,
    "__hadd(a[i], b[i])": lambda a, b, c: a + b,
    "__hsub_rn(a[i], b[i])": lambda a, b, c: a - b,
    "__hmul(a[i], b[i])": lambda a, b, c: a * b,
    "__hdiv(a[i], b[i])": lambda a, b, c: a / b,
    "__hfma(a[i], b[i], c[i])": lambda a, b, c: a * b + c,
    "__habs(a[i])": lambda a, b, c: abs(a),
    "__hneg(a[i])": lambda a, b, c: -a,
    "__hmax(a[i], b[i])": lambda a, b, c: np.fmax(a, b),
    "__hmin(a[i], b[i])": lambda a, b, c: np.fmin(a, b),
    "__hmax_nan(a[i], b[i])": lambda a, b, c: np.maximum(a, b),
    "__hadd_sat(a[i], b[i])": lambda a, b, c: np.nan_to_num(np.clip(a + b, 0, 1), nan=0),
    "__hfma_relu(a[i], b[i], c[i])": lambda a, b, c: np.where(a * b + c < 0, 0, a * b + c),
    "hsqrt(a[i])": lambda a, b, c: np.sqrt(a),
    "hfloor(a[i])": lambda a, b, c: np.floor(a),
    "hrint(a[i])": lambda a, b, c: np.rint(a),
    "__hadd2(T2(a[i], b[i]), T2(b[i], c[i])).y": lambda a, b, c: b + c,
    "__hfma2(T2(a[i], b[i]), T2(b[i], c[i]), T2(c[i], a[i])).x": lambda a, b, c: a * b + c,
    "(T2(a[i], b[i]) * T2(b[i], c[i])).y": lambda a, b, c: b * c,
    "__lowhigh2highlow(T2(a[i], b[i])).x": lambda a, b, c: b,
    "T(3.25f) * a[i]": lambda a, b, c: 3.25 * a,
    "T((float)a[i] + (float)b[i])": lambda a, b, c: (a + b).astype(np.float32),
    "__WORD_as_ushort(a[i]) > 5 ? a[i] : b[i]": lambda a, b, c: a,
    "__ushort_as_WORD(__WORD_as_ushort(c[i]))": lambda a, b, c: c,
    "__floats2WORD2_rn((float)a[i], (float)b[i]).y": lambda a, b, c: b,
    "__shfl_xor_sync(0xffffffff, a[i], 1)": lambda a, b, c: a.reshape(-1, 2)[:, ::-1].reshape(-1),
    "__ldg(b + i)": lambda a, b, c: b,
    "__double2WORD((double)(float)a[i] + 1e-9)": lambda a, b, c: a + 1e-9,
    "__int2WORD_rn(i * 1000003)": lambda a, b, c: np.arange(COUNT) * 1000003.0,
    "__ll2WORD_rn(i * 70000LL)": lambda a, b, c: np.arange(COUNT) * 70000.0,
}


@pytest.mark.parametrize("expression", ONE_ROUNDING)
def test_results_are_rounded_once(kind, expression):
    bits = inputs(kind)
    values = [kind.decode(each).astype(np.float64) for each in bits]
    found, _ = run(kind, f"y[i] = {expression.replace('WORD', kind.word)};", *bits)
    with np.errstate(all="ignore"):
        expected = kind.encode(ONE_ROUNDING[expression](*values))
    if expression.startswith("__WORD_as_ushort(a[i]) > 5"):
        expected = np.where(bits[0] > 5, bits[0], bits[1])
    is_nan = np.isnan(kind.decode(expected))
    assert (np.isnan(kind.decode(found)) == is_nan).all()
    zeros = (kind.decode(expected) == 0) & (kind.decode(found) == 0)
    wrong = ~is_nan & ~zeros & (found != expected)
    assert not wrong.any(), (np.flatnonzero(wrong), found[wrong], expected[wrong])


NUMBERS = {
    "(float)a[i]": lambda a, b, c: a,
    "__WORD2float(a[i])": lambda a, b, c: a,
    "__low2float(T2(a[i], b[i])) + __high2float(T2(a[i], b[i]))": lambda a, b, c: a + b,
    "__hlt(a[i], b[i]) + 2 * __hle(a[i], b[i]) + 4 * __heq(a[i], b[i])": lambda a, b, c: (
        (a < b) + 2 * (a <= b) + 4.0 * (a == b)
    ),
    "(a[i] > b[i]) + 2 * (a[i] >= b[i]) + 4 * (a[i] != b[i])": lambda a, b, c: (
        (a > b) + 2 * (a >= b) + 4.0 * (a != b)
    ),
    "__hgtu(a[i], b[i]) + 2 * __hequ(a[i], b[i]) + 4 * __hne(a[i], b[i])": lambda a, b, c: (
        1.0 * ~(a <= b) + 2 * ~((a < b) | (a > b)) + 4 * ((a < b) | (a > b))
    ),
    "__hisnan(a[i]) + 2 * __hisinf(a[i])": lambda a, b, c: (
        np.isnan(a) + 2.0 * np.where(np.isinf(a), np.sign(a), 0)
    ),
    "__hbeq2(T2(a[i], b[i]), T2(a[i], a[i]))": lambda a, b, c: 1.0 * ((a == a) & (b == a)),
    "__hlt2_mask(T2(a[i], b[i]), T2(b[i], a[i])) >> 8": lambda a, b, c: (
        0xFF * (a < b) + 0xFFFF00 * (b < a)
    ).astype(np.float32),
    "(float)(bool)a[i]": lambda a, b, c: 1.0 * (a != 0),
    "(float)__WORD2int_rn(__hmin(a[i], T(1000)))": lambda a, b, c: np.rint(np.fmin(a, 1000)),
    "(float)__WORD2int_rz(__hmax(a[i], T(-1000)))": lambda a, b, c: np.trunc(np.fmax(a, -1000)),
}


@pytest.mark.parametrize("expression", NUMBERS)
def test_what_gives_other_numbers(kind, expression):
    bits = inputs(kind)
    values = [kind.decode(each) for each in bits]
    _, found = run(kind, f"n[i] = {expression.replace('WORD', kind.word)};", *bits)
    with np.errstate(all="ignore"):
        expected = NUMBERS[expression](*values).astype(np.float32)
    if "int_r" in expression:  # C leaves open what an infinity or a NaN becomes
        plain = np.isfinite(values[0])
        found, expected = found[plain], expected[plain]
    np.testing.assert_array_equal(found, expected)


def exact(bits, kind):
    """The number whose bits these are."""
    return Fraction(float(kind.decode(np.array([bits], np.uint16))[0]))


def directed(value, kind, direction):
    """The bits of an exact number, rounded "rn" to the nearest or "rz", "rd", "ru"."""
    signs = {"rz": (0, 0), "rd": (0, 1), "ru": (1, 0), "rn": (0, 0)}
    magnitude, sign = abs(value), value < 0
    finite = kind.constants["MAX_NORMAL"]
    least, most = 0, finite  # the greatest magnitude that is not beyond it
    while least < most:
        middle = (least + most + 1) // 2
        least, most = (middle, most) if exact(middle, kind) <= magnitude else (least, middle - 1)
    below = exact(least, kind)
    grows = magnitude != below and signs[direction][sign]
    if direction == "rn" and magnitude != below:
        above = 2 * below - exact(least - 1, kind) if least == finite else exact(least + 1, kind)
        middle = (below + above) / 2
        grows = magnitude > middle or (magnitude == middle and least % 2)
    return least + bool(grows) + 0x8000 * sign


FROM_NUMBERS = {
    "float": (np.float32, [0.0, 1.0, -1.0, 1 / 3, -1 / 3, 1e-9, -1e-9, 1e-44, 65504.0, 65519.9,
                           -65520.0, 7e4, 3e38, -3.4e38, 6e-8, -2.9e-8, 2049.0, -2051.0, 257.0]),
    "int": (np.int32, [0, 1, -1, 2049, -2051, 65519, -65521, 257, 2**31 - 1, -(2**31)]),
    "uint": (np.uint32, [0, 2049, 65519, 65520, 259, 2**32 - 1]),
    "short": (np.int16, [0, -1, 2049, -2051, 32767, -32768, 259]),
    "ushort": (np.uint16, [0, 2049, 65535, 259]),
    "ll": (np.int64, [0, -1, 2049, -65521, 2**62 + 2**54, 2**62 + 2**54 + 1, -(2**62) - 2**54 - 1,
                      2**62 + 3 * 2**54 - 1, 2**63 - 1, -(2**63), 2**53 + 2**45 + 1]),
    "ull": (np.uint64, [0, 2051, 2**63 + 2**55, 2**63 + 2**55 + 1, 2**64 - 1, 2**53 + 2**45 - 1]),
}  # fmt: skip
C_NAMES = {
    "float": "float", "int": "int", "uint": "unsigned", "short": "short",
    "ushort": "unsigned short", "ll": "long long", "ull": "unsigned long long",
}  # fmt: skip


@pytest.mark.parametrize("direction", ["rn", "rz", "rd", "ru"])
@pytest.mark.parametrize("source", FROM_NUMBERS)
def test_numbers_are_rounded_in_the_direction_of_the_name(kind, source, direction):
    dtype, values = FROM_NUMBERS[source]
    given = np.array(values, dtype)
    text = f"""
    #include <{kind.header}>
    extern "C" __global__ void f(const {C_NAMES[source]}* x, {kind.name}* y) {{
      y[threadIdx.x] = __{source}2{kind.word}_{direction}(x[threadIdx.x]);
    }}"""
    y = cuda.to_device(np.zeros(2 * given.size, np.int8))
    CudaCModule(text).kernel("f").launch(1, given.size, [cuda.to_device(given), y])
    found = y.copy_to_host().view(np.uint16)
    expected = [directed(Fraction(each.item()), kind, direction) for each in given]
    assert [hex(each) for each in found] == [hex(each) for each in expected]


SPECIAL = [np.nan, np.inf, -np.inf, 300.0, -300.0, 127.9, -128.9, -0.5, 255.9]


def test_bytes_saturate(kind):
    bits = kind.encode(np.array(SPECIAL))
    a = np.resize(bits, COUNT)
    _, signed = run(kind, f"n[i] = __{kind.word}2char_rz(a[i]);", a, a, a)
    _, unsigned = run(kind, f"n[i] = __{kind.word}2uchar_rz(a[i]);", a, a, a)
    whole = np.trunc(np.nan_to_num(kind.decode(bits), nan=0))
    np.testing.assert_array_equal(signed[: bits.size], np.clip(whole, -128, 127))
    np.testing.assert_array_equal(unsigned[: bits.size], np.clip(whole, 0, 255))


@pytest.mark.of_phalanx("keeps them in headers that it does not read")
def test_constants(kind):
    names = list(kind.constants)
    zeros = np.zeros(COUNT, np.uint16)
    suffix = {"half": "FP16", "bfloat16": "BF16"}[kind.word]
    body = " ".join(f"y[{k}] = CUDART_{name}_{suffix};" for k, name in enumerate(names))
    found, _ = run(kind, body, zeros, zeros, zeros)
    assert found[: len(names)].tolist() == list(kind.constants.values())


def test_complex_products_are_added_by_four_steps(kind):
    bits = inputs(kind)
    a, b, c = (kind.decode(each).astype(np.float64) for each in bits)

    def fma(x, y, z):
        return kind.decode(kind.encode(x * y + z)).astype(np.float64)

    with np.errstate(all="ignore"):
        real = fma(-b, c, fma(a, b, c))
        imaginary = fma(b, b, fma(a, c, a))
    pairs = "T2 z = __hcmadd(T2(a[i], b[i]), T2(b[i], c[i]), T2(c[i], a[i]));"
    for part, expected in (("x", real), ("y", imaginary)):
        found, _ = run(kind, f"{pairs} y[i] = z.{part};", *bits)
        np.testing.assert_array_equal(kind.decode(found), expected.astype(np.float32))


@pytest.mark.of_phalanx("has the names of CUDA 8 no more")
def test_quotients_have_their_older_names(kind):
    bits = inputs(kind)
    for value in ("hdiv(a[i], b[i])", "h2div(T2(a[i], c[i]), T2(b[i], c[i])).x"):
        found, _ = run(kind, f"y[i] = {value};", *bits)
        expected, _ = run(kind, "y[i] = __hdiv(a[i], b[i]);", *bits)
        np.testing.assert_array_equal(found, expected)


def test_atomic_sums(kind):
    ones = kind.encode(np.ones(COUNT))
    found, _ = run(kind, "atomicAdd(y + i % 4, a[i]); (void)b; (void)c;", ones, ones, ones)
    np.testing.assert_array_equal(kind.decode(found[:4]), COUNT // 4)


def test_both_are_in_one_source():
    text = """
    #include <cuda_bf16.h>
    #include <cuda_fp16.h>
    __device__ float sum(half a, half b) { return __half2float(a + b); }
    __device__ float sum(nv_bfloat16 a, nv_bfloat16 b) { return __bfloat162float(__hadd(a, b)); }
    template <typename T> __device__ T twice(T v) { return v * T(2.0f); }
    extern "C" __global__ void f(float* x) {
      x[0] = sum(half(1.5f), half(2)) + sum(nv_bfloat16(3), twice(nv_bfloat16(4.0f)));
    }"""
    x = cuda.to_device(np.zeros(1, np.float32))
    CudaCModule(text).kernel("f").launch(1, 1, [x])
    assert x.copy_to_host()[0] == 14.5
