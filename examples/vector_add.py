"""Adds two vectors: one thread an element."""

import numpy as np
from _report import best_time, check, report, timed
from numba import cuda


@cuda.jit
def add(a, b, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a[i] + b[i]


def add_in_python(a, b, out):
    for i in range(len(out)):
        out[i] = a[i] + b[i]


def main():
    n = 10_000_000
    rng = np.random.default_rng(0)
    a = rng.random(n, dtype=np.float32)
    b = rng.random(n, dtype=np.float32)
    a_device, b_device = cuda.to_device(a), cuda.to_device(b)
    out_device = cuda.device_array_like(a_device)
    threads = 256
    blocks = (n + threads - 1) // threads

    def run():
        add[blocks, threads](a_device, b_device, out_device)
        cuda.synchronize()

    kernel = best_time(run)
    check(out_device.copy_to_host(), a + b)
    out = np.empty_like(a)
    numpy = best_time(lambda: np.add(a, b, out=out))
    part = n // 100
    python, _ = timed(lambda: add_in_python(a[:part].tolist(), b[:part].tolist(), [0.0] * part))
    report("vector add", kernel, numpy, python * 100)


if __name__ == "__main__":
    main()
