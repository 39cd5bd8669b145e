"""The result that a signature of a CPU function declares: converted to, or refused."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx.errors import CompileError

from phalanx import njit, types

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float32", "float64"]
COMPLEX = ["complex64", "complex128"]


@pytest.mark.parametrize("declared", ["bool", *INTEGERS, *FLOATS, *COMPLEX])
@pytest.mark.parametrize(
    "given, value", [("int64", 200), ("uint8", 255), ("float64", 7.7), ("float32", -3.5)]
)
def test_numbers_are_converted(declared, given, value):
    if given.startswith("float") and (value < 0 or value > 127):
        declared = declared.removeprefix("u")  # a negative float has no place in the others
    f = njit(f"{declared}({given})")(lambda a: a + a)
    twice = np.dtype(given).type(value).astype("f8" if "f" in given else "i8") * 2
    expected = np.float64(twice).astype(declared) if "f" in given else twice.astype(declared)
    result = f(value)
    assert np.allclose(result, expected)
    assert type(result) is type(expected.item())
    assert str(f.nopython_signatures[0].return_type) == declared


def test_what_users_met():
    assert njit("int32(float64)")(lambda a: a * 2)(3.7) == 7
    assert njit("uint8(int64)")(lambda a: a + 1)(255) == 0
    result = njit("float64(int64)")(lambda a: a + 1)(255)
    assert (result, type(result)) == (256.0, float)
    assert njit("float32(float64)")(lambda a: a)(0.1) == np.float32(0.1)
    assert njit([types.int32(types.float64)])(lambda a: a)(3.7) == 3


def test_of_several_signatures_each_has_its_own():
    f = njit(["int32(int32)", "float64(int64)"])(lambda a: a + 1)
    assert type(f(np.int32(1))) is int
    assert type(f(1)) is float


def test_a_known_result_is_converted_too():
    result = njit("float64()")(lambda: 3)()
    assert (result, type(result)) == (3.0, float)


def test_compile_by_hand():
    f = njit(lambda a: a + 1)
    f.compile("float64(int64)")
    assert type(f(1)) is float


def test_arrays_and_tuples():
    f = njit("float64[:](float64[::1])")(lambda a: a)
    given = np.arange(3.0)
    assert np.shares_memory(f(given), given)
    pair = njit(types.Tuple((types.int32, types.float64))(types.float64, types.int64))(
        lambda a, b: (a, b)
    )
    assert pair(1.9, 2) == (1, 2.0)


def test_none():
    @njit("void(float64[:])")
    def fill(a):
        a[0] = 7

    a = np.zeros(1)
    assert fill(a) is None
    assert a[0] == 7


@pytest.mark.parametrize(
    "signature, function",
    [
        ("void(float64[:])", lambda a: a.sum()),
        ("float64(float64[:])", lambda a: None),
        ("float64(float64[:])", lambda a: a),
        ("float32[:](float64[:])", lambda a: a),
        ("float64[::1](float64[:])", lambda a: a),
        ("float64(complex128)", lambda a: a),
    ],
)
def test_what_does_not_convert_is_refused(signature, function):
    with pytest.raises(CompileError, match="the signature declares the result"):
        njit(signature)(function)
