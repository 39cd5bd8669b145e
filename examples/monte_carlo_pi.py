"""Pi by throwing darts: each thread has its own small random number generator."""

import random

import numpy as np
from _report import best_time, report, timed
from numba import cuda, uint32

THROWS = 1000


@cuda.jit
def count_hits(hits, seed):
    i = cuda.grid(1)
    if i >= hits.shape[0]:
        return
    # xorshift32 (Marsaglia 2003), started from a mixed thread number so that no state is 0.
    state = uint32(i * 747796405 + seed * 2891336453 + 1)
    state = uint32((state ^ (state >> uint32(16))) * uint32(2246822519) | uint32(1))
    inside = 0
    for _ in range(THROWS):
        state = uint32(state ^ (state << uint32(13)))
        state = uint32(state ^ (state >> uint32(17)))
        state = uint32(state ^ (state << uint32(5)))
        x = float(state) * (1.0 / 4294967296.0)
        state = uint32(state ^ (state << uint32(13)))
        state = uint32(state ^ (state >> uint32(17)))
        state = uint32(state ^ (state << uint32(5)))
        y = float(state) * (1.0 / 4294967296.0)
        if x * x + y * y < 1.0:
            inside += 1
    hits[i] = inside


def pi_in_numpy(n):
    rng = np.random.default_rng(0)
    return 4.0 * np.count_nonzero(rng.random(n) ** 2 + rng.random(n) ** 2 < 1.0) / n


def pi_in_python(n):
    rng = random.Random(0)
    return 4.0 * sum(rng.random() ** 2 + rng.random() ** 2 < 1.0 for _ in range(n)) / n


def main():
    threads, block = 16384, 128
    hits = cuda.device_array(threads, np.int64)

    def run():
        count_hits[threads // block, block](hits, 1)
        cuda.synchronize()

    kernel = best_time(run)
    total = threads * THROWS
    pi = 4.0 * hits.copy_to_host().sum() / total
    # The standard error is 1.64 / sqrt(total); five of them leave no room for a wrong kernel.
    assert abs(pi - np.pi) < 5 * 1.64 / np.sqrt(total), pi
    numpy, _ = timed(lambda: pi_in_numpy(total))
    python, _ = timed(lambda: pi_in_python(total // 100))
    report(f"Monte Carlo pi = {pi:.4f}", kernel, numpy, python * 100)


if __name__ == "__main__":
    main()
