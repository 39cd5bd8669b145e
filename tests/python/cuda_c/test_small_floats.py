"""half and bfloat16: each function beside NumPy, whose results are rounded once."""

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


class Kind:
    """A type of CUDA's with what converts it."""

    def __init__(self, header, name, pair, word, encode, decode):
        self.header, self.name, self.pair, self.word = header, name, pair, word
        self.encode, self.decode = encode, decode

    def __repr__(self):
        return self.word


def half_bits(values):
    with np.errstate(over="ignore"):
        return np.asarray(values, np.float64).astype(np.float16).view(np.uint16)


KINDS = [
    Kind("cuda_fp16.h", "__half", "__half2", "half", half_bits,
         lambda bits: bits.view(np.float16).astype(np.float32)),
    Kind("cuda_bf16.h", "__nv_bfloat16", "__nv_bfloat162", "bfloat16", to_bfloat16, from_bfloat16),
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
