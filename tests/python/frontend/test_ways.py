"""What names and results are at joins of control flow, compared with Numba."""

from __future__ import annotations

import linecache
import sys

import numpy as np
import pytest

from phalanx import cuda, njit

T = 5


def parts_of_one_branch(c, x):
    if c:
        y = x
        z = (x, 2)
    return y, z[0] + 0.0, z[1]


def in_one_iteration(n):
    for i in range(n):
        if i > 2:
            y = i
    return y


def read_in_the_loop(n):
    z = -1
    for i in range(n):
        if i > 2:
            y = i
        z = y + 1
    return z


def in_a_while(n):
    while n > 3:
        n -= 1
        if n == 5:
            y = n * 1.5
    return y


UNASSIGNED = [
    (parts_of_one_branch, (False, 5.5), (0.0, 0.0, 2)),
    (parts_of_one_branch, (True, 5.5), (5.5, 5.5, 2)),
    (in_one_iteration, (2,), 0),
    (in_one_iteration, (9,), 8),
    (read_in_the_loop, (2,), 1),
    (read_in_the_loop, (6,), 6),
    (in_a_while, (2,), 0.0),
    (in_a_while, (9,), 7.5),
]


@pytest.mark.parametrize(("function", "arguments", "expected"), UNASSIGNED)
def test_a_number_that_the_way_taken_did_not_assign_is_zero(function, arguments, expected):
    assert njit(function)(*arguments) == expected


# Names that some paths do not assign; each is called with 0, 1, 2 and 12, and compared with Numba.
AS_NUMBA = {
    "a literal": "if c: x = 3\nreturn x",
    "a literal, twice": "if c == 1: x = 3\nelif c == 2: x = 3\nreturn x",
    "two literals": "if c == 1: x = 3\nelif c == 2: x = 4\nreturn x",
    "two literals, and a sum": "if c == 1: x = 3\nelif c == 2: x = 4\nx += 1\nreturn x",
    "two literals in tuples": "if c == 1: x = (3, c)\nelif c == 2: x = (4, c)\nreturn x",
    "an integer or a float": "if c == 1: x = 3\nelif c == 2: x = 4.5\nreturn x",
    "a bool": "if c: x = True\nreturn x",
    "a float": "if c: x = 2.5\nreturn x",
    "a complex number": "if c: x = 1j\nreturn x",
    "a folded literal": "if c: x = 1 + 2\nreturn x",
    "a negative literal": "if c: x = -3\nreturn x",
    "a global": "if c: x = T\nreturn x",
    "computed from a global": "if c: x = T + 1\nreturn x",
    "a length": "if c: x = len((1, 2))\nreturn x",
    "a converted number": "if c: x = np.int32(5)\nreturn x",
    "a number": "if c: x = c + 1\nreturn x",
    "None": "if c: x = None\nreturn x",
    "unpacked": "if c: x, y = 1, 2\nreturn x * 10 + y",
    "a tuple": "if c: x = (1, c)\nreturn x",
    "a tuple of literals": "if c: x = (1, 2.0)\nreturn x",
    "a copy": "if c: x = 3\ny = x\nreturn y",
    "the last of two": "if c:\n x = 3\n x = 4\nreturn x",
    "counted": "if c: x = 3\nx += 1\nreturn x",
    "counted in a loop": "for k in range(c):\n if k == 1: x = 3\n if k > 0: x = x + k\nreturn x",
    "in an iteration": "for k in range(3):\n if k == c: x = 7\nreturn x",
    "in no iteration": "for k in range(c):\n if k > 10: x = 7\nreturn x",
    "two in iterations": "for k in range(c):\n if k > 10: x = 7\n if k > 11: x = 8\nreturn x",
    "a number in an iteration": "for k in range(c):\n if k > 10: x = k\nreturn x",
    "a literal or a number": "for k in range(c):\n x = 7\n if k > 5: x = k\nreturn x",
    "in a while": "n = c\nwhile n > 0:\n x = 5\n n -= 1\nreturn x",
    "in nested loops": "for i in range(c):\n for j in range(i):\n  x = 6\nreturn x",
    "before a break": "for i in range(c):\n if i == 2:\n  x = 6\n  break\nreturn x",
    "in the else of a loop": "for i in range(c):\n if i == 1: break\nelse:\n x = 6\nreturn x",
    "a loop's own name": "for x in range(c): pass\nreturn x",
    "the other branch": "if c: x = c * 2\nelse: y = 2\nreturn x + (y if not c else 0)",
    "one of two names": "if c: x = np.int8(1)\nelse: y = 2\nreturn x + y",
    "a sum of an array": "if c: x = np.ones(3)\nreturn x.sum()",
    "an array's size": "if c: x = np.ones((c, 2))\nreturn x.size, x.shape",
    "an array of another name": "a = np.ones(4)\nif c: x = a\nreturn x.size",
    "an array in an iteration": "for k in range(c): x = np.full(k, 2.0)\nreturn x.sum()",
    "a loop over an array": "if c: x = np.ones(c)\nt = 0.0\nfor v in x: t += v\nreturn t",
    "a view": "a = np.ones((4, 4)).T\nif c: x = a[1:3]\nreturn x.sum(), x.shape",
    "in a function inside": "if c: x = 2\ndef inner(): return x\nreturn inner()",
}


def made(body):
    names = {"np": np, "T": 5}
    text = "def f(c):\n" + "".join(f"    {line}\n" for line in body.splitlines())
    exec(compile(text, f"<{body}>", "exec"), names)
    linecache.cache[f"<{body}>"] = (len(text), None, text.splitlines(True), f"<{body}>")
    return names["f"]


# What Numba makes of these depends on the bytecode: from Python 3.12 on it reads another literal,
# or finds the name undefined. Ours is what it makes of them in Python 3.11.
OF_BYTECODE = {
    "two literals", "two literals in tuples", "in the else of a loop", "one of two names",
}  # fmt: skip


@pytest.mark.parametrize("name", AS_NUMBA)
def test_names_without_a_value_are_as_in_numba(name):
    numba = pytest.importorskip("numba")
    if name in OF_BYTECODE and sys.version_info >= (3, 12):
        pytest.skip("Numba's answer is another one in this version of Python")
    function = made(AS_NUMBA[name])
    ours, theirs = njit(function), numba.njit(function)
    for c in (0, 1, 2, 12):
        actual, expected = ours(c), theirs(c)
        assert (actual, type(actual)) == (expected, type(expected)), c


def test_a_list_without_a_value_is_empty():
    function = made("if c: x = [c, 2]\nx.append(4)\nreturn len(x), x[0]")
    assert [njit(function)(c) for c in (0, 7)] == [(1, 4), (3, 7)]


def test_the_same_in_kernels(device):
    @cuda.jit
    def kernel(o):
        i = cuda.grid(1)
        if i > 3:
            y = i + 10
        o[i] = y

    o = np.full(8, -1, np.int64)
    kernel[1, 8](o)
    assert o.tolist() == [0, 0, 0, 0, 14, 15, 16, 17]


def test_arrays_that_some_threads_do_not_assign(device):
    @cuda.jit
    def kernel(a, b, o):
        i = cuda.grid(1)
        if i > 3:
            row = a[i:]
        if i > 5:
            row = b
        o[i, 0] = row.size
        if i > 3:
            o[i, 1] = row[1]
        for k in range(i):
            if k > 3:
                last = a[k:]
        o[i, 2] = last.size

    a, b = np.arange(10), np.arange(100, 120)
    o = np.full((8, 3), -1)
    kernel[1, 8](a, b, o)
    assert o[:, 0].tolist() == [0, 0, 0, 0, 6, 5, 20, 20]
    assert o[:, 1].tolist() == [-1, -1, -1, -1, 5, 6, 101, 101]
    assert o[:, 2].tolist() == [0, 0, 0, 0, 0, 6, 5, 4]


def pruned_else(x):
    return x if T < 6 else 2.5


def computed_else(x):
    return x if T + 1 < 7 else 2.5


def converted_else(x):
    return x if np.int64(1) < 2 else np.uint64(3)


def known_local(x):
    n = 3
    return x if n < 4 else 2.5


def computed_statement(x):
    n = 3
    if n + 1 < 5:  # noqa: SIM108
        y = x
    else:
        y = 2.5
    return y


def computed_returns(x):
    if np.sqrt(4.0) < 3:
        return x
    else:  # noqa: RET505
        return 2.5


def untyped_else(x):
    return x if T + 1 < 7 else x.no_such_thing


def computed_size(x):
    size = 4 if T * 2 > 3 else 8
    return np.zeros(size).size + x


def computed_and(x):
    return (T + 1) and x


def or_true(x):
    return x if x > 5 or True else 2.5  # noqa: SIM222


def not_and_false(x):
    if not (x > 5 and False):  # noqa: SIM108, SIM223
        y = x
    else:
        y = 2.5
    return y


def or_computed(x):
    return x if x > 5 or T + 1 < 7 else 2.5


def converted_statement(x):
    if int(5) == 7:  # noqa: UP018, RUF046
        x = 2.5
    return x


def max_or_false(x):
    if max(2, 5) > 7 or False:
        x = 2.5
    return x


def least_of_floats(x):
    if min(1e-5, -2.0) > 7:
        x = 2.5
    return x


def item_of_a_name(x):
    t = (5, 6)
    if t[0] == 100:
        x = 2.5
    return x


def item_beside_a_value(x):
    if (2147483648, x)[0] < 7:
        x = 2.5
    return x


def item_of_constants(x):
    if (5, 6)[0] == 100:
        x = 2.5
    return x


def compared_comparison(x):
    if (5 == 100) == True:  # noqa: E712
        x = 2.5
    return x


def computed_while(x):
    n = 0
    p = int(5) < 3 and x > 0  # noqa: UP018, RUF046
    while n < 3 and p:
        n += 1
        x = 2.5
        if n > 7:
            break
    return x


def computed_while_alone(x):
    while int(5) < 3:  # noqa: UP018, RUF046
        x = 2.5
        if x > 7:
            continue
        x = 3.5
    return x


def chain_that_is_computed(x):
    p = (int(5) < 3 <= x) and x > 0  # noqa: UP018, RUF046
    n = 0
    while n < 3 and p:
        n += 1
        x = 2.5
    return x


def negated_comparison(x):
    p = not (3 < 2)
    if not p:
        x = 2.5
    return x


def unpacked_constants(x):
    q, p = 1, False
    if p:
        x = 2.5
    return x + q - q


def unpacked_expressions(x):
    q, p = x, False
    if p:
        x = 2.5
    return x + q - q


def pruned_while(x):
    while T < 3:
        x = 2.5
    return x


CONDITIONS = [
    (item_of_a_name, float),
    (item_beside_a_value, float),
    (item_of_constants, int),
    (compared_comparison, float),
    (computed_while, float),
    (computed_while_alone, float),
    (chain_that_is_computed, float),
    (negated_comparison, float),
    (unpacked_constants, float),
    (unpacked_expressions, int),
    (pruned_while, int),
    (converted_statement, float),
    (max_or_false, float),
    (least_of_floats, float),
    (or_true, int),
    (not_and_false, int),
    (or_computed, float),
    (pruned_else, int),
    (computed_else, float),
    (converted_else, float),
    (known_local, int),
    (computed_statement, float),
    (computed_returns, float),
    (untyped_else, int),
    (computed_size, int),
    (computed_and, int),
]


@pytest.mark.parametrize(("function", "kind"), CONDITIONS)
def test_conditions_that_are_computed_do_not_leave_types_out(function, kind):
    found = njit(function)(-3)
    assert (found, type(found)) == (function(-3), kind)
    if function is not untyped_else:
        numba = pytest.importorskip("numba")
        assert type(numba.njit(function)(-3)) is kind


def grows_beside_its_negation(a, b, n):
    while n > 0:
        n -= 1
        b = max(b + 100, ~a, 7)
        a = 100
    return b ^ 3


def test_integers_grow_before_they_become_floats():
    """In the first round ~a is a uint64, which beside an int64 would make a float64 of b."""
    arguments = (np.uint8(7), 2, 3)
    found = njit(grows_beside_its_negation)(*arguments)
    assert (found, type(found)) == (grows_beside_its_negation(7, 2, 3), int)


NUMBERS = (0.0, -0.0, 1.0, -2.5, np.inf, -np.inf, np.nan)


def test_min_and_max_take_nan_as_python_does():
    function = lambda x, y: (min(x, y), max(x, y), min(x, y, 0.5), max(y, 0.5, x), min(2, x))  # noqa: E731
    compiled = njit(function)
    for x in NUMBERS:
        for y in NUMBERS:
            assert str(compiled(x, y)) == str(tuple(map(float, function(x, y)))), (x, y)


def count(a, b, c):
    n = last = 0
    for i in range(a, b, c):
        n += 1
        last = i
        if n > 10:
            break
    return n, last


LARGE = 2**63 - 1


@pytest.mark.parametrize(
    "bounds",
    [
        (LARGE - 3, LARGE, 2),
        (LARGE - 3, LARGE, 1),
        (LARGE - 3, LARGE, LARGE),
        (-LARGE, LARGE, 2**62),
        (-LARGE - 1, LARGE, LARGE),
        (3 - LARGE, -LARGE - 1, -2),
        (LARGE, -LARGE - 1, -LARGE),
        (5, 5, 3),
        (5, 2, 3),
        (2, 5, -3),
        (0, 10, 3),
        (10, 0, -3),
        (-10, 10, 7),
    ],
)
def test_ranges_end_where_python_s_end(bounds):
    assert njit(count)(*bounds) == count(*bounds)


def test_ranges_of_narrow_and_unsigned_numbers():
    assert njit(count)(np.int32(2**31 - 4), np.int32(2**31 - 1), np.int32(2)) == (2, 2**31 - 2)
    assert njit(count)(np.uint64(2**64 - 4), np.uint64(2**64 - 1), np.uint64(2))[0] == 2


def test_a_step_of_zero_raises():
    with pytest.raises(ValueError, match="must not be zero"):
        njit(count)(0, 5, 0)
