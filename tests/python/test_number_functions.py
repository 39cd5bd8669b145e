"""Functions of NumPy and `math` of one or two numbers that are compiled from Python."""

from __future__ import annotations

import math

import numpy as np
import pytest

import phalanx
from phalanx import cuda, errors

pytestmark = pytest.mark.filterwarnings("ignore::phalanx.PerformanceWarning")


def test_divisors_and_multiples(device):
    pairs = np.array([(12, 18), (-4, 6), (0, 5), (7, 0), (0, 0), (2**40, 6)])

    @cuda.jit
    def kernel(pairs, out):
        for i in range(pairs.shape[0]):
            a, b = pairs[i, 0], pairs[i, 1]
            out[i, 0], out[i, 1] = np.gcd(a, b), np.lcm(a, b)
            out[i, 2], out[i, 3] = math.gcd(a, b), math.lcm(a, b)

    out = np.zeros((len(pairs), 4), np.int64)
    kernel[1, 1](pairs, out)
    expected = np.stack([np.gcd(*pairs.T), np.lcm(*pairs.T)] * 2, axis=1)
    np.testing.assert_array_equal(out, expected)


def test_times_that_are_none(device):
    times = np.array(["NaT", "2020-01-01"], "M8[s]")
    spans = np.array(["NaT", 3], "m8[D]")

    @cuda.jit
    def kernel(times, spans, out):
        for i in range(2):
            out[i] = np.isnat(times[i])
            out[2 + i] = np.isnat(spans[i])

    out = np.zeros(4, bool)
    kernel[1, 1](times, spans, out)
    assert out.tolist() == [True, False, True, False]

    @cuda.jit
    def wrong(out):
        out[0] = np.isnat(3)

    with pytest.raises(errors.TypingError, match=r"isnat\(\) has no implementation for \(int64\)"):
        wrong[1, 1](out)


def test_powers_of_two_by_their_exponent(device):
    @cuda.jit
    def kernel(out):
        out[0] = np.ldexp(1.5, 3)
        out[1] = np.ldexp(np.float32(1), -1)

    out = np.zeros(2)
    kernel[1, 1](out)
    assert out.tolist() == [12, 0.5]


def test_functions_have_them_too():
    @phalanx.njit
    def both(a, b):
        return np.gcd(a, b) + math.lcm(a, b)

    assert both(4, 6) == 14
