"""Distributions of curand_kernel.h: beside the numbers that they are made of, and beside theory."""

import math

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

STATES = ["curandStateXORWOW_t", "curandStatePhilox4_32_10_t", "curandStateMRG32k3a_t"]
COUNT, BLOCK = 1 << 14, 128


def source(state, body, dtype, width):
    return f"""
    #include <curand_kernel.h>
    extern "C" __global__ void f({dtype[0]}* all, double lambda) {{
      const int i = blockIdx.x * blockDim.x + threadIdx.x;
      {state} s;
      curand_init(1234, i, 0, &s);
      {dtype[0]}* y = all + i * {width};
      {body}
    }}"""


def numbers(state, body, dtype, width=1, value=0.0, count=COUNT):
    """What each of `count` threads writes to y[0 .. width) after its own initialization."""
    y = cuda.to_device(np.zeros(count * width, dtype[1]))
    kernel = CudaCModule(source(state, body, dtype, width)).kernel("f")
    kernel.launch(count // BLOCK, BLOCK, [y, value])
    return y.copy_to_host().reshape(count, width)


PHILOX = STATES[1]
FLOAT, DOUBLE, UNSIGNED = ("float", "f4"), ("double", "f8"), ("unsigned", "u4")


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize(
    ("dtype", "suffix", "vector"), [(FLOAT, "", "float2"), (DOUBLE, "_double", "double2")]
)
def test_pairs_are_made_of_normal_pairs(state, dtype, suffix, vector):
    pair = f"const {vector} v = curand_{{}}2{suffix}(&s{{}}); y[0] = v.x; y[1] = v.y;"
    normal = numbers(state, pair.format("normal", ""), dtype, 2)
    logs = numbers(state, pair.format("log_normal", ", 0.5, 0.25"), dtype, 2)
    expected = np.exp(0.5 + 0.25 * normal.astype(np.float64))
    np.testing.assert_allclose(logs, expected, rtol=8 * np.finfo(dtype[1]).eps)
    each = f"for (int k = 0; k < 2; ++k) y[k] = curand_normal{suffix}(&s);"
    np.testing.assert_array_equal(numbers(state, each, dtype, 2), normal)


FOURS = [
    ("curand_uniform4", "curand_uniform", FLOAT, "float4"),
    ("curand_normal4", "curand_normal", FLOAT, "float4"),
    ("curand_uniform4_double", "curand_uniform_double", DOUBLE, "double4"),
    ("curand_normal4_double", "curand_normal_double", DOUBLE, "double4"),
]


@pytest.mark.parametrize(("four", "one", "dtype", "vector"), FOURS)
def test_four_are_those_that_follow_each_other(four, one, dtype, vector):
    body = f"const {vector} v = {four}(&s); y[0] = v.x; y[1] = v.y; y[2] = v.z; y[3] = v.w;"
    each = f"for (int k = 0; k < 4; ++k) y[k] = {one}(&s);"
    found, expected = (numbers(PHILOX, text, dtype, 4) for text in (body, each))
    np.testing.assert_array_equal(found, expected)


def test_four_log_normal_numbers():
    body = "const float4 v = curand_{}4(&s{}); y[0] = v.x; y[1] = v.y; y[2] = v.z; y[3] = v.w;"
    normal = numbers(PHILOX, body.format("normal", ""), FLOAT, 4).astype(np.float64)
    found = numbers(PHILOX, body.format("log_normal", ", -1.0f, 0.5f"), FLOAT, 4)
    np.testing.assert_allclose(found, np.exp(-1 + 0.5 * normal), rtol=1e-6)


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("rate", [0.0, 0.3, 5.0, 63.5])
def test_small_poisson_numbers_are_curands(state, rate):
    """Uniform numbers are multiplied until the product is below exp(-lambda), as floats."""
    uniform = numbers(state, "for (int k = 0; k < 160; ++k) y[k] = curand_uniform(&s);", FLOAT, 160,
                      count=1024)  # fmt: skip
    found = numbers(state, "y[0] = curand_poisson(&s, lambda);", UNSIGNED, 1, rate, 1024)[:, 0]
    product = np.full(1024, np.exp(np.float32(rate)), np.float32)
    expected, goes_on = np.zeros(1024, np.uint32), np.ones(1024, bool)
    for k in range(160):
        product = np.where(goes_on, product * uniform[:, k], product)
        goes_on &= product > 1
        expected += goes_on
    # The exponential may differ in its last digit, which decides where a product is almost 1.
    assert (found != expected).mean() < 0.003
    assert not goes_on.any()


@pytest.mark.parametrize("rate", [4001.0, 1e5])
def test_large_poisson_numbers_are_normal_ones(rate):
    normal = numbers(STATES[0], "y[0] = curand_normal_double(&s);", DOUBLE)[:, 0]
    found = numbers(STATES[0], "y[0] = curand_poisson(&s, lambda);", UNSIGNED, 1, rate)[:, 0]
    expected = (normal * math.sqrt(rate) + rate + 0.5).astype(np.uint32)
    assert (found != expected).mean() < 0.001


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("rate", [0.7, 12.0, 63.9, 64.0, 200.0, 3999.0, 10_000.0])
def test_poisson_numbers_have_their_distribution(state, rate):
    """Pearson's test over bins with at least 50 expected numbers, at one in a million."""
    body = "for (int k = 0; k < 8; ++k) y[k] = curand_poisson(&s, lambda);"
    found = numbers(state, body, UNSIGNED, 8, rate).reshape(-1).astype(np.int64)
    reach = int(6 * math.sqrt(rate) + 8)
    low = max(int(rate) - reach, 0)
    k = np.arange(low, int(rate) + reach)
    logs = k * math.log(rate) - rate - np.array([math.lgamma(each + 1) for each in k])
    chance = np.exp(logs)
    edges, total = [0], 0.0
    for i, each in enumerate(chance):
        total += each
        if total * found.size >= 50:
            edges.append(i + 1)
            total = 0.0
    edges[-1] = len(k)
    counts = np.bincount(np.clip(found - low, 0, len(k) - 1), minlength=len(k))
    observed = np.add.reduceat(counts, edges[:-1])
    expected = np.add.reduceat(chance, edges[:-1]) / chance.sum() * found.size
    statistic = ((observed - expected) ** 2 / expected).sum()
    freedom = len(observed) - 1
    # Wilson and Hilferty: the cube root of chi-squared is nearly normal.
    z = ((statistic / freedom) ** (1 / 3) - (1 - 2 / (9 * freedom))) / math.sqrt(2 / (9 * freedom))
    assert z < 4.9, (statistic, freedom)


MODULI = 4294967087, 4294944443


def mrg32k3a(seed, skipped, count):
    """L'Ecuyer's recurrences in Python's integers, from cuRAND's seeds, after `skipped` numbers."""
    low, high = (seed & 0xFFFFFFFF) ^ 0x55555555, (seed >> 32) ^ 0xAAAAAAAA
    one = [each * 12345 % MODULI[0] for each in (low, high, low)]
    two = [each * 12345 % MODULI[1] for each in (high, low, high)]
    steps = [[[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]],
             [[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]]]  # fmt: skip

    def jumped(matrix, state, modulus):
        left = skipped
        while left:
            if left & 1:
                state = [sum(a * b for a, b in zip(row, state, strict=True)) % modulus
                         for row in matrix]  # fmt: skip
            columns = list(zip(*matrix, strict=True))
            matrix = [[sum(a * b for a, b in zip(row, column, strict=True)) % modulus
                       for column in columns] for row in matrix]  # fmt: skip
            left >>= 1
        return state

    one, two = jumped(steps[0], one, MODULI[0]), jumped(steps[1], two, MODULI[1])
    for _ in range(count):
        one = [*one[1:], (1403580 * one[1] - 810728 * one[0]) % MODULI[0]]
        two = [*two[1:], (527612 * two[2] - 1370589 * two[0]) % MODULI[1]]
        yield (one[2] - two[2]) % MODULI[0] or MODULI[0]


@pytest.mark.parametrize(("sequence", "offset"), [(0, 0), (0, 12345), (1, 0), ((1 << 51) - 1, 7)])
def test_mrg32k3a_is_lecuyers(sequence, offset):
    body = f"""
    curand_init(0x123456789abcdefull, {sequence}ull, {offset}ull, &s);
    y[0] = curand_uniform_double(&s); y[1] = curand_uniform_double(&s);
    y[2] = curand(&s); y[3] = curand_uniform(&s);
    skipahead(1000ull, &s); skipahead_sequence(3ull, &s);
    y[4] = curand_uniform_double(&s);"""
    found = numbers(STATES[2], body, DOUBLE, 5, count=BLOCK)[5]
    start = (sequence << 76) + offset
    one, two, three, four = mrg32k3a(0x123456789ABCDEF, start, 4)
    (five,) = mrg32k3a(0x123456789ABCDEF, start + 4 + 1000 + (3 << 127), 1)
    norm = 2.3283065498378288e-10
    expected = [one * norm, two * norm, int(three * 1.000000048662), np.float32(four * norm),
                five * norm]  # fmt: skip
    np.testing.assert_allclose(found, expected, rtol=1e-15)
