"""Small numbers, tuples and arguments in CPU functions, against NumPy and Python themselves."""

from __future__ import annotations

import numpy as np
import pytest
from phalanx.errors import CompileError, KernelError

import phalanx
from phalanx import cuda, njit, types

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
NUMBERS = [*INTEGERS, "float32", "float64", "complex64", "complex128"]
BUILTIN = {"bool": bool, "int": int, "float": float, "complex": complex}
GLOBAL_KIND = float


def extremes(dtype):
    limits = np.iinfo(dtype)
    return [np.dtype(dtype).type(each) for each in (limits.min, limits.max, 1)]


@pytest.mark.parametrize("dtype", INTEGERS)
def test_negation_wraps_around_at_the_width(dtype):
    negative = njit(lambda x: (-x, -x > 0))
    vector = phalanx.vectorize(lambda x: -x)
    for value in extremes(dtype):
        with np.errstate(over="ignore"):
            expected = -value
        assert negative(value) == (expected, expected > 0)
        assert vector(np.array([value]))[0] == expected


@pytest.mark.parametrize("dtype", INTEGERS)
def test_absolute_and_inverted(dtype):
    both = njit(lambda x: (abs(x), ~x))
    for value in extremes(dtype):
        with np.errstate(over="ignore"):
            assert both(value) == (abs(value), ~value)


@pytest.mark.parametrize("kind", BUILTIN.values())
@pytest.mark.parametrize("dtype", NUMBERS)
def test_isinstance_is_exact(kind, dtype):
    value = np.dtype(dtype).type(1)
    # A NumPy int64 is an int to compiled code, as it is to Numba.
    expected = isinstance(value.item() if dtype == "int64" else value, kind)
    expected = expected if (dtype, kind) != ("complex64", complex) else False
    assert njit(lambda x: isinstance(x, kind))(value) == expected


def test_isinstance_of_python_numbers():
    for value in (True, 1, 1.0, 1j):
        for kind in BUILTIN.values():
            assert njit(lambda x: isinstance(x, kind))(value) == (type(value) is kind)  # noqa: B023


@pytest.mark.parametrize("value", [2.0, 3, np.float32(2.5)])
def test_complex_of_an_imaginary_part(value):
    assert njit(lambda y: complex(imag=y))(value) == complex(imag=float(value))


@pytest.mark.parametrize("kind", BUILTIN.values(), ids=BUILTIN)
@pytest.mark.parametrize(
    "make",
    [
        lambda a, b, kind: np.array([a, b], dtype=kind),
        lambda a, b, kind: np.array((a, b), kind),
        lambda a, b, kind: np.asarray((a, b), dtype=kind),
        lambda a, b, kind: np.array([[a, b], [b, a]], dtype=kind),
        lambda a, b, kind: np.array(a, dtype=kind),
        lambda a, b, kind: np.array(np.array([a, b]), kind),
        lambda a, b, kind: np.asarray(np.array([a, b]), dtype=kind),
    ],
)
def test_builtin_classes_are_dtypes(make, kind):
    @njit
    def made(a, b):
        return inner(a, b, kind)

    inner = njit(make)
    for a, b in ((1, 0), (1.5, 0.0)):
        expected = make(a, b, kind)
        result = made(a, b)
        assert result.dtype == expected.dtype
        assert np.array_equal(result, expected)


def test_builtin_classes_by_name_and_by_a_global():
    by_name = njit(lambda: (np.array([1, 2], dtype=float), np.array([0, 2], dtype=bool)))
    first, second = by_name()
    assert (first.dtype, second.dtype) == (np.float64, np.bool_)
    assert njit(lambda: np.array([1, 2], GLOBAL_KIND))().dtype == np.float64


def test_keyword_only_parameters_of_inner_functions():
    def outer(n):
        def g(x, *z, k=3):
            return x + k * 100 + len(z) * 1000

        return g(1, 2, n), g(1, 2, 3, n, k=0), g(n), g(n, k=1)

    assert njit(outer)(4) == outer(4)

    def too_many(n):
        def g(x, *, k=3):
            return x + k

        return g(n, 1)

    with pytest.raises(CompileError, match="takes 1 positional arguments, and got 2"):
        njit(too_many)(1)


@pytest.mark.parametrize("index", [-4, -3, -1, 0, 2, 3, 5, -(2**62), 2**62])
@pytest.mark.parametrize("options", [{}, {"boundscheck": True}])
def test_an_index_of_a_tuple(index, options):
    f = njit(**options)(lambda t, i: t[i])
    if -3 <= index < 3:
        assert f((1, 2, 3), index) == (1, 2, 3)[index]
    else:
        with pytest.raises(IndexError, match="tuple index out of range"):
            f((1, 2, 3), index)


def test_an_index_of_a_tuple_in_a_kernel(device):
    @cuda.jit(debug=True, opt=False)
    def kernel(out, i):
        out[0] = (1, 2, 3)[i]

    out = np.zeros(1)
    kernel[1, 1](out, 1)
    assert out[0] == 2
    with pytest.raises(IndexError, match="tuple index out of range"):
        kernel[1, 1](out, 5)
        cuda.synchronize()


@pytest.mark.parametrize("arguments", [(), (None,), (1.0,), (4.0,), (None, -1), (7.0, 1)])
def test_unwrap_by_position(arguments):
    p = np.random.default_rng(1).uniform(-9, 9, (3, 8))

    def unwrapped(p):
        return np.unwrap(p, *arguments)

    assert np.allclose(njit(unwrapped)(p), np.unwrap(p, *arguments))


def test_unwrap_with_a_period():
    p = np.array([0.0, 3.0, 1.0, 6.0, 2.0])
    assert np.allclose(njit(lambda p: np.unwrap(p, period=4.0))(p), np.unwrap(p, period=4.0))


def add(a, b):
    a += b


def divide(a, b):
    a /= b


def subtract(a, b):
    a[:] -= b


def combine(a, b):
    a &= b


IN_PLACE = ["bool", "int8", "int64", "uint8", "uint64", "float32", "float64", "complex64"]


@pytest.mark.parametrize("function", [add, divide, combine])
@pytest.mark.parametrize("dtype", IN_PLACE)
def test_in_place_takes_what_numpy_takes(function, dtype):
    operands = [2, 0.5, 1j, *(np.ones(3, each) for each in IN_PLACE)]
    for operand in operands:
        expected, result = np.ones(3, dtype), np.ones(3, dtype)
        try:
            function(expected, operand)
        except TypeError:
            with pytest.raises(CompileError):
                njit(function)(result, operand)
        else:
            njit(function)(result, operand)
            assert np.array_equal(result, expected)


def test_in_place_into_a_part_names_what_to_do():
    with pytest.raises(CompileError, match="Make a new array"):
        njit(subtract)(np.ones(3, np.int64), 0.5)


def test_positions_in_a_list_are_taken():
    a = np.arange(5.0)
    assert njit(lambda a: np.take(a, [0, 2]))(a).tolist() == [0, 2]
    assert njit(lambda a: np.take(a, (4, -1)))(a).tolist() == [4, 4]


@pytest.mark.parametrize(
    "function, text",
    [
        (lambda a: np.sort(a), "sorting takes real numbers"),
        (lambda a: np.argsort(a), "sorting takes real numbers"),
        (lambda a: a.sort(), "sorting takes real numbers"),
        (lambda a: np.ldexp(a, 2), "ldexp takes two numbers"),
    ],
)
def test_what_library_functions_take_is_said(function, text):
    with pytest.raises(CompileError, match=text):
        njit(function)(np.ones(3, np.complex128))


def test_a_part_of_a_list_is_set_to_nothing():
    @njit
    def shortened(n):
        numbers = [1, 2, 3, n]
        numbers[1:3] = []
        return numbers

    assert shortened(4) == [1, 4]


def test_what_cannot_be_compiled_is_named():
    with pytest.raises(TypeError, match="only functions written in Python are compiled"):
        njit(len)
    with pytest.raises(TypeError, match="cannot be used in compiled code"):
        njit(lambda a: a)(np.array([None]))


BODY = np.dtype([("x", np.float32), ("y", np.int32)])


def test_the_type_of_a_dtype_in_a_kernel(device):
    @cuda.jit
    def kernel(out):
        bodies = cuda.shared.array(4, types.from_dtype(BODY))
        bodies[0].x = 1.5
        bodies[0].y = 3
        out[0] = bodies[0].x + bodies[0].y

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 4.5


def test_a_fault_has_the_index_as_it_is_written(device):
    @cuda.jit(check=True)
    def kernel(out, i):
        out[i] = 1

    for index in (-4, 3):
        with pytest.raises(KernelError) as caught:
            kernel[1, 1](np.zeros(3), index)
            cuda.synchronize()
        assert caught.value.faults[0].index == (index,)


def test_times_have_an_order():
    times = np.array(["2020-01-02", "2020-01-01"], "M8[D]")
    assert njit(lambda a: np.argsort(a))(times).tolist() == [1, 0]
