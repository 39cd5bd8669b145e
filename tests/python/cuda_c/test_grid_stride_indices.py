"""Grid-stride loops with every type that C's indices have, and guards with them.

On the CPU device, blocks pass through such loops together; whose elements are whose stays what the
kernel says.
"""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")

LAUNCHES = [(1, 32), (3, 64), (7, 100), (300, 256), (5, 1), (40, 96)]
SIZES = [0, 1, 31, 257, 768, 9_999, 100_003]  # 768: four whole passes of 3 blocks of 64

POSITION = "blockIdx.x * blockDim.x + threadIdx.x"
STRIDE = "gridDim.x * blockDim.x"
# The index's type, the end's, and how start and stride are written.
FORMS = {
    "int": ("int", "int", POSITION, STRIDE),
    "int_below_unsigned": ("int", "unsigned", POSITION, STRIDE),
    "int_below_size_t": ("int", "size_t", POSITION, STRIDE),
    "unsigned": ("unsigned", "unsigned", POSITION, STRIDE),
    "unsigned_below_int": ("unsigned", "int", POSITION, STRIDE),
    "unsigned_below_size_t": ("unsigned", "size_t", POSITION, STRIDE),
    "long_long": ("long long", "long long", POSITION, STRIDE),
    "size_t": ("size_t", "size_t", POSITION, STRIDE),
    "size_t_below_int": ("size_t", "int", POSITION, STRIDE),
    "size_t_throughout": ("size_t", "size_t", f"(size_t){POSITION}", f"(size_t){STRIDE}"),
    "other_order": (
        "int",
        "int",
        "threadIdx.x + blockDim.x * blockIdx.x",
        "blockDim.x * gridDim.x",
    ),
}
TOGETHER = sorted(set(FORMS) - {"unsigned_below_size_t"})  # which keeps its own order
KERNELS = """
extern "C" __global__ void owner_{name}(const int* a, int* out, {end} n) {{
  int thread = {start};
  for ({index} i = {start}; i < n; i += {stride}) out[i] = a[i] * 1000 + thread;
}}
extern "C" __global__ void sum_{name}(const int* a, long long* sums, {end} n) {{
  int thread = {start};
  long long sum = 0;
  {index} i = {start}, stride = {stride};
  while (i < n) {{
    if (a[i] % 5 != 0) {{
      for (int k = 0; k < int(i % 3); k++) sum += a[i] * (long long)(i % 7 + k);
    }}
    i += stride;
  }}
  sums[thread] = sum;
}}
extern "C" __global__ void count_{name}(int* counts, {end} n) {{
  int count = 0;
  for ({index} i = {start}; i < n; i += {stride}) count++;
  counts[{start}] = count;
}}
extern "C" __global__ void direct_{name}(const int* a, int* out, {end} n) {{
  {index} i = {start};
  if (i < n) out[i] = a[i] * 2;
}}
"""


@pytest.fixture(scope="module")
def module():
    texts = [
        KERNELS.format(name=name, index=index, end=end, start=start, stride=stride)
        for name, (index, end, start, stride) in FORMS.items()
    ]
    return CudaCModule("".join(texts))


def numbers(size):
    return np.random.default_rng(size).integers(0, 1000, size).astype(np.int32)


def threads_of(size, launch):
    return np.arange(size) % (launch[0] * launch[1])


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda each: "x".join(map(str, each)))
@pytest.mark.parametrize("name", FORMS)
def test_each_thread_takes_its_own_elements(module, name, launch):
    for size in SIZES:
        a, out = numbers(size), np.full(size, -1, np.int32)
        module.kernel(f"owner_{name}")[launch](a, out, size)
        np.testing.assert_array_equal(out, a * 1000 + threads_of(size, launch))


@pytest.mark.parametrize("launch", LAUNCHES, ids=lambda each: "x".join(map(str, each)))
@pytest.mark.parametrize("name", FORMS)
def test_what_a_thread_keeps_from_element_to_element_is_its_own(module, name, launch):
    for size in SIZES:
        a = numbers(size)
        sums = np.full(launch[0] * launch[1], -1)
        counts = np.full(sums.size, -1, np.int32)
        module.kernel(f"sum_{name}")[launch](a, sums, size)
        module.kernel(f"count_{name}")[launch](counts, size)
        thread, i = threads_of(size, launch), np.arange(size)
        k = i % 3
        terms = np.where(a % 5 != 0, a * (k * (i % 7) + k * (k - 1) // 2), 0)
        expected = np.zeros(sums.size, np.int64)
        np.add.at(expected, thread, terms)
        np.testing.assert_array_equal(sums, expected)
        np.testing.assert_array_equal(counts, np.bincount(thread, minlength=sums.size))


@pytest.mark.parametrize("name", FORMS)
def test_guards_hold_back_the_threads_after_the_last_element(module, name):
    for size in SIZES[1:]:
        a, out = numbers(size), np.full(size + 300, -1, np.int32)
        module.kernel(f"direct_{name}")[(size + 255) // 256 + 1, 256](a, out, size)
        np.testing.assert_array_equal(out[:size], a * 2)
        assert (out[size:] == -1).all()


@pytest.mark.parametrize("name", TOGETHER)
def test_blocks_pass_through_the_loop_together_on_the_cpu_device(module, device, name):
    if device != "cpu":
        pytest.skip("on a GPU, blocks run together anyway")
    for kernel in (f"owner_{name}", f"sum_{name}"):
        assert "interleaved.block" in module.kernel(kernel).handle.inspect_llvm()


@pytest.mark.parametrize("name", FORMS)
def test_indices_of_neighbours_are_vectors_on_the_cpu_device(module, device, name):
    if device != "cpu":
        pytest.skip("vectors are the CPU device's")
    text = module.kernel(f"direct_{name}").handle.inspect_llvm()
    assert "masked.gather" not in text
    assert "masked.scatter" not in text


WRAPPING = """
extern "C" __global__ void laps(unsigned* counts, unsigned n) {
  unsigned start = blockIdx.x * blockDim.x + threadIdx.x, stride = gridDim.x * blockDim.x;
  unsigned count = 0;
  for (unsigned i = start; i < n; i += stride) count++;
  counts[start] = count;
}
"""


def laps(start, stride, end):
    """How many numbers an unsigned counter takes until it is not below `end`."""
    count, at = 0, start
    while at < end:
        here = (end - 1 - at) // stride + 1
        count, at = count + here, (at + here * stride) % 2**32
    return count


@pytest.mark.parametrize("gap", [1 << 31, 200, 187])
def test_an_unsigned_index_wraps_around_where_c_says_so(gap):
    """With an end less than a grid from 2^32, some threads begin again, and so they do here."""
    grid, block = 3, 64
    stride = grid * block
    end = 2**32 - gap
    counts = np.zeros(stride, np.uint32)
    CudaCModule(WRAPPING).kernel("laps")[grid, block](counts, np.uint32(end))
    expected = [laps(thread, stride, end) for thread in range(stride)]
    assert (max(expected) > 2**32 // stride + 1) == (gap < stride)
    np.testing.assert_array_equal(counts, expected)


def test_sizes_beyond_what_an_int_counts_end_no_loop_early():
    """`i < n` is a comparison of size_t: an n with the highest bit is large, not negative."""
    text = """
    extern "C" __global__ void first(int* out, size_t n, int most) {
      for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        if (i >= most) break;
        out[i] = i;
      }
    }"""
    for size in (2**63, 2**64 - 1, 2**32):
        out = np.full(1000, -1, np.int32)
        CudaCModule(text).kernel("first")[2, 64](out, np.uint64(size), 1000)
        cuda.synchronize()
        np.testing.assert_array_equal(out, np.arange(1000))
