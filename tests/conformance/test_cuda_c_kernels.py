"""The device part of CUDA C source, and the table of kernels."""

from pathlib import Path

from cuda_c_cutting import Files, cut
from cuda_c_kernels import HERE, known_failures, listed

SOURCE = """
#include <iostream>  // of the host
#include <math.h>
#include "own.h"
#define INLINE __device__ inline
using namespace std;
typedef std::vector<float> Numbers;
static const int N = 4;  /* a { in a comment */
#ifdef OTHER
__device__
#else
INLINE
#endif
float twice(float x) { return 2 * x; }
struct Pair {
  float a, b;
  Pair(std::istream& in) { in >> a >> b; }
  INLINE float sum() const { return a + b; }
};
template <typename T> __global__ __launch_bounds__(64) void scale(T* x, Pair p) {
  x[threadIdx.x] *= twice(p.sum()) + N + own('{');
}
__global__ void other(Numbers* x) {}
int main() { scale<float><<<1, 4>>>(nullptr, {}); std::cout << "}"; }
"""


def device_part(folder: Path, kernel: str) -> str:
    (folder / "own.h").write_text("#pragma once\n__device__ int own(char c) { return c; }\n")
    files = Files([], frozenset({"math.h"}), folder)
    return cut(list(files.items(SOURCE, folder)), kernel)


def test_what_a_kernel_needs_is_kept(tmp_path):
    kept = device_part(tmp_path, "scale<float>")
    for text in ("float twice", "struct Pair", "float sum()", "N = 4", "int own", "<math.h>"):
        assert text in kept
    assert kept.count("#if") == kept.count("#endif") == 1


def test_code_of_the_host_is_left_out(tmp_path):
    kept = device_part(tmp_path, "scale<float>")
    for text in ("iostream", "main", "istream", "Numbers", "other"):
        assert text not in kept


def test_the_table_and_the_known_failures_fit():
    kernels = list(listed((HERE / "cuda_c_kernels.txt").read_text()))
    titles = [kernel.title for kernel in kernels]
    assert len(set(titles)) == len(titles) >= 120
    assert all(kernel.commit and kernel.repository.count("/") == 1 for kernel in kernels)
    known = known_failures((HERE / "known" / "cuda-c-kernels.txt").read_text())
    assert set(known) <= set(titles) and all(known.values())
