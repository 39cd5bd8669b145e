"""Functions of CUDA's that programs name rarely: each against NumPy, on words of all kinds."""

import math
import operator

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule, SourceOptions

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

COUNT = 256
EDGES = [0, 1, 2, 31, 32, 33, 127, 128, 255, 256, 32767, 32768, 65535, 2**31 - 1, 2**31, 2**32 - 1]


def words(seed):
    random = np.random.default_rng(seed).integers(0, 2**32, COUNT, dtype=np.uint32)
    random[: len(EDGES)] = np.roll(np.array(EDGES, np.uint32), seed)
    return random


def as_signed(value, bits):
    return value - (1 << bits) if value >> (bits - 1) & 1 else value


def parts(word, bits, is_signed):
    found = [int(word) >> shift & ((1 << bits) - 1) for shift in range(0, 32, bits)]
    return [as_signed(each, bits) for each in found] if is_signed else found


def funnel(low, high):
    return int(high) << 32 | int(low)


def dp4a(is_signed):
    def of(a, b, c):
        pairs = zip(parts(a, 8, is_signed), parts(b, 8, is_signed), strict=True)
        return int(c) + sum(x * y for x, y in pairs)

    return of


def dp2a(is_signed, first):
    def of(a, b, c):
        halves = parts(a, 16, is_signed)
        octets = parts(b, 8, is_signed)[first : first + 2]
        return int(c) + sum(x * y for x, y in zip(halves, octets, strict=True))

    return of


# Expressions of the words a, b and c, and what they are, modulo 2^32.
EXPRESSIONS = {
    "__funnelshift_l(a, b, c)": lambda a, b, c: funnel(a, b) << (int(c) & 31) >> 32,
    "__funnelshift_r(a, b, c)": lambda a, b, c: funnel(a, b) >> (int(c) & 31),
    "__funnelshift_lc(a, b, c)": lambda a, b, c: funnel(a, b) << min(int(c), 32) >> 32,
    "__funnelshift_rc(a, b, c)": lambda a, b, c: funnel(a, b) >> min(int(c), 32),
    "__dp4a(a, b, c)": dp4a(False),
    "__dp4a((int)a, (int)b, (int)c)": dp4a(True),
    "__dp2a_lo(a, b, c)": dp2a(False, 0),
    "__dp2a_hi(a, b, c)": dp2a(False, 2),
    "__dp2a_lo((int)a, (int)b, (int)c)": dp2a(True, 0),
    "__dp2a_hi((int)a, (int)b, (int)c)": dp2a(True, 2),
    "__builtin_popcount(a)": lambda a, b, c: int(a).bit_count(),
    "__builtin_popcountll((unsigned long long)a << 16 | b)": lambda a, b, c: (
        int(a) << 16 | int(b)
    ).bit_count(),
    "__builtin_clz(a | 1)": lambda a, b, c: 32 - (int(a) | 1).bit_length(),
    "__builtin_ffs((int)a)": lambda a, b, c: (int(a) & -int(a)).bit_length(),
    "umin(a, b)": lambda a, b, c: min(a, b),
    "umax(a, b)": lambda a, b, c: max(a, b),
}


def of_parts(bits, is_signed, function):
    """What a function of each part of two words gives, as one word."""

    def of(a, b, c):
        pairs = zip(parts(a, bits, is_signed), parts(b, bits, is_signed), strict=True)
        found = [function(x, y) & ((1 << bits) - 1) for x, y in pairs]
        return sum(each << bits * k for k, each in enumerate(found))

    return of


def clamped(function):
    """Of the numbers of a width: function(x, y) limited to them."""

    def of(bits, is_signed):
        most = 2 ** (bits - is_signed) - 1
        least = -most - 1 if is_signed else 0
        return lambda x, y: min(max(function(x, y), least), most)

    return of


def plain(function):
    return lambda bits, is_signed: function


# Names, whether the parts are signed, and what one of them is: NVIDIA's Math API, SIMD.
SIGNED, UNSIGNED = True, False
SIMD = {
    "__vadd{}(a, b)": (UNSIGNED, plain(lambda x, y: x + y)),
    "__vaddss{}(a, b)": (SIGNED, clamped(lambda x, y: x + y)),
    "__vaddus{}(a, b)": (UNSIGNED, clamped(lambda x, y: x + y)),
    "__vsub{}(a, b)": (UNSIGNED, plain(lambda x, y: x - y)),
    "__vsubss{}(a, b)": (SIGNED, clamped(lambda x, y: x - y)),
    "__vsubus{}(a, b)": (UNSIGNED, clamped(lambda x, y: x - y)),
    "__vavgs{}(a, b)": (SIGNED, plain(lambda x, y: (x + y + (x + y >= 0)) >> 1)),
    "__vavgu{}(a, b)": (UNSIGNED, plain(lambda x, y: (x + y + 1) // 2)),
    "__vhaddu{}(a, b)": (UNSIGNED, plain(lambda x, y: (x + y) // 2)),
    "__vmaxs{}(a, b)": (SIGNED, plain(max)),
    "__vmaxu{}(a, b)": (UNSIGNED, plain(max)),
    "__vmins{}(a, b)": (SIGNED, plain(min)),
    "__vminu{}(a, b)": (UNSIGNED, plain(min)),
    "__vabsdiffs{}(a, b)": (SIGNED, plain(lambda x, y: abs(x - y))),
    "__vabsdiffu{}(a, b)": (UNSIGNED, plain(lambda x, y: abs(x - y))),
    "__vabs{}(a)": (SIGNED, plain(lambda x, y: abs(x))),
    "__vabsss{}(a)": (SIGNED, clamped(lambda x, y: abs(x))),
    "__vneg{}(a)": (SIGNED, plain(lambda x, y: -x)),
    "__vnegss{}(a)": (SIGNED, clamped(lambda x, y: -x)),
}
COMPARISONS = {
    "eq": operator.eq, "ne": operator.ne, "ge": operator.ge,
    "gt": operator.gt, "le": operator.le, "lt": operator.lt,
}  # fmt: skip


def of_simd():
    """Each name with how many parts it has, and what it is of the words."""
    for count, bits in ((2, 16), (4, 8)):
        for form, (is_signed, function) in SIMD.items():
            yield form.format(count), of_parts(bits, is_signed, function(bits, is_signed))
        for name, compare in COMPARISONS.items():
            for sign in ("",) if name in ("eq", "ne") else ("s", "u"):
                for kind, truth in (("cmp", -1), ("set", 1)):
                    yield (
                        f"__v{kind}{name}{sign}{count}(a, b)",
                        of_parts(bits, sign == "s", lambda x, y, c=compare, t=truth: t * c(x, y)),
                    )
        for sign in "su":
            yield (
                f"__vsad{sign}{count}(a, b)",
                lambda a, b, c, bits=bits, sign=sign: sum(
                    abs(x - y)
                    for x, y in zip(
                        parts(a, bits, sign == "s"), parts(b, bits, sign == "s"), strict=True
                    )
                ),
            )


EXPRESSIONS.update(of_simd())


def computed(expression, kind, arrays, setup=""):
    parameters = "".join(f", const {kind}* p{k}" for k in range(len(arrays)))
    reads = "".join(f"const {kind} {'abc'[k]} = p{k}[i]; " for k in range(len(arrays)))
    text = f"""extern "C" __global__ void k({kind}* out{parameters}) {{
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      {reads}{setup} out[i] = {expression};
    }}"""
    given = [cuda.to_device(each) for each in arrays]
    out = cuda.to_device(np.zeros_like(arrays[0]))
    CudaCModule(text).kernel("k").launch(COUNT // 64, 64, [out, *given])
    return out.copy_to_host()


CLANGS = pytest.mark.of_phalanx("has no __builtin functions")


@pytest.mark.parametrize(
    "expression",
    [pytest.param(each, marks=CLANGS if "__builtin" in each else ()) for each in EXPRESSIONS],
)
def test_words(expression):
    a, b, c = (words(seed) for seed in range(3))
    wanted = [int(EXPRESSIONS[expression](*each)) % 2**32 for each in zip(a, b, c, strict=True)]
    found = computed(expression, "unsigned", [a, b, c])
    np.testing.assert_array_equal(found, np.array(wanted, np.uint32))


REDUCTIONS = {
    "add": np.add, "min": np.minimum, "max": np.maximum,
    "and": np.bitwise_and, "or": np.bitwise_or, "xor": np.bitwise_xor,
}  # fmt: skip


@pytest.mark.parametrize("mask", ["0xffffffffu", "0x0000fff0u", "0x80000001u"])
@pytest.mark.parametrize("kind", ["unsigned", "int"])
@pytest.mark.parametrize("name", REDUCTIONS)
def test_reductions_of_lanes(name, kind, mask):
    """Lanes that the mask leaves out do not come to the reduction."""
    if kind == "int" and name in ("and", "or", "xor"):
        kind = "unsigned"
    a = words(5)
    lanes = [lane for lane in range(32) if int(mask[:-1], 16) >> lane & 1]
    values = a.reshape(-1, 32).view(np.int32 if kind == "int" else np.uint32)
    joined = REDUCTIONS[name].reduce(values[:, lanes], axis=1, dtype=values.dtype)
    wanted = np.zeros_like(values)
    wanted[:, lanes] = joined[:, None]
    reduced = f"({mask} >> (threadIdx.x & 31) & 1u) ? __reduce_{name}_sync({mask}, ({kind})a) : 0"
    found = computed("value", "unsigned", [a], f"unsigned value = {reduced};")
    np.testing.assert_array_equal(found, wanted.reshape(-1).view(np.uint32))


def series(order, x, sign):
    """Bessel functions of whole orders: DLMF 10.2.2 and 10.25.2."""
    terms = (
        sign**k * (x / 2) ** (2 * k + order) / (math.factorial(k) * math.factorial(k + order))
        for k in range(60)
    )
    return math.fsum(terms)


FLOATS = {
    "norm3d(a, b, c)": lambda a, b, c: math.hypot(a, b, c),
    "norm4d(a, b, c, 2.0)": lambda a, b, c: math.hypot(a, b, c, 2),
    "rnorm3d(a, b, c)": lambda a, b, c: 1 / math.hypot(a, b, c),
    "rnorm4d(a, b, c, 2.0)": lambda a, b, c: 1 / math.hypot(a, b, c, 2),
    "norm3df(a, b, c)": lambda a, b, c: math.hypot(a, b, c),
    "rhypot(a, b)": lambda a, b, c: 1 / math.hypot(a, b),
    "(double)lrint(a * 10)": lambda a, b, c: round(a * 10),
    "(double)llrintf((float)a)": lambda a, b, c: round(float(np.float32(a))),
    "(double)lround(a + 0.5)": lambda a, b, c: math.copysign(math.floor(abs(a + 0.5) + 0.5), a),
    "scalbln(a, 3l)": lambda a, b, c: a * 8,
    "jn(0, a)": lambda a, b, c: series(0, a, -1),
    "jn(3, a)": lambda a, b, c: series(3, a, -1),
    "cyl_bessel_i0(a)": lambda a, b, c: series(0, a, 1),
    "cyl_bessel_i1(a)": lambda a, b, c: series(1, a, 1),
}


@pytest.mark.parametrize("expression", FLOATS)
def test_floats(expression):
    a, b, c = np.random.default_rng(3).normal(size=(3, COUNT)) * 3
    found = computed(expression, "double", [a, b, c])
    wanted = [FLOATS[expression](*each) for each in zip(a, b, c, strict=True)]
    tolerance = 1e-6 if "df(" in expression else 1e-12
    np.testing.assert_allclose(found, wanted, rtol=tolerance, atol=1e-13)


@pytest.mark.parametrize("n", [0, 1, 4])
def test_bessel_functions_of_the_second_kind(n):
    """J_{n+1}(x) Y_n(x) - J_n(x) Y_{n+1}(x) = 2 / (pi x): DLMF 10.5.2."""
    x = np.random.default_rng(3).uniform(0.5, 20, COUNT)
    difference = f"jn({n + 1}, a) * yn({n}, a) - jn({n}, a) * yn({n + 1}, a)"
    found = computed(difference, "double", [x])
    np.testing.assert_allclose(found, 2 / (np.pi * x), rtol=1e-10)


def test_remquo():
    a, b, _ = np.random.default_rng(4).normal(size=(3, COUNT)) * 10
    found = computed(
        "rest * 1000 + (q & 7)", "double", [a, b], "int q; double rest = remquo(a, b, &q);"
    )
    wanted = []
    for x, y in zip(a, b, strict=True):
        rest = math.remainder(x, y)
        wanted.append(rest * 1000 + (round((x - rest) / y) & 7))
    np.testing.assert_allclose(found, wanted, rtol=1e-9)


def test_a_rare_function_may_come_by_a_macro():
    text = """extern "C" __global__ void k(unsigned* x) {
      x[threadIdx.x] = OPERATION(x[threadIdx.x], 1u);
    }"""
    x = cuda.to_device(np.array([0xFFFF, 0x10001], np.uint32))
    options = SourceOptions.parse(["-DOPERATION=__vadd2"])
    CudaCModule(text, "test.cu", options).kernel("k").launch(1, 2, [x])
    np.testing.assert_array_equal(x.copy_to_host(), [0, 0x10002])


def test_jumps_of_random_numbers_have_64_bits():
    source = r"""
    #include <curand_kernel.h>
    extern "C" __global__ void jumps(unsigned* out) {
      curandState a, b;
      curand_init(1, 0, 0, &a);
      b = a;
      skipahead(1ull << 32, &a);
      skipahead(1ull << 31, &b);
      skipahead(1ull << 31, &b);
      out[0] = curand(&a);
      out[1] = curand(&b);
      curand_init(1, 1ull << 32, 0, &a);
      curand_init(1, 1ull << 31, 0, &b);
      skipahead_sequence(1ull << 31, &b);
      out[2] = curand(&a);
      out[3] = curand(&b);
      curand_init(1, 0, 0, &a);
      out[4] = curand(&a);
    }"""
    out = cuda.to_device(np.zeros(5, np.uint32))
    CudaCModule(source).kernel("jumps").launch((1,), (1,), [out])
    a, b, c, d, first = out.copy_to_host().tolist()
    assert a == b and c == d and c != first
