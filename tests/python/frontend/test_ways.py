"""What names and results are where ways of control meet, compared with Numba."""

from __future__ import annotations

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
    (parts_of_one_branch, (False, 5.5), (0.0, 0.0, 0)),
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


CONDITIONS = [
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
