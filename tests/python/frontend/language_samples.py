"""Functions that a kernel and Python itself must agree on: name -> function and argument tuples."""

# ruff: noqa

from __future__ import annotations

import collections
import enum
import math

import numpy as np

SAMPLES = {}

OFFSET = 7
WEIGHTS = (1, 2.5, 4)
TABLE = np.array([[3, 1, 4], [1, 5, 9]], np.int64)
Point = collections.namedtuple("Point", "x y")


class Color(enum.IntEnum):
    RED = 1
    BLUE = 5


def sample(*arguments):
    def add(function):
        SAMPLES[function.__name__] = (function, arguments)
        return function

    return add


@sample((7, 3), (-7, 3), (7, -3))
def integer_division(a, b):
    return a // b * 100 + a % b


@sample((7.5, 2.0), (-7.5, 2.0), (7.5, -2.0))
def float_division(a, b):
    return a // b * 100 + a % b


@sample((3,), (-2,), (0,))
def powers(x):
    return x**2 + x**3 + 2**3 + x**0


@sample((3.0,), (0.5,))
def float_powers(x):
    return x**2 + x**-1 + x**0.5


@sample((5, 2), (12, 10))
def bits(a, b):
    return (a & b) + (a | b) * 10 + (a ^ b) * 100 + (a << 2) + (a >> 1) + ~b


@sample((1, 2), (2, 1), (2, 2))
def comparisons(a, b):
    return (a < b) + (a <= b) * 2 + (a == b) * 4 + (a != b) * 8 + (a > b) * 16 + (a >= b) * 32


@sample((1, 5, 9), (1, 0, 9), (5, 5, 5))
def chained_comparison(a, b, c):
    if a < b < c:
        return 1
    if a <= b <= c != 3:
        return 2
    return 3


@sample((3, 4), (0, 4), (3, 0), (0, 0))
def boolean_values(a, b):
    return (a and b) * 10 + (a or b)


@sample((3.5, 4), (0.0, 4))
def boolean_values_of_two_types(a, b):
    return (a and b) + (a or b)


@sample((4,), (0,), (-1,))
def short_circuit_keeps_effects(n):
    values = Point(1, 2)
    count = 0
    if n > 0 and 10 // n > 1 or n < 0:
        count += values.x
    return count + (not n) * 10


@sample((5,), (-5,), (0,))
def conditional_expressions(x):
    return (1 if x > 0 else -1 if x < 0 else 0) + (x if x else 2.5)


@sample((10,), (0,), (1,))
def while_with_else(n):
    total = 0
    while n > 0:
        if n == 4:
            break
        n -= 1
        if n % 2:
            continue
        total += n
    else:
        total = -total - 1
    return total


@sample((10,), (3,), (0,))
def for_with_else(n):
    found = -1
    for i in range(n):
        if i * i == 25:
            found = i
            break
    else:
        found = 100
    return found * 1000 + i if n else found


@sample((0, 10, 3), (10, 0, -3), (5, 5, 1), (-4, 4, 2))
def range_with_step(start, stop, step):
    total = 0
    for i in range(start, stop, step):
        total = total * 3 + i
    return total


@sample((4,))
def literal_steps(n):
    total = 0
    for i in range(n, -n, -2):
        total = total * 5 + i
    for i in range(1, 10, 4):
        total += i
    return total


@sample((4,))
def nested_loops_leave_the_right_one(n):
    total = 0
    for i in range(n):
        for j in range(n):
            if j == i:
                continue
            if j > 2:
                break
            total += i * 10 + j
        else:
            total += 1000
        if total > 100000:
            break
    return total


@sample((6,), (0,))
def types_widen_in_loops(n):
    x = 0
    y = 1
    for i in range(n):
        y = x + 0.5
        x = y
    return x + y


@sample((3,))
def values_swap_in_loops(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a * 100 + b


@sample((5,), (1,))
def tuples_are_carried(n):
    state = (0, 1.5)
    for i in range(n):
        if i % 2:
            state = (state[0] + i, state[1] * 2)
        else:
            state = (state[0], state[1] + i)
    return state[0] + state[1]


@sample((3,), (-3,))
def names_bound_on_both_ways(x):
    if x > 0:
        y = 1
        z = (x, 2.0)
    else:
        y = 2.5
        z = (1, 3)
    return y + z[0] + z[1]


@sample((3,), (-3,))
def other_types_that_nobody_reads(x):
    if x > 0:
        y = 1
        r = y + x
    else:
        y = (1, 2)
        r = y[1]
    y = r * 2
    return y


@sample((0,), (1,), (5,))
def returns_from_loops(n):
    for i in range(10):
        if i == n:
            return i * 2
        while True:
            if n < 3:
                break
            return -1
    return 100


@sample((2,))
def unpacking(n):
    a, (b, c), *_ = n, (n + 1, n + 2), 3
    (d, e) = (b, c)
    f = g = e
    return a + b * 10 + c * 100 + d * 1000 + f + g


SAMPLES.pop("unpacking")


@sample((2,))
def nested_unpacking(n):
    a, (b, c) = n, (n + 1, n + 2)
    (d, e) = (b, c)
    f = g = e
    f += 1
    return a + b * 10 + c * 100 + d * 1000 + f * 7 + g


@sample((2,))
def tuple_operations(n):
    t = (n, n + 1) + (5,)
    return len(t) * 1000 + sum(t) + t[-1] * 10 + t[1:][0] + (n in t) + (9 not in t) * 2 + min(t)


@sample((0,), (1,), (2,))
def tuples_take_computed_indices(i):
    return (10, 20, 30)[i]


@sample((1, 2), (2, 1), (1, 1))
def tuples_compare(a, b):
    return ((a, b) < (b, a)) + ((a, b) == (b, a)) * 2 + ((a, b) >= (1, 2)) * 4


@sample((3,))
def loops_over_tuples(n):
    total = 0.0
    for value in (n, 2.5, n + 1):
        if value == 2.5:
            continue
        total += value
    for weight in WEIGHTS:
        if weight > 3:
            break
        total += weight
    else:
        total = -1
    return total


@sample((3,))
def enumerate_and_zip(n):
    total = 0
    for i, value in enumerate((n, 5, 7), 1):
        total += i * value
    for a, (b, c) in zip((1, 2, 3), zip((4, 5), (6, 7))):
        total += a * b * c
    for i, j in zip(range(n), range(10, 100, 3)):
        total += i * j
    for i, j in enumerate(range(n, 0, -1)):
        total += i - j
    return total


@sample((3.7,), (-3.7,), (2.5,), (-0.5,))
def conversions(x):
    return int(x) * 100 + float(int(x)) + round(x) * 10 + abs(x) + bool(x) + round(x, 1)


@sample((7, 2), (-7, 2))
def pairs(a, b):
    q, r = divmod(a, b)
    return q * 10 + r + pow(a, 2) + max(a, b, 3) - min(a, b)


@sample(
    (1.5, -2.0),
)
def complex_numbers(a, b):
    z = complex(a, b) * 2j + 1
    w = z.conjugate()
    return z.real + w.imag + abs(z) + (z * w).real


@sample((0.25,), (0.75,))
def mathematics(x):
    m, e = math.frexp(x * 12)
    f, w = math.modf(x * 7)
    return (
        math.sin(x) + math.atan2(x, 2.0) + math.exp(x) + math.log(x, 2) + math.hypot(x, 3.0)
        + math.floor(x * 5) + math.ceil(x * 5) + math.degrees(x) + math.radians(x) + m + e + f + w
        + math.copysign(1.0, -x) + math.pi + math.isclose(x, x + 1e-12) + math.isnan(x)
    )  # fmt: skip


@sample((3,), (5,))
def globals_are_constants(i):
    return OFFSET + TABLE[i % 2, -1] + WEIGHTS[1] + Color.BLUE + (Color.RED == i) + len(TABLE)


@sample((4,))
def constant_arrays_are_gone_over(n):
    total = 0
    for row in TABLE:
        for value in row:
            total = total * 2 + value
    return total + TABLE.shape[1] + TABLE.T[2, 1] + TABLE.size * TABLE.ndim


@sample((2, 3))
def named_tuples(a, b):
    p = Point(a, y=b)
    q = Point(p.y, p.x)
    return p.x * 10 + q.x + len(p)


@sample((4,))
def nested_functions(n):
    factor = n * 2

    def scale(x, extra=1):
        return x * factor + extra

    add = lambda x: scale(x, extra=2) + n
    factor += 1
    return scale(3) + add(n)


@sample((6,))
def nested_functions_call_themselves(n):
    base = n - 5

    def factorial(k):
        if k <= base:
            return base
        return k * factorial(k - 1)

    half = lambda k: 0 if k < base else 1 + half(k // 2)
    return factorial(n) + half(n)


def _apply(function, x, times):
    for _ in range(times):
        x = function(x)
    return x


def _twice(x):
    return 2 * x


@sample((3,))
def functions_as_arguments(n):
    return _apply(_twice, n, 3) + _apply(lambda x: x + n, 1, 2)


def _power(x, n=2, *, negate=False):
    result = 1
    for _ in range(n):
        result *= x
    return -result if negate else result


@sample((3,))
def keyword_and_default_arguments(x):
    return _power(x) + _power(n=3, x=x) * 10 + _power(x, negate=True)


def _variadic(first, *rest):
    total = first
    for value in rest:
        total += value
    return total + len(rest)


@sample((3,))
def variadic_functions(x):
    return _variadic(x) + _variadic(x, 1, 2.5) + _variadic(*(x, x))


def _optional(x, y=None):
    if y is None:
        return x
    return x + y


@sample((3,))
def none_decides_at_compile_time(x):
    return _optional(x) + _optional(x, 0.5)


@sample((3,))
def dead_branches_need_not_type(x):
    if OFFSET == 8:
        return x.nothing + unknown_name  # noqa: F821
    if False:
        x = "text"[x]
    while 0:
        x = (x, x)
    return x


@sample((3,), (9,))
def walrus(x):
    if (y := x * 2) > 10 and (z := y + 1) > 0:
        return z
    return y


@sample((5,))
def deleted_names(x):
    y = x
    del y
    y = 2
    return y


@sample((200,))
def small_types(x):
    a = np.uint8(x)
    b = np.int8(x - 100)
    return (a + b) * 2 + np.float32(0.1) * 0 + np.int32(7.9)


@sample((2.0,))
def numpy_functions(x):
    return (
        np.sqrt(x)
        + np.minimum(x, 1.0)
        + np.abs(-x)
        + np.floor(x + 0.5)
        + np.power(x, 3.0)
        + np.sign(-x)
        + np.square(x)
        + np.logaddexp(x, 1.0)
        + np.fmod(-7, 3)
        + np.signbit(-x)
        + np.logical_xor(x, 0)
        + np.deg2rad(x)
        + np.isnan(3)
        + np.floor(3)
        + np.conj(x)
    )


@sample((3,))
def undefined_on_a_way_not_taken(n):
    for i in range(n):
        if i == 0:
            first = 5
        else:
            first = first + i
    return first
