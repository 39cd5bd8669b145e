"""Functions of whole numbers."""

from __future__ import annotations

from .register import written


@written("math.gcd")
def gcd(a, b):
    """`math.gcd` of two numbers."""
    x = abs(a)
    y = abs(b)
    while y != 0:
        x, y = y, x % y
    return x
