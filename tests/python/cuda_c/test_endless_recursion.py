"""Recursion in CUDA C whose end does not come: an error with the line, and the process goes on."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

# Functions of which f(n) comes to an end for n of 0 and above only, and what f(6) is.
FUNCTIONS = {
    "itself": (
        """__device__ int f(int n) {
  return n == 0 ? 0 : 1 + f(n - 1);
}""",
        6,
    ),
    "twice": (
        """__device__ int f(int n) {
  if (n == 0 || n == 1) return 1;
  return f(n - 1) + f(n - 2);
}""",
        13,
    ),
    "each other": (
        """__device__ int g(int n);
__device__ int f(int n) {
  return n == 0 ? 1 : 1 + 2 * g(n - 1);
}
__device__ int g(int n) {
  return n == 0 ? 1 : 3 + f(n - 1);
}""",
        1 + 2 * (3 + 1 + 2 * (3 + 1 + 2 * (3 + 1))),
    ),
    "with memory of its own": (
        """__device__ int f(int n) {
  int own[200];
  for (int i = 0; i < 200; ++i) own[i] = n;
  return n == 0 ? 0 : own[(n & 127) + 3] - n + 1 + f(n - 1);
}""",
        6,
    ),
}
KERNEL = """
extern "C" __global__ void k(int* a, const int* n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = f(n[i]);
}"""


def run(module, block, n):
    out = cuda.to_device(np.zeros(n.size, np.int32))
    module.kernel("k").launch(n.size // block, block, [out, cuda.to_device(n)])
    cuda.synchronize()
    return out.copy_to_host()


@pytest.mark.parametrize("block", [1, 32, 50])
@pytest.mark.parametrize("check", [False, True])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_recursion_without_end_is_an_error_with_the_line(device, name, check, block):
    if device == "cuda":
        pytest.skip("a GPU reports an illegal access, and loses the process's context")
    text, expected = FUNCTIONS[name]
    module = CudaCModule(text + KERNEL, "kernel.cu", check=check)
    n = np.full(4 * block, 6, np.int32)
    np.testing.assert_array_equal(run(module, block, n), np.full(n.size, expected))
    n[block] = -1
    with pytest.raises(RecursionError, match=r"(?s)calls itself until the stack is full.*line \d"):
        run(module, block, n)
    n[block] = 6
    np.testing.assert_array_equal(run(module, block, n), np.full(n.size, expected))


def test_deep_recursion_that_ends_is_no_error(device):
    if device == "cuda":
        pytest.skip("a GPU's threads have stacks of a kilobyte")
    module = CudaCModule(FUNCTIONS["itself"][0] + KERNEL, "kernel.cu")
    n = np.full(64, 5000, np.int32)
    np.testing.assert_array_equal(run(module, 32, n), n)
