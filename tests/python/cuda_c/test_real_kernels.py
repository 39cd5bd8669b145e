"""What kernels of public repositories use, and the front end did not know: each in small."""

import numpy as np
import pytest
from phalanx._cuda_c import CudaCModule

from phalanx import cuda

pytestmark = pytest.mark.usefixtures("device")


def run(text, arguments, block=32, grid=1):
    """Launches the kernel `f` on copies of the arrays, and gives those."""
    module = CudaCModule(text)
    passed = [cuda.to_device(a) if isinstance(a, np.ndarray) else a for a in arguments]
    module.kernel("f").launch(grid, block, passed)
    cuda.synchronize()
    pairs = zip(passed, arguments, strict=True)
    return [p.copy_to_host() for p, a in pairs if isinstance(a, np.ndarray)]


def test_constants_beyond_int64():
    """MurmurHash3's last step."""
    text = """
    template <unsigned long long factor> __device__ unsigned long long times(unsigned long long k) {
      return k * factor;
    }
    extern "C" __global__ void f(unsigned long long* k) {
      unsigned long long h = k[threadIdx.x];
      switch (h) {
        case 0xff51afd7ed558ccdULL: h = 1; break;
        default: h ^= h >> 33; h = times<0xff51afd7ed558ccdULL>(h);
      }
      const unsigned long long other = 0xc4ceb9fe1a85ec53ULL;
      k[threadIdx.x] = (h ^ h >> 33) * other;
    }"""
    first, second = np.uint64(0xFF51AFD7ED558CCD), np.uint64(0xC4CEB9FE1A85EC53)
    k = np.random.default_rng(1).integers(0, 2**64, 32, dtype=np.uint64)
    k[3] = first
    h = np.where(k == first, np.uint64(1), (k ^ k >> np.uint64(33)) * first)
    np.testing.assert_array_equal(run(text, [k])[0], (h ^ h >> np.uint64(33)) * second)


def test_variables_with_constructors_that_do_nothing():
    text = """
    struct Values { float x, y; };
    struct Vector { float e[3]; __device__ Vector() {} };
    struct Both { Vector v; int n; };
    __constant__ Values table[1024];
    __device__ Both both;
    extern "C" __global__ void f(float* x) {
      const int i = threadIdx.x;
      if (i == 0) both.v.e[2] = 5.0f;
      __syncthreads();
      x[i] += table[i].y + both.v.e[2] + both.n;
    }"""
    x = np.arange(32, dtype=np.float32)
    np.testing.assert_array_equal(run(text, [x])[0], x + 5)


def test_shuffles_move_short_numbers_and_structs():
    text = """
    #include <cuda_fp16.h>
    #include <cooperative_groups.h>
    struct Three { unsigned short a, b, c; };
    extern "C" __global__ void f(uint4* x, short* s, float* out) {
      const int i = threadIdx.x;
      auto tile = cooperative_groups::tiled_partition<32>(cooperative_groups::this_thread_block());
      x[i] = tile.shfl_xor(x[i], 1);
      s[i] = __shfl_down_sync(0xffffffff, s[i], 1);
      const bool odd = __shfl_xor_sync(0xffffffff, (i & 1) != 0, 1);
      const Three three = {(unsigned short)i, 7, (unsigned short)(i + 1)};
      const half2 h = __shfl_sync(0xffffffff, __floats2half2_rn(i, 2 * i), 5);
      out[i] = odd + 10 * tile.shfl(three, 3).c + 100 * __high2float(h);
    }"""
    lanes = np.arange(32)
    x = np.random.default_rng(2).integers(0, 2**32, (32, 4), dtype=np.uint32)
    s = (lanes * -1000).astype(np.int16)
    moved, shorts, out = run(text, [x.reshape(-1), s, np.zeros(32, np.float32)])
    np.testing.assert_array_equal(moved.reshape(32, 4), x[lanes ^ 1])
    np.testing.assert_array_equal(shorts, s[np.minimum(lanes + 1, 31)])
    np.testing.assert_array_equal(out, (lanes & 1 == 0) + 40 + 1000)


@pytest.mark.of_phalanx("has no statements as expressions")
def test_statements_as_expressions():
    text = """
    #define ppcg_min(x, y) ({ __typeof__(x) _x = (x); __typeof__(y) _y = (y); _x < _y ? _x : _y; })
    #define ADD(x, n) ({ for (int k = 0; k < (n); ++k) x += 2; })
    extern "C" __global__ void f(int* x, int n) {
      const int i = threadIdx.x;
      int steps = 0;
      const int shown = i < 8 ? ({ steps += 1; x[i] * 2; }) : ppcg_min(x[i], n);
      ADD(steps, ppcg_min(i, 3));
      x[i] = shown * 100 + steps;
    }"""
    i = np.arange(32, dtype=np.int32)
    x = i * 3 - 5
    expected = np.where(i < 8, x * 2, np.minimum(x, 20)) * 100 + (i < 8) + 2 * np.minimum(i, 3)
    np.testing.assert_array_equal(run(text, [x, 20])[0], expected)


def test_groups_of_any_kind_and_partitions():
    """As NVIDIA's samples simpleCooperativeGroups and binaryPartitionCG have them."""
    text = """
    #include <cooperative_groups.h>
    namespace cg = cooperative_groups;
    __device__ int sum_below(cg::thread_group g, int* shared, int value) {
      const int lane = g.thread_rank();
      for (int i = g.size() / 2; i > 0; i /= 2) {
        shared[lane] = value;
        g.sync();
        if (lane < i) value += shared[lane + i];
        g.sync();
      }
      return value;
    }
    extern "C" __global__ void f(int* out, int* parts, int* labels) {
      __shared__ int shared[64];
      const cg::thread_block block = cg::this_thread_block();
      const int i = threadIdx.x;
      const int all = sum_below(block, shared, i);
      const cg::thread_group small = cg::tiled_partition(block, 16);
      const int part = sum_below(small, shared + i / 16 * 16, i);
      out[i] = i == 0 ? all : small.thread_rank() == 0 ? part : -(int)small.size();
      auto tile = cg::tiled_partition<32>(block);
      auto odd = cg::binary_partition(tile, i % 3 == 0);
      parts[i] = 100 * odd.size() + odd.thread_rank();
      auto same = cg::labeled_partition(cg::coalesced_threads(), i % 5);
      labels[i] = 100 * same.size() + same.thread_rank();
    }"""
    i = np.arange(64)
    out, parts, labels = run(text, [np.zeros(64, np.int32) for _ in range(3)], 64)
    expected = np.full(64, -16)
    expected[::16] = i.reshape(4, 16).sum(1)
    expected[0] = i.sum()
    np.testing.assert_array_equal(out, expected)
    for found, label in ((parts, i % 3 == 0), (labels, i % 5)):
        warps = [(label == label[k]) & (i // 32 == k // 32) for k in i]
        rank = [(same & (i < k)).sum() for k, same in zip(i, warps, strict=True)]
        np.testing.assert_array_equal(found, 100 * np.sum(warps, axis=1) + rank)


@pytest.mark.of_phalanx("has no register in C++17, and neither uint nor the toolkit's cuFFT")
def test_names_that_other_headers_bring():
    text = """
    #include <cuda_runtime.h>
    #include <cufft.h>
    #include <type_traits>
    extern "C" __global__ void f(float* x, uint* counts, cufftComplex* z) {
      register const uint i = threadIdx.x;
      typedef std::common_type<int, double>::type wide;
      const clock_t none = !std::is_default_constructible<uint4>::value;
      x[i] = fdividef(x[i], 4.0f) + sizeof(wide) + std::alignment_of<double2>::value + none;
      if (i == 3) counts[0] = atomicCAS_system(&counts[1], UINT_MAX, 7u);
      z[i] = make_cuComplex(z[i].y, z[i].x);
    }"""
    x = np.arange(32, dtype=np.float32)
    z = np.arange(64, dtype=np.float32).view(np.complex64)
    counts = np.array([0, 2**32 - 1], np.uint32)
    found, counted, swapped = run(text, [x, counts, z])
    np.testing.assert_array_equal(found, x / 4 + 8 + 16)
    assert counted.tolist() == [2**32 - 1, 7]
    np.testing.assert_array_equal(swapped, z.imag + 1j * z.real)


def test_pairs_of_halves_are_added_atomically():
    text = """
    #include <cupy/float16.cuh>
    extern "C" __global__ void f(half2* sum) {
      atomicAdd(sum, __floats2half2_rn(1.0f, threadIdx.x));
    }"""
    (found,) = run(text, [np.zeros(2, np.float16).view(np.uint32)])
    assert found.view(np.float16).tolist() == [32, 496]
