"""Overloads: functions, methods and attributes for kernels, written in Python."""

import numpy as np
import pytest
from phalanx.extending import (
    overload,
    overload_attribute,
    overload_method,
    register_jitable,
)

from phalanx import cuda, errors, types


def plain(x, y=2):
    raise NotImplementedError


@overload(plain)
def plain_of_numbers(x, y=2):
    if not isinstance(x, types.Number):
        return None
    if isinstance(x, types.Float):

        def of_floats(x, y=2):
            return x / y

        return of_floats

    def of_integers(x, y=2):
        return x * y

    return of_integers


@overload(plain)
def plain_of_arrays(x, y=2):
    if isinstance(x, types.Array):

        def of_arrays(x, y=2):
            return plain(x[0], y=y)

        return of_arrays
    return None


@overload_attribute(types.Array, "middle")
def middle(array):
    if array.ndim == 1:
        return lambda array: array[array.shape[0] // 2]
    return None


@overload_method(types.Array, "dot_with")
def dot_with(array, other, scale=1):
    def implementation(array, other, scale=1):
        total = array.dtype(0)
        for i in range(array.size):
            total += array[i] * other[i]
        return total * scale

    return implementation


@overload_method(types.Integer, "is_odd")
def is_odd(number):
    return lambda number: number % 2 == 1


@register_jitable
def twice(x):
    return plain(x) * 2


def test_an_overload_is_chosen_by_the_types(device):
    @cuda.jit
    def kernel(out, a):
        out[0] = plain(3)
        out[1] = plain(3.0)
        out[2] = plain(a, y=5)
        out[3] = twice(10)

    out = np.zeros(4)
    kernel[1, 1](out, np.array([7]))
    assert out.tolist() == [6, 1.5, 35, 40]


def test_attributes_and_methods(device):
    @cuda.jit
    def kernel(out, a, b, n):
        out[0] = a.middle
        out[1] = a.dot_with(b)
        out[2] = a.dot_with(b, scale=10)
        out[3] = n.is_odd()

    out = np.zeros(4)
    a = np.array([1.0, 2.0, 3.0])
    kernel[1, 1](out, a, a, 7)
    assert out.tolist() == [2, 14, 140, 1]


def test_an_array_without_the_attribute_says_so(device):
    @cuda.jit
    def kernel(a):
        a[0, 0] = a.middle

    with pytest.raises(errors.TypingError, match="Unknown attribute 'middle'"):
        kernel[1, 1](np.zeros((2, 2)))


def test_arguments_that_no_overload_takes_are_named(device):
    @cuda.jit
    def kernel(out):
        out[0] = plain("text")

    with pytest.raises(errors.TypingError, match=r"plain.*'text'|'text'.*plain") as caught:
        kernel[1, 1](np.zeros(1))
    assert "out[0] = plain" in str(caught.value)


def test_an_overload_refuses_with_its_own_words(device):
    def picky(x):
        raise NotImplementedError

    @overload(picky)
    def make(x):
        raise errors.TypingError(f"picky takes no {x}")

    @cuda.jit
    def kernel(out):
        out[0] = picky(1.5)

    with pytest.raises(errors.TypingError, match="picky takes no float64") as caught:
        kernel[1, 1](np.zeros(1))
    assert "out[0] = picky(1.5)" in str(caught.value)


def test_literals_are_preferred_where_asked_for(device):
    def power(x, n):
        raise NotImplementedError

    @overload(power, prefer_literal=True)
    def make(x, n):
        if not hasattr(n, "literal_value"):
            return lambda x, n: -1.0
        exponent = n.literal_value

        def implementation(x, n):
            result = 1.0
            for _ in range(exponent):
                result *= x
            return result

        return implementation

    @cuda.jit
    def kernel(out, n):
        out[0] = power(3.0, 4)
        out[1] = power(3.0, n)

    out = np.zeros(2)
    kernel[1, 1](out, 4)
    assert out.tolist() == [81, -1]


def test_overloads_for_kernels_go_before_generic_ones(device):
    def where():
        raise NotImplementedError

    overload(where, target="cuda")(lambda: lambda: 1)
    overload(where)(lambda: lambda: 2)
    overload(where, target="cpu")(lambda: lambda: 3)

    @cuda.jit
    def kernel(out):
        out[0] = where()

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 1


def test_a_changed_overload_is_not_taken_from_the_cache(run_python, tmp_path):
    code = """
import numpy as np
from phalanx import cuda
from phalanx.extending import overload

def value(): raise NotImplementedError

@overload(value)
def make():
    return lambda: NUMBER

@cuda.jit
def kernel(out):
    out[0] = value()

out = np.zeros(1)
kernel[1, 1](out)
print(out[0])
"""
    first = run_python(code.replace("NUMBER", "1"), PHALANX_DEVICE="cpu")
    second = run_python(code.replace("NUMBER", "2"), PHALANX_DEVICE="cpu")
    assert (first.stdout, second.stdout) == ("1.0\n", "2.0\n")


def test_wrong_registrations(device):
    with pytest.raises(ValueError, match="there is no target 'tpu'"):
        overload(len, target="tpu")
    with pytest.raises(TypeError, match="unhashable"):
        overload([])(lambda: None)


def chosen_for_itself(x):
    return x + 42


@overload(chosen_for_itself)
def itself(x):
    return chosen_for_itself


def test_an_overload_may_choose_the_function_that_it_overloads(device):
    @cuda.jit
    def kernel(out):
        out[0] = chosen_for_itself(1)

    out = np.zeros(1, np.int64)
    kernel[1, 1](out)
    assert out[0] == 43


def own_tile(value):
    raise NotImplementedError


@overload(own_tile, inline="always", target="cuda")
def own_tile_of_numbers(value):
    def implementation(value):
        tile = cuda.shared.array(1, np.int64)
        tile[0] = value
        return tile

    return implementation


def test_each_call_of_an_inlined_function_has_its_own_shared_memory():
    @cuda.jit
    def kernel(out):
        first = own_tile(1)
        second = own_tile(2)
        out[0] = first[0]
        out[1] = second[0]

    out = np.zeros(2, np.int64)
    kernel[1, 1](out)
    assert out.tolist() == [1, 2]
