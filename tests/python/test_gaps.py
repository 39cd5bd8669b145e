"""Elements that neighbouring threads read with the same few elements between them."""

import numpy as np
import pytest

from phalanx import cuda

DTYPES = ["int8", "int32", "float32", "float64", "complex64"]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5])
def test_every_nth_element_is_read_and_nothing_past_the_last(device, dtype, step):
    @cuda.jit
    def kernel(a, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = a[i * step] + a[i * step + step - 1]

    n = 999
    a = (np.random.default_rng(1).integers(-50, 50, n * step)).astype(dtype)
    for block in (1, 4, 16, 33, 256):
        out = np.zeros(n, dtype)
        kernel[-(-n // block), block](a, out)
        np.testing.assert_array_equal(out, a[::step] + a[step - 1 :: step])


@pytest.mark.parametrize("each", [2, 3, 4])
def test_threads_read_several_elements_each_from_shared_memory(device, each):
    @cuda.jit
    def kernel(a, out):
        tile = cuda.shared.array(1024, np.float32)
        mine = cuda.local.array(4, np.float32)
        t = cuda.threadIdx.y * 16 + cuda.threadIdx.x
        for e in range(t, 16 * each, 256):
            tile[e] = a[e]
        cuda.syncthreads()
        for k in range(each):
            mine[k] = tile[cuda.threadIdx.x * each + k]
        for k in range(each):
            out[t, k] = mine[k]

    a = np.arange(16 * each, dtype=np.float32)
    out = np.zeros((256, each), np.float32)
    kernel[1, (16, 16)](a, out)
    np.testing.assert_array_equal(out, np.tile(a.reshape(16, each), (16, 1)))


def test_a_matrix_and_a_record_array_are_read_by_columns(device):
    @cuda.jit
    def kernel(pairs, records, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = pairs[i, 1] * records[i].x + pairs[i, 0] * records[i].y

    n = 1003
    pairs = np.random.default_rng(2).integers(-9, 9, (n, 2)).astype(np.float32)
    records = np.zeros(n, [("x", np.float32), ("y", np.float32), ("z", np.float64)])
    records["x"], records["y"] = np.arange(n), -np.arange(n)
    out = np.zeros(n, np.float32)
    kernel[8, 128](pairs, records, out)
    np.testing.assert_array_equal(out, (pairs[:, 1] - pairs[:, 0]) * np.arange(n))
