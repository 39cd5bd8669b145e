"""vectorize: functions of numbers as functions of arrays, against NumPy."""

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phalanx.types import float32, float64, int32

from phalanx import cuda

SIGNATURES = [int32(int32, int32), float32(float32, float32), float64(float64, float64)]


def _add(a, b):
    return a + b


add = cuda.vectorize(SIGNATURES)(_add)
dynamic = cuda.vectorize(_add)


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("shape", [(7,), (1025,), (3, 5), (4, 1, 6), (2, 3, 4, 5)])
def test_it_matches_numpy_for_every_shape_and_order(device, dtype, order, shape):
    a = np.arange(np.prod(shape)).reshape(shape).astype(dtype, order=order)
    actual = add(a, a)
    assert isinstance(actual, np.ndarray)
    assert actual.dtype == dtype
    np.testing.assert_array_equal(actual, a + a)
    assert actual.flags.f_contiguous == (a + a).flags.f_contiguous


@pytest.mark.parametrize(
    "shapes", [((5, 1), (1, 3)), ((100, 3, 1), (1, 3, 100)), ((4,), (3, 4)), ((2, 1, 200), (7, 1))]
)
def test_it_broadcasts_host_and_device_arrays(device, shapes):
    a, b = (np.random.default_rng(1).random(shape) for shape in shapes)
    np.testing.assert_array_equal(add(a, b), a + b)
    on_device = add(cuda.to_device(a), cuda.to_device(b))
    np.testing.assert_array_equal(on_device.copy_to_host(), a + b)


def test_any_strides(device):
    a = np.random.default_rng(1).random((6, 200))
    np.testing.assert_array_equal(add(a[::-1, ::3], a[:, -1:]), a[::-1, ::3] + a[:, -1:])
    d = cuda.to_device(a)
    np.testing.assert_array_equal(add(d[::2, 1:], d[1::2, 1:]).copy_to_host(),
                                  a[::2, 1:] + a[1::2, 1:])  # fmt: skip


def test_numbers_take_the_type_of_the_array_beside_them(device):
    x = np.arange(4, dtype=np.float32)
    assert add(x, 2.0).dtype == np.float32
    assert add(x, 2).dtype == np.float32
    assert add(x.astype(np.int32), x).dtype == np.float64
    assert add(1.25, 2.5) == 3.75
    assert isinstance(add(1.25, 2.5), np.float64)


def test_without_signatures_a_loop_is_compiled_for_what_comes(device):
    assert dynamic(np.arange(3, dtype=np.int8), np.int8(1)).dtype == np.int64
    assert dynamic(np.ones(3, np.float32), np.ones(3, np.float32)).dtype == np.float32
    assert dynamic(np.ones(3, np.complex64), 1j).dtype == np.complex128


def test_the_result_is_where_the_inputs_are(device):
    x = np.arange(10, dtype=np.float32)
    d = cuda.to_device(x)
    assert isinstance(add(x, d), cuda.DeviceNDArray)
    assert add(d, d, out=d) is d
    np.testing.assert_array_equal(d.copy_to_host(), x + x)
    out = np.zeros(10, np.float32)
    assert add(d, x, out=out) is out
    np.testing.assert_array_equal(out, 3 * x)
    np.testing.assert_array_equal(add(x, x, out), 2 * x)


def test_outputs_that_overlap_their_inputs_are_right(device):
    for make in (np.array, cuda.to_device):
        base = make(np.arange(100.0))
        add(base[:-1], 1.0, out=base[1:])
        got = np.asarray(base)
        np.testing.assert_array_equal(got, [0.0, *np.arange(1, 100)])


def test_outputs_convert_within_their_kind(device):
    out = np.zeros(3, np.float32)
    add(np.ones(3), np.ones(3), out=out)
    np.testing.assert_array_equal(out, [2, 2, 2])
    with pytest.raises(TypeError, match="same_kind"):
        add(np.ones(3), np.ones(3), out=np.zeros(3, np.int32))


def test_a_stream_orders_the_work(device):
    stream = cuda.stream()
    d = cuda.to_device(np.arange(1000, dtype=np.float32), stream)
    result = add(d, d, stream=stream)
    np.testing.assert_array_equal(result.copy_to_host(), 2 * np.arange(1000))


@pytest.mark.parametrize("target", ["cpu", "parallel"])
def test_other_targets_run_on_the_host(device, target):
    f = cuda.vectorize(["float64(float64)"], target=target)(lambda x: x * 2)
    np.testing.assert_array_equal(f(np.arange(5)), 2.0 * np.arange(5))


def test_reduce(device):
    x = np.arange(5000, dtype=np.int32)
    total = add.reduce(x)
    assert total == x.sum()
    assert total.dtype == np.int32
    assert add.reduce(cuda.to_device(x)) == x.sum()
    y = np.arange(24.0).reshape(2, 3, 4)
    for axis in (0, 1, 2, -1, (0, 2), None):
        np.testing.assert_array_equal(add.reduce(y, axis=axis), y.sum(axis=axis))
    assert add.reduce(y, axis=1, keepdims=True).shape == (2, 1, 4)
    assert add.reduce(x, initial=5) == x.sum() + 5
    with pytest.raises(ValueError, match="no identity"):
        add.reduce(np.zeros(0))


def test_outer(device):
    x = np.arange(3.0)
    np.testing.assert_array_equal(add.outer(x, x), np.add.outer(x, x))


def test_an_empty_array_gives_an_empty_array(device):
    assert add(np.zeros((0, 3)), np.zeros((1, 3))).shape == (0, 3)


def test_kernels_call_it_with_numbers(device):
    @cuda.jit
    def kernel(out):
        out[0] = add(1.5, 2.5)

    out = np.zeros(1)
    kernel[1, 1](out)
    assert out[0] == 4


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda: add(np.ones(3)), TypeError, "takes from 2 to 3 positional arguments but 1"),
        (lambda: add(np.ones(3), np.ones(4)), ValueError, r"broadcast together .*\(3,\) \(4,\)"),
        (lambda: add(np.ones(3), 1j), TypeError, "complex128.*without loss"),
        (lambda: add(np.ones(3), 1.0, out=np.ones(4)), ValueError, "broadcast"),
        (lambda: add(np.ones(3), 1.0, axis=2), TypeError, "unexpected keyword argument 'axis'"),
        (lambda: add(np.ones(3), 1.0, out=[1, 2, 3]), TypeError, "must be arrays"),
        (lambda: cuda.vectorize(target="tpu"), ValueError, "Unsupported target: tpu"),
        (lambda: cuda.vectorize(["f4(f4)"], nonsense=1)(_add), KeyError, "nonsense"),
        (lambda: cuda.vectorize(["f4(f4)"])(_add), TypeError, "takes 2 arguments"),
        (lambda: cuda.vectorize(["f4(f4,"]), TypeError, r"the text ends\n.*f4\(f4,\n +\^"),
    ],
)
def test_mistakes_say_what_is_wrong(call, error, text):
    with warnings.catch_warnings(), pytest.raises(error, match=text):
        call()


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_random_views_match_numpy(data):
    shape = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=4)))
    views = []
    for _ in range(2):
        full = tuple(n if data.draw(st.booleans()) else 1 for n in shape)
        array = np.random.default_rng(0).integers(0, 9, full).astype(np.float64)
        axes = data.draw(st.permutations(range(len(shape))))
        array = np.ascontiguousarray(array.transpose(axes)).transpose(np.argsort(axes))
        flips = tuple(slice(None, None, data.draw(st.sampled_from([1, -1]))) for _ in shape)
        views.append(array[flips])
    np.testing.assert_array_equal(add(*views), views[0] + views[1])
