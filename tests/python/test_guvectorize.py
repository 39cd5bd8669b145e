"""guvectorize: functions of small arrays as functions of stacks of them."""

import numpy as np
import pytest
from phalanx._ufunc.layout import parse

from phalanx import cuda


@cuda.guvectorize(["void(float32[:,:], float32[:,:], float32[:,:])"], "(m,n),(n,p)->(m,p)")
def product(a, b, out):
    m, n = a.shape
    n, p = b.shape
    for i in range(m):
        for j in range(p):
            out[i, j] = 0
            for k in range(n):
                out[i, j] += a[i, k] * b[k, j]


@cuda.guvectorize(["void(float64[:], float64[:])", "void(int32[:], int32[:])"], "(n)->()")
def total(a, out):
    out[0] = 0
    for i in range(a.shape[0]):
        out[0] += a[i]


STACKS = [((), ()), ((7,), (7,)), ((7,), ()), ((3, 1), (4,)), ((2, 3), (2, 3))]


@pytest.mark.parametrize("stacks", STACKS)
def test_stacks_broadcast_as_in_matmul(device, stacks):
    rng = np.random.default_rng(1)
    a = rng.random((*stacks[0], 2, 4), dtype=np.float32)
    b = rng.random((*stacks[1], 4, 5), dtype=np.float32)
    np.testing.assert_allclose(product(a, b), a @ b, rtol=1e-5)
    mixed = product(cuda.to_device(a), b)
    assert isinstance(mixed, cuda.DeviceNDArray)
    np.testing.assert_allclose(mixed.copy_to_host(), a @ b, rtol=1e-5)


def test_outputs_without_a_core_dimension_are_numbers(device):
    x = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(total(x), x.sum(axis=1))
    assert total(x[0]) == 6
    assert total(np.arange(3, dtype=np.int32)).dtype == np.int32
    np.testing.assert_array_equal(total(x[::-1, ::2]), x[::-1, ::2].sum(axis=1))


def test_inputs_convert_without_loss_only(device):
    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    np.testing.assert_array_equal(total(x), x.sum(axis=1))
    np.testing.assert_array_equal(total(cuda.to_device(x)).copy_to_host(), x.sum(axis=1))
    with pytest.raises(TypeError, match="complex64"):
        total(x.astype(np.complex64))


def test_outputs_of_the_caller(device):
    x = np.arange(6.0).reshape(2, 3)
    out = np.zeros(2)
    assert total(x, out) is out
    np.testing.assert_array_equal(out, [3, 12])
    narrow = np.zeros(2, np.float32)
    total(x, out=narrow)
    np.testing.assert_array_equal(narrow, [3, 12])
    on_device = cuda.device_array(2)
    total(x, out=on_device)
    np.testing.assert_array_equal(on_device.copy_to_host(), [3, 12])


def test_several_outputs(device):
    @cuda.guvectorize(["void(float32[:], float32[:], float64[:])"], "(n)->(n),(n)")
    def both(a, double, half):
        for i in range(a.size):
            double[i] = 2 * a[i]
            half[i] = a[i] / 2

    x = np.arange(6, dtype=np.float32).reshape(2, 3)
    double, half = both(x)
    np.testing.assert_array_equal(double, 2 * x)
    np.testing.assert_array_equal(half, x / 2)
    assert (double.dtype, half.dtype) == (np.float32, np.float64)


def test_without_signatures_the_outputs_are_given(device):
    @cuda.guvectorize("(n)->()")
    def largest(a, out):
        out[0] = a[0]
        for i in range(1, a.shape[0]):
            out[0] = max(out[0], a[i])

    x = np.array([[1, 5, 3], [7, 2, 0]], np.int16)
    out = np.zeros(2, np.int16)
    largest(x, out)
    np.testing.assert_array_equal(out, [5, 7])
    with pytest.raises(TypeError, match="outputs must be given"):
        largest(x.astype(np.float32))


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: total(np.float64(1)), ValueError, "does not have enough dimensions"),
        (lambda: product(np.ones((2, 3), "f4"), np.ones((4, 2), "f4")), ValueError, "size 4"),
        (lambda: total(np.ones((2, 3)), np.ones(3)), ValueError, "output shape mismatch"),
        (lambda: total(), TypeError, "Got 0 positional arguments"),
        (lambda: cuda.guvectorize(["int32(int32[:])"], "(n)->(n)")(lambda a: a), TypeError,
         "cannot return values"),
        (lambda: cuda.guvectorize(["void(f4[:], f4[:])"], "(m,n)->(n)")(lambda a, b: None),
         ValueError, "signature mismatch"),
    ],
)  # fmt: skip
def test_mistakes_say_what_is_wrong(call, error, text):
    with pytest.raises(error, match=text):
        call()


def test_layouts_parse():
    layout = parse(" (m, n),(n,p) -> (m,p), ()")
    assert layout.inputs == (("m", "n"), ("n", "p"))
    assert layout.outputs == (("m", "p"), ())


@pytest.mark.parametrize(
    ("text", "error", "spot"),
    [
        ("(m n)->()", ValueError, r"expected ',' or '\)'"),
        ("(m)(n)->()", ValueError, "expected ','"),
        ("(m)$->()", ValueError, "no meaning"),
        ("(m)->(k)", NameError, "undefined output symbols: k"),
    ],
)
def test_layouts_that_do_not_parse_show_the_spot(text, error, spot):
    with pytest.raises(error, match=spot):
        parse(text)


def test_numbers_go_where_the_function_takes_arrays_of_one(device):
    @cuda.guvectorize(["void(float64[:], float64[:], float64[:])"], "(n),()->()", target="cuda")
    def weighted(a, factor, out):
        out[0] = 0
        for i in range(a.shape[0]):
            out[0] += a[i] * factor[0]

    a = np.arange(12.0).reshape(3, 4)
    np.testing.assert_array_equal(weighted(a, 2), a.sum(axis=1) * 2)
    np.testing.assert_array_equal(weighted(a, np.array(2.0)), a.sum(axis=1) * 2)
    np.testing.assert_array_equal(weighted(a, np.arange(3)), a.sum(axis=1) * np.arange(3))
    assert weighted(a[0], 2.0) == 12
    there = weighted(cuda.to_device(a), 2.0)
    np.testing.assert_array_equal(there.copy_to_host(), a.sum(axis=1) * 2)
