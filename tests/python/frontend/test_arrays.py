"""Views, slices and NumPy's functions on arrays in kernels: the same as NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import CompileError, cuda, types

A = np.arange(60.0).reshape(5, 12)

INDICES = {
    "row": lambda a: a[2],
    "last row": lambda a: a[-1],
    "column": lambda a: a[:, 3],
    "block": lambda a: a[1:4, 2:9],
    "steps": lambda a: a[::2, 1::3],
    "backwards": lambda a: a[::-1, 10:2:-2],
    "negative bounds": lambda a: a[-4:-1, -6:],
    "beyond the end": lambda a: a[2:100, 5:5],
    "ellipsis": lambda a: a[..., 4],
    "new axis": lambda a: a[1, None],
    "transposed": lambda a: a.T[3:],
    "view of view": lambda a: a[1:][::2][:, 1:][1],
    "reshaped": lambda a: a.reshape(4, 15)[1:3],
    "reshaped with rest": lambda a: a.reshape((3, -1))[2],
    "ravelled": lambda a: a.ravel()[7:9],
    "all": lambda a: a[:],
}


@pytest.mark.parametrize("name", INDICES)
def test_views_are_numpys(device, name):
    take = cuda.jit(device=True)(INDICES[name])
    expected = INDICES[name](A)

    @cuda.jit
    def copy_1d(a, out):
        view = take(a)
        out[0] = view.size
        for i in range(view.shape[0]):
            out[i + 1] = view[i]

    @cuda.jit
    def copy_2d(a, out):
        view = take(a)
        out[0] = view.size
        for i in range(view.shape[0]):
            for j in range(view.shape[1]):
                out[i * view.shape[1] + j + 1] = view[i, j]

    strided = np.zeros((5, 24))[:, ::2]
    strided[...] = A
    for array in (A, np.asfortranarray(A), strided):
        if name in ("reshaped", "reshaped with rest", "ravelled") and array is not A:
            continue
        out = np.zeros(A.size + 1)
        (copy_1d if expected.ndim == 1 else copy_2d)[1, 1](array, out)
        assert out[0] == expected.size
        np.testing.assert_array_equal(out[1 : expected.size + 1], expected.ravel())


def test_slices_are_assigned_numbers_and_arrays(device):
    def body(a, b):
        a[1] = 5
        a[2:4, ::3] = b[0, 0]
        a[0] = b[0]
        a[:, -1] = b[:, 1]
        a[3:] += 2
        a[4, 2:5] *= b[1, 2:5]
        a[0, 0] -= 1

    kernel = cuda.jit(body)
    b = np.arange(60.0).reshape(5, 12) + 100
    actual, expected = A.copy(), A.copy()
    kernel[1, 1](actual, b)
    body(expected, b)
    np.testing.assert_array_equal(actual, expected)


def test_arrays_are_gone_over(device):
    @cuda.jit
    def kernel(a, out):
        for i, row in enumerate(a):
            for value, other in zip(row, a[0]):  # noqa: B905
                out[i] += value * other
        out[0] = len(a)

    out = np.zeros(5)
    kernel[1, 1](A, out)
    np.testing.assert_array_equal(out[1:], (A[1:] * A[0]).sum(axis=1))
    assert out[0] == 5


UFUNCS = ["sin", "sqrt", "add", "arctan2", "logical_and", "maximum", "negative", "isfinite", "sign"]


@pytest.mark.parametrize("name", UFUNCS)
def test_ufuncs_write_into_an_output_array(device, name):
    ufunc = getattr(np, name)

    @cuda.jit
    def one(a, _b, out):
        ufunc(a, out)

    @cuda.jit
    def two(a, b, out):
        ufunc(a, b, out=out)

    b = np.linspace(-1, 1, 12)
    kernel, operands = (one, (A,)) if ufunc.nin == 1 else (two, (A, b))
    out = np.zeros(A.shape, np.float32)
    kernel[1, 1](A, b, out)
    np.testing.assert_allclose(out, ufunc(*operands).astype(np.float32), rtol=1e-6)


def test_negative_indices_wrap_and_unsigned_do_not(device):
    @cuda.jit
    def kernel(a, i, n, out):
        out[0] = a[i, -1]
        out[1] = a[-i, n - 1]
        out[2] = a[np.uint32(1), np.uint8(2)]

    out = np.zeros(3)
    kernel[1, 1](A, -2, 12, out)
    np.testing.assert_array_equal(out, [A[-2, -1], A[2, 11], A[1, 2]])


def test_declared_device_functions_convert_arguments_and_result(device):
    @cuda.jit("int32(int32, int32)", device=True)
    def combine(a, b):
        return (a << 4) | b

    @cuda.jit(["(int64, int64)", "(float64, float64)"], device=True)
    def add(a, b):
        return a + b

    @cuda.jit
    def kernel(a, out):
        out[0] = combine(a[0], a[1])
        out[1] = add(1, 2)
        out[2] = add(a[1], 1)

    out = np.zeros(3)
    kernel[1, 1](np.array([3.75, 2.5], np.float32), out)
    np.testing.assert_array_equal(out, [3 * 16 + 2, 3, 3.5])


@cuda.jit("float32(float32[:])", device=True)
def total(x):
    result = np.float32(0)
    for i in range(x.size):
        result += x[i]
    return result


@cuda.jit("void(float32[:], float32)", device=True)
def fill(x, first):
    for i in range(x.size):
        x[i] = first + i


@cuda.jit("float32(Tuple((float32[:], float64)))", device=True)
def scaled_total(pair):
    return total(pair[0]) * pair[1]


@cuda.jit("float32[:](float32[:])", device=True)
def tail(x):
    return x[1:]


BLOCKS = [(1, 1), (1, 4), (2, 33), (3, 256)]


@pytest.mark.parametrize(("grid", "block"), BLOCKS)
def test_declared_device_functions_take_local_and_shared_arrays(device, grid, block):
    @cuda.jit
    def kernel(given, out):
        i = cuda.grid(1)
        own = cuda.local.array(3, np.float32)
        square = cuda.local.array((2, 4), np.float32)
        shared = cuda.shared.array((256, 3), np.float32)
        own[0] = own[1] = own[2] = -1
        fill(own, i)
        fill(square[1], i)
        fill(square[0, ::2], 2 * i)
        square[0, 1] = square[0, 3] = 1
        fill(shared[cuda.threadIdx.x], i)
        out[i, 0] = total(own)
        out[i, 1] = total(square[1])
        out[i, 2] = total(square[0])
        out[i, 3] = total(shared[cuda.threadIdx.x])
        out[i, 4] = scaled_total((own, 2))
        out[i, 5] = total(tail(own)) + tail(tail(own))[0]
        out[i, 6] = total(given[i])

    threads = grid * block
    given = np.arange(threads * 6, dtype=np.float32).reshape(threads, 6)[:, ::2]
    out = np.zeros((threads, 7), np.float32)
    kernel[grid, block](given, out)
    i = np.arange(threads)
    three = 3 * i + 3
    expected = [three, 4 * i + 6, 4 * i + 3, three, 2 * three, 3 * i + 5, given.sum(axis=1)]
    np.testing.assert_array_equal(out, np.stack(expected, axis=1))


def test_declared_device_functions_may_not_write_to_what_they_declare_read_only(device):
    @cuda.jit(types.void(types.Array(types.float32, 1, "C", readonly=True)), device=True)
    def writes(x):
        x[0] = 1

    @cuda.jit
    def kernel():
        writes(cuda.local.array(2, np.float32))

    with pytest.raises(CompileError, match=r"read-only|Cannot assign"):
        kernel[1, 1]()


@pytest.mark.parametrize(("grid", "block"), BLOCKS)
def test_a_name_may_be_a_local_array_or_another(device, grid, block):
    @cuda.jit
    def kernel(given, out):
        i = cuda.grid(1)
        own = cuda.local.array(4, np.float32)
        shared = cuda.shared.array(4, np.float32)
        for j in range(4):
            own[j] = i + j
            shared[j] = 7
        cuda.syncthreads()
        chosen = own if i % 3 == 0 else shared
        if i % 3 == 2:
            chosen = given[i]
        own[2] += 100
        out[i] = chosen[2] * 1000 + own[3]

    threads = grid * block
    given = np.arange(threads * 4, dtype=np.float32).reshape(threads, 4)
    out = np.zeros(threads, np.float32)
    kernel[grid, block](given, out)
    i = np.arange(threads)
    chosen = np.where(i % 3 == 0, i + 102, np.where(i % 3 == 1, 7, given[:, 2]))
    np.testing.assert_array_equal(out, chosen * 1000 + i + 3)


@pytest.mark.parametrize(("grid", "block"), BLOCKS)
def test_views_into_the_elements_of_local_arrays(device, grid, block):
    pair = np.dtype([("id", np.int32), ("xy", np.float32, (2,))])

    @cuda.jit
    def kernel(out):
        i = cuda.grid(1)
        z = cuda.local.array(3, np.complex64)
        records = cuda.local.array(2, pair)
        for j in range(3):
            z[j] = complex(i, j)
        for j in range(2):
            records[j].xy[0] = i
            records[j].xy[1] = j
        words = z.view(np.float32)
        z.imag[1] += 10
        positions = records.xy
        out[i, 0] = words[4]
        out[i, 1] = words[5] + words[3]
        out[i, 2] = z.real[2]
        out[i, 3] = positions[1, 0] + positions[1, 1]

    threads = grid * block
    out = np.zeros((threads, 4), np.float32)
    kernel[grid, block](out)
    i = np.arange(threads)
    np.testing.assert_array_equal(out, np.stack([i, 0 * i + 13, i, i + 1], axis=1))
