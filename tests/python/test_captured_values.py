"""What kernels see from outside: device arrays, enums, strings; and values that they make."""

import enum
import pickle

import numpy as np
import pytest

from phalanx import cuda, errors, types


class Color(enum.Enum):
    red = 1
    green = 2


class Planet(enum.Enum):
    earth = (5.9, 6.3)
    mars = (0.6, 3.4)


class Code(enum.IntEnum):
    missing = 404
    internal = 500


class OwnError(Exception):
    pass


# ---- Device arrays ----


@pytest.mark.parametrize("shape", [(), (5,), (2, 3)])
def test_a_captured_device_array_is_read_and_written_where_it_lies(device, shape):
    captured = cuda.to_device(np.full(shape, 3.0))

    @cuda.jit(device=True)
    def add_to(value):
        captured[...] += value

    @cuda.jit
    def kernel():
        add_to(4.0)
        captured[...] *= 10

    kernel[1, 1]()
    np.testing.assert_array_equal(captured.copy_to_host(), np.full(shape, 70.0))


def test_a_captured_array_with_strides(device):
    whole = cuda.to_device(np.arange(12).reshape(3, 4))
    column = whole[:, 1]

    @cuda.jit
    def kernel(out):
        for i in range(column.shape[0]):
            out[i] = column[i]

    out = np.zeros(3)
    kernel[1, 1](out)
    assert out.tolist() == [1, 5, 9]


def test_a_captured_array_lives_as_long_as_the_kernel(device):
    def make():
        array = cuda.to_device(np.arange(100.0))

        @cuda.jit
        def kernel(out):
            out[0] = array[99]

        return kernel

    kernel = make()
    others = [cuda.to_device(np.zeros(100)) for _ in range(20)]
    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 99 and len(others) == 20


# ---- Enums ----


def test_enum_members_compare(device):
    @cuda.jit
    def kernel(out, a, b, planet):
        out[0] = a == Color.red
        out[1] = a != b
        out[2] = a is Color.red
        out[3] = b is not Color["green"]
        out[4] = planet == Planet.earth
        out[5] = Color.red == Color.green
        out[6] = Code["missing"] == 404

    out = np.zeros(7, np.bool_)
    kernel[1, 1](out, Color.red, Color.green, Planet.mars)
    assert out.tolist() == [True, True, True, False, False, False, True]


def test_enum_members_are_returned_and_have_values(device):
    @cuda.jit(device=True)
    def pick(condition):
        return Color.red if condition else Color.green

    @cuda.jit
    def kernel(out, condition):
        out[0] = pick(condition) == Color.red
        out[1] = pick(not condition).value

    out = np.zeros(2)
    kernel[1, 1](out, True)
    assert out.tolist() == [1, 2]


def test_an_unknown_member_is_named(device):
    @cuda.jit
    def kernel(out):
        out[0] = Color["blue"] == Color.red

    with pytest.raises(errors.TypingError, match="the enum Color has no item 'blue'"):
        kernel[1, 1](np.zeros(1))


# ---- Text ----


@pytest.mark.parametrize(("dtype", "text"), [("U12", "Grüße"), ("U3", "Grüße"), ("S12", b"bytes")])
def test_constant_text_is_stored(device, dtype, text):
    @cuda.jit
    def kernel(a):
        a[cuda.grid(1)] = text

    @cuda.jit
    def in_record(a):
        a[0]["y"] = text

    a = np.zeros(3, dtype)
    kernel[1, 3](a)
    assert (a == np.array(text, dtype)).all()
    records = np.zeros(1, [("x", "i4"), ("y", dtype)])
    in_record[1, 1](records)
    assert records[0]["y"] == np.array(text, dtype)


def test_a_bytes_literal_is_stored(device):
    @cuda.jit
    def kernel(a):
        a[0] = b"XYZ"

    a = np.zeros(1, "S12")
    kernel[1, 1](a)
    assert a[0] == b"XYZ"


# ---- Pointers ----


def test_pointers_are_indexed_and_made_arrays(device):
    from phalanx.compat.numba_np import carray, farray

    @cuda.jit(types.void(types.CPointer(types.float64), types.int64))
    def kernel(pointer, n):
        pointer[0] += 100
        c = carray(pointer, (n, 2))
        f = farray(pointer, (n, 2), dtype=types.float64)
        c[1, 0] += 10
        f[1, 0] += 1

    a = cuda.to_device(np.zeros(6))
    kernel[1, 1](int(a.gpu_data), 3)
    assert a.copy_to_host().tolist() == [100, 1, 10, 0, 0, 0]


# ---- Views and copies ----


def test_an_array_is_viewed_as_another_type(device):
    @cuda.jit
    def kernel(octets, out):
        out[0] = octets[4:8].view(np.int32)[0]
        out[1] = octets.view(np.uint64).shape[0]

    octets = np.arange(16, dtype=np.uint8)
    out = np.zeros(2, np.int64)
    kernel[1, 1](octets, out)
    assert out.tolist() == [octets[4:8].view(np.int32)[0], 2]


def test_a_constant_array_is_copied(device):
    values = np.arange(6)[::-1].reshape(2, 3)

    @cuda.jit
    def kernel(out):
        copy = values.copy()
        copy[0, 0] = 100
        for i in range(2):
            for j in range(3):
                out[i, j] = copy[i, j] + values[i, j]

    out = np.zeros((2, 3))
    kernel[1, 1](out)
    expected = 2 * values
    expected[0, 0] = 105
    np.testing.assert_array_equal(out, expected)


def test_parts_of_complex_arrays(device):
    @cuda.jit
    def kernel(z):
        i = cuda.grid(1)
        cuda.atomic.add(z.real, i % 2, 1)
        cuda.atomic.add(z.imag, 0, 2)

    z = np.zeros(2, np.complex128)
    kernel[1, 32](z)
    assert z.tolist() == [16 + 64j, 16]


# ---- Loops and errors ----


def test_the_name_of_a_loop_that_never_ran_is_zero(device):
    @cuda.jit
    def kernel(out, n):
        for i in range(n):
            out[0] = i
        else:
            out[1] = i * 2

    out = np.full(2, 7)
    kernel[1, 1](out, 0)
    assert out.tolist() == [7, 0]
    kernel[1, 1](out, 4)
    assert out.tolist() == [3, 6]


def test_a_step_of_zero_ends_the_loop(device):
    @cuda.jit
    def kernel(out, step):
        for i in range(1, 5, step):
            out[0] += i

    @cuda.jit(debug=True, opt=False)
    def checked(out, step):
        for i in range(1, 5, step):
            out[0] += i

    out = np.zeros(1)
    kernel[1, 1](out, 0)
    assert out[0] == 0
    with pytest.raises(ValueError, match="arg 3 must not be zero"):
        checked[1, 1](out, 0)


def test_debug_builds_raise_for_divisions_by_zero_and_wrong_tuple_indices(device):
    @cuda.jit(debug=True, opt=False)
    def divide(out, a, b):
        out[0] = a[0] / b[0]

    @cuda.jit(debug=True, opt=False)
    def index(out, i):
        out[0] = out.shape[i]

    out = np.zeros(1)
    divide[1, 1](out, np.ones(1), np.full(1, 2.0))
    assert out[0] == 0.5
    with pytest.raises(ZeroDivisionError):
        divide[1, 1](out, np.ones(1), np.zeros(1))
    index[1, 1](out, -1)
    with pytest.raises(IndexError, match="tuple index out of range"):
        index[1, 1](out, 1)


def test_exception_classes_of_ones_own_are_raised(device):
    @cuda.jit(debug=True, opt=False)
    def kernel(x):
        if x == 1:
            raise OwnError("text")

    kernel[1, 1](0)
    with pytest.raises(OwnError, match="text"):
        kernel[1, 1](1)


# ---- Pickling ----


def test_local_kernels_and_configurations_pickle(device):
    @cuda.jit(device=True)
    def inner(a):
        return a + 1

    @cuda.jit
    def kernel(a):
        a[0] = inner(a[0])

    a = np.zeros(1)
    again = pickle.loads(pickle.dumps(pickle.loads(pickle.dumps(kernel))))
    again[1, 1](a)
    configured = pickle.loads(pickle.dumps(kernel[5, (8, 2)]))
    assert (configured.griddim, configured.blockdim) == ((5, 1, 1), (8, 2, 1))
    assert a[0] == 1
