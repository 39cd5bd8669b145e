"""Constant expressions mean what they mean in Python, whatever their parts would wrap to."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import cuda, errors, njit

EXPRESSIONS = (
    "10**-3",
    "10**-6 * 3",
    "2**-1",
    "2**64 - 1",
    "(1 << 64) - 1",
    "10**19",
    "-9223372036854775808",
    "-2**63",
    "3**41 // 3**20",
    "2**100 % 1000",
    "(2**70 + 5) >> 65",
    "2**65 & 0xff | 2**64 - 2**63",
    "~(2**63) + 2**63",
    "2**200 / 2**199",
    "7 // -2, -7 % 3, 7.5 // 2, -7.5 % 2",
    "0.1 + 0.2, 1e308 * 10, 5 / 2",
    "2**0.5",
    "(-8)**(1 / 3)",
    "True + 1",
    "1 - 1j",
    "-0.0, 0 * -1.0",
    "(2**70, 3)[0] >> 60, (7, 2**63)[True] - 2, (1, 2.5)[-1]",
)


def made(expression, parameters="", kind="def"):
    names = {"cuda": cuda, "np": np}
    if kind == "def":
        return eval(f"lambda {parameters}: ({expression})", names)
    exec(f"def f({parameters}):\n    {expression}", names)
    return names["f"]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_constants_are_python_s(expression):
    function = made(expression)
    wanted, found = function(), njit(function)()
    assert repr(found) == repr(wanted)


def test_constants_in_kernels(device):
    kernel = cuda.jit(made("o[0] = 10**-2; u[0] = 2**64 - 1", "o, u", "statements"))
    o, u = np.ones(1), np.zeros(1, np.uint64)
    kernel[1, 1](o, u)
    assert (o[0], u[0]) == (0.01, 2**64 - 1)


@pytest.mark.parametrize(
    "expression",
    ["2**64", "10**30", "-2**63 - 1", "x + 2**70", "1 << 100000", "3**(10**9)", "9**9**9"],
)
def test_what_fits_no_type_is_an_error_that_names_the_fix(expression):
    with pytest.raises(errors.TypingError, match=r"(?s)fits no type.*Write a float"):
        njit(made(expression, "x"))(1)


def test_what_python_cannot_compute_is_left_to_the_run():
    with pytest.raises(ZeroDivisionError):
        njit(made("1 // 0"))()


def test_names_that_hold_numbers_have_numba_s_types():
    n = 2
    assert njit(lambda: n**64 - 1)() == -1


def test_zero_to_a_negative_power():
    power = njit(lambda x, n: x**n)
    assert [power(2, -1), power(2, 3), power(-1, -3), power(0, 0)] == [0, 8, -1, 1]
    for compiled, arguments in ((power, (0, -1)), (njit(lambda x: x**-1), (0,))):
        with pytest.raises(ZeroDivisionError, match="0 cannot be raised to a negative power"):
            compiled(*arguments)
