"""k-mers: how often each word of eight bases is in a genome, in CUDA C with atomic additions.

The first step of assemblers and of searches without alignment, as a script for CuPy with a
`RawKernel`; run it with `python -m phalanx run`. Words are counted beside their reverse complement,
as in Jellyfish (G. Marcais and C. Kingsford, 2011).
"""

import cupy as cp
import numpy as np
from _program import Run, check, start

FIELD, USES = "biology", "CuPy, CUDA C"
K = 8
COUNT = cp.RawKernel(
    r"""
extern "C" __global__ void count(const unsigned char *bases, unsigned *counts, int words) {
  int stride = blockDim.x * gridDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < words; i += stride) {
    unsigned word = 0, back = 0;
    for (int k = 0; k < K; ++k) {
      unsigned base = bases[i + k];
      word = word << 2 | base;
      back |= (3 - base) << 2 * k;
    }
    atomicAdd(&counts[min(word, back)], 1u);
  }
}""",
    "count",
    options=(f"-DK={K}",),
)


def genome(length):
    """Bases as 0 to 3 (A, C, G, T): random ones with a repeat that is put in often."""
    rng = np.random.default_rng(31)
    bases = rng.choice(4, length, p=[0.3, 0.2, 0.2, 0.3]).astype(np.uint8)
    repeat = rng.integers(0, 4, 300).astype(np.uint8)
    for place in rng.integers(0, length - 300, length // 10_000 + 2):
        bases[place : place + 300] = repeat
    return bases


def count(bases):
    there, counts = cp.asarray(bases), cp.zeros(4**K, cp.uint32)
    COUNT((256,), (256,), (there, counts, np.int32(bases.size - K + 1)))
    return cp.asnumpy(counts)


def count_in_numpy(bases):
    words = np.zeros(bases.size - K + 1, np.int64)
    back = np.zeros_like(words)
    for k in range(K):
        part = bases[k : k + words.size].astype(np.int64)
        words = words << 2 | part
        back |= (3 - part) << 2 * k
    return np.bincount(np.minimum(words, back), minlength=4**K)


def main(run: Run) -> None:
    bases = genome(run.size(8_000_000, 50_000))
    counts = run.measure(lambda: count(bases))
    run.agree(counts, run.peer("NumPy", lambda: count_in_numpy(bases)))
    check(counts.sum(), bases.size - K + 1)
    # Half of the words, and those of 8 that are their own reverse complement.
    check(np.count_nonzero(counts) <= (4**K + 4 ** (K // 2)) // 2, True)

    def draw(axes):
        axes.hist(counts[counts > 0], bins=100, log=True)
        axes.set(xlabel=f"how often a word of {K} bases is met", ylabel="words")

    run.picture(draw)


if __name__ == "__main__":
    start(main)
