"""Indices of threadIdx and blockIdx, which are unsigned in CUDA C, with counters that are int."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

BLOCK, BLOCKS, COUNT = 64, 5, 40
# An element of x for thread i of the grid, t of the block, b of the blocks, in step k of COUNT.
INDICES = {
    "blockIdx.x * 64 + threadIdx.x + k": lambda i, t, b, k: i + k,
    "threadIdx.x + 64 * blockIdx.x + k": lambda i, t, b, k: i + k,
    "threadIdx.x + k": lambda i, t, b, k: t + k,
    "k + threadIdx.x": lambda i, t, b, k: t + k,
    "threadIdx.x + 40 - 1 - k": lambda i, t, b, k: t + 39 - k,
    "(threadIdx.x - k) & 63": lambda i, t, b, k: (t - k) & 63,
    "(threadIdx.x + (k - 50)) & 63": lambda i, t, b, k: (t + k - 50) & 63,
    "(threadIdx.x + (unsigned)-k) % 64": lambda i, t, b, k: (t - k) % 64,
    "((threadIdx.x + k) * 2654435761u) >> 24": lambda i, t, b, k: (
        (((t + k) * 2654435761) & 0xFFFFFFFF) >> 24
    ),
    "(threadIdx.x + k + 4294967290u) + 6u": lambda i, t, b, k: t + k,
    "(blockIdx.x * 1000 + threadIdx.x + k) % 300": lambda i, t, b, k: (b * 1000 + t + k) % 300,
    "unsigned(blockIdx.x * 1024) / 4 % 256 + k": lambda i, t, b, k: b * 1024 // 4 % 256 + k,
}


@pytest.mark.parametrize("index", INDICES)
@pytest.mark.parametrize("counter", ["int", "unsigned", "short"])
def test_indices_are_those_of_c(index, counter):
    source = f"""
extern "C" __global__ void sums(const int *x, long long *out) {{
  long long sum = 0;
  for ({counter} k = 0; k < {COUNT}; ++k) sum += (k + 1) * (long long)x[{index}];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}}"""
    x = np.random.default_rng(3).integers(0, 1000, 512).astype(np.int32)
    out = cuda.to_device(np.zeros(BLOCK * BLOCKS, np.int64))
    CudaCModule(source).kernel("sums")[BLOCKS, BLOCK](cuda.to_device(x), out)
    i, k = np.arange(BLOCK * BLOCKS)[:, None], np.arange(COUNT)
    at = INDICES[index](i, i % BLOCK, i // BLOCK, k)
    expected = ((k + 1) * x[np.broadcast_to(at, (i.size, COUNT))].astype(np.int64)).sum(axis=1)
    np.testing.assert_array_equal(out.copy_to_host(), expected)
