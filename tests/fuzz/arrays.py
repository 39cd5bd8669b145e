"""Random programs of array code with NumPy and with our arrays: both end with the same values.

    python tests/fuzz/arrays.py --first 0 --count 1000
    python tests/fuzz/arrays.py --count 100000 --jobs 16 --seconds 560 --record arrays.txt

The second goes on where the last one with this record ended. Program N is the same everywhere; what
differs is printed as the fewest of its lines that differ, which run as they are.
"""

from __future__ import annotations

import argparse
import math
import os
import sys
import time
from pathlib import Path

import array_judge
import array_statements
import batches

# Programs that differ, with the reason.
LISTED_NUMBERS: dict[int, str] = {}


def main() -> int:
    """Runs the programs; 1 where one differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument(
        "--device", choices=("cpu", "cuda"), help="the default: a GPU if there is one"
    )
    parser.add_argument("--jobs", type=int, default=0, help="processes at a time")
    parser.add_argument("--seconds", type=float, default=math.inf, help="when to begin no more")
    parser.add_argument("--record", type=Path, help="a file of what was done, to go on from")
    parser.add_argument(
        "--kernels", action="store_true", help="read by kernels what the CPU device leaves to NumPy"
    )
    parser.add_argument("--progress", action="store_true", help="say each number")
    options = parser.parse_args()
    numbers = range(options.first, options.first + options.count)
    if options.jobs:
        device = ["--device", options.device] if options.device else []
        forced = ["--kernels"] if options.kernels else []
        program = [sys.executable, os.fspath(Path(__file__)), *device, *forced]
        return (
            batches.run(
                program,
                numbers,
                jobs=options.jobs,
                size=500,
                seconds=options.seconds,
                record=options.record,
            )
            > 0
        )
    return _run(numbers, options.device, options.kernels, options.progress)


def _run(numbers: range, device: str | None, is_forced: bool, is_told: bool) -> int:
    from phalanx._arrays import gathering

    from phalanx import _engine

    if device is not None:
        _engine.set_current_device(_engine.device(device))
    if is_forced:
        gathering._FEW = 0
    begin, differing = time.monotonic(), 0
    for number in numbers:
        if is_told:
            print("at", number, flush=True)
        text = array_judge.describe(array_statements.program(number))
        if text and number not in LISTED_NUMBERS:
            differing += 1
            print(f"program {number}: {text}", end="", flush=True)
    if is_told:
        print("at", numbers.stop)
        print(f"judge NumPy: {len(numbers)}")
    else:
        speed = len(numbers) / (time.monotonic() - begin)
        print(f"{len(numbers)} programs, {differing} differ; {speed:.1f} a second")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
