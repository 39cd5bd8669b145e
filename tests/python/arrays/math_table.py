"""What the tests by table share: sample arrays, calls of both libraries, and when they agree."""

from __future__ import annotations

import warnings

import numpy as np

import phalanx as px

DTYPES = [
    *("bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"),
    *("float16", "float32", "float64", "complex64", "complex128"),
]
TOLERANCES = {"e": 2e-3, "f": 4e-6, "d": 1e-12, "F": 4e-5, "D": 1e-11}


def sample(dtype, shape=(24,), is_special=True):
    """Small values of both signs, with NaN, infinities and -0.0 among floats."""
    dtype = np.dtype(dtype)
    size = int(np.prod(shape))
    values = np.arange(size) % 7 - (0 if dtype.kind in "ub" else 3)
    if dtype.kind == "b":
        return (values % 3 == 0).reshape(shape)
    made = values.astype(dtype)
    if dtype.kind in "fc":
        made = made * dtype.type(0.37)
        if dtype.kind == "c":
            made = made + made[::-1] * dtype.type(0.5j)
        if is_special:
            special = np.array([np.nan, np.inf, -np.inf, -0.0]).astype(dtype)
            places = made[::5]
            places[...] = special[np.arange(len(places)) % 4]
    return made.astype(dtype).reshape(shape)


def layouts(array):
    """The array's values in different memory, with the layout's name."""
    wide = np.zeros(tuple(2 * n for n in array.shape), array.dtype)
    every_other = (slice(None, None, 2),) * array.ndim
    wide[every_other] = array
    backwards = (slice(None, None, -1),) * array.ndim
    return {
        "C": np.array(array, order="C"),
        "F": np.array(array, order="F"),
        "transposed": np.ascontiguousarray(array.T).T,
        "strided": wide[every_other],
        "reversed": np.ascontiguousarray(array[backwards])[backwards],
    }


def ours(value):
    """The value with our arrays, of the same layout but other memory, in the place of NumPy's."""
    if isinstance(value, np.ndarray):
        base = value if value.base is None else value.base
        if isinstance(base, np.ndarray) and base.dtype == value.dtype and value.size:
            copied = base.copy(order="K")
            offset = value.__array_interface__["data"][0] - base.__array_interface__["data"][0]
            same = np.ndarray(value.shape, value.dtype, copied.data, offset, value.strides)
            return px.asarray(same) if copied.flags.c_contiguous else px.asarray(value.copy())
        return px.asarray(value.copy())
    if isinstance(value, (list, tuple)) and not hasattr(value, "_fields"):
        return type(value)(map(ours, value))
    return value


def outcome(call):
    """The result of a call, or its error."""
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        try:
            return call(), None
        except Exception as error:
            return None, error


def agree(actual, expected, is_exact=False, what=""):
    """Asserts that both are the same values, shapes and dtypes, up to rounding."""
    if isinstance(expected, (list, tuple)):
        assert len(actual) == len(expected), what
        for one, other in zip(actual, expected, strict=True):
            agree(one, other, is_exact, what)
        return
    if not isinstance(expected, (np.ndarray, np.generic)):
        host = np.asarray(actual)
        assert host.shape == () and host[()] == expected, (what, actual, expected)
        return
    expected = np.asarray(expected)
    assert isinstance(actual, px.ndarray), (what, type(actual))
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype), (
        what, actual.shape, actual.dtype, expected.shape, expected.dtype)  # fmt: skip
    host = np.array(actual)
    if is_exact or expected.dtype.kind not in "fc":
        same = np.array_equal(host, expected, equal_nan=expected.dtype.kind in "fc")
        assert same, (what, host, expected)
        return
    tolerance = TOLERANCES[expected.dtype.char]
    parts = [(host, expected)]
    if expected.dtype.kind == "c":
        parts = [(host.real, expected.real), (host.imag, expected.imag)]
    # Parts of a complex number are as exact as its size.
    size = np.abs(expected).astype("f8")
    size = np.where(np.isfinite(size), size, 0)
    least = tolerance * (size if expected.dtype.kind == "c" else 1e-3)
    for one, other in parts:
        with np.errstate(all="ignore"):
            is_near = np.isclose(one.astype("f8"), other.astype("f8"), tolerance, least, True)
        assert is_near.all(), (what, host[~is_near], expected[~is_near])
    if expected.dtype.kind == "f":
        differs = np.signbit(host) != np.signbit(expected)
        assert not (differs & (expected == 0)).any(), (what, "signs of zeros", host, expected)


def check(name, *args, is_exact=False, **kwargs):
    """The function of both libraries does the same: `name` of the module, or of arrays (.name)."""
    what = (name, args, kwargs)
    given = [ours(each) for each in args]
    named = {key: ours(value) for key, value in kwargs.items()}
    if name.startswith("."):
        expected, problem = outcome(lambda: getattr(args[0], name[1:])(*args[1:], **kwargs))
        actual, error = outcome(lambda: getattr(given[0], name[1:])(*given[1:], **named))
    else:
        expected, problem = outcome(lambda: getattr(np, name)(*args, **kwargs))
        actual, error = outcome(lambda: getattr(px, name)(*given, **named))
    same_error(error, problem, what)
    if problem is None:
        agree(actual, expected, is_exact, what)


def same_error(error, problem, what):
    """Asserts that both are None, or errors of one class."""
    if problem is None:
        if error is not None:
            raise AssertionError(what) from error
        return
    assert error is not None, (what, problem)
    kinds = (TypeError, ValueError, IndexError, OverflowError, ZeroDivisionError)
    same = [isinstance(error, kind) == isinstance(problem, kind) for kind in kinds]
    assert all(same), (what, repr(error), repr(problem))
