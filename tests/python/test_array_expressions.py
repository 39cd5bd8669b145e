"""Whole arrays in CPU functions: operators, ufuncs, broadcasting, reductions along an axis."""

import math

import numpy as np
import pytest
from from_text import function_with

from phalanx import njit

numba = pytest.importorskip("numba")


def _made(body, decorate, parameters):
    return decorate(function_with(body, parameters, np=np, math=math))


def _plain(function):
    return function


def _check(body, parameters, *arguments, rtol=1e-12):
    expected = _made(body, _plain, parameters)(*[_copy(each) for each in arguments])
    actual = _made(body, njit, parameters)(*[_copy(each) for each in arguments])
    np.testing.assert_allclose(actual, expected, rtol=rtol)
    return actual


def _copy(value):
    return value.copy() if isinstance(value, np.ndarray) else value


A = np.random.default_rng(0).random((5, 7)) + 0.5
B = np.random.default_rng(1).random((5, 7)) + 0.5
ROW = np.random.default_rng(2).random(7) + 0.5
COLUMN = np.random.default_rng(3).random((5, 1)) + 0.5
INTEGERS = np.arange(1, 36).reshape(5, 7)

EXPRESSIONS = [
    "a + b", "a - 2 * b", "a / b", "a // b", "a % b", "a ** 2", "-a", "+a", "a * b + np.sin(a)",
    "np.sqrt(a) * np.exp(-b) / (1 + a)", "np.maximum(a, b) - np.minimum(a, 0.7)", "a < b",
    "(a > 0.7) & (b <= 1.0)", "np.where(a > b, a, b)", "np.where(a > 1, 1.0, 0.0)", "abs(a - b)",
    "np.abs(a - b)", "np.floor(a * 3)", "np.hypot(a, b)", "1.0 / a", "2 ** a",
]  # fmt: skip


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expressions_equal_numpy(expression):
    _check(f"return {expression}", "a, b", A, B)
    _check(f"return {expression}", "a, b", A.T, B.T)
    _check(f"return {expression}", "a, b", A[::2, ::-1], B[::2, ::-1])


INTEGER_EXPRESSIONS = ["i + 1", "i // 2", "i % 3", "i & 6", "i << 1", "~i", "i / 2"]


@pytest.mark.parametrize("expression", INTEGER_EXPRESSIONS)
def test_integer_expressions_equal_numpy(expression):
    actual = _check(f"return {expression}", "i", INTEGERS)
    assert actual.dtype == _made(f"return {expression}", _plain, "i")(INTEGERS).dtype


@pytest.mark.parametrize("dtype", ["float32", "int32", "complex64"])
def test_types_are_numbas(dtype):
    a = A.astype(dtype)
    for expression in ("a + a", "a * 2", "a * 2.0", "a + np.float32(1)"):
        ours = _made(f"return {expression}", njit, "a")(a)
        theirs = _made(f"return {expression}", numba.njit, "a")(a)
        assert ours.dtype == theirs.dtype, expression
        np.testing.assert_allclose(ours, theirs, rtol=1e-6)


@pytest.mark.parametrize("operands", [(A, ROW), (A, COLUMN), (ROW, COLUMN), (A, A[:1]), (A, 2.5)])
def test_broadcasting(operands):
    _check("return a * b + 1", "a, b", *operands)
    _check("return b - a", "a, b", *operands)


def test_shapes_that_do_not_fit_raise():
    with pytest.raises(ValueError, match="broadcast"):
        _made("return a + b", njit, "a, b")(np.ones(3), np.ones(4))
    with pytest.raises(ValueError, match="different size"):
        _made("a[:] = b", njit, "a, b")(np.ones(3), np.ones(4))


ASSIGNMENTS = [
    "a[:] = b * 2", "a[1:] = b[1:] + b[:-1]", "a[1:] = a[:-1] * 2", "a[:-1] = a[1:] + 1",
    "a += b", "a *= 2", "a -= a", "a[::2] += b[::2]", "a[1:] += a[:-1]", "a[:, 1] = 3",
    "a[...] = np.sqrt(b)", "a[2] = b[1]", "np.add(a, b, a)", "np.sin(b, out=a)", "a[:] = b[0]",
    "a[::-1] = a", "a[:] = a[::-1] + b",
]  # fmt: skip


@pytest.mark.parametrize("assignment", ASSIGNMENTS)
def test_assignments_equal_numpy(assignment):
    _check(f"{assignment}\nreturn a", "a, b", A, B)


REDUCTIONS = ["sum", "prod", "mean", "min", "max", "argmin", "argmax"]


@pytest.mark.parametrize("name", REDUCTIONS)
@pytest.mark.parametrize("axis", [0, 1, -1])
def test_reductions_along_an_axis(name, axis):
    for array in (A, A.T, A[::2, ::-1], INTEGERS):
        _check(f"return np.{name}(a, axis={axis})", "a", array)
        _check(f"return a.{name}({axis})", "a", array)
    _check(f"return np.{name}(a, axis=0)", "a", ROW)
    cube = np.random.default_rng(4).random((3, 4, 5))
    for each in (0, 1, 2):
        _check(f"return np.{name}(a, axis={each})", "a", cube)


def test_reductions_of_expressions_make_no_array():
    _check("return np.sum(a * b), (a - b).mean(), np.max(a * a), np.any(a > 2)", "a, b", A, B)
    _check("return np.sum(a * b)", "a, b", A, ROW)


def test_values_are_those_when_the_expression_stood():
    body = "c = a + 1\na[:] = 0\nreturn c"
    _check(body, "a", A)


@njit
def _spoil(a):
    a[:] = -1.0
    return a


def test_operands_are_computed_before_later_calls():
    @njit
    def mixed(a):
        return a * 2 + _spoil(a)

    np.testing.assert_array_equal(mixed(np.ones(3)), np.ones(3))


def test_loops_carry_arrays():
    body = "x = a\nfor i in range(4):\n    x = x * b + i\nreturn x"
    _check(body, "a, b", A, B)


def test_expressions_of_many_arrays():
    body = "return (a - a.mean()) / a.std() + np.where(b > 1, b, -b).sum()"
    _check(body, "a, b", A, B)


def test_empty_arrays():
    _check("return a + 1", "a", np.zeros((0, 3)))
    _check("return a.sum()", "a", np.zeros(0))


def test_views_keep_their_meaning():
    for body in ("return a.flatten()", "return a.T.ravel()", "return (a.T + 1).reshape(35)"):
        _check(body, "a", A)
