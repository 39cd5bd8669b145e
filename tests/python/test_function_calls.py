"""How CPU functions are called, and what they call: defaults, recursion, ufuncs, indices."""

from __future__ import annotations

import math

import numpy as np
import pytest
from phalanx.compat.numba import vectorize
from phalanx.errors import TypingError

from phalanx import cuda, njit


def test_text_may_be_a_default():
    @njit
    def scaled(x, mode="double", by=None):
        if mode == "double":
            return 2 * x
        return x if by is None else x * by

    assert scaled(3) == 6
    assert scaled(3, "triple", 3) == 9


def test_calls_that_leave_the_last_arguments_to_defaults_are_not_bound_in_python(monkeypatch):
    @njit
    def product(x, y=3, z=None):
        return x * y

    @njit
    def with_keyword_only(x, *, y=3):
        return x * y

    from phalanx._functions.dispatcher import Function

    def refuse(self, args, named):
        raise AssertionError("bound in Python")

    assert product(2) == 6
    with monkeypatch.context() as patch:
        patch.setattr(Function, "_bind", refuse)
        assert [product(2), product(2, 5), product(2.5), product(2, 5, None)] == [6, 10, 7.5, 10]
        with pytest.raises(AssertionError):
            product(2, z=None)
        with pytest.raises(AssertionError):
            product()
    assert [with_keyword_only(2), with_keyword_only(2, y=4), product(2, z=None)] == [6, 8, 6]
    with pytest.raises(TypeError):
        product()


def test_defaults_that_are_numbers_and_arrays():
    table = np.arange(3.0)

    @njit
    def look(i, values=table, offset=1):
        return values[i] + offset

    assert [look(2), look(2, offset=5), look(0, np.full(2, 7.0)), look(0, np.full(2, 7.0), 0)] == [
        3, 7, 8, 7
    ]  # fmt: skip


@njit("int64(int64)")
def factorial(n):
    return 1 if n < 2 else n * factorial(n - 1)


def test_functions_with_a_signature_call_themselves():
    assert factorial(10) == math.factorial(10)

    @njit("int64(int64)")
    def inner(n):
        return 0 if n == 0 else 2 + inner(n - 1)

    assert inner(5) == 10

    @cuda.jit("int64(int64)", device=True)
    def device(n):
        return 0 if n == 0 else 3 + device(n - 1)

    @cuda.jit
    def kernel(out):
        out[0] = device(4)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 12


@vectorize(["float64(float64)", "float32(float32)"])
def positive_root(x):
    if x > 0:
        return math.sqrt(x)
    return 0.0


@vectorize
def larger(x, y):
    return x if x > y else y


def test_ufuncs_take_arrays_in_functions():
    @njit
    def roots(a):
        return positive_root(a) + positive_root(4.0)

    @njit
    def greatest(a, b):
        return larger(a, b).sum() + larger(a, 0.5)

    a = np.random.default_rng(0).random((3, 4)) - 0.3
    expected = np.sqrt(np.maximum(a, 0)) + 2
    np.testing.assert_allclose(roots(a), expected)
    np.testing.assert_allclose(roots(a.T), expected.T)
    assert roots(a.astype(np.float32)).dtype == np.float64  # 4.0 is a float64
    b = a[::-1].copy()
    np.testing.assert_allclose(greatest(a, b), np.maximum(a, b).sum() + np.maximum(a, 0.5))
    with pytest.raises(ValueError, match="broadcast"):
        greatest(a, b[:2])
    with pytest.raises(TypingError, match="no implementation"):
        greatest(a, b[0])


def test_ufuncs_accumulate(device):
    @cuda.vectorize(["int64(int64, int64)", "float64(float64, float64)"])
    def add(x, y):
        return x + y

    for a, axis in ((np.arange(12), 0), (np.arange(12.0).reshape(3, 4), 1), (np.zeros((0, 2)), 0)):
        np.testing.assert_array_equal(add.accumulate(a, axis), np.add.accumulate(a, axis))
    on_device = add.accumulate(cuda.to_device(np.arange(5)))
    np.testing.assert_array_equal(on_device.copy_to_host(), [0, 1, 3, 6, 10])


def test_one_array_in_an_index_of_several():
    @njit
    def read(a, at, mask):
        return a[mask, 0], a[:, at], a[1:, at], a[mask, 1:3], a[2, at]

    @njit
    def write(a, at, mask):
        a[mask, 0] = -1
        a[:, at] = a[:, at] * 10
        a[0, at] = 5
        return a

    a = np.arange(20.0).reshape(4, 5)
    at = np.array([3, 0, -1])
    mask = np.array([True, False, True, True])
    for one, other in zip(read(a, at, mask), read.py_func(a, at, mask), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(write(a.copy(), at, mask), write.py_func(a.copy(), at, mask))

    @njit
    def two(a, at):
        return a[at, at]

    with pytest.raises(TypingError, match="only one array of positions"):
        two(a, np.array([0, 1]))


def test_bytes_are_an_array_and_not_compared_with_a_literal():
    with pytest.raises(TypingError, match="=="):
        njit(lambda a: a == b"abc")(b"abc")
