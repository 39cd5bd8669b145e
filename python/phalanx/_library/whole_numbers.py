"""Functions of whole numbers, and others of one or two numbers."""

from __future__ import annotations

import math

from .._type_aggregates import NPDatetime, NPTimedelta
from .register import implements, written


@written("math.gcd", "numpy.gcd")
def gcd(a, b):
    """`math.gcd` of two numbers."""
    x = abs(a)
    y = abs(b)
    while y != 0:
        x, y = y, x % y
    return x


@written("math.lcm", "numpy.lcm")
def lcm(a, b):
    """`math.lcm` of two numbers: 0 where one of them is."""
    x = abs(a)
    y = abs(b)
    while y != 0:
        x, y = y, x % y
    return abs(a) if x == 0 else abs(a) // x * abs(b)


@written("numpy.ldexp")
def ldexp(number, exponent):
    """`np.ldexp` of two numbers."""
    return math.ldexp(number, exponent)


@implements("numpy.isnat")
def isnat(time):
    """`np.isnat` of one time."""
    if not isinstance(time, NPDatetime | NPTimedelta):
        return None
    return lambda time: time != time
