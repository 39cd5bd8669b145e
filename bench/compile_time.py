"""How long kernels take to compile to PTX, beside numba-cuda: prints a Markdown table.

    python bench/compile_time.py [--output FILE]

Both from the Python function to PTX for compute capability 9.0, warm: after one compilation of
another kernel, without any cache, the median of several rounds. No GPU is needed for ours;
numba-cuda (0.30.4) needs its toolkit packages, and is left out of the table where it is missing.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from _measure import Row, cpu_name, report, versions

ROUNDS = 7
CAPABILITY = (9, 0)
TARGET = 2.0  # at most half of numba-cuda's time


cuda: Any = None  # either library's, set before the first compilation
float32 = np.float32


def vector_add(a, b, out):
    """One sum a thread."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = a[i] + b[i]


def wave(x, out):
    """Functions of the math library."""
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = math.sqrt(math.sin(x[i]) ** 2 + math.exp(x[i]))


def mandelbrot(image, iterations):
    """Complex numbers in a loop."""
    x, y = cuda.grid(2)
    if x < image.shape[1] and y < image.shape[0]:
        c = complex(x * 0.001 - 2.0, y * 0.001 - 1.0)
        z = 0j
        count = 0
        while count < iterations and z.real * z.real + z.imag * z.imag < 4.0:
            z = z * z + c
            count += 1
        image[y, x] = count


def tiled_product(a, b, out):
    """Shared memory and barriers."""
    left = cuda.shared.array((16, 16), float32)
    right = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    total = float32(0.0)
    for k in range(a.shape[1] // 16):
        left[ty, tx] = a[y, k * 16 + tx]
        right[ty, tx] = b[k * 16 + ty, x]
        cuda.syncthreads()
        for i in range(16):
            total += left[ty, i] * right[i, tx]
        cuda.syncthreads()
    out[y, x] = total


def histogram(values, counts):
    """Atomics."""
    for i in range(cuda.grid(1), values.shape[0], cuda.gridsize(1)):
        cuda.atomic.add(counts, values[i] % counts.shape[0], 1)


def block_sum(values, out):
    """A reduction in shared memory."""
    tile = cuda.shared.array(256, float32)
    t = cuda.threadIdx.x
    i = cuda.grid(1)
    tile[t] = values[i] if i < values.shape[0] else float32(0)
    cuda.syncthreads()
    step = 128
    while step > 0:
        if t < step:
            tile[t] += tile[t + step]
        cuda.syncthreads()
        step //= 2
    if t == 0:
        out[cuda.blockIdx.x] = tile[0]


LINE = "float32[::1]"
PLANE = "float32[:,::1]"
KERNELS: dict[str, tuple[Callable[..., Any], str]] = {
    "vector add": (vector_add, f"void({LINE}, {LINE}, {LINE})"),
    "sqrt(sin**2 + exp)": (wave, f"void({LINE}, {LINE})"),
    "mandelbrot": (mandelbrot, "void(int32[:,::1], int64)"),
    "tiled matrix product": (tiled_product, f"void({PLANE}, {PLANE}, {PLANE})"),
    "histogram": (histogram, "void(int64[::1], int32[::1])"),
    "block sum": (block_sum, f"void({LINE}, {LINE})"),
}


def times(library: Any) -> dict[str, float]:
    """Seconds for each kernel: medians, after a first round that warms up."""
    global cuda
    cuda = library
    found: dict[str, list[float]] = {name: [] for name in KERNELS}
    for round_ in range(ROUNDS + 1):
        for name, (function, signature) in KERNELS.items():
            start = time.perf_counter()
            cuda.compile_ptx(function, signature, cc=CAPABILITY)
            if round_ > 0:
                found[name].append(time.perf_counter() - start)
    return {name: statistics.median(series) for name, series in found.items()}


def peer_times() -> dict[str, float] | None:
    """numba-cuda's, from a process of its own; None where it cannot compile."""
    command = [sys.executable, __file__, "--peer"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        print(f"numba-cuda is left out: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return json.loads(done.stdout.splitlines()[-1])


def run_peer() -> None:
    """Prints numba-cuda's times."""
    # By setattr: the linter would write the new name for the old one.
    setattr(np, "row_stack", np.vstack)  # noqa: B010  (numba-cuda 0.30.4 looks for it)
    import numba_cuda  # noqa: F401  (fails where only Numba's own old target is)
    from numba import cuda as peer

    print(json.dumps(times(peer)))


def main() -> int:
    """Prints the table; returns the number of missed targets."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path)
    parser.add_argument("--peer", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer()
        return 0
    from phalanx import cuda as library

    ours, theirs = times(library), peer_times()
    rows = [
        Row(
            name,
            seconds * 1e3,
            theirs[name] * 1e3 if theirs else float("nan"),
            "ms",
            "numba-cuda" if theirs else "",
            target=TARGET if theirs else None,
        )
        for name, seconds in ours.items()
    ]
    packages = versions(["phalanx", "numba", "numba-cuda"])
    heading = f"## Compile times, to PTX\n\n{cpu_name()}. {packages}. Medians, warm.\n"
    return report(heading, rows, options.output)


if __name__ == "__main__":
    sys.exit(main())
