"""The generators of random numbers in CPU functions: two Mersenne Twisters a thread.

The first is `np.random`'s, the second that of Python's module `random`. Functions take the number
of the generator, known when they are compiled, first.
"""

from __future__ import annotations

import math

import numpy as np

from .._core.intrinsic import Intrinsic

NUMPY = 0
PYTHON = 1

_words = Intrinsic("phalanx.random_words", "The state of one of this thread's generators.")
_refill = Intrinsic("phalanx.random_refill", "Makes the generator's next words.")
_normal = Intrinsic("phalanx.random_normal", "The second number of a pair of normal ones.")

# Indices into the state after the 624 words.
_NEXT = 624
_HAS_NORMAL = 625
_IS_SEEDED = 628


def word(generator):
    """32 random bits."""
    words = _words(generator)
    if words[_NEXT] >= 624:
        _refill(generator)
    index = words[_NEXT]
    y = np.int64(words[index])
    words[_NEXT] = index + 1
    y ^= y >> 11
    y ^= (y << 7) & 0x9D2C5680
    y ^= (y << 15) & 0xEFC60000
    return y ^ (y >> 18)


def double(generator):
    """A number from 0 up to 1, with 53 random bits."""
    high = word(generator) >> 5
    low = word(generator) >> 6
    return (high * 67108864.0 + low) * (1.0 / 9007199254740992.0)


def gauss(generator):
    """A number of the standard normal distribution; they are made in pairs."""
    words = _words(generator)
    kept = _normal(generator)
    if words[_HAS_NORMAL] != 0:
        words[_HAS_NORMAL] = 0
        return kept[0]
    while True:
        x = 2.0 * double(generator) - 1.0
        y = 2.0 * double(generator) - 1.0
        square = x * x + y * y
        if square < 1.0 and square != 0.0:
            break
    factor = math.sqrt(-2.0 * math.log(square) / square)
    kept[0] = factor * x
    words[_HAS_NORMAL] = 1
    return factor * y


def seed(generator, number):
    """Begins the sequence of a 32-bit number."""
    words = _words(generator)
    value = np.int64(number) & 0xFFFFFFFF
    for index in range(624):
        words[index] = value
        value = (1812433253 * (value ^ (value >> 30)) + index + 1) & 0xFFFFFFFF
    words[_NEXT] = 624
    words[_HAS_NORMAL] = 0
    words[_IS_SEEDED] = 1
