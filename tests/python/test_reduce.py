"""cuda.reduce against NumPy."""

import numpy as np
import pytest

from phalanx import cuda


@cuda.reduce
def add(a, b):
    return a + b


largest = cuda.Reduce(lambda a, b: max(a, b))


@pytest.mark.parametrize("size", [1, 2, 31, 255, 256, 257, 4096, 4097, 34567, 1048576])
@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
def test_sums_of_every_size(device, size, dtype):
    x = (np.arange(size) % 7).astype(dtype)
    for array in (x, cuda.to_device(x), x[::-1]):
        result = add(array)
        assert result == x.sum()
        assert result.dtype == dtype


def test_size_init_and_res(device):
    x = np.arange(10.0)
    assert add(x, size=4) == 6
    assert add(x, init=3) == 48
    assert largest(x, init=100) == 100
    res = cuda.to_device(np.zeros(3))
    assert add(x, res=res) is None
    np.testing.assert_array_equal(res.copy_to_host(), [45, 0, 0])


def test_of_nothing_is_init(device):
    assert add(np.zeros(0), init=7) == 7
    res = cuda.to_device(np.ones(1))
    add(np.zeros(0), res=res)
    assert res[0] == 0


def test_on_a_stream(device):
    stream = cuda.stream()
    x = np.arange(100000, dtype=np.float64)
    assert add(cuda.to_device(x, stream), stream=stream) == x.sum()


def test_other_dimensions_are_refused():
    with pytest.raises(TypeError, match="only support 1D array"):
        add(np.ones((2, 2)))
