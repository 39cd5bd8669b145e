"""A histogram: threads count in their block's shared memory, then add up with atomics."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda, int32

BINS = 256


@cuda.jit
def histogram(values, counts):
    local = cuda.shared.array(BINS, int32)
    t = cuda.threadIdx.x
    for b in range(t, BINS, cuda.blockDim.x):
        local[b] = 0
    cuda.syncthreads()
    start = cuda.grid(1)
    stride = cuda.gridsize(1)
    for i in range(start, values.shape[0], stride):
        cuda.atomic.add(local, values[i], 1)
    cuda.syncthreads()
    for b in range(t, BINS, cuda.blockDim.x):
        cuda.atomic.add(counts, b, local[b])


def histogram_in_python(values):
    counts = [0] * BINS
    for value in values:
        counts[value] += 1
    return counts


def main():
    n = 10_000_000
    values = np.random.default_rng(0).integers(0, BINS, n).astype(np.uint8)
    device = cuda.to_device(values)
    zeros = np.zeros(BINS, np.int32)
    counts = cuda.to_device(zeros)

    def run():
        counts.copy_to_device(zeros)
        histogram[128, 256](device, counts)
        cuda.synchronize()

    kernel = best_time(run)
    check(counts.copy_to_host(), np.bincount(values, minlength=BINS))
    numpy = best_time(lambda: np.bincount(values, minlength=BINS), repeats=3)
    part = n // 50
    python, _ = timed(lambda: histogram_in_python(values[:part].tolist()))
    report("histogram, 1e7 bytes", kernel, numpy, python * 50)


if __name__ == "__main__":
    main()
