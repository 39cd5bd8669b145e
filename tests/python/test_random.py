"""xoroshiro128+: the numbers are those of numba.cuda.random, bit for bit."""

import numpy as np
import pytest
from phalanx.cuda import random as rng

from phalanx import cuda

MASK = 2**64 - 1


def _rotl(x, k):
    return ((x << k) | (x >> (64 - k))) & MASK


def _next(state):
    """The generator as its authors wrote it."""
    s0, s1 = state
    result = (s0 + s1) & MASK
    s1 ^= s0
    state[:] = [_rotl(s0, 55) ^ s1 ^ (s1 << 14 & MASK), _rotl(s1, 36)]
    return result


def _jump(state):
    sums = [0, 0]
    for word in (0xBEAC0467EBA5FACB, 0xD86B048B86AA9922):
        for bit in range(64):
            if word >> bit & 1:
                sums = [sums[0] ^ state[0], sums[1] ^ state[1]]
            _next(state)
    state[:] = sums


@pytest.mark.parametrize(
    ("count", "seed", "start"), [(1, 1, 0), (9, 5, 0), (33, 2**63, 6), (4, 0, 3)]
)
def test_states_are_jumps_apart(count, seed, start):
    states = np.zeros(count, rng.xoroshiro128p_dtype)
    rng.init_xoroshiro128p_states_cpu(states, seed, start)
    first = np.zeros(1, rng.xoroshiro128p_dtype)
    rng.init_xoroshiro128p_states_cpu(first, seed, 0)
    state = [int(first[0]["s0"]), int(first[0]["s1"])]
    for _ in range(start):
        _jump(state)
    for made in states:
        assert [int(made["s0"]), int(made["s1"])] == state
        _jump(state)


def test_states_of_a_seed_are_known(device):
    s0 = 5 + 0x9E3779B97F4A7C15
    s0 = ((s0 ^ (s0 >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    s0 = ((s0 ^ (s0 >> 27)) * 0x94D049BB133111EB) & MASK
    s0 ^= s0 >> 31
    states = rng.create_xoroshiro128p_states(3, seed=5).copy_to_host()
    assert (int(states[0]["s0"]), int(states[0]["s1"])) == (s0, s0)


def test_kernels_draw_the_same_numbers(device):
    count, draws = 70, 5
    states = rng.create_xoroshiro128p_states(count, seed=5)
    host = [[int(each["s0"]), int(each["s1"])] for each in states.copy_to_host()]

    @cuda.jit
    def draw(states, single, double):
        i = cuda.grid(1)
        if i < states.shape[0]:
            for k in range(single.shape[1]):
                double[i, k] = rng.xoroshiro128p_uniform_float64(states, i)
                single[i, k] = rng.xoroshiro128p_uniform_float32(states, i)

    single = np.zeros((count, draws), np.float32)
    double = np.zeros((count, draws))
    draw[3, 32](states, single, double)
    for i in range(count):
        for k in range(draws):
            assert double[i, k] == (_next(host[i]) >> 11) * (1.0 / 2**53)
            assert single[i, k] == np.float32((_next(host[i]) >> 11) * (1.0 / 2**53))
    left = [[int(each["s0"]), int(each["s1"])] for each in states.copy_to_host()]
    assert left == host


@pytest.mark.parametrize("kind", ["float32", "float64"])
def test_normal_numbers_have_mean_0_and_deviation_1(device, kind):
    normal = getattr(rng, f"xoroshiro128p_normal_{kind}")

    @cuda.jit
    def draw(states, out):
        i = cuda.grid(1)
        for k in range(out.shape[1]):
            out[i, k] = normal(states, i)

    states = cuda.random.create_xoroshiro128p_states(256, seed=1)
    out = np.zeros((256, 200), kind)
    draw[2, 128](states, out)
    assert abs(out.mean()) < 0.02
    assert abs(out.std() - 1) < 0.02
    assert len(np.unique(out)) > 0.99 * out.size
