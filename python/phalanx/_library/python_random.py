"""Python's module ``random`` in CPU functions: written in Python, compiled with the caller.

The numbers are Numba's for the same seed: a generator of its own, apart from `np.random`'s and from
that of Python code. `random.seed` in a compiled function seeds that of the thread it runs on.
"""

from __future__ import annotations

import math
import random as python_random
from typing import Any

from . import mersenne
from .mersenne import PYTHON


def seed(a):
    """`random.seed` of a whole number."""
    mersenne.seed(PYTHON, a)


def random():
    """`random.random`."""
    return mersenne.double(PYTHON)


def uniform(a, b):
    """`random.uniform`."""
    return a + (b - a) * random()


def gauss(mu=0.0, sigma=1.0):
    """`random.gauss` and `random.normalvariate`."""
    return mu + sigma * mersenne.gauss(PYTHON)


def lognormvariate(mu, sigma):
    """`random.lognormvariate`."""
    return math.exp(gauss(mu, sigma))


def expovariate(lambd=1.0):
    """`random.expovariate`."""
    return -math.log(1.0 - random()) / lambd


def triangular(low=0.0, high=1.0, mode=None):
    """`random.triangular`."""
    if high == low:
        return low + 0.0
    share = random()
    top = 0.5 if mode is None else (mode - low) / (high - low)
    if share > top:
        return high + (low - high) * math.sqrt((1.0 - share) * (1.0 - top))
    return low + (high - low) * math.sqrt(share * top)


def paretovariate(alpha):
    """`random.paretovariate`."""
    return 1.0 / (1.0 - random()) ** (1.0 / alpha)


def weibullvariate(alpha, beta):
    """`random.weibullvariate`."""
    return alpha * (-math.log(1.0 - random())) ** (1.0 / beta)


def _gamma_above_one(alpha):
    """Cheng's rejection method, 1977."""
    slope = math.sqrt(2.0 * alpha - 1.0)
    while True:
        first = random()
        if not 1e-7 < first < 0.9999999:
            continue
        second = 1.0 - random()
        v = math.log(first / (1.0 - first)) / slope
        x = alpha * math.exp(v)
        z = first * first * second
        bound = alpha - math.log(4.0) + (alpha + slope) * v - x
        if bound + 1.0 + math.log(4.5) - 4.5 * z >= 0.0 or bound >= math.log(z):
            return x


def _gamma_below_one(alpha):
    """Ahrens' and Dieter's method GS."""
    total = (math.e + alpha) / math.e
    while True:
        p = total * random()
        second = random()
        if p > 1.0:
            x = -math.log((total - p) / alpha)
            if second <= x ** (alpha - 1.0):
                return x
        else:
            x = p ** (1.0 / alpha)
            if second <= math.exp(-x):
                return x


def gammavariate(alpha, beta):
    """`random.gammavariate`."""
    if alpha <= 0.0 or beta <= 0.0:
        raise ValueError("gammavariate: alpha and beta must be > 0.0")
    if alpha > 1.0:
        return _gamma_above_one(alpha) * beta
    if alpha == 1.0:
        return -math.log(1.0 - random()) * beta
    return _gamma_below_one(alpha) * beta


def betavariate(alpha, beta):
    """`random.betavariate`."""
    first = gammavariate(alpha, 1.0)
    return 0.0 if first == 0.0 else first / (first + gammavariate(beta, 1.0))


def vonmisesvariate(mu, kappa):
    """`random.vonmisesvariate`, by Best's and Fisher's method."""
    if kappa <= 1e-6:
        return 2.0 * math.pi * random()
    s = 0.5 / kappa
    r = s + math.sqrt(1.0 + s * s)
    while True:
        z = math.cos(math.pi * random())
        d = z / (r + z)
        second = random()
        if second < 1.0 - d * d or second <= (1.0 - d) * math.exp(d):
            break
    q = 1.0 / r
    angle = math.acos((q + z) / (1.0 + q * z))
    turned = mu + angle if random() > 0.5 else mu - angle
    return turned % (2.0 * math.pi)


def getrandbits(k):
    """`random.getrandbits` of up to 63 bits."""
    if k <= 0 or k > 63:
        raise OverflowError("getrandbits() takes 1 to 63 bits here")
    if k <= 32:
        return mersenne.word(PYTHON) >> (32 - k)
    low = mersenne.word(PYTHON)
    return ((mersenne.word(PYTHON) >> (64 - k)) << 32) | low


def _below(n):
    """A number from 0 up to n: as many bits as n has, until they are below it."""
    bits = 0
    rest = n
    while rest > 0:
        rest >>= 1
        bits += 1
    while True:
        number = getrandbits(bits)
        if number < n:
            return number


def randrange(start, stop=None, step=1):
    """`random.randrange`."""
    first = 0 if stop is None else start
    end = start if stop is None else stop
    if step == 0:
        raise ValueError("zero step for randrange()")
    count = (end - first + step - 1) // step if step > 0 else (end - first + step + 1) // step
    if count <= 0:
        raise ValueError("empty range for randrange()")
    return first + _below(count) * step


def randint(a, b):
    """`random.randint`."""
    return randrange(a, b + 1)


def choice(seq):
    """`random.choice` of a list or a vector."""
    if len(seq) == 0:
        raise IndexError("Cannot choose from an empty sequence")
    return seq[_below(len(seq))]


def shuffle(x):
    """`random.shuffle` of a list or an array."""
    for i in range(len(x) - 1, 0, -1):
        j = _below(i + 1)
        if isinstance(x, list) or x.ndim == 1:
            x[i], x[j] = x[j], x[i]
        else:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row


_WRITTEN = (
    seed, random, uniform, gauss, lognormvariate, expovariate, triangular, paretovariate,
    weibullvariate, gammavariate, betavariate, vonmisesvariate, getrandbits, randrange, randint,
    choice, shuffle,
)  # fmt: skip


def table() -> dict[Any, Any]:
    """The function of Python's module -> the function here."""
    made = {getattr(python_random, each.__name__): each for each in _WRITTEN}
    made[python_random.normalvariate] = gauss
    return made
