"""Python's arithmetic for compiled code: an error wherever 64 bits do not give Python's result.

Rows for which one of these raises are computed by Python, which has the last word: it may raise an
error of its own, or have a result that compiled code has not, such as an int of 65 bits.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

_MOST_EXACT = 9007199254740992  # 2**53: up to here floats have all ints
_HALF = 2147483648  # 2**31: products of smaller ints have 63 bits
_LARGEST_FLOAT = 4.611686018427388e18  # 2**62


def add(a: Any, b: Any) -> Any:
    """Integers: ``a + b``. Raises OverflowError beyond 64 bits."""
    made = a + b
    if (a ^ made) & (b ^ made) < 0:
        raise OverflowError("an int beyond 64 bits")
    return made


def subtract(a: Any, b: Any) -> Any:
    """Integers: ``a - b``. Raises OverflowError beyond 64 bits."""
    made = a - b
    if (a ^ b) & (a ^ made) < 0:
        raise OverflowError("an int beyond 64 bits")
    return made


def multiply(a: Any, b: Any) -> Any:
    """Integers: ``a * b``. Raises OverflowError beyond 64 bits."""
    made = a * b
    if not (-_HALF < a < _HALF and -_HALF < b < _HALF) and a != 0:
        if a == -1:
            if b == made and b != 0:
                raise OverflowError("an int beyond 64 bits")
        elif made // a != b:
            raise OverflowError("an int beyond 64 bits")
    return made


def negative(a: Any) -> Any:
    """Integers: ``-a``. Raises OverflowError beyond 64 bits."""
    if a == -a and a != 0:
        raise OverflowError("an int beyond 64 bits")
    return -a


def absolute(a: Any) -> Any:
    """Integers: ``abs(a)``. Raises OverflowError beyond 64 bits."""
    return negative(a) if a < 0 else a


def power(a: Any, b: Any) -> Any:
    """Integers, ``b`` from 0 on: ``a ** b``. Raises OverflowError beyond 64 bits."""
    made = 1
    for _ in range(b):
        made = multiply(made, a)
    return made


def left_shift(a: Any, b: Any) -> Any:
    """Integers: ``a << b``. Raises OverflowError beyond 64 bits and for a negative ``b``."""
    if b < 0 or b > 62:
        raise OverflowError("a shift that 64 bits do not have")
    made = a << b
    if made >> b != a:
        raise OverflowError("an int beyond 64 bits")
    return made


def right_shift(a: Any, b: Any) -> Any:
    """Integers: ``a >> b``. Raises OverflowError for a negative ``b`` and for one beyond 63."""
    if b < 0 or b > 63:
        raise OverflowError("a shift that 64 bits do not have")
    return a >> b


def as_exact_float(a: Any) -> Any:
    """An integer as the float that is equal to it. Raises OverflowError where there is none."""
    if a > _MOST_EXACT or a < -_MOST_EXACT:
        raise OverflowError("an int beyond 53 bits beside a float")
    return float(a)


def divide(a: Any, b: Any) -> Any:
    """Floats: ``a / b``. Raises ZeroDivisionError."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return a / b


def floor_divide(a: Any, b: Any) -> Any:
    """``a // b`` of two of one type. Raises ZeroDivisionError, OverflowError."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    if b == -1 and a == -a and a != 0:
        raise OverflowError("an int beyond 64 bits")
    return a // b


def remainder(a: Any, b: Any) -> Any:
    """``a % b`` of two of one type. Raises ZeroDivisionError."""
    if b == 0:
        raise ZeroDivisionError("division by zero")
    if b == -1 and a == -a and a != 0:
        raise OverflowError("an int beyond 64 bits")
    return a % b


def square(a: Any) -> Any:
    """Floats: ``a ** 2``. Raises OverflowError where Python does."""
    made = a * a
    if made - made != 0 and a - a == 0:
        raise OverflowError("a float beyond its range")
    return made


def float_power(a: Any, b: Any) -> Any:
    """Floats: ``a ** b``. Raises OverflowError where it is no finite number of finite ones."""
    made = a**b
    if made - made != 0 and a - a == 0 and b - b == 0:
        raise OverflowError("a power that is no float")
    return made


def as_int_of_float(a: Any) -> Any:
    """Floats: ``int(a)``. Raises OverflowError for NaN and beyond 62 bits."""
    if not -_LARGEST_FLOAT < a < _LARGEST_FLOAT:
        raise OverflowError("a float that is no int of 64 bits")
    return int(a)


def rounded(a: Any) -> Any:
    """Floats: ``round(a)``. Raises OverflowError for NaN and beyond 62 bits."""
    return as_int_of_float(np.rint(a))


def floor(a: Any) -> Any:
    """Floats: ``math.floor(a)``. Raises OverflowError for NaN and beyond 62 bits."""
    return as_int_of_float(np.floor(a))


def ceil(a: Any) -> Any:
    """Floats: ``math.ceil(a)``. Raises OverflowError for NaN and beyond 62 bits."""
    return as_int_of_float(np.ceil(a))


def unless(wrong: Any, value: Any) -> Any:
    """A value that a row has unless something is wrong with it. Raises ValueError then."""
    if wrong:
        raise ValueError("no such text")
    return value


def also(first: Any, second: Any) -> Any:
    """The second of two values, of which the first may raise as it is computed."""
    return second


def is_unlike_number(made: Any, a: Any) -> Any:
    """True for a result of `math` for which CPython raises: NaN of a number, infinity of a float.

    The rule is that of ``math_1`` in CPython's ``Modules/mathmodule.c``.
    """
    return made - made != 0 and (a - a == 0 or (made != made and a == a))


def same_count(a: Any, b: Any) -> Any:
    """The length of two arrays. Raises ValueError where they differ."""
    if a != b:
        raise ValueError("arrays of different lengths")
    return a


def slice_place(count: Any, place: Any) -> Any:
    """Where a slice begins or ends: negative positions are from the end, others up to it."""
    if place < 0:
        place += count
        return 0 if place < 0 else place
    return count if place > count else place


def at_least(a: Any, b: Any) -> Any:
    """``a``, but not less than ``b``: NaN stays."""
    return b if a < b else a


def at_most(a: Any, b: Any) -> Any:
    """``a``, but not more than ``b``: NaN stays."""
    return b if a > b else a


def filled(a: Any, b: Any) -> Any:
    """``a``, or ``b`` for NaN."""
    return b if a != a else a


def is_nan(a: Any) -> Any:
    """True for NaN."""
    return a != a


_TEMPLATES = {
    1: (
        "def math_{0}(a):\n"
        "    made = math.{0}(a)\n"
        "    if is_unlike_number(made, a):\n"
        "        raise ValueError('no result')\n"
        "    return made\n"
    ),
    2: (
        "def math_{0}(a, b):\n"
        "    made = math.{0}(a, b)\n"
        "    if made - made != 0 and a == a and b == b:\n"
        "        raise ValueError('no result')\n"
        "    return made\n"
    ),
}
MATH = {
    1: (
        "sqrt", "exp", "log", "log2", "log10", "log1p", "expm1", "sin", "cos", "tan", "asin",
        "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh",
    ),
    2: ("atan2", "fmod", "hypot"),
}  # fmt: skip


def module_text() -> str:
    """The definitions of `math`'s functions that raise, to be compiled beside a user's."""
    return "".join(
        _TEMPLATES[count].format(name) for count, names in MATH.items() for name in names
    )


def namespace() -> dict[str, Any]:
    """What compiled functions refer to by name."""
    functions: tuple[Callable[..., Any], ...] = (
        add, subtract, multiply, negative, absolute, power, left_shift, right_shift,
        as_exact_float, divide, floor_divide, remainder, square, float_power, as_int_of_float,
        rounded, floor, ceil, unless, also, is_unlike_number, same_count, slice_place, at_least,
        at_most, filled, is_nan,
    )  # fmt: skip
    return {each.__name__: each for each in functions} | {"math": math, "np": np}
