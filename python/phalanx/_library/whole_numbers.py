"""Functions of whole numbers, and others of one or two numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .._types.aggregates import NPDatetime, NPTimedelta
from .._types.objects import Integer
from .register import implements, refuse, written


def _greatest_divisor(a, b):
    x = abs(a)
    y = abs(b)
    while y != 0:
        x, y = y, x % y
    return x


def _least_multiple(a, b):
    divisor = _greatest_divisor(a, b)
    return abs(a) if divisor == 0 else abs(a) // divisor * abs(b)


@implements("math.gcd", "numpy.gcd")
def _gcd(a: Any, b: Any) -> Any:
    """Of two whole numbers."""
    return _greatest_divisor if isinstance(a, Integer) and isinstance(b, Integer) else None


@implements("math.lcm", "numpy.lcm")
def _lcm(a: Any, b: Any) -> Any:
    """Of two whole numbers: 0 where one of them is."""
    return _least_multiple if isinstance(a, Integer) and isinstance(b, Integer) else None


@written("numpy.ldexp")
def ldexp(number, exponent):
    """`np.ldexp` of two numbers."""
    if np.ndim(number) > 0 or np.ndim(exponent) > 0:
        refuse("ldexp takes two numbers")
    return math.ldexp(number, exponent)


@implements("numpy.isnat")
def isnat(time):
    """`np.isnat` of one time."""
    if not isinstance(time, NPDatetime | NPTimedelta):
        return None
    return lambda time: time != time
