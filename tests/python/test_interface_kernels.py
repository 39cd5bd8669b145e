"""What numba.cuda's kernels have, by name: each used once, with its effect."""

from __future__ import annotations

import cmath
import math
import operator

import numpy as np
import pytest
from phalanx.errors import TypingError

from phalanx import cuda, types

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")

# ---- Atomics: name, the function, (before, value) -> after, and the dtypes that have it ----

WHOLE = ("int32", "int64", "uint32", "uint64")
NUMBERS = (*WHOLE, "float32", "float64")


@cuda.jit
def atomic_add(a, before, value):
    before[0] = cuda.atomic.add(a, 0, value[0])


@cuda.jit
def atomic_sub(a, before, value):
    before[0] = cuda.atomic.sub(a, 0, value[0])


@cuda.jit
def atomic_and(a, before, value):
    before[0] = cuda.atomic.and_(a, 0, value[0])


@cuda.jit
def atomic_or(a, before, value):
    before[0] = cuda.atomic.or_(a, 0, value[0])


@cuda.jit
def atomic_xor(a, before, value):
    before[0] = cuda.atomic.xor(a, 0, value[0])


@cuda.jit
def atomic_inc(a, before, value):
    before[0] = cuda.atomic.inc(a, 0, value[0])


@cuda.jit
def atomic_dec(a, before, value):
    before[0] = cuda.atomic.dec(a, 0, value[0])


@cuda.jit
def atomic_exch(a, before, value):
    before[0] = cuda.atomic.exch(a, 0, value[0])


@cuda.jit
def atomic_max(a, before, value):
    before[0] = cuda.atomic.max(a, 0, value[0])


@cuda.jit
def atomic_min(a, before, value):
    before[0] = cuda.atomic.min(a, 0, value[0])


@cuda.jit
def atomic_nanmax(a, before, value):
    before[0] = cuda.atomic.nanmax(a, 0, value[0])


@cuda.jit
def atomic_nanmin(a, before, value):
    before[0] = cuda.atomic.nanmin(a, 0, value[0])


@cuda.jit
def atomic_cas(a, before, value):
    before[0] = cuda.atomic.cas(a, 0, value[0] + 5, value[0])


@cuda.jit
def atomic_compare_and_swap(a, before, value):
    before[0] = cuda.atomic.compare_and_swap(a, value[0] + 5, value[0])


ATOMICS = [
    (atomic_add, operator.add, NUMBERS),
    (atomic_sub, operator.sub, NUMBERS),
    (atomic_and, operator.and_, WHOLE),
    (atomic_or, operator.or_, WHOLE),
    (atomic_xor, operator.xor, WHOLE),
    (atomic_inc, lambda old, limit: 0 if old >= limit else old + 1, ("uint32", "uint64")),
    (
        atomic_dec,
        lambda old, limit: limit if old == 0 or old > limit else old - 1,
        ("uint32", "uint64"),
    ),
    (atomic_exch, lambda old, value: value, WHOLE),
    (atomic_max, max, NUMBERS),
    (atomic_min, min, NUMBERS),
    (atomic_nanmax, max, NUMBERS),
    (atomic_nanmin, min, NUMBERS),
    (atomic_cas, lambda old, value: value if old == value + 5 else old, WHOLE),
    (
        atomic_compare_and_swap,
        lambda old, value: value if old == value + 5 else old,
        ("int32", "uint32", "int64", "uint64"),
    ),
]


@pytest.mark.parametrize(
    ("kernel", "after", "dtypes"), ATOMICS, ids=lambda x: getattr(x, "__name__", str(x))
)
def test_atomics_in_all_their_types(device, kernel, after, dtypes):
    for dtype in dtypes:
        for old, value in ((12, 7), (7, 12), (0, 3)):
            a = np.array([old], dtype)
            before = np.zeros(1, dtype)
            kernel[1, 1](a, before, np.array([value], dtype))
            assert before[0] == old
            assert a[0] == np.array(after(old, value)).astype(dtype)


def test_atomics_by_tuple_and_beside_nan(device):
    @cuda.jit
    def by_tuple(a, i):
        cuda.atomic.add(a, (i, 1), 2.0)
        cuda.atomic.nanmax(a, (0, 0), 3.0)
        cuda.atomic.max(a, (1, 0), 3.0)

    a = np.full((2, 2), np.nan)
    a[1, 1] = 1
    by_tuple[1, 1](a, 1)
    np.testing.assert_array_equal(a, [[3, np.nan], [np.nan, 3]])


# ---- Whole numbers and floats ----


def test_bits_of_whole_numbers(device):
    @cuda.jit
    def kernel(x32, x64, out):
        out[0] = cuda.popc(x32[0])
        out[1] = cuda.popc(x64[0])
        out[2] = cuda.brev(x32[0])
        out[3] = cuda.brev(x64[0])
        out[4] = cuda.clz(x32[0])
        out[5] = cuda.clz(x64[0])
        out[6] = cuda.ffs(x32[0])
        out[7] = cuda.ffs(x64[0])
        out[8] = cuda.ffs(x64[1])
        out[9] = cuda.selp(x32[0] > 3, 11, 22)

    out = np.zeros(10, np.uint64)
    kernel[1, 1](np.array([0x00F0], np.uint32), np.array([1 << 40, 0], np.uint64), out)
    assert out.tolist() == [4, 1, 0x0F000000, 1 << 23, 24, 23, 5, 41, 0, 11]


def test_floats(device):
    @cuda.jit
    def kernel(x, out):
        out[0] = cuda.fma(x[0], x[1], x[2])
        out[1] = cuda.cbrt(x[3])
        cuda.nanosleep(10)

    out = np.zeros(2)
    kernel[1, 1](np.array([1 + 2.0**-30, 1 - 2.0**-30, -1.0, 27.0]), out)
    assert out[0] == -(2.0**-60)  # rounded once
    assert out[1] == pytest.approx(3)


def test_fences_and_places(device):
    @cuda.jit
    def kernel(out):
        i = cuda.threadIdx.x
        out[i] = cuda.laneid
        cuda.threadfence_block()
        cuda.threadfence()
        cuda.threadfence_system()
        cuda.syncwarp()
        if i == 0:
            out[64] = cuda.warpsize
            out[65] = cuda.gridsize(1)

    out = np.zeros(66, np.int64)
    kernel[1, 64](out)
    assert out.tolist() == [*range(32), *range(32), 32, 64]


def test_aligned_arrays(device):
    @cuda.jit
    def kernel(out):
        odd = cuda.shared.array(3, np.int8)
        mine = cuda.shared.array(4, np.float32, alignment=64)
        own = cuda.local.array(2, np.float64, alignment=16)
        odd[0] = 1
        mine[cuda.threadIdx.x] = cuda.threadIdx.x
        own[0] = 2
        cuda.syncthreads()
        out[cuda.threadIdx.x] = mine[3 - cuda.threadIdx.x] * own[0] * odd[0]

    out = np.zeros(4)
    kernel[1, 4](out)
    assert out.tolist() == [6, 4, 2, 0]


# ---- float16 ----

HALVES = {
    "hadd": lambda a, b: a + b,
    "hsub": lambda a, b: a - b,
    "hmul": lambda a, b: a * b,
    "hdiv": lambda a, b: a / b,
    "hmax": max,
    "hmin": min,
    "hneg": lambda a: -a,
    "habs": abs,
    "hsin": np.sin,
    "hcos": np.cos,
    "htanh": np.tanh,
    "hexp": np.exp,
    "hexp2": np.exp2,
    "hexp10": lambda a: np.float16(10.0 ** float(a)),
    "hlog": np.log,
    "hlog2": np.log2,
    "hlog10": np.log10,
    "hsqrt": np.sqrt,
    "hrsqrt": lambda a: np.float16(1 / np.sqrt(float(a))),
    "hrcp": lambda a: np.float16(1 / float(a)),
    "hfloor": np.floor,
    "hceil": np.ceil,
    "hrint": np.rint,
    "htrunc": np.trunc,
    "heq": lambda a, b: a == b,
    "hne": lambda a, b: a != b,
    "hlt": lambda a, b: a < b,
    "hle": lambda a, b: a <= b,
    "hgt": lambda a, b: a > b,
    "hge": lambda a, b: a >= b,
}


@pytest.mark.parametrize("name", HALVES)
def test_functions_of_float16(device, name):
    function = getattr(cuda.fp16, name)
    expected = HALVES[name]
    a, b = np.float16(2.6), np.float16(1.25)
    out = np.zeros(1, np.float16)
    if (
        expected.__code__.co_argcount == 2
        if hasattr(expected, "__code__")
        else expected
        in (
            max,
            min,
        )
    ):

        @cuda.jit
        def two(a, b, out):
            out[0] = function(a, b)

        two[1, 1](a, b, out)
        assert out[0] == np.float16(expected(a, b))
    else:

        @cuda.jit
        def one(a, out):
            out[0] = function(a)

        one[1, 1](a, out)
        assert float(out[0]) == pytest.approx(float(expected(a)), rel=2e-3)


def test_hfma_rounds_once(device):
    @cuda.jit
    def kernel(a, b, c, out):
        out[0] = cuda.fp16.hfma(a, b, c)

    out = np.zeros(1, np.float16)
    a = np.float16(1 + 2.0**-10)
    kernel[1, 1](a, a, np.float16(-1), out)
    assert out[0] == np.float16(float(a) * float(a) - 1)


def test_what_a_device_supports_is_asked():
    assert cuda.is_float16_supported() is True
    assert cuda.is_bfloat16_supported() is True
    assert cuda.is_fp8_supported() is False  # left out


# ---- math, cmath, operator, tuples, text ----


def test_pairs_of_results(device):
    @cuda.jit
    def kernel(x, out):
        mantissa, exponent = math.frexp(x[0])
        out[0] = math.ldexp(mantissa, exponent)
        fraction, whole = math.modf(x[0])
        out[1] = fraction + whole
        out[2] = math.nextafter(x[0], 100.0)
        out[3] = math.erf(x[1]) + math.erfc(x[1])
        out[4] = math.gamma(5.0) + math.lgamma(1.0)
        out[5] = math.copysign(x[0], -1.0)
        out[6] = math.remainder(x[0], 2.0)
        size, angle = cmath.polar(complex(x[0], x[1]))
        out[7] = abs(cmath.rect(size, angle) - complex(x[0], x[1])) < 1e-12

    out = np.zeros(8)
    kernel[1, 1](np.array([6.75, 0.5]), out)
    expected = [6.75, 6.75, math.nextafter(6.75, 100.0), 1, 24, -6.75, 0.75, 1]
    np.testing.assert_allclose(out, expected, rtol=1e-15)


def test_python_in_kernels(device):
    @cuda.jit
    def kernel(out):
        pair = (2, 3.5)
        total = 0.0
        for item in types_of_numbers(pair):
            total += item
        for i, (x, y) in enumerate(zip((1, 2), (3, 4))):  # noqa: B905
            total += i * x * y
        out[0] = total
        out[1] = len(pair) + abs(-3) + pow(2, 3) + round(2.5) + min(4, 7) + max(4, 7)
        out[2] = operator.add(1, 2) * operator.neg(-3)
        print("a row:", 1, 2.5, True)

    def types_of_numbers(pair):
        return pair

    out = np.zeros(3)
    kernel[1, 1](out)
    assert out.tolist() == [13.5, 26, 9]


def test_tuples_of_several_types_are_unrolled(device):
    from phalanx.compat.numba_misc import literal_unroll

    @cuda.jit
    def kernel(out, arrays):
        total = 0.0
        for each in literal_unroll(arrays):
            total += each[0]
        out[0] = total

    out = np.zeros(1)
    kernel[1, 1](out, (np.ones(2), np.array([2], np.int32), np.full((1,), 4, np.float32)))
    assert out[0] == 7


def test_vectors_have_their_cuda_names():
    assert cuda.float3 is cuda.float32x3
    assert cuda.uchar4 is cuda.uint8x4
    assert cuda.double2 is cuda.float64x2
    assert cuda.longlong1 is cuda.int64x1
    assert {f"{kind}x{n}" for kind in ("int8", "uint64", "float64") for n in (1, 2, 3, 4)} <= set(
        types.VECTORS
    )


def test_breakpoints_are_refused_by_name(device):
    @cuda.jit
    def kernel(out):
        breakpoint()
        out[0] = 1

    with pytest.raises(TypingError, match="breakpoint"):
        kernel[1, 1](np.zeros(1))
