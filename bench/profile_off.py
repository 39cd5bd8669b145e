"""What the recorder costs where no profile is taken: two builds in turns, a Markdown table.

    python bench/profile_off.py BEFORE AFTER [--rounds N] [--output FILE]

BEFORE and AFTER are folders for PYTHONPATH, each with a `phalanx` that was built in the same way,
of which the first has no recorder. A process's figure is the best of 15 loops of processor time on
the CPU device; the table has medians of the processes, and in the note the least.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
from _measure import Row, cpu_name, report, versions

PROGRAM = """
import time
import numpy as np
import phalanx as px
from phalanx import cuda

@cuda.jit
def nothing():
    pass

@cuda.jit
def store(a, b, c):
    if cuda.grid(1) < 0:
        a[0] = b[0] + c[0]

arrays = [cuda.device_array(16, np.float32) for _ in range(3)]
x = px.asarray(np.ones(16, np.float32))
host = np.ones(16, np.float32)
plain, with_arrays = nothing[1, 32], store[1, 32]

def best(call, count):
    call()
    times = []
    for _ in range(15):
        start = time.process_time_ns()
        for _ in range(count):
            call()
        times.append((time.process_time_ns() - start) / count)
    return min(times)

print(best(plain, 20_000), best(lambda: with_arrays(*arrays), 20_000),
      best(lambda: (x + x)._evaluate(), 4000), best(lambda: arrays[0].copy_to_device(host), 4000))
"""
NAMES = (
    "launch without arguments",
    "launch with 3 arrays",
    "x + x of 16 float32, computed",
    "64 bytes to the device",
)


def figures(folder: str) -> list[float]:
    """Nanoseconds of each call, in a process of its own."""
    settings = {"PYTHONPATH": folder, "PHALANX_DEVICE": "cpu"}
    command = [sys.executable, "-P", "-W", "ignore", "-c", PROGRAM]
    done = subprocess.run(
        command, env={**os.environ, **settings}, capture_output=True, text=True, check=True
    )
    return [float(word) for word in done.stdout.split()]


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs=2, metavar=("BEFORE", "AFTER"))
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--output", type=Path)
    options = parser.parse_args()
    # Rounds x folders x calls.
    taken = np.array([[figures(each) for each in options.folders] for _ in range(options.rounds)])
    middle, least = np.median(taken, axis=0), taken.min(axis=0)
    rows = [
        Row(name, middle[1, i], middle[0, i], "ns", "before",
            note=f" least {least[1, i]:.1f} and {least[0, i]:.1f}")
        for i, name in enumerate(NAMES)
    ]  # fmt: skip
    report(f"Without a profile, {cpu_name()}, {versions(['numpy'])}", rows, options.output)


if __name__ == "__main__":
    main()
