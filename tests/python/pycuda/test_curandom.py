"""`pycuda.curandom`: numbers beside those of the algorithms, and their distributions."""

import importlib.util

import numpy as np
import pytest
from phalanx.compat.pycuda import curandom, driver, gpuarray
from phalanx.compat.pycuda.compiler import SourceModule
from phalanx.compat.pycuda.curandom import (
    MRG32k3aRandomNumberGenerator,
    ScrambledSobol32RandomNumberGenerator,
    ScrambledSobol64RandomNumberGenerator,
    Sobol32RandomNumberGenerator,
    Sobol64RandomNumberGenerator,
    XORWOWRandomNumberGenerator,
)

pytestmark = pytest.mark.usefixtures("device")

PSEUDO = [XORWOWRandomNumberGenerator, MRG32k3aRandomNumberGenerator]
HAS_SCIPY = importlib.util.find_spec("scipy") is not None
SOBOL = [
    (Sobol32RandomNumberGenerator, 32), (Sobol64RandomNumberGenerator, 64),
    (ScrambledSobol32RandomNumberGenerator, 32), (ScrambledSobol64RandomNumberGenerator, 64),
]  # fmt: skip
N = 100_000


def seeds(n):
    return gpuarray.to_gpu(np.arange(n, dtype=np.int32))


def count_of(generator):
    return generator.block_count * generator.generators_per_block


def van_der_corput(kind, bits, offset=0):
    """Generators whose sequences are all the simplest one, which needs no table."""
    from phalanx.compat.pycuda import random_generators

    dtype, most = np.dtype(f"uint{bits}"), random_generators.sobol_vectors.MOST
    probe = random_generators.Generators.__new__(kind)
    random_generators.Generators.__init__(probe, most=most)
    row = np.array([1 << k for k in reversed(range(bits))], dtype)
    vectors = gpuarray.to_gpu(np.tile(row, (count_of(probe), 1)))
    return kind(vectors, offset=offset)


@pytest.mark.parametrize("dtype", ["float32", "float64", "int32", "uint32"])
@pytest.mark.parametrize("size", [0, 1, 2, 31, 32, 33, 1000, 100003])
def test_rand_is_repeatable_and_uniform(dtype, size):
    np.random.seed(3)  # noqa: NPY002 - what PyCUDA's users call
    first = curandom.rand((size,), dtype).get()
    second = curandom.rand((size,), dtype).get()
    np.random.seed(3)  # noqa: NPY002 - what PyCUDA's users call
    np.testing.assert_array_equal(curandom.rand((size,), dtype).get(), first)
    assert (first.dtype, first.shape) == (dtype, (size,))
    if size > 30:
        assert (first != second).any()
    if dtype.startswith("f"):
        assert ((first >= 0) & (first < 1)).all()
        assert size < 10_000 or abs(first.mean() - 0.5) < 0.005
    with pytest.raises(NotImplementedError, match="int8"):
        curandom.rand(3, np.int8)


def test_xorwow_has_curands_numbers():
    generator = XORWOWRandomNumberGenerator(seeds, offset=5)
    n = count_of(generator)
    numbers = generator.gen_uniform(3 * n + 7, np.uint32).get()
    module = SourceModule(
        """#include <curand_kernel.h>
        extern "C" __global__ void expected(unsigned* out, unsigned n, unsigned rows) {
          unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
          curandState s;
          curand_init(t, t, 5, &s);
          for (unsigned k = 0; k < rows; ++k) out[k * n + t] = curand(&s);
        }""",
        no_extern_c=True,
    )
    out = gpuarray.empty(4 * n, np.uint32)
    shape = {"grid": (n // 32, 1), "block": (32, 1, 1)}
    module.get_function("expected")(out, np.uint32(n), np.uint32(4), **shape)
    np.testing.assert_array_equal(numbers, out.get()[: numbers.size])


M1, M2 = 4294967087, 4294944443
A1 = np.array([[0, 1, 0], [0, 0, 1], [-810728, 1403580, 0]], object)
A2 = np.array([[0, 1, 0], [0, 0, 1], [-1370589, 0, 527612]], object)


def power(matrix, n, modulus):
    result = np.eye(3, dtype=object)
    while n:
        if n & 1:
            result = result @ matrix % modulus
        matrix, n = matrix @ matrix % modulus, n >> 1
    return result


def mrg32k3a(seed, skipped, count):
    """Numbers from 1 to M1, as L'Ecuyer's paper defines them."""
    x1, x2 = seed ^ 0x55555555, 0xAAAAAAAA
    s1 = power(A1, skipped, M1) @ np.array([x1 * 12345, x2 * 12345, x1 * 12345], object) % M1
    s2 = power(A2, skipped, M2) @ np.array([x2 * 12345, x1 * 12345, x2 * 12345], object) % M2
    numbers = []
    for _ in range(count):
        s1, s2 = A1 @ s1 % M1, A2 @ s2 % M2
        numbers.append((s1[2] - s2[2]) % M1 or M1)
    return numbers


def test_mrg32k3a_has_the_numbers_of_the_paper():
    generator = MRG32k3aRandomNumberGenerator(seeds, offset=9)
    n = count_of(generator)
    before = generator.gen_uniform(2 * n, np.float64).get().reshape(2, n)
    generator.call_skip_ahead(1 << 40)
    generator.call_skip_ahead_subsequence(3)
    generator.call_skip_ahead_sequence(5)
    after = generator.gen_uniform(2 * n, np.float64).get().reshape(2, n)
    for t in (0, 1, 2, n - 1):
        skipped = (t << 76) + 9
        np.testing.assert_allclose(before[:, t] * (M1 + 1), mrg32k3a(t, skipped, 2), rtol=1e-12)
        skipped += 2 + (1 << 40) + (3 << 76) + (5 << 127)
        np.testing.assert_allclose(after[:, t] * (M1 + 1), mrg32k3a(t, skipped, 2), rtol=1e-12)


@pytest.mark.parametrize("kind", PSEUDO)
def test_skipping_is_generating(kind):
    first, second = kind(seeds), kind(seeds)
    n = count_of(first)
    first.gen_uniform(7 * n, np.uint32)
    second.call_skip_ahead(3)
    second.call_skip_ahead_array(gpuarray.to_gpu(np.full(n, 4, np.uint64)))
    np.testing.assert_array_equal(
        first.gen_uniform(n, np.uint32).get(), second.gen_uniform(n, np.uint32).get()
    )
    first.call_skip_ahead_sequence(2)
    second.call_skip_ahead_sequence_array(gpuarray.to_gpu(np.full(n, 2, np.int64)))
    np.testing.assert_array_equal(
        first.gen_uniform(n, np.uint32).get(), second.gen_uniform(n, np.uint32).get()
    )
    with pytest.raises(TypeError, match="uint64"):
        first.call_skip_ahead_array(gpuarray.to_gpu(np.zeros(n, np.float32)))
    with pytest.raises(ValueError):
        first.call_skip_ahead(-1)


def generators():
    # From the second point on: of the first, 0, all generators make the same rare numbers.
    made = [kind(seeds) for kind in PSEUDO]
    return made + [van_der_corput(kind, bits, offset=1) for kind, bits in SOBOL]


@pytest.mark.parametrize("which", range(6))
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_distributions(which, dtype):
    generator = generators()[which]
    # Quasi-random numbers are even once each generator has made some.
    least = max(N, 256 * count_of(generator))
    for size in (least, least + 1):
        uniform = generator.gen_uniform(size, dtype).get()
        assert ((uniform > 0) & (uniform <= 1)).all()
        assert abs(uniform.mean() - 0.5) < 0.01
        normal = generator.gen_normal((size,), dtype, stream=driver.Stream())
        driver.Context.synchronize()
        assert (abs(normal.get().mean()) < 0.03, abs(normal.get().std() - 1) < 0.03) == (True, True)
        logarithms = np.log(generator.gen_log_normal(size, dtype, 2.0, 0.5).get())
        assert abs(logarithms.mean() - 2) < 0.02
        assert abs(logarithms.std() - 0.5) < 0.02
    assert (uniform.dtype, uniform.size) == (dtype, least + 1)


MEANS = [0.0, 0.5, 13.0, 63.0, 100.0, 1000.0]


@pytest.mark.parametrize("kind", PSEUDO)
@pytest.mark.parametrize("mean", MEANS)
def test_poisson_of_pseudorandom_numbers(kind, mean):
    generator = kind(seeds)
    numbers = generator.gen_poisson(N, np.uint32, mean).get().astype(float)
    assert abs(numbers.mean() - mean) <= 0.01 * mean
    assert abs(numbers.var() - mean) <= 0.05 * mean
    for dtype in ("float32", "float64", "uint32"):
        data = gpuarray.to_gpu(np.full(1000, int(mean), dtype))
        generator.fill_poisson(data)
        assert abs(data.get().mean() - int(mean)) <= 0.2 * mean
        assert (data.get() == np.floor(data.get())).all()


def poisson_quantiles(uniform, mean):
    """The least number whose probability, with those below it, reaches each of the uniform ones."""
    counts = np.arange(int(2 * mean) + 60)
    logarithms = np.concatenate([[0.0], np.cumsum(np.log(counts[1:]))])
    weights = np.exp(counts * np.log(mean) - mean - logarithms) if mean else counts == 0
    return np.searchsorted(np.cumsum(weights), uniform * (1 - 1e-15))


@pytest.mark.parametrize(("kind", "bits"), SOBOL)
@pytest.mark.parametrize("mean", MEANS)
def test_poisson_of_quasirandom_numbers_is_the_inverse_of_its_distribution(kind, bits, mean):
    uniform = van_der_corput(kind, bits, offset=1).gen_uniform(N, np.float64).get()
    numbers = van_der_corput(kind, bits, offset=1).gen_poisson(N, np.uint32, mean).get()
    off = np.abs(numbers.astype(int) - poisson_quantiles(uniform, mean))
    assert off.max() <= (mean > 700)  # an expansion from there on
    assert off.mean() < 0.01


@pytest.mark.parametrize(("kind", "bits"), SOBOL[:2])
def test_points_are_van_der_corputs(kind, bits):
    generator = van_der_corput(kind, bits)
    n = count_of(generator)
    points = generator.gen_uniform(8 * n, np.float64).get().reshape(8, n)
    eighths = [0, 4, 6, 2, 3, 7, 5, 1]  # in the order of Gray's code
    np.testing.assert_allclose(points, np.tile(np.array(eighths) / 8, (n, 1)).T, atol=1e-9)
    generator.call_skip_ahead(3)
    point = generator.gen_uniform(n, np.float64).get()
    np.testing.assert_allclose(point, expected_point(11), atol=1e-9)


def expected_point(index):
    gray = index ^ (index >> 1)
    return sum(((gray >> k) & 1) / 2 ** (k + 1) for k in range(8))


@pytest.mark.skipif(not HAS_SCIPY, reason="SciPy has the direction numbers")
@pytest.mark.parametrize(("kind", "bits"), SOBOL[:2])
def test_points_are_scipys(kind, bits):
    from scipy.stats import qmc

    generator = kind(offset=2)
    n = count_of(generator)
    points = generator.gen_uniform(16 * n, np.float64).get().reshape(16, n)
    expected = qmc.Sobol(n, scramble=False, bits=bits).random(32)[2:18]
    np.testing.assert_allclose(points, expected, atol=1e-9)


@pytest.mark.skipif(HAS_SCIPY, reason="SciPy has the direction numbers")
@pytest.mark.parametrize("kind", [kind for kind, _ in SOBOL])
def test_sobol_sequences_say_what_they_need(kind):
    with pytest.raises(NotImplementedError, match="scipy"):
        kind()


def test_seeds_and_dtypes_are_checked():
    for getter in (curandom.seed_getter_uniform, curandom.seed_getter_unique):
        values = getter(100).get()
        assert (values.dtype, values.shape, (values >= 0).all()) == (np.int32, (100,), True)
    assert len(set(curandom.seed_getter_uniform(100).get())) == 1
    with pytest.raises(TypeError, match="int32"):
        XORWOWRandomNumberGenerator(lambda n: gpuarray.to_gpu(np.zeros(n, np.float32)))
    with pytest.raises(TypeError, match="int32"):
        XORWOWRandomNumberGenerator(lambda n: seeds(n + 1))
    generator = XORWOWRandomNumberGenerator()
    for fill in (generator.fill_uniform, generator.fill_normal, generator.fill_poisson):
        with pytest.raises(NotImplementedError):
            fill(gpuarray.to_gpu(np.zeros(3, np.int8)))
    with pytest.raises(TypeError, match="dir_vector"):
        Sobol32RandomNumberGenerator(seeds(3))
    assert curandom.get_curand_version() >= (5, 0, 0)
