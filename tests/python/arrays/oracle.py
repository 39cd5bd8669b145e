"""NumPy as the oracle: the same call of both libraries, and the same result or the same error."""

from __future__ import annotations

import numpy as np

import phalanx as px


def layouts(array):
    """The array's values in different memory: C, F, transposed, strided, reversed."""
    yield "C", np.ascontiguousarray(array).reshape(array.shape)
    yield "F", np.asfortranarray(array).reshape(array.shape)
    yield "transposed", np.ascontiguousarray(array.T).T
    wide = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
    wide[(slice(None, None, 2),) * array.ndim] = array
    yield "strided", np.asarray(wide[(slice(None, None, 2),) * array.ndim])
    flipped = np.ascontiguousarray(array[(slice(None, None, -1),) * array.ndim])
    yield "reversed", np.asarray(flipped[(slice(None, None, -1),) * array.ndim])


def sample(dtype, shape):
    """Values of a dtype, the special ones among them."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape))
    values = np.arange(size) % 7 - (0 if dtype.kind in "ub" else 3)
    if dtype.kind == "b":
        return (values % 2 == 0).reshape(shape)
    made = values.astype(dtype)
    if dtype.kind in "fc":
        special = np.array([np.nan, np.inf, -np.inf, -0.0]).astype(dtype)
        made[::5] = special[np.arange(len(made[::5])) % 4]
    return made.reshape(shape)


def ours(value):
    """The value with arrays of ours, which share no memory with NumPy's, in place of NumPy's."""
    if isinstance(value, np.ndarray):
        return px.array(value)
    if isinstance(value, (list, tuple)):
        return type(value)(map(ours, value))
    return value


def check_same(actual, expected):
    """Both are the same values, shapes and dtypes."""
    if isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected)
        for one, other in zip(actual, expected, strict=True):
            check_same(one, other)
        return
    if isinstance(expected, (np.ndarray, np.generic)):
        assert isinstance(actual, px.ndarray), type(actual)
        assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
        host = np.array(actual)
        assert np.array_equal(host, expected, equal_nan=expected.dtype.kind in "fc")
        if expected.dtype.kind == "f":
            assert np.array_equal(np.signbit(host), np.signbit(expected))
        return
    assert actual == expected


def outcome(call):
    """The result of a call, or its error."""
    try:
        return call(), None
    except Exception as error:
        return None, error


def check_call(name, *args, **kwargs):
    """The function of both libraries does the same with the arguments, NumPy's arrays."""
    expected, problem = outcome(lambda: getattr(np, name)(*args, **kwargs))
    named = {key: ours(value) for key, value in kwargs.items()}
    given = [ours(each) for each in args]
    actual, error = outcome(lambda: getattr(px, name)(*given, **named))
    check_error(error, problem)
    if problem is None:
        check_same(actual, expected)


def check_error(error, problem):
    """Neither failed, or both with an error of one class."""
    if problem is None:
        if error is not None:
            raise error
        return
    assert error is not None, f"NumPy raises {problem!r}"
    kinds = (IndexError, TypeError, OverflowError, ZeroDivisionError, ValueError)
    kind = next(each for each in kinds if isinstance(problem, each))
    assert isinstance(error, kind), (error, problem)
